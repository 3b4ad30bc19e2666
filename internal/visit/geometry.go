// Package visit visits values of package geom, and numbers of configurations, for hashes and snapshots; see
// pool.Codec.
package visit

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/pool"
)

// Geometry visits s, one of geom's shapes by value. A reader refuses a shape that is not valid.
func Geometry(c *pool.Codec, s *geom.Shape) {
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
	pool.Up(c, &kind, 3)
	switch kind {
	case 0:
		Vecs(c, &circle.Center)
		c.Float(&circle.Radius)
	case 1:
		Vecs(c, &capsule.A, &capsule.B)
		c.Float(&capsule.Radius)
	case 2:
		pool.Up(c, &polygon.N, geom.MaxVertices)
		for i := range polygon.N {
			Vecs(c, &polygon.Vertices[i], &polygon.Normals[i])
		}
		Vecs(c, &polygon.Centroid)
		c.Float(&polygon.Radius)
	case 3:
		Vecs(c, &segment.A, &segment.B)
	}
	if c.Reading() && c.Err() == nil {
		*s = [...]geom.Shape{circle, capsule, polygon, segment}[kind]
		if err := (*s).Valid(); err != nil {
			c.Refuse("%v", err)
		}
	}
}

// Vecs visits each v, which is finite.
func Vecs(c *pool.Codec, vs ...*geom.Vec) {
	for _, v := range vs {
		c.Floats(&v.X, &v.Y)
	}
}

// Transform visits t, whose rotation is one.
func Transform(c *pool.Codec, t *geom.Transform) {
	Vecs(c, &t.P)
	Rot(c, &t.Q)
}

// Rot visits q, which is a rotation.
func Rot(c *pool.Codec, q *geom.Rot) {
	c.Floats(&q.C, &q.S)
	l := float64(q.C*q.C) + float64(q.S*q.S)
	c.Need(l > 0.999 && l < 1.001, "the rotation %v has the length %v squared", *q, l)
}

// Box visits b.
func Box(c *pool.Codec, b *geom.AABB) { Vecs(c, &b.Min, &b.Max) }
