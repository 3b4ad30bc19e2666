package quarry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// ownedGrid returns a grid with preserved layers and a row of tiles.
func ownedGrid(t *testing.T) *gridseg.Grid {
	t.Helper()
	g := gridseg.New(nil)
	err := errors.Join(g.Preserve(1, 1), g.Fill(gridseg.Rect{MinX: -9, MaxX: 9},
		gridseg.Tile{Shape: gridseg.Full, Layer: 1}))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var oneTile = gridseg.Tile{Shape: gridseg.Full}

// TestGridOfGround: a Grid that a ground has refuses edits through a kept pointer, and other grounds, of the same or
// another world. A boulder falls on the tiles that Solid tells of. The Grid is free again when the ground or its body
// was removed, or replaced by Restore.
func TestGridOfGround(t *testing.T) {
	gone := map[string]func(w *quarry.World, g quarry.Ground){
		"RemoveGround": func(w *quarry.World, g quarry.Ground) { w.RemoveGround(g.ID()) },
		"RemoveBody":   func(w *quarry.World, g quarry.Ground) { w.RemoveBody(g.Body().ID()) },
		"Restore": func(w *quarry.World, g quarry.Ground) {
			if err := w.Restore(w.AppendSnapshot(nil)); err != nil {
				t.Fatal(err)
			}
		},
		"Join": func(w *quarry.World, g quarry.Ground) {
			id, err := w.AddGround(0, quarry.GroundDef{})
			if err != nil {
				t.Fatal(err)
			}
			onto, _ := w.Ground(id)
			if err := onto.Join(g.ID()); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, remove := range gone {
		grid, w, other := ownedGrid(t), worldtest.New(), worldtest.New()
		id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
		if err != nil {
			t.Fatal(err)
		}
		g, _ := w.Ground(id)
		hash := w.Hash()
		for _, of := range []*quarry.World{w, other} {
			if _, err := of.AddGround(0, quarry.GroundDef{Grid: grid}); err == nil || !strings.Contains(err.Error(),
				"GroundDef.Grid") {
				t.Errorf("a second ground has the Grid: %v", err)
			}
		}
		if err := grid.Fill(gridseg.Rect{MinX: -9, MaxX: 9}, gridseg.Tile{}); !errors.Is(err, gridseg.ErrOwned) {
			t.Errorf("an edit from outside: %v", err)
		}
		if w.Hash() != hash {
			t.Error("refused calls changed the world")
		}
		if err := errors.Join(g.Set(0, 5, oneTile), g.Clear(0, 5), g.Move(gridseg.Rect{MinX: 9, MaxX: 9}, 1,
			0)); err != nil {
			t.Errorf("edits by the ground: %v", err)
		}
		if g.Set(0, 0, gridseg.Tile{Shape: 999}) == nil {
			t.Error("a shape that is not registered was accepted")
		}
		data, err := g.UnloadPlace(gridseg.Rect{MinX: 160, MaxX: 175, MaxY: 15}, gridseg.UnloadedEmpty)
		if err == nil {
			_, err = g.LoadPlace(data)
		}
		if err != nil {
			t.Error(err)
		}
		if err := grid.Set(0, 3, oneTile); !errors.Is(err, gridseg.ErrOwned) {
			t.Errorf("an edit from outside, after those of the ground: %v", err)
		}
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1.6)})
		w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		for range 60 {
			w.Step(worldtest.DT)
		}
		body, _ := w.Body(b)
		if y := body.Position().Y; y < 1.4 || !g.Solid(geom.V(0, 0.5)) {
			t.Errorf("the body is at %v on tiles", y)
		}
		remove(w, g)
		if err := grid.Clear(0, 0); err != nil {
			t.Errorf("%s: an edit after it: %v", name, err)
		}
		if _, err := other.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
			t.Errorf("%s: AddGround after it: %v", name, err)
		}
	}
}

// TestRefusedAddGroundLeavesGrid: an AddGround that is refused does not take the Grid.
func TestRefusedAddGroundLeavesGrid(t *testing.T) {
	w, grid := worldtest.New(), ownedGrid(t)
	if _, err := w.AddGround(12345, quarry.GroundDef{Grid: grid}); err == nil {
		t.Error("a body that does not exist was accepted")
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid, Materials: []quarry.MaterialID{9}}); err == nil {
		t.Error("a material that does not exist was accepted")
	}
	far := w.AddBody(quarry.BodyDef{Position: geom.V(1.12e15, 0)})
	if _, err := w.AddGround(far, quarry.GroundDef{Grid: grid}); err == nil {
		w.RemoveBody(far)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = w.AddGround(0, quarry.GroundDef{Grid: grid, MinFragment: -1})
		t.Error("MinFragment -1 was accepted")
	}()
	if err := grid.Set(0, 4, oneTile); err != nil {
		t.Error(err)
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		t.Error(err)
	}
}

// TestLoadOfReleasedGrid: World.Rewind brings a ground back whose Grid the game has got back by RemoveGround, changed,
// and given to another world. The ground has its tiles and layers of then in a grid of its own, and the other world
// keeps its tiles. Each of the Snapshots can be loaded, in any order, also those without the ground; through the kept
// pointer no ground can be edited.
func TestLoadOfReleasedGrid(t *testing.T) {
	w, other, grid := worldtest.New(), worldtest.New(), ownedGrid(t)
	var without, with, later, after quarry.Snapshot
	var hashes []uint64
	save := func(s *quarry.Snapshot) {
		w.Step(worldtest.DT)
		w.Capture(s)
		hashes = append(hashes, w.Hash())
	}
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 3)})
	w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	save(&without)
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	save(&with)
	g, _ := w.Ground(id)
	if err := g.Clear(0, 0); err != nil {
		t.Fatal(err)
	}
	save(&later)
	w.RemoveGround(id)
	if err := grid.Fill(gridseg.Rect{MinX: -20, MinY: -20, MaxX: 20, MaxY: 20}, gridseg.Tile{}); err != nil {
		t.Fatal(err)
	}
	grid.Resolve()
	if err := errors.Join(grid.Preserve(2, 3), grid.Set(1, 1, oneTile)); err != nil {
		t.Fatal(err)
	}
	if _, err := other.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		t.Fatal(err)
	}
	otherHash := other.Hash()
	save(&after)
	all := []*quarry.Snapshot{&without, &with, &later, &after}
	for _, k := range []int{1, 0, 2, 1, 3, 2, 2, 0, 1} {
		w.Rewind(all[k])
		if h := w.Hash(); h != hashes[k] {
			t.Errorf("Rewind of Snapshot %d: hash %x, was %x", k, h, hashes[k])
		}
		if data := w.AppendSnapshot(nil); quarry.NewWorld(quarry.Config{}).Restore(data) != nil {
			t.Errorf("Snapshot %d: the world's snapshot cannot be restored", k)
		}
		if g, ok := w.Ground(id); ok != (k == 1 || k == 2) {
			t.Errorf("Rewind of Snapshot %d: the ground exists: %v", k, ok)
		} else if ok {
			if err := g.Set(3, 7, oneTile); err != nil {
				t.Errorf("an edit after Rewind: %v", err)
			}
		}
		if err := grid.Clear(1, 1); !errors.Is(err, gridseg.ErrOwned) || other.Hash() != otherHash {
			t.Errorf("Rewind of Snapshot %d: the Grid of another world was edited: %v", k, err)
		}
		w.Step(worldtest.DT)
	}
}
