package quarry_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// thing is all that defines a body of one shape, in a test that changes it later.
type thing struct {
	body    quarry.BodyDef
	shape   quarry.ShapeDef
	g       geom.Shape
	mass    geom.Mass
	hasMass bool
}

func drawThing(t *rapid.T, i int) thing {
	bit := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	x := thing{
		body: quarry.BodyDef{
			Type: quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")), Position: geom.V(0.7*float64(i%4),
				0.7*float64(i/4)+0.4),
			LinearDamping: rapid.Float64Range(0, 1).Draw(t, "damping"), GravityScale: rapid.SampledFrom([]float64{
				-1,
				0.5, 1, 2,
			}).Draw(t, "scale"),
			FixedRotation: bit("fixed rotation"), LockX: bit("lock x"), LockY: bit("lock y"), NoSleep: bit("no sleep"),
			SleepSpeed: rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "sleep speed"),
			Bullet:     bit("bullet"), Disabled: bit("disabled"), User: uint64(i),
		},
		shape: quarry.ShapeDef{
			Density: rapid.SampledFrom([]float64{0.5, 1, 3}).Draw(t, "density"), Massless: bit("massless"),
			Material: quarry.MaterialID(rapid.IntRange(0, 1).Draw(t, "material")), Sensor: i == 3,
			Category: rapid.Uint64Range(0, 3).Draw(t, "category"), Mask: rapid.SampledFrom([]uint64{0, 0, 1, 2}).Draw(t,
				"mask"),
			Group: rapid.SampledFrom([]int32{0, 0, 1, -1}).Draw(t, "group"), User: uint64(i),
		},
		g:       worldtest.DrawShape(t, 0.5),
		hasMass: bit("own mass"),
	}
	x.mass = geom.Mass{Mass: 2, Inertia: 0.3, Center: geom.V(0.1, 0)}
	return x
}

// things is a world of bodies of one shape each, above a floor of tiles and beside a chain.
func things(t *rapid.T, all []thing) (*quarry.World, []quarry.Body, []quarry.Shape) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
	w.AddMaterial(quarry.Material{Friction: 0.2, Restitution: 0.5})
	grid := gridseg.New(nil)
	worldtest.Must(t, grid.Fill(gridseg.Rect{MinX: -3, MinY: -2, MaxX: 6, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}))
	_, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
	worldtest.Must(t, err)
	_, err = w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(3.4, 4), geom.V(2.6, 0.2)}})
	worldtest.Must(t, err)
	bodies, shapes := make([]quarry.Body, len(all)), make([]quarry.Shape, len(all))
	for i, x := range all {
		bodies[i], _ = w.Body(w.AddBody(x.body))
		shapes[i], _ = w.Shape(w.AddShape(bodies[i].ID(), x.g, x.shape))
		if x.hasMass {
			bodies[i].SetMass(x.mass)
		}
	}
	return w, bodies, shapes
}

// change makes b, with the shape s, the thing x, by setters in some order.
func (x *thing) change(t *rapid.T, b quarry.Body, s quarry.Shape) {
	density := x.shape.Density
	if x.shape.Massless {
		density = 0
	}
	calls := []func(){
		func() { b.SetType(x.body.Type) },
		func() { b.SetEnabled(!x.body.Disabled) },
		func() { b.SetDamping(x.body.LinearDamping, 0) },
		func() { b.SetGravityScale(x.body.GravityScale) },
		func() { b.SetLocks(x.body.LockX, x.body.LockY, x.body.FixedRotation) },
		func() { b.SetNoSleep(x.body.NoSleep) },
		func() { b.SetSleepSpeed(x.body.SleepSpeed) },
		func() { b.SetBullet(x.body.Bullet) },
		func() { b.SetUser(x.body.User) },
		func() { s.SetDensity(density) },
		func() { s.SetMaterial(x.shape.Material) },
		func() { s.SetFilter(x.shape.Category, x.shape.Mask, x.shape.Group) },
		func() { s.SetGeometry(x.g) },
		func() { s.SetUser(x.shape.User) },
		func() {
			if b.ResetMass(); x.hasMass {
				b.SetMass(x.mass)
			}
		},
	}
	for _, k := range rapid.Permutation(slices.Collect(func(yield func(int) bool) {
		for k := range calls {
			if !yield(k) {
				return
			}
		}
	})).Draw(t, "order") {
		calls[k]()
	}
}

