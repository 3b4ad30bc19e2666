package solve

// Contact is one manifold to solve. The normal points from body A to body B;
// both index Solver.Bodies, 0 for what cannot move.
type Contact struct {
	A, B   int32
	N      int32 // points in use, 1 or 2
	Static bool  // one side does not yield: a stiffer spring
	NX, NY float32
	// RA and RB are the radii of the two shapes' rounding: an anchor is that
	// far from the core that turns with its body.
	RA, RB float32
	// Rolling is the arm of the rolling resistance: the impulse of torque against
	// the difference in spin is at most Rolling times the normal impulse.
	Rolling, RollImpulse float32
	rollMass             float32
	Points               [2]Point
}

// Point is one point of a manifold. The world fills the first part, Run the
// second and updates the impulses.
type Point struct {
	AX, AY, BX, BY                float32 // anchor, from each body's centre of mass
	Separation                    float32 // at the start of the step
	Friction, Restitution         float32
	TangentSpeed                  float32 // of the surfaces, along (NY, -NX)
	NormalImpulse, TangentImpulse float32 // of one sub-step, units of mass times speed

	MaxImpulse              float32 // largest NormalImpulse of the step
	RelVelocity             float32 // normal velocity before the step, negative: approaching
	normalMass, tangentMass float32
}

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

// prepare fills what stays the same through the step: effective masses and
// the approach speed that restitution looks at.
func (s *Solver) prepare() {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.Bodies[c.A], &s.Bodies[c.B]
		m := a.InvMass + b.InvMass
		tx, ty := c.NY, -c.NX
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			na := float32(p.AX*c.NY) - float32(p.AY*c.NX)
			nb := float32(p.BX*c.NY) - float32(p.BY*c.NX)
			p.normalMass = inverse(m + float32(a.InvI*float32(na*na)) + float32(b.InvI*float32(nb*nb)))
			ta := float32(p.AX*ty) - float32(p.AY*tx)
			tb := float32(p.BX*ty) - float32(p.BY*tx)
			p.tangentMass = inverse(m + float32(a.InvI*float32(ta*ta)) + float32(b.InvI*float32(tb*tb)))
			vx := b.VX - float32(b.W*p.BY) - a.VX + float32(a.W*p.AY)
			vy := b.VY + float32(b.W*p.BX) - a.VY - float32(a.W*p.AX)
			p.RelVelocity = float32(vx*c.NX) + float32(vy*c.NY)
			p.MaxImpulse = 0
		}
		if c.Rolling > 0 {
			c.rollMass = inverse(a.InvI + b.InvI)
		}
	}
}

func inverse(k float32) float32 {
	if k > 0 {
		return 1 / k
	}
	return 0
}

// warmStart applies the impulses that the points bring with them.
func (s *Solver) warmStart() {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.Bodies[c.A], &s.Bodies[c.B]
		avx, avy, aw := a.VX, a.VY, a.W
		bvx, bvy, bw := b.VX, b.VY, b.W
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			px := float32(p.NormalImpulse*c.NX) + float32(p.TangentImpulse*c.NY)
			py := float32(p.NormalImpulse*c.NY) - float32(p.TangentImpulse*c.NX)
			avx -= float32(a.InvMass * px)
			avy -= float32(a.InvMass * py)
			aw -= float32(a.InvI * (float32(p.AX*py) - float32(p.AY*px)))
			bvx += float32(b.InvMass * px)
			bvy += float32(b.InvMass * py)
			bw += float32(b.InvI * (float32(p.BX*py) - float32(p.BY*px)))
		}
		if c.Rolling > 0 {
			aw -= float32(a.InvI * c.RollImpulse)
			bw += float32(b.InvI * c.RollImpulse)
		}
		a.VX, a.VY, a.W = avx, avy, aw
		b.VX, b.VY, b.W = bvx, bvy, bw
	}
}

// The lines that find an approach and apply an impulse are written out in each
// pass: as small inlined methods of a velocity they cost large_pyramid 4% of a
// step, measured in one run, least of three.

