package worldtest

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Buried returns the depth of b in the solid of g, in units of length: the largest over
// the centroid and the vertices of each shape, and points at nine tenths of the way from
// the centroid to its rim. It is 0 if none of them is in solid.
func Buried(g quarry.Ground, b quarry.Body) float64 {
	deepest := 0.0
	look := func(p geom.Vec) { // p is in the ground's frame
		if !g.Solid(g.Transform().Apply(p)) {
			return
		}
		if near, ok := g.Grid().Nearest(p.X, p.Y, math.Inf(1)); ok {
			deepest = max(deepest, near.Distance)
		}
	}
	at := g.Transform().InvMul(b.Transform())
	for s := range b.Shapes() {
		core, radius := Core(s.Geometry())
		middle := geom.Vec{}
		for _, v := range core {
			middle = middle.MulAdd(1/float64(len(core)), v)
		}
		look(at.Apply(middle))
		for _, v := range core {
			look(at.Apply(v))
			for k := range 8 {
				rim := v.MulAdd(radius, geom.NewRot(float64(k)*math.Pi/4).Apply(geom.V(1, 0)))
				look(at.Apply(middle.Lerp(rim, 0.9)))
			}
		}
	}
	return deepest
}

// Core returns the vertices of a shape and the radius of its rounding. The slice of a polygon is its own.
func Core(s geom.Shape) (core []geom.Vec, radius float64) {
	switch s := s.(type) {
	case geom.Circle:
		return []geom.Vec{s.Center}, s.Radius
	case geom.Capsule:
		return []geom.Vec{s.A, s.B}, s.Radius
	case geom.Polygon:
		return append(core, s.Vertices[:s.N]...), s.Radius
	}
	return nil, 0
}
