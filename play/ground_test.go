package play

import (
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// A stroke of a client that digs in all grounds takes from a body of tiles and from the floor beneath, not from ground
// beside.
func TestDigInAllGrounds(t *testing.T) {
	w := newWorld(t, shelf)
	for _, x := range []float64{-4, 4} {
		if err := w.Do(0, Command{Do: "add", Kind: kindTiles, X: x, Y: 1, Size: 2, Angle: math.Pi / 2}); err != nil {
			t.Fatal(err)
		}
	}
	w.look()
	area := func() (sum [3]float64) {
		for i := range sum {
			g, _ := w.in.World.Ground(w.grounds[i].id)
			sum[i] = g.Grid().SolidArea(gridseg.Rect{MinX: -50, MinY: -50, MaxX: 50, MaxY: 50}).Cells()
		}
		return sum
	}
	before := area()
	if err := w.Do(0, Command{Do: "dig", All: true, X0: -4, X1: -4, Y0: 2, Y1: -2, Radius: 0.25}); err != nil {
		t.Fatal(err)
	}
	after := area()
	if d := before[1] - after[1]; math.Abs(d-1) > 0.01 {
		t.Errorf("%v dug from the body of tiles, want 1", d)
	}
	if d := before[0] - after[0]; math.Abs(d-0.5) > 0.01 {
		t.Errorf("%v dug from the floor, want 0.5", d)
	}
	if after[2] != before[2] {
		t.Error("ground beside was dug in")
	}
	if b, ok := w.bodyAt(geom.V(-3.5, 0.5)); !ok || b.Type() != quarry.Dynamic {
		t.Error("no body where the tiles are")
	}
	if b, ok := w.bodyAt(geom.V(-4, 1)); ok {
		t.Errorf("body %d where its tiles are dug away", b.ID())
	}
}

// Parts that come off beyond the limit of grounds vanish, and bodies of tiles are refused there.
func TestTooManyPieces(t *testing.T) {
	w := newWorld(t, shelf)
	_ = w.Do(0, Command{Do: "breaks", All: true})
	for k := range maxGrounds + 100 {
		if err := w.Do(0, Command{Do: "paint", Shape: 1, Cells: []int32{
			int32(2*(k%300)) - 300,
			int32(20 + 2*(k/300)),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 40 {
		step(t, w)
	}
	w.change++
	w.look()
	if n := len(w.numberOf); n != maxGrounds {
		t.Errorf("%d grounds, the limit is %d", n, maxGrounds)
	}
	if len(w.grounds) > maxGrounds+64 {
		t.Errorf("%d numbers of grounds: they are not used again", len(w.grounds))
	}
	if err := w.Do(0, Command{Do: "add", Kind: kindTiles, X: 0, Y: 500, Size: 1}); err == nil ||
		!strings.Contains(err.Error(), "grounds") {
		t.Errorf("one more body of tiles: %v", err)
	}
}

// An edit of a scene marks the chunks near its cells, after the same step, on a ground of any size.
// (All tiles were compared to find the edits: edits of a ground of a million tiles were found up to
// 10 steps late, and grounds of such scenes were limited to 400,000 tiles.)
func TestSceneEditsOfLargeGrounds(t *testing.T) {
	w := newWorld(t, editing(func(g quarry.Ground) {
		if err := g.Clear(500, 600); err != nil {
			t.Fatal(err)
		}
	}))
	tr := w.grounds[0]
	g, _ := w.in.World.Ground(tr.id)
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	w.lookAtEdits()
	w.budget.tiles, w.budget.segments, w.budget.chunks = w.groundSize() // as if the scene began so
	rev := tr.rev
	step(t, w)
	marked := 0
	for _, c := range tr.list {
		if c.Rev > rev {
			marked++
			if c.At != (gridseg.Cell{X: 500 / ChunkCells, Y: 600 / ChunkCells}) {
				t.Errorf("chunk %v is marked", c.At)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d chunks marked, want 1", marked)
	}
	if err := w.Do(0, Command{Do: "paint", Shape: 1, Cells: []int32{-1, 999}}); err != nil {
		t.Error(err)
	}
}

// A stroke without effect marks no chunk.
func TestStrokeInAirMarksNothing(t *testing.T) {
	w := newWorld(t, pit)
	tr := w.grounds[0]
	rev := tr.rev
	if err := w.Do(0, Command{Do: "dig", Y0: 50, Y1: 50, Radius: 2}); err != nil || tr.rev != rev {
		t.Errorf("%v, revision %d, want %d", err, tr.rev, rev)
	}
}

// An edit by the scene that leaves a cell with a patch marks its chunk, too.
func TestPatchesThatChangeAreSeen(t *testing.T) {
	hole := geom.V(-5.5, -0.5)
	w := newWorld(t, editing(func(g quarry.Ground) {
		if err := g.Dig(hole, hole, 0.05*float64(1+g.Version())); err != nil {
			t.Fatal(err)
		}
	}))
	for range 2 {
		rev := w.grounds[0].rev
		if step(t, w); w.grounds[0].rev == rev {
			t.Error("a hole grew, and no chunk is marked")
		}
	}
}
