package sandbox

import (
	"cmp"
	"errors"
	"time"

	"github.com/quarry2d/quarry/play"
)

const (
	// pastSteps is the number of steps that a world can go back: 20 s.
	pastSteps = 1200
	// reelEvery is the smallest number of steps between two states that are kept.
	reelEvery = 10
	// reelBytes bounds the estimated memory of all states of the sandbox's world, and hostedBytes the states of each
	// world of a host, which may have many worlds.
	reelBytes   = 96 << 20
	hostedBytes = 8 << 20
	// reelShare is the part of the time of a tick that keeping states may take: one in reelShare.
	reelShare = 50
)

// moment is a state of a world that is kept.
type moment struct {
	steps int
	saved play.Saved
}

// reel has the states of a world in the last seconds, the oldest first. After the world has gone back it has later
// ones, too, until the world changes.
type reel struct {
	most   int // bytes of all states; 0 means reelBytes
	frames []*moment
	spare  []*moment
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
	for len(r.frames) > 0 && r.frames[0].steps < w.Steps()-pastSteps {
		r.spare, r.frames = append(r.spare, r.frames[0]), r.frames[1:]
	}
	watch := startWatch()
	all := pastSteps * r.keep(w)
	r.next = w.Steps() + max(reelEvery, all/cmp.Or(r.most, reelBytes), int(reelShare*watch.elapsed()/tick))
}

// keep keeps the state of the world as the last one. It returns an estimate of the memory.
func (r *reel) keep(w *play.World) (bytes int) {
	s := &moment{}
	if n := len(r.spare); n > 0 {
		s, r.spare = r.spare[n-1], r.spare[:n-1]
	}
	s.steps = w.Steps()
	w.Capture(&s.saved)
	r.frames = append(r.frames, s)
	st := w.Engine().Stats()
	return 1000*st.Bodies + 500*st.Contacts + st.Tiles/8 // tiles are shared
}

// cut forgets the states after the present one, once the world has changed after it went back.
func (r *reel) cut(w *play.World) {
	if !r.back || w.Change() == r.change {
		return
	}
	r.back, r.next = false, 0
	for n := len(r.frames); n > 0 && r.frames[n-1].steps >= w.Steps(); n-- {
		r.spare, r.frames = append(r.spare, r.frames[n-1]), r.frames[:n-1]
	}
}

// find returns the last state that is kept at or before a step, or else the first one.
func (r *reel) find(w *play.World, step int) (*moment, error) {
	if w.Stopped() != "" {
		return nil, errors.New(w.Stopped())
	}
	r.cut(w)
	if len(r.frames) == 0 {
		return nil, errors.New("rewind: nothing is kept of this world yet")
	}
	if n := len(r.frames); !r.back && r.frames[n-1].steps < w.Steps() {
		r.keep(w) // so that the way forward ends where the world was
	}
	found := r.frames[0]
	for _, s := range r.frames {
		if s.steps <= step {
			found = s
		}
	}
	return found, nil
}

// went notes that the world has gone back.
func (r *reel) went(w *play.World) { r.back, r.change = true, w.Change() }

// span returns the first and the last step to which the world can go.
func (r *reel) span(w *play.World) (from, to int) {
	from, to = w.Steps(), w.Steps()
	if n := len(r.frames); n > 0 {
		from = min(from, r.frames[0].steps)
		if r.back && w.Change() == r.change {
			to = max(to, r.frames[n-1].steps)
		}
	}
	return from, to
}

// The range of the speed of a world, in steps a tick.
const (
	minRate = 1.0 / 16
	maxRate = 4
)

// restAfter is the time between the end of a scene that repeats and its next start.
const restAfter = 2 * time.Second
