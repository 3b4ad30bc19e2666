package contact

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/store"
)

// SpeculativeDistance is the distance of two surfaces, in units of length, up to which they have a
// contact, which then only limits their approach. With less than four slops contacts flicker; with
// more, bodies collide with corners before they reach them.
const SpeculativeDistance = 4 * geom.LinearSlop

// SameNormal is the cosine of the angle, 18 degrees, up to which two normals at one place count as
// the same. A body seldom turns so far in a step; the normals of a floor and a wall, or of a floor
// and the gentlest built-in slope (27 degrees), differ by more.
const SameNormal = 0.95

// Manifold is one normal with its points. Two shapes have at most one manifold; a shape and a
// ground or chain have one for each run or face that the shape touches.
type Manifold struct {
	Normal geom.Vec // world axes, unit, from A to B
	N      int      // points in use
	Points [2]Point

	RollImpulse float32 // against the difference in spin
}

// Point is one point of a manifold, with the impulses that it keeps from step to step.
type Point struct {
	AnchorA, AnchorB geom.Vec // from each centre of mass, world axes
	Separation       float64
	Feature          Feature
	NormalImpulse    float32
	TangentImpulse   float32
	Source           Source
}

// Source is the place on a ground or chain under a point. It is zero for two shapes.
type Source struct {
	Cell     gridseg.Cell // of a ground
	Tile     gridseg.Tile // of a ground
	Segment  int32        // of a chain
	Material uint16       // id in the world's table
}

// Points returns the number of points of the manifolds.
func Points(manifolds []Manifold) (n int) {
	for k := range manifolds {
		n += manifolds[k].N
	}
	return n
}

// FirstSource returns the source of the first point of the manifolds, or a zero one.
func FirstSource(manifolds []Manifold) *Source {
	if len(manifolds) == 0 {
		return &Source{}
	}
	return &manifolds[0].Points[0].Source
}

// LeastSeparation returns the least separation of m's points.
func (m *Manifold) LeastSeparation() float64 {
	s := math.MaxFloat64
	for k := range m.N {
		s = min(s, m.Points[k].Separation)
	}
	return s
}

// Inherit takes the impulses of the point of m with p's feature, and reports whether there is one.
func (p *Point) Inherit(m *Manifold) bool {
	for k := range m.N {
		if q := &m.Points[k]; q.Feature == p.Feature {
			p.NormalImpulse, p.TangentImpulse = q.NormalImpulse, q.TangentImpulse
			return true
		}
	}
	return false
}

// InheritNear takes the impulses of the point of m at p's place, if there is one. Features alone
// are not enough: where two corners coincide, as in a stack of equal boxes, a tiny slide turns
// vertex on edge into edge on vertex.
func (p *Point) InheritNear(m *Manifold, normal geom.Vec) bool {
	if m.Normal.Dot(normal) < SameNormal {
		return false // a floor's impulse is not the wall's
	}
	for k := range m.N {
		if q := &m.Points[k]; q.AnchorA.Sub(p.AnchorA).Len2() < SpeculativeDistance*SpeculativeDistance {
			p.NormalImpulse, p.TangentImpulse = q.NormalImpulse, q.TangentImpulse
			return true
		}
	}
	return false
}

// InheritRolling takes the rolling impulse of the old manifold that had m's first point, or else
// m's normal.
func (m *Manifold) InheritRolling(old []Manifold) {
	for j := range old {
		if m.Points[0].Feature == old[j].Points[0].Feature || m.Normal.Dot(old[j].Normal) >= SameNormal {
			m.RollImpulse = old[j].RollImpulse
			return
		}
	}
}

// Escaping reports whether a shape with these manifolds was on its way to a free spot. It continues
// as long as it is deep anywhere, or the next step would undo the last.
func Escaping(old []Manifold) bool {
	return len(old) == 1 && old[0].Points[0].Feature.Kind == Escape
}

// HashAll adds the state of the manifolds that affects later steps.
func HashAll(h *store.Hasher, manifolds []Manifold) {
	for k := range manifolds {
		m := &manifolds[k]
		if m.RollImpulse != 0 {
			h.Word(uint64(math.Float32bits(m.RollImpulse)))
		}
		h.Floats(m.Normal.X, m.Normal.Y)
		for j := range m.N {
			p := &m.Points[j]
			h.Float(p.Separation)
			h.Word(uint64(math.Float32bits(p.NormalImpulse))<<32 | uint64(math.Float32bits(p.TangentImpulse)))
		}
	}
}
