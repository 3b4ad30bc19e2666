package joint_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
)

// TestWeld: two bodies that are welded turn about their common centre of mass as one, for 10,000 steps.
func TestWeld(t *testing.T) {
	w := newWorld()
	w.gravity = 0
	a, b := w.add(-0.75, 0, 1, 0.2), w.add(0.25, 0, 3, 0.4)
	w.bodies[a].v, w.bodies[a].spin = geom.V(1, -0.75*4), 4
	w.bodies[b].v, w.bodies[b].spin = geom.V(1, 0.25*4), 4
	l := w.join(a, b, 0, 0, 0.3, joint.Joint{Kind: joint.Weld})
	gap, turn := 0.0, 0.0
	for range 10_000 {
		w.step()
		s := w.state(l)
		gap, turn = max(gap, s.Apart.Len()), max(turn, math.Abs(s.Angle))
	}
	below(t, "gap", gap, 5e-4)
	below(t, "turn", turn, 1e-3)
	near(t, "spin", w.bodies[a].spin, 4, 1e-3)
	near(t, "momentum", w.bodies[a].v.X+3*w.bodies[b].v.X, 4, 1e-6)
}

// TestCantilever: a weld to the static body carries a weight and its torque.
func TestCantilever(t *testing.T) {
	w := newWorld()
	k := w.add(1.5, 0, 2, 1)
	l := w.join(0, k, 0, 0, 0, joint.Joint{Kind: joint.Weld, ForceThreshold: 19, TorqueThreshold: 40})
	w.run(5)
	near(t, "force", l.did.ForceY, 20, 1e-3)
	near(t, "torque", l.did.Torque, 30, 1e-3)
	below(t, "sag", math.Abs(w.state(l).Angle), 0.01)
	if !l.did.Over {
		t.Error("a force of 20 is not over the limit of 19")
	}
	l.ForceThreshold = 21
	if w.step(); l.did.Over {
		t.Error("a force of 20 is over the limit of 21, or a torque of 30 over 40")
	}
	l.TorqueThreshold = 29
	if w.step(); !l.did.Over {
		t.Error("a torque of 30 is not over the limit of 29")
	}
}

// TestSoftWeld: the frequency of a weld that is soft in its angle.
func TestSoftWeld(t *testing.T) {
	w := newWorld()
	w.gravity = 0
	k := w.add(0, 0, 2, 1)
	w.bodies[k].rot = rot(0.1)
	l := w.join(0, k, 0, 0, 0, joint.Joint{Kind: joint.Weld, Angular: joint.Axis{Spring: joint.Spring{Hertz: 3}}})
	near(t, "period", w.period(600, func() float64 { return w.state(l).Angle }), 1./3, 1e-3)
	w = newWorld()
	w.gravity = 0
	k = w.add(0, 0, 2, 1)
	l = w.join(0, k, 0, 0, 0, joint.Joint{Kind: joint.Weld, Linear: joint.Axis{Spring: joint.Spring{Hertz: 3}}})
	w.bodies[k].at = geom.V(0.1, 0.2)
	near(t, "period", w.period(600, func() float64 { return w.state(l).Apart.X }), 1./3, 1e-3)
}

// TestMotorVelocity: a motor joint drives a body with its maximum force and torque, then keeps the velocity.
func TestMotorVelocity(t *testing.T) {
	w := newWorld()
	w.gravity = 0
	k := w.add(0, 0, 2, 0.5)
	l := w.join(0, k, 0, 0, 0, joint.Joint{
		Kind: joint.Motor, Drag: geom.V(3, 4), MaxDrag: 5,
		Angular: joint.Axis{Motor: joint.Drive{Speed: 6, Max: 2}},
	})
	b := &w.bodies[k]
	w.run(1)
	near(t, "speed", b.v.Len(), 2.5, 1e-5)
	near(t, "force", math.Hypot(l.did.ForceX, l.did.ForceY), 5, 1e-5)
	near(t, "torque", l.did.Torque, 2, 1e-5)
	near(t, "spin", b.spin, 4, 1e-5)
	w.run(3)
	near(t, "speed", b.v.Len(), 5, 1e-5)
	near(t, "spin", b.spin, 6, 1e-5)
}

// TestMotorSpring: a motor joint springs to its frame, with its maximum force at most.
func TestMotorSpring(t *testing.T) {
	w := newWorld()
	w.gravity = 0
	k := w.add(4, 0, 2, 0.5)
	l := w.join(0, k, 4, 0, 0, joint.Joint{
		Kind: joint.Motor, Linear: joint.Axis{Spring: joint.Spring{Hertz: 2, DampingRatio: 1}, MaxForce: 12},
		Angular: joint.Axis{Spring: joint.Spring{Hertz: 2, DampingRatio: 1}, MaxForce: 5},
	})
	l.A = joint.Frame{Rot: rot(1)}
	b := &w.bodies[k]
	w.run(0.25)
	near(t, "speed", -b.v.X, 12./2*0.25, 1e-5)
	w.run(5)
	below(t, "distance", b.at.Len(), 1e-3)
	below(t, "angle", math.Abs(w.state(l).Angle), 1e-3)
}

// TestMouse: a body hangs from a target by a corner, critically damped, and follows it.
func TestMouse(t *testing.T) {
	w := newWorld()
	k := w.add(0, 0, 1, 1./6)
	l := w.join(0, k, 0.5, 0.5, 0, joint.Joint{
		Kind: joint.Motor, Linear: joint.Axis{Spring: joint.Spring{Hertz: 5, DampingRatio: 0.7}, MaxForce: 1000},
		Angular: joint.Axis{Motor: joint.Drive{Max: 1}},
	})
	for i := range 120 {
		l.A.Origin = geom.V(0.5+float64(i)*0.02, 0.5)
		w.step()
	}
	w.run(8)
	near(t, "force", l.did.ForceY, 10, 1e-3)
	// the smallest effective mass of a corner is 1/4
	below(t, "sag", w.state(l).Apart.Len(), 10/math.Pow(2*math.Pi*5, 2)/0.25)
	below(t, "speed", w.bodies[k].v.Len(), 0.01)
}
