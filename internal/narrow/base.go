package narrow

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// Two points between bodies that move are kept, with their normal and arms, while no point of B moves farther than
// keepGap (units of length) in A's frame, and A turns by less than keepTurn (radians); only their separations
// follow the motion. (Box2D v3 calls this contact recycling.) keepGap is two slops, so a kept point hardly changes a
// torque. If points were not kept, columns of bodies would buckle: a body that tilts moves its load sideways, which
// tilts the body further, and a column of a hundred falls before the solver, which passes a load on by one contact a
// pass, has brought its weight to rest. With half of keepGap, some columns of a hundred boxes offset by 0.01 fall; see
// docs/solver.md.
const (
	keepGap  = 2 * geom.LinearSlop
	keepTurn = 0.02
)

// Base is the state of two kept points when they were computed. 48 bytes.
type Base struct {
	rotA, rotB  geom.Rot // of the bodies
	separations [2]float64
}

// Keep keeps the points of m, which have just been computed with the bodies at the pose at and the rotations rotA
// and rotB; reach is at least the distance of the farthest point of B's shape or ground from its body's centre of
// mass.
func (b *Base) Keep(last *Last, m *contact.Manifold, at *Pose, rotA, rotB geom.Rot, reach float64) {
	last.set(at, keepGap, reach)
	*b = Base{rotA: rotA, rotB: rotB, separations: [2]float64{m.Points[0].Separation, m.Points[1].Separation}}
}

// KeepAll keeps manifolds until a point of B has moved by gap: so little that they need not follow.
func (b *Base) KeepAll(last *Last, at *Pose, rotA, rotB geom.Rot, gap, reach float64) {
	last.set(at, gap, reach)
	*b = Base{rotA: rotA, rotB: rotB}
}

// Stands reports whether A, with the rotation a, has hardly turned since KeepAll; reach is B's.
func (b *Base) Stands(a geom.Rot, reach float64) bool {
	return geom.V(a.C-b.rotA.C, a.S-b.rotA.S).Len()*max(1, reach) < sameGap
}

// Turned reports whether A, with the rotation a, has turned so far that the points must be computed again.
func (b *Base) Turned(a geom.Rot) bool {
	return geom.V(a.C-b.rotA.C, a.S-b.rotA.S).Len2() >= keepTurn*keepTurn
}

// Follow sets the separations of m, which is kept, for the present rotations of the bodies and the vector apart from
// B's centre of mass to A's, and returns the smallest, or 0 if none is negative.
func (b *Base) Follow(m *contact.Manifold, rotA, rotB geom.Rot, apart geom.Vec) (deepest float64) {
	turnA, turnB := b.rotA.InvMul(rotA), b.rotB.InvMul(rotB)
	for k := range m.N {
		q := &m.Points[k]
		// The two anchors were at one place.
		moved := turnB.Apply(q.AnchorB).Sub(turnA.Apply(q.AnchorA)).Sub(apart)
		q.Separation = b.separations[k] + m.Normal.Dot(moved)
		deepest = min(deepest, q.Separation)
	}
	return deepest
}
