package joints_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestJointsSleep: bodies that a joint holds together fall asleep and wake together, though they do not touch.
func TestJointsSleep(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -2, MaxX: 9, MaxY: -1})
	a, b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5)), worldtest.Add(w, geom.V(4, 0.5),
		geom.NewBox(0.5, 0.5))
	id := w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{A: a.ID(), B: b.ID()}})
	for range 200 {
		a.SetVelocity(geom.V(0, 0)) // it keeps a awake
		w.Step(worldtest.DT)
	}
	if !b.Awake() {
		t.Error("b sleeps beside a, which is awake")
	}
	worldtest.Steps(w, 120)
	if a.Awake() || b.Awake() {
		t.Fatalf("awake after two seconds at rest: %v, %v", a.Awake(), b.Awake())
	}
	a.Wake() // a velocity of 0, which a sleeping body has, wakes nobody (laws/rest, TestSameValueLetsSleep)
	if !b.Awake() {
		t.Error("b sleeps on when a wakes")
	}
	worldtest.Steps(w, 120)
	j, _ := w.Joint(id)
	d := j.Def()
	for name, change := range map[string]func(){
		"SetDef": func() { j.SetDef(d) },
		// another spring: the same one wakes nobody (TestSameValueDoesNotWake)
		"SetSpring":   func() { j.SetSpring(quarry.JointSpring{Hertz: 9, DampingRatio: 1}) },
		"RemoveJoint": func() { w.RemoveJoint(id) },
	} {
		if name == "RemoveJoint" {
			continue
		}
		worldtest.Steps(w, 120)
		if a.Awake() || b.Awake() {
			t.Fatalf("%s: awake before", name)
		}
		change()
		if !a.Awake() || !b.Awake() {
			t.Errorf("%s: %v, %v", name, a.Awake(), b.Awake())
		}
	}
	worldtest.Steps(w, 120)
	b.Sleep()
	w.RemoveJoint(id)
	if !a.Awake() || !b.Awake() {
		t.Error("asleep after RemoveJoint")
	}
}

// TestKinematicKeepsAwake: a joint to a moving kinematic body keeps its body awake, wakes it when the
// kinematic body begins to move, and joins no islands through it; nor does a static body.
func TestKinematicKeepsAwake(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic})
	k, _ := w.Body(id)
	a, b := disc(w, geom.V(2, 0), 0.5), disc(w, geom.V(-2, 0), 0.5)
	free := disc(w, geom.V(-2, 9), 0.5)
	w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{A: id, B: a.ID()}})
	w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{
		A: 0, B: b.ID(),
		FrameA: quarry.JointFrame{Position: geom.V(-4, 0)},
	}})
	w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{
		A: 0, B: free.ID(),
		FrameA: quarry.JointFrame{Position: geom.V(-4, 9)},
	}})
	worldtest.Steps(w, 60)
	if a.Awake() || b.Awake() {
		t.Fatal("awake after a second at rest")
	}
	b.SetVelocity(geom.V(0, 0))
	if free.Awake() || a.Awake() {
		t.Error("a static body joins islands")
	}
	k.SetVelocity(geom.V(0, 0.001))
	worldtest.Steps(w, 90)
	if !a.Awake() || free.Awake() {
		t.Errorf("of a slow kinematic body: awake %v; of a static one: %v", a.Awake(), free.Awake())
	}
	k.SetVelocity(geom.Vec{})
	worldtest.Steps(w, 90)
	if a.Awake() {
		t.Error("awake beside a kinematic body that stands")
	}
}

// TestRemoval: a body takes its joints with it, and the bodies that hung on them wake.
func TestRemoval(t *testing.T) {
	w := worldtest.New()
	a, b, c := disc(w, geom.V(0, 0), 0.5), disc(w, geom.V(0, -2), 0.5), disc(w, geom.V(0, -4), 0.5)
	top := w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(0, a.ID(), geom.Vec{})})
	ab := w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{A: a.ID(), B: b.ID()}})
	bc := w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{A: b.ID(), B: c.ID()}})
	worldtest.Steps(w, 300)
	if c.Awake() {
		t.Fatal("awake after five seconds")
	}
	list := []quarry.JointID{}
	for j := range b.Joints() {
		list = append(list, j.ID())
	}
	if !reflect.DeepEqual(list, []quarry.JointID{bc, ab}) {
		t.Errorf("joints of b: %v", list)
	}
	w.RemoveBody(b.ID())
	_, okAB := w.Joint(ab)
	_, okBC := w.Joint(bc)
	if _, ok := w.Joint(top); okAB || okBC || !ok {
		t.Errorf("joints after the removal: %v %v %v", ok, okAB, okBC)
	}
	w.Step(worldtest.DT)
	if !c.Awake() || c.Velocity().Y >= 0 {
		t.Error("c hangs in the air")
	}
	if w.RemoveJoint(ab) || !w.RemoveJoint(top) || w.RemoveJoint(top) {
		t.Error("RemoveJoint of joints that are gone, or there")
	}
}

