package quarry

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// BenchmarkPairs measures steps in which contacts begin and end, in a gas of 4,000 elastic discs: contacts are added,
// removed, and moved in memory. Once warm they allocate nothing.
func BenchmarkPairs(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			w := NewWorld(Config{NoSleep: true, Workers: workers})
			elastic := ShapeDef{Material: w.AddMaterial(Material{Restitution: 1})}
			for i := range 4000 {
				x, y := i%64, i/64
				id := w.AddBody(BodyDef{
					Type: Dynamic, Position: geom.V(float64(x), float64(y)),
					Velocity: geom.V(float64(i*37%41-20), float64(i*53%41-20)),
				})
				w.AddShape(id, geom.Circle{Radius: 0.3}, elastic)
			}
			walls := w.AddBody(BodyDef{})
			for _, side := range [][2]geom.Vec{
				{geom.V(-1, -1), geom.V(65, -1)},
				{geom.V(65, -1), geom.V(65, 64)},
				{geom.V(65, 64), geom.V(-1, 64)},
				{geom.V(-1, 64), geom.V(-1, -1)},
			} {
				w.AddShape(walls, geom.Segment{A: side[0], B: side[1]}, elastic)
			}
			for range 300 {
				w.Step(1. / 60)
			}
			begun := 0
			b.ReportAllocs()
			for b.Loop() {
				w.Step(1. / 60)
				begun += len(w.ContactBegins())
			}
			b.ReportMetric(float64(begun)/float64(b.N), "begun/op")
		})
	}
}
