package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// Pair is two shapes of two bodies.
type Pair struct {
	A, B         *collide.Hull
	SlotA, SlotB int32          // see Aside
	FrameA       geom.Transform // of A's body
	FrameB       geom.Transform // of B's body
	LocalCenterA geom.Vec       // A's centre of mass, in its body's frame
	LocalCenterB geom.Vec
	Apart        geom.Vec // from B's centre of mass to A's, in the world
	ExtentB      float64  // of B's shape, from its centroid

	// Beside has the surfaces beside the static or kinematic one of two shapes, A or with FixedB B; nil between dynamic
	// bodies.
	Beside Beside
	FixedB bool

	seam seamScratch
	old  contact.Manifold // of the step before
}

// ReachB returns at least the distance of the farthest point of B's shape from its body's centre of mass.
func (p *Pair) ReachB() float64 { return p.ExtentB + p.B.Centroid.Dist(p.LocalCenterB) }

// Shapes replaces m by the manifold of two shapes at the poses in p. With had, m is their manifold of the step before.
// It returns whether the shapes touch now, and the smallest separation of the points, or 0 if none is negative. at is
// the pose of their bodies.
func Shapes(m *contact.Manifold, had bool, last *Last, at *Pose, p *Pair) (touching bool, deepest float64) {
	var now collide.Manifold
	bInA := p.FrameA.InvMul(p.FrameB)
	collide.Hulls(&now, p.A, p.B, bInA, contact.SpeculativeDistance)
	apart := now.N == 0 || now.Points[0].Separation > 0 || !p.partConcentric(&now, bInA)
	if apart && now.N > 0 && p.Beside != nil {
		p.join(&now)
	}
	if now.N == 0 {
		last.set(at, now.Gap, p.ReachB())
		return false, 0
	}
	last.gap = 0
	same := had && int(m.N) == now.N && m.IDs[0] == now.Points[0].ID && (now.N == 1 || m.IDs[1] == now.Points[1].ID)
	old := &p.old
	if !same {
		if *old = *m; !had {
			old.N, m.RollImpulse = 0, 0
		}
		m.N = int32(now.N)
	}
	m.Normal = p.FrameA.Q.Apply(now.Normal)
	for k := range m.N {
		q, from := &m.Points[k&1], &now.Points[k&1]
		q.AnchorA = p.FrameA.Q.Apply(from.Anchor.Sub(p.LocalCenterA))
		q.AnchorB = q.AnchorA.Add(p.Apart)
		q.Separation = from.Separation
		if q.Separation < deepest {
			deepest = q.Separation
		}
		if same {
			continue // each point keeps its impulses
		}
		m.IDs[k&1] = from.ID
		q.NormalImpulse, q.TangentImpulse = 0, 0
		switch {
		case old.N > 0 && old.IDs[0] == from.ID:
			q.Take(&old.Points[0])
		case old.N > 1 && old.IDs[1] == from.ID:
			q.Take(&old.Points[1])
		default:
			q.InheritNear(old, m.Normal)
		}
	}
	return true, deepest
}

// join corrects m, the manifold in A's frame, if the static or kinematic shape of p is flush with another surface.
func (p *Pair) join(m *collide.Manifold) {
	if !p.FixedB {
		p.seam.Shape(m, p.A, p.B, p.FrameA.InvMul(p.FrameB), contact.SpeculativeDistance, p.Beside)
		return
	}
	swapped, at := *m, p.FrameB.InvMul(p.FrameA)
	p.swapSides(&swapped, at)
	was := swapped
	p.seam.Shape(&swapped, p.B, p.A, at, contact.SpeculativeDistance, p.Beside)
	if swapped != was {
		*m = swapped
		p.swapSides(m, p.FrameA.InvMul(p.FrameB))
	}
}

// swapSides exchanges the sides of m; at is the old frame of m in the new one.
func (p *Pair) swapSides(m *collide.Manifold, at geom.Transform) {
	m.Normal = at.Q.Apply(m.Normal).Neg()
	for i := range m.N {
		m.Points[i&1].Anchor = at.Apply(m.Points[i&1].Anchor)
	}
}

// Discs is Shapes for two discs of the radii a and b, about the origins of their bodies' frames, which are the centres
// of mass too, at centerA and centerB. rotA and rotB are the rotations of the bodies, slotA and slotB the slots of the
// shapes.
func Discs(m *contact.Manifold, had bool, last *Last, rotA, rotB geom.Rot, centerA, centerB geom.Vec, a, b float64,
	slotA, slotB int32,
) (touching bool, deepest float64) {
	apart := centerB.Sub(centerA)
	c := rotA.Inv(apart)
	normal, dist := collide.Discs(c)
	if dist <= concentricGap {
		c, normal, dist = geom.Vec{}, Aside(slotA, slotB), 0
	}
	separation := dist - a - b
	if !(separation <= contact.SpeculativeDistance) {
		var at Pose
		at.Set(rotA, rotB, apart)
		last.set(&at, dist-(a+b+contact.SpeculativeDistance), b)
		return false, 0
	}
	last.gap = 0
	p := &m.Points[0]
	if !had || m.N != 1 || m.IDs[0] != collide.Centres {
		m.N, m.IDs[0], m.RollImpulse = 1, collide.Centres, 0
		p.NormalImpulse, p.TangentImpulse = 0, 0
	}
	m.Normal, p.AnchorA = rotA.Apply(normal), rotA.Apply(c.MulAdd(0.5*(a-b-dist), normal))
	p.AnchorB, p.Separation = p.AnchorA.Add(centerA.Sub(centerB)), separation
	if separation < 0 {
		deepest = separation
	}
	return true, deepest
}
