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
// in a wedge, on a carrier. Their masses go from 0.1 to 0.1 times ratio.
func pileOf(t worldtest.Failer, on worldtest.Carrier, seed worldtest.Random,
	ratio float64,
) (*worldtest.Site, []quarry.Body) {
	f := seed.Float
	w := on.NewSiteOf(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	g := w.AddGround(t)
	if err := g.Fill(gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
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
	var all []quarry.Body
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
		all = append(all, w.AddBody(d, s, quarry.ShapeDef{Material: m, Density: mass / s.Mass(1).Mass}))
		y += 1.5*size + f(0, 0.5)
	}
	return w, all
}

// TestNoEnergyFromPiles is law 5 of contact: bodies that do not bounce gain no energy in a step, kinetic and potential
// together, except by a push out of an overlap, and by the error of a solver that has not converged. That error is at
// most the energy of the whole pile at 0.7 units/s. The push has a bound, too, here of twice as much: it counts as one
// if two bodies overlap by more than a quarter of a unit, as where two of 200 land at 16 units/s on one of 0.3. A body
// that fell on a light one at rest on the ground was thrown up as fast as it had come: the impulse that the light body
// passed on grew from sub-step to sub-step, and was then applied again. 329 of these worlds gained more than is allowed
// here, at most eighty times as much. Energies are those in the frame of the carrier.
func TestNoEnergyFromPiles(t *testing.T) {
	for _, ratio := range []float64{100, 1000, 3000} {
		pilesGainNothing(t, ratio)
	}
}

// pilesGainNothing runs 500 worlds at rest, and a third as many on other carriers, whose masses differ by up to ratio.
func pilesGainNothing(t *testing.T, ratio float64) {
	var worst, worstPush float64
	for seed := range 500 {
		for _, on := range worldtest.InTurn(seed) {
			most, push := pileGains(t, on, worldtest.Random(seed), ratio)
			if most > 0.25 || push > 0.5 {
				t.Errorf("%s: ratio %v, seed %d: a unit of mass gains %v of energy, %v by a push out of overlap",
					on.Name, ratio, seed, most, push)
			}
			worst, worstPush = max(worst, most), max(worstPush, push)
		}
	}
	t.Logf("ratio %v: in a step a unit of mass gains at most %.2g of energy, %.2g by a push out of overlap", ratio,
		worst, worstPush)
}

// pileGains returns the most energy that a unit of mass of a pile gains in a step: of steps without a deep overlap, and
// of steps with one.
func pileGains(t *testing.T, on worldtest.Carrier, seed worldtest.Random, ratio float64) (most, push float64) {
	w, all := pileOf(t, on, seed, ratio)
	mass := 0.0
	for _, b := range all {
		mass += b.Mass()
	}
	height := func(b quarry.Body) float64 { return w.Carrier.LocalPoint(b.CenterOfMass()).Y }
	var was [16]geom.Vec // heights and speeds up
	for range 150 {
		before := 0.0
		for i, b := range all {
			was[i] = geom.V(height(b), w.Velocity(b).Y)
			before += w.Energy(b)
		}
		w.Step(worldtest.DT)
		gained := -before
		for i, b := range all {
			lifted := height(b) - was[i].X - worldtest.DT*max(was[i].Y, w.Velocity(b).Y)
			gained += w.Energy(b) - 10*b.Mass()*max(0, lifted)
		}
		if sunk(w, 0.25) {
			push = max(push, gained/mass)
		} else {
			most = max(most, gained/mass)
		}
	}
	return most, push
}

// sunk reports whether two bodies of w overlap by more than a depth.
func sunk(w *worldtest.Site, depth float64) bool {
	for _, c := range w.AppendContacts(nil) {
		for _, p := range c.Points[:c.N] {
			if p.Separation < -depth {
				return true
			}
		}
	}
	return false
}
