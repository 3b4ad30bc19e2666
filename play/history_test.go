package play

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// tilesOf returns the bytes of all standing grounds' tiles.
func tilesOf(w *World) string {
	text := ""
	for g := range w.in.World.Grounds() {
		if g.Body().Type() != quarry.Dynamic {
			text += string(g.Grid().AppendBinary(nil))
		}
	}
	return text
}

// bodiesOf describes all bodies but for their ids.
func bodiesOf(w *World) (list []string) {
	for b := range w.in.World.Bodies() {
		d := b.Def()
		text := ""
		for _, x := range [...]float64{d.Angle, d.Position.X, d.Position.Y, d.Velocity.X, d.Velocity.Y, b.Mass()} {
			text += fmt.Sprintf("%.6f ", math.Round(x*1e6)/1e6+0) // less rounding, and no -0
		}
		d.Angle, d.Position, d.Velocity = 0, geom.Vec{}, geom.Vec{}
		text += fmt.Sprintf(" %+v", d)
		for s := range b.Shapes() {
			text += fmt.Sprintf(" %v %+v", s.Geometry(), s.Def())
		}
		for g := range b.Grounds() {
			text += fmt.Sprintf(" %x", g.Grid().AppendBinary(nil))
		}
		joints := 0
		for range b.Joints() {
			joints++
		}
		list = append(list, fmt.Sprintf("%s %d joints", text, joints))
	}
	slices.Sort(list)
	return list
}

// Undo of everything that a player did leaves the ground, bodies and joints as they were, and redo brings all back,
// with snapshots between.
func TestUndoAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(rapid.SampledFrom([]scene.Scene{pit, bare, shelf}).Draw(t, "scene"), 300)
		if err != nil {
			t.Fatal(err)
		}
		// The ground of the bare scene comes with the first tile, and its body stays.
		_ = w.Do(2, Command{Do: "paint", Shape: 1, Cells: []int32{50, 50}})
		_ = w.Do(2, Command{Do: "join", Kind: "weld", Y0: 0.5, X1: 5, Y1: 50})
		tiles, bodies := tilesOf(w), bodiesOf(w)
		given := 0
		for range rapid.IntRange(1, 25).Draw(t, "n") {
			c := drawCommand(t)
			if d := descriptions[c.Do]; !d.edits && c.Do != "release" {
				continue
			}
			near(t, &c)
			given++
			_ = w.Do(1, c)
			w.budget.touched = 0 // there are no steps
		}
		after, afterBodies := tilesOf(w), bodiesOf(w)
		if n, _ := w.Edits(1); n > given {
			t.Fatalf("%d edits of %d commands", n, given)
		}
		all := func(do string) {
			for {
				if rapid.IntRange(0, 15).Draw(t, "restore") == 0 {
					w = restored(t, w)
				}
				done, undone := w.Edits(1)
				if do == "undo" && done == 0 && !w.Unfinished(1) || do == "redo" && undone == 0 && !w.Unfinished(1) {
					return
				}
				w.budget.touched = 0
				if err := w.Do(1, Command{Do: do}); err != nil {
					t.Fatal(err)
				}
			}
		}
		all("undo")
		if tilesOf(w) != tiles {
			t.Fatal("undo leaves other tiles")
		}
		if got := bodiesOf(w); !slices.Equal(got, bodies) {
			t.Fatal("undo: ", cmp.Diff(bodies, got))
		}
		all("redo")
		if tilesOf(w) != after {
			t.Fatal("redo leaves other tiles")
		}
		if got := bodiesOf(w); !slices.Equal(got, afterBodies) {
			t.Fatal("redo: ", cmp.Diff(afterBodies, got))
		}
		if w.bodies != w.in.World.Stats().Bodies {
			t.Fatalf("%d bodies are counted", w.bodies)
		}
	})
}

// A stroke of several parts is one edit; what others have changed in the meantime stays; a new edit ends redo.
func TestUndoIsTheAuthors(t *testing.T) {
	w := newWorld(t, pit)
	before := tilesOf(w)
	for x := range 5 {
		x := float64(x)
		give(t, w, 1, Command{Do: "dig", X0: x, X1: x + 1, Y0: -0.5, Y1: -0.5, Radius: 0.5, Hold: true})
	}
	give(t, w, 1, Command{Do: "release"})
	give(t, w, 2, Command{Do: "paint", Shape: 2, Cells: []int32{3, -1}})
	if done, _ := w.Edits(1); done != 1 {
		t.Fatalf("%d edits of one stroke", done)
	}
	if err := w.Do(3, Command{Do: "undo"}); err == nil || !strings.Contains(err.Error(), "nothing to undo") {
		t.Errorf("undo of who did nothing: %v", err)
	}
	give(t, w, 1, Command{Do: "undo"})
	g, _ := w.in.World.Ground(w.grounds[0].id)
	if g.Tile(3, -1).Shape != 2 || g.Tile(2, -1) != (gridseg.Tile{Shape: gridseg.Full}) {
		t.Errorf("tiles %v and %v: want the other's, and the one before", g.Tile(3, -1), g.Tile(2, -1))
	}
	give(t, w, 2, Command{Do: "undo"})
	give(t, w, 2, Command{Do: "redo"})
	give(t, w, 2, Command{Do: "undo"})
	give(t, w, 1, Command{Do: "redo"})
	give(t, w, 1, Command{Do: "undo"})
	g, _ = w.in.World.Ground(w.grounds[0].id)
	if content(g, gridseg.Cell{X: 3, Y: -1}) == "" {
		t.Error("the cell that both changed is empty")
	}
	give(t, w, 1, Command{Do: "erase", Cells: []int32{-8, -1}})
	if err := w.Do(1, Command{Do: "redo"}); err == nil {
		t.Error("redo after a new edit")
	}
	give(t, w, 1, Command{Do: "undo"})
	if c := tilesOf(w); c != before && len(c) == 0 {
		t.Error("no ground is left")
	}
}

