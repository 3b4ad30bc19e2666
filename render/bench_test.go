package render

import (
	"io"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// crowd has 200 x 50 tiles and 2000 bodies.
func crowd(b *testing.B) *quarry.World {
	w := quarry.NewWorld(quarry.Config{})
	g := gridseg.New(nil)
	for m, r := range []gridseg.Rect{{MinX: 0, MinY: -50, MaxX: 199, MaxY: -3}, {
		MinX: 0, MinY: -2, MaxX: 199,
		MaxY: -1,
	}} {
		if err := g.Fill(r, full(uint16(m))); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: g}); err != nil {
		b.Fatal(err)
	}
	shapes := []geom.Shape{geom.Circle{Radius: 0.4}, geom.NewBox(0.4, 0.4), geom.NewRoundedBox(0.2, 0.3, 0.1)}
	for i := range 2000 {
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(float64(i%200)+0.5, float64(i/200)+0.5),
			Angle: float64(i),
		})
		w.AddShape(id, shapes[i%len(shapes)], quarry.ShapeDef{})
	}
	return w
}

func BenchmarkImage(b *testing.B) {
	w := crowd(b)
	for b.Loop() {
		if _, err := Image(w, Options{Grid: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	w := crowd(b)
	for b.Loop() {
		if err := WriteSVG(io.Discard, w, Options{Grid: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecorder(b *testing.B) {
	w := crowd(b)
	rec, err := NewRecorder(Options{Grid: true}, 50)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for id := range w.Bodies() {
			id.SetTransform(id.Position().Add(geom.V(0.01, 0)), 0.1)
		}
		if rec.Frame(w) != nil {
			b.Fatal("full")
		}
	}
}

// BenchmarkChain is a chain of 100,000 points, of which all, or 1,000 cells, are seen.
func BenchmarkChain(b *testing.B) {
	var d quarry.ChainDef
	for i := range 100_000 {
		sin, _ := geom.SinCos(float64(i) / 700)
		d.Points = append(d.Points, geom.V(float64(-i), 300*sin))
	}
	w := quarry.NewWorld(quarry.Config{})
	if _, err := w.AddChain(0, d); err != nil {
		b.Fatal(err)
	}
	for _, v := range []struct {
		name string
		view geom.AABB
	}{{"all", geom.AABB{}}, {"part", view(-1000, -400, 0, 400)}} {
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Image(w, Options{View: v.view}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
