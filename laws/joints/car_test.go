package joints_test

import (
	"slices"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// car adds a chassis of the given density on two wheels of density 1 at p.
func car(w *quarry.World, p geom.Vec, density float64, hinge bool) (chassis quarry.Body, wheels []quarry.Body) {
	chassis = worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: p}, geom.NewBox(1.5, 0.4),
		quarry.ShapeDef{Density: density})
	for _, x := range []float64{-1, 1} {
		at := p.Add(geom.V(x, -0.6))
		wheel := disc(w, at, 0.4)
		base := w.JointAlong(chassis.ID(), wheel.ID(), at, geom.V(0, 1))
		if wheels = append(wheels, wheel); hinge {
			w.AddJoint(quarry.RevoluteJoint{JointBase: base})
		} else {
			w.AddJoint(quarry.WheelJoint{
				JointBase: base, Spring: quarry.JointSpring{Hertz: 4, DampingRatio: 0.7},
				Limit: quarry.JointLimit{On: true, Lower: -0.25, Upper: 0.25},
			})
		}
	}
	return chassis, wheels
}

// TestCarLands: a heavy chassis on light wheels that lands at 40 units/s from any height throws nothing: no body rises
// faster than 3 units/s afterwards, the wheels stay on their axles, and it comes to rest on them. From most heights
// continuous collision stops the wheels within a step.
func TestCarLands(t *testing.T) {
	for _, hinge := range []bool{false, true} {
		for _, ratio := range []float64{1, 10, 100, 1000} {
			for h := 3.0; h < 4; h += 0.037 {
				landCar(t, hinge, ratio, h)
			}
		}
	}
}

// landCar lets a car whose chassis has the given ratio of mass to a wheel fall from the height h.
func landCar(t *testing.T, hinge bool, ratio, h float64) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1})
	chassis, wheels := car(w, geom.V(0, h), ratio*0.5/2.4, hinge)
	all := append(wheels, chassis)
	for _, b := range all {
		b.SetVelocity(geom.V(0, -40))
	}
	rise, gap := 0.0, 0.0
	for range 240 {
		w.Step(worldtest.DT)
		for _, b := range all {
			rise = max(rise, b.Velocity().Y)
		}
		for j := range w.Joints() {
			gap = max(gap, j.Length())
		}
	}
	if rise > 3 {
		t.Errorf("hinge %v, ratio %v, height %v: a body rises at %v", hinge, ratio, h, rise)
	}
	if y := chassis.Position().Y; y < 0.4 || y > 1.1 {
		t.Errorf("hinge %v, ratio %v, height %v: the chassis is at %v", hinge, ratio, h, chassis.Position())
	}
	most := 0.25 // of a suspension
	if hinge {
		most = 0
	}
	if ratio < 1000 {
		most += 0.025
	} else {
		most += 0.25
	}
	if gap > most {
		t.Errorf("hinge %v, ratio %v, height %v: a wheel is %v from its place", hinge, ratio, h, gap)
	}
}

// TestWheelDrives: a motor drives a car on tiles, up to the speed of its wheels.
func TestWheelDrives(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -3, MaxX: 200, MaxY: -1})
	chassis, _ := car(w, geom.V(0, 1.05), 1, false)
	for j := range w.Joints() {
		j.SetMotor(quarry.JointMotor{Speed: -10, Max: 2})
	}
	worldtest.Steps(w, 600)
	worldtest.Near(t, "speed", chassis.Velocity().X, 10*0.4, 0.05)
	worldtest.Near(t, "angle", chassis.Angle(), 0, 0.02)
}

