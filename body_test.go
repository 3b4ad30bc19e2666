package quarry_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSetTarget: a kinematic body that is given a target in each step is there after the step, wherever
// it has come from, and a body on it is carried along. The bound of a step is the bound of its speeds.
func TestSetTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		far := worldtest.DrawVec(t, "place", 1e6)
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Kinematic, Position: far}, geom.NewOffsetBox(2, 0.5,
			geom.V(1, 0), geom.Identity), quarry.ShapeDef{})
		for range 5 {
			dt := rapid.Float64Range(0.005, 0.1).Draw(t, "dt")
			at, turn := far.Add(worldtest.DrawVec(t, "target", 0.3)), rapid.Float64Range(-10, 10).Draw(t, "angle")
			b.SetTarget(at, turn, dt)
			w.Step(dt)
			if d := b.Position().Dist(at); d > 1e-9+1e-15*far.Len() {
				t.Fatalf("%v from the target", d)
			}
			if got := b.Rotation().InvMul(geom.NewRot(turn)).Angle(); math.Abs(got) > 1e-4 {
				t.Fatalf("turned to %v, not %v: %v off", b.Angle(), turn, got)
			}
		}
	})
	// A rider is carried.
	w := worldtest.New()
	lift := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Kinematic}, geom.NewBox(3, 0.5), quarry.ShapeDef{})
	rider := worldtest.Add(w, geom.V(0, 1), geom.NewBox(0.5, 0.5))
	for k := range 240 {
		a := float64(k+1) / 120
		lift.SetTarget(geom.V(a, 2*math.Sin(a)), 0, worldtest.DT)
		w.Step(worldtest.DT)
	}
	worldtest.Near(t, "lift's x", lift.Position().X, 2, 1e-9)
	worldtest.Near(t, "rider's x", rider.Position().X, 2, 0.05)
	worldtest.Near(t, "rider's height above the lift", rider.Position().Y-lift.Position().Y, 1, 0.02)
	// A target out of reach.
	lift.SetTarget(geom.V(1e9, 0), 0, worldtest.DT)
	x := lift.Position().X
	w.Step(worldtest.DT)
	worldtest.Near(t, "way to a target out of reach", lift.Position().X-x, quarry.MaxSpeed*worldtest.DT, 1e-6)
}

// TestVelocityAt: the velocity of a point is the difference of its places, and the conversions are
// each other's inverses.
func TestVelocityAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		b := worldtest.AddBody(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: worldtest.DrawVec(t, "at", 10),
			Angle:    rapid.Float64Range(-7, 7).Draw(t, "angle"),
			Velocity: worldtest.DrawVec(t, "v", 10), AngularVelocity: rapid.Float64Range(-5, 5).Draw(t, "spin"),
		}, geom.NewOffsetBox(1, 0.5, geom.V(1, 0), geom.Identity), quarry.ShapeDef{})
		local := worldtest.DrawVec(t, "point", 3)
		was := b.WorldPoint(local)
		if d := b.LocalPoint(was).Dist(local); d > 1e-12 {
			t.Fatalf("LocalPoint of WorldPoint is %v off", d)
		}
		if v := b.WorldVector(local); v.Dist(was.Sub(b.Position())) > 1e-12 || b.LocalVector(v).Dist(local) > 1e-12 {
			t.Fatalf("WorldVector %v", v)
		}
		v := b.VelocityAt(was)
		const dt = 1e-4
		w.Step(dt)
		if d := b.WorldPoint(local).Sub(was).Mul(1 / dt); d.Dist(v) > 0.05 {
			t.Fatalf("moved at %v, said %v", d, v)
		}
	})
}

