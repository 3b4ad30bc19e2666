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
	for m, r := range []gridseg.Rect{{MinX: 0, MinY: -50, MaxX: 199, MaxY: -3}, {MinX: 0, MinY: -2, MaxX: 199, MaxY: -1}} {
		if err := g.Fill(r, full(uint16(m))); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: g}); err != nil {
		b.Fatal(err)
	}
	shapes := []geom.Shape{geom.Circle{Radius: 0.4}, geom.NewBox(0.4, 0.4), geom.NewRoundedBox(0.2, 0.3, 0.1)}
	for i := range 2000 {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(i%200)+0.5, float64(i/200)+0.5), Angle: float64(i)})
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
