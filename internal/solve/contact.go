package solve

import "math"

// Link holds the bodies of a contact or joint, as indices of Solver.Motions, and the kind of its block: islands,
// batches and colours need no more.
type Link struct {
	A, B   int32
	N      int8    // points, 1 or 2
	Static bool    // see the function Kind: a stiffer spring, and solved last
	Pin    bool    // of a joint that only holds its anchors together: Joint.Flags is Rigid, its shape Point2
	Ratio  float32 // of a joint of the shape Turns: Joint.Ratio; else 0
}

// Set sets l to the link of a contact.
func (l *Link) Set(a, b int32, n int8, static bool) {
	l.A, l.B, l.N, l.Static, l.Pin, l.Ratio = a, b, n, static, false, 0
}

// Kind returns the kind of a contact of bodies with these inverse masses. The contact is static (Link.Static) if one
// body is static or kinematic, or so heavy that it counts as static. Otherwise it is heavy (Solver.Heavy) if the masses
// differ by heavyRatio: its island then has loads; see load.go.
func Kind(a, b float64) (static, heavy bool) {
	if a > b {
		a, b = b, a
	}
	if a*heavyRatio > b { // as most contacts are
		return false, false
	}
	static = a*staticRatio <= b
	return static, !static
}

// Source gives Run the contacts of Solver.Links, and takes back the impulses of some. The workers of the team, numbered
// from 0, call its methods at once, for different contacts.
type Source interface {
	// Fill puts contact i into its lane of a block: it calls SetManifold, SetTotals, SetSurfaces and SetRound of
	// out, and Ask if it needs a call of Take. Run calls Fill once for each contact.
	Fill(worker int, i int32, out Lane)
	// Filled tells that the worker has filled a block, and that its manifolds are now in the cache: Fill would wait for
	// them. Source may still set other manifolds of these lanes.
	Filled(worker int)
	// Take gives Source the impulses x of contact i at the end of the step. Run calls it for contacts that approached
	// at HitSpeed when the step began, and for contacts with Lane.Ask.
	Take(worker int, i int32, x *Impulses)
}

// Impulses holds the impulses of a contact at the end of a step.
type Impulses struct {
	Points [2]PointImpulses
	Roll   float32
}

// PointImpulses holds the impulses at a point, units of mass times speed.
type PointImpulses struct {
	Normal, Tangent float32 // of the last sub-step
	Total           float32 // along the normal, of the step
	Most            float32 // largest normal impulse of a sub-step
	Velocity        float32 // normal velocity at the start of the step; negative: approaching
}

// Contact is a copy of one contact's lane, for code that treats one contact at a time (see copyOf). The normal points
// from body A to body B; the tangent is (NY, -NX).
//
// Drift, Spin, Velocity and Slip are the relative motion of the bodies at the start of the
// step, computed in float64, where the small difference of large velocities
// loses no digits, and rounded once; the passes add the changes since. So the result is
// the same in every frame that moves at a constant velocity.
//
// 200 bytes.
type Contact struct {
	A, B   int32 // indices of the solver's bodies
	N      int8
	Static bool
	Disc   Disc // which side is a disc that rolls on the other
	NX, NY float32
	Drift  float32 // velocity of B's centre relative to A's, along the normal, at the start
	Spin   float32 // of B relative to A, at the start
	// RadiusA and RadiusB are the radii of the two shapes: the distance of an anchor from
	// the core, which turns with its body.
	RadiusA, RadiusB float32
	// Rolling is the arm of the rolling resistance: the impulse of torque against
	// the difference in spin is at most Rolling times the normal impulse.
	Rolling, RollImpulse float32

	rollTotal float32 // of all sub-steps
	mass      float32 // sum of the two inverses
	// Inverse moments of inertia.
	inertiaA, inertiaB float32
	// Inverse of the symmetric matrix J M^-1 J^T of two points' normals; 0 for one point, or
	// two that are nearly at one place.
	i11, i12, i22 float32
	Points        [2]Point
}

// The values of Disc: no disc, or its side.
const (
	NoDisc Disc = iota
	DiscA
	DiscB
)

// Point is one point of a manifold: 64 bytes. The lane has the exported fields, except MaxImpulse.
type Point struct {
	// The arms of an impulse along the normal and along the tangent about each body's centre
	// of mass: the cross products of the anchor with the two. The tangent's arm is the
	// distance of the anchor below the centre, along the normal.
	NormalA, NormalB, TangentA, TangentB float32

	Separation                    float32 // at the start of the step
	Velocity                      float32 // of B's surface from A's, along the normal, at the start
	Slip                          float32 // the same along the tangent, less the speed of belts
	Friction, Restitution         float32
	NormalImpulse, TangentImpulse float32 // of one sub-step, units of mass times speed
	MaxImpulse                    float32 // largest NormalImpulse of the step

	normalTotal, tangentTotal float32 // of all sub-steps
	normalMass, tangentMass   float32 // effective
}

// softness is a damped spring of a joint as coefficients of an impulse solver; see damped.
type softness struct{ biasRate, impulseScale float32 }

