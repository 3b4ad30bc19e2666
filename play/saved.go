package play

import (
	"maps"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// Saved is the state of a World at one time, in memory: to go back by some seconds. The zero value is ready for
// World.Capture, and keeps its memory. For a file, or another process, see World.AppendSnapshot.
type Saved struct {
	of      *World
	filled  uint64 // number of times
	engine  quarry.Snapshot
	bodies  int
	steps   int
	floor   float64
	breaks  bool
	strokes int
	players map[Player]player
	riders  []Player
	budget  budget
	free    []uint32
	grounds []keptState
	fuses   []fuse
	groups  int32
}

// keptState is a Ground in a Saved.
type keptState struct {
	id     quarry.GroundID // 0: it is gone
	serial uint64
	list   []Chunk
}

// Filled returns how many times Capture has filled s.
func (s *Saved) Filled() uint64 { return s.filled }

// Steps returns World.Steps at the time of Capture.
func (s *Saved) Steps() int { return s.steps }

// Capture makes s the present state of w. It panics if w has stopped.
func (w *World) Capture(s *Saved) {
	if w.stopped != "" {
		panic("quarry: play: Capture: the world has stopped: " + w.stopped)
	}
	s.of, s.filled = w, s.filled+1
	w.in.World.Capture(&s.engine)
	s.bodies, s.steps, s.floor = w.bodies, w.steps, w.floor
	s.breaks, s.strokes, s.budget = w.breaks, w.strokes, w.budget
	s.free = append(s.free[:0], w.free...)
	if s.players == nil {
		s.players = map[Player]player{}
	}
	clear(s.players)
	for id, p := range w.players {
		saved := *p
		saved.ride = p.ride.copied()
		s.players[id] = saved
	}
	s.riders = append(s.riders[:0], w.riders...)
	s.fuses, s.groups = append(s.fuses[:0], w.fuses...), w.groups
	s.grounds = slices.Grow(s.grounds[:0], len(w.grounds))[:len(w.grounds)]
	for i, t := range w.grounds {
		k := &s.grounds[i]
		k.id, k.serial, k.list = t.id, t.serial, append(k.list[:0], t.list...)
	}
}

// Rewind sets w back to s, which Capture has filled from w, and which can be loaded again; it panics if s is of another
// world, or if w has stopped. Chunks whose tiles differ get new revisions. Players have nothing to undo afterwards. A
// scene whose edits have a memory of their own goes on otherwise than before, as after Restore.
func (w *World) Rewind(s *Saved) {
	if !w.Has(s) {
		panic("quarry: play: Rewind: the Saved is empty or of another world, or the world has stopped")
	}
	w.rewind(s)
}

// Has reports whether w can go back to s.
func (w *World) Has(s *Saved) bool { return s.of == w && w.stopped == "" }

// AppendPast appends the snapshot that AppendSnapshot would append after Rewind: w stays as it is. A world that Restore
// makes of it goes on as w does after Rewind, also if w changes in between. It panics as Rewind does.
func (w *World) AppendPast(dst []byte, s *Saved) ([]byte, error) {
	if !w.Has(s) {
		panic("quarry: play: AppendPast: the Saved is empty or of another world, or the world has stopped")
	}
	past := *w // with the same engine, which goes back and comes again
	past.numberOf, past.players = map[quarry.GroundID]int{}, map[Player]*player{}
	past.palette.list = slices.Clone(w.palette.list)
	past.grounds = make([]*Ground, len(w.grounds))
	for i, t := range w.grounds {
		same := *t
		same.list = slices.Clone(t.list)
		past.grounds[i] = &same
	}
	var now quarry.Snapshot
	w.in.World.Capture(&now)
	past.rewind(s)
	dst, err := past.AppendSnapshot(dst)
	w.in.World.Rewind(&now)
	return dst, err
}

// rewind is Rewind without its check.
func (w *World) rewind(s *Saved) {
	w.in.World.Rewind(&s.engine)
	w.bodies, w.steps, w.floor = s.bodies, s.steps, s.floor
	w.breaks, w.strokes, w.budget = s.breaks, s.strokes, s.budget
	w.free = slices.Clone(s.free)
	clear(w.players)
	for id, p := range s.players {
		p.ride = p.ride.copied()
		w.players[id] = &p
	}
	w.riders = slices.Clone(s.riders)
	w.fuses, w.groups, w.blasts = slices.Clone(s.fuses), s.groups, nil
	w.history = history{}
	w.change++
	w.loadGrounds(s)
	w.palette.look(w.in.World)
}

// loadGrounds gives the grounds the numbers that they had in s. A chunk has a new revision if it has changed since.
func (w *World) loadGrounds(s *Saved) {
	clear(w.numberOf)
	for i, t := range w.grounds {
		k := keptState{}
		if i < len(s.grounds) {
			k = s.grounds[i]
		} else {
			// It is given out after the others, the lowest first, as if it were new.
			w.free = slices.Insert(w.free, 0, t.number)
		}
		switch {
		case k.id == 0 && !t.gone:
			w.serials++
			w.grounds[i] = &Ground{number: t.number, serial: w.serials, gone: true}
		case k.id == 0:
		case k.serial == t.serial:
			t.back(k.list)
		default:
			w.serials++
			t = &Ground{id: k.id, number: t.number, serial: w.serials, chunks: map[gridseg.Cell]int{}}
			for _, c := range k.list {
				t.at(c.At)
			}
			t.markAll()
			w.grounds[i] = t
		}
		if t = w.grounds[i]; !t.gone {
			w.numberOf[t.id], t.seen = i, w.change
			if g, ok := w.in.World.Ground(t.id); ok {
				t.version = g.Version()
			}
		}
	}
}

// back gives new revisions to the chunks that have changed since the list was made.
func (t *Ground) back(list []Chunk) {
	rev := t.rev + 1
	for i := range t.list {
		if i >= len(list) || t.list[i].Rev != list[i].Rev {
			t.list[i].Rev, t.rev = rev, rev
		}
	}
}

// AtRest reports whether nothing moves, and no more edits of the scene are to come: if the scene makes edits, it has
// made the steps of its measured run.
func (w *World) AtRest() bool {
	return w.stopped == "" && w.in.World.Stats().Awake == 0 && (w.in.BeforeStep == nil || w.steps >= w.scene.Steps)
}

// Scripted reports whether the scene makes edits between steps.
func (w *World) Scripted() bool { return w.in.BeforeStep != nil }

// Players returns the largest number of a player who holds something or can undo something; 0 if there is none.
func (w *World) Players() (most Player) {
	for p := range maps.Keys(w.players) {
		most = max(most, p)
	}
	for _, e := range w.history.edits {
		most = max(most, e.by)
	}
	return most
}
