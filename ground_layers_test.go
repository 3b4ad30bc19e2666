package quarry

import (
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/gridtest"
)

// TestLayersAreNothingToABody: ground of two layers that preserve each other stops a
// body just as the same tiles of one layer do, wherever it is and however deep: what
// was deep was pushed off the border of the cells under it, where the other side of a
// kept face was not looked at.
func TestLayersAreNothingToABody(t *testing.T) {
	met := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 77))
		var contacts [2]*contactState
		var worlds [2]*World
		grids := [2]*gridseg.Grid{gridseg.New(nil), gridseg.New(nil)}
		if err := grids[0].Preserve(0, 1); err != nil {
			t.Fatal(err)
		}
		high := int32(10)
		for x := range int32(40) {
			if seed%2 == 0 && r.IntN(3) == 0 {
				high = max(6, min(14, high+r.Int32N(5)-2))
			}
			for y := range high {
				tile := gridseg.Tile{Shape: gridseg.Full, Layer: uint8(r.IntN(2))}
				if y == high-1 && r.IntN(6) == 0 && seed%2 == 0 {
					tile.Shape, tile.Turn = gridseg.Ramp, gridseg.Turn(r.IntN(8))
				}
				_ = grids[0].Set(x, y, tile)
				tile.Layer = 0
				_ = grids[1].Set(x, y, tile)
			}
		}
		shape, angle := gridtest.Shape(r), 6*r.Float64()
		for k := range worlds {
			w := NewWorld(Config{})
			if _, err := w.AddGround(0, GroundDef{Grid: grids[k]}); err != nil {
				t.Fatal(err)
			}
			id := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(20, 30), Angle: angle})
			w.AddShape(id, shape, ShapeDef{})
			slot, _ := w.bodies.Find(uint64(id))
			worlds[k], contacts[k] = w, onGround(w, w.bodies.At(slot))
		}
		for range 60 {
			p, turn := geom.V(5+30*r.Float64(), 7+8*r.Float64()), geom.NewRot(6*r.Float64())
			if r.IntN(2) == 0 {
				turn = geom.Identity
			}
			for k, w := range worlds {
				b := w.bodies.At(contacts[k].bodyB)
				b.center, b.rot, b.velocity = p, turn, geom.V(0, 2*pushSpeed)
				contacts[k].manifolds = contacts[k].manifolds[:0]
				w.touchGround(contacts[k])
			}
			a, b := contacts[0].manifolds, contacts[1].manifolds
			same := len(a) == len(b)
			for i := range a {
				if !same {
					break
				}
				met++
				for j := range a[i].N {
					a[i].Points[j].Source.Tile.Layer = 0
				}
				same = sameBits(a[i], b[i])
			}
			if !same {
				t.Fatalf("world %d, %T at %v: of layers\n%+v\nof one\n%+v", seed, shape, p, a, b)
			}
		}
	}
	if met < 1000 {
		t.Errorf("%d manifolds", met)
	}
}
