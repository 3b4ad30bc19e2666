package play

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// settingsWorld returns a world with a wheel on a hinge (body a, joint j), a tile piece b in motion that turns, and a
// piece c that stands beside it.
func settingsWorld(t *testing.T) (w *World, a, b, c quarry.BodyID, j quarry.JointID) {
	t.Helper()
	w = newWorld(t, shelf)
	id := func(x, y float64) quarry.BodyID {
		body, ok := w.bodyAt(geom.V(x, y))
		if !ok {
			t.Fatalf("no body at %v, %v", x, y)
		}
		return body.ID()
	}
	give(t, w, 2, Command{Do: "add", Kind: "pentagon", X: -5, Y: 9, Size: 1})
	give(t, w, 2, Command{Do: "add", Kind: "tiles", X: 5, Y: 9, Size: 2})
	give(t, w, 2, Command{Do: "add", Kind: "tiles", X: 9, Y: 9.25, Size: 2, Angle: 0.3})
	a, b, c = id(-5, 9), id(5, 9), id(9, 9.25)
	give(t, w, 2, Command{Do: "join", Kind: "revolute", X0: -9, Y0: 12, X1: -5, Y1: 9})
	for k := range w.in.World.Joints() {
		j = k.ID()
	}
	give(t, w, 2, Command{Do: "alter", Body: b, Kind: "vx", Value: 1})
	give(t, w, 2, Command{Do: "alter", Body: b, Kind: "spin", Value: 0.5})
	return w, a, b, c, j
}

// Undo sets a changed property back, and redo sets it again, also in a restored world.
func TestUndoChanges(t *testing.T) {
	w, a, b, _, j := settingsWorld(t)
	list := []Command{
		{Do: "label", Body: a, Text: "wheel"},
		{Do: "tune", Joint: j, Motor: 3, Force: 50, Lower: -1, Upper: 1},
		{Do: "explode", X: 6, Y: 8, Radius: 2},
		{Do: "explode", X: -5, Y: 0, Radius: 2},
		{Do: "glue", X0: 5, Y0: 9, X1: 9, Y1: 9.25},
		{Do: "glue", X0: 0, Y0: -0.5, X1: 5, Y1: 9},
	}
	for kind, v := range map[string]float64{
		"mass": 7, "angle": 1, "size": 2, "vx": 3, "vy": -2, "spin": 4, "gravity": 0.5, "type": 0, "bullet": 1,
	} {
		list = append(list, Command{Do: "alter", Body: a, Kind: kind, Value: v})
		if kind != "size" {
			list = append(list, Command{Do: "alter", Body: b, Kind: kind, Value: v})
		}
	}
	materials, _ := w.Palette()
	for _, m := range materials {
		list = append(list, Command{Do: "alter", Body: a, Kind: "material", Value: float64(m.Index)})
	}
	for _, m := range list {
		w, _, _, _, j := settingsWorld(t)
		state := func() []string {
			joint, ok := w.in.World.Joint(j)
			if !ok {
				t.Fatal("the joint is gone")
			}
			return append(bodiesOf(w), string(jointText(joint)))
		}
		before := state()
		give(t, w, 1, m)
		after := state()
		if m.Kind != "material" && slices.Equal(before, after) {
			t.Errorf("%+v changes nothing", m)
		}
		if n, _ := w.Edits(1); n != 1 && !slices.Equal(before, after) {
			t.Errorf("%+v is %d edits", m, n)
			continue
		}
		for range 2 {
			if done, _ := w.Edits(1); done == 0 {
				break
			}
			give(t, w, 1, Command{Do: "undo"})
			if now := state(); !slices.Equal(now, before) {
				t.Errorf("%+v undone: %s", m, cmp.Diff(before, now))
			}
			w = restored(t, w)
			give(t, w, 1, Command{Do: "redo"})
			if now := state(); !slices.Equal(now, after) {
				t.Errorf("%+v made again: %s", m, cmp.Diff(after, now))
			}
			w = restored(t, w)
		}
	}
}

// A property that another player has changed since stays, and so does the motion of a body that moved on.
func TestUndoLeavesLaterChanges(t *testing.T) {
	w, a, b, _, _ := settingsWorld(t)
	give(t, w, 1, Command{Do: "alter", Body: a, Kind: "mass", Value: 7})
	give(t, w, 2, Command{Do: "alter", Body: a, Kind: "mass", Value: 9})
	give(t, w, 1, Command{Do: "undo"})
	if body, _ := w.in.World.Body(a); body.Mass() != 9 {
		t.Errorf("mass %v, want the other player's", body.Mass())
	}
	give(t, w, 1, Command{Do: "alter", Body: b, Kind: "vy", Value: 20})
	for range 10 {
		step(t, w)
	}
	body, _ := w.in.World.Body(b)
	was := body.Velocity()
	give(t, w, 1, Command{Do: "undo"})
	if body.Velocity() != was {
		t.Errorf("the velocity of a body that flies became %v", body.Velocity())
	}
}

// A piece that was glued to a body in motion comes off where that body is now.
func TestUndoGlueAfterMotion(t *testing.T) {
	w, _, b, c, _ := settingsWorld(t)
	place := func(id quarry.BodyID) geom.Transform {
		body, ok := w.in.World.Body(id)
		if !ok {
			t.Fatal("no body")
		}
		return body.Transform()
	}
	rel := place(b).InvMul(place(c))
	give(t, w, 1, Command{Do: "glue", X0: 5, Y0: 9, X1: 9, Y1: 9.25})
	for range 30 {
		step(t, w)
	}
	w = restored(t, w)
	at := place(b)
	give(t, w, 1, Command{Do: "undo"})
	var found []float64
	for body := range w.in.World.Bodies() {
		if now := at.InvMul(body.Transform()); body.ID() != b && now.P.Sub(rel.P).Len() < 1e-6 {
			found = append(found, math.Abs(now.Q.Angle()-rel.Q.Angle()))
			if v := body.Velocity(); v.Len() < 1 { // the piece has fallen for half a second
				t.Errorf("the piece has the velocity %v", v)
			}
		}
	}
	if len(found) != 1 || found[0] > 1e-6 {
		t.Errorf("pieces with angles off by %v are where the piece was, want one", found)
	}
}
