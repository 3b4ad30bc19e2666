package contact

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/pool"
)

// SpeculativeDistance is the distance of two surfaces, in units of length, up to which they have a contact, which
// then only limits their approach. With less than four slops, contacts flicker; with more, bodies collide with
// corners that they have not reached.
const SpeculativeDistance = 4 * geom.LinearSlop

// SameNormal is the cosine of the angle, 18 degrees, up to which two normals at one place count as
// the same. A body seldom turns so far in a step; the normals of a floor and a wall, or of a floor
// and the gentlest built-in slope (27 degrees), differ by more.
const SameNormal = 0.95

// Manifold is one normal with its points, and the impulses that the points keep from step to step: the part of a
// contact that the solver reads. Two shapes have at most one manifold; a shape and a ground or chain have a
// SurfaceManifold for each run or face that the shape touches.
//
// A manifold is 128 bytes, two cache lines (TestManifoldLayout).
type Manifold struct {
	Normal geom.Vec // world axes, unit, from A to B
	Points [2]Point

	IDs         [2]collide.FeatureID // of the points, between two shapes
	RollImpulse float32              // against the difference in spin
	N           int32                // points in use
}

// Point is one point of a manifold.
type Point struct {
	AnchorA, AnchorB geom.Vec // from each centre of mass, world axes
	Separation       float64
	NormalImpulse    float32
	TangentImpulse   float32
}

// Totals holds the impulses of a manifold in the last step of its bodies: of each point along the normal and along the
// tangent. The impulses of a Point are of the last sub-step, for the warm start.
type Totals = [2][2]float32

// SurfaceManifold is a manifold of a contact whose side A is a ground or chain, with the impulses of the step, and the
// features and the sources of its points.
type SurfaceManifold struct {
	Manifold
	Totals   Totals
	Features [2]Feature
	Sources  [2]Source
}

// Source is the place on a ground or chain under a point.
type Source struct {
	Cell     gridseg.Cell // of a ground
	Tile     gridseg.Tile // of a ground
	Segment  int32        // of a chain
	Material uint16       // id in the world's table
}

// FirstSource returns the source of the first point of the manifolds, or a zero one.
func FirstSource(manifolds []SurfaceManifold) *Source {
	if len(manifolds) == 0 {
		return &Source{}
	}
	return &manifolds[0].Sources[0]
}

// MostImpulse returns the largest normal impulse of m's points.
func (m *Manifold) MostImpulse() (most float32) {
	for k := range m.N {
		most = max(most, m.Points[k].NormalImpulse)
	}
	return most
}

// LeastSeparation returns the smallest separation of m's points.
func (m *Manifold) LeastSeparation() float64 {
	s := math.MaxFloat64
	for k := range m.N {
		s = min(s, m.Points[k].Separation)
	}
	return s
}

// Inherit takes the impulses of the point of m with the feature f, which is p's, and reports whether
// there is one.
func (p *Point) Inherit(f *Feature, m *SurfaceManifold) bool {
	for k := range m.N {
		if m.Features[k] == *f {
			p.Take(&m.Points[k])
			return true
		}
	}
	return false
}

// Take takes the impulses of q.
func (p *Point) Take(q *Point) {
	p.NormalImpulse, p.TangentImpulse = q.NormalImpulse, q.TangentImpulse
}

// InheritNear takes the impulses of the point of m at p's place, if there is one. Features alone
// are not enough: where two corners coincide, as in a stack of equal boxes, a tiny slide turns
// vertex on edge into edge on vertex.
func (p *Point) InheritNear(m *Manifold, normal geom.Vec) bool {
	if m.Normal.Dot(normal) < SameNormal {
		return false // a wall's point does not take a floor's impulse
	}
	for k := range m.N {
		if q := &m.Points[k]; q.AnchorA.Sub(p.AnchorA).Len2() < SpeculativeDistance*SpeculativeDistance {
			p.Take(q)
			return true
		}
	}
	return false
}

// InheritRolling takes the rolling impulse of the old manifold that had m's first point, or else
// m's normal.
func (m *SurfaceManifold) InheritRolling(old []SurfaceManifold) {
	for j := range old {
		if m.Features[0] == old[j].Features[0] || m.Normal.Dot(old[j].Normal) >= SameNormal {
			m.RollImpulse = old[j].RollImpulse
			return
		}
	}
}

// Escaping reports whether a shape with these manifolds was on its way to a free spot. The shape continues as long
// as it is deep anywhere; otherwise the next step would undo the last.
func Escaping(old []SurfaceManifold) bool {
	return len(old) == 1 && old[0].Features[0].Kind == Escape
}

// Visit visits m, which has at least one point.
func (m *Manifold) Visit(c *pool.Codec) {
	c.Single(&m.RollImpulse)
	c.Floats(&m.Normal.X, &m.Normal.Y)
	if !c.Hashing() {
		pool.Up(c, &m.N, 2)
		c.Need(m.N > 0 && math.Abs(m.Normal.Len2()-1) < 1e-6, "a manifold of %d points with the normal %v", m.N,
			m.Normal)
	}
	for j := range m.N {
		p := &m.Points[j]
		c.Float(&p.Separation)
		c.Singles(&p.NormalImpulse, &p.TangentImpulse)
		if !c.Hashing() {
			c.Floats(&p.AnchorA.X, &p.AnchorA.Y, &p.AnchorB.X, &p.AnchorB.Y)
			pool.Up(c, &m.IDs[j], math.MaxUint64)
		}
	}
}

// VisitTotals visits t, of m, for a snapshot.
func (m *Manifold) VisitTotals(c *pool.Codec, t *Totals) {
	for j := range m.N {
		if c.Has(3) {
			c.Singles(&t[j][0], &t[j][1])
		}
	}
}

// Visit visits m, which has at least one point.
func (m *SurfaceManifold) Visit(c *pool.Codec) {
	if m.Manifold.Visit(c); !c.Hashing() {
		m.VisitTotals(c, &m.Totals)
	}
	for j := range m.N {
		if f, s := &m.Features[j], &m.Sources[j]; !c.Hashing() {
			f.Visit(c)
			s.Visit(c)
		}
	}
}

// Visit visits f, for a snapshot.
func (f *Feature) Visit(c *pool.Codec) {
	pool.Integer(c, &f.X)
	pool.Integer(c, &f.Y)
	pool.Up(c, &f.Kind, uint64(Escape))
	pool.Up(c, &f.Pair, math.MaxUint64)
}

// Visit visits s, for a snapshot.
func (s *Source) Visit(c *pool.Codec) {
	c.Pair(&s.Cell.X, &s.Cell.Y)
	VisitTile(c, &s.Tile)
	c.Pair(&s.Segment, new(int32))
	pool.Up(c, &s.Material, math.MaxUint16)
}

// VisitTile visits t.
func VisitTile(c *pool.Codec, t *gridseg.Tile) {
	pool.Up(c, &t.Shape, uint64(gridseg.Patch))
	pool.Up(c, &t.Turn, 7)
	pool.Up(c, &t.Layer, math.MaxUint8)
	pool.Up(c, &t.Material, math.MaxUint16)
	pool.Up(c, &t.User, math.MaxUint32)
}
