package solve

// factorTree factors the matrix of the component's rows, from the leaves of the tree to its root: each body takes the
// matrices of the joints below it into its own.
func (s *worker) factorTree(c *component, springs bool) {
	for k := c.from; k < c.to; k++ {
		n := &s.nodes[k]
		n.rows = 0
		n.mass = [6]float64{n.ownMass, 0, 0, n.ownMass, 0, n.inertia}
	}
	for k := c.first; k < c.end; k++ {
		o := &s.direct[k]
		j := &s.joints[o.joint]
		soft := 0.0
		if springs && !j.usual {
			soft = float64(j.soft.impulseScale) / float64(1-j.soft.impulseScale)
		}
		rigid := treeSoftness
		if o.inLoop {
			rigid = loopSoftness
		}
		o.ready(j)
		o.soften(j, float64(s.bodies[j.a].invMass), float64(s.bodies[j.b].invMass), rigid, soft)
		if k < c.loops {
			s.nodes[c.nodeOf(k)].aim(&o.directRows)
		}
	}
	for k := c.to - 1; k >= c.from; k-- {
		n := &s.nodes[k]
		invert(&n.mass)
		if n.rows > 0 {
			n.eliminate(&s.direct[n.joint].directRows)
			if n.parent >= 0 {
				n.give(&s.nodes[n.parent].mass)
			}
		}
	}
	s.factorLoops(c)
}

// infinite stands for an infinite mass or moment of inertia.
const infinite = 1e30

// inverseOr returns the mass or moment of inertia of an inverse.
func inverseOr(inv float32) float64 {
	if inv > 0 {
		return 1 / float64(inv)
	}
	return infinite
}

// invert inverts a symmetric, positive definite matrix: 11, 12, 13, 22, 23, 33.
func invert(m *[6]float64) {
	a, b, c, d, e, f := m[0], m[1], m[2], m[3], m[4], m[5]
	x := float64(d*f) - float64(e*e)
	y := float64(c*e) - float64(b*f)
	z := float64(b*e) - float64(c*d)
	r := 1 / (float64(a*x) + float64(b*y) + float64(c*z))
	m[0], m[1], m[2] = x*r, y*r, z*r
	m[3] = (float64(a*f) - float64(c*c)) * r
	m[4] = (float64(b*c) - float64(a*e)) * r
	m[5] = (float64(a*d) - float64(b*b)) * r
}

// times returns the product of the symmetric matrix m and (x, y, z).
func times(m *[6]float64, x, y, z float64) [3]float64 {
	return [3]float64{
		float64(m[0]*x) + float64(m[1]*y) + float64(m[2]*z),
		float64(m[1]*x) + float64(m[3]*y) + float64(m[4]*z),
		float64(m[2]*x) + float64(m[4]*y) + float64(m[5]*z),
	}
}

// aim sets the frames of the rows of n.
func (n *treeNode) aim(r *directRows) {
	n.rows = r.n
	for i := range n.frame {
		w, f := &r.rows[i], &n.frame[i]
		switch {
		case i >= int(r.n):
			*f = rowFrame{}
		case n.ofB:
			*f = rowFrame{w.x, w.y, w.armB, w.armA}
		default:
			*f = rowFrame{-w.x, -w.y, -w.armA, -w.armB}
		}
	}
}

// along returns the velocity v of the body along the row, and alongParent the parent's velocity.
func (f *rowFrame) along(v *[3]float64) float64 {
	return float64(f.x*v[0]) + float64(f.y*v[1]) + float64(f.own*v[2])
}

func (f *rowFrame) alongParent(v *[3]float64) float64 {
	return float64(f.x*v[0]) + float64(f.y*v[1]) + float64(f.parent*v[2])
}

