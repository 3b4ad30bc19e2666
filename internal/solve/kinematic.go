package solve

// The surface of a rotating kinematic body, such as a mill wheel or a room, has another
// velocity at the end of a step than at its start: the velocity changes, in each second, by
// the square of the spin times the distance from the centre. A contact that used only the
// start would leave the difference to its spring, which pushes only when the load has sunk
// in. So the surface velocity of such a contact is computed again for each pass.

// rotating is a contact with a rotating kinematic body.
type rotating struct {
	contact        int32
	velocity, slip [2]float32 // of its points at the start of the step
}

// noteRotating lists contact i as one with a rotating kinematic body.
func (s *worker) noteRotating(i int32) {
	c := s.copyOf(i)
	t := rotating{contact: i}
	for k := range c.Points[:c.N] {
		t.velocity[k], t.slip[k] = c.Points[k].Velocity, c.Points[k].Slip
	}
	s.rotating = append(s.rotating, t)
}

// kinematicSpin returns the spin of body i if it has no inverse mass; 0 of others.
func (s *Solver) kinematicSpin(i int32) float32 {
	r := &s.rareBodies[i]
	if s.bodies[i].invMass > 0 || r.invI > 0 {
		return 0
	}
	return r.spin
}

// turnedOn returns the cosine less 1 and the sine of the turn that b will have made when it
// has turned on by a, in radians, or by a quarter turn if that is more.
func (b *body) turnedOn(a float32) (cos, sin float32) {
	if a == 0 {
		return b.dc - 1, b.ds
	}
	s, c := sinCos(turnWithin(a))
	return float32(c*b.dc) - float32(s*b.ds) - 1, float32(s*b.dc) + float32(c*b.ds)
}

// moveRotating sets the surface velocity at each point of the listed contacts to that at the poses that the kinematic
// bodies reach in ahead seconds from now.
func (s *worker) moveRotating(ahead float32) {
	for i := range s.rotating {
		t := &s.rotating[i]
		c := s.copyOf(t.contact)
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		aw, bw := s.kinematicSpin(c.A), s.kinematicSpin(c.B)
		// How far they will have turned: the cosine less 1, and the sine.
		ac, as := a.turnedOn(ahead * aw)
		bc, bs := b.turnedOn(ahead * bw)
		for k := range c.Points[:c.N] {
			// Arms turn with their bodies, so each becomes its own times the cosine and
			// the other times the sine; see anchorRise for arms to rounded surfaces.
			p := &c.Points[k]
			p.Velocity = t.velocity[k] +
				float32(bw*(float32(bc*p.NormalB)-float32(bs*(c.RadiusB-p.TangentB)))) -
				float32(aw*(float32(ac*p.NormalA)+float32(as*(c.RadiusA+p.TangentA))))
			p.Slip = t.slip[k] +
				float32(bw*(float32(bc*(p.TangentB-c.RadiusB))-float32(bs*p.NormalB))) -
				float32(aw*(float32(ac*(p.TangentA+c.RadiusA))-float32(as*p.NormalA)))
		}
		s.storeVelocities(t.contact)
	}
}

// resetRotating restores the surface velocities of the start of the step, which restitution
// and the world read.
func (s *worker) resetRotating() {
	for i := range s.rotating {
		t := &s.rotating[i]
		c := s.copyOf(t.contact)
		for k := range c.Points[:c.N] {
			c.Points[k].Velocity, c.Points[k].Slip = t.velocity[k], t.slip[k]
		}
		s.storeVelocities(t.contact)
	}
}
