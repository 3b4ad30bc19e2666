package play

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// fallen returns the number of dynamic bodies of tiles.
func fallen(w *World) (n int) {
	for g := range w.in.World.Grounds() {
		if g.Body().Type() == quarry.Dynamic {
			n++
		}
	}
	return n
}

// A stroke whose parts come in many steps is one edit: what it builds or cuts loose falls when it ends, in one piece,
// as if no step had come between. (A beam that was built while loose ground fell became 13 stones.)
func TestStrokeIsOneEdit(t *testing.T) {
	const a, b = 1, 2
	for _, do := range []string{"build", "paint"} {
		for _, paused := range []bool{false, true} {
			w := newWorld(t, shelf)
			give(t, w, a, Command{Do: "breaks", All: true})
			part := func(x int) Command {
				if do == "build" {
					return Command{Do: do, X0: float64(x), X1: float64(x + 1), Y0: 8, Y1: 8, Radius: 0.4, Hold: true}
				}
				return Command{Do: do, Shape: 1, Cells: []int32{int32(x), 8}, Hold: true}
			}
			for x := range 13 {
				give(t, w, a, part(x-6))
				if !paused {
					step(t, w)
				}
				if n := fallen(w); n != 0 {
					t.Fatalf("%s: %d pieces fall after part %d of the stroke", do, n, x+1)
				}
			}
			// Another player's stroke, of one part, does not end this one.
			give(t, w, b, Command{Do: "erase", Cells: []int32{0, 1}, Hold: true})
			give(t, w, b, Command{Do: "release"})
			if step(t, w); fallen(w) != 0 {
				t.Fatalf("%s: %d pieces fall before the stroke has ended", do, fallen(w))
			}
			give(t, w, a, Command{Do: "release"})
			if step(t, w); fallen(w) != 2 {
				t.Errorf("%s, paused %v: %d pieces fall, want the beam and the shelf", do, paused, fallen(w))
			}
			for g := range w.in.World.Grounds() {
				if g.Body().Type() != quarry.Dynamic && !g.Def().Breaks {
					t.Error("the ground does not break any more")
				}
			}
		}
	}
}

// The choice whether loose ground falls, made during a stroke, holds after it; and a world without ground gets one that
// keeps it.
func TestBreaksDuringAStroke(t *testing.T) {
	w := newWorld(t, bare)
	breaks := func() bool { // a stroke holds grounds by SetWhole; it took their GroundDef.Breaks
		for g := range w.in.World.Grounds() {
			if g.Body().Type() != quarry.Dynamic {
				return g.Def().Breaks && !g.Whole()
			}
		}
		return false
	}
	stroke := Command{Do: "build", X1: 5, Radius: 1, Hold: true}
	give(t, w, 1, Command{Do: "breaks", All: true})
	give(t, w, 1, stroke)
	if breaks() {
		t.Error("the first ground breaks during the stroke")
	}
	give(t, w, 1, Command{Do: "release"})
	if !breaks() {
		t.Error("the first ground does not break after the stroke")
	}
	give(t, w, 1, stroke)
	give(t, w, 1, Command{Do: "breaks"})
	give(t, w, 1, Command{Do: "release"})
	if breaks() {
		t.Error("it breaks, though that was ended during the stroke")
	}
	give(t, w, 1, stroke)
	give(t, w, 1, Command{Do: "breaks", All: true})
	if breaks() {
		t.Error("it breaks during the stroke")
	}
	give(t, w, 1, Command{Do: "release"})
	if !breaks() {
		t.Error("it does not break, though that was begun during the stroke")
	}
	give(t, w, 1, stroke)
	give(t, w, 1, stroke)
	if w.strokes != 1 {
		t.Errorf("%d strokes of one player", w.strokes)
	}
	if w.Leave(1); w.strokes != 0 || !breaks() || len(w.players) != 0 {
		t.Errorf("%d strokes and %d players after the player has left", w.strokes, len(w.players))
	}
}

// A stroke on a raft is one edit, too: it stays whole until the stroke ends, wherever its parts are built, and when it
// is cut. (Only standing grounds waited for the end.)
func TestStrokeOnARaft(t *testing.T) {
	w := newWorld(t, bare)
	give(t, w, 1, Command{Do: "add", Kind: kindTiles, X: 0, Y: 40, Size: 6})
	raft := uint32(len(w.grounds) - 1)
	rafts := fallen(w)
	w.in.World.SetGravity(geom.Vec{})
	for x := range 13 {
		give(t, w, 1, Command{
			Do: "build", Ground: raft, X0: float64(x), X1: float64(x + 1), Y0: 60, Y1: 60, Radius: 0.4,
			Hold: true,
		})
		if step(t, w); fallen(w) != rafts {
			t.Fatalf("%d pieces come off after part %d of the stroke", fallen(w)-rafts, x+1)
		}
	}
	give(t, w, 1, Command{Do: "release"})
	if step(t, w); fallen(w) != rafts+1 {
		t.Errorf("%d pieces come off at the end of the stroke, want the beam", fallen(w)-rafts)
	}
	for x := -5; x < 5; x++ { // cut the raft
		give(t, w, 1, Command{
			Do: "dig", All: true, X0: float64(x), X1: float64(x + 1), Y0: 40, Y1: 40, Radius: 0.2,
			Hold: true,
		})
		if step(t, w); fallen(w) != rafts+1 {
			t.Fatalf("the raft breaks before the cut has ended, at %d", x)
		}
	}
	give(t, w, 1, Command{Do: "release"})
	if step(t, w); fallen(w) != rafts+2 {
		t.Errorf("%d pieces come off at the end of the cut, want one", fallen(w)-rafts-1)
	}
}

// A snapshot of an older program, which took GroundDef.Breaks from the grounds that a stroke held and listed them, goes
// on: they break when the stroke ends.
func TestSnapshotOfOlderStroke(t *testing.T) {
	w := newWorld(t, shelf)
	give(t, w, 1, Command{Do: "breaks", All: true})
	give(t, w, 1, Command{Do: "build", X0: -3, X1: 3, Y0: 8, Y1: 8, Radius: 0.4, Hold: true})
	held := ""
	for g := range w.in.World.Grounds() {
		d := g.Def()
		g.SetWhole(false)
		g.SetBreaks(false, d.Anchors, d.AnchorBits)
		held += fmt.Sprintf(",%d", g.ID())
	}
	b, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	n := len(snapshotMagic) + 4
	size := int(binary.LittleEndian.Uint32(b[n-4:]))
	head := fmt.Sprintf(`{"held":[%s],%s`, held[1:], b[n+1:n+size])
	old := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), uint32(len(head)))
	r, err := Restore(append(append(old, head...), b[n+size:]...), find)
	if err != nil {
		t.Fatal(err)
	}
	if step(t, r); fallen(r) != 0 {
		t.Errorf("%d pieces fall during the stroke", fallen(r))
	}
	give(t, r, 1, Command{Do: "release"})
	if step(t, r); fallen(r) != 1 {
		t.Errorf("%d pieces fall after the stroke, want the beam", fallen(r))
	}
}