// TestImpulsesAtTheCenter: pushes of the centre are as by ApplyForce and ApplyImpulse there.
func TestImpulsesAtTheCenter(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	add := func() quarry.Body {
		return worldtest.Add(w, geom.V(3, 2), geom.NewOffsetBox(0.5, 1, geom.V(1, 0), geom.Identity))
	}
	a, b := add(), add()
	for s := range b.Shapes() {
		s.SetFilter(0, 2, 0)
	}
	f := geom.V(5, -3)
	a.ApplyForceToCenter(f)
	b.ApplyForce(f, b.CenterOfMass())
	a.ApplyImpulseToCenter(f)
	b.ApplyImpulse(f, b.CenterOfMass())
	a.ApplyAngularImpulse(2)
	b.SetAngularVelocity(b.AngularVelocity() + 2/b.Inertia())
	if a.Velocity() != b.Velocity() || a.AngularVelocity() != b.AngularVelocity() {
		t.Errorf("at once: %v %v, not %v %v", a.Velocity(), a.AngularVelocity(), b.Velocity(), b.AngularVelocity())
	}
	w.Step(worldtest.DT)
	if a.Velocity() != b.Velocity() || a.AngularVelocity() != b.AngularVelocity() {
		t.Errorf("a step later: %v %v, not %v %v", a.Velocity(), a.AngularVelocity(), b.Velocity(), b.AngularVelocity())
	}
}

// TestGravityScale: a body falls by its scale times gravity; on the floor it rests, whatever its scale.
func TestGravityScale(t *testing.T) {
	w := worldtest.New()
	def := func(x, scale float64, weightless bool) quarry.Body {
		return worldtest.AddBody(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(x, 50), GravityScale: scale, Weightless: weightless,
		}, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	}
	const n = 30
	scales := []float64{0, 0.5, 1, 2, -1}
	for i, scale := range scales {
		b := def(float64(2*i), scale, false)
		defer func() {
			want := scale
			if scale == 0 {
				want = 1
			}
			worldtest.Near(t, "speed", b.Velocity().Y, -10*want*n*worldtest.DT, 1e-9)
		}()
	}
	none, zero := def(-4, 3, true), def(-8, 0, false)
	zero.SetWeightless(true)
	back := def(-12, 3, true)
	back.SetWeightless(false)
	back.SetGravityScale(0)
	worldtest.Steps(w, n)
	worldtest.Near(t, "speed without gravity", none.Velocity().Y, 0, 0)
	worldtest.Near(t, "speed after SetWeightless", zero.Velocity().Y, 0, 0)
	worldtest.Near(t, "speed after SetGravityScale(0)", back.Velocity().Y, -10*n*worldtest.DT, 1e-9)
	if d := zero.Def(); !d.Weightless || d.GravityScale != 1 {
		t.Errorf("def after SetWeightless: %+v", d)
	}

	w = worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -10, MinY: -1, MaxX: 10, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	b.SetGravityScale(3)
	worldtest.Steps(w, 120)
	worldtest.Near(t, "height at rest", b.Position().Y, 0.5, 0.01)
	if b.Awake() {
		t.Error("a box of gravity scale 3 does not fall asleep")
	}
}

// TestSetDamping: the velocity falls as exp(-rate t), in implicit steps.
func TestSetDamping(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.Add(w, geom.V(0, 0), geom.NewBox(0.5, 0.5))
	b.SetVelocity(geom.V(8, 0))
	b.SetAngularVelocity(2)
	b.SetDamping(0.5, 2)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "velocity", b.Velocity().X, 8*math.Exp(-0.5), 0.01)
	worldtest.Near(t, "spin", b.AngularVelocity(), 2*math.Exp(-2), 0.005)
}

