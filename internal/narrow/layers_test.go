package narrow

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
		var rigs [2]*rig
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
		shape := gridtest.Shape(r)
		for k := range rigs {
			grids[k].Resolve()
			rigs[k] = newRig(grids[k], shape)
		}
		for range 60 {
			p, turn := geom.V(5+30*r.Float64(), 7+8*r.Float64()), geom.NewRot(6*r.Float64())
			if r.IntN(2) == 0 {
				turn = geom.Identity
			}
			for _, g := range rigs {
				g.center, g.rot, g.memory.Manifolds = p, turn, g.memory.Manifolds[:0]
				g.touch()
			}
			a, b := rigs[0].memory.Manifolds, rigs[1].memory.Manifolds
			same := len(a) == len(b)
			for i := range a {
				if !same {
					break
				}
				met++
				for j := range a[i].N {
					a[i].Sources[j].Tile.Layer = 0
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