// TestChangeBeforeTheFirstStep: a body that was made otherwise, and changed before the first step, is to the
// bit the body that was made so: the worlds have the same hashes from then on.
func TestChangeBeforeTheFirstStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "bodies")
		from, to := make([]thing, n), make([]thing, n)
		for i := range n {
			from[i], to[i] = drawThing(t, i), drawThing(t, i)
		}
		w, _, _ := things(t, to)
		z, bodies, shapes := things(t, from)
		for i := range n {
			to[i].change(t, bodies[i], shapes[i])
			if to[i].body.Type == quarry.Kinematic { // like AddBody, SetType gives no velocity
				continue
			}
		}
		for step := range 40 {
			if w.Hash() != z.Hash() {
				t.Fatalf("step %d: other hashes", step)
			}
			w.Step(worldtest.DT)
			z.Step(worldtest.DT)
		}
	})
}

// touching is a contact without its impulses and places, which the step has moved on.
type touching struct {
	key    string
	normal geom.Vec
	n      int
	depth  float64 // the smallest separation
}

// touches returns the contacts of the shapes.
func touches(w *quarry.World, of map[quarry.ShapeID]bool) []touching {
	var all []touching
	for _, c := range w.AppendContacts(nil) {
		if !of[c.ShapeA] && !of[c.ShapeB] {
			continue
		}
		depth := c.Points[0].Separation
		if c.N == 2 {
			depth = min(depth, c.Points[1].Separation)
		}
		all = append(all, touching{fmt.Sprint(c.ShapeA, c.Ground, c.Chain, c.ShapeB), c.Normal, c.N, depth})
	}
	slices.SortFunc(all, func(a, b touching) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.normal.X, b.normal.X), cmp.Compare(a.depth, b.depth))
	})
	return all
}

// TestChangeLater: bodies that are changed after some steps touch, in the next step, exactly the bodies that
// newly made bodies touch at the same places and velocities; begin and end events of each pair alternate, and agree
// with the contacts.
func TestChangeLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "bodies")
		all := make([]thing, n)
		for i := range n {
			all[i] = drawThing(t, i)
		}
		z, bodies, shapes := things(t, all)
		counts := map[string]int{}
		step := func() {
			z.Step(worldtest.DT)
			for _, ev := range slices.Concat(z.ContactBegins(), z.SensorBegins()) {
				counts[fmt.Sprint(ev.ShapeA, ev.Ground, ev.Chain, ev.ShapeB)]++
			}
			for _, ev := range slices.Concat(z.ContactEnds(), z.SensorEnds()) {
				counts[fmt.Sprint(ev.ShapeA, ev.Ground, ev.Chain, ev.ShapeB)]--
			}
		}
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(0, 40).Draw(t, "steps") {
				step()
			}
			changed := map[quarry.ShapeID]bool{} // other contacts have a memory, by which they may keep a normal
			for i := range n {
				if rapid.Bool().Draw(t, "change") {
					all[i] = drawThing(t, i)
					all[i].change(t, bodies[i], shapes[i])
					changed[shapes[i].ID()] = true
				}
			}
			made := slices.Clone(all)
			for i, b := range bodies {
				d := b.Def()
				made[i].body = d
				if g := d.GravityScale; g != all[i].body.GravityScale {
					t.Fatalf("gravity scale %v, not %v", g, all[i].body.GravityScale)
				}
				made[i].body.Asleep = false
			}
			w, fresh, _ := things(t, made)
			for i, b := range bodies { // the mass moves the centre, and so the velocity
				if b.Mass() != fresh[i].Mass() || b.Inertia() != fresh[i].Inertia() ||
					fresh[i].CenterOfMass().Dist(b.CenterOfMass()) > 1e-9 {
					t.Fatalf("body %d: mass %v, inertia %v at %v, not %v, %v at %v", i, b.Mass(), b.Inertia(),
						b.CenterOfMass(),
						fresh[i].Mass(), fresh[i].Inertia(), fresh[i].CenterOfMass())
				}
				if b.Enabled() {
					b.Wake()
				}
				b.SetTransform(b.Position(), b.Angle()) // the same rounding
				fresh[i].SetTransform(b.Position(), b.Angle())
				fresh[i].SetVelocity(b.Velocity())
				fresh[i].SetAngularVelocity(b.AngularVelocity())
			}
			w.Step(worldtest.DT)
			step()
			if a, b := touches(z, changed), touches(w, changed); !slices.EqualFunc(a, b, func(a, b touching) bool {
				return a.key == b.key && a.n == b.n && a.normal.Dist(b.normal) < 1e-6 &&
					math.Abs(a.depth-b.depth) < 1e-6
			}) {
				t.Fatalf("contacts\n%v\nnot\n%v", a, b)
			}
			// The events agree with the touching contacts.
			now := map[string]int{}
			for _, c := range z.AppendContacts(nil) {
				now[fmt.Sprint(c.ShapeA, c.Ground, c.Chain, c.ShapeB)] = 1
			}
			for key, k := range counts {
				var a, g, c, b uint64
				fmt.Sscan(key, &a, &g, &c, &b)
				sa, ok := z.Shape(quarry.ShapeID(a))
				sb, _ := z.Shape(quarry.ShapeID(b))
				if sensor := sb.Sensor() || ok && sa.Sensor(); k != now[key] && (!sensor || k < 0 || k > 1) {
					t.Fatalf("%s: %d more begins than ends; touching %d", key, k, now[key])
				}
			}
		}
	})
}

