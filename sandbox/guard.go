package sandbox

import (
	"fmt"
	"time"

	"github.com/quarry2d/quarry/play"
)

// While several clients are connected, no step may keep them waiting: nothing is added to a world after a step of more
// than half the limit, until a step is short again, and one long step pauses it. A client that is alone may run any
// world.
const (
	// longStep is the time of a long step. An answer waits for one step, obeyTime and twice tellTime.
	longStep = 50 * time.Millisecond
	// pauseTime is the time for which a world paused by guard cannot be resumed.
	pauseTime = 10 * time.Second
)

// guard is the limit of a world's steps, and what the last long step leaves behind.
type guard struct {
	limit time.Duration // longStep; tests use more
	took  time.Duration // of the last step, if it took more than half the limit while several clients were connected
	until time.Time     // the world may not be resumed before
}

// stopwatch measures work. Its time is that on the clock, but at most the processor time of the loop's thread, so that
// the work of other goroutines and of other programs on the machine does not count. (On systems that do not tell the
// time of a thread it is the process's, or the clock's alone.)
type stopwatch struct {
	wall time.Time
	cpu  time.Duration
}

func startWatch() stopwatch { return stopwatch{time.Now(), processorTime()} }

func (w stopwatch) elapsed() time.Duration {
	wall := time.Since(w.wall)
	if cpu := processorTime(); cpu > 0 {
		return min(wall, max(0, cpu-w.cpu)) // a goroutine that is not locked to its thread can have changed it
	}
	return wall
}

// watch keeps the time of a step, pauses the world if it took long, and sends all clients a message.
func (s *sim) watch(took time.Duration) {
	g := &s.guard
	g.took = 0
	if took <= g.limit/2 || len(s.clients) < 2 {
		return
	}
	if g.took = took; took <= g.limit {
		return
	}
	g.until = time.Now().Add(pauseTime)
	s.pause()
	for _, c := range s.clients {
		c.complain(fmt.Errorf("the world is paused: %w; reset it, choose another scene, remove some of it, or "+
			"resume it in %d s",
			g.slow(), int(pauseTime.Seconds())))
	}
}

// slow tells the time of the last step, and the limit that it exceeded.
func (g *guard) slow() error {
	limit := g.limit
	if g.took <= limit {
		limit /= 2 // of additions
	}
	return fmt.Errorf("a step took %d ms, the limit is %d ms while several clients are connected",
		g.took.Milliseconds(), limit.Milliseconds())
}

// refuse returns an error if the last step took more than half the limit and the command may make the next one longer,
// or if the command makes a step too soon after a long one.
func (s *sim) refuse(m *Command) error {
	g := &s.guard
	if g.took == 0 || len(s.clients) < 2 {
		return nil
	}
	d := descriptions[m.Do]
	switch {
	case play.TraitsOf(m.Do).Adds:
		return fmt.Errorf("%s: %w; nothing is added until a step is short: remove some of the world, reset it or "+
			"choose another scene",
			m.Do, g.slow())
	case d != nil && d.soon:
		if left := time.Until(g.until); left > 0 {
			return fmt.Errorf("%s: %w; reset the world, choose another scene, or try again in %d s",
				m.Do, g.slow(), int(left.Seconds())+1)
		}
	}
	return nil
}
