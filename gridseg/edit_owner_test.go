package gridseg

import (
	"errors"
	"reflect"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestOwnedRefusesEdits: a grid with an owner refuses each edit, and does not change; the owner edits it between Edit
// and Done; after Release all may. A method that returns an error is an edit, or listed here.
func TestOwnedRefusesEdits(t *testing.T) {
	square := [][]Point{{{X: 0, Y: 0}, {X: Unit / 2, Y: 0}, {X: Unit / 2, Y: Unit / 2}, {X: 0, Y: Unit / 2}}}
	far := New(nil)
	if err := far.Set(0, 0, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	stamp, err := far.Copy(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0})
	if err != nil {
		t.Fatal(err)
	}
	outside := New(nil)
	place, err := outside.Unload(Rect{MinX: 64, MinY: 64, MaxX: 79, MaxY: 79}, UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	edits := map[string]func(g *Grid) error{
		"Set":      func(g *Grid) error { return g.Set(0, 0, Tile{Shape: Ramp}) },
		"Clear":    func(g *Grid) error { return g.Clear(0, 0) },
		"Fill":     func(g *Grid) error { return g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 3, MaxY: 3}, Tile{}) },
		"Place":    func(g *Grid) error { return g.Place(5, 5, stamp) },
		"Move":     func(g *Grid) error { return g.Move(Rect{MinX: 0, MinY: 0, MaxX: 3, MaxY: 3}, 1, 1) },
		"Add":      func(g *Grid) error { return g.Add(9, 9, square, Attr{}) },
		"Remove":   func(g *Grid) error { return g.Remove(20, 20, square) },
		"Unite":    func(g *Grid) error { return g.Unite(square, Attr{}) },
		"Subtract": func(g *Grid) error { return g.Subtract(square) },
		"Join":     func(g *Grid) error { return g.Join(far, 1, 0, 40, 40) },
		"Preserve": func(g *Grid) error { return g.Preserve(1, 2) },
		"Unload": func(g *Grid) error {
			_, err := g.Unload(Rect{MinX: 0, MinY: 0, MaxX: 15, MaxY: 15}, UnloadedSolid)
			return err
		},
		"Load": func(g *Grid) error { _, err := g.Load(place); return err },
	}
	others := map[string]bool{"Copy": true}
	for m := range reflect.TypeFor[*Grid]().Methods() {
		n := m.Type.NumOut()
		if n > 0 && m.Type.Out(n-1) == reflect.TypeFor[error]() && edits[m.Name] == nil && !others[m.Name] {
			t.Errorf("%s returns an error: is it an edit?", m.Name)
		}
	}
	made := func() *Grid {
		g := New(nil)
		if err := errors.Join(g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 3}, Tile{Shape: Full}),
			g.Add(20, 20, square, Attr{})); err != nil {
			t.Fatal(err)
		}
		_, err := g.Unload(Rect{MinX: 64, MinY: 64, MaxX: 79, MaxY: 79}, UnloadedEmpty)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for name, edit := range edits {
		g := made()
		saved := g.Engine(lattice.Key{}).Save()
		o, err := g.Engine(lattice.Key{}).Own()
		if err != nil {
			t.Fatal(err)
		}
		want := string(g.AppendBinary(nil))
		refused := func(when string) {
			t.Helper()
			if err := edit(g); !errors.Is(err, ErrOwned) {
				t.Errorf("%s %s: %v", name, when, err)
			}
			if _, err := g.Engine(lattice.Key{}).Own(); !errors.Is(err, ErrOwned) {
				t.Errorf("Own %s: %v", when, err)
			}
			if g.Engine(lattice.Key{}).Edited() || string(g.AppendBinary(nil)) != want {
				t.Errorf("%s %s changed the grid", name, when)
			}
		}
		refused("of others")
		for _, panics := range []func(){func() { g.Engine(lattice.Key{}).Restore(saved) }, func() {
			g.Parts().Extract(g.Parts().Append(nil))
		}} {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("Restore or Extract was accepted")
					}
				}()
				panics()
			}()
		}
		refused("after Restore and Extract")
		if name != "Preserve" { // which is refused on tiles
			if err := edit(o.Edit()); err != nil {
				t.Errorf("%s of the owner: %v", name, err)
			}
			g.Resolve()
			o.Done()
			want = string(g.AppendBinary(nil))
			if refused("after the owner's"); o.Restore(saved) != g {
				t.Error("Restore of the owner returned another grid")
			}
			if want = string(g.AppendBinary(nil)); want != string(made().AppendBinary(nil)) {
				t.Errorf("%s: Restore of the owner did not set the tiles back", name)
			}
			refused("after the owner's Restore")
		}
		o.Release()
		if err := edit(g); err != nil && name != "Preserve" {
			t.Errorf("%s after Release: %v", name, err)
		}
		if n := o.Restore(saved); n == g || string(n.AppendBinary(nil)) != string(made().AppendBinary(nil)) ||
			n.Engine(lattice.Key{}).Owned() {
			t.Errorf("%s: Restore after Release is not a new grid of the tiles", name)
		}
		if _, err := g.Engine(lattice.Key{}).Own(); err != nil {
			t.Errorf("Own after Release: %v", err)
		}
	}
}

// TestRestoreAfterReleaseAgain: after Release, Restore goes back to a Saved any number of times, and each time the
// place that was loaded, edited and unloaded since is listed as one whose tiles have gone back. (The second Restore
// made another grid, and its list lacked the places in the list of the first one.)
func TestRestoreAfterReleaseAgain(t *testing.T) {
	g := New(nil)
	cells := Rect{MinX: 0, MinY: 0, MaxX: 15, MaxY: 15}
	before, err := g.Unload(cells, UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	o, err := g.Engine(lattice.Key{}).Own()
	if err != nil {
		t.Fatal(err)
	}
	saved := g.Engine(lattice.Key{}).Save()
	_, err = o.Edit().Load(before)
	after, err2 := []byte(nil), errors.Join(err, g.Set(3, 3, Tile{Shape: Full}))
	if after, err = g.Unload(cells, UnloadedEmpty); errors.Join(err, err2) != nil || string(after) == string(before) {
		t.Fatal(err, err2)
	}
	o.Done()
	o.Release()
	for range 3 {
		var listed []string
		o.Restore(saved).Engine(lattice.Key{}).EachReverted(func(_ Rect, data []byte) bool {
			listed = append(listed, string(data))
			return false
		})
		if len(listed) != 1 || listed[0] != string(before) {
			t.Errorf("%d places are listed", len(listed))
		}
	}
}
