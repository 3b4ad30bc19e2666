package quarry_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// cellsOf returns the content of every cell of a ground as text.
func cellsOf(g quarry.Ground) map[gridseg.Cell]string {
	all := map[gridseg.Cell]string{}
	if bounds, ok := g.Grid().Bounds(); ok {
		for c, tile := range g.Grid().Tiles(bounds) {
			s := fmt.Sprint(tile)
			for tile, loops := range g.Grid().Polygons(c.X, c.Y) {
				s += fmt.Sprint(tile, loops)
			}
			all[c] = s
		}
	}
	return all
}

// changedCells returns the smallest rectangle with the cells that differ, and false for none.
func changedCells(was, is map[gridseg.Cell]string) (r gridseg.Rect, ok bool) {
	for _, side := range [2]map[gridseg.Cell]string{was, is} {
		for c := range side {
			if was[c] == is[c] {
				continue
			}
			if !ok {
				r, ok = gridseg.Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y}, true
			}
			r = joined(r, gridseg.Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y})
		}
	}
	return r, ok
}

// joined returns the smallest rectangle that contains a and b.
func joined(a, b gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: min(a.MinX, b.MinX), MinY: min(a.MinY, b.MinY),
		MaxX: max(a.MaxX, b.MaxX), MaxY: max(a.MaxY, b.MaxY),
	}
}

// editSomething makes one edit of g near the origin. It may be refused or have no effect.
func editSomething(t *rapid.T, g quarry.Ground) error {
	at := func(name string) int32 { return int32(rapid.IntRange(-10, 20).Draw(t, name)) }
	x, y := at("x"), at("y")
	r := gridseg.Rect{MinX: x, MinY: y, MaxX: x + int32(rapid.IntRange(-1, 5).Draw(t, "w")), MaxY: y +
		int32(rapid.IntRange(0, 5).Draw(t, "h"))}
	tile := rapid.SampledFrom([]gridseg.Tile{
		{},
		{Shape: gridseg.Full},
		{Shape: gridseg.Full, User: 3},
		{Shape: gridseg.Ramp},
		{Shape: 999},
	}).Draw(t, "tile")
	attr := gridseg.Attr{Material: uint16(rapid.IntRange(0, 1).Draw(t, "material"))}
	corner := [][]gridseg.Point{{{X: 0, Y: 0}, {X: 2048, Y: 0}, {X: 0, Y: 2048}}}
	from := geom.V(float64(x), float64(y))
	to := from.Add(geom.V(rapid.Float64Range(-3, 3).Draw(t, "dx"), rapid.Float64Range(-3, 3).Draw(t, "dy")))
	radius := rapid.Float64Range(0.1, 3).Draw(t, "radius")
	switch rapid.SampledFrom([]string{
		"Set", "Clear", "Fill", "Place", "Move", "Add", "Remove", "Unite", "Subtract",
		"Dig", "Build",
	}).Draw(t, "edit") {
	case "Set":
		return g.Set(x, y, tile)
	case "Clear":
		return g.Clear(x, y)
	case "Fill":
		return g.Fill(r, tile)
	case "Place":
		s, err := g.Grid().Copy(r)
		if err != nil {
			return err
		}
		return g.Place(at("to x"), at("to y"), s)
	case "Move":
		return g.Move(r, int32(rapid.IntRange(-2, 2).Draw(t, "right")), int32(rapid.IntRange(-2, 2).Draw(t, "up")))
	case "Add":
		return g.AddPolygon(x, y, corner, attr)
	case "Remove":
		return g.RemovePolygon(x, y, corner)
	case "Unite":
		return g.Unite(latticeSquare(x, y), attr)
	case "Subtract":
		return g.Subtract(latticeSquare(x, y))
	case "Dig":
		return g.Dig(from, to, radius)
	}
	return g.Build(from, to, radius, attr)
}

// latticeSquare is a square of 1.5 cells.
func latticeSquare(x, y int32) [][]gridseg.Point {
	a := gridseg.Point{X: int64(x) * gridseg.Unit, Y: int64(y) * gridseg.Unit}
	const side = gridseg.Unit * 3 / 2
	return [][]gridseg.Point{{a, {X: a.X + side, Y: a.Y}, {X: a.X + side, Y: a.Y + side}, {X: a.X, Y: a.Y + side}}}
}

