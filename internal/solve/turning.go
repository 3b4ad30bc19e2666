package solve

// The surface of what turns and does not yield, a mill wheel or a room, moves otherwise at
// the end of a step than at its start: its velocity changes, in each second, by the square
// of the spin times how far it is from the centre. A contact that knew but the start would
// leave that to its springs, which push only as what they carry sinks in. So what the
// surface does is found anew for each pass.

// turning is a contact with what turns and does not yield.
type turning struct {
	contact        int32
	velocity, slip [2]float32 // of its points at the start of the step
}

// noteTurning lists contact i as one with what turns and does not yield.
func (s *Solver) noteTurning(i int) {
	c := &s.Contacts[i]
	t := turning{contact: int32(i)}
	for k := range c.Points[:c.N] {
		t.velocity[k], t.slip[k] = c.Points[k].Velocity, c.Points[k].Slip
	}
	s.turnings = append(s.turnings, t)
}

// driven returns the spin of what does not yield.
func (b *body) driven() float32 {
	if b.invMass > 0 || b.invI > 0 {
		return 0
	}
	return b.spin
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

// turn sets how the surface of what turns moves at each point, for so many seconds ahead
// of where the sub-step is.
func (s *Solver) turn(ahead float32) {
	for i := range s.turnings {
		t := &s.turnings[i]
		c := &s.Contacts[t.contact]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		aw, bw := a.driven(), b.driven()
		// How far they will have turned: the cosine less 1, and the sine.
		ac, as := a.turnedOn(ahead * aw)
		bc, bs := b.turnedOn(ahead * bw)
		for k := range c.Points[:c.N] {
			// Arms turn with their bodies, so each becomes its own times the cosine and
			// the other times the sine; see risen for those of rounded surfaces.
			p := &c.Points[k]
			p.Velocity = t.velocity[k] +
				float32(bw*(float32(bc*p.NormalB)-float32(bs*(c.RadiusB-p.TangentB)))) -
				float32(aw*(float32(ac*p.NormalA)+float32(as*(c.RadiusA+p.TangentA))))
			p.Slip = t.slip[k] +
				float32(bw*(float32(bc*(p.TangentB-c.RadiusB))-float32(bs*p.NormalB))) -
				float32(aw*(float32(ac*(p.TangentA+c.RadiusA))-float32(as*p.NormalA)))
		}
	}
}

// unturn has the points move as they did at the start, which is what restitution and the
// world know them by.
func (s *Solver) unturn() {
	for i := range s.turnings {
		t := &s.turnings[i]
		c := &s.Contacts[t.contact]
		for k := range c.Points[:c.N] {
			c.Points[k].Velocity, c.Points[k].Slip = t.velocity[k], t.slip[k]
		}
	}
}
