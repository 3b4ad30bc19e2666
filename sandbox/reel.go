package sandbox

import (
	"errors"
	"time"

	"github.com/quarry2d/quarry/play"
)

const (
	// pastSteps is the number of steps that a world can go back: 20 s.
	pastSteps = 1200
	// reelEvery is the smallest number of steps between two states that are kept.
	reelEvery = 10
	// reelBytes bounds the estimated memory of all states.
	reelBytes = 96 << 20
	// reelShare is the part of the time of a tick that keeping states may take: one in reelShare.
	reelShare = 50
)

// reel has the states of a world in the last seconds, the oldest first. After the world has gone back it has later
// ones, too, until the world changes.
type reel struct {
	frames []*play.Saved
	spare  []*play.Saved
	next   int    // the step at which a state is due
	back   bool   // the world has gone back and has not changed since
	change uint64 // of the world, when it went back
}

// look keeps the state of the world if it is due.
func (r *reel) look(w *play.World) {
	if w.Stopped() != "" {
		return
	}
	r.cut(w)
	if w.Steps() < r.next {
		return
	}
	for len(r.frames) > 0 && r.frames[0].Steps() < w.Steps()-pastSteps {
		r.spare, r.frames = append(r.spare, r.frames[0]), r.frames[1:]
	}
	watch := startWatch()
	r.keep(w)
	st := w.Engine().Stats()
	bytes := 1000*st.Bodies + 500*st.Contacts + st.Tiles/8 // estimated; tiles are shared
	every := max(reelEvery, pastSteps*bytes/reelBytes, int(reelShare*watch.elapsed()/tick))
	r.next = w.Steps() + every
}

// keep keeps the state of the world as the last one.
func (r *reel) keep(w *play.World) {
	s := &play.Saved{}
	if n := len(r.spare); n > 0 {
		s, r.spare = r.spare[n-1], r.spare[:n-1]
	}
	w.Capture(s)
	r.frames = append(r.frames, s)
}

// cut forgets the states after the present one, once the world has changed after it went back.
func (r *reel) cut(w *play.World) {
	if !r.back || w.Change() == r.change {
		return
	}
	r.back, r.next = false, 0
	for n := len(r.frames); n > 0 && r.frames[n-1].Steps() >= w.Steps(); n-- {
		r.spare, r.frames = append(r.spare, r.frames[n-1]), r.frames[:n-1]
	}
}

// to sets the world to the last state that is kept at or before a step, or else to the first one.
func (r *reel) to(w *play.World, step int) error {
	if w.Stopped() != "" {
		return errors.New(w.Stopped())
	}
	r.cut(w)
	if len(r.frames) == 0 {
		return errors.New("rewind: nothing is kept of this world yet")
	}
	if n := len(r.frames); !r.back && r.frames[n-1].Steps() < w.Steps() {
		r.keep(w) // so that the way forward ends where the world was
	}
	found := r.frames[0]
	for _, s := range r.frames {
		if s.Steps() <= step {
			found = s
		}
	}
	w.Rewind(found)
	r.back, r.change = true, w.Change()
	return nil
}

// span returns the first and the last step to which the world can go.
func (r *reel) span(w *play.World) (from, to int) {
	from, to = w.Steps(), w.Steps()
	if n := len(r.frames); n > 0 {
		from = min(from, r.frames[0].Steps())
		if r.back && w.Change() == r.change {
			to = max(to, r.frames[n-1].Steps())
		}
	}
	return from, to
}

// pace is the speed of a world.
type pace struct {
	rate float64 // steps a tick, of a world that is not paused
	owed float64 // steps due
	// repeats starts the scene again restAfter after everything has come to rest.
	repeats bool
	rested  time.Time // since when nothing moves; zero if something does
}

// The range of pace.rate.
const (
	minRate = 1.0 / 16
	maxRate = 4
)

// restAfter is the time between the end of a scene that repeats and its next start.
const restAfter = 2 * time.Second

// due returns the number of steps to make in a tick.
func (p *pace) due() int {
	p.owed += p.rate
	n := int(p.owed)
	p.owed -= float64(n)
	return n
}
