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
