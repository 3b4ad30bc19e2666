package host

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry2d/quarry/play"
)

const (
	tick = time.Second / stepsPerSecond
	// maxWaiting bounds the inputs that wait for the next record.
	maxWaiting = 1024
	// workTime is the time for which the inputs between two ticks should keep the world, at most.
	workTime = tick / 4
	// checkEach is the least number of steps between two records with a hash.
	checkEach = stepsPerSecond
	// frameEach is the number of steps between two frames, of which each thirtieth has a hash.
	frameEach = 2
	hashEach  = 30 * frameEach
)

// World is a world that runs on this host. All methods but Do may be called only by the function that serves it
// (Config.Serve), on one goroutine.
type World struct {
	h     *Host
	name  string
	life  uint64 // of the host that owns it
	epoch uint64
	began time.Duration // on the monotonic clock
	wake  chan struct{} // receives after done has grown
	leave atomic.Bool   // it is to be handed over
	gone  atomic.Bool   // another host owns it

	mu      sync.Mutex
	waiting []waiting
	done    []func() // results of other goroutines
	closed  bool     // inputs are not taken any more

	// All other fields belong to the serving goroutine.
	course
	last    uint64        // number of the last record in the log
	flight  *flight       // record that is being appended or applied; no step is made meanwhile
	due     bool          // the steps of a tick are to be made
	worked  time.Duration // to apply inputs since the last step
	marked  uint64        // step of the last record
	check   checked       // for the next record
	markDue bool          // a mark is to be appended before the next snapshot
	rested  bool          // nothing has moved when a mark was due, and no input came since
	fresh   bool          // no record has been appended in this epoch
	ticked  time.Duration
	slept   time.Duration // when the world was last found to have been stopped; the lease must be renewed after it
	cost    time.Duration // smoothed time to apply one input
	keeper  keeper
	heard   map[play.Player]time.Duration // last input of each session
	stop    func()                        // ends the service of the Bus
	over    bool                          // it does not run here any more
	final   bool                          // its last snapshot is being kept: it makes no step after that
	buffer  []byte
	hash    uint64 // of the state after the last step, if that is due to be told; 0 if not
}

// checked is a hash of the state for the next record. It is made between a step and the inputs after it, so that no
// player waits for it, or is charged for it, and never while a record is under way, which it would be without.
type checked struct {
	is   bool
	step uint64
	hash uint64
}

// look makes a check if it is time for one, unless there is one that no record has had yet.
func (c *checked) look(s *state) {
	if !c.is && s.steps()-c.step >= checkEach {
		c.make(s)
	}
}

func (c *checked) make(s *state) { *c = checked{true, s.steps(), s.hash()} }

// waiting is an input that waits for the next record.
type waiting struct {
	input  Input
	answer func(Answer)
}

// newWorld returns a world that was taken over.
func newWorld(h *Host, t *takeover, s *state) *World {
	now := h.clock.mono()
	w := &World{
		h: h, name: t.name, life: t.life, epoch: t.epoch, began: now, wake: make(chan struct{}, 1),
		course: course{state: s}, last: t.end, marked: s.steps(), fresh: true, ticked: now,
		heard: map[play.Player]time.Duration{},
	}
	w.keeper.begin(w, t.snap, now)
	return w
}

// Name returns the name of the world.
func (w *World) Name() string { return w.name }

// Epoch returns the number of owners so far.
func (w *World) Epoch() uint64 { return w.epoch }

// Steps returns the number of steps made, in all scenes.
func (w *World) Steps() uint64 { return w.state.steps() }

// Shelf returns where worlds are kept under names for this world; nil: nowhere.
func (w *World) Shelf() Shelf {
	if w.h.config.Shelf == nil {
		return nil
	}
	return w.h.config.Shelf(w.name)
}

// Run serves the world on its own: it calls Tick 60 times a second, and Work whenever there is something to do.
func (w *World) Run() {
	t := time.NewTicker(tick)
	defer t.Stop()
	for alive := true; alive; {
		select {
		case <-t.C:
			alive = w.Tick()
		case <-w.wake:
			w.Work()
			alive = !w.Late() || w.Tick()
		}
	}
}

// Woken returns a channel that receives when Work has something to do.
func (w *World) Woken() <-chan struct{} { return w.wake }

// Do gives an input. answer is called once, by Tick or Work, or before Do returns; it must not wait. Do may be called
// from any goroutine.
func (w *World) Do(in Input, answer func(Answer)) {
	if err := in.Check(); err != nil {
		answer(Answer{Code: Invalid, Text: err.Error()})
		return
	}
	w.mu.Lock()
	full := w.closed || len(w.waiting) >= maxWaiting
	if !full {
		w.waiting = append(w.waiting, waiting{in, answer})
	}
	w.mu.Unlock()
	if full {
		answer(busy)
		return
	}
	w.rouse()
}

// busy is the answer to an input that was not applied.
var busy = Answer{Code: Busy, Text: "the world is moving to another host, or has too much to do; send the input again"}