// TestSleepSpeed: a body slower than its threshold falls asleep, a faster one does not.
func TestSleepSpeed(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{SleepSpeed: 0.2, SleepTime: 0.25})
	add := func(y, speed, own float64) quarry.Body {
		return worldtest.AddBody(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(0, y), Velocity: geom.V(speed, 0), SleepSpeed: own,
		}, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	}
	slow, fast, easy, strict := add(0, 0.19, 0), add(2, 0.21, 0), add(4, 0.9, 1), add(6, 0.19, 0.1)
	never := add(8, 0, 0)
	never.SetNoSleep(true)
	worldtest.Steps(w, 14)
	if !slow.Awake() {
		t.Error("asleep before its time")
	}
	worldtest.Steps(w, 3)
	for _, c := range []struct {
		name  string
		b     quarry.Body
		awake bool
	}{{"slow", slow, false}, {"fast", fast, true}, {"easy", easy, false}, {"strict", strict, true}, {
		"never", never,
		true,
	}} {
		if c.b.Awake() != c.awake {
			t.Errorf("%s: awake %v", c.name, c.b.Awake())
		}
	}
	fast.SetSleepSpeed(0.5)
	strict.SetSleepSpeed(0)
	never.SetNoSleep(false)
	worldtest.Steps(w, 17)
	if fast.Awake() || strict.Awake() || never.Awake() {
		t.Error("a new threshold has no effect")
	}
}

// TestConfigSpeeds: the speed cap, the thresholds of hits and bounces, and the speeds at which overlap
// is pushed apart are Config's, from SetConfig on.
func TestConfigSpeeds(t *testing.T) {
	run := func(change func(c *quarry.Config)) (hits int, bounce, top float64) {
		w := worldtest.New()
		c := w.Config()
		change(&c)
		w.SetConfig(c)
		rubber := w.AddMaterial(quarry.Material{Restitution: 1})
		worldtest.AddBody(w, quarry.BodyDef{}, geom.NewBox(5, 0.5), quarry.ShapeDef{})
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 6)},
			geom.Circle{Radius: 0.5}, quarry.ShapeDef{Material: rubber})
		for range 90 { // a fall of 5, a second long, at 10
			w.Step(worldtest.DT)
			hits += len(w.Hits())
			bounce, top = max(bounce, b.Velocity().Y), max(top, b.Velocity().Len())
		}
		return hits, bounce, top
	}
	hits, bounce, top := run(func(*quarry.Config) {})
	if hits != 1 || bounce < 9 || top < 9.5 {
		t.Errorf("%d hits, bounces at %v, falls at %v", hits, bounce, top)
	}
	if hits, _, _ := run(func(c *quarry.Config) { c.HitSpeed = 12 }); hits != 0 {
		t.Errorf("%d hits above the threshold", hits)
	}
	if hits, bounce, _ := run(func(c *quarry.Config) { c.BounceSpeed = 12 }); bounce > 0.5 || hits != 1 {
		t.Errorf("bounces at %v below the threshold", bounce)
	}
	if _, _, top := run(func(c *quarry.Config) { c.MaxSpeed = 3 }); top > 3 || top < 2.9 {
		t.Errorf("falls at %v, with a cap of 3", top)
	}

	apart := func(change func(c *quarry.Config)) float64 { // two discs that overlap by 0.2, after a tenth of a second
		c := quarry.Config{}
		change(&c)
		w := quarry.NewWorld(c)
		a, b := worldtest.Add(w, geom.V(0, 0), geom.Circle{Radius: 0.5}), worldtest.Add(w, geom.V(0.8, 0),
			geom.Circle{Radius: 0.5})
		worldtest.Steps(w, 6)
		return b.Position().Dist(a.Position())
	}
	usual := apart(func(*quarry.Config) {})
	// Without load the overlap falls as exp(-rate t).
	worldtest.Near(t, "distance", usual, 1-0.2*math.Exp(-0.62), 0.02)
	worldtest.Near(t, "distance at a rate of 20", apart(func(c *quarry.Config) { c.PushRate = 20 }), 1-0.2*math.Exp(-2),
		0.02)
	worldtest.Near(t, "distance at a speed of 0.1", apart(func(c *quarry.Config) { c.PushSpeed = 0.1 }), 0.81, 0.003)
}

