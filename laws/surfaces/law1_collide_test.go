package surfaces_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// sums returns the momentum, the angular momentum about the origin and the kinetic energy of the bodies.
func sums(w *quarry.World) (p geom.Vec, l, e float64) {
	for b := range w.Bodies() {
		m, i, v, s := b.Mass(), b.Inertia(), b.Velocity(), b.AngularVelocity()
		p = p.MulAdd(m, v)
		l += m*b.CenterOfMass().Cross(v) + i*s
		e += (m*v.Len2() + i*s*s) / 2
	}
	return p, l, e
}

// freeTiles adds a free body of tiles with its lower left corner at p, of blocks or of halves of blocks that share a
// diagonal.
func freeTiles(t worldtest.Failer, w *quarry.World, p, v geom.Vec, spin float64, wide, high int32, m quarry.Material) {
	grid := gridseg.New(nil)
	worldtest.Must(t, grid.Fill(gridseg.Rect{MaxX: wide - 1, MaxY: high - 1}, gridseg.Tile{Shape: gridseg.Full}))
	const u = gridseg.Unit
	for x := int32(0); x < wide; x += 2 {
		worldtest.Must(t, grid.Set(x, high-1, gridseg.Tile{}))
		worldtest.Must(t, grid.Add(x, high-1, [][]gridseg.Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}}},
			gridseg.Attr{}))
		worldtest.Must(t, grid.Add(x, high-1, [][]gridseg.Point{{{X: 0, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}}},
			gridseg.Attr{}))
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Velocity: v, AngularVelocity: spin})
	_, err := w.AddGround(id, quarry.GroundDef{Grid: grid, Materials: []quarry.MaterialID{w.AddMaterial(m)}})
	worldtest.Must(t, err)
}

// TestFreeGroundsKeepMomentum is law 1 of contact for free ground: two grounds of tiles collide and slide over each
// other, and a shape on them, across tile borders and halves of tiles. Momentum stays to rounding, and energy does not
// exceed the energy at the start, except by a shape that begins in the upper ground: to push it out takes energy, 4e-3
// of it in some draws. Angular momentum stays to 0.2% of the scale: a push out of overlap, and a sweep that stops a
// body, move bodies without a change of velocity, and so change arms.
func TestFreeGroundsKeepMomentum(t *testing.T) {
	worlds := 100
	if testing.Short() {
		worlds = 25
	}
	var worstP, worstL, worstE float64
	collided := 0 // worlds with a contact
	for seed := range worlds {
		r := worldtest.Random(seed)
		f := r.Float
		w := quarry.NewWorld(quarry.Config{NoSleep: true})
		m := quarry.Material{Friction: f(0, 1), Restitution: f(0, 0.5)}
		freeTiles(t, w, geom.V(-10, -4), geom.V(f(-1, 1), 0), f(-0.05, 0.05), 20, 4, m)
		freeTiles(t, w, geom.V(f(-8, 0), f(0.1, 1)), geom.V(f(-6, 6), f(-4, -0.5)), f(-0.2, 0.2), 8, 3, m)
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(f(4, 7), 1), Velocity: geom.V(f(-5, 5),
			f(-5, 0)), AngularVelocity: f(-5, 5)})
		form := []geom.Shape{geom.NewBox(0.4, 0.3), geom.Circle{Radius: 0.4}}[seed%2]
		b, _ := w.Body(id)
		inside := w.Overlaps(form, b.Transform(), quarry.QueryFilter{})
		w.AddShape(id, form, quarry.ShapeDef{Material: w.AddMaterial(m)})
		p, l, e := sums(w)
		touched := false
		scale := math.Sqrt(2 * e * 120) // momentum of the energy in the greater mass
		for step := range 180 {
			w.Step(worldtest.DT)
			q, k, now := sums(w)
			touched = touched || len(w.AppendContacts(nil)) > 0
			worstP, worstL = max(worstP, q.Dist(p)/scale), max(worstL, math.Abs(k-l)/(10*scale))
			if !inside {
				worstE = max(worstE, now/e-1)
			}
			if q.Dist(p) > 1e-12*scale || now > e*(1+1e-5) && !inside || math.Abs(k-l) > 0.005*10*scale {
				t.Fatalf("seed %d, step %d: momentum %v, %v, energy %v; before %v, %v, %v", seed, step, q, k, now, p, l,
					e)
			}
		}
		if touched {
			collided++
		}
	}
	if collided < worlds*9/10 {
		t.Errorf("only in %d worlds of %d there is a contact", collided, worlds)
	}
	t.Logf("of momentum at most %.2g is lost, of angular momentum %.2g, and %.2g of the energy is gained", worstP,
		worstL, worstE)
}
