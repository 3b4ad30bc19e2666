package worldtest

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Slider is a shape with a flat or round bottom, about one unit wide at size 1.
type Slider struct {
	Name string
	// Shape returns the shape, and the height of its origin when it lies on level ground.
	Shape func(size float64) (geom.Shape, float64)
}

// Sliders returns a box, a plank, a circle, a capsule, a rounded box, and a regular
// polygon of each number of vertices, on an edge.
func Sliders() []Slider {
	all := []Slider{
		{"box", func(s float64) (geom.Shape, float64) { return geom.NewBox(s/2, s/2), s / 2 }},
		{"plank", func(s float64) (geom.Shape, float64) { h := max(0.005, s/40); return geom.NewBox(s/2, h), h }},
		{"circle", func(s float64) (geom.Shape, float64) { return geom.Circle{Radius: s / 2}, s / 2 }},
		{"capsule", func(s float64) (geom.Shape, float64) {
			return geom.Capsule{A: geom.V(-s/4, 0), B: geom.V(s/4, 0), Radius: s / 4}, s / 4
		}},
		{"rounded box", func(s float64) (geom.Shape, float64) {
			return geom.NewRoundedBox(0.35*s, 0.35*s, 0.15*s), s / 2
		}},
	}
	for n := 3; n <= geom.MaxVertices; n++ {
		all = append(all, Slider{fmt.Sprintf("%d-gon", n), func(s float64) (geom.Shape, float64) {
			points := make([]geom.Vec, n)
			for i := range points { // one edge at the bottom
				points[i] = geom.NewRot(-math.Pi/2 + math.Pi*float64(2*i+1)/float64(n)).Apply(geom.V(s/2, 0))
			}
			p, err := geom.NewPolygon(points, 0)
			if err != nil {
				panic(err)
			}
			low := 0.0
			for i := range p.N {
				low = max(low, -p.Vertices[i].Y)
			}
			return p, low
		}})
	}
	return all
}
