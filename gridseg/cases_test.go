package gridseg

import (
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// lines returns the ends of segments in cells.
func lines(segs []Segment) [][4]float64 {
	var out [][4]float64
	for _, s := range segs {
		out = append(out, [4]float64{
			float64(s.A.X) / Unit, float64(s.A.Y) / Unit, float64(s.B.X) / Unit, float64(s.B.Y) / Unit,
		})
	}
	return out
}

type placed struct {
	x, y int32
	t    Tile
}

func build(t *testing.T, g *Grid, tiles ...placed) *Grid {
	t.Helper()
	for _, p := range tiles {
		if err := g.Set(p.x, p.y, p.t); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	return g
}

func wantLines(t *testing.T, g *Grid, r Rect, want [][4]float64) {
	t.Helper()
	if got := lines(g.AppendSegments(nil, r)); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// A vertex that touches the middle of another tile's face splits it, even where
// nothing cancels.
func TestTJunction(t *testing.T) {
	s := gallery(t)
	diamond, _ := s.Lookup("diamond")
	g := build(t, New(s), placed{0, 0, Tile{Shape: Full}}, placed{0, 1, Tile{Shape: diamond}})
	wantLines(t, g, Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, [][4]float64{
		{0, 0, 1, 0},
		{1, 0, 1, 1},
		{0, 1, 0, 0},
		{.5, 1, 0, 1},
		{1, 1, .5, 1},
	})
	// The surface runs up the diamond from the one half, and down to the other.
	half, _ := g.Segment(idAt(Cell{}, spotAt(Unit, Unit), spotAt(Unit/2, Unit)))
	if half.Next.Cell != (Cell{X: 0, Y: 1}) || half.Ghost2 != (Point{X: Unit, Y: 3 * Unit / 2}) {
		t.Errorf("right half goes on to %v", half.Ghost2)
	}
	half, _ = g.Segment(idAt(Cell{}, spotAt(Unit/2, Unit), spotAt(0, Unit)))
	if half.Prev.Cell != (Cell{X: 0, Y: 1}) || half.Ghost1 != (Point{X: 0, Y: 3 * Unit / 2}) {
		t.Errorf("left half comes from %v", half.Ghost1)
	}
}

func TestPartialOverlap(t *testing.T) {
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Slab}}, placed{1, 0, Tile{Shape: Full}})
	wantLines(t, g, Rect{MinX: 0, MinY: 0, MaxX: 1, MaxY: 0}, [][4]float64{
		{0, 0, 1, 0},
		{0, .5, 0, 0},
		{1, .5, 0, .5},
		{1, 0, 2, 0},
		{2, 0, 2, 1},
		{1, 1, 1, .5},
		{2, 1, 1, 1},
	})
}

// Two polygons in one cell cancel the diagonal that they share.
func TestDiagonalInCell(t *testing.T) {
	s := gallery(t)
	halves, _ := s.Lookup("diagonal halves")
	g := build(t, New(s), placed{0, 0, Tile{Shape: halves}})
	if _, n := g.Count(); n != 4 {
		t.Errorf("%d segments, want 4", n)
	}
}

// Where two blocks touch in a corner alone, each outline stays with its block,
// since the links run along air.
func TestCheckerboard(t *testing.T) {
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Full}}, placed{1, 1, Tile{Shape: Full}})
	for _, s := range g.AppendSegments(nil, everywhere) {
		mine := s.ID.Cell
		corner := Point{X: Unit, Y: Unit}
		if s.B == corner && s.Next.Cell == mine || s.A == corner && s.Prev.Cell == mine {
			t.Errorf("%+v turns through solid", s)
		}
	}
}

