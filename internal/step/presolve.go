package step

import (
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
)

// preSolveShapes calls the pre-solve function for the manifold of two shapes, of contact i, which is c. If the
// function leaves it out, the shapes do not touch, and preSolveShapes returns false.
func (k *narrower) preSolveShapes(i int32, c *state.Contact) bool {
	if c.Flags&state.AskPreSolve == 0 || k.game == nil ||
		k.game.Keeps(k.number, c, &k.world.Contacts.Manifolds[i], nil) {
		return true
	}
	c.Disabled, c.Last = true, narrow.Last{}
	k.setPoints(i, 0)
	if c.Touching {
		k.addOutcome(i)
	}
	return false
}

// preSolveSurface calls the pre-solve function for the manifolds of c, of the state s, with a ground or chain. It
// removes those that the function leaves out, and changes the outcome accordingly.
func (k *narrower) preSolveSurface(out *narrow.Outcome, c *state.Contact, s *state.SurfaceContact) {
	kept, deepest := 0, 0.0
	for j := range s.Manifolds {
		m := &s.Manifolds[j]
		if !k.game.Keeps(k.number, c, &m.Manifold, m) {
			c.Disabled = true
			continue
		}
		deepest = min(deepest, m.LeastSeparation())
		if s.Manifolds[kept] = *m; c.OfGrounds() {
			s.Others[kept] = s.Others[j]
		}
		kept++
	}
	if !c.Disabled {
		return
	}
	c.Last = narrow.Last{}
	if s.Manifolds, out.Deepest = s.Manifolds[:kept], deepest; kept > 0 {
		return
	}
	*out = narrow.Outcome{}
	if c.Touching {
		out.Last = *contact.FirstSource(k.narrow.Matcher.Old)
	}
}