// TestDisabled: a disabled body is nowhere, and back as it was when it is enabled.
func TestDisabled(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	low, high := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5)), worldtest.Add(w, geom.V(0, 1.5),
		geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	low.SetEnabled(false)
	if high.Awake() == false || low.Awake() || low.Enabled() {
		t.Error("the upper box sleeps on nothing")
	}
	if hit, ok := w.RayCast(geom.V(-5, 0.5), geom.V(10, 0), quarry.QueryFilter{}); ok {
		t.Errorf("a ray hits %+v", hit)
	}
	if ids := w.AppendShapesAt(nil, geom.V(0, 0.5)); len(ids) != 0 {
		t.Errorf("shapes at its place: %v", ids)
	}
	low.ApplyForceToCenter(geom.V(100, 0))
	low.ApplyTorque(9)
	worldtest.Steps(w, 120)
	worldtest.Near(t, "height of the upper box", high.Position().Y, 0.5, 0.01)
	worldtest.Near(t, "height of the disabled box", low.Position().Y, 0.5, 0.01)
	low.SetTransform(geom.V(3, 4), 1)
	low.SetVelocity(geom.V(0, 2))
	worldtest.Steps(w, 2)
	if low.Position() != geom.V(3, 4) || low.Velocity() != geom.V(0, 2) {
		t.Errorf("it moved to %v at %v", low.Position(), low.Velocity())
	}
	low.SetEnabled(true)
	w.Step(worldtest.DT)
	worldtest.Near(t, "velocity once enabled", low.Velocity().Y, 2-10*worldtest.DT, 1e-6)
	worldtest.Near(t, "sideways", low.Velocity().X, 0, 0)
	worldtest.Steps(w, 240)
	worldtest.Near(t, "height", low.Position().Y, 0.5, 0.01)

	// Ground on a disabled body.
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(20, 0), Disabled: true})
	id, err := w.AddGround(lift, quarry.GroundDef{})
	worldtest.Must(t, err)
	g, _ := w.Ground(id)
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -2, MinY: -1, MaxX: 2, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}))
	_, err = w.AddChain(lift, quarry.ChainDef{Points: []geom.Vec{geom.V(2, 3), geom.V(-2, 3)}})
	worldtest.Must(t, err)
	ball := worldtest.Add(w, geom.V(20, 5), geom.Circle{Radius: 0.5})
	worldtest.Steps(w, 30)
	b, _ := w.Body(lift)
	b.SetEnabled(true)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "height of the ball on the chain", ball.Position().Y, 3.5, 0.02)
	b.SetEnabled(false)
	worldtest.Steps(w, 20)
	b.SetEnabled(true)
	worldtest.Steps(w, 120)
	worldtest.Near(t, "height of the ball on the ground", ball.Position().Y, 0.5, 0.02)

	// Beyond the bounds.
	b.SetEnabled(false)
	b.SetTransform(geom.V(1e300, 0), 0)
	b.SetEnabled(true)
	if lost := w.Lost(); len(lost) != 0 && lost[0] != lift {
		t.Errorf("lost %v", lost)
	}
	w.Step(worldtest.DT)
	if lost := w.Lost(); !slices.Contains(lost, lift) || b.Enabled() || b.Type() != quarry.Static {
		t.Errorf("lost %v, enabled %v, %v", lost, b.Enabled(), b.Type())
	}
	if !w.RemoveBody(lift) {
		t.Error("a lost body cannot be removed")
	}
}

