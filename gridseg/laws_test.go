package gridseg

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// mirror is a consumer that keeps its own copy of the segments by deltas alone.
type mirror map[SegmentID]Segment

// take applies a delta and refuses one that does not fit.
func (m mirror) take(t rapid.TB, d *Delta) {
	t.Helper()
	cells := lattice.NoCells
	for _, list := range [][]Segment{removedOf(*d), relinkedOf(*d), addedOf(*d)} {
		for i, s := range list {
			cells = lattice.Grow(cells, s.ID.Cell)
			if i > 0 && compareIDs(list[i-1].ID, s.ID) >= 0 {
				t.Fatalf("delta out of order: %v before %v", list[i-1].ID, s.ID)
			}
		}
	}
	if cells != d.Cells {
		t.Fatalf("delta covers %v, says %v", cells, d.Cells)
	}
	gone := map[SegmentID]Segment{}
	for _, s := range removedOf(*d) {
		if old, ok := m[s.ID]; !ok || old != s {
			t.Fatalf("removed\n%+v, was (%v)\n%+v", s, ok, old)
		}
		delete(m, s.ID)
		gone[s.ID] = s
	}
	for _, s := range relinkedOf(*d) {
		old, ok := m[s.ID]
		if !ok || old == s || old.A != s.A || old.B != s.B {
			t.Fatalf("relinked\n%+v, was (%v)\n%+v", s, ok, old)
		}
		m[s.ID] = s
	}
	for _, s := range addedOf(*d) {
		if old, ok := m[s.ID]; ok {
			t.Fatalf("added\n%+v, is there as\n%+v", s, old)
		}
		if old, ok := gone[s.ID]; ok && old.A == s.A && old.B == s.B {
			t.Fatalf("removed and added again: %+v", s)
		}
		m[s.ID] = s
	}
}

// equals refuses a mirror that differs from the grid.
func (m mirror) equals(t rapid.TB, g *Grid) {
	t.Helper()
	segs := g.AppendSegments(nil, everywhere)
	if len(segs) != len(m) {
		t.Fatalf("%d segments, %d by deltas", len(segs), len(m))
	}
	for _, s := range segs {
		if m[s.ID] != s {
			t.Fatalf("by deltas\n%+v, is\n%+v", m[s.ID], s)
		}
	}
}

// origins are places where something may go wrong: amid a chunk, at the corner of
// four, at the ends of the world.
var origins = []Cell{
	{X: 3, Y: 4},
	{X: -2, Y: -2},
	{X: -1 << 31, Y: -1 << 31},
	{X: 1<<31 - 5, Y: 1<<31 - 5},
	{X: -1 << 31, Y: 1<<31 - 5},
	{X: 1<<20 - 1, Y: -1<<24 - 3},
}

const worldSide = 5

func anyTile(shapes *Shapes) *rapid.Generator[Tile] {
	return rapid.Custom(func(t *rapid.T) Tile {
		tile := Tile{Shape: ShapeID(rapid.IntRange(0, shapes.Len()).Draw(t, "shape"))}
		if tile.Shape != 0 {
			tile.Turn = Turn(rapid.IntRange(0, 7).Draw(t, "turn"))
			tile.Layer = uint8(rapid.IntRange(0, 2).Draw(t, "layer"))
			tile.Material = uint16(rapid.IntRange(0, 1).Draw(t, "material"))
			tile.User = uint32(rapid.IntRange(0, 1).Draw(t, "user"))
		}
		return tile
	})
}

// anyGrid returns an empty grid and oracle with none, one or two preserved pairs.
func anyGrid(t *rapid.T, shapes *Shapes) (*Grid, *world) {
	g, w := New(shapes), newWorld(shapes)
	for _, p := range [][][2]uint8{nil, {{0, 1}}, {{0, 1}, {2, 2}}, {{0, 1}, {1, 2}, {0, 0}}}[rapid.IntRange(0,
		3).Draw(t, "preserve")] {
		if err := g.Preserve(p[0], p[1]); err != nil {
			t.Fatal(err)
		}
		w.preserve[p] = true
		w.preserve[[2]uint8{p[1], p[0]}] = true
	}
	return g, w
}