// TestWorkersJoints: worlds of joints end in the same bits with 1, 2 and 8 workers: a net that is one large
// island, and many small islands of all kinds, on the ground.
func TestWorkersJoints(t *testing.T) {
	run := func(workers int) uint64 {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: workers})
		worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -3, MaxX: 100, MaxY: -1})
		const n = 24
		net := [n][n]quarry.BodyID{}
		for y := range n {
			for x := range n {
				b := disc(w, geom.V(float64(x), 40-float64(y)), 0.4).ID()
				net[y][x] = b
				if y > 0 {
					w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(net[y-1][x], b,
						geom.V(float64(x), 40.5-float64(y)))})
				} else if x%8 == 0 {
					w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, b, geom.V(float64(x), 40))})
				}
				if x > 0 {
					w.AddJoint(quarry.DistanceJoint{
						JointBase: quarry.JointBase{A: net[y][x-1], B: b, ForceThreshold: 50},
						Spring:    quarry.JointSpring{Hertz: 5, DampingRatio: 0.2},
					})
				}
			}
		}
		for i := range 12 {
			c, _ := car(w, geom.V(30+5*float64(i), 2), float64(1+i), i%2 == 0)
			at := c.Position().Add(geom.V(0, 2))
			box := worldtest.Add(w, at, geom.NewBox(0.3, 0.3))
			base := w.JointAlong(c.ID(), box.ID(), at, geom.V(0, 1))
			w.AddJoint([]quarry.JointDef{
				quarry.PrismaticJoint{JointBase: base, Spring: quarry.JointSpring{Hertz: 2, DampingRatio: 0.1}},
				quarry.WeldJoint{JointBase: base, AngularSpring: quarry.JointSpring{Hertz: 2}},
				quarry.MotorJoint{JointBase: base, Velocity: geom.V(0, 1), MaxForce: 20, MaxTorque: 1},
				quarry.MouseJoint{JointBase: quarry.JointBase{B: box.ID()}, Target: at.Add(geom.V(1, 1))},
			}[i%4])
		}
		events := 0
		for range 120 {
			w.Step(worldtest.DT)
			events += len(w.JointEvents())
		}
		return w.Hash() + uint64(events)
	}
	want := run(1)
	for _, n := range []int{2, 8} {
		if got := run(n); got != want {
			t.Errorf("%d workers: hash %x, want %x", n, got, want)
		}
	}
}

// TestWarmJointsAllocateNothing: a step with joints, and the setters that a game calls each step, allocate nothing.
func TestWarmJointsAllocateNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true, Workers: 1})
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -3, MaxX: 200, MaxY: -1})
	chassis, _ := car(w, geom.V(0, 1.05), 1, false)
	mouse, _ := w.Joint(w.AddJoint(quarry.MouseJoint{JointBase: quarry.JointBase{B: chassis.ID()}, Target: geom.V(0,
		2)}))
	wheels := slices.DeleteFunc(slices.Collect(w.Joints()), func(j quarry.Joint) bool { return j.ID() == mouse.ID() })
	worldtest.Steps(w, 60)
	if n := testing.AllocsPerRun(60, func() {
		mouse.SetTarget(geom.V(0, 3))
		for _, j := range wheels {
			j.SetMotorSpeed(2)
			j.SetSpring(quarry.JointSpring{Hertz: 5})
		}
		w.Step(worldtest.DT)
	}); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestStepTime: a chain of ten discs stays at rest, to 0.12 units/s, when the length of the step changes: impulses are
// forces times time. With impulses that do not grow with the time its end moves at 0.15.
func TestStepTime(t *testing.T) {
	w := awake()
	var last quarry.Body
	for i := range 10 {
		b := disc(w, geom.V(0, -1-float64(i)), 0.5)
		var a quarry.BodyID
		if i > 0 {
			a = last.ID()
		}
		// Soft enough to have the same stiffness in all these steps.
		base := w.JointAt(a, b.ID(), geom.V(0, -0.5-float64(i)))
		base.Constraint = quarry.JointSpring{Hertz: 20, DampingRatio: 2}
		w.AddJoint(quarry.RevoluteJoint{JointBase: base})
		last = b
	}
	worldtest.Steps(w, 1200)
	most := 0.0
	for i := range 120 {
		w.Step([]float64{1. / 60, 1. / 240, 1. / 30}[i%3])
		most = max(most, last.Velocity().Len())
	}
	if most > 0.12 {
		t.Errorf("the end of the chain moves at %v", most)
	}
}
