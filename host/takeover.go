package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/quarry2d/quarry/play"
)

const (
	stepsPerSecond = 60
	// skew is the number of steps by which clocks may differ.
	skew = 3
)

// takeover takes a world over: it reads the newest snapshot and the records after it, claims the log, and only then
// replays, so that the old owner, if it lives, appends no more.
type takeover struct {
	h       *Host
	name    string
	life    uint64        // of the host, which is deposed meanwhile if it has another
	began   time.Duration // on the monotonic clock
	most    uint64        // number of the newest snapshot to try
	snap    *snapshot     // nil: from the birth
	joiner  joiner
	tail    []Record // after the snapshot
	last    uint64   // number of the last record read
	epoch   uint64   // that the claim begins
	end     uint64   // number of the claim, once it is in the log
	replays int      // steps
}

// takeOver begins a takeover.
func (h *Host) takeOver(name string) {
	t := &takeover{h: h, name: name, life: h.lease.self.Life, began: h.clock.mono(), most: math.MaxUint64}
	t.next(t.load, t.append)
}

// next calls io on another goroutine, and then done with the host locked, unless the takeover has failed. An error of
// io is retried from the start.
func (t *takeover) next(io func() error, done func()) {
	var err error
	t.h.ask(func() { err = io() }, func() {
		switch {
		case t.h.lease.self.Life != t.life || !t.h.taking[t.name]:
			return // deposed
		case err != nil:
			t.h.config.Logger.Error("takeover", "world", t.name, "err", err)
			t.h.stats.failures.Add(1)
			delete(t.h.taking, t.name) // the next look begins another
		default:
			done()
		}
	})
}

// load reads the newest snapshot, and the records after it.
func (t *takeover) load() error {
	t.snap, t.tail, t.last, t.joiner = nil, nil, 0, joiner{}
	if err := t.loadSnapshot(); err != nil {
		return err
	}
	if t.snap != nil {
		t.last = t.snap.number
	}
	if err := t.read(); err != nil {
		return err
	}
	return t.fits()
}

// loadSnapshot loads the newest snapshot that can be restored.
func (t *takeover) loadSnapshot() error {
	for t.most > 0 {
		ctx, cancel := t.h.timeout()
		number, b, err := t.h.config.Log.Kept(ctx, t.name, t.most)
		cancel()
		if errors.Is(err, ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		s, err := restore(b, t.h.config.Scenes)
		if err == nil && s.number == number {
			t.snap = s
			return nil
		}
		t.h.config.Logger.Warn("snapshot refused", "world", t.name, "number", number, "err", err)
		t.most = number - 1
	}
	return nil
}

// read reads the records after the last one.
func (t *takeover) read() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := t.h.config.Log.Read(ctx, t.name, t.last, func(number uint64, b []byte) error {
		if t.end != 0 && number >= t.end {
			return errEnd
		}
		r, whole, err := t.joiner.decode(b)
		if err != nil {
			return fmt.Errorf("record %d: %w", number, err)
		}
		if t.last = number; whole {
			t.tail = append(t.tail, r)
		}
		return nil
	})
	if errors.Is(err, errEnd) {
		return nil
	}
	return err
}

// errEnd ends a reading at the own claim.
var errEnd = errors.New("our claim")

// fits returns an error if the records cannot be replayed by this program.
func (t *takeover) fits() error {
	engine := t.h.config.Engine
	if t.snap != nil {
		engine = t.snap.engine
	} else if len(t.tail) == 0 || t.tail[0].Kind != Birth {
		return errors.New("neither a snapshot nor the first record is there")
	}
	for i := range t.tail {
		if r := &t.tail[i]; r.Kind == Claim {
			engine = r.Engine
		}
		if engine != t.h.config.Engine {
			return fmt.Errorf("its records need version %s of the engine, this is %s; a host of that version leaves a "+
				"snapshot when it drains", engine, t.h.config.Engine)
		}
	}
	return nil
}

