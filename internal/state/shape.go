package state

import (
	"fmt"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/pool"
)

// Shape is a shape on a body: six cache lines (TestShapeLayout). Contacts read the first, boxes of most two.
type Shape struct {
	Proxied
	Extent      float64      // distance of the farthest point of the shape from the hull's centroid
	InnerRadius float64      // radius of the largest disc about the hull's centroid in the shape; see internal/ccd
	Hull        collide.Hull // the vertices and the radius of the shape in the body's frame, for contacts
	broad.Filter
	Geometry geom.Shape
	Density  float64 // 0: massless
	User     uint64
	Prev     int32 // the shape that has this one as its next, -1: none
	_        [4]byte
}

// AABBMargin is the largest margin of a box in the broad phase, in units of length: small motion changes no box.
// The margin of a shape is marginFraction of its extent, and at least leastMargin.
const (
	AABBMargin     = 0.1
	leastMargin    = 0.03
	marginFraction = 0.25
)

// LeastDensity and MostDensity bound densities, so that masses and inertias do not overflow a float64.
const LeastDensity, MostDensity = 1e-30, 1e30

// Margin returns the distance by which the box of s in the broad phase extends beyond its AABB. For small shapes it
// is less than AABBMargin: otherwise a pile of them would have several pairs that do not touch for each pair that
// does.
func (s *Shape) Margin() float64 {
	return min(AABBMargin, max(leastMargin, marginFraction*s.Extent))
}

// Measure sets the sizes of the hull.
func (s *Shape) Measure() {
	s.InnerRadius, s.Extent = s.Hull.InnerRadius(), s.Hull.Extent(s.Hull.Centroid)
}

// HullOf returns the hull of g, an argument of call. It panics if g is not valid.
func HullOf(call string, g geom.Shape) collide.Hull {
	check.NotNil(call, "g", g == nil)
	if err := g.Valid(); err != nil {
		panic("quarry: " + call + ": " + err.Error())
	}
	hull := collide.NewHull(g)
	if hull.N == 0 {
		panic(fmt.Sprintf("quarry: %s: a %T is not one of geom's shapes, by value", call, g))
	}
	return hull
}

// Visit visits s. A reader computes the hull.
func (s *Shape) Visit(c *pool.Codec) {
	of := uint64(uint32(s.Body))<<32 | uint64(s.Material)<<16 | uint64(s.Hull.N)
	c.Word(&of)
	c.Words(&s.Category, &s.Mask)
	c.Rare32('g', &s.Group)
	c.Flag(&s.Sensor)
	if c.Hashing() {
		c.Hasher().Rare('f', uint64(s.Flags&(AskFilter|AskPreSolve|SenseGround)))
	} else {
		pool.Up(c, &s.Flags, uint64(AllFlags))
	}
	s.SensesGround = s.Flags&SenseGround != 0
	c.Positive(&s.Density)
	if c.Hashing() {
		c.Float(&s.Hull.Radius)
		for k := range s.Hull.N {
			c.Vecs(&s.Hull.V[k])
		}
		return
	}
	c.Geometry(&s.Geometry)
	c.Word(&s.User)
	c.Pair(&s.Prev, &s.Next)
	if c.Reading() && c.Err() == nil {
		s.Body, s.Material, s.Hull = int32(of>>32), uint16(of>>16), collide.NewHull(s.Geometry)
		s.Measure()
		c.Need(of&0xffff == uint64(s.Hull.N) && s.Density <= MostDensity, "%d vertices, density %v", of&0xffff,
			s.Density)
	}
}

// RemoveShape removes the shape in slot i and its contacts. The caller updates the body's mass.
func (w *World) RemoveShape(i int32) {
	w.removeProxy(broad.OwnerOf(broad.Shape, i))
	w.unlink(broad.OwnerOf(broad.Shape, i))
	w.Shapes.Remove(i)
}

// MoveShape moves the shape in slot i to another body with the same frame, and ends its contacts. The caller updates
// the masses of both bodies. If the shape is beyond the bounds there, that body is lost, and disabled.
func (w *World) MoveShape(i, to int32) {
	s, o := w.Shapes.At(i), broad.OwnerOf(broad.Shape, i)
	w.removeProxy(o)
	w.unlink(o)
	s.Body = to
	w.Link(o)
	if err := w.AddProxy(o, &s.Proxied, s.Filter,
		s.Geometry.Bounds(w.Bodies.At(to).Transform()).Expand(s.Margin())); err != nil {
		w.shutOut(to)
	}
}
