package solve

// Contact is one manifold to solve. The normal points from body A to body B;
// both index Solver.Motions, 0 for what cannot move. The tangent is (NY, -NX).
//
// What the bodies do at the start of the step is in here, as it is between the
// two of them at each point: found in float64 by the world, where the small
// difference of large velocities loses nothing, and rounded then. The passes add
// the changes since. So all that is solved is as it would be in a frame that
// moves along, at any speed.
//
// 192 bytes, three cache lines.
type Contact struct {
	A, B   int32
	N      int8 // points in use, 1 or 2
	Static bool // one side does not yield: a stiffer spring
	Disc   Disc // which side is a disc that rolls on the other
	NX, NY float32
	Drift  float32 // of B's centre from A's along the normal, units a second, at the start
	Spin   float32 // of B less that of A, at the start
	// RadiusA and RadiusB are those of the two shapes' rounding: an anchor is that
	// far from the core that turns with its body.
	RadiusA, RadiusB float32
	// Rolling is the arm of the rolling resistance: the impulse of torque against
	// the difference in spin is at most Rolling times the normal impulse.
	Rolling, RollImpulse float32

	rollTotal float32 // of all sub-steps
	mass      float32 // sum of the two inverses
	// The inverse of what impulses at the two points do to the speeds there, a
	// symmetric matrix; 0 where there are not two, or they are as good as one.
	i11, i12, i22 float32
	Points        [2]Point
}

// Disc tells which side of a contact is a disc that turns about a centre of mass beside its
// middle, if the other is no disc.
type Disc uint8

const (
	NoDisc Disc = iota
	DiscA
	DiscB
)

// Point is one point of a manifold: 64 bytes. The world fills what is exported,
// Run the rest, and updates the impulses.
type Point struct {
	// The arms of an impulse along the normal and along the tangent about each
	// body's centre of mass: the anchor's cross product with either. That with
	// the tangent is how far below the centre the anchor is, along the normal.
	NormalA, NormalB, TangentA, TangentB float32

	Separation                    float32 // at the start of the step
	Velocity                      float32 // of B's surface from A's, along the normal, at the start
	Slip                          float32 // and along the tangent, that of belts taken off
	Friction, Restitution         float32
	NormalImpulse, TangentImpulse float32 // of one sub-step, units of mass times speed
	MaxImpulse                    float32 // largest NormalImpulse of the step

	normalTotal, tangentTotal float32 // of all sub-steps
	normalMass, tangentMass   float32 // effective
}

// Normal is the normal of a contact in full.
type Normal struct{ X, Y float64 }

// springEdge is how far apart, in units of length, surfaces are from which on a
// contact is a stop and not a spring. Many times what float64 rounds far from the
// origin, and less than a body at rest sinks in by its weight.
const springEdge = 5e-5

// softness is a damped spring in the form that an impulse solver wants.
type softness struct{ biasRate, massScale, impulseScale float32 }

// soften turns a frequency (hertz) and a damping ratio into a softness for
// sub-steps of h seconds. With w = 2 pi hertz, the implicit spring of stiffness
// m w^2 and damping 2 m z w gives, in one velocity step, the impulse
// -m (massScale (v + biasRate x)) - impulseScale * (impulse so far);
// the three follow by matching terms (E. Catto, Soft Constraints, GDC 2011).
func soften(hertz, damping, h float32) softness {
	const tau = 6.2831855
	if hertz == 0 {
		return softness{0, 1, 0}
	}
	w := tau * hertz
	a := float32(2*damping) + float32(h*w)
	b := float32(h * w * a)
	c := 1 / (1 + b)
	return softness{biasRate: w / a, massScale: b * c, impulseScale: c}
}

// at returns by what speed surfaces so far apart are to part, at most the fastest,
// and how hard and how soft they are stopped: where they are apart, hard, when they
// have closed the gap.
func (soft *softness) at(sep, invH, fastest float32) (bias, massScale, impulseScale float32) {
	if sep > 0 {
		if sep >= springEdge {
			return sep * invH, 1, 0
		}
		// On its way to the spring's: a jump there would make two ways of one that
		// begins by just touching.
		k := sep / springEdge
		return sep * invH, soft.massScale + float32(soft.impulseScale*k), soft.impulseScale - float32(soft.impulseScale*k)
	}
	return max(float32(soft.biasRate*sep), -fastest), soft.massScale, soft.impulseScale
}

