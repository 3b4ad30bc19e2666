package solve

// Contacts between bodies of high mass ratio that separate under load are solved a second
// time, to convergence.
//
// Warm starting applies the impulse of the sub-step before. If the load is gone since, or
// springs had pushed, that impulse is too large, and the passes must remove the excess. But
// one pass removes only the lighter body's share of it, which is next to nothing where a heavy
// body lies on a light one, and the next warm start applies the rest again. Such a contact
// separates although it carries load, so it adds energy. It is solved as a cluster, like an
// impact. At rest no contact separates, and the test costs one comparison a contact and pass.

// A contact separates under load if a point separates faster than separateSpeed, in units a
// second, and the work of its load in a sub-step is more than separateWork, in units a second
// squared, for a unit of mass of the heavier of its bodies that move: as much as would
// throw that up at a quarter of a unit a second. Bodies that tremble at rest are below both.
const (
	separateSpeed = 0.1
	separateWork  = 0.03
)

// unevenRatio is the least mass ratio of two bodies whose contacts are examined. Among
// bodies of one mass a pass removes half of the excess, which is enough, and in a moving
// pile these contacts would cost as much as the whole step.
const unevenRatio = 1.5

// watched is a block with bodies of high mass ratio.
type watched struct {
	*contactRows
	rare *rareRows
}

// relaxUneven removes the excess impulses of the contacts that the last two passes found
// separating, time seconds into the step, in sub-steps of h seconds.
func (s *worker) relaxUneven(h, time float32) {
	for _, k := range s.watched {
		k.rare.eachLane(k.uneven&k.separate, func(i int32) {
			if s.separates(i) {
				s.solveCluster(i, true, h, time)
			}
		})
	}
}

// uneven reports whether one of two bodies that move is at least unevenRatio times as heavy
// as the other.
func uneven(a, b *body) bool {
	x, y := a.invMass, b.invMass
	return x > unevenRatio*y && y > 0 || y > unevenRatio*x && x > 0
}

// separates reports whether a point of contact i separates under load.
func (s *worker) separates(i int32) bool {
	k, points, l := s.at(i)
	a, b := &s.bodies[k.a[l]/bodySize], &s.bodies[k.b[l]/bodySize]
	inv := leastInverse(a, b)
	vn := float32((b.vx-a.vx)*k.nx[l]) + float32((b.vy-a.vy)*k.ny[l])
	for j := range points {
		p := &points[j]
		load := p.normal[l]
		if load == 0 {
			continue
		}
		v := p.velocity[l] + (vn + float32(b.w*p.normalB[l]) - float32(a.w*p.normalA[l]))
		if v > separateSpeed && float32(v*load)*inv > separateWork {
			return true
		}
	}
	return false
}

// leastInverse returns the inverse mass of the heavier of two bodies, or of the one that moves.
func leastInverse(a, b *body) float32 {
	inv := a.invMass
	if inv == 0 || b.invMass > 0 && b.invMass < inv {
		inv = b.invMass
	}
	return inv
}
