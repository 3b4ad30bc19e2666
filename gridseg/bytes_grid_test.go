package gridseg_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/gridseg"

	"github.com/quarry2d/quarry/internal/lattice"
)

// binaryShapes returns a registry with a shape of two polygons.
func binaryShapes(t interface{ Fatal(...any) }) *gridseg.Shapes {
	s := gridseg.NewShapes()
	if _, err := s.Register("two", [][2]float64{{0, 0}, {0.5, 0}, {0, 0.5}},
		[][2]float64{{1, 1}, {0.5, 1}, {1, 0.5}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBinaryOfAnyGrid: a grid read from its binary form has the same tiles, segments and bytes; and so has one that
// goes back to what Save returned.
func TestBinaryOfAnyGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shapes := binaryShapes(t)
		g := gridseg.New(shapes)
		if rapid.Bool().Draw(t, "preserve") {
			_ = g.Preserve(1, 2)
		}
		var saved []*gridseg.Saved
		var at [][]byte
		for range rapid.IntRange(0, 12).Draw(t, "edits") {
			if g.Resolve(); rapid.Bool().Draw(t, "save") {
				saved, at = append(saved, g.Engine(lattice.Key{}).Save()), append(at, g.AppendBinary(nil))
			}
			x, y := rapid.Int32Range(-20, 20).Draw(t, "x"), rapid.Int32Range(-20, 20).Draw(t, "y")
			tile := gridseg.Tile{
				Shape: gridseg.ShapeID(rapid.IntRange(0, 6).Draw(t, "shape")), Layer: rapid.Uint8Range(0, 3).Draw(t,
					"layer"),
				Material: rapid.Uint16().Draw(t, "material"), User: rapid.Uint32().Draw(t, "user"),
			}
			if tile.Turn = gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn")); tile.Shape == 0 {
				tile = gridseg.Tile{}
			}
			switch rapid.IntRange(0, 2).Draw(t, "edit") {
			case 0:
				_ = g.Set(x, y, tile)
			case 1:
				_ = g.Fill(gridseg.Rect{MinX: x, MinY: y, MaxX: x + 18, MaxY: y + 17}, tile)
			case 2:
				r := rapid.Float64Range(0.1, 3).Draw(t, "radius")
				loops, err := gridseg.Capsule(float64(x), float64(y), float64(x)+r, float64(y), r)
				if err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "dig") {
					_ = g.Subtract(loops)
				} else {
					_ = g.Unite(loops, gridseg.Attr{Layer: tile.Layer, Material: tile.Material})
				}
			}
		}
		g.Resolve()
		data := g.AppendBinary(nil)
		again, err := gridseg.ReadGrid(data, shapes)
		if err != nil {
			t.Fatal(err)
		}
		all := gridseg.Rect{MinX: -100, MinY: -100, MaxX: 100, MaxY: 100}
		a, b := g.AppendSegments(nil, all), again.AppendSegments(nil, all)
		if g.Hash() != again.Hash() || len(a) != len(b) ||
			g.Engine(lattice.Key{}).Preserves() != again.Engine(lattice.Key{}).Preserves() {
			t.Fatalf("hashes %x and %x, %d and %d segments", g.Hash(), again.Hash(), len(a), len(b))
		}
		for k := range a {
			if a[k] != b[k] {
				t.Fatalf("segment %d: %v and %v", k, a[k], b[k])
			}
		}
		if !bytes.Equal(again.AppendBinary(nil), data) {
			t.Fatal("other bytes")
		}
		for k := range saved { // each saved state comes back, forwards and backwards
			k = rapid.IntRange(0, len(saved)-1).Draw(t, "load")
			e := g.Engine(lattice.Key{})
			if e.Restore(saved[k]); !bytes.Equal(g.AppendBinary(nil), at[k]) || e.Save() != saved[k] {
				t.Fatalf("other bytes after Load")
			}
			fresh, err := gridseg.ReadGrid(at[k], shapes)
			if err != nil || !slices.Equal(fresh.AppendSegments(nil, all), g.AppendSegments(nil, all)) {
				t.Fatalf("other segments after Load: %v", err)
			}
		}
	})
}

// TestBinaryOfShapes: a registry read from its binary form has the same shapes.
func TestBinaryOfShapes(t *testing.T) {
	s := binaryShapes(t)
	data := s.AppendBinary(nil)
	again, err := gridseg.ReadShapes(data)
	if err != nil || !bytes.Equal(again.AppendBinary(nil), data) || again.Name(6) != "two" {
		t.Fatalf("%v, %q", err, again.Name(6))
	}
}

// FuzzReadGrid: ReadGrid refuses data with an error, or returns a grid whose binary form it reads again.
func FuzzReadGrid(f *testing.F) {
	g := gridseg.New(binaryShapes(f))
	_ = g.Fill(gridseg.Rect{MinX: -3, MaxX: 20, MaxY: 20}, gridseg.Tile{Shape: gridseg.Full, User: 7})
	_ = g.Set(1, -1, gridseg.Tile{Shape: 6, Turn: 3})
	loops, _ := gridseg.Capsule(1, 1, 2, 2, 0.7)
	_ = g.Subtract(loops)
	f.Add(g.AppendBinary(nil))
	f.Add(gridseg.New(nil).AppendBinary(nil))
	_, _ = g.Unload(gridseg.Rect{MinX: 0, MinY: -40, MaxX: 60, MaxY: 0}, gridseg.UnloadedSolid)
	_, _ = g.Unload(gridseg.Rect{MinX: -60, MinY: 0, MaxX: -10, MaxY: 0}, gridseg.UnloadedEmpty)
	f.Add(g.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := gridseg.ReadGrid(data, binaryShapes(t))
		if err != nil {
			return
		}
		out := g.AppendBinary(nil)
		if again, err := gridseg.ReadGrid(out, g.Shapes()); err != nil || again.Hash() != g.Hash() {
			t.Fatalf("%v", err)
		}
		all := gridseg.Rect{MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32, MaxY: math.MaxInt32}
		if joined, err := g.Engine(lattice.Key{}).JoinTiles(g.Engine(lattice.Key{}).AppendWithoutTiles(nil),
			g.Engine(lattice.Key{}).AppendTiles(nil, all)); err != nil || !bytes.Equal(joined, out) {
			t.Fatalf("joined: %v", err)
		}
		if joined, err := g.Engine(lattice.Key{}).JoinTiles(data, data); err == nil {
			_, _ = gridseg.ReadGrid(joined, g.Shapes())
		}
	})
}
