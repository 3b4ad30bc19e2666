package solve

// The three calls of clusters (cluster.go) in a step.

// solveImpacts stops the contacts that approach at speed at the start of a step of dt seconds, except for the approach
// that closes a gap in the step. The impulses are not part of the warm start.
func (s *worker) solveImpacts(dt float32) {
	if len(s.found.approaching) == 0 {
		return
	}
	// The motion at the start is that of the sub-step before, at whose end the bodies have left the tangents to
	// the other side.
	s.updateJoints(0, -s.h)
	s.beginClusters(impacts, dt, 0)
	for _, i := range s.found.approaching {
		if s.approaches(i, ImpactSpeed) {
			s.solveCluster(i)
		}
	}
}

// restitution makes the points that approached faster than BounceSpeed at the start of the step, and have carried load,
// separate at that speed times their restitution (Newton's law). It comes after the sub-steps, when all approaches have
// been stopped. One contact after the other, solved once, would gain energy: a ball that falls into a blunt corner
// leaves the second wall as the law says, and the first one faster.
func (s *worker) restitution() {
	if len(s.found.bouncing) == 0 {
		return
	}
	s.beginClusters(bounces, s.h, 0)
	for _, i := range s.found.bouncing {
		if l := &s.clusters.links[s.positionOf(i)]; s.spreadsTo(l) {
			s.solveCluster(i)
		}
	}
}

// mayBounce reports whether a point of contact i may bounce.
func (s *worker) mayBounce(i int32) bool {
	k, points, l := s.at(i)
	if k.bounces>>l&1 == 0 {
		return false
	}
	in, sums := s.inputOf(i), &s.rareOf(i).points
	for j := range points {
		if s.bouncesAt(float32(in.surface[j&1][l].Restitution), points[j].velocity[l], sums[j&1].most[l]) {
			return true
		}
	}
	return false
}

// bouncesAt reports whether a point of the given restitution and velocity at the start of the step approached fast
// enough to bounce, and has carried load: most is its largest impulse.
func (s *worker) bouncesAt(restitution, velocity, most float32) bool {
	return restitution != 0 && velocity <= -s.BounceSpeed && most != 0
}

// Warm starting applies the impulse of the sub-step before. If the load is gone since, or springs had pushed, that
// impulse is too large, and the passes must remove the excess. But one pass removes only the lighter body's share of
// it, which is next to nothing where a heavy body lies on a light one, and the next warm start applies the rest again.
// Such a contact separates although it carries load, so it adds energy, and is solved as a cluster. At rest no contact
// separates, and the test costs one comparison a contact and pass.

// watched is a block with bodies of high mass ratio.
type watched struct {
	*contactRows
	rare *rareRows
}

// relaxUneven removes the excess impulses of the contacts that the last two passes found separating, time seconds into
// the step, in sub-steps of h seconds.
func (s *worker) relaxUneven(h, time float32) {
	begun := false
	for _, k := range s.watched {
		k.rare.eachLane(k.uneven&k.separate, func(i int32) {
			if s.separates(i) {
				if !begun {
					s.beginClusters(unloading, h, time)
					begun = true
				}
				s.solveCluster(i)
			}
		})
	}
}

// uneven reports whether one of two bodies that move is at least unevenRatio times as heavy as the other.
func uneven(a, b *body) bool {
	x, y := a.invMass, b.invMass
	return x > unevenRatio*y && y > 0 || y > unevenRatio*x && x > 0
}

// separates reports whether a point of contact i separates under load.
func (s *worker) separates(i int32) bool {
	k, points, l := s.at(i)
	a, b := &s.bodies[k.a[l]/bodySize], &s.bodies[k.b[l]/bodySize]
	inv := a.invMass // of the heavier of two bodies, or of the one that moves
	if inv == 0 || b.invMass > 0 && b.invMass < inv {
		inv = b.invMass
	}
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