// prepare sets the effective masses, and lists the contacts that approach at speed, those
// that may bounce, those with a rotating kinematic body, and those of discs that roll about
// a centre of mass beside their middle.
func (s *Solver) prepare() {
	m := &s.impacts
	m.approaching, m.linked, s.surfaces = m.approaching[:0], false, s.surfaces[:0]
	s.rollings, s.bouncing = s.rollings[:0], s.bouncing[:0]
	m.uneven = resized(m.uneven, len(s.bodies))
	clear(m.uneven)
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		c.mass = a.invMass + b.invMass
		c.i11, c.i12, c.i22, c.rollTotal = 0, 0, 0, 0
		bounces := false
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			p.weigh(c, a, b)
			p.normalTotal, p.tangentTotal, p.MaxImpulse = 0, 0, 0
			bounces = bounces || s.mayBounce(p)
		}
		if bounces {
			s.bouncing = append(s.bouncing, int32(i))
		}
		if c.N == 2 {
			c.pair(a, b)
		}
		if uneven(a, b) {
			m.uneven[c.A], m.uneven[c.B] = true, true
		}
		if c.mass > 0 && c.approach() <= -impactSpeed {
			m.approaching = append(m.approaching, int32(i))
		}
		if c.Static && (a.kinematicSpin() != 0 || b.kinematicSpin() != 0) {
			s.noteSurface(i)
		} else if c.Disc != NoDisc && c.N == 1 {
			s.noteRolling(i)
		}
	}
}

// weigh sets the effective masses of p.
func (p *Point) weigh(c *Contact, a, b *body) {
	p.normalMass = inverse(c.invMassAt(a, b, p))
	p.tangentMass = inverse(c.mass + float32(a.invI*float32(p.TangentA*p.TangentA)) + float32(b.invI*float32(p.TangentB*p.TangentB)))
}

// pair sets the inverse for a contact of two points.
func (c *Contact) pair(a, b *body) {
	p, q := &c.Points[0], &c.Points[1]
	k11, k22, k12 := c.invMassAt(a, b, p), c.invMassAt(a, b, q), c.invMassBetween(a, b)
	det := float32(k11*k22) - float32(k12*k12)
	if det > pairSlop*float32(k11*k22) {
		r := 1 / det
		c.i11, c.i12, c.i22 = k22*r, -k12*r, k11*r
	}
}

// invMassAt returns what an impulse at p does to the speed there, both along the normal.
func (c *Contact) invMassAt(a, b *body, p *Point) float32 {
	return c.mass + float32(a.invI*float32(p.NormalA*p.NormalA)) + float32(b.invI*float32(p.NormalB*p.NormalB))
}

// invMassBetween returns what one at one of two points does to the speed at the other.
func (c *Contact) invMassBetween(a, b *body) float32 {
	p, q := &c.Points[0], &c.Points[1]
	return c.mass + float32(a.invI*float32(p.NormalA*q.NormalA)) + float32(b.invI*float32(p.NormalB*q.NormalB))
}

// pairSlop is how far from singular the matrix must be, as a share of what it
// would be if the points were independent: below it float32 has too few places.
const pairSlop = 1e-3

func inverse(k float32) float32 {
	if k > 0 {
		return 1 / k
	}
	return 0
}

// applyImpulse gives A and B the opposite impulses along the normal and the tangent.
func (c *Contact) applyImpulse(a, b *body, normal, tangent float32) {
	px := float32(normal*c.NX) + float32(tangent*c.NY)
	py := float32(normal*c.NY) - float32(tangent*c.NX)
	a.vx -= float32(a.invMass * px)
	a.vy -= float32(a.invMass * py)
	b.vx += float32(b.invMass * px)
	b.vy += float32(b.invMass * py)
}

// applyNormal gives A and B the opposite impulses d along the normal at p.
func (c *Contact) applyNormal(a, b *body, p *Point, d float32) {
	a.w -= float32(a.invI * float32(p.NormalA*d))
	b.w += float32(b.invI * float32(p.NormalB*d))
	c.applyImpulse(a, b, d, 0)
}

