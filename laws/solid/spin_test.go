package solid_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestTurnsBySpinTimesTime: a dynamic or kinematic body turns by its angular velocity
// times the time, at any spin that a sub-step allows. A sub-step turned it by the arc
// tangent of that angle: at 50, 150 and 300 rad/s it turned 1.4, 11 and 28% less.
func TestTurnsBySpinTimesTime(t *testing.T) {
	for _, kind := range []quarry.BodyType{quarry.Dynamic, quarry.Kinematic} {
		for _, spin := range []float64{1e-3, 0.5, 5, -50, 150, -300, 370, 376.9} {
			w := quarry.NewWorld(quarry.Config{NoSleep: true})
			id := w.AddBody(quarry.BodyDef{Type: kind, AngularVelocity: spin})
			w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
			b, _ := w.Body(id)
			for i := range 120 {
				was := b.Rotation()
				w.Step(worldtest.DT)
				if b.AngularVelocity() != spin {
					t.Fatalf("%v at %v: turns at %v in step %d", kind, spin, b.AngularVelocity(), i)
				}
				// The turn is known but for whole turns.
				want := spin * worldtest.DT
				off := math.Remainder(was.InvMul(b.Rotation()).Angle()-want, 2*math.Pi)
				if math.Abs(off) > 1e-5*math.Abs(want)+1e-9 {
					t.Fatalf("%v at %v: step %d turns it by %v too much, of %v", kind, spin, i, off, want)
				}
			}
		}
	}
}

// TestSpinHoldsNoBody is a case of law 7 of contact: a small box that a step turns by almost a whole turn, and that
// flies into a slope, comes to rest on it. It was held with its centre at the surface, at 26 units/s and 375 rad/s: its
// lowest corner, as it turned, seemed to leave the surface as fast as the box came, and continuous collision stopped
// both the way and the turn. (Found by TestOneWayAndSolid.)
func TestSpinHoldsNoBody(t *testing.T) {
	w := worldtest.New()
	way := w.AddMaterial(quarry.Material{Friction: 0.4, OneWay: quarry.OneWayLeft})
	rough := w.AddMaterial(quarry.Material{Friction: 0.4})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -1, MinY: -1, MaxX: 4, MaxY: -1})
	for _, put := range []struct {
		x, y int32
		tile gridseg.Tile
	}{
		{0, 0, gridseg.Tile{Shape: gridseg.Ramp, Material: uint16(rough)}},
		{1, 0, gridseg.Tile{Shape: gridseg.Full, Material: uint16(rough)}},
		{1, 2, gridseg.Tile{Shape: gridseg.Full, Material: uint16(rough)}},
		{0, 1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(way)}},
		{-1, 0, gridseg.Tile{Shape: gridseg.Full}},
		{-1, 1, gridseg.Tile{Shape: gridseg.Full}},
	} {
		worldtest.Must(t, g.Set(put.x, put.y, put.tile))
	}
	b := worldtest.Add(w, geom.V(0.7001953125, 2.015625), geom.NewBox(0.109130859375, 0.6*0.109130859375))
	b.SetVelocity(geom.V(0.46837289371698887, -84.61474062239922))
	b.SetAngularVelocity(2.3661149761173874)
	worldtest.Steps(w, 70)
	if p := b.Position(); b.Velocity().Len() > 15 || g.Solid(p) || g.Solid(p.Sub(geom.V(0, 0.07))) {
		t.Errorf("at %v, velocity %v, spin %v", p, b.Velocity(), b.AngularVelocity())
	}
}