// TestNames: names belong to their body, and go with it.
func TestNames(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	a, _ := w.Body(w.AddBody(quarry.BodyDef{Name: "a"}))
	b, _ := w.Body(w.AddBody(quarry.BodyDef{}))
	hash := w.Hash()
	b.SetName("b")
	if a.Name() != "a" || b.Name() != "b" || w.Hash() != hash {
		t.Errorf("%q %q", a.Name(), b.Name())
	}
	a.SetName("")
	if a.Name() != "" || a.Def().Name != "" || b.Def().Name != "b" {
		t.Errorf("%q %q", a.Name(), b.Name())
	}
	w.RemoveBody(b.ID())
	c, _ := w.Body(w.AddBody(quarry.BodyDef{}))
	if c.Name() != "" {
		t.Errorf("a new body has the name %q of one that was removed", c.Name())
	}
	ice := w.AddMaterial(quarry.Material{Name: "ice"})
	w.AddMaterial(quarry.Material{Name: "ice", Friction: 1})
	restored := quarry.NewWorld(quarry.Config{})
	if err := restored.Restore(w.AppendSnapshot(nil)); err != nil {
		t.Fatal(err)
	}
	if id, ok := restored.MaterialByName("ice"); !ok || id != ice {
		t.Errorf("after Restore: MaterialByName is %d, %v, want %d", id, ok, ice)
	}
	if id, ok := w.MaterialByName("ice"); !ok || id != ice {
		t.Errorf("ice is %d, %v", id, ok)
	}
	for _, name := range []string{"", "fire"} {
		if id, ok := w.MaterialByName(name); ok || id != 0 {
			t.Errorf("%q is %d, %v", name, id, ok)
		}
	}
}

// TestPushes: impulses act at once, forces and torques over the next step only; off the
// centre of mass they also turn the body.
func TestPushes(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.Add(w, geom.V(3, 2), geom.NewBox(0.5, 0.5))
	worldtest.Near(t, "mass", b.Mass(), 1, 1e-12)
	worldtest.Near(t, "inertia", b.Inertia(), 1.0/6, 1e-12)

	b.ApplyImpulse(geom.V(2, 0), b.CenterOfMass())
	worldtest.Near(t, "velocity", b.Velocity().X, 2, 1e-12)
	worldtest.Near(t, "spin", b.AngularVelocity(), 0, 1e-12)
	b.ApplyImpulse(geom.V(-2, 0), b.CenterOfMass().Add(geom.V(0, 0.5)))
	worldtest.Near(t, "velocity", b.Velocity().X, 0, 1e-12)
	worldtest.Near(t, "spin", b.AngularVelocity(), 6, 1e-12)
	b.SetAngularVelocity(0)

	b.ApplyForce(geom.V(0, 6), b.CenterOfMass())
	b.ApplyTorque(3)
	worldtest.Near(t, "velocity before the step", b.Velocity().Y, 0, 0)
	w.Step(worldtest.DT)
	worldtest.Near(t, "velocity", b.Velocity().Y, 6*worldtest.DT, 1e-6)
	worldtest.Near(t, "spin", b.AngularVelocity(), 18*worldtest.DT, 1e-6)
	w.Step(worldtest.DT)
	worldtest.Near(t, "velocity a step later", b.Velocity().Y, 6*worldtest.DT, 1e-6)
	worldtest.Near(t, "spin a step later", b.AngularVelocity(), 18*worldtest.DT, 1e-6)
}

// TestPushesOfTheImmovable: impulses and forces have no effect on static and kinematic
// bodies.
func TestPushesOfTheImmovable(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic} {
		id := w.AddBody(quarry.BodyDef{Type: kind})
		w.AddShape(id, geom.NewBox(1, 1), quarry.ShapeDef{})
		b, _ := w.Body(id)
		b.ApplyImpulse(geom.V(5, 5), geom.V(1, 0))
		b.ApplyForce(geom.V(5, 5), geom.V(1, 0))
		b.ApplyTorque(5)
		w.Step(worldtest.DT)
		if v := b.Velocity(); v != (geom.Vec{}) || b.AngularVelocity() != 0 || b.Position() != (geom.Vec{}) {
			t.Errorf("%v: moves at %v, turns at %v", kind, v, b.AngularVelocity())
		}
	}
}

