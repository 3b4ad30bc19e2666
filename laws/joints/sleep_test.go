package joints_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSleepingForce: bodies that hang one below the other on joints of any kind fall asleep, and each sleeping joint
// reports the weight that it holds, to 5%, on limits to 6% (one draw in 25,000 is above 5%): bodies fall asleep while
// they still swing a little. (Chains of bodies that hung on limits once trembled for ever, or fell asleep with forces
// of 0 to 2 times the weight; later with up to 1.4 times, because limits became soft only beyond their sag.)
func TestSleepingForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1, SubSteps: rapid.IntRange(1, 8).Draw(t,
			"sub-steps")})
		spring := quarry.JointSpring{Hertz: f(2, 5, "hertz"), DampingRatio: 0.7}
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		var joints []quarry.Joint
		var bodies []quarry.Body
		last := quarry.BodyID(0)
		for i := range rapid.IntRange(1, 3).Draw(t, "bodies") {
			b := worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(f(-0.2, 0.2, "x"), float64(-i-1)), LinearDamping: 0.3,
				AngularDamping: 0.5,
			}, geom.NewBox(0.3, 0.3), quarry.ShapeDef{Density: math.Pow(10, f(-1, 1, "density"))})
			base := w.JointAlong(last, b.ID(), geom.V(0, float64(-i)-0.5), geom.V(0, 1))
			rod := quarry.JointBase{A: last, B: b.ID(), FrameA: quarry.JointFrame{Position: base.FrameA.Position}}
			def := []quarry.JointDef{
				quarry.RevoluteJoint{JointBase: base},
				quarry.WeldJoint{JointBase: base},
				quarry.WeldJoint{JointBase: base, Spring: spring, AngularSpring: spring},
				quarry.DistanceJoint{JointBase: rod},
				quarry.DistanceJoint{JointBase: rod, Spring: spring},
				quarry.PrismaticJoint{JointBase: base, Limit: quarry.JointLimit{On: true, Lower: -0.2, Upper: 1}},
				quarry.WheelJoint{JointBase: base, Spring: spring},
			}[kind]
			j, _ := w.Joint(w.AddJoint(def))
			joints, bodies, last = append(joints, j), append(bodies, b), b.ID()
		}
		for step := 0; step < 3000 && bodies[0].Awake(); step++ {
			w.Step(worldtest.DT)
		}
		if bodies[0].Awake() && kind == 5 {
			t.Fatalf("bodies on limits do not come to rest: %v", bodies[0].Velocity())
		}
		if bodies[0].Awake() {
			return // it swings
		}
		worldtest.Steps(w, 5)
		weight, most := 0.0, 0.05
		if kind == 5 {
			most = 0.06
		}
		for i := len(joints) - 1; i >= 0; i-- {
			weight += 10 * bodies[i].Mass()
			if d := joints[i].Force().Sub(geom.V(0, weight)).Len(); d > most*weight {
				t.Fatalf("joint %d of kind %d holds %v, not %v", i, kind, joints[i].Force(), weight)
			}
		}
	})
}

// TestSameValueDoesNotWake: a game that gives a joint, or the world's gravity, the same value before each step keeps
// nobody awake; another value wakes. (A car whose game set the speed of its motors in each frame never slept.)
func TestSameValueDoesNotWake(t *testing.T) {
	motor := quarry.JointMotor{Max: 10}
	spring := quarry.JointSpring{Hertz: 3, DampingRatio: 1}
	limit := quarry.JointLimit{On: true, Lower: -0.1, Upper: 0.1}
	gravity := func(w *quarry.World, _ quarry.Joint, by float64) { w.SetGravity(geom.V(0, -10-by)) }
	for _, c := range []struct {
		name string
		def  func(quarry.JointBase) quarry.JointDef
		set  func(w *quarry.World, j quarry.Joint, by float64) // to the value that it has, if by is 0
	}{
		{"SetMotorSpeed", func(b quarry.JointBase) quarry.JointDef {
			return quarry.RevoluteJoint{JointBase: b, Motor: motor}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { j.SetMotorSpeed(by) }},
		{"SetMotor", func(b quarry.JointBase) quarry.JointDef {
			return quarry.WheelJoint{JointBase: b, Motor: motor, Spring: spring}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { m := motor; m.Speed += by; j.SetMotor(m) }},
		{"SetSpring", func(b quarry.JointBase) quarry.JointDef {
			return quarry.WheelJoint{JointBase: b, Spring: spring}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { s := spring; s.Hertz += by; j.SetSpring(s) }},
		{"SetLimit", func(b quarry.JointBase) quarry.JointDef {
			return quarry.PrismaticJoint{JointBase: b, Limit: limit}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { l := limit; l.Upper += by; j.SetLimit(l) }},
		{"SetLength", func(b quarry.JointBase) quarry.JointDef {
			b.FrameB.Position = geom.V(2, 0)
			return quarry.DistanceJoint{JointBase: b, Length: 2, Spring: spring}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { j.SetLength(2 + by) }},
		{"SetTargetAngle", func(b quarry.JointBase) quarry.JointDef {
			return quarry.RevoluteJoint{JointBase: b, Spring: spring}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { j.SetTargetAngle(by) }},
		{"SetTargetTranslation", func(b quarry.JointBase) quarry.JointDef {
			return quarry.PrismaticJoint{JointBase: b, Spring: spring}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { j.SetTargetTranslation(by) }},
		{"SetTarget", func(b quarry.JointBase) quarry.JointDef {
			return quarry.MouseJoint{JointBase: quarry.JointBase{B: b.B}, Target: geom.V(2, 0.5), Spring: spring}
		}, func(_ *quarry.World, j quarry.Joint, by float64) { j.SetTarget(geom.V(2+by, 0.5)) }},
		{"SetGravity", func(b quarry.JointBase) quarry.JointDef { return quarry.WeldJoint{JointBase: b} }, gravity},
	} {
		w := worldtest.New()
		w.SetGravity(geom.V(0, -10))
		worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(9, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{})
		var ends [2]quarry.Body
		for k := range ends {
			ends[k] = worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(2*float64(k), 0.5),
			}, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		}
		j, ok := w.Joint(w.AddJoint(c.def(w.JointAt(ends[0].ID(), ends[1].ID(), geom.V(2, 0.5)))))
		if !ok {
			t.Fatal(c.name)
		}
		for range 240 {
			c.set(w, j, 0)
			w.Step(worldtest.DT)
		}
		if ends[1].Awake() {
			t.Errorf("%s to the same value before each step: awake after 4 s", c.name)
		}
		c.set(w, j, 0)
		if ends[1].Awake() {
			t.Errorf("%s to the same value wakes", c.name)
		}
		if c.set(w, j, 0.05); !ends[1].Awake() {
			t.Errorf("%s to another value does not wake", c.name)
		}
	}
}
