package joints_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// gears returns two discs on hinges, 3 apart, in a world without gravity.
func gears(rA, rB float64) (w *quarry.World, a, b quarry.Body) {
	w = quarry.NewWorld(quarry.Config{NoSleep: true})
	a, b = disc(w, geom.Vec{}, rA), disc(w, geom.V(3, 0), rB)
	for _, x := range []quarry.Body{a, b} {
		w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, x.ID(), x.Position())})
	}
	return w, a, b
}

// TestGearTrain: a torque T on A of a gear of the ratio r accelerates A by T / (iA + iB/r^2), and A turns r times as
// far as B, over many turns: to 1e-3 radians after 100 turns, wherever the pair began.
func TestGearTrain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, a, b := gears(rapid.Float64Range(0.3, 1).Draw(t, "rA"), rapid.Float64Range(0.3, 1).Draw(t, "rB"))
		ratio := rapid.Float64Range(0.2, 5).Draw(t, "ratio")
		if rapid.Bool().Draw(t, "meshed") {
			ratio = -ratio
		}
		a.SetTransform(a.Position(), rapid.Float64Range(-3, 3).Draw(t, "angle"))
		j, _ := w.Joint(w.AddJoint(quarry.GearJoint{
			JointBase: w.JointAt(a.ID(), b.ID(), geom.V(1.5, 0)),
			Ratio:     ratio,
		}))
		const want = 20.0
		torque := want * (a.Inertia() + b.Inertia()/(ratio*ratio))
		most := 30 / max(1, 1/math.Abs(ratio)) // of A's spin
		for a.AngularVelocity() < most {
			was := a.AngularVelocity()
			a.ApplyTorque(torque)
			w.Step(worldtest.DT)
			if got := (a.AngularVelocity() - was) / worldtest.DT; math.Abs(got-want) > 1e-3*want {
				t.Fatalf("acceleration %v, want %v", got, want)
			}
		}
		for turned := 0.0; turned < 100*2*math.Pi; turned += math.Abs(a.AngularVelocity()) * worldtest.DT {
			w.Step(worldtest.DT)
		}
		if got := a.AngularVelocity() / b.AngularVelocity(); math.Abs(got-ratio) > 1e-4*math.Abs(ratio) {
			t.Fatalf("ratio %v, want %v", got, ratio)
		}
		if math.Abs(j.Angle()) > 1e-3 {
			t.Fatalf("the teeth have slipped by %v radians", j.Angle())
		}
	})
}

// TestGearParts: a gear with a limit of several turns stops there; its spring has the frequency of the two inertias;
// its motor's torque is MotorForce.
func TestGearParts(t *testing.T) {
	w, a, b := gears(0.5, 1)
	base := w.JointAt(a.ID(), b.ID(), geom.Vec{})
	j, _ := w.Joint(w.AddJoint(quarry.GearJoint{
		JointBase: base, Ratio: -2, Limit: quarry.JointLimit{On: true, Lower: -1, Upper: 20}, Motor: quarry.JointMotor{
			Speed: 5, Max: 3,
		},
	}))
	w.Step(worldtest.DT)
	inv := 1/a.Inertia() + 4/b.Inertia()
	worldtest.Near(t, "speed after a step", j.Speed(), 3*inv*worldtest.DT, 1e-4)
	worldtest.Near(t, "torque of the motor", j.MotorForce(), 3, 1e-5)
	worldtest.Near(t, "torque on B", j.Torque(), -2*3, 1e-4)
	worldtest.Steps(w, 600)
	worldtest.Near(t, "angle at the limit", j.Angle(), 20, 1e-2)
	worldtest.Near(t, "torque of the motor at the limit", j.MotorForce(), 3, 1e-4)
	worldtest.Near(t, "torque on B at the limit", j.Torque(), 0, 1e-2)

	w, _, _ = gears(0.5, 1)
	j, _ = w.Joint(w.AddJoint(quarry.GearJoint{JointBase: base, Ratio: -2, Spring: quarry.JointSpring{Hertz: 1}}))
	j.SetTargetAngle(9)
	worldtest.Near(t, "period", period(t, w, 600, func() float64 { return j.Angle() - 9 }), 1, 2e-3)
}