// rouse wakes Run.
func (w *World) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// post calls f soon on the serving goroutine.
func (w *World) post(f func()) {
	w.mu.Lock()
	w.done = append(w.done, f)
	w.mu.Unlock()
	w.rouse()
}

// Tick makes the steps of a tick, if the world may, and applies inputs. While a record is under way it leaves the steps
// to the next call; see Late. It returns false when the world does not run here any more; then it must not be called
// again.
func (w *World) Tick() bool {
	now := w.h.clock.mono()
	if now-w.ticked > w.h.config.Lease/2 {
		w.slept = now
	}
	w.ticked = now
	again := w.due
	w.due = true
	w.Work()
	if w.over || w.final || w.frozen() {
		return !w.over
	}
	if w.flight == nil {
		w.due, w.worked = false, 0
		w.advance(now, w.h.clock.mono, w.stepMade)
		w.check.look(w.state)
	} else if again {
		w.h.stats.stalls.Add(1)
	}
	w.show()
	w.keeper.look(w, now)
	w.expire(now)
	w.Work()
	return !w.over
}

// Late reports whether the last Tick has left its steps, since a record was under way, and the next would make them:
// the inputs have been applied and answered. Then it need not wait for its time.
func (w *World) Late() bool { return w.due && w.flight == nil && !w.over && !w.final && !w.frozen() }

// frozen reports whether the world must stand still: the process was stopped for more than half a lease, and the lease
// has not been renewed since. Another host may own the world.
func (w *World) frozen() bool {
	return w.slept != 0 && time.Duration(w.h.renewed.Load()) < w.slept
}

// Work does all that need not wait for the next step: it applies inputs that are in the log and answers them, and
// begins to append the next ones, unless a step is due. Between two ticks inputs keep the world for workTime, at most;
// with Config.Quick, who gives them bounds that.
func (w *World) Work() {
	w.mu.Lock()
	list := w.done
	w.done = nil
	w.mu.Unlock()
	for _, f := range list {
		f()
	}
	if w.over {
		return
	}
	if w.gone.Load() {
		w.end()
		return
	}
	w.applyFlight()
	if w.leaves() {
		w.handOver()
	} else if w.flight == nil && !w.due && (w.worked < workTime || w.h.config.Quick) {
		w.begin()
		w.applyFlight()
	}
}

// stepMade notes a step and the time that it took.
func (w *World) stepMade(took time.Duration, err error) {
	if err != nil {
		w.h.config.Logger.Error("the world has stopped", "world", w.name, "epoch", w.epoch, "step", w.state.steps(),
			"err", err)
	}
	w.hash = 0
	if w.h.config.Bus != nil && w.state.steps()%hashEach == 0 && err == nil {
		w.hash = w.state.hash()
	}
	w.h.stats.steps.Add(1)
	w.h.stats.stepTime.Add(int64(took))
	w.keeper.owed += took
}

// show publishes a frame.
func (w *World) show() {
	if w.h.config.Bus == nil || w.state.steps()%frameEach != 0 {
		return
	}
	f := Frame{World: w.name, Epoch: w.epoch, Step: w.state.steps(), Hash: w.hash}
	w.buffer = f.AppendBinary(w.buffer[:0])
	w.h.config.Bus.Publish(w.name, w.buffer)
}

// sessionRest is the time after which the session of a silent player ends.
const sessionRest = time.Minute

// expire ends the sessions of players of whom nothing was heard for a long time.
func (w *World) expire(now time.Duration) {
	if w.state.steps()%stepsPerSecond != 0 {
		return
	}
	for by := range w.heard {
		if w.state.sessions.find(by) == nil {
			delete(w.heard, by)
		}
	}
	for i := range w.state.sessions.list {
		x := &w.state.sessions.list[i]
		at, ok := w.heard[x.player]
		if !ok {
			w.heard[x.player] = now
		} else if now-at > sessionRest {
			w.heard[x.player] = now
			w.Do(Input{Player: x.player, Number: x.number + 1, Op: Leave}, func(Answer) {})
		}
	}
}

// Abandon ends the world here after a failure of a reader. Some host reads it from its log again.
func (w *World) Abandon(why string) {
	w.h.config.Logger.Error("the world is abandoned", "world", w.name, "epoch", w.epoch, "step", w.state.steps(),
		"why", why)
	w.lose()
}

// lose ends the world here: another host owns it. It may be called from any goroutine.
func (w *World) lose() {
	w.gone.Store(true)
	w.rouse()
}

// Back returns what makes an input Begin with a state of the present world, to which that goes back in place. The
// snapshot is made now; the rest may be called from any goroutine.
func (w *World) Back(s *play.Saved) (func() (Input, error), error) {
	k := &w.keeper
	snapshot, err := w.state.world.AppendPast(make([]byte, 0, k.length), s) // see World.snapshot
	k.length = max(k.length, len(snapshot)+len(snapshot)/8)
	filled := s.Filled()
	return func() (Input, error) {
		b, err := Pack(snapshot)
		return Input{Op: Begin, World: b, built: &built{saved: s, filled: filled}}, err
	}, err
}