// speed returns the normal velocity at p as it is now, below 0 where it approaches.
func (c *Contact) speed(a, b *body, p *Point) float32 {
	vn := float32((b.vx-a.vx)*c.NX) + float32((b.vy-a.vy)*c.NY)
	return p.Velocity + (vn + float32(b.w*p.NormalB) - float32(a.w*p.NormalA))
}

// anchorRise returns by how much the turning of the two bodies has taken the surfaces
// apart: the cosines less 1 and the sines of their turns. An anchor on a rounded
// surface stays where it is while the core turns under it. Turned with the body it
// would rise by the radius times 1 - cosine, and a wheel would sink by as much.
func (p *Point) anchorRise(c *Contact, ac, bc, as, bs float32) float32 {
	return float32(bc*(c.RadiusB-p.TangentB)) + float32(bs*p.NormalB) + float32(ac*(c.RadiusA+p.TangentA)) - float32(as*p.NormalA)
}

// contactsPass solves every contact once, so many seconds into the step: the
// rolling resistance and the friction of its points by the normal impulse known
// so far, then the normals, which matter more and so have the last word. With
// spring, overlap is pushed apart; without, it is let be.
//
// All points of a contact have one normal, so the velocities of the two centres
// meet it once, and what each impulse does to their difference is known without
// the bodies. Limits are kept by branches: max and min, which mind NaN and the sign
// of zero, cost large_pyramid 5% of a step.
func (s *Solver) contactsPass(h, time float32, spring bool) {
	invH := 1 / h
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		nx, ny := c.NX, c.NY
		aw, bw := a.w, b.w
		vx, vy := b.vx-a.vx, b.vy-a.vy
		vn := float32(vx*nx) + float32(vy*ny)
		vt := float32(vx*ny) - float32(vy*nx)
		var normal, tangent float32 // the impulses that this pass adds

		if c.Rolling > 0 {
			limit := float32(0)
			for k := range c.Points[:c.N] {
				limit += float32(c.Rolling * c.Points[k].NormalImpulse)
			}
			sum := max(-limit, min(limit, c.RollImpulse-float32(inverse(a.invI+b.invI)*(c.Spin+(bw-aw)))))
			d := sum - c.RollImpulse
			c.RollImpulse = sum
			if !spring {
				c.rollTotal += sum
			}
			aw -= float32(a.invI * d)
			bw += float32(b.invI * d)
		}

		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			v := p.Slip + (vt + float32(bw*p.TangentB) - float32(aw*p.TangentA))
			limit := p.Friction * p.NormalImpulse
			sum := p.TangentImpulse - float32(p.tangentMass*v)
			if sum > limit {
				sum = limit
			} else if sum < -limit {
				sum = -limit
			}
			d := sum - p.TangentImpulse
			p.TangentImpulse = sum
			if !spring {
				p.tangentTotal += sum
			}
			tangent += d
			vt += float32(c.mass * d)
			aw -= float32(a.invI * float32(p.TangentA*d))
			bw += float32(b.invI * float32(p.TangentB*d))
		}

		soft := &s.soft
		if c.Static {
			soft = &s.softStatic
		}
		moved := float32(c.Drift*time) + (float32((b.dx-a.dx)*nx) + float32((b.dy-a.dy)*ny))
		ac, bc := a.dc-1, b.dc-1
		if c.i11 > 0 {
			// Both at once: one after the other they leave each other a residue, which
			// a body that lies still shows as a tremble, and which turns one that lands
			// flat. Springs only as long as both push.
			p, q := &c.Points[0], &c.Points[1]
			sep := p.Separation + moved + p.anchorRise(c, ac, bc, a.ds, b.ds)
			other := q.Separation + moved + q.anchorRise(c, ac, bc, a.ds, b.ds)
			v := p.Velocity + (vn + float32(bw*p.NormalB) - float32(aw*p.NormalA))
			u := q.Velocity + (vn + float32(bw*q.NormalB) - float32(aw*q.NormalA))
			if v > separateSpeed || u > separateSpeed {
				s.impacts.noteSeparating(i)
			}
			var x, y float32
			if spring {
				bp, mp, ip := soft.at(sep, invH, s.PushSpeed)
				bq, mq, iq := soft.at(other, invH, s.PushSpeed)
				v, u = mp*(v+bp), mq*(u+bq)
				x = p.NormalImpulse - (float32(c.i11*v) + float32(c.i12*u)) - float32(ip*p.NormalImpulse)
				y = q.NormalImpulse - (float32(c.i12*v) + float32(c.i22*u)) - float32(iq*q.NormalImpulse)
			} else {
				v += float32(max(0, sep) * invH)
				u += float32(max(0, other) * invH)
				x = p.NormalImpulse - (float32(c.i11*v) + float32(c.i12*u))
				y = q.NormalImpulse - (float32(c.i12*v) + float32(c.i22*u))
				if x < 0 || y < 0 {
					x, y = c.solveOne(a, b, x, y, v, u, p.NormalImpulse, q.NormalImpulse)
				}
				p.normalTotal += x
				q.normalTotal += y
			}
			if x >= 0 && y >= 0 {
				d, e := x-p.NormalImpulse, y-q.NormalImpulse
				p.NormalImpulse, q.NormalImpulse = x, y
				if x > p.MaxImpulse {
					p.MaxImpulse = x
				}
				if y > q.MaxImpulse {
					q.MaxImpulse = y
				}
				a.w = aw - float32(a.invI*(float32(p.NormalA*d)+float32(q.NormalA*e)))
				b.w = bw + float32(b.invI*(float32(p.NormalB*d)+float32(q.NormalB*e)))
				c.applyImpulse(a, b, d+e, tangent)
				continue
			}
		}
		away := false
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			sep := p.Separation + moved + p.anchorRise(c, ac, bc, a.ds, b.ds)

			bias, massScale, impulseScale := float32(0), float32(1), float32(0)
			if spring {
				bias, massScale, impulseScale = soft.at(sep, invH, s.PushSpeed)
			} else if sep > 0 {
				bias = sep * invH // may close the gap, not more
			}
			v := p.Velocity + (vn + float32(bw*p.NormalB) - float32(aw*p.NormalA))
			away = away || v > separateSpeed && p.NormalImpulse > 0
			d := -float32(p.normalMass*massScale*(v+bias)) - float32(impulseScale*p.NormalImpulse)
			sum := p.NormalImpulse + d
			if sum < 0 {
				sum = 0
			}
			d = sum - p.NormalImpulse
			p.NormalImpulse = sum
			if sum > p.MaxImpulse {
				p.MaxImpulse = sum
			}
			if !spring {
				p.normalTotal += sum
			}
			normal += d
			vn += float32(c.mass * d)
			aw -= float32(a.invI * float32(p.NormalA*d))
			bw += float32(b.invI * float32(p.NormalB*d))
		}
		if away {
			s.impacts.noteSeparating(i)
		}
		a.w, b.w = aw, bw
		c.applyImpulse(a, b, normal, tangent)
		// Body 0 has no inverse mass, so it keeps its zeros.
	}
}

