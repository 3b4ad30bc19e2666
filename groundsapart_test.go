package quarry

import (
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/narrow"
)

// TestGroundsApart: grounds that are apart, and are not compared until they have moved far enough, behave as grounds
// that are compared in each step, whichever tiles are built and dug near them.
func TestGroundsApart(t *testing.T) {
	skipped := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 8))
		var worlds [2]*World
		for k := range worlds {
			w := NewWorld(Config{Gravity: geom.V(0, -3), Workers: 1})
			floor := gridseg.New(nil)
			_ = floor.Fill(gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
			if _, err := w.AddGround(0, GroundDef{Grid: floor}); err != nil {
				t.Fatal(err)
			}
			worlds[k] = w
		}
		for range 10 {
			d := BodyDef{
				Type: Dynamic, Position: geom.V(24*r.Float64()-12, 12*r.Float64()+2), Angle: 7 * r.Float64(),
				Velocity: geom.V(4*r.Float64()-2, 0), AngularVelocity: 2*r.Float64() - 1,
			}
			size := gridseg.Rect{MaxX: r.Int32N(4), MaxY: r.Int32N(3)}
			for _, w := range worlds {
				g := gridseg.New(nil)
				_ = g.Fill(size, gridseg.Tile{Shape: gridseg.Full})
				if _, err := w.AddGround(w.AddBody(d), GroundDef{Grid: g}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for step := range 240 {
			which, x, y, tile := r.IntN(3), r.Int32N(24)-12, r.Int32N(6), gridseg.Tile{}
			if r.IntN(3) > 0 {
				tile.Shape = gridseg.Full
			}
			for k, w := range worlds {
				if step%8 == 0 && which > 0 {
					for g := range w.Grounds() { // the floor is the first one
						if err := g.Set(x, y, tile); err != nil {
							t.Fatal(err)
						}
						break
					}
				}
				for _, c := range w.state.Contacts.All() {
					if c.OfGrounds() && !c.Touching {
						if k == 1 {
							c.Last = narrow.Last{}
						} else if c.Last.Known() {
							skipped++
						}
					}
				}
				w.Step(1.0 / 60)
			}
			if worlds[0].Hash() != worlds[1].Hash() {
				t.Fatalf("seed %d, step %d: another world", seed, step)
			}
		}
	}
	if skipped < 5000 {
		t.Errorf("only %d contacts were apart", skipped)
	}
}
