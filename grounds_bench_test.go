package quarry

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// BenchmarkFallingGrounds is a step of 1,000 grounds of 10 x 5 tiles, or boxes of that size, that fall on terrain of tiles and
// come to rest there, over the first 300 steps.
func BenchmarkFallingGrounds(b *testing.B) {
	for _, tiles := range []bool{true, false} {
		b.Run(fmt.Sprintf("tiles=%v", tiles), func(b *testing.B) {
			b.ReportAllocs()
			k := 300
			var w *World
			for b.Loop() {
				if k == 300 {
					b.StopTimer()
					k = 0
					w = NewWorld(Config{Gravity: geom.V(0, -10), Workers: 1})
					g := gridseg.New(nil)
					for x := range int32(700) {
						_ = g.Fill(gridseg.Rect{MinX: x, MinY: -4, MaxX: x, MaxY: (x / 40) % 3}, gridseg.Tile{Shape: gridseg.Full})
					}
					if _, err := w.AddGround(0, GroundDef{Grid: g}); err != nil {
						b.Fatal(err)
					}
					for i := range 1000 {
						p := geom.V(float64(i%50)*13+10, 5+float64(i/50)*8)
						if !tiles {
							p = p.Add(geom.V(5, 2.5))
						}
						id := w.AddBody(BodyDef{Type: Dynamic, Position: p, Angle: 0.01 * float64(i%7)})
						if !tiles {
							w.AddShape(id, geom.NewBox(5, 2.5), ShapeDef{})
						} else if _, err := w.AddGround(id, GroundDef{Grid: tileBlock(10, 5)}); err != nil {
							b.Fatal(err)
						}
					}
					b.StartTimer()
				}
				w.Step(1.0 / 60)
				k++
			}
		})
	}
}