// damped returns the softness, for sub-steps of h seconds, of a spring of the given frequency (hertz) and damping
// ratio: for a mass m it has the stiffness m w^2 and the damping 2 m ratio w, where w is 2 pi hertz. It is rigid with
// frequency 0. It gives the impulses of a contactSpring with the share impulseScale.
func damped(hertz, ratio, h float32) softness {
	if hertz == 0 {
		return softness{}
	}
	w := float32(2*math.Pi) * hertz
	a := float32(2*ratio) + float32(h*w)
	return softness{biasRate: w / a, impulseScale: 1 / (1 + float32(h*w*a))}
}

// weigh sets the effective masses of c, which the kernels have in their blocks.
func (s *worker) weigh(c *Contact) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	c.mass = a.invMass + b.invMass
	for k := range c.Points[:c.N] {
		c.Points[k].weigh(c)
	}
	c.i11, c.i12, c.i22 = 0, 0, 0
	if c.N == 2 {
		c.pair()
	}
}

// weigh sets the effective masses of p.
func (p *Point) weigh(c *Contact) {
	p.normalMass = inverse(c.invMassAt(p))
	p.tangentMass = inverse(c.mass + float32(c.inertiaA*float32(p.TangentA*p.TangentA)) +
		float32(c.inertiaB*float32(p.TangentB*p.TangentB)))
}

// pair sets the inverse matrix of a contact of two points.
func (c *Contact) pair() {
	p, q := &c.Points[0], &c.Points[1]
	x := pairOf(c.invMassAt(p), c.invMassAt(q), c.invMassBetween())
	c.i11, c.i12, c.i22 = x.i11, x.i12, x.i22
}

// pair is the symmetric matrix J M^-1 J^T of the normals of two points.
type pair struct {
	i11, i12, i22 float32 // of the inverse; 0 if the points are nearly at one place
	between       float32 // of the matrix, beside the diagonal
}

// pairOf returns the matrix with the elements k11, k22 and k12.
func pairOf(k11, k22, k12 float32) pair {
	det := float32(k11*k22) - float32(k12*k12)
	if !(det > pairSlop*float32(k11*k22)) {
		return pair{between: k12}
	}
	r := 1 / det
	return pair{k22 * r, -k12 * r, k11 * r, k12}
}

// invMassAt returns J M^-1 J^T for the normal at p: the change of the normal velocity there
// by a unit impulse.
func (c *Contact) invMassAt(p *Point) float32 {
	return c.mass + float32(c.inertiaA*float32(p.NormalA*p.NormalA)) + float32(c.inertiaB*float32(p.NormalB*p.NormalB))
}

// invMassBetween returns the change of the normal velocity at one of two points by a unit
// impulse at the other.
func (c *Contact) invMassBetween() float32 {
	p, q := &c.Points[0], &c.Points[1]
	return c.mass + float32(c.inertiaA*float32(p.NormalA*q.NormalA)) + float32(c.inertiaB*float32(p.NormalB*q.NormalB))
}

func inverse(k float32) float32 {
	if k > 0 {
		return 1 / k
	}
	return 0
}

// anchorRise returns the change of the separation at p by the rotations of the two bodies, given their cosines less 1
// and sines, and the radii of the two shapes. The anchor on a rounded surface does not turn with the body; if it did,
// it would rise by the radius times 1 - cosine, and a wheel would sink as much.
func (p *Point) anchorRise(radiusA, radiusB, ac, bc, as, bs float32) float32 {
	return float32(bc*(radiusB-p.TangentB)) + float32(bs*p.NormalB) + float32(ac*(radiusA+p.TangentA)) -
		float32(as*p.NormalA)
}

// solve returns the impulses of the two points, x0 and y0 so far, that remove their normal velocities v and u, as far
// as impulses of at least 0 can. massP and massQ are the effective masses of the points.
func (m *pair) solve(massP, massQ, v, u, x0, y0 float32) (x, y float32) {
	x = x0 - (float32(m.i11*v) + float32(m.i12*u))
	y = y0 - (float32(m.i12*v) + float32(m.i22*u))
	if x < 0 || y < 0 {
		x, y = m.solveOne(massP, massQ, x, y, v, u, x0, y0)
	}
	return x, y
}

// solveOne returns the impulses of two points if x and y, which would stop both, are not both
// at least 0: one of them is 0 and the other stops its point alone, or both are 0. v and u
// are the velocities to remove, x0 and y0 the impulses so far. These are all cases of a
// linear complementarity problem of two rows: its matrix is positive definite, so there is
// one solution; if only one of x and y is negative, that one is 0.
func (m *pair) solveOne(massP, massQ, x, y, v, u, x0, y0 float32) (float32, float32) {
	// The impulses that stop either point alone; negative if it separates.
	x1 := x0 - float32(massP*(v-float32(m.between*y0)))
	y1 := y0 - float32(massQ*(u-float32(m.between*x0)))
	alone := max(0, x1)
	if x >= 0 || y < 0 && y1 <= float32(massQ*m.between*alone) {
		return alone, 0
	}
	return 0, max(0, y1)
}