func TestPreserve(t *testing.T) {
	g := New(nil)
	if err := g.Preserve(1, 2); err != nil {
		t.Fatal(err)
	}
	build(t, g, placed{0, 0, Tile{Shape: Full, Layer: 1}}, placed{1, 0, Tile{Shape: Slab, Layer: 2}})
	wantLines(t, g, Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, [][4]float64{
		{0, 0, 1, 0},
		{1, 0, 1, .5}, // both faces stay, and both are cut
		{1, .5, 1, 1},
		{0, 1, 0, 0},
		{1, 1, 0, 1},
	})
	for _, s := range g.AppendSegments(nil, everywhere) {
		if s.Prev.Cell != s.ID.Cell || s.Next.Cell != s.ID.Cell || !s.HasGhost1 || !s.HasGhost2 {
			t.Errorf("%+v is linked across the border", s)
		}
	}
	// Layer 0 preserves against neither.
	if err := g.Fill(Rect{MinX: 0, MinY: -1, MaxX: 1, MaxY: -1}, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	face, ok := g.Segment(idAt(Cell{}, spotAt(Unit, 0), spotAt(Unit, Unit/2)))
	if !ok || face.HasGhost1 {
		t.Errorf("%+v starts where only a preserved segment ends", face)
	}
}

// Two materials of one layer cancel, and each surface keeps its own.
func TestMaterials(t *testing.T) {
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Full, Material: 1, User: 5}},
		placed{1, 0, Tile{Shape: Full, Material: 2}})
	segs := g.AppendSegments(nil, everywhere)
	if len(segs) != 6 {
		t.Fatalf("%d segments", len(segs))
	}
	for _, s := range segs {
		if s.Tile != g.Tile(s.ID.Cell.X, s.ID.Cell.Y) {
			t.Errorf("%+v has lost its tile", s)
		}
	}
	// A new material is reported without a relinked segment.
	if err := g.Set(1, 0, Tile{Shape: Full, Material: 3}); err != nil {
		t.Fatal(err)
	}
	if d := g.Resolve(); len(relinkedOf(d)) != 3 || len(addedOf(d))+len(removedOf(d)) != 0 ||
		relinkedOf(d)[0].Tile.Material != 3 {
		t.Errorf("%+v", d)
	}
	// There and back is no change.
	for _, m := range []uint16{9, 3} {
		if err := g.Set(1, 0, Tile{Shape: Full, Material: m}); err != nil {
			t.Fatal(err)
		}
	}
	if d := g.Resolve(); !d.Empty() {
		t.Errorf("%+v", d)
	}
}

// Blocks at opposite ends of the world are no neighbours.
func TestEnds(t *testing.T) {
	const lo, hi = -1 << 31, 1<<31 - 1
	g := New(nil)
	for _, c := range []Cell{{X: lo, Y: lo}, {X: hi, Y: lo}, {X: lo, Y: hi}, {X: hi, Y: hi}} {
		build(t, g, placed{c.X, c.Y, Tile{Shape: Full}})
	}
	segs := g.AppendSegments(nil, everywhere)
	if len(segs) != 16 {
		t.Fatalf("%d segments", len(segs))
	}
	for _, s := range segs {
		if s.Prev.Cell != s.ID.Cell || s.Next.Cell != s.ID.Cell {
			t.Errorf("%+v", s)
		}
	}
	if far := segs[len(segs)-3].B; far != (Point{X: 1 << 31 * Unit, Y: 1 << 31 * Unit}) {
		t.Errorf("the last corner is %v", far)
	}
	if b, ok := g.Bounds(); !ok || b != everywhere {
		t.Errorf("bounds %v", b)
	}
	if !g.solidAt(Point{X: 1 << 31 * Unit, Y: 1 << 31 * Unit}) || g.solidAt(Point{X: 1<<31*Unit + 1, Y: 0}) {
		t.Error("solid at the end")
	}
}

func TestRadial(t *testing.T) {
	round := []vec{
		{X: 2, Y: 1},
		{X: 1, Y: 1},
		{X: 0, Y: 3},
		{X: -5, Y: 1},
		{X: -1, Y: 0},
		{X: -1, Y: -1},
		{X: 0, Y: -1},
		{X: 7, Y: -1},
		{X: 1, Y: 0},
	}
	for i, p := range round {
		for j, q := range round {
			if got := lattice.Nearer(vec{X: 3, Y: 0}, p, q, 1); got != (i < j) {
				t.Errorf("counter-clockwise from +x, %v before %v: %v", p, q, got)
			}
			p, q := vec{X: p.X, Y: -p.Y}, vec{X: q.X, Y: -q.Y}
			if got := lattice.Nearer(vec{X: 3, Y: 0}, p, q, -1); got != (i < j) {
				t.Errorf("clockwise from +x, %v before %v: %v", p, q, got)
			}
		}
	}
}
