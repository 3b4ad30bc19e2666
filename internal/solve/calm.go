package solve

// A warm start gives what was needed in the sub-step before. Where that is too much,
// since what pressed no longer does, or springs had pushed, the passes are to take it
// back. But how much a pass takes of a contact is measured by the lighter of its bodies:
// where a heavy one is on a light one it takes next to nothing, and the next warm start
// gives all again. Such a contact is known by leaving under load, which is then work: it
// is solved to the end, as a blow is, with all that it goes on to. In what lies still
// nothing leaves, and this costs a comparison.

// A contact leaves under load if a point parts faster than leaveSpeed, in units a second,
// and the work of its load in a sub-step is more than leaveWork, in units a second
// squared, for a unit of mass of the heavier of its bodies that move: as much as would
// throw that up at a quarter of a unit a second. What trembles at rest is below both.
const (
	leaveSpeed = 0.1
	leaveWork  = 0.03
)

// unevenRatio is that of two bodies' masses from which on what touches either is looked
// at. Among things of one mass a pass takes back half of what is too much, which will do;
// to solve those would take, of a heap in commotion, as long as all else.
const unevenRatio = 1.5

// heavyLoad is the normal impulse in a sub-step, in units a second for a unit of mass, from
// which on a contact of two even bodies is looked at too: a body many times as heavy presses
// on both, although it touches neither.
const heavyLoad = 1

// note lists contact i for calm. (It is kept out of the pass, for the sake of that
// one's registers.)
//
//go:noinline
func (m *impacts) note(i int) { m.leaving = append(m.leaving, int32(i)) }

// calm takes back, of the contacts that the passes found leaving, what does work.
func (s *Solver) calm(h, time float32) {
	m := &s.impacts
	for _, i := range m.leaving {
		if c := &s.Contacts[i]; (m.uneven[c.A] || m.uneven[c.B] || c.loaded(s)) && c.leaves(s) {
			s.link()
			s.settle(i, true, h, time)
		}
	}
	m.leaving = m.leaving[:0]
}

// uneven reports whether one of two bodies is so much heavier than the other, both
// of them free to move.
func uneven(a, b *body) bool {
	return a.invMass > unevenRatio*b.invMass && b.invMass > 0 || b.invMass > unevenRatio*a.invMass && a.invMass > 0
}

// leaves reports whether a point of c leaves under load.
func (c *Contact) leaves(s *Solver) bool {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	inv := c.leastInverse(s)
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		if p.NormalImpulse == 0 {
			continue
		}
		if v := c.speed(a, b, p); v > leaveSpeed && float32(v*p.NormalImpulse)*inv > leaveWork {
			return true
		}
	}
	return false
}

// loaded reports whether the normal impulse of c in a sub-step is more than heavyLoad for
// a unit of mass of the heavier of its bodies that move.
func (c *Contact) loaded(s *Solver) bool {
	sum := float32(0)
	for k := range c.Points[:c.N] {
		sum += c.Points[k].NormalImpulse
	}
	return sum*c.leastInverse(s) > heavyLoad
}

// leastInverse returns the inverse mass of the heavier of c's bodies that move.
func (c *Contact) leastInverse(s *Solver) float32 {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	inv := a.invMass
	if inv == 0 || b.invMass > 0 && b.invMass < inv {
		inv = b.invMass
	}
	return inv
}
