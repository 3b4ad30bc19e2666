package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

func BenchmarkHulls(b *testing.B) {
	box := NewHull(geom.NewBox(0.5, 0.5))
	rounded := NewHull(geom.NewRoundedBox(0.4, 0.4, 0.1))
	circle := NewHull(geom.Circle{Radius: 0.5})
	capsule := NewHull(geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.5})
	above := geom.Transform{P: geom.V(0.2, 0.998), Q: geom.NewRot(0.001)}
	for _, c := range []struct {
		name string
		a, b *Hull
		at   geom.Transform
	}{
		{"box-box", &box, &box, above},
		{"box-box-apart", &box, &box, geom.Transform{P: geom.V(0.9, 0.9), Q: geom.NewRot(0.8)}},
		{"rounded-rounded", &rounded, &rounded, above},
		{"rounded-corner", &rounded, &rounded, geom.Transform{P: geom.V(0.93, 0.93), Q: geom.NewRot(0.1)}},
		{"capsule-capsule", &capsule, &capsule, above},
		{"box-circle", &box, &circle, above},
		{"circle-box", &circle, &box, above},
		{"circle-circle", &circle, &circle, above},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var m Manifold
			for b.Loop() {
				Hulls(&m, c.a, c.b, c.at, margin)
			}
		})
	}
}

func BenchmarkFaceHull(b *testing.B) {
	box := NewHull(geom.NewBox(0.5, 0.5))
	rounded := NewHull(geom.NewRoundedBox(0.4, 0.4, 0.1))
	circle := NewHull(geom.Circle{Radius: 0.5})
	capsule := NewHull(geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.5})
	flat := Face{A: geom.V(1, 0), B: geom.V(0, 0), Ghost1: geom.V(2, 0), Ghost2: geom.V(-1, 0), HasGhost1: true, HasGhost2: true}
	roof := flat
	roof.Ghost2 = geom.V(-1, -1)
	for _, c := range []struct {
		name string
		f    *Face
		h    *Hull
		at   geom.Transform
	}{
		{"circle", &flat, &circle, geom.At(geom.V(0.4, 0.498))},
		{"circle-corner", &roof, &circle, geom.At(geom.V(-0.1, 0.48))},
		{"box", &flat, &box, geom.Transform{P: geom.V(0.6, 0.498), Q: geom.NewRot(0.001)}},
		{"box-seam", &flat, &box, geom.At(geom.V(1.498, 0.498))},
		{"box-corner", &roof, &box, geom.Transform{P: geom.V(-0.1, 0.5), Q: geom.NewRot(0.2)}},
		{"rounded", &flat, &rounded, geom.Transform{P: geom.V(0.6, 0.498), Q: geom.NewRot(0.001)}},
		{"capsule", &flat, &capsule, geom.Transform{P: geom.V(0.6, 0.498), Q: geom.NewRot(0.001)}},
		{"behind", &flat, &box, geom.At(geom.V(0.6, -0.498))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var m Manifold
			for b.Loop() {
				FaceHull(&m, c.f, c.h, c.at, margin)
			}
		})
	}
}

// TestNoAllocation: the lowest of a deep overlap has a closure, which must not
// escape.
func TestNoAllocation(t *testing.T) {
	var hulls []Hull
	for _, name := range []string{"box", "circle", "capsule", "rounded", "triangle"} {
		hulls = append(hulls, sliders()[name])
	}
	f := Face{A: geom.V(1, 0), B: geom.V(0, 0), Ghost1: geom.V(2, -1), HasGhost1: true}
	var m Manifold
	i := 0.0
	if n := testing.AllocsPerRun(10, func() {
		for j := range hulls {
			for range 20 {
				i++
				at := geom.Transform{P: geom.V(math.Sin(i), math.Cos(3*i)), Q: geom.NewRot(i)}
				FaceHull(&m, &f, &hulls[j], at, margin)
				for k := range hulls {
					Hulls(&m, &hulls[j], &hulls[k], at, margin)
				}
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
