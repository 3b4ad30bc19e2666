package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestRidesTurningWall: a body that a turning room carries along lies on its wall as on
// the ground. It was up to 0.016 deep at 2 radians per second: the solver took the wall's
// velocity at the start of a step for the whole step.
func TestRidesTurningWall(t *testing.T) {
	for _, kind := range worldtest.RoomKinds {
		for _, spin := range []float64{0.5, 1, 2, 4} {
			for name, s := range map[string]geom.Shape{
				"box": geom.NewBox(0.5, 0.5), "capsule": geom.Capsule{
					A: geom.V(-0.5, 0), B: geom.V(0.5, 0),
					Radius: 0.5,
				},
			} {
				for _, on := range worldtest.Carriers() {
					if on.Body.Type == quarry.Dynamic {
						continue // their turn within a step is not known to the solver: see docs/living-ground.md
					}
					deep, high, load := ride(t, on, kind, spin, s)
					if deep > 0.3*geom.LinearSlop || high > 0.3*geom.LinearSlop || load == 0 {
						t.Errorf("%s: %s, %s at %v: %.4f deep, %.4f above, %d points under load", on.Name, kind, name,
							spin, deep, high, load)
					}
				}
			}
		}
	}
}

// ride lets a body of shape s lie on a wall of a room that turns at spin, kinematic, with pose and velocity of on. It
// returns the largest depth and height of a point of their contact, and the number of points under load.
func ride(t *testing.T, on worldtest.Carrier, kind string, spin float64, s geom.Shape) (deep, high float64, load int) {
	w := worldtest.Carriers()[0].NewSiteOf(quarry.Config{})
	d := on.Body
	d.Type, d.AngularVelocity = quarry.Kinematic, spin
	room, _ := w.Body(w.World.AddBody(d))
	worldtest.BuildRoom(t, w.World, room.ID(), kind)
	p := room.WorldPoint(geom.V(1, 0.5-worldtest.RoomHalf))
	w.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: p, Angle: d.Angle, Velocity: room.VelocityAt(p),
		AngularVelocity: spin,
	}, s,
		quarry.ShapeDef{Material: w.AddMaterial(quarry.Material{Friction: 1})})
	for i := range 240 {
		w.Step(worldtest.DT)
		for _, c := range w.AppendContacts(nil) {
			for _, p := range c.Points[:c.N] {
				if i > 30 {
					deep, high = max(deep, -p.Separation), max(high, p.Separation)
					if p.NormalImpulse > 0 {
						load++
					}
				}
			}
		}
	}
	return deep, high, load
}

// TestRollsOnTurningWheel: a roller between two walls on a kinematic or a heavy wheel reaches the spin at which their
// surfaces meet at one speed, at any spin of the wheel. The step's turn of a round
// surface was taken off its speed: at 20 rad/s the roller had 38.4 rad/s instead of 40.
func TestRollsOnTurningWheel(t *testing.T) { worldtest.OnCarriers(t, rollsOnWheel) }

func rollsOnWheel(t *testing.T, on worldtest.Carrier) {
	for _, spin := range []float64{1, -5, 20} {
		w := on.NewSite()
		rough := w.AddMaterial(quarry.Material{Friction: 1})
		smooth := w.AddMaterial(quarry.Material{})
		wheel := w.Beside(max(on.Body.Type, quarry.Kinematic), geom.V(0.5, 0))
		w.AddShape(wheel.ID(), geom.Circle{Radius: 1}, quarry.ShapeDef{Material: rough})
		wheel.SetAngularVelocity(spin)
		walls := w.AddGround(t)
		for _, x := range []int32{-1, 1} {
			worldtest.Must(t, walls.Fill(gridseg.Rect{MinX: x, MinY: 1, MaxX: x, MaxY: 3},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(smooth)}))
		}
		roller := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.5, 1.5)}, geom.Circle{Radius: 0.5},
			quarry.ShapeDef{Material: rough})
		w.Steps(600)
		if got, want := roller.AngularVelocity(), -2*spin; math.Abs(got-want) > 0.01*math.Abs(want) {
			t.Errorf("at %v: turns at %v, want %v", spin, got, want)
		}
	}
}
