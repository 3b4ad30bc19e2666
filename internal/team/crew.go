package team

import (
	"sync"
	"sync/atomic"
)

// crew is the part of a Team that its helpers know.
type crew struct {
	finished counter // ranges that helpers finished, in all loops
	expected int64   // finished at the end of the loop

	spans   []span          // by worker
	wake    []chan struct{} // by worker; nil for the caller
	active  int             // workers between begin and end
	running sync.WaitGroup  // the helpers
	closing sync.Once
	started bool
	on      bool // between begin and end

	// The loop, and active. The caller writes it while no claimed range is unfinished, and a worker reads it
	// only after a claim, so it reads the loop of the claim.
	do                   func(worker, from, to int)
	count, grain, ranges int

	failing sync.Mutex
	failed  *failure // of the loop
}

// span is the part of a worker in the loop: the number of its ranges that nobody has claimed yet. A
// claim lowers it by one with a compare-and-swap. That may succeed in a later loop than the one in
// which the worker read the number; then the worker has claimed a range of the later loop.
//
// The span of a helper that is not active, as between steps, is parked.
type span = counter

const parked = -1

// counter has two cache lines of its own, because processors fetch lines in pairs.
type counter struct {
	atomic.Int64
	_ [120]byte
}

// failure is a panic in a helper.
type failure struct {
	at    int // range
	value any
}

// turn is the work of a worker in a loop.
type turn struct {
	claimed  int // ranges
	at       int // the last one
	returned bool
}

// begin wakes the helpers below a number of workers.
func (c *crew) begin(workers int) {
	if !c.started {
		c.started = true
		for worker := 1; worker < len(c.spans); worker++ {
			c.running.Go(func() { c.help(worker) })
		}
	}
	c.on, c.active = true, workers
	for i := 1; i < workers; i++ {
		c.spans[i].Store(0)
	}
	for i := 1; i < workers; i++ {
		select {
		case c.wake[i] <- struct{}{}:
		default: // the channel holds one, from a step that was over too soon
		}
	}
}

// end parks the helpers.
func (c *crew) end() {
	c.on = false
	for i := 1; i < len(c.spans); i++ {
		c.spans[i].Store(parked)
	}
}

// close ends the helpers.
func (c *crew) close() {
	c.closing.Do(func() {
		c.end()
		for _, wake := range c.wake[1:] {
			close(wake)
		}
	})
}

// help is the loop of a helper's goroutine.
func (c *crew) help(worker int) {
	own := &c.spans[worker]
	for range c.wake[worker] {
		for idle := 0; ; idle++ {
			n := own.Load()
			if n == parked {
				break
			}
			if n > 0 {
				c.assist(worker)
				idle = 0
			}
			backOff(idle)
		}
	}
}

// assist claims and does ranges until none is left.
func (c *crew) assist(worker int) {
	var mine turn
	defer func() {
		if !mine.returned {
			value := recover()
			if value == nil { // runtime.Goexit
				value = "team: a helper ended within do"
			}
			c.fail(failure{mine.at, value})
		}
		c.finished.Add(int64(mine.claimed))
	}()
	c.run(worker, &mine)
	mine.returned = true
}

// each runs a loop of two or more ranges on the caller's goroutine.
func (c *crew) each(count, grain int, do func(worker, from, to int)) {
	if c.do != nil {
		panic("team: Each within Each")
	}
	c.do, c.count, c.grain, c.ranges = do, count, grain, (count-1)/grain+1
	for i := range c.active {
		if n := c.first(i+1) - c.first(i); n > 0 {
			c.spans[i].Store(int64(n))
		}
	}
	var mine turn
	defer c.settle(&mine)
	c.run(0, &mine)
	mine.returned = true
}

// settle ends the loop: it waits for the ranges that helpers have claimed, and passes on the panic of
// the lowest range. If the caller's do panicked, the ranges that nobody has claimed are dropped;
// all below the caller's are claimed, because the caller goes through the spans in order.
func (c *crew) settle(mine *turn) {
	finished := c.ranges - mine.claimed
	if !mine.returned {
		for i := range c.active {
			finished -= int(max(0, c.spans[i].Swap(0)))
		}
	}
	c.expected += int64(finished)
	for idle := 0; c.finished.Load() != c.expected; idle++ {
		backOff(idle)
	}
	failed := c.failed
	c.do, c.failed = nil, nil
	if failed != nil && (mine.returned || failed.at < mine.at) {
		panic(failed.value)
	}
}

// run claims ranges and does them, in the worker's own span and then in others'.
func (c *crew) run(worker int, t *turn) {
	for i := range c.spans {
		owner := worker + i
		if owner >= len(c.spans) {
			owner -= len(c.spans)
		}
		s := &c.spans[owner]
		for {
			left := s.Load()
			if left <= 0 {
				break
			}
			if !s.CompareAndSwap(left, left-1) {
				continue
			}
			t.claimed++
			t.at = c.first(owner+1) - int(left)
			from := t.at * c.grain
			c.do(worker, from, from+min(c.grain, c.count-from))
		}
	}
}

// first returns the first range of an active worker's span.
func (c *crew) first(worker int) int { return c.ranges * worker / c.active }

// fail records a panic in a helper. The other ranges are done all the same: one below it may
// panic, too.
func (c *crew) fail(f failure) {
	c.failing.Lock()
	defer c.failing.Unlock()
	if c.failed == nil || f.at < c.failed.at {
		c.failed = &f
	}
}

// backOff lets others run now and then, between two looks at a counter. idle counts the looks.
func backOff(idle int) {
	if idle%looks == looks-1 {
		yield()
	}
}

// looks is the number of looks between two yields: 1000 take about a microsecond. A yield takes a lock
// of the runtime's, so without the looks many helpers would hold up each other.
const looks = 1000
