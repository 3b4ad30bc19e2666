package surfaces_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestOneWaySeveralShapes: a body of several shapes stands on one-way tiles with all of
// them and drops through with all of them. (It hung by a shape that was slightly too high
// to touch when the body dropped through, and sank in with a shape that landed while
// another was still deep.)
func TestOneWaySeveralShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(a, b float64, name string) float64 { return rapid.Float64Range(a, b).Draw(t, name) }
		w := worldtest.DrawCarrier(t).NewSiteOf(quarry.Config{Gravity: geom.V(0, -10)})
		way := w.AddMaterial(quarry.Material{Friction: 0.6, RollingResistance: 0.05, OneWay: quarry.OneWayUp})
		g := w.AddGround(t)
		tile := gridseg.Tile{Shape: gridseg.Full, Material: uint16(way)}
		if err := g.Fill(gridseg.Rect{MinX: -100, MinY: -1, MaxX: 100, MaxY: -1}, tile); err != nil {
			t.Fatal(err)
		}
		wide := f(0.2, 0.9, "wide")
		b := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(0.5, f(1.5, 6, "height")), Angle: f(-3.2, 3.2, "angle"),
			Velocity: geom.V(f(-3, 3, "speed"), 0), AngularVelocity: f(-9, 9, "spin"),
		}, geom.NewBox(wide, 0.1), quarry.ShapeDef{})
		// One beside its middle, over the same tiles, that is hardly higher.
		at := geom.V(f(-wide, wide, "x"), f(-0.1, 0.1, "y"))
		if rapid.Bool().Draw(t, "round") {
			w.AddShape(b.ID(), geom.Circle{Center: at, Radius: f(0.05, 0.3, "radius")}, quarry.ShapeDef{})
		} else {
			w.AddShape(b.ID(), geom.NewOffsetBox(f(0.05, 0.3, "w"), f(0.05, 0.3, "h"), at, geom.Identity),
				quarry.ShapeDef{})
		}
		for range 1200 {
			w.Step(worldtest.DT)
			if !b.Awake() {
				break
			}
		}
		// A body that still rolls after so long must be on top as well, not hang in the
		// platform.
		low := w.Bounds(b).Min.Y
		if low < -2*geom.LinearSlop || !b.Awake() && low > 2*geom.LinearSlop {
			t.Fatalf("%g off the top, awake: %v", low, b.Awake())
		}
		if b.Awake() {
			return
		}
		b.DropThrough(0)
		for k := range 60 {
			w.Step(worldtest.DT)
			if v := w.Velocity(b).Y; math.Abs(v+10*worldtest.DT*float64(k+1)) > 1e-6 {
				t.Fatalf("let through, it falls at %v after %d steps, box %v", v, k+1, w.Bounds(b))
			}
		}
	})
}

// TestOneWayManyShapes: a body of many shapes on one-way tiles, across them or half on them takes the same path with
// any number of workers, also while it drops.
func TestOneWayManyShapes(t *testing.T) {
	for _, ground := range []string{"one-way", "half", "slope", "across"} {
		var want [40]uint64
		for workers := 1; workers <= 3; workers++ {
			w, body := manyShapes(t, ground, 200, workers)
			for i := range want {
				switch i {
				case 5:
					body.DropThrough(0)
				case 20:
					body.SetVelocity(geom.V(1, 5))
				}
				w.Step(worldtest.DT)
				if got := w.Hash(); workers == 1 {
					want[i] = got
				} else if got != want[i] {
					t.Fatalf("%s, step %d: the hash with %d workers differs from that with one", ground, i, workers)
				}
			}
		}
	}
}