// TestGroundEdits compares all cells before and after each edit of two grounds: an edit that
// changed cells is listed once, with their bounding box and a Version that is greater by one; an
// edit without effect and a refused edit are not listed; a step empties the list.
func TestGroundEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		var grounds []quarry.Ground
		for range 2 {
			id, err := w.AddGround(w.AddBody(quarry.BodyDef{Angle: rapid.Float64Range(-1, 1).Draw(t, "angle")}),
				quarry.GroundDef{})
			if err != nil {
				t.Fatal(err)
			}
			g, _ := w.Ground(id)
			grounds = append(grounds, g)
		}
		var want []quarry.GroundEdit
		for range rapid.IntRange(1, 20).Draw(t, "edits") {
			if rapid.IntRange(0, 9).Draw(t, "step") == 0 {
				w.Step(worldtest.DT)
				want = want[:0]
			}
			g := rapid.SampledFrom(grounds).Draw(t, "ground")
			was, version := cellsOf(g), g.Version()
			err := editSomething(t, g)
			cells, changed := changedCells(was, cellsOf(g))
			if changed {
				want = append(want, quarry.GroundEdit{Ground: g.ID(), Cells: cells, Version: version + 1})
				version++
			}
			if err != nil && changed || g.Version() != version {
				t.Fatalf("error %v, changed %v, version %d, want %d", err, changed, g.Version(), version)
			}
			if got := w.GroundEdits(); !slices.Equal(got, want) {
				t.Fatalf("edits %+v, want %+v", got, want)
			}
		}
	})
}

// TestGroundEditsOfBuriedTiles: an edit that changes no surface is listed too.
func TestGroundEditsOfBuriedTiles(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -9, MaxX: 5, MaxY: -1})
	w.Step(worldtest.DT)
	if err := g.Set(0, -5, gridseg.Tile{Shape: gridseg.Full, Material: 7}); err != nil {
		t.Fatal(err)
	}
	want := []quarry.GroundEdit{{
		Ground: g.ID(), Cells: gridseg.Rect{MinX: 0, MinY: -5, MaxX: 0, MaxY: -5},
		Version: g.Version(),
	}}
	if got := w.GroundEdits(); !slices.Equal(got, want) {
		t.Errorf("edits %+v, want %+v", got, want)
	}
}

// TestGroundEditsAreNotAddedGrounds: AddGround and RemoveGround list nothing, and the edits of a
// removed ground stay until the next step.
func TestGroundEditsAreNotAddedGrounds(t *testing.T) {
	w := worldtest.New()
	tiles := gridseg.New(nil)
	if err := tiles.Set(0, 0, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	id, err := w.AddGround(0, quarry.GroundDef{Grid: tiles})
	if err != nil || len(w.GroundEdits()) != 0 {
		t.Fatalf("%v, edits %+v", err, w.GroundEdits())
	}
	g, _ := w.Ground(id)
	if err := g.Clear(0, 0); err != nil {
		t.Fatal(err)
	}
	w.RemoveGround(id)
	if got := w.GroundEdits(); len(got) != 1 || got[0].Ground != id {
		t.Errorf("edits %+v", got)
	}
	if w.Step(worldtest.DT); len(w.GroundEdits()) != 0 {
		t.Errorf("edits after a step: %+v", w.GroundEdits())
	}
}

// TestGroundEditsAreBounded: a world that is edited without a step lists 4,096 edits and one for
// each ground edited after that; further edits join the last of their ground. A reader that knows
// a Version finds every later change.
func TestGroundEditsAreBounded(t *testing.T) {
	const most = 4096
	w := worldtest.New()
	a := worldtest.Floor(t, w, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0})
	b := worldtest.Floor(t, w, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0})
	w.Step(worldtest.DT)
	edit := func(g quarry.Ground, i int32) {
		if err := g.Set(i, 9, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range int32(most) {
		edit(a, i)
	}
	known := a.Version()
	for i := range int32(100) {
		edit(b, i)
		edit(a, most+i)
	}
	edits := w.GroundEdits()
	if len(edits) != most+1 {
		t.Fatalf("%d edits, want %d", len(edits), most+1)
	}
	row := func(x0, x1 int32) gridseg.Rect { return gridseg.Rect{MinX: x0, MinY: 9, MaxX: x1, MaxY: 9} }
	if got, want := edits[most], (quarry.GroundEdit{
		Ground: b.ID(), Cells: row(0, 99),
		Version: b.Version(),
	}); got != want {
		t.Errorf("edits of b: %+v, want %+v", got, want)
	}
	var later gridseg.Rect
	for _, e := range edits {
		if e.Ground == a.ID() && e.Version > known {
			later = e.Cells
		}
	}
	if want := row(most-1, most+99); later != want {
		t.Errorf("edits of a after version %d: %v, want %v", known, later, want)
	}
}

// TestGroundEditsAllocateNothing once the memory is there.
func TestGroundEditsAllocateNothing(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -8, MinY: -8, MaxX: 7, MaxY: -1})
	n := 0
	edit := func() {
		for i := range 100 {
			tile := gridseg.Tile{Shape: gridseg.Full, User: uint32(1 + n)}
			if err := g.Set(int32(i%8), -1, tile); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if got := len(w.GroundEdits()); got != 100 {
			t.Fatalf("%d edits", got)
		}
		w.Step(worldtest.DT)
	}
	for range 3 {
		w.Step(worldtest.DT)
		edit()
	}
	if a := testing.AllocsPerRun(20, edit); a > 0 {
		t.Errorf("%v allocations", a)
	}
}

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
			t.Errorf("an edit from outside, after edits by the ground: %v", err)
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

