package pool

import (
	"github.com/quarry2d/quarry/geom"
)

// Geometry visits s, one of geom's shapes by value. A reader refuses a shape that is not valid.
func (c *Codec) Geometry(s *geom.Shape) {
	var kind uint8
	var circle geom.Circle
	var capsule geom.Capsule
	var polygon geom.Polygon
	var segment geom.Segment
	switch g := (*s).(type) {
	case geom.Circle:
		kind, circle = 0, g
	case geom.Capsule:
		kind, capsule = 1, g
	case geom.Polygon:
		kind, polygon = 2, g
	case geom.Segment:
		kind, segment = 3, g
	}
	Up(c, &kind, 3)
	switch kind {
	case 0:
		c.Vecs(&circle.Center)
		c.Float(&circle.Radius)
	case 1:
		c.Vecs(&capsule.A, &capsule.B)
		c.Float(&capsule.Radius)
	case 2:
		Up(c, &polygon.N, geom.MaxVertices)
		for i := range polygon.N {
			c.Vecs(&polygon.Vertices[i], &polygon.Normals[i])
		}
		c.Vecs(&polygon.Centroid)
		c.Float(&polygon.Radius)
	case 3:
		c.Vecs(&segment.A, &segment.B)
	}
	if c.Reading() && c.Err() == nil {
		*s = [...]geom.Shape{circle, capsule, polygon, segment}[kind]
		if err := (*s).Valid(); err != nil {
			c.Refuse("%v", err)
		}
	}
}

// Vecs visits each v, which is finite.
func (c *Codec) Vecs(vs ...*geom.Vec) {
	for _, v := range vs {
		c.Floats(&v.X, &v.Y)
	}
}

// Transform visits t, whose rotation is one.
func (c *Codec) Transform(t *geom.Transform) {
	c.Vecs(&t.P)
	c.Rot(&t.Q)
}

// Rot visits q, which is a rotation.
func (c *Codec) Rot(q *geom.Rot) {
	c.Floats(&q.C, &q.S)
	l := float64(q.C*q.C) + float64(q.S*q.S)
	c.Need(l > 0.999 && l < 1.001, "the rotation %v has the length %v squared", *q, l)
}

// Box visits b.
func (c *Codec) Box(b *geom.AABB) { c.Vecs(&b.Min, &b.Max) }
