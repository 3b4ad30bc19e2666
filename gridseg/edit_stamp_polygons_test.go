package gridseg

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestStampPolygons copies, turns, moves and places cells of polygons, and compares areas
// with the sum over their loops.
func TestStampPolygons(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g := New(shapes)
		for y := range int32(3) {
			for x := range int32(3) {
				tile := anyTile(shapes).Draw(t, "tile")
				if err := g.Set(x, y, tile); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range rapid.IntRange(1, 4).Draw(t, "strokes") {
			loops := anyStroke(Cell{}, 3).Draw(t, "loops")
			var err error
			if rapid.Bool().Draw(t, "unite") {
				err = g.Unite(loops, anyAttr(t))
			} else {
				err = g.Subtract(loops)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		square := Rect{MinX: 0, MinY: 0, MaxX: 2, MaxY: 2}
		for _, r := range []Rect{
			{MinX: -9, MinY: -9, MaxX: -1, MaxY: 9},
			{MinX: 3, MinY: -9, MaxX: 9, MaxY: 9},
			{MinX: 0, MinY: -9, MaxX: 2, MaxY: -1},
			{MinX: 0, MinY: 3, MaxX: 2, MaxY: 9},
		} {
			if err := g.Fill(r, Tile{}); err != nil {
				t.Fatal(err)
			}
		}
		if got := g.SolidArea(square); got != Area(area(g)) {
			t.Fatalf("area %d, want %d", got, area(g))
		}
		s, err := g.Copy(square)
		if err != nil {
			t.Fatal(err)
		}
		turn := Turn(rapid.IntRange(0, 7).Draw(t, "turn"))
		turned, err := s.Turned(turn)
		if err != nil {
			t.Fatal(err)
		}
		back, err := turned.Turned(inverse(turn))
		if err != nil {
			t.Fatal(err)
		}
		f := New(shapes) // of which the numbers of patches are others
		if err := f.Add(9, 9, [][]Point{{{X: 0, Y: 0}, {X: 9, Y: 0}, {X: 9, Y: 9}}}, Attr{}); err != nil {
			t.Fatal(err)
		}
		for x, s := range []*Stamp{s, turned, back} {
			if err := f.Place(int32(x)*16-8, 5, s); err != nil {
				t.Fatal(err)
			}
			r := Rect{MinX: int32(x)*16 - 8, MinY: 5, MaxX: int32(x)*16 - 6, MaxY: 7}
			if f.SolidArea(r) != g.SolidArea(square) {
				t.Fatal("another area")
			}
		}
		f.Resolve()
		if err := f.Clear(9, 9); err != nil {
			t.Fatal(err)
		}
		for _, x := range []int32{8, 24} {
			if err := f.Fill(Rect{MinX: x, MinY: 5, MaxX: x + 2, MaxY: 7}, Tile{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Move(Rect{MinX: -8, MinY: 5, MaxX: -6, MaxY: 7}, 8, -5); err != nil {
			t.Fatal(err)
		}
		// Overlapping, there and back.
		for _, d := range []int32{1, -1} {
			if err := f.Move(Rect{MinX: min(0, d), MinY: 0, MaxX: 3, MaxY: 3}, d, d); err != nil {
				t.Fatal(err)
			}
		}
		if f.Hash() != g.Hash() {
			t.Fatal("copied and moved, it is another")
		}
		f.Resolve()
		g.Resolve()
		if !slices.Equal(f.AppendSegments(nil, everywhere), g.AppendSegments(nil, everywhere)) {
			t.Fatal("copied and moved, it has other segments")
		}
		checkEmptied(t, f, mirrorOf(f), worldOf(f))
	})
}

func mirrorOf(g *Grid) mirror {
	m := mirror{}
	for _, s := range g.AppendSegments(nil, everywhere) {
		m[s.ID] = s
	}
	return m
}

func worldOf(g *Grid) *world {
	w := newWorld(g.shapes)
	w.read(g)
	return w
}

// A stamp with a tile among polygons may be refused where the shape is another.
func TestStampOtherShapes(t *testing.T) {
	const u = Unit
	one, two := NewShapes(), NewShapes()
	for _, c := range []struct {
		s *Shapes
		p outline
	}{{one, outline{{0, 0}, {.5, 0}, {.5, 1}}}, {two, outline{{.25, 0}, {1, 0}, {1, 1}}}} {
		if _, err := c.s.Register("mine", c.p); err != nil {
			t.Fatal(err)
		}
	}
	g := build(t, New(one), placed{0, 0, Tile{Shape: SlopeHigh + 1}})
	if err := g.Add(0, 0, [][]Point{{{X: u / 2, Y: 0}, {X: u, Y: 0}, {X: u / 2, Y: u / 2}}}, Attr{}); err != nil {
		t.Fatal(err)
	}
	s, err := g.Copy(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0})
	if err != nil {
		t.Fatal(err)
	}
	if err := New(two).Place(0, 0, s); !errors.Is(err, ErrOverlap) {
		t.Error(err)
	}
	if err := New(nil).Place(0, 0, s); !errors.Is(err, ErrUnknownShape) {
		t.Error(err)
	}
	if tile, ok := s.Tile(0, 0); !ok || tile != (Tile{Shape: Patch}) {
		t.Errorf("%v, %v", tile, ok)
	}
	s.Set(0, 0, Tile{Shape: Ramp})
	if err := New(nil).Place(0, 0, s); err != nil {
		t.Error(err)
	}
	s.Set(0, 0, Tile{Shape: Patch})
	if err := New(nil).Place(0, 0, s); !errors.Is(err, ErrUnknownShape) {
		t.Error(err)
	}
}
