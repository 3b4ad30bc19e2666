package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// topple stands a plank of the given half length on a dynamic slab, leaning a little on
// its lower corner. It returns the plank's greatest depth in the slab, and its height in
// the end.
func topple(half, lean, g float64) (deepest, end float64) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -g)})
	rough := w.AddMaterial(quarry.Material{Friction: 0.6})
	base := w.AddBody(quarry.BodyDef{})
	w.AddShape(base, geom.NewBox(4*half, 0.5), quarry.ShapeDef{Material: rough})
	slab := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
	w.AddShape(slab, geom.NewBox(3*half, 0.5), quarry.ShapeDef{Material: rough})
	q := geom.NewRot(lean)
	at := geom.V(0, 1.5+float64(half*q.C)+float64(0.1*q.S))
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: lean})
	plank := w.AddShape(id, geom.NewBox(0.1, half), quarry.ShapeDef{Material: rough})
	for range 480 {
		w.Step(1.0 / 60)
		for _, c := range w.AppendContacts(nil) {
			if c.ShapeA == plank || c.ShapeB == plank {
				for _, p := range c.Points[:c.N] {
					deepest = min(deepest, p.Separation)
				}
			}
		}
	}
	b, _ := w.Body(id)
	return -deepest, b.CenterOfMass().Y
}

// TestPlankTopplesOnSlab: a plank that topples on a dynamic slab neither sinks in at its
// far end nor passes through. The manifold had one point until the far end was within the
// speculative distance, so no contact stopped that end for a whole step: it was 0.15 deep
// for a plank of 4, and 0.80 for one of 20 at g = 50.
func TestPlankTopplesOnSlab(t *testing.T) {
	for _, c := range []struct{ half, g, most float64 }{{2, 10, 0.001}, {10, 50, 0.002}} {
		worst := 0.0
		for i := range 20 {
			lean := 0.05 + 0.01*float64(i)
			deep, y := topple(c.half, lean, c.g)
			worst = max(worst, deep)
			if y < 1.5 {
				t.Errorf("plank of %v at g = %v, leaning by %.2f: passed through to %.2f", 2*c.half, c.g, lean, y)
			}
		}
		if worst > c.most {
			t.Errorf("plank of %v at g = %v: %.4f deep", 2*c.half, c.g, worst)
		}
		t.Logf("plank of %v at g = %v: at most %.4f deep", 2*c.half, c.g, worst)
	}
}

// TestPolygonsTouchInTwoPoints: almost all pairs of polygons that touch have two points.
// 53% did while a second point beyond the speculative distance was dropped.
func TestPolygonsTouchInTwoPoints(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -40, MinY: -1, MaxX: 40, MaxY: -1})
	seed := worldtest.Random(4)
	for i := range 300 {
		p := geom.V(float64(i%20)-10, 1+float64(i/20))
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: seed.Float(-math.Pi, math.Pi)})
		w.AddShape(id, geom.NewBox(0.4, 0.3), quarry.ShapeDef{})
	}
	pairs, two := 0, 0
	for range 240 {
		w.Step(worldtest.DT)
		for _, c := range w.AppendContacts(nil) {
			if c.ShapeA != 0 {
				pairs++
				if c.N == 2 {
					two++
				}
			}
		}
	}
	if share := float64(two) / float64(pairs); share < 0.995 {
		t.Errorf("%.2f%% of %d pairs have two points", 100*share, pairs)
	} else {
		t.Logf("%.2f%% of %d pairs have two points", 100*share, pairs)
	}
}
