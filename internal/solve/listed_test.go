package solve

// listed is a solver with a list of contacts, whose bodies are motions.
type listed struct {
	Solver
	Contacts []Contact
	Normals  []Normal
}

// Reset removes all motions and contacts.
func (s *listed) Reset() {
	s.Solver.Reset()
	s.Contacts, s.Normals = s.Contacts[:0], s.Normals[:0]
}

// link gives the contacts to the solver.
func (s *listed) link() {
	s.Links, s.Source = s.Links[:0], s
	for i := range s.Contacts {
		c := &s.Contacts[i]
		l := Link{A: c.A, B: c.B, N: c.N, Static: c.Static}
		if Heavy(s.Motions[c.A].InvMass, s.Motions[c.B].InvMass) && abs(c.Points[0].Velocity) < ImpactSpeed {
			l.Impulse = max(c.Points[0].NormalImpulse, c.Points[1].NormalImpulse)
		}
		s.Links = append(s.Links, l)
	}
}

// Run makes a step.
func (s *listed) Run(dt float64, n int) {
	s.link()
	s.Solver.Run(dt, n)
}

// prepare goes as far as the blocks of the first batch, for four sub-steps of 1/240 s.
func (s *listed) prepare() *worker {
	s.link()
	for i := range s.Links {
		s.Links[i].Impulse = 0 // so that there is one batch
	}
	s.begin(1./60, 4)
	w := &s.workers[0]
	w.batch, w.split, w.h = &s.batches[0], false, 1./240
	w.setConstants(w.h, 0)
	w.resetCarriers()
	w.prepare()
	return w
}

// Fill implements Source.
func (s *listed) Fill(_ int, i int32, out *Contact) { *out = s.Contacts[i] }

// Take implements Source.
func (s *listed) Take(_ int, i int32, x *Impulses) Normal {
	c := &s.Contacts[i]
	c.RollImpulse = x.Roll
	for k := range c.Points[:c.N] {
		p, q := &c.Points[k], &x.Points[k]
		p.NormalImpulse, p.TangentImpulse, p.MaxImpulse = q.Normal, q.Tangent, q.Most
	}
	return s.Normals[i]
}
