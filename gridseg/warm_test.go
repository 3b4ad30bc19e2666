package gridseg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNoAllocation is law 5: an edit and its Resolve allocate nothing once warm,
// whether chunks come and go by it or not.
func TestNoAllocation(t *testing.T) {
	g := New(nil)
	fillRamps(t, g, 40)
	g.Resolve()
	r := rand.New(rand.NewPCG(5, 6))
	step := func() {
		c := Cell{X: r.Int32N(44) - 2, Y: r.Int32N(44) - 2}
		tile := Tile{Shape: ShapeID(r.IntN(6)), User: r.Uint32N(3)}
		if tile.Shape == 0 {
			tile = Tile{}
		}
		if g.Set(c.X, c.Y, tile) != nil || g.Clear(200, 200) != nil {
			t.Fatal("refused")
		}
		g.Resolve()
		if g.Set(200, 200, Tile{Shape: Full}) != nil {
			t.Fatal("refused")
		}
		g.Resolve()
	}
	for range 50000 {
		step()
	}
	if n := testing.AllocsPerRun(2000, step); n != 0 {
		t.Errorf("%v allocations an edit", n)
	}
	var dst []Segment
	read := func() { dst = g.AppendSegments(dst[:0], Rect{MinX: 3, MinY: 3, MaxX: 20, MaxY: 20}) }
	read()
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations a query", n)
	}
}

// TestManyEdits checks after many random edits that nothing has grown and that all
// is as if built at once.
func TestManyEdits(t *testing.T) {
	const side, edits = 30, 200000
	shapes := gallery(t)
	g := New(shapes)
	r := rand.New(rand.NewPCG(7, 8))
	room := func() (n int) {
		for _, c := range g.chunks {
			n += cap(c.pool.segs)
		}
		return n
	}
	half := 0
	for k := range edits {
		tile := Tile{Shape: ShapeID(r.IntN(shapes.Len() + 1)), Turn: Turn(r.IntN(8)), User: r.Uint32N(2)}
		if tile.Shape == 0 {
			tile = Tile{}
		}
		if err := g.Set(r.Int32N(side), r.Int32N(side), tile); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		if k == edits/2 {
			half = room()
		}
	}
	if end := room(); end > half*5/4 {
		t.Errorf("room for %d segments after half of the edits, for %d after all", half, end)
	}
	f := New(shapes)
	for c, tile := range g.Tiles(everywhere) {
		if err := f.Set(c.X, c.Y, tile); err != nil {
			t.Fatal(err)
		}
	}
	f.Resolve()
	if !slices.Equal(f.AppendSegments(nil, everywhere), g.AppendSegments(nil, everywhere)) || f.Hash() != g.Hash() {
		t.Error("history shows")
	}
}

// TestNoAllocationBesidePolygons: cells of polygons cost the edits of tiles beside them
// no memory.
func TestNoAllocationBesidePolygons(t *testing.T) {
	g := New(nil)
	if err := g.Preserve(0, 1); err != nil {
		t.Fatal(err)
	}
	fillRamps(t, g, 40)
	for y := int32(1); y < 40; y += 3 {
		for x := int32(1); x < 40; x += 2 {
			hole, err := Circle(float64(x)+.5, float64(y)+.5, .25)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Subtract(hole); err != nil {
				t.Fatal(err)
			}
			if err := g.Unite(hole, Attr{Layer: uint8(y & 1)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	g.Resolve()
	r := rand.New(rand.NewPCG(5, 6))
	step := func() {
		c := Cell{X: r.Int32N(40), Y: r.Int32N(14) * 3}
		tile := Tile{Shape: ShapeID(r.IntN(6)), Layer: uint8(r.IntN(2))}
		if tile.Shape == 0 {
			tile = Tile{}
		}
		if g.Set(c.X, c.Y, tile) != nil {
			t.Fatal("refused")
		}
		g.Resolve()
	}
	for range 50000 {
		step()
	}
	if n := testing.AllocsPerRun(2000, step); n != 0 {
		t.Errorf("%v allocations an edit", n)
	}
}

// TestManyStrokes checks that the pool of patches does not grow with strokes, and that
// the grid equals one built at once from the cells' contents.
func TestManyStrokes(t *testing.T) {
	g := New(nil)
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		loops, err := Circle(8*r.Float64()-4, 8*r.Float64()-4, .05+r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			err = g.Unite(loops, Attr{Material: uint16(r.IntN(3))})
		} else {
			err = g.Subtract(loops)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.IntN(4) == 0 {
			g.Resolve()
		}
	}
	g.Resolve()
	// Each cell has one patch, and may have had one more at the Resolve before.
	if n := len(g.patches.list); n > 2*11*11 {
		t.Errorf("%d patches", n)
	}
	checkPolygons(t, g)
}