// solveBoth returns the impulses of the two points, now x0 and y0, that take their speeds by v
// and u to 0, as far as pushes can.
func (c *Contact) solveBoth(a, b *body, v, u, x0, y0 float32) (x, y float32) {
	x = x0 - (float32(c.i11*v) + float32(c.i12*u))
	y = y0 - (float32(c.i12*v) + float32(c.i22*u))
	if x < 0 || y < 0 {
		x, y = c.solveOne(a, b, x, y, v, u, x0, y0)
	}
	return x, y
}

// solveOne returns the impulses of two points where those that would stop both, x
// and y, are not both a push: then one of the two gives none and the other what
// stops it alone, or neither gives any. v and u are the speeds to be stopped, x0 and y0
// what is given already. That is all there is to a linear complementarity problem of two:
// its matrix is positive definite, so there is one solution, which where only one of x
// and y is negative has that one 0.
func (c *Contact) solveOne(a, b *body, x, y, v, u, x0, y0 float32) (float32, float32) {
	p, q := &c.Points[0], &c.Points[1]
	k := c.invMassBetween(a, b)
	// What would stop either alone; negative if it separates.
	x1 := x0 - float32(p.normalMass*(v-float32(k*y0)))
	y1 := y0 - float32(q.normalMass*(u-float32(k*x0)))
	alone := max(0, x1)
	if x >= 0 || y < 0 && y1 <= float32(q.normalMass*k*alone) {
		return alone, 0
	}
	return 0, max(0, y1)
}