// eliminate sets u and inv: what the rows of n do to its body.
func (n *treeNode) eliminate(r *directRows) {
	f, u := &n.frame, &n.u
	u[0], u[1] = times(&n.mass, f[0].x, f[0].y, f[0].own), times(&n.mass, f[1].x, f[1].y, f[1].own)
	d0, d1, d3 := f[0].along(&u[0])+r.rows[0].soft, f[0].along(&u[1]), f[1].along(&u[1])+r.rows[1].soft
	switch n.rows {
	case 1:
		n.inv = [6]float64{1 / d0}
	case 2:
		f := 1 / (float64(d0*d3) - float64(d1*d1))
		n.inv = [6]float64{d3 * f, -d1 * f, 0, d0 * f}
	default:
		u[2] = times(&n.mass, f[2].x, f[2].y, f[2].own)
		n.inv = [6]float64{d0, d1, f[0].along(&u[2]), d3, f[1].along(&u[2]), f[2].along(&u[2]) + r.rows[2].soft}
		invert(&n.inv)
	}
}

// give adds what the rows of n do to the parent's matrix.
func (n *treeNode) give(m *[6]float64) {
	f, inv := &n.frame, &n.inv
	for i := range n.rows {
		a, b, c := inv[pairAt[i][0]], inv[pairAt[i][1]], inv[pairAt[i][2]]
		x := float64(a*f[0].x) + float64(b*f[1].x) + float64(c*f[2].x)
		y := float64(a*f[0].y) + float64(b*f[1].y) + float64(c*f[2].y)
		z := float64(a*f[0].parent) + float64(b*f[1].parent) + float64(c*f[2].parent)
		w := &f[i]
		m[0] += float64(w.x * x)
		m[1] += float64(w.x * y)
		m[2] += float64(w.x * z)
		m[3] += float64(w.y * y)
		m[4] += float64(w.y * z)
		m[5] += float64(w.parent * z)
	}
}

// pairAt is the place of an element in the six of a symmetric matrix.
var pairAt = [3][3]int{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}

// solveTree solves the trees of c for the wanted velocities of the rows and the impulses f on the bodies, and sets the
// impulses x of the rows and the velocities v of the bodies. f is 0 afterwards.
func (s *worker) solveTree(c *component) {
	nodes := s.nodes
	for k := c.to - 1; k >= c.from; k-- {
		n := &nodes[k]
		n.v = times(&n.mass, n.f[0], n.f[1], n.f[2])
		n.f = [3]float64{}
		if n.rows == 0 {
			continue
		}
		f := &n.frame
		r0, r1, r2 := n.wanted[0]-f[0].along(&n.v), n.wanted[1]-f[1].along(&n.v), 0.0
		if n.rows > 2 {
			r2 = n.wanted[2] - f[2].along(&n.v)
		}
		y := times(&n.inv, r0, r1, r2)
		n.x = y
		if n.parent >= 0 {
			p := &nodes[n.parent].f
			p[0] -= float64(f[0].x*y[0]) + float64(f[1].x*y[1]) + float64(f[2].x*y[2])
			p[1] -= float64(f[0].y*y[0]) + float64(f[1].y*y[1]) + float64(f[2].y*y[2])
			p[2] -= float64(f[0].parent*y[0]) + float64(f[1].parent*y[1]) + float64(f[2].parent*y[2])
		}
	}
	for k := c.from; k < c.to; k++ {
		n := &nodes[k]
		if n.rows == 0 {
			continue
		}
		x := n.x
		if n.parent >= 0 {
			v, f := &nodes[n.parent].v, &n.frame
			d := times(&n.inv, f[0].alongParent(v), f[1].alongParent(v), f[2].alongParent(v))
			x[0], x[1], x[2] = x[0]+d[0], x[1]+d[1], x[2]+d[2]
		}
		n.x = x
		u := &n.u
		n.v[0] += float64(u[0][0]*x[0]) + float64(u[1][0]*x[1])
		n.v[1] += float64(u[0][1]*x[0]) + float64(u[1][1]*x[1])
		n.v[2] += float64(u[0][2]*x[0]) + float64(u[1][2]*x[1])
		if n.rows > 2 {
			n.v[0] += float64(u[2][0] * x[2])
			n.v[1] += float64(u[2][1] * x[2])
			n.v[2] += float64(u[2][2] * x[2])
		}
	}
}
