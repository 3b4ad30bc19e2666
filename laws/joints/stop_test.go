package joints_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
	"pgregory.net/rapid"
)

// TestStopOpensNoJoint: hinges of bodies that are thrown against walls of tiles at up to 20 units/s open by no more
// than 0.2 units of length, although continuous collision stops the bodies within steps; the bodies gain no more than
// 1/50 of their energy in a step, and stay inside the walls.
func TestStopOpensNoJoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worldtest.New()
		worldtest.BuildRoom(t, w, w.AddBody(quarry.BodyDef{}), "tiles")
		speed := rapid.Float64Range(5, 20).Draw(t, "speed")
		v := geom.NewRot(rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "direction")).Apply(geom.V(speed, 0))
		bodies := drawTree(t, w, v)
		low := energy(bodies)
		first := low
		for i := range 240 {
			w.Step(worldtest.DT)
			for j := range w.Joints() {
				if gap := j.Length(); gap > 0.2 {
					t.Fatalf("step %d: a hinge is open by %v", i+1, gap)
				}
			}
			e := energy(bodies)
			if e > low+0.02*first {
				t.Fatalf("step %d: the energy rises from %v to %v of %v", i+1, low, e, first)
			}
			low = min(low, e)
		}
		for _, b := range bodies {
			if p := b.Position(); math.Abs(p.X) > worldtest.RoomHalf || math.Abs(p.Y) > worldtest.RoomHalf {
				t.Fatalf("a body is at %v, outside the walls", p)
			}
		}
	})
}

// drawTree adds two to seven bodies of velocity v near the origin, that hinges join to a tree. Bodies of it do not
// collide.
func drawTree(t *rapid.T, w *quarry.World, v geom.Vec) []quarry.Body {
	var all []quarry.Body
	for i := range rapid.IntRange(2, 7).Draw(t, "bodies") {
		at := geom.Vec{}
		var parent quarry.Body
		if i > 0 {
			parent = all[rapid.IntRange(0, i-1).Draw(t, "parent")]
			at = parent.Position().Add(geom.NewRot(rapid.Float64Range(-math.Pi, math.Pi).Draw(t,
				"side")).Apply(geom.V(0.6, 0)))
		}
		var s geom.Shape = geom.NewBox(rapid.Float64Range(0.2, 0.4).Draw(t, "width"), rapid.Float64Range(0.1,
			0.4).Draw(t, "height"))
		if rapid.Bool().Draw(t, "capsule") {
			long := rapid.Float64Range(0.2, 0.5).Draw(t, "length")
			s = geom.Capsule{A: geom.V(-long, 0), B: geom.V(long, 0), Radius: 0.1}
		}
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: at, Velocity: v}, s, quarry.ShapeDef{
			Group: -1, Density: rapid.Float64Range(1, 5).Draw(t, "density"),
		})
		if i > 0 {
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(parent.ID(), b.ID(), parent.Position().Lerp(at, 0.5))})
		}
		all = append(all, b)
	}
	return all
}

// energy returns the energy of bodies in gravity 10, of which the potential energy is 0 at the height -8.
func energy(bodies []quarry.Body) (sum float64) {
	for _, b := range bodies {
		v, w := b.Velocity(), b.AngularVelocity()
		sum += 0.5*b.Mass()*v.Len2() + 0.5*b.Inertia()*w*w + 10*b.Mass()*(b.CenterOfMass().Y+8)
	}
	return sum
}

// TestWarmStopAllocatesNothing: a step allocates nothing in which continuous collision stops bodies with joints.
func TestWarmStopAllocatesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true, Workers: 1})
	worldtest.BuildRoom(t, w, w.AddBody(quarry.BodyDef{}), "tiles")
	var row []quarry.Body
	for i := range 5 {
		p := geom.V(0.5*float64(i), 0)
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: p}, geom.Circle{Radius: 0.2},
			quarry.ShapeDef{})
		if i > 0 {
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(row[i-1].ID(), b.ID(), row[i-1].Position().Lerp(p,
				0.5))})
		}
		row = append(row, b)
	}
	throw := func() {
		for _, b := range row {
			b.SetVelocity(geom.V(13, 37))
		}
		worldtest.Steps(w, 30)
	}
	for range 20 { // the throws differ, and so do the most contacts of one
		throw()
	}
	if n := testing.AllocsPerRun(20, throw); n > 0 {
		t.Errorf("%v allocations in 30 steps", n)
	}
}