// TestRatchet: B turns freely one way, and a torque the other way turns it back to the last tooth, over any number of
// turns; without teeth not at all.
func TestRatchet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, a, b := gears(0.5, 0.5)
		clockwise, way := rapid.Bool().Draw(t, "clockwise"), 1.0
		if clockwise {
			way = -1
		}
		tooth := rapid.SampledFrom([]float64{0, 5e-324, 0.1, 1, 7}).Draw(t, "tooth")
		d := quarry.RatchetJoint{JointBase: w.JointAt(a.ID(), b.ID(), geom.Vec{}), Tooth: tooth, Clockwise: clockwise}
		if rapid.Bool().Draw(t, "on the world") {
			d.JointBase = w.JointAt(0, b.ID(), geom.Vec{})
		} else {
			a.SetLocks(false, false, true)
		}
		j, _ := w.Joint(w.AddJoint(d))
		b.SetAngularVelocity(way * rapid.Float64Range(1, 30).Draw(t, "spin"))
		speed := b.AngularVelocity()
		worldtest.Steps(w, rapid.IntRange(1, 200).Draw(t, "steps"))
		if got := b.AngularVelocity(); math.Abs(got-speed) > 1e-4 {
			t.Fatalf("the free way brakes from %v to %v", speed, got)
		}
		b.SetAngularVelocity(0)
		far := way * j.Angle()
		want := far
		if tooth > 1e-6 {
			want = math.Floor(far/tooth+1e-3) * tooth // a tooth reached to rounding is reached
		}
		for range 120 {
			b.ApplyTorque(-5 * way)
			w.Step(worldtest.DT)
		}
		if got := way * j.Angle(); math.Abs(got-want) > 0.01 {
			t.Fatalf("turned back from %v to %v, want %v", far, got, want)
		}
	})
}

// TestGearRestored: a snapshot of gears and ratchets after several turns goes on with the same bits.
func TestGearRestored(t *testing.T) {
	w, a, b := gears(0.5, 1)
	c := disc(w, geom.V(6, 0), 0.5)
	w.AddJoint(quarry.GearJoint{JointBase: w.JointAt(a.ID(), b.ID(), geom.Vec{}), Ratio: -1.7})
	w.AddJoint(quarry.RatchetJoint{JointBase: w.JointAt(b.ID(), c.ID(), geom.Vec{}), Tooth: 0.7})
	c.SetAngularVelocity(-20) // the ratchet takes b along
	worldtest.Steps(w, 200)
	to := quarry.NewWorld(quarry.Config{})
	if err := to.Restore(w.AppendSnapshot(nil)); err != nil {
		t.Fatal(err)
	}
	worldtest.Steps(w, 200)
	worldtest.Steps(to, 200)
	if w.Hash() != to.Hash() {
		t.Error("the restored world differs")
	}
	if a.AngularVelocity() < 1 {
		t.Errorf("a turns at %v: the ratchet has not held", a.AngularVelocity())
	}
}

