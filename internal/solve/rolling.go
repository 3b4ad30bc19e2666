package solve

// A disc whose centre of mass is not in its middle rolls to and fro: its contact runs along
// beside the centre of mass, and how far beside is what rights it. Arms that stayed as they
// were at the start of a step would right it by where it was, always a little late, and
// what is late feeds a swing: it doubled in a minute. So such a contact has its arms found
// anew for each sub-step, with all that follows from them: for a little later, which makes
// swings die down.

// rolling is a contact of a disc that turns about a centre of mass beside its middle. Its
// arms are those of a sub-step while that is solved.
type rolling struct {
	contact int32
	ofB     bool  // the disc is B's
	start   Point // as it was at the start of the step
	// The angular impulse on the disc's body that the arms of the step's start would not
	// give, and the impulses up to which it is summed.
	torque          float64
	normal, tangent float32
}

// rollAhead is how far ahead of a sub-step its arms are, as a share of the step. Half a
// sub-step is enough to lose energy, but a swing then goes on for more than ten minutes.
const rollAhead = 0.5

// offSpeed, in units a second, is how fast the middle of a disc moves about the centre of
// mass from which on it rolls: well below what a body at rest may still move by.
const offSpeed = 0.01

// noteRolling lists contact i if it is one of a disc that rolls off its centre. A contact
// that approaches at impactSpeed is an impact: half a step ahead its arms would be those of
// another pose, so that the impulses leave it approaching, and continuous collision holds the
// body in place step after step. (Of 800 tumbling compounds 114 hung.)
func (s *Solver) noteRolling(i int) {
	c := &s.Contacts[i]
	p := &c.Points[0]
	r := rolling{contact: int32(i), ofB: c.Disc == DiscB, start: *p}
	b, side, arm := &s.bodies[c.A], p.TangentA+c.RadiusA, p.NormalA
	if r.ofB {
		b, side, arm = &s.bodies[c.B], c.RadiusB-p.TangentB, p.NormalB
	}
	off2 := float32(arm*arm) + float32(side*side)
	if p.Velocity > -impactSpeed && b.invI > 0 && off2*float32(b.spin*b.spin) > offSpeed*offSpeed {
		s.rollings = append(s.rollings, r)
	}
}

// roll gives the rolling contacts the arms that they have so many seconds ahead.
func (s *Solver) roll(ahead float32) {
	for i := range s.rollings {
		r := &s.rollings[i]
		c := &s.Contacts[r.contact]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		p, q := &c.Points[0], &r.start
		r.sum(p)
		if r.ofB {
			bc, bs := b.turnedOn(ahead * (b.spin + b.w))
			n := float32(bc*q.NormalB) - float32(bs*(c.RadiusB-q.TangentB))
			t := float32(bc*(q.TangentB-c.RadiusB)) - float32(bs*q.NormalB)
			p.NormalB, p.TangentB = q.NormalB+n, q.TangentB+t
			p.Velocity, p.Slip = q.Velocity+float32(b.spin*n), q.Slip+float32(b.spin*t)
		} else {
			ac, as := a.turnedOn(ahead * (a.spin + a.w))
			n := float32(ac*q.NormalA) + float32(as*(c.RadiusA+q.TangentA))
			t := float32(ac*(q.TangentA+c.RadiusA)) - float32(as*q.NormalA)
			p.NormalA, p.TangentA = q.NormalA+n, q.TangentA+t
			p.Velocity, p.Slip = q.Velocity-float32(a.spin*n), q.Slip-float32(a.spin*t)
		}
		p.weigh(c, a, b)
	}
	s.part()
}

// part sets the separations of the rolling contacts so that risen, with the arms that they
// have now, leaves the surfaces as far apart as it would with those of the start.
func (s *Solver) part() {
	for i := range s.rollings {
		r := &s.rollings[i]
		c := &s.Contacts[r.contact]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		p := &c.Points[0]
		p.Separation = r.start.Separation + (r.start.risen(c, a.dc-1, b.dc-1, a.ds, b.ds) - p.risen(c, a.dc-1, b.dc-1, a.ds, b.ds))
	}
}

// sum adds to the torque of r what p's impulses have done since with the arms of p.
func (r *rolling) sum(p *Point) {
	n, t := float64(p.normalTotal-r.normal), float64(p.tangentTotal-r.tangent)
	r.normal, r.tangent = p.normalTotal, p.tangentTotal
	armN, armT := float64(p.NormalA)-float64(r.start.NormalA), float64(p.TangentA)-float64(r.start.TangentA)
	if r.ofB {
		armN, armT = float64(p.NormalB)-float64(r.start.NormalB), float64(p.TangentB)-float64(r.start.TangentB)
	}
	r.torque += float64(armN*n) + float64(armT*t)
}

// unroll gives the rolling contacts the arms of the step's start, which restitution and the
// world know them by.
func (s *Solver) unroll() {
	for i := range s.rollings {
		r := &s.rollings[i]
		c := &s.Contacts[r.contact]
		p, q := &c.Points[0], &r.start
		r.sum(p)
		p.NormalA, p.NormalB, p.TangentA, p.TangentB = q.NormalA, q.NormalB, q.TangentA, q.TangentB
		p.Separation, p.Velocity, p.Slip = q.Separation, q.Velocity, q.Slip
		p.weigh(c, &s.bodies[c.A], &s.bodies[c.B])
	}
}