// place returns the epoch and the step of the end of the log so far, and the time at which the world was there, in
// milliseconds; 0 if no owner has told.
func (t *takeover) place() (epoch, step uint64, at int64) {
	if t.snap != nil {
		epoch, step, at = t.snap.epoch, t.snap.step, t.snap.time
	}
	for i := range t.tail {
		r := &t.tail[i]
		epoch, step = max(epoch, r.Epoch), r.Step
		if r.Kind == Inputs || r.Kind == Mark {
			at = r.Time
		}
	}
	return epoch, step, at
}

// append appends the claim. If the answer is lost, the claim may be in the log all the same; the next attempt, by any
// host, reads it as the entry of another owner.
func (t *takeover) append() {
	epoch, step, _ := t.place()
	t.epoch = epoch + 1
	claim := Record{
		Kind: Claim, Epoch: t.epoch, Step: step, Time: t.h.clock.wall(), Owner: t.h.config.Name,
		Entropy: t.h.random(), Engine: t.h.config.Engine, Codec: play.CodecVersion,
	}
	after, refused := t.last, false
	t.next(func() error {
		b, err := claim.AppendBinary(nil)
		if err != nil {
			return err
		}
		ctx, cancel := t.h.timeout()
		defer cancel()
		number, err := t.h.config.Log.Append(ctx, t.name, after, b)
		if refused = errors.Is(err, ErrRefused); refused {
			return nil
		}
		t.end = number
		return err
	}, func() {
		if refused {
			t.readOn()
		} else {
			t.replay()
		}
	})
}

// readOn reads the records that came before the claim, and appends another.
func (t *takeover) readOn() {
	before := t.last
	t.next(func() error {
		if err := t.read(); err != nil {
			return err
		}
		if t.last == before {
			return errors.New("the log refuses the claim, and has no new record: it lags")
		}
		return t.fits()
	}, t.append)
}

// replay makes the world of the log, and goes on to the step that the owner before may have shown.
func (t *takeover) replay() {
	var s *state
	t.next(func() (err error) {
		s, err = t.made()
		return err
	}, func() { t.h.own(t, s) })
}

// made replays the tail on the snapshot, or on an older one if that disagrees with the log: its owner had made steps
// that the next owner did not, as it had been deposed.
func (t *takeover) made() (*state, error) {
	for {
		s, err := t.replayed()
		if err == nil || t.snap == nil {
			return s, err
		}
		t.h.config.Logger.Warn("snapshot refused", "world", t.name, "number", t.snap.number, "step", t.snap.step,
			"err", err)
		t.most = t.snap.number - 1
		if err := t.load(); err != nil {
			return nil, err
		}
	}
}

// replayed replays the tail on the snapshot, or on the world's birth. If the last record or snapshot is too old for a
// world that ran until now, or the clock is wrong, the world goes on where the log ends.
func (t *takeover) replayed() (s *state, err error) {
	_, _, at := t.place()
	tail := t.tail
	if t.snap != nil {
		s = t.snap.state
	} else {
		if s, err = newState(&tail[0], t.h.config.Scenes); err != nil {
			return nil, err
		}
		tail = tail[1:]
	}
	began := s.steps()
	for i := range tail {
		if err := s.replay(&tail[i]); err != nil {
			return nil, err
		}
	}
	for s.moves() && s.paused {
		_ = s.step() // those that were asked for, of which the owner before may have shown any
	}
	final := t.snap != nil && t.snap.final && len(tail) == 0
	if gap := time.Duration(t.h.clock.wall()-at) * time.Millisecond; !final && at != 0 && gap < 2*t.h.config.Mark {
		n := uint64(max(0, gap)*stepsPerSecond/time.Second) + skew
		n = (n*uint64(s.speed) + NormalSpeed - 1) / NormalSpeed
		for ; n > 0 && s.moves(); n-- {
			_ = s.step()
		}
	}
	t.replays = int(s.steps() - began)
	return s, nil
}

// own begins to run a world that was taken over.
func (h *Host) own(t *takeover, s *state) {
	delete(h.taking, t.name)
	w := newWorld(h, t, s)
	h.worlds[t.name] = w
	h.stats.takeovers.Add(1)
	h.config.Logger.Info("takeover", "world", t.name, "epoch", w.epoch, "step", s.steps(), "replayed", t.replays,
		"took", h.clock.mono()-t.began)
	h.run(w)
	h.place() // there is room for another takeover
}