// TestShapesOfLostBodies: a shape that comes to a body beyond the bounds of the broad phase, or is rebuilt there,
// disables the body, as SetEnabled does. The shape was left without a box on a body that counted as enabled. (Found by
// TestCalls, seed 4919.)
func TestShapesOfLostBodies(t *testing.T) {
	for name, change := range map[string]func(there, here quarry.Shape){
		"SetSensor": func(there, _ quarry.Shape) { there.SetSensor(true) },
		"SetBody":   func(there, here quarry.Shape) { here.SetBody(there.Body().ID()) },
	} {
		w := quarry.NewWorld(quarry.Config{})
		add := func(x float64) quarry.Shape {
			s, _ := w.Shape(w.AddShape(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0)}),
				geom.Circle{Radius: 1}, quarry.ShapeDef{}))
			return s
		}
		there, here := add(0), add(5)
		there.Body().SetTransform(geom.V(1e300, 0), 0)
		w.Step(worldtest.DT)
		change(there, here)
		if b := there.Body(); b.Enabled() || b.Type() != quarry.Static {
			t.Errorf("%s: the lost body is %v, enabled: %v", name, b.Type(), b.Enabled())
		}
		w.Step(worldtest.DT)
		other := quarry.NewWorld(quarry.Config{})
		worldtest.Must(t, other.Restore(w.AppendSnapshot(nil)))
		there.Body().SetTransform(geom.V(4, 0), 0)
		there.Body().SetEnabled(true)
		there.SetSensor(false)
		there.Body().SetType(quarry.Dynamic)
		if w.Step(worldtest.DT); name == "SetSensor" && len(w.ContactBegins()) != 1 {
			t.Errorf("%s: the body that has returned touches nothing", name)
		}
	}
}

// TestSetTypeOfACarrier: a body with a chain cannot become dynamic, and nothing changes.
func TestSetTypeOfACarrier(t *testing.T) {
	w := worldtest.New()
	id := w.AddBody(quarry.BodyDef{})
	_, err := w.AddChain(id, quarry.ChainDef{Points: []geom.Vec{geom.V(1, 0), geom.V(0, 0)}})
	worldtest.Must(t, err)
	b, _ := w.Body(id)
	hash := w.Hash()
	worldtest.MustPanic(t, "SetType", func() { b.SetType(quarry.Dynamic) })
	if w.Hash() != hash || b.Type() != quarry.Static {
		t.Error("a refused SetType changed the world")
	}
	b.SetType(quarry.Kinematic)
	if b.Type() != quarry.Kinematic {
		t.Error("a chain cannot become kinematic")
	}
}

