package play

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/scene"
)

// rides returns the body that a player drives.
func rides(t testing.TB, w *World, by Player) quarry.Body {
	t.Helper()
	id, _ := w.Rides(by)
	b, ok := w.in.World.Body(id)
	if !ok {
		t.Fatalf("player %d drives nothing", by)
	}
	return b
}

// A character walks to a block, jumps onto it, digs through it and falls, and vanishes when the player leaves.
func TestWalk(t *testing.T) {
	w := newWorld(t, pit)
	give(t, w, 2, Command{Do: "paint", Shape: 1, Cells: []int32{5, 0, 6, 0, 5, 1, 6, 1}})
	bodies := w.bodies
	give(t, w, 1, Command{Do: "board", X: 2, Y: 1})
	if _, walks := w.Rides(1); !walks || w.bodies != bodies+1 || w.bodies != w.in.World.Stats().Bodies {
		t.Fatalf("walks %v, %d bodies are counted", walks, w.bodies)
	}
	give(t, w, 1, Command{Do: "drive", Keys: KeyRight})
	for range 90 {
		step(t, w)
	}
	if p := rides(t, w, 1).Position(); math.Abs(p.X-4.6) > 0.1 || math.Abs(p.Y) > 0.1 {
		t.Fatalf("at %v, want in front of the block", p)
	}
	give(t, w, 1, Command{Do: "drive", Keys: KeyRight | KeyUp})
	for range 35 {
		step(t, w)
	}
	give(t, w, 1, Command{Do: "drive"})
	for range 60 {
		step(t, w)
	}
	p := rides(t, w, 1).Position()
	if math.Abs(p.Y-2) > 0.1 || p.X < 4.6 {
		t.Fatalf("at %v, want on the block", p)
	}
	give(t, w, 1, Command{Do: "dig", X0: p.X, X1: p.X, Y0: p.Y, Y1: p.Y - 3, Radius: 0.7})
	for range 60 {
		step(t, w)
	}
	if q := rides(t, w, 1).Position(); q.Y > 1 {
		t.Errorf("at %v, want in the hole", q)
	}
	if w.Leave(1); w.bodies != bodies || len(w.players) != 0 || len(w.riders) != 0 {
		t.Errorf("%d bodies, %d players, %d riders after the player has left", w.bodies, len(w.players), len(w.riders))
	}
	if err := w.Do(1, Command{Do: "drive", Keys: 1}); err == nil || !strings.Contains(err.Error(), "board") {
		t.Errorf("drive without a body: %v", err)
	}
}

// A car drives both ways, also if a wheel is boarded; a ship flies and turns; a character falls out of the world once.
func TestDrive(t *testing.T) {
	sc, _ := scene.Get("car")
	w := newWorld(t, sc)
	var chassis quarry.Body
	for b := range w.in.World.Bodies() {
		if b.Mass() > 2 && chassis.ID() == 0 && b.Type() == quarry.Dynamic {
			chassis = b
		}
	}
	var wheel quarry.Body
	for j := range chassis.Joints() {
		_, wheel = j.Bodies()
	}
	p := wheel.Position()
	give(t, w, 1, Command{Do: "board", X: p.X, Y: p.Y})
	if rides(t, w, 1).ID() != chassis.ID() {
		t.Fatal("who boards a wheel does not drive the car")
	}
	for range 60 {
		step(t, w)
	}
	at := chassis.Position().X
	give(t, w, 1, Command{Do: "drive", Keys: KeyRight})
	for range 240 {
		step(t, w)
	}
	if x := chassis.Position().X; x < at+2 {
		t.Errorf("to the right from %v to %v", at, x)
	}
	at = chassis.Position().X
	give(t, w, 1, Command{Do: "drive", Keys: KeyLeft})
	for range 240 {
		step(t, w)
	}
	if x := chassis.Position().X; x > at-2 {
		t.Errorf("to the left from %v to %v", at, x)
	}

	w = newWorld(t, bare)
	give(t, w, 1, Command{Do: "add", Kind: "tiles", Size: 3})
	give(t, w, 1, Command{Do: "board"})
	give(t, w, 1, Command{Do: "drive", Keys: KeyUp})
	for range 60 {
		step(t, w)
	}
	ship := rides(t, w, 1)
	if v := ship.Velocity(); v.Y < 5 || math.Abs(v.X) > 0.1 {
		t.Errorf("the ship's velocity is %v", v)
	}
	give(t, w, 1, Command{Do: "drive", Keys: KeyUp | KeyRight})
	for range 20 {
		step(t, w)
	}
	if ship.Angle() > -0.2 || ship.Velocity().X < 0.5 {
		t.Errorf("angle %v, velocity %v", ship.Angle(), ship.Velocity())
	}
	give(t, w, 2, Command{Do: "remove", X: ship.CenterOfMass().X, Y: ship.CenterOfMass().Y})
	if step(t, w); len(w.riders) != 0 {
		t.Error("a player drives a body that is gone")
	}
	give(t, w, 3, Command{Do: "board", X: 50})
	for range 1200 {
		step(t, w)
	}
	if id, _ := w.Rides(3); id != 0 || w.bodies != w.in.World.Stats().Bodies {
		t.Error("a character falls for ever")
	}
}

// A drive goes on after Restore and after Rewind as it did, on ground, bodies and in the air.
func TestDriveGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(rapid.SampledFrom([]scene.Scene{pit, shelf}).Draw(t, "scene"), 300)
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Do(1, Command{Do: "board", X: float64(rapid.IntRange(-5, 5).Draw(t, "x")), Y: 1.5, All: true})
		_ = w.Do(2, Command{Do: "add", Kind: "box", X: 3, Y: 0.5, Size: 1})
		_ = w.Do(2, Command{Do: "board", X: 3, Y: 0.5})
		press := func(ws ...*World) {
			by, keys := Player(rapid.IntRange(1, 2).Draw(t, "by")), rapid.Uint8Range(0, maxKeys).Draw(t, "keys")
			n := rapid.IntRange(1, 30).Draw(t, "steps")
			for _, w := range ws {
				_ = w.Do(by, Command{Do: "drive", Keys: keys})
				for range n {
					_ = w.Step()
				}
			}
		}
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			press(w)
		}
		b, err := w.AppendSnapshot(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Restore(b, find)
		if err != nil {
			t.Fatal(err)
		}
		var s Saved
		w.Capture(&s)
		for range 3 {
			_ = w.Step()
		}
		_ = w.Do(1, Command{Do: "leave"})
		w.Rewind(&s)
		for range 4 {
			press(w, r)
			if w.Engine().Hash() != r.Engine().Hash() {
				t.Fatal("it goes on otherwise")
			}
		}
	})
}

// A step with characters allocates nothing once warm.
func TestDriveAllocatesNothing(t *testing.T) {
	w := newWorld(t, pit)
	for by := range Player(4) {
		give(t, w, by, Command{Do: "board", X: float64(by) * 2, Y: 1, All: true})
		give(t, w, by, Command{Do: "drive", Keys: KeyRight})
	}
	for range 200 {
		step(t, w)
	}
	if n := testing.AllocsPerRun(100, func() { w.ride() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
