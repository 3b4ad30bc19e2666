package state

import (
	"math"

	"github.com/quarry2d/quarry/internal/pool"
)

// StepLength follows the lengths of a world's steps. Contacts are stiffer in shorter steps (solve.Solver.Usual), but
// may not change from step to step: springs that soften and stiffen under a stack give it energy, and it falls. So
// their stiffness follows the usual length, which one long step hardly changes.
type StepLength struct {
	// seconds, as of Last and SubStep: it follows the length of a step by at most usualChange; 0 before the first
	Usual   float64
	Last    float64 // of the last step
	SubStep float64 // of its sub-steps, for which contacts have their impulses
}

// usualChange is the largest change of the usual length in a step, as a share. So the stiffness doubles within 35
// steps at least, many times the period of a contact's spring.
const usualChange = 0.01

// Begin begins a step of dt seconds.
func (l *StepLength) Begin(dt float64) {
	if l.Last = dt; l.Usual == 0 {
		l.Usual = dt
	}
	l.Usual = max(l.Usual*(1-usualChange), min(l.Usual*(1+usualChange), dt))
}

// Visit visits l. A hash leaves it out while all steps have one length.
func (l *StepLength) Visit(c *pool.Codec) {
	if !c.Hashing() {
		c.Positive(&l.Usual, &l.Last, &l.SubStep)
	} else if l.Usual != l.Last {
		c.Hasher().Rare('u', math.Float64bits(l.Usual))
		c.Hasher().Rare('d', math.Float64bits(l.SubStep))
	}
}
