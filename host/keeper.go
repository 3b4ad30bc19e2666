package host

import (
	"time"
)

const (
	// leastOwed is the time below which a world without new records needs no snapshot, as one that sleeps.
	leastOwed = 10 * time.Millisecond
	// keepRest is the least time between two snapshots as a multiple of the time that one took.
	keepRest = 100
	// leastKeep is the least time between two snapshots.
	leastKeep = time.Second
)

// keeper makes the snapshots of a world. Only the copy is made between two steps.
type keeper struct {
	busy    bool
	due     time.Duration // of the next, if the world changes
	rest    time.Duration // before which none is made
	owed    time.Duration // time of the steps since the last one
	records int           // since the last one
	number  uint64        // of the last record of the last one, or of that from which the world was taken over
	length  int           // of the last one
}

// begin staggers the snapshots of the worlds of a host.
func (k *keeper) begin(w *World, from *snapshot, now time.Duration) {
	each := w.h.config.Snapshot
	k.due = now + each/2 + time.Duration(score(w.name, "")%uint64(each/2))
	k.rest = now + leastKeep
	if from != nil {
		k.number = from.number
	}
}

// look makes a snapshot if one is due. Without a record since the last one it appends a mark first: then that mark
// tells that the last one is part of the world's history, and all before it may be dropped.
func (k *keeper) look(w *World, now time.Duration) {
	late := now >= k.due && (k.records > 0 || k.owed > leastOwed)
	if k.busy || w.flight != nil || now < k.rest || !late && k.owed < w.h.config.Replay {
		return
	}
	if k.records == 0 && w.state.world.AtRest() {
		k.rest = now + leastKeep // steps without motion are made again in no time
		return
	}
	if w.last == k.number {
		w.markDue = true
		return
	}
	b, err := w.snapshot(false)
	if err != nil {
		return // the world has stopped
	}
	took := w.h.clock.mono() - now
	k.rest, k.due = now+max(leastKeep, keepRest*took), now+w.h.config.Snapshot
	k.busy, k.owed, k.records = true, 0, 0
	w.keep(b, func(err error) {
		k.busy = false
		if err != nil {
			k.due = 0
		}
	})
}

// snapshot returns a snapshot of the world, which has no record under way. Its hash is the next record's, too: who
// begins with the snapshot cannot make an earlier one.
func (w *World) snapshot(final bool) ([]byte, error) {
	w.check.make(w.state)
	s := snapshot{
		epoch: w.epoch, number: w.last, step: w.state.steps(), time: w.h.clock.wall(), engine: w.h.config.Engine,
		final: final, hash: w.check.hash, state: w.state,
	}
	b, err := s.append(make([]byte, 0, w.keeper.length)) // which need not grow: that takes as long as the rest
	w.keeper.length = len(b) + len(b)/8
	return b, err
}

// keep writes a snapshot, trims the log to the snapshot before it, and then calls done on the serving goroutine. The
// last one trims nothing, since the world stands still meanwhile: the next owner's first one does.
func (w *World) keep(b []byte, done func(error)) {
	number, before := w.last, w.keeper.number
	var err, trimmed error
	w.h.spawn(func() {
		ctx, cancel := w.h.timeout()
		defer cancel()
		log := w.h.config.Log
		if err = log.Keep(ctx, w.name, number, b); err == nil && before != 0 && !w.final {
			trimmed = log.Trim(ctx, w.name, before, w.h.config.Whole)
		}
	}, func() {
		w.post(func() {
			if err != nil {
				w.h.config.Logger.Warn("snapshot", "world", w.name, "epoch", w.epoch, "err", err)
			} else {
				w.keeper.number = number
				w.h.stats.snapshots.Add(1)
				w.h.stats.snapshotBytes.Add(int64(len(b)))
			}
			if trimmed != nil { // after the next snapshot it is done
				w.h.config.Logger.Warn("trim", "world", w.name, "epoch", w.epoch, "err", trimmed)
			}
			done(err)
		})
	})
}
