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
	segment := NewHull(geom.Segment{A: geom.V(-0.5, 0), B: geom.V(0.5, 0)})
	oct := octagon()
	above := geom.Transform{P: geom.V(0.2, 0.998), Q: geom.NewRot(0.001)}
	half := geom.Transform{P: geom.V(0.2, 0.498), Q: geom.NewRot(0.001)}
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
		{"octagon-octagon", &oct, &oct, geom.Transform{P: geom.V(0.1, 0.92), Q: geom.NewRot(0.001)}},
		{"box-capsule", &box, &capsule, above},
		{"box-segment", &box, &segment, half},
		{"segment-circle", &segment, &circle, half},
		{"segment-circle-end", &segment, &circle, geom.At(geom.V(0.7, 0.4))},
		{"capsule-circle", &capsule, &circle, above},
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

// octagon has all the vertices that a polygon may.
func octagon() Hull {
	var pts [8]geom.Vec
	for i := range pts {
		s, c := geom.SinCos((float64(i) + 0.5) * math.Pi / 4)
		pts[i] = geom.V(0.5*c, 0.5*s)
	}
	p, err := geom.NewPolygon(pts[:], 0)
	if err != nil {
		panic(err)
	}
	return NewHull(p)
}

// BenchmarkHullsMixed is boxes at poses of all kinds, which no branch predictor
// learns: the others are at one pose.
func BenchmarkHullsMixed(b *testing.B) {
	d := newDice(99)
	const n = 512
	type pose struct {
		a, b Hull
		at   geom.Transform
	}
	poses := make([]pose, n)
	for i := range poses {
		p := &poses[i]
		for p.at == (geom.Transform{}) {
			p.a, p.b = NewHull(geom.NewBox(d.within(0.2, 1), d.within(0.2, 1))), NewHull(geom.NewBox(d.within(0.2, 1),
				d.within(0.2, 1)))
			at := d.beside(&p.a, &p.b)
			var m Manifold
			if Hulls(&m, &p.a, &p.b, at, margin); m.N > 0 {
				p.at = at
			}
		}
	}
	b.Run("box-box", func(b *testing.B) {
		b.ReportAllocs()
		var m Manifold
		i := 0
		for b.Loop() {
			p := &poses[i&(n-1)]
			i++
			Hulls(&m, &p.a, &p.b, p.at, margin)
		}
	})
}

func BenchmarkFaceHull(b *testing.B) {
	box := NewHull(geom.NewBox(0.5, 0.5))
	rounded := NewHull(geom.NewRoundedBox(0.4, 0.4, 0.1))
	circle := NewHull(geom.Circle{Radius: 0.5})
	capsule := NewHull(geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.5})
	flat := Face{
		A: geom.V(1, 0), B: geom.V(0, 0), Ghost1: geom.V(2, 0), Ghost2: geom.V(-1, 0), HasGhost1: true,
		HasGhost2: true,
	}
	run := Face{
		A: geom.V(12, 0), B: geom.V(-1, 0), Ghost1: geom.V(12, 1), Ghost2: geom.V(-1, 1), HasGhost1: true,
		HasGhost2: true,
	}
	wide := NewHull(geom.NewBox(5, 0.5))
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
		{"box-ten-tiles", &run, &wide, geom.Transform{P: geom.V(5.3, 0.498), Q: geom.NewRot(0.0001)}},
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
