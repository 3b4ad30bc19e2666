package play

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// If the ground refuses a stroke, its client gets an error, and nothing changes.
func TestStrokesThatAreRefused(t *testing.T) {
	w := newWorld(t, pit)
	g, _ := w.in.World.Ground(w.grounds[0].id)
	before, rev := g.Grid().Hash(), w.grounds[0].rev
	for _, c := range []struct {
		m    Command
		want string
	}{
		{Command{Do: "dig", Radius: 1, Ground: 7}, "no ground 7"},
		{Command{Do: "build", X0: math.NaN(), Radius: 1}, "too far"},
		{Command{Do: "dig", X1: math.Inf(1), Radius: 1}, "too far"},
	} {
		if err := w.Do(0, c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.m, err, c.want)
		}
	}
	for _, x := range []float64{-MaxCoordinate, MaxCoordinate} { // at the very ends of the world
		for _, do := range []string{"dig", "build"} {
			if err := w.Do(0, Command{Do: do, X0: x, X1: x, Radius: MaxBrush}); err != nil &&
				!errors.Is(err, gridseg.ErrRange) && !strings.Contains(err.Error(), "too far") {
				t.Errorf("%s at %v: %v", do, x, err)
			}
			if err := w.Do(0, Command{Do: "dig", X0: x, X1: x, Radius: MaxBrush}); err != nil &&
				!errors.Is(err, gridseg.ErrRange) && !strings.Contains(err.Error(), "too far") {
				t.Errorf("dig at %v: %v", x, err)
			}
		}
	}
	if g.Grid().Hash() != before {
		t.Error("a refused stroke changed the ground, or digging what was built did not restore it")
	}
	if w.grounds[0].rev < rev {
		t.Error("revisions went back")
	}
}

// On a ground that is turned and moved, a stroke still goes where it was meant.
func TestStrokeOnTurnedGround(t *testing.T) {
	turned := bare
	turned.Build = func(w *quarry.World) *scene.Instance {
		in := bare.Build(w)
		b := in.World.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(100, 50), Angle: 0.7})
		if _, err := in.World.AddGround(b, quarry.GroundDef{}); err != nil {
			panic(err)
		}
		return in
	}
	w := newWorld(t, turned)
	if err := w.Do(0, Command{Do: "build", X0: 90, Y0: 60, X1: 110, Y1: 60, Radius: 0.5}); err != nil {
		t.Fatal(err)
	}
	g, _ := w.in.World.Ground(w.grounds[0].id)
	for _, x := range []float64{90, 100, 110} {
		if !g.Solid(geom.V(x, 60.4)) || g.Solid(geom.V(x, 60.6)) {
			t.Errorf("the stroke is not where it belongs at x = %v", x)
		}
	}
}