// A removed body comes back with its shapes, its tiles and its joints, where it was, and a joint added later finds it.
func TestUndoRemove(t *testing.T) {
	w := newWorld(t, shelf)
	give(t, w, 1, Command{Do: "add", Kind: "tiles", X: -5, Y: 6, Size: 3, Angle: 0.5})
	give(t, w, 1, Command{Do: "add", Kind: "pentagon", X: -5, Y: 9, Size: 1})
	give(t, w, 2, Command{Do: "join", Kind: "distance", X0: -5, Y0: 6, X1: -5, Y1: 9})
	before := bodiesOf(w)
	give(t, w, 2, Command{Do: "remove", X: -5, Y: 6})
	if n := w.in.World.Stats().Bodies; n != len(before)-1 {
		t.Fatalf("%d bodies after remove", n)
	}
	give(t, w, 2, Command{Do: "undo"})
	if got := bodiesOf(w); !slices.Equal(got, before) {
		t.Error(cmp.Diff(before, got))
	}
	give(t, w, 2, Command{Do: "undo"}) // of the joint, which has another id now
	for range w.in.World.Joints() {
		t.Error("the joint is still there")
	}
	if _, ok := w.bodyAt(geom.V(-5, 9)); !ok {
		t.Error("its body is gone")
	}
}

// The memory of edits is bounded: per player and in all, and a stroke that goes on for an hour becomes several edits.
func TestHistoryIsBounded(t *testing.T) {
	w := newWorld(t, pit)
	for range maxEdits + 20 {
		give(t, w, 1, Command{Do: "paint", Shape: 1, Cells: []int32{5, 5}})
		give(t, w, 1, Command{Do: "erase", Cells: []int32{5, 5}})
	}
	if n, _ := w.Edits(1); n != maxEdits {
		t.Errorf("%d edits, the limit is %d", n, maxEdits)
	}
	for y := range 60 {
		cells := make([]int32, 0, 2*1024)
		for x := range int32(1024) {
			cells = append(cells, x, int32(y)+10)
		}
		give(t, w, 2, Command{Do: "paint", Shape: 1, Cells: cells, Hold: true})
		step(t, w)
	}
	if w.history.cost > maxHistory {
		t.Errorf("%d bytes, the limit is %d", w.history.cost, maxHistory)
	}
	if n, _ := w.Edits(2); n < 5 || n > 25 {
		t.Errorf("a stroke of 60,000 cells is %d edits", n)
	}
	give(t, w, 2, Command{Do: "undo"})
	n := 1
	for ; w.Unfinished(2); n++ {
		step(t, w)
		give(t, w, 2, Command{Do: "undo"})
	}
	if n < 2 || n > maxEdit/flipCells/cellCost+4 {
		t.Errorf("an undo takes %d commands", n)
	}
}

// FuzzContent: any bytes are refused as changes or as the content of a cell, or are what comes back.
func FuzzContent(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x00\x01\x00\x00\x00\x00"))
	f.Add([]byte("\x01\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x00\x00\x02\x00\x01\x03\x00\x00\x80\x20\x00\x00\x80\x20"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, ok := readChanges(b); ok {
			again := []byte(nil)
			for i := range list {
				again = appendChange(again, &list[i])
			}
			if back, ok := readChanges(again); !ok || !slices.Equal(back, list) {
				t.Fatalf("%v comes back as %v", list, back)
			}
		}
		w := newWorld(t, pit)
		g, _ := w.in.World.Ground(w.grounds[0].id)
		at := gridseg.Cell{X: 3, Y: 3}
		if setContent(g, at, string(b)) != nil {
			return
		}
		c := content(g, at)
		if err := setContent(g, at, c); err != nil || content(g, at) != c {
			t.Fatalf("%q comes back as %q: %v", c, content(g, at), err)
		}
	})
}
