package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// topple stands a plank of the given half length on a dynamic slab on a carrier, leaning a little on
// its lower corner. It returns the plank's largest depth in the slab, and its height in
// the end. With tiles, the floor and the slab are made of tiles.
func topple(t testing.TB, on worldtest.Carrier, half, lean, g float64, tiles bool) (deepest, end float64) {
	w := on.NewSiteOf(quarry.Config{Gravity: geom.V(0, -g)})
	rough := w.AddMaterial(quarry.Material{Friction: 0.6})
	put := func(b quarry.Body, half float64) { // a slab with its middle at y = 0.5 of the body
		if !tiles {
			w.AddShape(b.ID(), geom.NewOffsetBox(half, 0.5, geom.V(0, 0.5), geom.Identity),
				quarry.ShapeDef{Material: rough})
			return
		}
		x := int32(half)
		worldtest.Must(t, worldtest.AddGround(t, w.World, b.ID()).Fill(gridseg.Rect{MinX: -x, MaxX: x - 1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(rough)}))
	}
	put(w.Carrier, 4*half)
	slab, _ := w.Body(w.World.AddBody(w.Def(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})))
	put(slab, 3*half)
	q := geom.NewRot(lean)
	at := geom.V(0, 2+float64(half*q.C)+float64(0.1*q.S))
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: lean}, geom.NewBox(0.1, half),
		quarry.ShapeDef{Material: rough})
	plank := quarry.ShapeID(0)
	for shape := range b.Shapes() {
		plank = shape.ID()
	}
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
	return -deepest, w.Position(b).Y
}

// TestPlankTopplesOnSlab: a plank that topples on a dynamic slab neither sinks in at its
// far end nor passes through. The manifold had one point until the far end was within the
// speculative distance, so no contact stopped that end for a whole step: it was 0.15 deep
// for a plank of 4, and 0.80 for one of 20 at g = 50.
func TestPlankTopplesOnSlab(t *testing.T) {
	worldtest.OnCarriers(t, func(t *testing.T, on worldtest.Carrier) {
		planksTopple(t, on, false)
		planksTopple(t, on, true)
	})
}

func planksTopple(t *testing.T, on worldtest.Carrier, tiles bool) {
	for _, c := range []struct{ half, g, most float64 }{{2, 10, 0.001}, {10, 50, 0.002}} {
		if tiles {
			// tiles make no point of the far end before it is near: its sweep stops it, also on ground at rest
			c.most = 0.01
		}
		worst := 0.0
		for i := range 20 {
			lean := 0.05 + 0.01*float64(i)
			deep, y := topple(t, on, c.half, lean, c.g, tiles)
			worst = max(worst, deep)
			if y < 2 {
				t.Errorf("plank of %v at g = %v, leaning by %.2f, on tiles %v: passed through to %.2f", 2*c.half, c.g,
					lean, tiles, y)
			}
		}
		if worst > c.most {
			t.Errorf("plank of %v at g = %v, on tiles %v: %.4f deep", 2*c.half, c.g, tiles, worst)
		}
		t.Logf("plank of %v at g = %v, on tiles %v: at most %.4f deep", 2*c.half, c.g, tiles, worst)
	}
}

// TestPolygonsTouchInTwoPoints: almost all pairs of polygons that touch have two points.
// 53% did while a second point beyond the speculative distance was dropped.
func TestPolygonsTouchInTwoPoints(t *testing.T) { worldtest.OnCarriers(t, polygonsTouch) }

func polygonsTouch(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -40, MinY: -1, MaxX: 40, MaxY: -1})
	seed := worldtest.Random(4)
	for i := range 300 {
		p := geom.V(float64(i%20)-10, 1+float64(i/20))
		w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: seed.Float(-math.Pi, math.Pi)},
			geom.NewBox(0.4, 0.3), quarry.ShapeDef{})
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
