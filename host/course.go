package host

import (
	"time"

	"github.com/quarry2d/quarry/play"
)

// course is a world and its time: what a World and a Local have in common.
type course struct {
	state   *state
	owed    int    // sixteenths of a step that are due, see Speed
	stepped func() // see Stepped
}

// Play returns the world, to read. Another one takes its place when a scene is started.
func (c *course) Play() *play.World { return c.state.world }

// Paused reports whether the world makes no steps but those that were asked for.
func (c *course) Paused() bool { return c.state.paused }

// Repeats reports whether who shows the world is to start a scene again; see Repeat.
func (c *course) Repeats() bool { return c.state.repeats }

// Speed returns the steps a tick of a world that is not paused.
func (c *course) Speed() float64 { return float64(c.state.speed) / NormalSpeed }

// Finds reports whether a scene is found, which an input Start may name.
func (c *course) Finds(scene string) bool {
	_, ok := c.state.find(scene)
	return ok
}

// Stepped sets a function that Tick calls after each step, for what is known of the last step alone.
func (c *course) Stepped(f func()) { c.stepped = f }

// Ready returns an input Start with a scene, or Begin, with its world, which it builds. The input is given once. Ready
// may be called from any goroutine.
func (c *course) Ready(in Input) (Input, error) {
	in.built = c.state.prepare(&in, in.Scene)
	return in, in.built.err
}

// advance makes the steps of a tick, which began at now, at the world's speed, or as many as were asked for and there
// is time for. It calls done after each.
func (c *course) advance(now time.Duration, clock func() time.Duration, done func(took time.Duration, err error)) {
	c.owed += c.state.speed
	due := c.owed / NormalSpeed
	c.owed %= NormalSpeed
	for n := 0; c.state.moves() && (c.state.paused || n < due) && (n == 0 || clock()-now < tick*3/4); n++ {
		began := clock()
		err := c.state.step()
		took := clock() - began
		if c.stepped != nil && err == nil {
			c.stepped()
		}
		done(took, err)
	}
}