// TestLaws makes random edits and compares grid, delta and oracle with each other after
// every Resolve.
func TestLaws(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g, w := anyGrid(t, shapes)
		m := mirror{}
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		few := rapid.Bool().Draw(t, "few") // Full and Ramp only: such worlds are resolved another way
		var edited []Rect
		at := func() (int32, int32) {
			return o.X + int32(rapid.IntRange(0, worldSide-1).Draw(t, "x")),
				o.Y + int32(rapid.IntRange(0, worldSide-1).Draw(t, "y"))
		}
		for range rapid.IntRange(1, 30).Draw(t, "edits") {
			x, y := at()
			if rapid.IntRange(0, 5).Draw(t, "vacate") == 0 {
				r := rapid.SampledFrom([]Rect{everywhere, chunkOf(Cell{X: x, Y: y})}).Draw(t, "what")
				vacate(t, g, m, w, r)
				edited = edited[:0]
				continue
			}
			tile := anyTile(shapes).Draw(t, "tile")
			if few {
				tile.Shape %= 3
			}
			if tile.Shape == 0 {
				tile = Tile{}
			}
			r := Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				tile = Tile{}
				if err := g.Clear(x, y); err != nil {
					t.Fatal(err)
				}
			case 1:
				r.MaxX, r.MaxY = at()
				if err := g.Fill(r, tile); err != nil != r.Empty() || err != nil && !errors.Is(err, ErrRange) {
					t.Fatal(err)
				}
			default:
				if err := g.Set(x, y, tile); err != nil {
					t.Fatal(err)
				}
			}
			if !r.Empty() {
				edited = append(edited, r)
				for y := int64(r.MinY); y <= int64(r.MaxY); y++ {
					for x := int64(r.MinX); x <= int64(r.MaxX); x++ {
						w.set(Cell{X: int32(x), Y: int32(y)}, tile)
					}
				}
			}
			m.equals(t, g) // before Resolve nothing has changed
			if rapid.IntRange(0, 3).Draw(t, "resolve") > 0 {
				d := g.Resolve()
				m.take(t, &d)
				m.equals(t, g)
				w.check(t, g)
				checkLocal(t, &d, edited)
				edited = edited[:0]
			}
		}
		d := g.Resolve()
		m.take(t, &d)
		w.check(t, g)
		if d := g.Resolve(); !d.Empty() || !d.Cells.Empty() {
			t.Fatalf("resolved twice: %+v", d)
		}
		checkFresh(t, g, w)
		checkEmptied(t, g, m, w)
	})
}

// checkLocal is law 5: all changes lie within 3x3 cells of an edit.
func checkLocal(t rapid.TB, d *Delta, edited []Rect) {
	t.Helper()
	for _, list := range [][]Segment{removedOf(*d), relinkedOf(*d), addedOf(*d)} {
		for _, s := range list {
			c := s.ID.Cell
			if !slices.ContainsFunc(edited, func(r Rect) bool {
				return int64(r.MinX)-1 <= int64(c.X) && int64(c.X) <= int64(r.MaxX)+1 &&
					int64(r.MinY)-1 <= int64(c.Y) && int64(c.Y) <= int64(r.MaxY)+1
			}) {
				t.Fatalf("edits of %v changed %+v", edited, s)
			}
		}
	}
}

