package quarry_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// FuzzBreak edits a static and a moving ground that break, in any order, and steps: no part is lost, and a snapshot
// goes on the same way.
func FuzzBreak(f *testing.F) {
	f.Add([]byte{0, 10, 3, 4, 1, 40, 3, 9, 2, 5, 5, 8, 3, 0, 0, 0})
	f.Add([]byte{5, 200, 3, 7, 6, 90, 90, 7, 7, 1, 1, 1, 3, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		r := gridseg.Rect{MinX: 0, MinY: 0, MaxX: 11, MaxY: 7}
		var grounds [2]quarry.Ground
		for k, kind := range []quarry.BodyType{quarry.Static, quarry.Dynamic} {
			_, grounds[k] = addBlocks(t, w, quarry.BodyDef{Type: kind, Position: geom.V(0, 12*float64(k))},
				quarry.GroundDef{
					Grid: tileBlocks(t, r), Breaks: true, MinFragment: 0.2, Anchors: []gridseg.Rect{{
						MinX: 0, MinY: 0,
						MaxX: 2, MaxY: 0,
					}},
				})
		}
		for n := 0; len(data) >= 4 && n < 64; n++ {
			op, x, y, z := data[0], int32(data[1]%12), int32(data[2]%8), float64(data[3])
			data = data[4:]
			g := grounds[op&1]
			at := g.Transform()
			var err error
			switch op >> 1 & 3 {
			case 0:
				err = g.Fill(gridseg.Rect{MinX: x, MinY: 0, MaxX: x, MaxY: y}, gridseg.Tile{})
			case 1:
				p := at.Apply(geom.V(float64(x), float64(y)))
				err = g.Dig(p, p.Add(geom.V(z/32, 1)), 0.1+z/200)
			case 2:
				err = g.Set(x, y, gridseg.Tile{Shape: 1 + gridseg.ShapeID(int(z)%5)})
			default:
				if evs := w.Breaks(); len(evs) > 0 && evs[0].Piece != 0 {
					if _, ok := w.Ground(evs[0].Piece); ok && evs[0].Piece != g.ID() {
						err = g.Join(evs[0].Piece)
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			area := func() (a float64) {
				for g := range w.Grounds() {
					a += g.Grid().SolidArea(gridseg.Rect{
						MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32,
						MaxY: math.MaxInt32,
					}).Cells()
				}
				return a
			}
			before := area()
			o := quarry.NewWorld(quarry.Config{})
			if err := o.Restore(w.AppendSnapshot(nil)); err != nil {
				t.Fatal(err)
			}
			w.Step(1. / 60)
			o.Step(1. / 60)
			if o.Hash() != w.Hash() {
				t.Fatal("the restored world differs")
			}
			for _, ev := range w.Breaks() {
				if ev.Piece == 0 {
					before -= ev.Area
				}
			}
			if after := area(); math.Abs(after-before) > 1e-9 {
				t.Fatalf("the area was %v, and is %v", before, after)
			}
		}
	})
}