// contactsPass solves every contact once: the rolling resistance and the friction of
// its points by the normal impulse known so far, then the normals, which matter more and so have
// the last word. With spring, overlap is pushed apart; without, it is let be.
func (s *Solver) contactsPass(h float32, spring bool) {
	invH := 1 / h
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.Bodies[c.A], &s.Bodies[c.B]
		soft := s.soft
		if c.Static {
			soft = s.softStatic
		}
		nx, ny := c.NX, c.NY
		tx, ty := ny, -nx
		avx, avy, aw := a.VX, a.VY, a.W
		bvx, bvy, bw := b.VX, b.VY, b.W
		dx, dy := b.DX-a.DX, b.DY-a.DY
		// An anchor on a rounded surface stays where it is while the core turns
		// under it. Turned with the body it would rise by the radius times
		// 1 - cosine, and a wheel would sink by as much: that is put back here.
		moved := float32(dx*nx) + float32(dy*ny) + float32(c.RB*(b.DC-1)) + float32(c.RA*(a.DC-1))

		if c.Rolling > 0 {
			limit := float32(0)
			for k := range c.Points[:c.N] {
				limit += float32(c.Rolling * c.Points[k].NormalImpulse)
			}
			sum := max(-limit, min(limit, c.RollImpulse-float32(c.rollMass*(bw-aw))))
			d := sum - c.RollImpulse
			c.RollImpulse = sum
			aw -= float32(a.InvI * d)
			bw += float32(b.InvI * d)
		}

		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			vx := bvx - float32(bw*p.BY) - avx + float32(aw*p.AY)
			vy := bvy + float32(bw*p.BX) - avy - float32(aw*p.AX)
			vt := float32(vx*tx) + float32(vy*ty) - p.TangentSpeed
			limit := p.Friction * p.NormalImpulse
			sum := p.TangentImpulse - float32(p.tangentMass*vt)
			sum = max(-limit, min(limit, sum))
			d := sum - p.TangentImpulse
			p.TangentImpulse = sum
			px, py := d*tx, d*ty
			avx -= float32(a.InvMass * px)
			avy -= float32(a.InvMass * py)
			aw -= float32(a.InvI * (float32(p.AX*py) - float32(p.AY*px)))
			bvx += float32(b.InvMass * px)
			bvy += float32(b.InvMass * py)
			bw += float32(b.InvI * (float32(p.BX*py) - float32(p.BY*px)))
		}

		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			// How far the anchors have come since the start of the step.
			rx := float32((b.DC-1)*p.BX) - float32(b.DS*p.BY) - float32((a.DC-1)*p.AX) + float32(a.DS*p.AY)
			ry := float32(b.DS*p.BX) + float32((b.DC-1)*p.BY) - float32(a.DS*p.AX) - float32((a.DC-1)*p.AY)
			sep := p.Separation + moved + float32(rx*nx) + float32(ry*ny)

			bias, massScale, impulseScale := float32(0), float32(1), float32(0)
			if sep > 0 {
				bias = sep * invH // may close the gap, not more
			} else if spring {
				bias = max(float32(soft.biasRate*sep), -s.PushSpeed)
				massScale, impulseScale = soft.massScale, soft.impulseScale
			}
			vx := bvx - float32(bw*p.BY) - avx + float32(aw*p.AY)
			vy := bvy + float32(bw*p.BX) - avy - float32(aw*p.AX)
			vn := float32(vx*nx) + float32(vy*ny)
			d := -float32(p.normalMass*massScale*(vn+bias)) - float32(impulseScale*p.NormalImpulse)
			sum := max(p.NormalImpulse+d, 0)
			d = sum - p.NormalImpulse
			p.NormalImpulse = sum
			p.MaxImpulse = max(p.MaxImpulse, sum)
			px, py := d*nx, d*ny
			avx -= float32(a.InvMass * px)
			avy -= float32(a.InvMass * py)
			aw -= float32(a.InvI * (float32(p.AX*py) - float32(p.AY*px)))
			bvx += float32(b.InvMass * px)
			bvy += float32(b.InvMass * py)
			bw += float32(b.InvI * (float32(p.BX*py) - float32(p.BY*px)))
		}
		a.VX, a.VY, a.W = avx, avy, aw
		b.VX, b.VY, b.W = bvx, bvy, bw
		// Body 0 has no inverse mass, so it keeps its zeros.
	}
}

// restitution makes the points that approached faster than BounceSpeed, and
// have carried load, leave with their share of that speed.
func (s *Solver) restitution() {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.Bodies[c.A], &s.Bodies[c.B]
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			if p.Restitution == 0 || p.RelVelocity > -s.BounceSpeed || p.MaxImpulse == 0 {
				continue
			}
			vx := b.VX - float32(b.W*p.BY) - a.VX + float32(a.W*p.AY)
			vy := b.VY + float32(b.W*p.BX) - a.VY - float32(a.W*p.AX)
			vn := float32(vx*c.NX) + float32(vy*c.NY)
			d := -float32(p.normalMass * (vn + float32(p.Restitution*p.RelVelocity)))
			sum := max(p.NormalImpulse+d, 0)
			d = sum - p.NormalImpulse
			p.NormalImpulse = sum
			p.MaxImpulse = max(p.MaxImpulse, sum)
			px, py := d*c.NX, d*c.NY
			a.VX -= float32(a.InvMass * px)
			a.VY -= float32(a.InvMass * py)
			a.W -= float32(a.InvI * (float32(p.AX*py) - float32(p.AY*px)))
			b.VX += float32(b.InvMass * px)
			b.VY += float32(b.InvMass * py)
			b.W += float32(b.InvI * (float32(p.BX*py) - float32(p.BY*px)))
		}
	}
}
