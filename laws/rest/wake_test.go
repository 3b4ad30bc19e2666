package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestWokenIsWhereItIs: the solver gets contact points of a woken body's present pose.
// They were of the start of the step in which it fell asleep, and it had crept a little
// in that step.
func TestWokenIsWhereItIs(t *testing.T) { worldtest.OnStillCarriers(t, wokenIsWhereItIs) }

func wokenIsWhereItIs(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -20, MinY: -1, MaxX: 20, MaxY: -1})
	var row [5]geom.Vec // of boxes, each leaning on the one before
	for i := range row {
		b := w.Add(geom.V(0.99*float64(i), 0.5), geom.NewBox(0.5, 0.5))
		w.SetVelocity(b, geom.V(-0.3, 0))
	}
	for range 600 {
		w.Step(worldtest.DT)
	}
	if w.Stats().Awake != 0 {
		t.Fatal("awake")
	}
	w.Add(geom.V(2, 1.495), geom.NewBox(0.3, 0.5)) // touches one of them
	where := map[uint64]geom.Transform{}
	for b := range w.Bodies() {
		where[uint64(b.ID())] = w.Pose(b)
	}
	w.Step(worldtest.DT)
	asleep := 1
	if on.Body.Type == quarry.Dynamic { // the carrier wakes, too
		asleep = 0
	}
	if s := w.Stats(); s.Awake != s.Bodies-asleep {
		t.Fatalf("%d of %d awake", s.Awake, s.Bodies)
	}
	for _, c := range w.AppendContacts(nil) {
		if c.Ground == 0 {
			continue
		}
		s, _ := w.Shape(c.ShapeB)
		at := where[uint64(s.Body().ID())]
		for _, p := range c.Points[:c.N] {
			lowest := math.MaxFloat64 // corner near the point
			for _, v := range []geom.Vec{{X: -0.5, Y: -0.5}, {X: 0.5, Y: -0.5}} {
				if q := at.Apply(v); math.Abs(q.X-w.Carrier.LocalPoint(p.Point).X) < 0.1 {
					lowest = q.Y
				}
			}
			if math.Abs(p.Separation-lowest) > 1e-12+on.Slop() {
				t.Errorf("%v: separation %v, its corner is at %v", at.P, p.Separation, lowest)
			}
		}
	}
}

// TestSameValueLetsSleep: a game that gives a body the value that it has before each step keeps it no longer awake, and
// does not wake it; another value does.
func TestSameValueLetsSleep(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(b quarry.Body, other bool)
	}{
		{"SetDamping", func(b quarry.Body, other bool) { b.SetDamping(0.5, pick(other, 0.1, 0.2)) }},
		{"SetGravityScale", func(b quarry.Body, other bool) { b.SetGravityScale(pick(other, 0.5, 2)) }},
		{"SetGravityScale of 1", func(b quarry.Body, other bool) { b.SetGravityScale(pick(other, 0, 2)) }},
		{"SetWeightless", func(b quarry.Body, other bool) { b.SetWeightless(other) }},
		{"SetNoSleep", func(b quarry.Body, other bool) { b.SetNoSleep(other) }},
		{"SetSleepSpeed", func(b quarry.Body, other bool) { b.SetSleepSpeed(pick(other, 0.1, 0.2)) }},
		{"SetLocks", func(b quarry.Body, other bool) { b.SetLocks(true, false, other) }},
		{"SetLocks of a rotation", func(b quarry.Body, other bool) { b.SetLocks(false, other, true) }},
		{"SetMass", func(b quarry.Body, other bool) { b.SetMass(geom.Mass{Mass: pick(other, 3, 4), Inertia: 2}) }},
		{"ResetMass", func(b quarry.Body, other bool) {
			if b.ResetMass(); other {
				b.SetMass(geom.Mass{Mass: 3, Inertia: 2})
			}
		}},
		{"SetDensity", func(b quarry.Body, other bool) {
			for s := range b.Shapes() {
				s.SetDensity(pick(other, 3, 4))
			}
		}},
		{"SetType", func(b quarry.Body, other bool) {
			if b.SetType(quarry.Dynamic); other {
				b.SetType(quarry.Kinematic)
			}
		}},
		{"SetEnabled", func(b quarry.Body, other bool) {
			if b.SetEnabled(!other); other {
				b.SetEnabled(true)
			}
		}},
		{"SetVelocity", func(b quarry.Body, other bool) {
			b.SetVelocity(b.Velocity().Add(geom.V(pick(other, 0, 1), 0)))
		}},
		{"SetAngularVelocity", func(b quarry.Body, other bool) {
			b.SetAngularVelocity(b.AngularVelocity() + pick(other, 0, 1))
		}},
	} {
		w := worldtest.New()
		w.SetGravity(geom.V(0, -10))
		worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(9, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{})
		var stack [2]quarry.Body
		for k := range stack {
			stack[k] = worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(0, 0.5+float64(k)),
			}, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		}
		for range 240 {
			c.set(stack[0], false)
			w.Step(worldtest.DT)
		}
		if c.set(stack[0], false); stack[0].Awake() || stack[1].Awake() {
			t.Errorf("%s to the same value before each step: awake after 4 s", c.name)
		}
		if c.set(stack[0], true); !stack[1].Awake() {
			t.Errorf("%s to another value does not wake", c.name)
		}
	}
}

// pick returns b if other is true, else a.
func pick(other bool, a, b float64) float64 {
	if other {
		return b
	}
	return a
}
