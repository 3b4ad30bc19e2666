package solve

// The two calls of clusters (cluster.go) in a step.

// solveImpacts stops the contacts that approach at speed at the start of a step of dt seconds, except for the approach
// that closes a gap in the step. The impulses are not part of the warm start.
func (s *worker) solveImpacts(dt float32) {
	if len(s.found.approaching) == 0 {
		return
	}
	// The motion at the start is that of the sub-step before, at whose end the bodies have left the tangents to
	// the other side.
	s.updateJoints(0, -s.h)
	s.beginClusters(impacts, dt)
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
	s.beginClusters(bounces, s.h)
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