// TestKeepMustNotEdit: while the function of Keep is asked, the grid cannot be edited, neither through the ground nor
// through the game's own pointer; and a panic in it leaves the ground as it was, closed and ready for edits.
func TestKeepMustNotEdit(t *testing.T) {
	grid, w := ownedGrid(t), worldtest.New()
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
	own, err2 := w.AddGround(0, quarry.GroundDef{Grid: nil})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	bare, _ := w.Ground(own)
	if err := bare.Fill(gridseg.Rect{MaxX: 3, MaxY: 3}, oneTile); err != nil {
		t.Fatal(err)
	}
	p, asked := geom.V(0.5, 0.5), 0
	for name, edits := range map[string]func() error{
		"the pointer":           func() error { return grid.Set(0, 9, oneTile) },
		"the ground":            func() error { return g.Set(0, 9, oneTile) },
		"a brush of the ground": func() error { return g.Dig(p, p, 1) },
		"unloading of a place": func() error {
			_, err := g.UnloadPlace(gridseg.Rect{MaxX: 15, MaxY: 15}, 0)
			return err
		},
	} {
		hash := w.Hash()
		if err := g.Dig(p, p, 0.7, gridseg.Keep(func(gridseg.Cell, gridseg.Tile) bool {
			asked++
			if err := edits(); !errors.Is(err, gridseg.ErrOwned) || !strings.Contains(err.Error(), "Keep") {
				t.Errorf("an edit by %s within Keep: %v", name, err)
			}
			return true
		})); err != nil {
			t.Errorf("an edit by %s within Keep: Dig: %v", name, err)
		}
		if w.Hash() != hash {
			t.Errorf("an edit by %s within Keep changed the world", name)
		}
	}
	for _, of := range []quarry.Ground{g, bare} {
		hash := w.Hash()
		func() {
			defer func() {
				if recover() != 1 {
					t.Error("no panic")
				}
			}()
			_ = of.Dig(p, p, 2, gridseg.Keep(func(gridseg.Cell, gridseg.Tile) bool { asked++; panic(1) }))
		}()
		if err := grid.Set(0, 9, oneTile); !errors.Is(err, gridseg.ErrOwned) || w.Hash() != hash {
			t.Errorf("after a panic in Keep: %v", err)
		}
		if err := of.Set(0, 9, oneTile); err != nil {
			t.Error(err)
		}
	}
	if asked < 6 {
		t.Errorf("asked %d times", asked)
	}
	free := ownedGrid(t)
	loops, _ := gridseg.Circle(0.5, 0.5, 0.7)
	if err := free.Subtract(loops, gridseg.Keep(func(gridseg.Cell, gridseg.Tile) bool {
		if free.Set(0, 9, oneTile) == nil {
			t.Error("an edit of a grid without owner within Keep was accepted")
		}
		return false
	})); err != nil {
		t.Error(err)
	}
	if err := free.Set(0, 9, oneTile); err != nil {
		t.Error(err)
	}
}