// TestCollideConnected: two bodies with a joint have no contact while it is there, whatever order of calls, and bullets
// and sweeps pass; a second joint counts, and after the last the contact is back.
func TestCollideConnected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{NoSleep: true})
		a, b := disc(w, geom.Vec{}, 0.5), disc(w, geom.V(0.8, 0), 0.5)
		var ids []quarry.JointID
		collide := map[quarry.JointID]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "calls") {
			n := len(ids)
			switch {
			case n == 0 || rapid.Bool().Draw(t, "add"):
				on := rapid.Bool().Draw(t, "collide")
				base := w.JointAt(a.ID(), b.ID(), geom.V(0.4, 0))
				if rapid.Bool().Draw(t, "swap") {
					base = w.JointAt(b.ID(), a.ID(), geom.V(0.4, 0))
				}
				base.CollideConnected = on
				id := w.AddJoint(quarry.WeldJoint{JointBase: base})
				ids, collide[id] = append(ids, id), on
			case rapid.Bool().Draw(t, "remove"):
				w.RemoveJoint(ids[n-1])
				delete(collide, ids[n-1])
				ids = ids[:n-1]
			default:
				j, _ := w.Joint(ids[n-1])
				d := j.Def().(quarry.WeldJoint)
				d.CollideConnected = !d.CollideConnected
				collide[ids[n-1]] = d.CollideConnected
				j.SetDef(d)
			}
			if rapid.Bool().Draw(t, "step") {
				w.Step(worldtest.DT)
			}
		}
		w.Step(worldtest.DT)
		want := 1
		for _, on := range collide {
			if !on {
				want = 0
			}
		}
		if len(collide) == 0 && a.Position().Dist(b.Position()) > 1.05 {
			want = 0 // they have been pushed apart
		}
		if got := len(w.AppendContacts(nil)); got != want {
			t.Fatalf("%d contacts, want %d (joints: %v), at a distance of %v", got, want, collide,
				a.Position().Dist(b.Position()))
		}
	})
}

// TestJointedBodiesPass: continuous collision does not stop a body at one that a joint excludes: a bullet passes a
// dynamic body, and a fast disc a static wall; tiles of a body, too. A joint with the world leaves the ground solid, a
// FilterJoint does not.
func TestJointedBodiesPass(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	wall, _ := w.Body(w.AddBody(quarry.BodyDef{Position: geom.V(5, 0)}))
	w.AddShape(wall.ID(), geom.NewBox(0.05, 5), quarry.ShapeDef{})
	target := worldtest.Add(w, geom.V(5, 20), geom.NewBox(0.05, 2))
	fast := disc(w, geom.Vec{}, 0.1)
	bullet := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 20), Bullet: true},
		geom.Circle{Radius: 0.1}, quarry.ShapeDef{})
	w.AddJoint(quarry.FilterJoint{JointBase: quarry.JointBase{A: wall.ID(), B: fast.ID()}})
	w.AddJoint(quarry.FilterJoint{JointBase: quarry.JointBase{A: target.ID(), B: bullet.ID()}})
	fast.SetVelocity(geom.V(300, 0))
	bullet.SetVelocity(geom.V(300, 0))
	worldtest.Steps(w, 4)
	if fast.Position().X < 15 || bullet.Position().X < 15 || target.Velocity().Len() > 0 {
		t.Errorf("stopped at %v and %v, target at %v", fast.Position(), bullet.Position(), target.Velocity())
	}

	w = worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -2, MaxX: 9, MaxY: -1})
	a, b := disc(w, geom.V(0, 1), 0.5), disc(w, geom.V(4, 1), 0.5)
	w.AddJoint(quarry.WheelJoint{JointBase: w.JointAlong(0, a.ID(), geom.V(0, 1), geom.V(0, 1))})
	w.AddJoint(quarry.FilterJoint{JointBase: quarry.JointBase{B: b.ID()}})
	worldtest.Steps(w, 120)
	if a.Position().Y < 0.45 || b.Position().Y > -3 {
		t.Errorf("heights %v, want 0.5, and %v, far below", a.Position().Y, b.Position().Y)
	}
}

