package solve

// Contact is a contact of a list. Drift, Spin, Velocity and Slip are the relative motion at the start of the step.
type Contact struct {
	A, B                 int32
	N                    int8
	Static               bool
	Disc                 Disc
	NX, NY, Drift, Spin  float32
	RadiusA, RadiusB     float32
	Rolling, RollImpulse float32
	Points               [2]Point
}

// Point is a point of a contact, with the impulses of a sub-step.
type Point struct {
	NormalA, NormalB, TangentA, TangentB float32
	Separation, Velocity, Slip           float32
	Friction, Restitution                float32
	NormalImpulse, TangentImpulse        float32
	MaxImpulse                           float32
}

// Normal is the normal of a contact in float64.
type Normal struct{ X, Y float64 }

// listed is a solver with a list of contacts, whose bodies are motions.
type listed struct {
	Solver
	Contacts []Contact
	Normals  []Normal
	keep     bool // Run calls Keep

	surfaces  []Surface // of the points of the contacts
	manifolds []Manifold
	totals    [][2][2]float32
	readOne   reader[block1]
	readTwo   reader[block2]
}

// Reset removes all motions and contacts.
func (s *listed) Reset() {
	s.Solver.Reset()
	s.Contacts, s.Normals = s.Contacts[:0], s.Normals[:0]
}

// link gives the contacts to the solver.
func (s *listed) link() {
	s.Links, s.Heavy, s.Source = s.Links[:0], s.Heavy[:0], s
	s.surfaces, s.manifolds = resized(s.surfaces, 2*len(s.Contacts)), resized(s.manifolds, len(s.Contacts))
	s.totals = resized(s.totals, len(s.Contacts))
	for i := range s.Contacts {
		c := &s.Contacts[i]
		l := Link{A: c.A, B: c.B, N: c.N, Static: c.Static}
		if _, heavy := Kind(s.Motions[c.A].InvMass, s.Motions[c.B].InvMass); heavy && !l.Static {
			s.Heavy = append(s.Heavy, int32(i))
		}
		s.Links = append(s.Links, l)
	}
}

// Run makes a step.
func (s *listed) Run(dt float64, n int) {
	s.link()
	if s.keep {
		s.Keep()
	}
	before := kernels
	s.replaceReaders()
	s.Solver.Run(dt, n)
	kernels = before
}

// replaceReaders lets kernels read the list's rows instead of rows of manifolds, which its contacts do not have.
func (s *listed) replaceReaders() {
	if s.readOne == nil {
		s.readOne = func(_ []Motion, _ []input, blocks []block1, rare []rareRows) {
			for j := range blocks {
				s.read(&blocks[j].contactRows, &rare[j], blocks[j].points[:])
			}
		}
		s.readTwo = func(_ []Motion, _ []input, blocks []block2, rare []rareRows) {
			for j := range blocks {
				s.read(&blocks[j].contactRows, &rare[j], blocks[j].points[:])
			}
		}
	}
	kernels.readOne, kernels.readTwo = s.readOne, s.readTwo
}

// prepare goes as far as the blocks of the first batch, for four sub-steps of 1/240 s.
func (s *listed) prepare() *worker {
	s.link()
	s.begin(1./60, 4)
	w := &s.workers[0]
	w.batch, w.split, w.h = &s.batches[0], false, 1./240
	w.setConstants(w.h, 0)
	w.resetFixed()
	before := kernels
	s.replaceReaders()
	w.prepare()
	kernels = before
	return w
}

// Fill implements Source.
func (s *listed) Fill(_ int, i int32, out Lane) {
	c := &s.Contacts[i]
	out.SetRound(c.RadiusA, c.RadiusB, c.Disc, c.Rolling, c.RollImpulse)
	p, q := &s.surfaces[2*i], &s.surfaces[2*i+1]
	p.Restitution, q.Restitution = float64(c.Points[0].Restitution), float64(c.Points[1].Restitution)
	out.SetSurfaces(p, q)
	s.manifolds[i] = Manifold{NX: s.Normals[i].X, NY: s.Normals[i].Y}
	out.SetManifold(&s.manifolds[i])
	out.SetTotals(&s.totals[i])
	out.Ask()
}

// read sets the rows of a block that kernels read.
func (s *listed) read(k *contactRows, rare *rareRows, points []pointRows) {
	for l, i := range rare.source[:k.n] {
		c := &s.Contacts[i]
		k.nx[l], k.ny[l], k.drift[l], rare.spin[l] = c.NX, c.NY, c.Drift, c.Spin
		for j := range points {
			p, r := &c.Points[j], &points[j]
			r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
			r.separation[l], r.velocity[l], r.slip[l] = p.Separation, p.Velocity, p.Slip
			r.normal[l], r.tangent[l], r.friction[l] = p.NormalImpulse, p.TangentImpulse, p.Friction
		}
	}
}

// Filled implements Source.
func (s *listed) Filled(int) {}

// Take implements Source.
func (s *listed) Take(_ int, i int32, x *Impulses) {
	c := &s.Contacts[i]
	c.RollImpulse = x.Roll
	for k := range c.Points[:c.N] {
		p, q := &c.Points[k], &x.Points[k]
		p.NormalImpulse, p.TangentImpulse, p.MaxImpulse = q.Normal, q.Tangent, q.Most
	}
}