// TestSetMass: a body of an own mass moves as that mass, about that centre.
func TestSetMass(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5, 5), Angle: math.Pi / 2},
		geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	if _, ok := b.MassData(); ok {
		t.Error("a new body has an own mass")
	}
	b.SetAngularVelocity(2)
	m := geom.Mass{Mass: 4, Inertia: 3, Center: geom.V(1, 0)}
	b.SetMass(m)
	if got, ok := b.MassData(); !ok || got != m || b.Mass() != 4 || b.Inertia() != 3 {
		t.Errorf("%+v, %v, mass %v, inertia %v", got, ok, b.Mass(), b.Inertia())
	}
	worldtest.Near(t, "centre's x", b.CenterOfMass().X, 5, 1e-12)
	worldtest.Near(t, "centre's y", b.CenterOfMass().Y, 6, 1e-12)
	worldtest.Near(t, "velocity of the new centre", b.Velocity().X, -2, 1e-12)
	b.SetVelocity(geom.Vec{})
	b.SetAngularVelocity(0)
	b.ApplyForce(geom.V(8, 0), geom.V(5, 5))
	w.Step(worldtest.DT)
	worldtest.Near(t, "speed", b.Velocity().X, 2*worldtest.DT, 1e-7)
	worldtest.Near(t, "spin", b.AngularVelocity(), 8./3*worldtest.DT, 1e-7)
	// Shapes do not change it, nor a time as a static body.
	w.AddShape(b.ID(), geom.NewBox(2, 2), quarry.ShapeDef{})
	b.SetType(quarry.Static)
	if b.Mass() != 0 {
		t.Errorf("a static body has the mass %v", b.Mass())
	}
	b.SetType(quarry.Dynamic)
	if b.Mass() != 4 || b.Inertia() != 3 {
		t.Errorf("mass %v, inertia %v", b.Mass(), b.Inertia())
	}
	b.ResetMass()
	worldtest.Near(t, "mass of the shapes", b.Mass(), 17, 1e-12)
	for s := range b.Shapes() {
		s.SetDensity(2)
	}
	worldtest.Near(t, "mass of the shapes at twice the density", b.Mass(), 34, 1e-12)
	for s := range b.Shapes() {
		s.SetDensity(0)
	}
	worldtest.Near(t, "mass without density", b.Mass(), 1, 0)
}

// TestJointsOfChangedBodies: a joint does not act while a body of it is disabled, and follows changes of type.
func TestJointsOfChangedBodies(t *testing.T) {
	w := worldtest.New()
	box := func(x float64, kind quarry.BodyType) quarry.Body {
		return worldtest.AddBody(w, quarry.BodyDef{Type: kind, Position: geom.V(x, 10)}, geom.NewBox(0.5, 0.5),
			quarry.ShapeDef{})
	}
	post, arm := box(0, quarry.Static), box(2, quarry.Dynamic)
	id := w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(post.ID(), arm.ID(), geom.V(1, 10))})
	worldtest.Steps(w, 180)
	worldtest.Near(t, "height of the held arm", arm.Position().Y, 10, 0.01)
	if arm.Awake() {
		t.Fatal("the arm does not fall asleep")
	}
	post.SetEnabled(false)
	if !arm.Awake() {
		t.Error("the arm sleeps on a joint that does not act")
	}
	worldtest.Steps(w, 30)
	worldtest.Near(t, "height of the loose arm", arm.Position().Y, 10-10*30*31/2*worldtest.DT*worldtest.DT, 0.1)
	arm.SetTransform(geom.V(2, 10), 0)
	arm.SetVelocity(geom.Vec{})
	arm.SetAngularVelocity(0)
	post.SetEnabled(true)
	worldtest.Steps(w, 180)
	worldtest.Near(t, "height of the arm that is held again", arm.Position().Y, 10, 0.01)
	arm.SetEnabled(false)
	worldtest.Steps(w, 10)
	arm.SetEnabled(true)
	worldtest.Steps(w, 180)
	worldtest.Near(t, "height of the arm that was disabled", arm.Position().Y, 10, 0.01)
	if arm.Awake() {
		t.Error("the arm does not fall asleep again")
	}
	post.SetType(quarry.Dynamic)
	worldtest.Steps(w, 30)
	worldtest.Near(t, "height of both", arm.Position().Y+post.Position().Y, 20-10*30*31*worldtest.DT*worldtest.DT, 0.2)
	worldtest.Near(t, "distance of both", arm.Position().Dist(post.Position()), 2, 0.01)
	arm.SetType(quarry.Static)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "distance of the post from the arm that is static", arm.Position().Dist(post.Position()), 2, 0.02)
	post.SetEnabled(false)
	late := w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(post.ID(), arm.ID(), geom.V(1, 10))})
	if !w.RemoveJoint(id) || !w.RemoveJoint(late) {
		t.Error("a joint of a disabled body cannot be removed")
	}
	w.Step(worldtest.DT)
}
