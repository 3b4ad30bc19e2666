package tilemap

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/quarry2d/quarry/gridseg"
)

// back writes g, loads the map and returns its grid.
func back(t *testing.T, g *gridseg.Grid) (*gridseg.Grid, []string) {
	t.Helper()
	var b bytes.Buffer
	warnings, err := Write(&b, g.View())
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b.Bytes()) {
		t.Fatalf("not JSON: %.200s", b.String())
	}
	m, err := Load(fstest.MapFS{"a.tmj": {Data: b.Bytes()}}, "a.tmj", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) > 0 {
		t.Error(m.Warnings)
	}
	got, err := m.Grid()
	if err != nil {
		t.Fatal(err)
	}
	return got, warnings
}

// surface is a segment without what a map does not keep.
type surface struct {
	a, b, ghost1, ghost2 any
	material             uint16
	layer                uint8
}

func surfaces(g *gridseg.Grid) map[surface]int {
	all := map[surface]int{}
	r, ok := g.Bounds()
	if !ok {
		return all
	}
	for _, s := range g.AppendSegments(nil, gridseg.Rect{
		MinX: r.MinX - 1, MinY: r.MinY - 1, MaxX: r.MaxX + 1,
		MaxY: r.MaxY + 1,
	}) {
		all[surface{s.A, s.B, s.Ghost1, s.Ghost2, s.Tile.Material, s.Tile.Layer}]++
	}
	return all
}

// TestWriteComesBack: random tiles of all shapes and turns, materials and layers, with craters, come back with the same
// surface.
func TestWriteComesBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	for round := range 20 {
		g := gridseg.New(nil)
		three, err := g.Shapes().Register("three", [][2]float64{{0, 0}, {0.5, 0}, {0.25, 0.75}},
			[][2]float64{{0.5, 0}, {1, 0}, {1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		if round%3 == 0 {
			if err := g.Preserve(0, 7); err != nil {
				t.Fatal(err)
			}
		}
		for range 400 {
			tile := gridseg.Tile{
				Shape: gridseg.ShapeID(1 + rng.IntN(int(three))), Turn: gridseg.Turn(rng.IntN(8)),
				Material: uint16(rng.IntN(3)), User: rng.Uint32(),
			}
			x, y := rng.Int32N(140)-70, rng.Int32N(40)-20
			if x > 20 {
				tile.Layer = 7
			}
			if err := g.Fill(gridseg.Rect{MinX: x, MinY: y, MaxX: x + rng.Int32N(5), MaxY: y + rng.Int32N(3)},
				tile); err != nil {
				t.Fatal(err)
			}
		}
		if round%2 == 1 {
			// Craters far from each other's cells, so that no cell gets two materials by Unite.
			for k := range int64(6) {
				x, y := (k*20-60)*gridseg.Unit+rng.Int64N(9000), rng.Int64N(9000)-5000
				loop := []gridseg.Point{
					{X: x, Y: y},
					{X: x + 9000 + rng.Int64N(5000), Y: y + 777},
					{X: x + 5000, Y: y + 11111},
				}
				if err := g.Subtract([][]gridseg.Point{loop}); err != nil {
					t.Fatal(err)
				}
			}
		}
		g.Resolve()
		got, warnings := back(t, g)
		if len(warnings) > 0 {
			t.Error(warnings)
		}
		if a, b := surfaces(got), surfaces(g); !reflect.DeepEqual(a, b) {
			t.Fatalf("round %d: %d segments, and %d written", round, len(a), len(b))
		}
	}
	empty, _ := back(t, gridseg.New(nil))
	if n, _ := empty.Count(); n != 0 {
		t.Error(n, "tiles")
	}
}

// TestWriteWarns: a hole within a cell is filled, and two materials in a cell become one, with a warning each.
func TestWriteWarns(t *testing.T) {
	g := gridseg.New(nil)
	square := func(a, b int64) []gridseg.Point {
		return []gridseg.Point{{X: a, Y: a}, {X: b, Y: a}, {X: b, Y: b}, {X: a, Y: b}}
	}
	hole := square(1000, 2000)
	hole[1], hole[3] = hole[3], hole[1]
	for _, err := range []error{
		g.Add(0, 0, [][]gridseg.Point{square(500, 3000), hole}, gridseg.Attr{}),
		g.Add(5, 0, [][]gridseg.Point{square(500, 1000)}, gridseg.Attr{}),
		g.Add(5, 0, [][]gridseg.Point{square(2000, 3000)}, gridseg.Attr{Material: 2}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	got, warnings := back(t, g)
	if len(warnings) != 2 {
		t.Error(warnings)
	}
	if !got.Solid(0.4, 0.4) || !got.Solid(5.6, 0.6) {
		t.Error("something is missing")
	}
}

// TestWriteFails returns the error of out.
func TestWriteFails(t *testing.T) {
	g := gridseg.New(nil)
	if err := g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(noRoom{}, g.View()); !errors.Is(err, errNoRoom) {
		t.Error(err)
	}
}

var errNoRoom = errors.New("no room")

type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, errNoRoom }