// checkFresh is law 4: the tiles of g, laid at once in another order, give the
// same segments, ids, links and hash.
func checkFresh(t *rapid.T, g *Grid, w *world) {
	f := New(g.Shapes())
	f.layers = g.layers
	cells := []Cell{}
	for c, tile := range g.Tiles(everywhere) {
		if w.tiles[c] != tile || g.Tile(c.X, c.Y) != tile || tile.Shape == Patch && !samePolygons(g, c, w.parts[c]) {
			t.Fatalf("tile at %v is %v, want %v", c, tile, w.tiles[c])
		}
		if n := len(cells); n > 0 && compareCells(cells[n-1], c) >= 0 {
			t.Fatalf("tiles out of order at %v", c)
		}
		cells = append(cells, c)
	}
	if len(cells) != len(w.tiles) {
		t.Fatalf("%d tiles, want %d", len(cells), len(w.tiles))
	}
	if b, ok := g.Bounds(); ok != (len(cells) > 0) || ok && b != boundsOf(cells) {
		t.Fatalf("bounds %v, %v of %v", b, ok, cells)
	}
	for _, c := range rapid.Permutation(cells).Draw(t, "order") {
		again := slices.Clone(w.partsOf(c))
		if k := slices.IndexFunc(again, func(p part) bool { return p.tile.Shape != 0 }); k >= 0 {
			if err := f.Set(c.X, c.Y, again[k].tile); err != nil {
				t.Fatal(err)
			}
			again = slices.Delete(again, k, k+1)
		}
		for _, p := range rapid.Permutation(again).Draw(t, "parts") {
			if err := f.Add(c.X, c.Y, p.loops, Attr{p.tile.Layer, p.tile.Material, p.tile.User}); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.Resolve()
	if !slices.Equal(f.AppendSegments(nil, everywhere), g.AppendSegments(nil, everywhere)) {
		t.Fatal("history shows in the segments")
	}
	if f.Hash() != g.Hash() {
		t.Fatal("history shows in the hash")
	}
}

func boundsOf(cells []Cell) Rect {
	b := lattice.NoCells
	for _, c := range cells {
		b = lattice.Grow(b, c)
	}
	return b
}

// vacate clears the cells of r that hold something, and resolves: chunks without a tile go,
// and their memory serves the next ones. (A fault of reused memory was met by one in 185 random
// worlds, and by no test, as long as none of them emptied a chunk.)
func vacate(t rapid.TB, g *Grid, m mirror, w *world, r Rect) {
	t.Helper()
	for _, c := range cellsOf(g, r) {
		if err := g.Clear(c.X, c.Y); err != nil {
			t.Fatal(err)
		}
		w.set(c, Tile{})
	}
	d := g.Resolve()
	m.take(t, &d)
	m.equals(t, g)
	w.check(t, g)
}

// cellsOf returns the cells of r that hold something, in order.
func cellsOf(g *Grid, r Rect) (cells []Cell) {
	for c := range g.Tiles(r) {
		cells = append(cells, c)
	}
	return cells
}

// chunkOf returns the cells of the chunk that c is in.
func chunkOf(c Cell) Rect {
	x, y := c.X&^chunkMask, c.Y&^chunkMask
	return Rect{MinX: x, MinY: y, MaxX: x + chunkMask, MaxY: y + chunkMask}
}

// checkEmptied clears all and finds nothing left.
func checkEmptied(t rapid.TB, g *Grid, m mirror, w *world) {
	t.Helper()
	vacate(t, g, m, w, everywhere)
	if tiles, segments := g.Count(); tiles+segments+len(m)+len(g.chunks)+g.table.n != 0 {
		t.Fatalf("left: %d tiles, %d segments, %d chunks", tiles, segments, len(g.chunks))
	}
	if n := len(g.patches.list) - len(g.patches.free); n != 0 {
		t.Fatalf("left: %d patches", n)
	}
}

// TestRefused is law 6.
func TestRefused(t *testing.T) {
	g := New(nil)
	for x := range int32(4) {
		if err := g.Set(x, x&1, Tile{Shape: Ramp, Turn: Turn(x), User: uint32(x)}); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	if err := g.Set(1, 0, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	before, hash := g.AppendSegments(nil, everywhere), g.Hash()
	for _, c := range []struct {
		name string
		err  error
		kind error
		cell Cell
	}{
		{"shape", g.Set(5, -6, Tile{Shape: 99}), ErrUnknownShape, Cell{X: 5, Y: -6}},
		{"turn", g.Set(0, 0, Tile{Shape: Full, Turn: 8}), errTurn, Cell{}},
		{"no shape", g.Set(0, 0, Tile{Material: 1}), errNoShape, Cell{}},
		{
			"fill shape", g.Fill(Rect{MinX: 1, MinY: 2, MaxX: 9, MaxY: 9}, Tile{Shape: 6}), ErrUnknownShape,
			Cell{X: 1, Y: 2},
		},
		{
			"fill reversed in x", g.Fill(Rect{MinX: 3, MinY: 3, MaxX: 2, MaxY: 9}, Tile{Shape: Full}), ErrRange,
			Cell{X: 3, Y: 3},
		},
		{"fill reversed in y", g.Fill(Rect{MinX: 3, MinY: 3, MaxX: 9, MaxY: 2}, Tile{}), ErrRange, Cell{X: 3, Y: 3}},
		{"fill size", g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 4096, MaxY: 4095}, Tile{Shape: Full}), ErrTooLarge, Cell{}},
		{"fill all", g.Fill(everywhere, Tile{Shape: Full}), ErrTooLarge, Cell{X: -1 << 31, Y: -1 << 31}},
		{"preserve", g.Preserve(0, 1), errNotEmpty, Cell{}},
	} {
		var e *Error
		if !errors.Is(c.err, c.kind) || !errors.As(c.err, &e) || e.Cell != c.cell {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	if !slices.Equal(before, g.AppendSegments(nil, everywhere)) || hash != g.Hash() || g.layers.any() {
		t.Error("a refused edit changed something")
	}
	if d := g.Resolve(); d.Cells.MinX < 0 || d.Cells.MaxX > 2 || d.Empty() {
		t.Errorf("the pending delta is %+v", d)
	}
}

// TestEdited: an edit counts only if it changes a tile or a polygon.
func TestEdited(t *testing.T) {
	g := New(nil)
	full := Tile{Shape: Full, User: 3}
	square := [][]Point{{{X: 0, Y: 0}, {X: Unit, Y: 0}, {X: 0, Y: Unit}}}
	stamp, err := NewStamp(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	stamp.Set(0, 0, full)
	disc, err := Circle(20, 20, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want bool
		edit func() error
	}{
		{"clear what is empty", false, func() error { return g.Clear(0, 0) }},
		{"set", true, func() error { return g.Set(0, 0, full) }},
		{"set the same", false, func() error { return g.Set(0, 0, full) }},
		{"set another user id", true, func() error { return g.Set(0, 0, Tile{Shape: Full}) }},
		{"set back", true, func() error { return g.Set(0, 0, full) }},
		{"fill", true, func() error { return g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 9}, full) }},
		{"fill with the same", false, func() error { return g.Fill(Rect{MinX: 1, MinY: 1, MaxX: 9, MaxY: 8}, full) }},
		{"a buried tile", true, func() error { return g.Set(5, 5, Tile{Shape: Full, User: 4}) }},
		{"fill reversed", false, func() error {
			_ = g.Fill(Rect{MinX: 5, MinY: 0, MaxX: 4, MaxY: 9}, Tile{})
			return nil
		}},
		{"clear air", false, func() error { return g.Fill(Rect{MinX: -40, MinY: -40, MaxX: -1, MaxY: -1}, Tile{}) }},
		{"move air", false, func() error { return g.Move(Rect{MinX: -40, MinY: -40, MaxX: -30, MaxY: -30}, 5, 5) }},
		{"move by nothing", false, func() error { return g.Move(Rect{MinX: 0, MinY: 0, MaxX: 5, MaxY: 5}, 0, 0) }},
		{"place the same", false, func() error { return g.Place(3, 3, stamp) }},
		{"unite within", false, func() error {
			hole, err := Circle(3, 3, 2)
			if err != nil {
				return err
			}
			return g.Unite(hole, Attr{})
		}},
		{"unite", true, func() error { return g.Unite(disc, Attr{}) }},
		{"unite again", false, func() error { return g.Unite(disc, Attr{}) }},
		{"subtract", true, func() error { return g.Subtract(disc) }},
		{"subtract again", false, func() error { return g.Subtract(disc) }},
		{"add", true, func() error { return g.Add(30, 30, square, Attr{}) }},
		{"add refused", false, func() error { _ = g.Add(30, 30, square, Attr{}); return nil }},
		{"remove", true, func() error { return g.Remove(30, 30, square) }},
	} {
		if err := c.edit(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := g.Engine(lattice.Key{}).Edited(); got != c.want {
			t.Errorf("%s: edited %v, want %v", c.name, got, c.want)
		}
		g.Resolve()
		if g.Engine(lattice.Key{}).Edited() {
			t.Errorf("%s: still edited after Resolve", c.name)
		}
	}
}