// TestWakeAndRemoveShape: Wake wakes all bodies of a heap that touch each other;
// RemoveShape wakes the bodies that lay on the shape.
func TestWakeAndRemoveShape(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1})
	low := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	high := worldtest.Add(w, geom.V(0, 1.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	if low.Awake() || high.Awake() {
		t.Fatal("awake after two seconds")
	}
	high.Wake()
	if !low.Awake() || !high.Awake() {
		t.Error("Wake left one of two that touch asleep")
	}
	worldtest.Steps(w, 120)
	if low.Awake() || high.Awake() {
		t.Fatal("awake two seconds later")
	}
	for s := range low.Shapes() {
		if !w.RemoveShape(s.ID()) || w.RemoveShape(s.ID()) {
			t.Error("RemoveShape is true once, and then false")
		}
	}
	if !high.Awake() {
		t.Error("what lay on the shape is still asleep")
	}
	worldtest.Near(t, "mass without shapes", low.Mass(), 1, 0)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "height of the upper box", high.Position().Y, 0.5, 0.01)
}

// TestContactsAfterNewMass: the centre of mass of a body moves one way in its frame, and the body the other way, so its
// shape comes to touch a wall while the centres of mass stay as far apart. The step compares the shapes all the same.
func TestContactsAfterNewMass(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	wall := w.AddBody(quarry.BodyDef{})
	w.AddShape(wall, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1.08, 0)})
	shape := w.AddShape(body, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	w.Step(1. / 60)
	if n := len(w.AppendContacts(nil)); n > 0 {
		t.Fatalf("%d contacts of bodies apart", n)
	}
	b, _ := w.Body(body)
	before := b.CenterOfMass()
	w.AddShape(body, geom.NewOffsetBox(0.1, 0.1, geom.V(0.9, 0), geom.Identity), quarry.ShapeDef{Density: 2.5})
	shift := b.CenterOfMass().Sub(before)
	if shift.X < 0.07 || shift.X > 0.1 {
		t.Fatalf("the centre of mass moved by %v", shift)
	}
	b.SetTransform(b.Position().Sub(shift), 0)
	w.Step(1. / 60)
	touch := w.AppendContacts(nil)
	if len(touch) != 1 || touch[0].ShapeB != shape {
		t.Errorf("contacts %+v, want one of the box that was moved to the wall", touch)
	}
}

// TestSoftWeldFarFromMass: the motion of a body whose centre of mass is far from its soft weld stays finite. Once the
// impulses of its spring grew from step to step, to NaN; found by random calls.
func TestSoftWeldFarFromMass(t *testing.T) {
	for far := 1e3; far <= 1e9; far *= 10 {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1, 1)})
		b, _ := w.Body(id)
		b.SetMass(geom.Mass{Mass: 7.5, Center: geom.V(far, 0.875), Inertia: 4.4375})
		w.AddJoint(quarry.WeldJoint{
			JointBase: quarry.JointBase{B: id, FrameB: quarry.JointFrame{
				Position: geom.V(1.6875, 3),
				Angle:    6.4375,
			}},
			Spring:        quarry.JointSpring{Hertz: 7.375, DampingRatio: 5},
			AngularSpring: quarry.JointSpring{Hertz: 2.0625, DampingRatio: 5.125},
		})
		for range 100 {
			if w.Step(1.0 / 60); !b.Position().IsFinite() {
				t.Fatalf("%g units away: %v", far, b.Position())
			}
		}
	}
}
