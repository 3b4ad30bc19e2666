// Package team runs the loops of one world's step on several goroutines: the goroutine that calls
// Step, and helpers.
//
// A loop is cut into ranges, and each worker has a part of them: a span. A worker claims the ranges of its own span
// first, so from pass to pass it has the same data in its caches, and then those left in the spans of others. A
// helper that the system does not run has claimed nothing, so no worker waits for it.
//
// Helpers poll for loops between Begin and End, and are parked on a channel otherwise. A loop takes
// no locks and allocates nothing.
package team

import "runtime"

// Team is a team of workers: the caller of Each, worker 0, and helpers. The nil Team, the zero Team
// and New(1) have no helpers. Its methods are for one goroutine at a time.
//
// The helpers end when the Team is closed, or is garbage.
type Team struct{ crew *crew }

// New returns a team of n workers. Its helpers start with the first Begin.
func New(n int) *Team {
	t := new(Team)
	if n > 1 {
		t.crew = &crew{spans: make([]span, n), wake: make([]chan struct{}, n)}
		for i := 1; i < n; i++ {
			t.crew.spans[i].Store(parked)
			t.crew.wake[i] = make(chan struct{}, 1)
		}
		// The helpers know the crew, not the Team, so a Team that nobody else knows is garbage.
		runtime.AddCleanup(t, (*crew).close, t.crew)
	}
	return t
}

// Workers returns the number of workers. Each calls do with a worker below it.
func (t *Team) Workers() int {
	if t == nil || t.crew == nil {
		return 1
	}
	return len(t.crew.spans)
}

// Begin wakes the helpers, for the loops until End. It wakes none where only one thread runs Go code:
// with GOMAXPROCS=1 and in WebAssembly.
func (t *Team) Begin() { t.BeginSome(t.Workers()) }

// BeginSome wakes as many helpers as make at most n workers with the caller, as Begin does.
func (t *Team) BeginSome(n int) {
	if n = min(n, t.Workers()); n < 2 || runtime.GOMAXPROCS(0) == 1 {
		return
	}
	t.crew.begin(n)
	runtime.KeepAlive(t) // or a cleanup may close the channels on which begin sends
}

// End parks the helpers. Without it they poll, so it belongs in a defer where the step may panic.
func (t *Team) End() {
	if t == nil || t.crew == nil {
		return
	}
	t.crew.end()
	runtime.KeepAlive(t)
}

// Each calls do for the ranges [0, grain), [grain, 2*grain), ... of [0, count), on all workers, and
// returns when all calls have. Which worker has which range differs from run to run; the ranges are
// the same for any number of workers.
//
// If do panics, so does Each, with the same value, on the caller's goroutine, when no call runs any
// more; of several panics with the one of the lowest range, which a single worker would have met, too.
// The ranges above it may have been done or not.
//
// do must not call Each. Each keeps no reference to do. A do that is made once, not for each call,
// allocates nothing.
func (t *Team) Each(count, grain int, do func(worker, from, to int)) {
	if grain < 1 {
		panic("team: Each with a grain below 1")
	}
	if t != nil && t.crew != nil && t.crew.on && count > grain {
		t.crew.each(count, grain, do)
		runtime.KeepAlive(t)
		return
	}
	for from := 0; from < count; from += grain {
		do(0, from, from+min(grain, count-from))
	}
}

// Indices returns a do for Each that calls do for each index of a range.
func Indices(do func(i int)) func(worker, from, to int) {
	return func(_, from, to int) {
		for i := from; i < to; i++ {
			do(i)
		}
	}
}

// Close ends the helpers and returns when they have ended. The Team then has the caller alone.
func (t *Team) Close() {
	if t == nil || t.crew == nil {
		return
	}
	c := t.crew
	t.crew = nil
	c.close()
	c.running.Wait()
}
