package gridseg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestTopsAmongLayers: where GatherTops reports that there are only tops, among preserved
// layers or not, its runs equal the runs of the same tiles without layers, and AppendMaterials
// appends the materials along them.
func TestTopsAmongLayers(t *testing.T) {
	var rs, want Runs
	simple, runs := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		g, h := New(nil), New(nil)
		if err := g.Preserve(0, 1); err != nil {
			t.Fatal(err)
		}
		o := Cell{X: -20, Y: -20}
		if seed%5 == 4 {
			o = Cell{X: 1<<31 - 40, Y: -1 << 31}
		}
		edit := func(at Rect, tile Tile) {
			if tile.Shape == 0 {
				tile = Tile{}
			}
			_ = g.Fill(at, tile)
			tile.Layer = 0
			_ = h.Fill(at, tile)
		}
		for x := range int32(40) {
			full := Tile{Shape: Full, Layer: uint8(r.IntN(2)), Material: uint16(r.IntN(3))}
			edit(Rect{MinX: o.X + x, MinY: o.Y, MaxX: o.X + x, MaxY: o.Y + 18 + max(0, r.Int32N(40)-38)}, full)
		}
		for range 40 {
			for range r.IntN(3) {
				x, y := o.X+r.Int32N(40), o.Y+r.Int32N(22)
				tile := Tile{Shape: ShapeID(r.IntN(4)), Layer: uint8(r.IntN(2)), Material: uint16(r.IntN(3))}
				edit(Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}, tile)
			}
			if r.IntN(4) > 0 {
				g.Resolve()
				h.Resolve()
			}
			for range 10 {
				x, y := o.X+r.Int32N(36), o.Y+12+r.Int32N(10)
				at := Rect{MinX: x, MinY: y, MaxX: min(x+r.Int32N(12), o.X+39), MaxY: y + r.Int32N(5)}
				for _, from := range []*Grid{g, h} {
					if !from.Engine(lattice.Key{}).GatherTops(&rs, at) {
						continue
					}
					simple++
					want.Gather(h, at)
					if len(rs.List) != len(want.List) {
						t.Fatalf("seed %d, %v: runs %+v, want %+v", seed, at, rs.List, want.List)
					}
					for k := range rs.List {
						runs++
						a, b := rs.List[k], want.List[k]
						a.from, a.to = b.from, b.to
						if a != b {
							t.Fatalf("seed %d, %v: run %+v, want %+v", seed, at, a, b)
						}
						var lie []uint16
						for x := b.A.X/Unit - 1; x >= b.B.X/Unit; x-- {
							lie = append(lie, from.Tile(int32(x), int32(b.A.Y/Unit-1)).Material)
						}
						told := g.Engine(lattice.Key{}).AppendMaterials(&rs, nil, &rs.List[k])
						slices.Sort(lie)
						slices.Sort(told)
						if !slices.Equal(slices.Compact(lie), slices.Compact(told)) {
							t.Fatalf("seed %d, %v: materials %v, want %v", seed, at, told, lie)
						}
					}
				}
			}
		}
	}
	if runs < 500 {
		t.Errorf("%d rectangles with %d runs", simple, runs)
	}
}
