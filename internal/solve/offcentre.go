package solve

// A disc whose centre of mass is not in its middle rolls to and fro: the horizontal distance
// of its contact point from the centre of mass is the arm of the righting torque, and this
// distance changes as the disc rolls. With the arms of the start of the step the torque lags
// behind the pose, and a lagging torque adds energy to a swing: its amplitude doubled in a minute.
// So the arms of such a contact, and its effective masses, are computed again for each
// sub-step, for a pose a little ahead, which makes swings die down.

// offCentre is a contact of a disc that turns about a centre of mass beside its middle. While
// a sub-step is solved, the contact has the arms of that sub-step.
type offCentre struct {
	contact int32
	ofB     bool  // the disc is B's
	start   Point // the contact's point at the start of the step
	// The angular impulse on the disc's body in excess of that with the arms of the step's
	// start, and the total impulses up to which it is summed.
	torque          float64
	normal, tangent float32
}

// noteOffCentre lists contact i if its disc rolls about a centre of mass beside its middle. A
// contact that approaches at ImpactSpeed is an impact and is left out: half a step ahead the
// arms belong to another pose, the impulses then leave the contact approaching, and
// continuous collision holds the body in place step after step. (Of 800 tumbling compounds
// 114 hung.)
func (s *worker) noteOffCentre(i int32) {
	c := s.copyOf(i)
	p := &c.Points[0]
	r := offCentre{contact: i, ofB: c.Disc == DiscB, start: *p}
	b, side, arm := &s.rareBodies[c.A], p.TangentA+c.RadiusA, p.NormalA
	if r.ofB {
		b, side, arm = &s.rareBodies[c.B], c.RadiusB-p.TangentB, p.NormalB
	}
	off2 := float32(arm*arm) + float32(side*side)
	if p.Velocity > -ImpactSpeed && b.invI > 0 && off2*float32(b.spin*b.spin) > offSpeed*offSpeed {
		s.weigh(c)
		s.offCentres = append(s.offCentres, r)
	}
}

// moveOffCentres gives the listed contacts the arms that they will have ahead seconds later.
func (s *worker) moveOffCentres(ahead float32) {
	for i := range s.offCentres {
		r := &s.offCentres[i]
		c := s.fetch(r.contact)
		p, q := &c.Points[0], &r.start
		r.sum(p)
		if r.ofB {
			b, spin := &s.bodies[c.B], s.rareBodies[c.B].spin
			bc, bs := b.turnedOn(ahead * (spin + b.w))
			n := float32(bc*q.NormalB) - float32(bs*(c.RadiusB-q.TangentB))
			t := float32(bc*(q.TangentB-c.RadiusB)) - float32(bs*q.NormalB)
			p.NormalB, p.TangentB = q.NormalB+n, q.TangentB+t
			p.Velocity, p.Slip = q.Velocity+float32(spin*n), q.Slip+float32(spin*t)
		} else {
			a, spin := &s.bodies[c.A], s.rareBodies[c.A].spin
			ac, as := a.turnedOn(ahead * (spin + a.w))
			n := float32(ac*q.NormalA) + float32(as*(c.RadiusA+q.TangentA))
			t := float32(ac*(q.TangentA+c.RadiusA)) - float32(as*q.NormalA)
			p.NormalA, p.TangentA = q.NormalA+n, q.TangentA+t
			p.Velocity, p.Slip = q.Velocity-float32(spin*n), q.Slip-float32(spin*t)
		}
		p.weigh(c)
	}
	s.matchOffCentres()
}

// matchOffCentres sets the separations of the listed contacts so that separation plus anchorRise is
// the same with the present arms as with the arms at the step's start.
func (s *worker) matchOffCentres() {
	for i := range s.offCentres {
		r := &s.offCentres[i]
		c := s.copyOf(r.contact)
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		p := &c.Points[0]
		p.Separation = r.start.Separation + (r.start.anchorRise(c.RadiusA, c.RadiusB, a.dc-1, b.dc-1, a.ds,
			b.ds) - p.anchorRise(c.RadiusA, c.RadiusB, a.dc-1, b.dc-1, a.ds, b.ds))
		s.storeArms(r.contact)
	}
}

// sum adds to r.torque the angular impulse of p's impulses since the last sum, by the
// difference between the arms of p now and at the step's start.
func (r *offCentre) sum(p *Point) {
	n, t := float64(p.normalTotal-r.normal), float64(p.tangentTotal-r.tangent)
	r.normal, r.tangent = p.normalTotal, p.tangentTotal
	armN, armT := float64(p.NormalA)-float64(r.start.NormalA), float64(p.TangentA)-float64(r.start.TangentA)
	if r.ofB {
		armN, armT = float64(p.NormalB)-float64(r.start.NormalB), float64(p.TangentB)-float64(r.start.TangentB)
	}
	r.torque += float64(armN*n) + float64(armT*t)
}

// resetOffCentres restores the arms of the step's start, which restitution and the world read.
func (s *worker) resetOffCentres() {
	for i := range s.offCentres {
		r := &s.offCentres[i]
		c := s.fetch(r.contact)
		p, q := &c.Points[0], &r.start
		r.sum(p)
		p.NormalA, p.NormalB, p.TangentA, p.TangentB = q.NormalA, q.NormalB, q.TangentA, q.TangentB
		p.Separation, p.Velocity, p.Slip = q.Separation, q.Velocity, q.Slip
		s.storeArms(r.contact)
	}
}
