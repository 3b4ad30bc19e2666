package gridseg

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

type outline = [][2]float64

func TestRegisterRefuses(t *testing.T) {
	tiny := 1.0 / Unit / 8
	many := make(outline, maxVertices+1)
	square := outline{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, c := range []struct {
		name         string
		polys        []outline
		kind         error
		poly, vertex int
	}{
		{"full", []outline{square}, errName, -1, -1},
		{"", []outline{square}, errName, -1, -1},
		{"nothing", nil, lattice.ErrDegenerate, -1, -1},
		{"two vertices", []outline{{{0, 0}, {1, 0}}}, lattice.ErrDegenerate, 0, -1},
		{"too many vertices", []outline{many}, ErrTooLarge, -1, -1},
		{"too many polygons", make([]outline, lattice.MaxPolygons+1), ErrTooLarge, -1, -1},
		{"NaN", []outline{{{0, 0}, {1, math.NaN()}, {1, 1}}}, lattice.ErrNotFinite, 0, 1},
		{"infinite", []outline{{{0, 0}, {math.Inf(1), 0}, {1, 1}}}, lattice.ErrOutside, 0, 1},
		{"below", []outline{square[:3], {{0, -tiny}, {.5, .5}, {0, 1}}}, lattice.ErrOutside, 1, 0},
		{"above", []outline{{{0, 0}, {1, 0}, {1, 1.0000001}}}, lattice.ErrOutside, 0, 2},
		{"clockwise", []outline{{{0, 0}, {0, 1}, {1, 1}}}, lattice.ErrClockwise, 0, -1},
		{"closed twice", []outline{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}, lattice.ErrDegenerate, 0, 3},
		{"snapped together", []outline{{{0, 0}, {.5, 0}, {.5 + tiny, 0}, {1, 1}}}, lattice.ErrDegenerate, 0, 1},
		{"snapped flat", []outline{{{0, 0}, {1, 0}, {.5, tiny}}}, lattice.ErrDegenerate, 0, 1},
		{"spike", []outline{{{0, 0}, {1, 0}, {.5, 0}, {.5, 1}}}, lattice.ErrDegenerate, 0, 1},
		{"eight", []outline{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}, lattice.ErrCrossing, 0, 0},
		{"touches itself", []outline{{{0, 0}, {1, 0}, {1, 1}, {.5, 0}, {0, 1}}}, lattice.ErrCrossing, 0, 0},
		{"same twice", []outline{square, square}, ErrOverlap, 0, 0},
		{"one in the other", []outline{square, {{.25, .25}, {.5, .25}, {.5, .5}}}, ErrOverlap, 1, 0},
		{"crossed bars", []outline{
			{{0, .25}, {1, .25}, {1, .75}, {0, .75}},
			{{.25, 0}, {.75, 0}, {.75, 1}, {.25, 1}},
		}, ErrOverlap, 0, 0},
		// They cross in vertices only, which no test of edge against edge sees.
		{"star", []outline{
			{{0, .5}, {.5, 0}, {1, .5}, {.5, 1}},
			{{.25, .25}, {.75, .25}, {.75, .75}, {.25, .75}},
		}, ErrOverlap, 1, 0},
	} {
		s := NewShapes()
		_, err := s.Register(c.name, c.polys...)
		var e *ShapeError
		if !errors.Is(err, c.kind) || !errors.As(err, &e) || e.Polygon != c.poly || e.Vertex != c.vertex ||
			e.Name != c.name {
			t.Errorf("%s: %v", c.name, err)
		}
		if s.Len() != 5 || len(s.forms) != 6*turns {
			t.Errorf("%s: registered all the same", c.name)
		}
	}
}

func TestRegisterFull(t *testing.T) {
	s := NewShapes()
	for s.Len() < maxShapes {
		if _, err := s.Register(string(rune(s.Len()+100)), outline{{0, 0}, {1, 0}, {0, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Register("one more", outline{{0, 0}, {1, 0}, {0, 1}}); !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
	g := New(s)
	if err := g.Set(0, 0, Tile{Shape: maxShapes, Turn: 7}); err != nil {
		t.Fatal(err)
	}
	if d := g.Resolve(); len(addedOf(d)) != 3 || addedOf(d)[0].Tile.Shape != maxShapes {
		t.Fatalf("%+v", d)
	}
}

func TestNames(t *testing.T) {
	s := NewShapes()
	for id, name := range []string{"", "full", "ramp", "slab", "slope-low", "slope-high", ""} {
		if s.Name(ShapeID(id)) != name {
			t.Errorf("Name(%d) = %q", id, s.Name(ShapeID(id)))
		}
		if got, ok := s.Lookup(name); ok != (name != "") || ok && got != ShapeID(id) {
			t.Errorf("Lookup(%q) = %d, %v", name, got, ok)
		}
	}
	if s.Polygons(0, 0) != nil || s.Polygons(6, 0) != nil || s.Polygons(1, 8) != nil {
		t.Error("polygons of nothing")
	}
}

func TestTurns(t *testing.T) {
	const u = Unit
	s := NewShapes()
	for turn, want := range [][]Point{
		{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}},
		{{X: u, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}},
		{{X: u, Y: u}, {X: 0, Y: u}, {X: 0, Y: 0}},
		{{X: 0, Y: u}, {X: 0, Y: 0}, {X: u, Y: 0}},
		{{X: 0, Y: u}, {X: 0, Y: 0}, {X: u, Y: 0}},
		{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}},
		{{X: u, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}},
		{{X: u, Y: u}, {X: 0, Y: u}, {X: 0, Y: 0}},
	} {
		if got := s.Polygons(Ramp, Turn(turn))[0]; !slices.Equal(got, want) {
			t.Errorf("ramp in turn %d is %v, want %v", turn, got, want)
		}
	}
}

// TestSnap: negative zeros and vertices within half a step of the lattice are snapped.
func TestSnap(t *testing.T) {
	s := NewShapes()
	minus := math.Copysign(0, -1)
	id, err := s.Register("minus zero", outline{{minus, minus}, {1, minus}, {1, 1}, {minus, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if !s.forms[int(id)*turns].full {
		t.Error("a square with minus zeros is no block")
	}
	tiny := 1.0 / Unit / 4
	if id, err = s.Register("nearly", outline{{tiny, 0}, {1 - tiny, tiny}, {1, 1 - tiny}, {0, 1}}); err != nil {
		t.Fatal(err)
	}
	if !s.forms[int(id)*turns].full {
		t.Error("a square that is off by a quarter step is no block")
	}
}
