package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// pileOf makes up to nine bodies that do not bounce, fallen on each other on a floor or
// in a wedge. Their masses go from 0.1 to 0.1 times ratio.
func pileOf(t worldtest.Failer, seed worldtest.Random, ratio float64) *quarry.World {
	f := seed.Float
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	g := worldtest.AddGround(t, w, 0)
	if err := g.Fill(gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatalf("%v", err)
	}
	if seed.Next()%2 == 0 {
		for i := range int32(6) {
			for _, err := range []error{
				g.Set(2+i, i, gridseg.Tile{Shape: gridseg.Ramp}),
				g.Fill(gridseg.Rect{MinX: 3 + i, MinY: 0, MaxX: 20, MaxY: i}, gridseg.Tile{Shape: gridseg.Full}),
				g.Set(-1-i, i, gridseg.Tile{Shape: gridseg.Ramp, Turn: 4}),
				g.Fill(gridseg.Rect{MinX: -20, MinY: 0, MaxX: -2 - i, MaxY: i}, gridseg.Tile{Shape: gridseg.Full}),
			} {
				if err != nil {
					t.Fatalf("%v", err)
				}
			}
		}
	}
	m := w.AddMaterial(quarry.Material{Friction: f(0, 1)})
	y := 0.5
	for range 2 + seed.Next()%8 {
		size := f(0.15, 0.8)
		var s geom.Shape = geom.NewBox(size, size*f(0.3, 1))
		switch seed.Next() % 4 {
		case 0:
			s = geom.Circle{Radius: size}
		case 1:
			s = geom.Capsule{A: geom.V(-size, 0), B: geom.V(size, 0), Radius: size / 2}
		}
		y += 1.5 * size
		d := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(f(0, 1), y)}
		if seed.Next()%3 == 0 {
			d.Velocity.Y = -f(0, 15)
		}
		if seed.Next()%2 == 0 {
			d.Angle = f(-3, 3)
		}
		mass := 0.1 * math.Pow(ratio, f(0, 1))
		w.AddShape(w.AddBody(d), s, quarry.ShapeDef{Material: m, Density: mass / s.Mass(1).Mass})
		y += 1.5*size + f(0, 0.5)
	}
	return w
}

// TestNoEnergyFromPiles is law 5 of contact: bodies that do not bounce gain no energy in
// a step, kinetic and potential together, except by a push out of an overlap, and by the
// error of a solver that has not converged. That is at most the energy of the whole pile
// at 0.7 units/s. A body that fell on a light one at rest on the ground was thrown up as
// fast as it had come: the impulse that the light body passed on grew from sub-step to
// sub-step, and was then applied again. 329 of these worlds gained more than is allowed
// here, at most eighty times as much.
func TestNoEnergyFromPiles(t *testing.T) {
	for _, ratio := range []float64{100, 1000, 3000} {
		pilesGainNothing(t, ratio)
	}
}

// pilesGainNothing runs 500 worlds whose masses differ by up to ratio.
func pilesGainNothing(t *testing.T, ratio float64) {
	worst, bad := 0.0, 0
	for seed := range uint64(500) {
		w := pileOf(t, worldtest.Random(seed), ratio)
		mass := 0.0
		for b := range w.Bodies() {
			mass += b.Mass()
		}
		var was [16]geom.Vec // heights and speeds up, in the order of the bodies
		most := 0.0
		for range 150 {
			before, i := 0.0, 0
			for b := range w.Bodies() {
				was[i] = geom.V(b.CenterOfMass().Y, b.Velocity().Y)
				before += energyOf(b)
				i++
			}
			w.Step(worldtest.DT)
			gained := -before
			i = 0
			for b := range w.Bodies() {
				lifted := b.CenterOfMass().Y - was[i].X - worldtest.DT*max(was[i].Y, b.Velocity().Y)
				gained += energyOf(b) - 10*b.Mass()*max(0, lifted)
				i++
			}
			most = max(most, gained/mass)
		}
		if most > 0.25 {
			t.Errorf("ratio %v, seed %d: %v of energy gained by each unit of mass", ratio, seed, most)
			bad++
		}
		worst = max(worst, most)
	}
	t.Logf("at most %.2g of energy gained by a unit of mass in a step; %d worlds with more than 0.25", worst, bad)
}

// energyOf returns the kinetic and the potential energy of a body at gravity 10.
func energyOf(b quarry.Body) float64 {
	spin := b.AngularVelocity()
	return 0.5*b.Mass()*b.Velocity().Len2() + 0.5*b.Inertia()*spin*spin + 10*b.Mass()*b.CenterOfMass().Y
}
