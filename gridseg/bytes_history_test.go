package gridseg

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// keeper keeps the bytes of the unloaded chunks of a grid, each by itself.
type keeper map[Cell][]byte

// temp returns a grid of which everything near the origin is unloaded.
func temp(t *rapid.T) *Grid {
	g := New(nil)
	must(t, err2(g.Unload(Rect{MinX: -64, MinY: -64, MaxX: 127, MaxY: 127}, UnloadedEmpty)))
	return g
}

func err2[T any](_ T, err error) error { return err }

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func chunkRect(c Cell) Rect {
	return Rect{MinX: c.X * 16, MinY: c.Y * 16, MaxX: c.X*16 + 15, MaxY: c.Y*16 + 15}
}

// put takes the bytes of a place apart.
func (k keeper) put(t *rapid.T, data []byte) {
	g := temp(t)
	r, err := g.Load(data)
	must(t, err)
	for y := r.MinY >> 4; y <= r.MaxY>>4; y++ {
		for x := r.MinX >> 4; x <= r.MaxX>>4; x++ {
			k[Cell{X: x, Y: y}], err = g.Unload(chunkRect(Cell{X: x, Y: y}), UnloadedEmpty)
			must(t, err)
		}
	}
}

// place joins the bytes of the chunks in r.
func (k keeper) place(t *rapid.T, r Rect) []byte {
	g := temp(t)
	for y := r.MinY >> 4; y <= r.MaxY>>4; y++ {
		for x := r.MinX >> 4; x <= r.MaxX>>4; x++ {
			must(t, err2(g.Load(k[Cell{X: x, Y: y}])))
		}
	}
	data, err := g.Unload(r, UnloadedEmpty)
	must(t, err)
	return data
}

// TestGoBackOverPlaces: places of any size are unloaded, loaded and edited, and the grid goes back and forward to any
// of three Saveds. A keeper of the bytes that asks for the reverted places, at once or later, has the same bytes as a
// grid that stays in memory.
func TestGoBackOverPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, twin, kept := New(nil), New(nil), keeper{}
		for _, of := range []*Grid{g, twin} {
			must(t, of.Fill(Rect{MinX: 0, MinY: 0, MaxX: 63, MaxY: 40}, Tile{Shape: Full, User: 1}))
		}
		var saved, of [3]*Saved
		chunk := func() Cell {
			return Cell{X: rapid.Int32Range(0, 2).Draw(t, "x"), Y: rapid.Int32Range(0, 1).Draw(t, "y")}
		}
		place := func() Rect {
			a, b := chunk(), chunk()
			return Rect{MinX: min(a.X, b.X) * 16, MinY: min(a.Y, b.Y) * 16, MaxX: max(a.X, b.X)*16 + 15, MaxY: max(a.Y,
				b.Y)*16 + 15}
		}
		now := func() keeper { // with the places that are still listed
			all := keeper{}
			for c, data := range kept {
				all[c] = data
			}
			g.Engine(lattice.Key{}).EachReverted(func(_ Rect, data []byte) bool {
				all.put(t, data)
				return false
			})
			return all
		}
		t.Repeat(map[string]func(*rapid.T){
			"unload": func(*rapid.T) {
				r := place()
				if data, err := g.Unload(r, Unloaded(rapid.IntRange(0, 1).Draw(t, "as"))); err == nil {
					kept.put(t, data)
				}
			},
			"load": func(*rapid.T) {
				r := place()
				for y := r.MinY; y <= r.MaxY; y += 16 {
					for x := r.MinX; x <= r.MaxX; x += 16 {
						if g.Loaded(x, y) {
							return
						}
					}
				}
				must(t, err2(g.Load(now().place(t, r))))
			},
			"edit": func(*rapid.T) {
				x, y := rapid.Int32Range(0, 44).Draw(t, "x"), rapid.Int32Range(0, 28).Draw(t, "y")
				r, tile := Rect{MinX: x, MinY: y, MaxX: x + 3, MaxY: y + 3}, Tile{Shape: ShapeID(rapid.IntRange(1,
					3).Draw(t, "shape"))}
				if g.Fill(r, tile) == nil {
					must(t, twin.Fill(r, tile))
				}
			},
			"save": func(*rapid.T) {
				k := rapid.IntRange(0, 2).Draw(t, "k")
				g.Resolve()
				twin.Resolve()
				saved[k], of[k] = g.Engine(lattice.Key{}).Save(), twin.Engine(lattice.Key{}).Save()
			},
			"restore": func(*rapid.T) {
				if k := rapid.IntRange(0, 2).Draw(t, "k"); saved[k] != nil {
					g.Engine(lattice.Key{}).Restore(saved[k])
					twin.Engine(lattice.Key{}).Restore(of[k])
				}
			},
			"take": func(*rapid.T) {
				g.Engine(lattice.Key{}).EachReverted(func(_ Rect, data []byte) bool {
					kept.put(t, data)
					return true
				})
			},
			"": func(*rapid.T) {
				all := now()
				for y := range int32(2) {
					for x := range int32(3) {
						r := chunkRect(Cell{X: x, Y: y})
						is := g
						if !g.Loaded(r.MinX, r.MinY) {
							is = temp(t)
							must(t, err2(is.Load(all[Cell{X: x, Y: y}])))
						}
						a, b := is.Engine(lattice.Key{}), twin.Engine(lattice.Key{})
						if a.ChunkSum(r.MinX, r.MinY) != b.ChunkSum(r.MinX, r.MinY) {
							t.Fatalf("chunk (%d, %d), loaded %v: its tiles differ from the grid in memory", x, y,
								is == g)
						}
					}
				}
			},
		})
	})
}

// TestRestoreOfHowAPlaceCounts: a Restore to a time at which an unloaded place counted as solid makes it solid again,
// where the grid went back before to a time at which the same tiles counted as empty.
func TestRestoreOfHowAPlaceCounts(t *testing.T) {
	g := New(nil)
	e := g.Engine(lattice.Key{})
	place := Rect{MinX: -16, MinY: -16, MaxX: 15, MaxY: -1}
	data, err := g.Unload(place, UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	empty := e.Save()
	if _, err := g.Load(data); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Unload(place, UnloadedSolid); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	solid := e.Save()
	want := g.AppendSegments(nil, everywhere)
	for range 2 {
		e.Restore(empty)
		if got := g.AppendSegments(nil, everywhere); len(got) != 0 {
			t.Fatalf("empty: %d segments", len(got))
		}
		e.Restore(solid)
		if got := g.AppendSegments(nil, everywhere); len(want) != 96 || !slices.Equal(got, want) {
			t.Fatalf("solid: %d segments, want %d", len(got), len(want))
		}
	}
}
