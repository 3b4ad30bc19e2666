package gridseg

import (
	"slices"
	"testing"
)

// TestReusedChunk empties a chunk and uses its memory again: Resolve panicked with "slice
// bounds out of range", because cells without segments kept the index of their old run in a
// pool that had been reset. Two blocks are the smallest case; in the other, a player
// digs out a whole chunk and builds in it again.
func TestReusedChunk(t *testing.T) {
	block, all := Tile{Shape: Full}, Rect{MinX: 0, MinY: 0, MaxX: chunkMask, MaxY: chunkMask}
	two, one := Rect{MinX: 0, MinY: 0, MaxX: 1, MaxY: 0}, Rect{MinX: 1, MinY: 0, MaxX: 1, MaxY: 0}
	for _, c := range []struct {
		name  string
		edits []placedRect
	}{
		{"two blocks, then one of them for a moment", []placedRect{
			{two, block, true},
			{two, Tile{}, true},
			{one, block, false},
			{one, Tile{}, true},
		}},
		{"ramps, then blocks, then another material", []placedRect{
			{all, Tile{Shape: Ramp}, true},
			{all, Tile{}, true},
			{all, block, true},
			{Rect{MinX: 7, MinY: 7, MaxX: 7, MaxY: 7}, Tile{Shape: Full, Material: 1}, true},
		}},
	} {
		g, m, w := New(nil), mirror{}, newWorld(NewShapes())
		for _, e := range c.edits {
			if err := g.Fill(e.r, e.t); err != nil {
				t.Fatal(err)
			}
			for _, at := range cellsIn(e.r) {
				w.set(at, e.t)
			}
			if !e.resolve {
				continue
			}
			d := g.Resolve()
			m.take(t, &d)
			m.equals(t, g)
			w.check(t, g)
		}
		// Law 4: a grid without this history has the same segments.
		f := New(nil)
		for at, tile := range g.Tiles(everywhere) {
			build(t, f, placed{at.X, at.Y, tile})
		}
		if !slices.Equal(g.AppendSegments(nil, everywhere), f.AppendSegments(nil, everywhere)) {
			t.Errorf("%s: history shows", c.name)
		}
	}
}

// placedRect is a tile in every cell of a rectangle, and whether Resolve comes next.
type placedRect struct {
	r       Rect
	t       Tile
	resolve bool
}

// TestEmptyCellsHoldNoRun: a cell without segments has the zero block, also after segments
// were removed; a chunk needs nothing else to be used again.
func TestEmptyCellsHoldNoRun(t *testing.T) {
	g := New(nil)
	for k := range 4 {
		if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 15, MaxY: 15}, Tile{Shape: Ramp, Turn: Turn(k)}); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: int32(7 + k), MaxY: 15}, Tile{Shape: Full}); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		for _, c := range g.chunks {
			for i := range c.at {
				if !c.flag[hasSegments].has(i) && c.at[i] != (block{}) {
					t.Fatalf("cell %v has no segments, and the block %+v", c.cell(i), c.at[i])
				}
			}
		}
	}
}