// TestTargets: SetLength, SetTargetAngle and SetTargetTranslation set the definition's field of that name, and no
// other; a joint without the field refuses.
func TestTargets(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{NoSleep: true})
	b := disc(w, geom.V(2, 0), 0.5)
	s := quarry.JointSpring{Hertz: 4, DampingRatio: 1}
	base := w.JointAt(0, b.ID(), geom.Vec{})
	rod, _ := w.Joint(w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{B: b.ID()}}))
	rod.SetLength(3)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "length", rod.Length(), 3, 1e-3)
	rod.SetLength(0)
	worldtest.Near(t, "length of 0", rod.Def().(quarry.DistanceJoint).Length, rod.Length(), 0)
	w.RemoveJoint(rod.ID())
	b.SetTransform(geom.V(2, 0), 0)
	slide, _ := w.Joint(w.AddJoint(quarry.PrismaticJoint{JointBase: base, Spring: s}))
	slide.SetTargetTranslation(1.5)
	worldtest.Steps(w, 120)
	worldtest.Near(t, "translation", slide.Translation(), 1.5, 1e-3)
	w.RemoveJoint(slide.ID())
	hinge, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, b.ID(), b.Position()), Spring: s}))
	hinge.SetTargetAngle(-1)
	worldtest.Steps(w, 120)
	worldtest.Near(t, "angle", hinge.Angle(), -1, 1e-3)
	if n := testing.AllocsPerRun(10, func() {
		hinge.SetTargetAngle(-1)
		hinge.SetLimit(quarry.JointLimit{})
		hinge.SetMotor(quarry.JointMotor{})
	}); n > 0 {
		t.Errorf("the setters allocate %v times", n)
	}
	for name, f := range map[string]func(){
		"SetLength": func() { hinge.SetLength(1) }, "SetTargetTranslation": func() { hinge.SetTargetTranslation(1) },
		"a weld's SetTargetAngle": func() {
			j, _ := w.Joint(w.AddJoint(quarry.WeldJoint{JointBase: base}))
			j.SetTargetAngle(1)
		},
		"SetTargetAngle": func() { hinge.SetTargetAngle(math.NaN()) },
	} {
		worldtest.MustPanic(t, name, f)
	}
}

// TestMotorForce: a lift's motor carries its weight, also where the joint's rigid rows and springs exert forces beside
// it.
func TestMotorForce(t *testing.T) {
	w := awake()
	b := disc(w, geom.V(1, 0), 0.5)
	lift, _ := w.Joint(w.AddJoint(quarry.PrismaticJoint{
		JointBase: w.JointAlong(0, b.ID(), b.Position(), geom.V(3, 4)), Motor: quarry.JointMotor{Max: 1e3},
	}))
	worldtest.Steps(w, 60)
	worldtest.Near(t, "the motor's force", lift.MotorForce(), b.Mass()*gravity*0.8, 1e-3)
	worldtest.Near(t, "the joint's force", lift.Force().Len(), b.Mass()*gravity, 1e-3)
	w.RemoveJoint(lift.ID())
	arm, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{
		JointBase: w.JointAt(0, b.ID(), b.Position().Sub(geom.V(1, 0))), Motor: quarry.JointMotor{Max: 1e3},
	}))
	worldtest.Steps(w, 60)
	worldtest.Near(t, "the motor's torque", arm.MotorForce(), b.Mass()*gravity, 1e-2)
}

// TestGearGainsNoEnergy: gears and ratchets between bodies that spin, fall and hit each other add no energy, but for
// the energy of all bodies at 0.001 radians a second. (Of 4,500 other draws none had that at 0.0001.)
func TestGearGainsNoEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{NoSleep: true})
		var bodies []quarry.Body
		for i := range 4 {
			b := disc(w, geom.V(float64(i), 0), rapid.Float64Range(0.1, 1).Draw(t, "r"))
			b.SetAngularVelocity(rapid.Float64Range(-50, 50).Draw(t, "spin"))
			bodies = append(bodies, b)
		}
		for i, b := range bodies[1:] {
			base := quarry.JointBase{A: bodies[i].ID(), B: b.ID()}
			if rapid.Bool().Draw(t, "ratchet") {
				w.AddJoint(quarry.RatchetJoint{JointBase: base, Tooth: 0.3})
			} else {
				w.AddJoint(quarry.GearJoint{JointBase: base, Ratio: rapid.Float64Range(-5, 5).Draw(t, "ratio")})
			}
		}
		energy := func() (sum float64) {
			for _, b := range bodies {
				sum += 0.5*b.Mass()*b.Velocity().Len2() + 0.5*b.Inertia()*b.AngularVelocity()*b.AngularVelocity()
			}
			return sum
		}
		first, slack := energy(), 0.0
		for _, b := range bodies {
			slack += 0.5 * b.Inertia() * 0.001 * 0.001
		}
		for range 300 {
			w.Step(worldtest.DT)
			if now := energy(); now > first*1.0001+slack {
				t.Fatalf("energy %v, at first %v, to which rounding may add %v", now, first, slack)
			}
		}
	})
}
