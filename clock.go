package quarry

import (
	"math"

	"github.com/quarry2d/quarry/internal/check"
)

// Clock makes steps of equal length of frames of any length: a world whose steps vary in length is less steady, and
// takes another path on each screen. The zero Clock makes steps of 1/60 s, at most 5 a frame:
//
//	for range clock.Advance(seconds) { // since the last frame
//		w.Step(1.0 / 60)
//	}
//	draw(clock.Alpha()) // Body.TransformAt, Move.Before and DrawOptions.Alpha
//
// A Clock is a value of the game: a world does not know it.
type Clock struct {
	// DT is the time of a step, in seconds: 1e-6 to 1; 0 means 1/60.
	DT float64
	// MaxSteps is the maximum number of steps of a frame; 0 means 5. The time of a frame beyond them is dropped, so
	// that a game runs slower rather than making ever more steps.
	MaxSteps int

	left float64 // seconds of the frames that no step has made: less than DT
}

// leastAlpha is the smallest result of Clock.Alpha: DrawOptions.Alpha has a meaning of its own for 0.
const leastAlpha = 1e-9

// Advance adds the time of a frame, in seconds, and returns the number of steps to make now. A negative time counts as
// 0. Advance panics if seconds is NaN, or if a field of c is out of range.
func (c *Clock) Advance(seconds float64) (steps int) {
	dt, most := c.limits()
	if math.IsNaN(seconds) {
		panic("quarry: Clock.Advance: seconds is NaN")
	}
	left := min(c.left+max(0, seconds), 1e9*dt)
	n := math.Floor(left / dt)
	c.left = max(0, left-float64(n*dt))
	return int(min(n, float64(most)))
}

// Alpha returns the fraction of the last step at which the game is to draw the world, above 0 and at most 1: the time
// of the frames that no step has made, over DT.
func (c *Clock) Alpha() float64 {
	dt, _ := c.limits()
	return max(leastAlpha, min(c.left/dt, 1))
}

// limits returns DT and MaxSteps, with zeros replaced by the values that they stand for.
func (c *Clock) limits() (dt float64, most int) {
	if dt, most = c.DT, c.MaxSteps; dt == 0 {
		dt = 1.0 / 60
	}
	if most == 0 {
		most = 5
	}
	check.Within("Clock", "DT", dt, 1e-6, 1, ", or 0 for 1/60")
	check.Within("Clock", "MaxSteps", float64(most), 1, 1e6, ", or 0 for 5")
	return dt, most
}
