package play

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/scene"
)

var pit, bare = worldtest.Pit, worldtest.Bare

// shelf is a floor from which a post rises to a shelf of 5 blocks.
var shelf = scene.Scene{
	Name: "shelf", Doc: "A shelf on a post.", View: geom.Box(geom.V(-12, -4), geom.V(12, 10)),
	Config: quarry.Config{Gravity: geom.V(0, -10)},
	Build: func(w *quarry.World) *scene.Instance {
		grid := gridseg.New(nil)
		for _, r := range []gridseg.Rect{
			{MinX: -10, MinY: -1, MaxX: 9, MaxY: -1},
			{MinX: 0, MinY: 0, MaxX: 0, MaxY: 3},
			{MinX: 0, MinY: 4, MaxX: 4, MaxY: 4},
		} {
			if err := grid.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				panic(err)
			}
		}
		if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
			panic(err)
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// editing returns the scene pit with an edit of its ground before each step.
func editing(edit func(g quarry.Ground)) scene.Scene {
	sc := pit
	sc.Build = func(w *quarry.World) *scene.Instance {
		in := pit.Build(w)
		in.BeforeStep = func(int) {
			for g := range in.World.Grounds() {
				edit(g)
			}
		}
		return in
	}
	return sc
}

// newWorld returns the world of a scene.
func newWorld(t testing.TB, sc scene.Scene) *World {
	t.Helper()
	w, err := New(sc, 20_000)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// step makes a step.
func step(t testing.TB, w *World) {
	t.Helper()
	if err := w.Step(); err != nil {
		t.Fatal(err)
	}
}

// give gives a command that must succeed.
func give(t testing.TB, w *World, by Player, c Command) {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	if err := w.Do(by, c); err != nil {
		t.Fatal(err)
	}
}

// A joint with the world makes its static body, which counts: by a drag, and by a joint.
func TestWorldsBodyCounts(t *testing.T) {
	for _, c := range []Command{{Do: "grab", Y: 0.5}, {Do: "join", Kind: "weld", Y0: 0.5, X1: 5, Y1: 5}} {
		w := newWorld(t, bare)
		give(t, w, 1, Command{Do: "add", Kind: "box", Y: 0.5})
		give(t, w, 1, c)
		if n := w.in.World.Stats().Bodies; w.bodies != n || n != 2 {
			t.Errorf("%s: %d bodies are counted, the world has %d", c.Do, w.bodies, n)
		}
	}
}
