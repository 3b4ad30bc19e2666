package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/flush"
)

// Pose is the pose of a body B in the frame of a body A, both frames at the centres of mass.
type Pose struct {
	D geom.Vec
	Q geom.Rot
}

// PoseOf returns the pose of B in A's frame; Apart is the vector from A's centre of mass to B's in the
// world.
func PoseOf(a, b geom.Rot, apart geom.Vec) (p Pose) {
	p.Set(a, b, apart)
	return p
}

// Set sets p to PoseOf(a, b, apart), number by number: a copy would wait until its parts are written.
func (p *Pose) Set(a, b geom.Rot, apart geom.Vec) {
	p.D.X = float64(a.C*apart.X) + float64(a.S*apart.Y)
	p.D.Y = float64(a.C*apart.Y) - float64(a.S*apart.X)
	p.Q.C = float64(a.C*b.C) + float64(a.S*b.S)
	p.Q.S = float64(a.C*b.S) - float64(a.S*b.C)
}

// In sets p to the pose, in a frame, of a body with its centre of mass at center and the rotation rot.
func (p *Pose) In(frame geom.Transform, center geom.Vec, rot geom.Rot) {
	p.D, p.Q = frame.Inv(center), frame.Q.InvMul(rot)
}

// Pair is two shapes of two bodies.
type Pair struct {
	A, B         *collide.Hull
	FrameA       geom.Transform // of A's body
	FrameB       geom.Transform // of B's body
	LocalCenterA geom.Vec       // A's centre of mass, in its body's frame
	LocalCenterB geom.Vec
	Apart        geom.Vec // from B's centre of mass to A's
	ExtentB      float64  // of B's shape, from its centroid

	// Beside is set if A's body, or with FixedB B's, is static or kinematic, and the other is dynamic.
	Beside flush.Beside
	FixedB bool

	seam flush.Scratch
	old  contact.Manifold // of the step before
}

// Last holds the part of the last result for two shapes or grounds that later steps need. The zero value is for a
// pair that has not been examined. 32 bytes.
type Last struct {
	d    geom.Vec // of the pose
	c, s float32  // its rotation
	// gap is the distance, in units of length, that a point of B may move in A's frame before shapes that are apart
	// have a contact, or two kept points are computed anew; at most 0 for other shapes.
	gap   float32
	reach float32 // at least the distance of the farthest point of B's shape from its body's centre of mass
}

// gapSlop is more than the rounding error of a gap, in units of length near the bodies; gapShare is
// more than that of a distance of the bodies as a float64, and shortShare than that of a float32.
const (
	gapSlop    = 1e-9
	gapShare   = 1e-14
	shortShare = 1e-6
)

// Known reports whether there is a result that may hold.
func (l *Last) Known() bool { return l.gap > 0 }

// Holds reports whether the result still holds with the bodies at the pose p: the shapes have moved too little,
// relative to each other, to change it.
func (l *Last) Holds(p *Pose) bool {
	return l.gap > 0 && l.motion(p) < float64(l.gap)
}

// motion returns a bound on the distance that a point of B has moved in A's frame since.
func (l *Last) motion(p *Pose) float64 {
	turned := geom.V(p.Q.C-float64(l.c), p.Q.S-float64(l.s)).Len()
	return p.D.Sub(l.d).Len() + float64(turned*float64(l.reach))
}

// set records that the shapes are gap apart at the pose p.
func (l *Last) set(p *Pose, gap, reach float64) {
	*l = Last{d: p.D, c: float32(p.Q.C), s: float32(p.Q.S), reach: float32(reach * (1 + shortShare))}
	// The rounding of the pose counts as motion.
	l.gap = float32((gap - gapSlop - float64(gapShare*p.D.Len()) - l.motion(p)) * (1 - shortShare))
}

// ReachB returns at least the distance of the farthest point of B's shape from its body's centre of mass.
func (p *Pair) ReachB() float64 { return p.ExtentB + p.B.Centroid.Dist(p.LocalCenterB) }

// Shapes replaces m, the manifold of two shapes in the step before if they touched, by the manifold at the poses in
// p. It returns whether they touch now, and the least separation of the points, or 0 if none is negative. at is the
// pose of their bodies.
func Shapes(m *contact.Manifold, had bool, last *Last, at *Pose, p *Pair) (touching bool, deepest float64) {
	var now collide.Manifold
	collide.Hulls(&now, p.A, p.B, p.FrameA.InvMul(p.FrameB), contact.SpeculativeDistance)
	if now.N > 0 && p.Beside != nil {
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

// join changes m, the manifold in A's frame, if the static or kinematic shape of p is flush with another surface.
func (p *Pair) join(m *collide.Manifold) {
	if !p.FixedB {
		p.seam.Shape(m, p.A, p.B, p.FrameA.InvMul(p.FrameB), contact.SpeculativeDistance, p.Beside)
		return
	}
	turned, at := *m, p.FrameB.InvMul(p.FrameA)
	p.turn(&turned, at)
	was := turned
	p.seam.Shape(&turned, p.B, p.A, at, contact.SpeculativeDistance, p.Beside)
	if turned != was {
		*m = turned
		p.turn(m, p.FrameA.InvMul(p.FrameB))
	}
}

// turn exchanges the sides of m; at is the old frame of m in the new one.
func (p *Pair) turn(m *collide.Manifold, at geom.Transform) {
	m.Normal = at.Q.Apply(m.Normal).Neg()
	for i := range m.N {
		m.Points[i&1].Anchor = at.Apply(m.Points[i&1].Anchor)
	}
}

// Discs is Shapes for two discs of the radii a and b, about the origins of their bodies' frames, which are the
// centres of mass too, at centerA and centerB. rotA and rotB are the rotations of the bodies.
func Discs(m *contact.Manifold, had bool, last *Last, rotA, rotB geom.Rot, centerA, centerB geom.Vec, a, b float64) (touching bool, deepest float64) {
	apart := centerB.Sub(centerA)
	c := rotA.Inv(apart)
	normal, dist := collide.Discs(c)
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