// TestJointEvents: a joint beyond its threshold of force or torque is reported in each such step, and no
// other joint.
func TestJointEvents(t *testing.T) {
	w := worldtest.New()
	b := disc(w, geom.V(1, 0), 0.5)
	weight := gravity * b.Mass()
	base := w.JointAt(0, b.ID(), geom.Vec{})
	base.User = 7
	id := w.AddJoint(quarry.WeldJoint{JointBase: base})
	j, _ := w.Joint(id)
	worldtest.Steps(w, 20)
	for _, c := range []struct {
		force, torque float64
		want          int
	}{
		{0, 0, 0},
		{weight * 1.1, weight * 1.1, 0},
		{weight * 0.9, 0, 1},
		{0, weight * 0.9, 1},
		{weight * 0.9, weight * 0.9, 1},
		{math.Inf(1), math.Inf(1), 0},
	} {
		d := j.Def().(quarry.WeldJoint)
		d.ForceThreshold, d.TorqueThreshold = c.force, c.torque
		j.SetDef(d)
		w.Step(worldtest.DT)
		ev := w.JointEvents()
		if len(ev) != c.want {
			t.Fatalf("thresholds %v and %v: %d events, want %d", c.force, c.torque, len(ev), c.want)
		}
		if c.want == 1 {
			worldtest.Near(t, "force", ev[0].Force.Y, weight, 0.02*weight)
			worldtest.Near(t, "torque", ev[0].Torque, weight, 0.02*weight)
			if ev[0].Joint != id || ev[0].User != 7 || ev[0].Force != j.Force() || ev[0].Torque != j.Torque() {
				t.Errorf("event %+v", ev[0])
			}
		}
	}
}

// TestDefRoundTrip: Def returns the definition that AddJoint or SetDef was given, in every field.
func TestDefRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		a, b := disc(w, geom.Vec{}, 0.5), disc(w, geom.V(3, 0), 0.5)
		kinds := []quarry.JointDef{
			quarry.RevoluteJoint{},
			quarry.PrismaticJoint{},
			quarry.DistanceJoint{},
			quarry.WeldJoint{},
			quarry.WheelJoint{},
			quarry.MotorJoint{},
			quarry.MouseJoint{},
			quarry.FilterJoint{},
			quarry.GearJoint{},
			quarry.RatchetJoint{},
		}
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		draw := func() quarry.JointDef {
			v := reflect.New(reflect.TypeOf(kind)).Elem()
			fill(t, v, "")
			if v.Type() == reflect.TypeFor[quarry.MouseJoint]() {
				v.FieldByName("FrameA").SetZero()
			}
			v.FieldByName("A").SetUint(uint64(a.ID()))
			v.FieldByName("B").SetUint(uint64(b.ID()))
			return v.Interface().(quarry.JointDef)
		}
		d := draw()
		j, _ := w.Joint(w.AddJoint(d))
		if got := j.Def(); !reflect.DeepEqual(got, d) {
			t.Fatalf("Def %+v, want %+v", got, d)
		}
		w.Step(worldtest.DT)
		d = draw()
		j.SetDef(d)
		if got := j.Def(); !reflect.DeepEqual(got, d) {
			t.Fatalf("Def %+v, want %+v", got, d)
		}
		for _, other := range kinds {
			if reflect.TypeOf(other) != reflect.TypeOf(kind) {
				worldtest.MustPanic(nopTB{}, "SetDef of another type", func() { j.SetDef(other) })
			}
		}
	})
}

// nopTB lets MustPanic fail by a panic of its own.
type nopTB struct{ testing.TB }

func (nopTB) Helper()                      {}
func (nopTB) Errorf(f string, args ...any) { panic(f) }

// fill sets the exported fields of v to numbers that no definition refuses.
func fill(t *rapid.T, v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, name))
	case reflect.Float64:
		x := rapid.Float64Range(0.5, 1).Draw(t, name)
		if name == "Upper" || name == "MaxForce" {
			x += 0.5
		}
		v.SetFloat(x)
	}
}

