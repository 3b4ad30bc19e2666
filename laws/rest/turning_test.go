package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestRidesTurningWall: a body that a turning room carries along lies on its wall as on
// the ground. It was up to 0.016 deep at 2 radians per second: the solver took the wall's
// velocity at the start of a step for that of the whole step.
func TestRidesTurningWall(t *testing.T) {
	for _, kind := range worldtest.RoomKinds {
		for _, spin := range []float64{0.5, 1, 2, 4} {
			for name, s := range map[string]geom.Shape{
				"box": geom.NewBox(0.5, 0.5), "capsule": geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.5},
			} {
				w := quarry.NewWorld(quarry.Config{})
				on := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, AngularVelocity: spin})
				worldtest.BuildRoom(t, w, on, kind)
				at := geom.V(1, 0.5-worldtest.RoomHalf)
				id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Velocity: at.Left().Mul(spin), AngularVelocity: spin})
				w.AddShape(id, s, quarry.ShapeDef{Material: w.AddMaterial(quarry.Material{Friction: 1})})
				deep, load, high := 0.0, 0, 0.0
				for i := range 240 {
					w.Step(worldtest.DT)
					for _, c := range w.AppendContacts(nil) {
						for _, p := range c.Points[:c.N] {
							if i > 30 {
								deep = min(deep, p.Separation)
								high = max(high, p.Separation)
								if p.NormalImpulse > 0 {
									load++
								}
							}
						}
					}
				}
				if -deep > 0.3*geom.LinearSlop || high > 0.3*geom.LinearSlop || load == 0 {
					t.Errorf("%s, %s at %v: %.4f deep, %.4f above, %d points under load", kind, name, spin, -deep, high, load)
				}
			}
		}
	}
}

// TestRollsOnTurningWheel: a roller on a kinematic wheel reaches the spin at which their
// surfaces meet at one speed, at any spin of the wheel. The step's turn of a round
// surface was taken off its speed: at 20 rad/s the roller had 38.4 rad/s instead of 40.
func TestRollsOnTurningWheel(t *testing.T) {
	for _, spin := range []float64{1, -5, 20} {
		w := worldtest.New()
		rough := w.AddMaterial(quarry.Material{Friction: 1})
		smooth := w.AddMaterial(quarry.Material{})
		wheel := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, AngularVelocity: spin})
		w.AddShape(wheel, geom.Circle{Radius: 1}, quarry.ShapeDef{Material: rough})
		walls := w.AddBody(quarry.BodyDef{})
		for _, x := range []float64{-1.5, 1.5} {
			w.AddShape(walls, geom.NewOffsetBox(1, 1, geom.V(x, 2.5), geom.Rot{C: 1}), quarry.ShapeDef{Material: smooth})
		}
		roller := worldtest.Add(w, geom.V(0, 1.5), geom.Circle{Radius: 0.5})
		for s := range roller.Shapes() {
			s.SetMaterial(rough)
		}
		worldtest.Steps(w, 600)
		if got, want := roller.AngularVelocity(), -2*spin; math.Abs(got-want) > 0.01*math.Abs(want) {
			t.Errorf("at %v: turns at %v, want %v", spin, got, want)
		}
	}
}
