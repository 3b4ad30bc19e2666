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

// The values of Disc: no disc, or its side.
const (
	NoDisc Disc = iota
	DiscA
	DiscB
)

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

func inverse(k float32) float32 {
	if k > 0 {
		return 1 / k
	}
	return 0
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