// TestJointMisuse: each mistake panics with a text that names the call and the field, and changes nothing; a
// stale id is no joint.
func TestJointMisuse(t *testing.T) {
	w := worldtest.New()
	a, b := disc(w, geom.Vec{}, 0.5), disc(w, geom.V(3, 0), 0.5)
	base := w.JointAt(a.ID(), b.ID(), geom.V(1, 0))
	id := w.AddJoint(quarry.RevoluteJoint{JointBase: base})
	weld, _ := w.Joint(w.AddJoint(quarry.WeldJoint{JointBase: base}))
	j, _ := w.Joint(id)
	hash := w.Hash()
	nan := math.NaN()
	same, far := base, base
	same.B, far.FrameB.Position.Y = a.ID(), 1e10
	for want, do := range map[string]func(){
		"AddJoint: d is nil": func() { w.AddJoint(nil) },
		"AddJoint: A and B are both body": func() {
			w.AddJoint(quarry.WeldJoint{JointBase: same})
		},
		"AddJoint: WeldJoint.FrameB.Position.Y 1e+10 is out of range": func() {
			w.AddJoint(quarry.WeldJoint{JointBase: far})
		},
		"AddJoint: RevoluteJoint.Spring.Hertz -1 is out of range": func() {
			w.AddJoint(quarry.RevoluteJoint{JointBase: base, Spring: quarry.JointSpring{Hertz: -1}})
		},
		"AddJoint: WheelJoint.Motor.Max -1 is out of range: it must be at least 0": func() {
			w.AddJoint(quarry.WheelJoint{JointBase: base, Motor: quarry.JointMotor{Max: -1}})
		},
		"AddJoint: DistanceJoint.Limit.Lower -1": func() {
			w.AddJoint(quarry.DistanceJoint{JointBase: base, Limit: quarry.JointLimit{Lower: -1}})
		},
		"AddJoint: DistanceJoint.Length NaN": func() {
			w.AddJoint(quarry.DistanceJoint{JointBase: base, Length: nan})
		},
		"AddJoint: MouseJoint.Target.X NaN": func() {
			w.AddJoint(quarry.MouseJoint{JointBase: base, Target: geom.V(nan, 0)})
		},
		"AddJoint: MotorJoint.AngularSpring.DampingRatio NaN": func() {
			w.AddJoint(quarry.MotorJoint{JointBase: base, AngularSpring: quarry.JointSpring{DampingRatio: nan}})
		},
		"AddJoint: MotorJoint.AngularVelocity NaN is out of range": func() {
			w.AddJoint(quarry.MotorJoint{JointBase: base, AngularVelocity: math.NaN()})
		},
		"AddJoint: MotorJoint.MaxTorque -1 is out of range": func() {
			w.AddJoint(quarry.MotorJoint{JointBase: base, MaxTorque: -1})
		},
		"AddJoint: MouseJoint.MaxForce -1 is out of range": func() {
			w.AddJoint(quarry.MouseJoint{JointBase: base, MaxForce: -1})
		},
		"AddJoint: GearJoint.TargetAngle 1e+07 is out of range": func() {
			w.AddJoint(quarry.GearJoint{JointBase: base, TargetAngle: 1e7})
		},
		"AddJoint: DistanceJoint.MaxForce 1 is out of range: it must be at least MinForce (2)": func() {
			w.AddJoint(quarry.DistanceJoint{JointBase: base, MinForce: 2, MaxForce: 1})
		},
		"SetTargetAngle: RevoluteJoint.TargetAngle -1e+07 is out of range": func() {
			j.SetTargetAngle(-1e7)
		},
		"SetLimit: RevoluteJoint.Limit.Upper 9 is out of range: it must be less than": func() {
			j.SetLimit(quarry.JointLimit{On: true, Lower: 1, Upper: 9})
		},
		"SetLimit: RevoluteJoint.Limit.Upper 1 is out of range: it must be Lower (2) to": func() {
			j.SetLimit(quarry.JointLimit{On: true, Lower: 2, Upper: 1})
		},
		"SetMotorSpeed: RevoluteJoint.Motor.Speed NaN": func() {
			j.SetMotorSpeed(nan)
		},
		"SetMotor: a WeldJoint has no motor": func() {
			weld.SetMotor(quarry.JointMotor{})
		},
		"SetLimit: a WeldJoint has no limit": func() {
			weld.SetLimit(quarry.JointLimit{})
		},
		"SetTarget: a RevoluteJoint has no target": func() {
			j.SetTarget(geom.Vec{})
		},
		"SetDef: the bodies":    func() { j.SetDef(quarry.RevoluteJoint{JointBase: same}) },
		"JointAt: anchor":       func() { w.JointAt(0, b.ID(), geom.V(nan, 0)) },
		"JointAlong: direction": func() { w.JointAlong(0, b.ID(), geom.Vec{}, geom.Vec{}) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "quarry: "+want) {
					t.Errorf("%q, want %q", text, want)
				}
			}()
			do()
		}()
	}
	if w.Hash() != hash {
		t.Error("a refused call changed the world")
	}
	stale := base
	stale.B = 12345 << 26
	if got := w.AddJoint(quarry.WeldJoint{JointBase: stale}); got != 0 {
		t.Errorf("joint %d of a body that does not exist", got)
	}
	w.RemoveJoint(id)
	if _, ok := w.Joint(id); ok {
		t.Error("a removed joint is there")
	}
	worldtest.MustPanic(t, "Angle of a removed joint", func() { j.Angle() })
}
