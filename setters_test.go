package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// bedroom is a world in which all sleeps: box with top on it, near beside them without
// touching, rider on a kinematic lift, and far 100 cells away, all on one ground but
// for the lift; and a static post above the ground, that touches nothing.
type bedroom struct {
	*quarry.World
	ground                      quarry.Ground
	box, top, near, far         quarry.Body
	lift, rider, post           quarry.Body
	wood                        quarry.MaterialID // of box alone
	boxShape, topShape, ofPost  quarry.Shape
	chain                       quarry.ChainID // 50 cells above all
	buried, under, beside, away gridseg.Cell   // in the ground; the last two below near and below far
}

func newBedroom(t *testing.T) *bedroom {
	t.Helper()
	w := worldtest.New()
	r := &bedroom{World: w, wood: w.AddMaterial(quarry.Material{Friction: 0.5})}
	r.ground = worldtest.Floor(t, w, gridseg.Rect{MinX: -10, MinY: -6, MaxX: 110, MaxY: -1})
	r.buried, r.under = gridseg.Cell{X: 0, Y: -4}, gridseg.Cell{X: 0, Y: -1}
	r.beside, r.away = gridseg.Cell{X: 4, Y: -1}, gridseg.Cell{X: 100, Y: -1}
	square := geom.NewBox(0.5, 0.5)
	body := func(d quarry.BodyDef, m quarry.MaterialID) (quarry.Body, quarry.Shape) {
		id := w.AddBody(d)
		sid := w.AddShape(id, square, quarry.ShapeDef{Material: m})
		b, _ := w.Body(id)
		s, _ := w.Shape(sid)
		return b, s
	}
	at := func(x, y float64) quarry.BodyDef {
		return quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)}
	}
	r.box, r.boxShape = body(at(0.5, 0.5), r.wood)
	r.top, r.topShape = body(at(0.5, 1.5), 0)
	r.near, _ = body(at(4.5, 0.5), 0)
	r.far, _ = body(at(100.5, 0.5), 0)
	r.lift, _ = body(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(-5.5, 5)}, 0)
	r.rider, _ = body(at(-5.5, 6), 0)
	r.post, r.ofPost = body(quarry.BodyDef{Position: geom.V(0.5, 20)}, 0)
	id, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(5, 50), geom.V(-5, 50)}})
	if err != nil {
		t.Fatal(err)
	}
	r.chain = id
	worldtest.Steps(w, 120)
	if r.awake() != "" {
		t.Fatalf("%s did not fall asleep", r.awake())
	}
	return r
}

// awake names the dynamic bodies that are awake.
func (r *bedroom) awake() (names string) {
	for _, b := range []struct {
		name string
		b    quarry.Body
	}{{"box", r.box}, {"top", r.top}, {"near", r.near}, {"far", r.far}, {"rider", r.rider}} {
		if _, ok := r.Body(b.b.ID()); ok && b.b.Awake() {
			if names != "" {
				names += " "
			}
			names += b.name
		}
	}
	return names
}

// TestWhatWakes checks the documents of each change: the bodies that it wakes at once, and
// the bodies that are awake after the next Step.
func TestWhatWakes(t *testing.T) {
	const island, all = "box top", "box top near far rider"
	zero := geom.Vec{}
	full := gridseg.Tile{Shape: gridseg.Full}
	other := gridseg.Tile{Shape: gridseg.Full, User: 7}
	points := func(x, y float64) []geom.Vec { return []geom.Vec{geom.V(x+1, y), geom.V(x-1, y)} }
	for _, c := range []struct {
		name     string
		do       func(r *bedroom)
		at, next string
	}{
		// Bodies.
		{"Wake", func(r *bedroom) { r.box.Wake() }, island, island},
		{"Wake the upper", func(r *bedroom) { r.top.Wake() }, island, island},
		{"SetDamping", func(r *bedroom) { r.box.SetDamping(1, 1) }, island, island},
		{"SetGravityScale", func(r *bedroom) { r.box.SetGravityScale(2) }, island, island},
		{"SetWeightless", func(r *bedroom) { r.box.SetWeightless(true) }, island, island},
		{"SetNoSleep", func(r *bedroom) { r.box.SetNoSleep(true) }, island, island},
		{"SetSleepSpeed", func(r *bedroom) { r.box.SetSleepSpeed(1) }, island, island},
		{"SetTarget", func(r *bedroom) { r.box.SetTarget(r.box.Position().Add(geom.V(1, 0)), 0, 1) }, island, island},
		{"SetTarget of the lift", func(r *bedroom) { r.lift.SetTarget(geom.V(-5.5, 6), 0, 1) }, "", "rider"},
		{"SetTarget of the lift where it is", func(r *bedroom) { r.lift.SetTarget(geom.V(-5.5, 5), 0, 1) }, "", ""},
		{"SetUser, SetName and SetBullet", func(r *bedroom) {
			r.box.SetUser(1)
			r.box.SetName("box")
			r.box.SetBullet(true)
			r.boxShape.SetUser(3)
		}, "", ""},
		{"Shape.SetFilter", func(r *bedroom) { r.boxShape.SetFilter(1, 1, 0) }, island, island},
		{"Shape.SetFilter of none", func(r *bedroom) { r.boxShape.SetFilter(0, 2, 0) }, island, island},
		{"Shape.SetFilter to the same", func(r *bedroom) { r.boxShape.SetFilter(1, 0, 0) }, "", ""},
		{
			"SetConfig to the same", func(r *bedroom) {
				c := r.Config()
				c.Workers, c.Profile = 2, true
				r.SetConfig(c)
			},
			"", "",
		},
		{"SetConfig", func(r *bedroom) { c := r.Config(); c.PushRate = 5; r.SetConfig(c) }, all, all},
		{"SetMass", func(r *bedroom) { r.box.SetMass(geom.Mass{Mass: 1}) }, island, island},
		{"ResetMass", func(r *bedroom) { r.box.SetMass(geom.Mass{Mass: 1}); r.box.ResetMass() }, island, island},
		{"SetLocks", func(r *bedroom) { r.box.SetLocks(false, false, true) }, island, island},
		{"SetDensity", func(r *bedroom) { r.boxShape.SetDensity(2) }, island, island},
		{"SetGeometry", func(r *bedroom) { r.boxShape.SetGeometry(geom.Circle{Radius: 0.5}) }, island, island},
		{"SetGeometry of a static body", func(r *bedroom) {
			r.ofPost.SetGeometry(geom.Circle{Center: geom.V(4, -18.5), Radius: 0.6})
		}, "near", "near"},
		{"SetType", func(r *bedroom) { r.box.SetType(quarry.Static) }, island, island},
		{"SetType of the lift", func(r *bedroom) { r.lift.SetType(quarry.Static) }, "rider", "rider"},
		{"SetType of a static body", func(r *bedroom) { r.post.SetType(quarry.Kinematic) }, "", ""},
		{"SetType to the same", func(r *bedroom) { r.box.SetType(quarry.Dynamic) }, "", ""},
		{"SetEnabled", func(r *bedroom) { r.box.SetEnabled(false) }, "top", "top"},
		{"SetEnabled of the lift", func(r *bedroom) { r.lift.SetEnabled(false) }, "rider", "rider"},
		{
			"SetEnabled and back", func(r *bedroom) { r.lift.SetEnabled(false); r.lift.SetEnabled(true) }, "rider",
			"rider",
		},
		{"SetEnabled to the same", func(r *bedroom) { r.box.SetEnabled(true) }, "", ""},
		{"SetVelocity", func(r *bedroom) { r.box.SetVelocity(geom.V(1, 0)) }, island, island},
		{"SetAngularVelocity", func(r *bedroom) { r.box.SetAngularVelocity(1) }, island, island},
		// The value that the body has wakes nobody, as with joints and World.SetGravity: it kept bodies awake in games
		// that set it before each step (laws/rest, TestSameValueLetsSleep).
		{"setters to the same", func(r *bedroom) {
			r.box.SetVelocity(zero)
			r.box.SetAngularVelocity(0)
			r.box.SetDamping(0, 0)
			r.box.SetGravityScale(1)
			r.box.SetGravityScale(0)
			r.box.SetWeightless(false)
			r.box.SetNoSleep(false)
			r.box.SetSleepSpeed(0)
			r.box.SetLocks(false, false, false)
			r.box.ResetMass()
			r.boxShape.SetDensity(1)
		}, "", ""},
		{"ApplyForce", func(r *bedroom) { r.box.ApplyForce(geom.V(1e4, 0), zero) }, "", ""},
		{"ApplyForceToCenter", func(r *bedroom) { r.box.ApplyForceToCenter(geom.V(1e4, 0)) }, "", ""},
		{"ApplyTorque", func(r *bedroom) { r.box.ApplyTorque(1e4) }, "", ""},
		{"ApplyWind", func(r *bedroom) { r.boxShape.ApplyWind(geom.V(1e4, 0), 1, 1) }, "", ""},
		{"Wake and ApplyForce", func(r *bedroom) { r.box.Wake(); r.box.ApplyForce(zero, zero) }, island, island},
		{"ApplyImpulse of zero", func(r *bedroom) { r.box.ApplyImpulse(zero, zero) }, island, island},
		{"DropThrough", func(r *bedroom) { r.box.DropThrough(0) }, island, island},
		{"SetTransform where it is", func(r *bedroom) { r.box.SetTransform(r.box.Position(), 0) }, island, island},
		{
			"SetTransform onto another", func(r *bedroom) { r.box.SetTransform(geom.V(4.5, 1.4), 0) }, island,
			"box top near",
		},
		{"SetTransform away", func(r *bedroom) { r.box.SetTransform(geom.V(30, 30), 0) }, island, island},
		{
			"SetTransform of a static body onto one", func(r *bedroom) { r.post.SetTransform(geom.V(4.5, 1.4), 0) },
			"near", "near",
		},
		{"SetTransform of the lift", func(r *bedroom) { r.lift.SetTransform(geom.V(-5.5, 9), 0) }, "rider", "rider"},
		{"SetVelocity of a static body", func(r *bedroom) { r.post.SetVelocity(geom.V(1, 0)) }, "", ""},
		{"SetVelocity of the lift", func(r *bedroom) { r.lift.SetVelocity(geom.V(0, 1)) }, "", "rider"},
		{"SetAngularVelocity of the lift", func(r *bedroom) { r.lift.SetAngularVelocity(1) }, "", "rider"},
		{"SetVelocity of zero of the lift", func(r *bedroom) { r.lift.SetVelocity(zero) }, "", ""},
		{"ApplyImpulse on the lift", func(r *bedroom) { r.lift.ApplyImpulse(geom.V(9, 9), zero) }, "", ""},
		{"Wake of the lift", func(r *bedroom) { r.lift.Wake() }, "rider", "rider"},
		{"Wake of a static body", func(r *bedroom) { r.post.Wake() }, "", ""},
		{"ClearForces", func(r *bedroom) { r.box.ClearForces() }, "", ""},
		{"SetSensor", func(r *bedroom) { r.boxShape.SetSensor(true) }, island, island},
		{"SetSensor to the same", func(r *bedroom) { r.boxShape.SetSensor(false) }, "", ""},
		{"SetSensor of a static body", func(r *bedroom) { r.ofPost.SetSensor(true) }, "", ""},
		{"SetBody", func(r *bedroom) { r.boxShape.SetBody(r.post.ID()) }, island, island},
		{"SetBody to the same", func(r *bedroom) { r.boxShape.SetBody(r.box.ID()) }, "", ""},
		{"Sleep", func(r *bedroom) { r.box.Wake(); r.box.Sleep(); r.top.Sleep() }, "", ""},
		{"Sleep under one that is awake", func(r *bedroom) { r.box.Wake(); r.box.Sleep() }, "top", island},
		{"AddBody", func(r *bedroom) { r.AddBody(quarry.BodyDef{Type: quarry.Dynamic}) }, "", ""},
		{"RemoveBody", func(r *bedroom) { r.RemoveBody(r.box.ID()) }, "top", "top"},
		{"RemoveBody of the lift", func(r *bedroom) { r.RemoveBody(r.lift.ID()) }, "rider", "rider"},
		// Shapes.
		{
			"AddShape", func(r *bedroom) { r.AddShape(r.box.ID(), geom.Circle{Radius: 0.1}, quarry.ShapeDef{}) },
			island,
			island,
		},
		{"AddShape of a sensor", func(r *bedroom) {
			r.AddShape(r.box.ID(), geom.Circle{Radius: 0.1}, quarry.ShapeDef{Sensor: true})
		}, island, island},
		{"AddShape to a static body", func(r *bedroom) {
			r.AddShape(r.post.ID(), geom.Circle{Center: geom.V(4, -18.5), Radius: 0.6}, quarry.ShapeDef{})
		}, "near", "near"},
		{"AddShape of a sensor to a static body", func(r *bedroom) {
			r.AddShape(r.post.ID(), geom.Circle{Center: geom.V(4, -18.5), Radius: 0.6}, quarry.ShapeDef{Sensor: true})
		}, "", ""},
		{"RemoveShape", func(r *bedroom) { r.RemoveShape(r.topShape.ID()) }, island, island},
		{"RemoveShape of a shape without contacts", func(r *bedroom) { r.RemoveShape(r.ofPost.ID()) }, "", ""},
		{"Shape.SetMaterial", func(r *bedroom) { r.topShape.SetMaterial(r.wood) }, island, island},
		{"Shape.SetMaterial to the same", func(r *bedroom) { r.boxShape.SetMaterial(r.wood) }, "", ""},
		{"Shape.SetMaterial of a shape without contacts", func(r *bedroom) { r.ofPost.SetMaterial(r.wood) }, "", ""},
		// Materials.
		{"SetMaterial", func(r *bedroom) { r.SetMaterial(r.wood, quarry.Material{Friction: 0.1}) }, island, island},
		{"SetMaterial, the colour alone", func(r *bedroom) {
			r.SetMaterial(r.wood, quarry.Material{Friction: 0.5, Color: 1, User: 2})
		}, "", ""},
		{"SetMaterial of the default", func(r *bedroom) { r.SetMaterial(0, quarry.Material{Friction: 0.1}) }, all, all},
		{"SetMaterial, OneWay", func(r *bedroom) {
			r.SetMaterial(r.wood, quarry.Material{Friction: 0.5, OneWay: quarry.OneWayUp})
		}, all, all},
		{"AddMaterial", func(r *bedroom) { r.AddMaterial(quarry.Material{}) }, "", ""},
		{"AddMaterial of a tile's number", func(r *bedroom) {
			worldtest.Must(t, r.ground.Set(r.beside.X, r.beside.Y, gridseg.Tile{Shape: gridseg.Full, Material: 2}))
			worldtest.Steps(r.World, 120)
			if r.awake() != "" {
				t.Fatal("it did not fall asleep again")
			}
			r.AddMaterial(quarry.Material{})
		}, "near", "near"},
		{"SetGravity", func(r *bedroom) { r.SetGravity(geom.V(0, -9)) }, all, all},
		{"SetGravity to the same", func(r *bedroom) { r.SetGravity(r.Gravity()) }, "", ""},
		// Grounds and chains.
		{"AddGround", func(r *bedroom) {
			_, err := r.AddGround(0, quarry.GroundDef{})
			worldtest.Must(t, err)
		}, "", ""},
		{"AddGround with a tile", func(r *bedroom) {
			grid := gridseg.New(nil)
			worldtest.Must(t, grid.Set(4, 1, gridseg.Tile{Shape: gridseg.Full}))
			_, err := r.AddGround(0, quarry.GroundDef{Grid: grid})
			worldtest.Must(t, err)
		}, "near", "near"},
		{"RemoveGround", func(r *bedroom) { r.RemoveGround(r.ground.ID()) }, "box top near far", "box top near far"},
		{"AddChain", func(r *bedroom) {
			_, err := r.AddChain(0, quarry.ChainDef{Points: points(4.5, 0.2)})
			worldtest.Must(t, err)
		}, "near", "near"},
		{"AddChain away", func(r *bedroom) {
			_, err := r.AddChain(0, quarry.ChainDef{Points: points(40, 40)})
			worldtest.Must(t, err)
		}, "", ""},
		{"RemoveChain that nothing touches", func(r *bedroom) { r.RemoveChain(r.chain) }, "", ""},
		// Edits.
		{"Set", func(r *bedroom) { worldtest.Must(t, r.ground.Set(r.under.X, r.under.Y, other)) }, island, island},
		{"Set of the same", func(r *bedroom) { worldtest.Must(t, r.ground.Set(r.under.X, r.under.Y, full)) }, "", ""},
		{
			"Set of a buried tile", func(r *bedroom) { worldtest.Must(t, r.ground.Set(r.buried.X, r.buried.Y, other)) },
			"", "",
		},
		{
			"Set three cells off", func(r *bedroom) { worldtest.Must(t, r.ground.Set(r.under.X-3, r.under.Y, other)) },
			"",
			"",
		},
		{
			"Set of the next cell", func(r *bedroom) { worldtest.Must(t, r.ground.Set(r.under.X+1, r.under.Y, other)) },
			island, island,
		},
		{"Clear", func(r *bedroom) { worldtest.Must(t, r.ground.Clear(r.away.X, r.away.Y)) }, "far", "far"},
		{"Fill", func(r *bedroom) {
			worldtest.Must(t, r.ground.Fill(gridseg.Rect{MinX: r.beside.X, MinY: -1, MaxX: r.beside.X, MaxY: -1},
				gridseg.Tile{}))
		}, "near", "near"},
		{"Fill, reversed", func(r *bedroom) {
			if r.ground.Fill(gridseg.Rect{MinX: 9, MinY: -1, MaxX: -9, MaxY: -1}, gridseg.Tile{}) == nil {
				t.Error("a reversed Fill was taken")
			}
		}, "", ""},
		{"Place", func(r *bedroom) {
			s, err := r.ground.Grid().Copy(gridseg.Rect{MinX: 20, MinY: 5, MaxX: 20, MaxY: 5})
			worldtest.Must(t, err)
			worldtest.Must(t, r.ground.Place(r.beside.X, r.beside.Y, s))
		}, "near", "near"},
		{"Move", func(r *bedroom) {
			worldtest.Must(t, r.ground.Move(gridseg.Rect{MinX: r.beside.X, MinY: -1, MaxX: r.beside.X, MaxY: -1}, 0, 9))
		}, "near", "near"},
		{"Add", func(r *bedroom) {
			u := int64(gridseg.Unit)
			worldtest.Must(t, r.ground.AddPolygon(r.beside.X+1, 0,
				[][]gridseg.Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: 0, Y: u}}}, gridseg.Attr{}))
		}, "near", "near"},
		{"Dig a cave in the next cell", func(r *bedroom) {
			worldtest.Must(t, r.ground.Dig(geom.V(4.5, -0.5), geom.V(4.5, -0.5), 0.4))
		}, "near", "near"},
		{"Dig a cave deep down", func(r *bedroom) {
			worldtest.Must(t, r.ground.Dig(geom.V(4.5, -3.5), geom.V(4.5, -3.5), 0.4))
		}, "", ""},
		{"Dig to the surface", func(r *bedroom) {
			worldtest.Must(t, r.ground.Dig(geom.V(4.5, 0), geom.V(4.5, 0), 0.4))
		}, "near", "near"},
		{"Build", func(r *bedroom) {
			worldtest.Must(t, r.ground.Build(geom.V(5.5, 0), geom.V(5.5, 0), 0.3, gridseg.Attr{}))
		}, "near", "near"},
	} {
		r := newBedroom(t)
		c.do(r)
		if got := r.awake(); got != c.at {
			t.Errorf("%s wakes %q, want %q", c.name, got, c.at)
		}
		r.Step(worldtest.DT)
		if got := r.awake(); got != c.next {
			t.Errorf("%s: after the next step %q are awake, want %q", c.name, got, c.next)
		}
	}
}

// TestSetTransformKeeps checks the documents of SetTransform: its effect on velocity,
// forces, contacts and events.
func TestSetTransformKeeps(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -10, MinY: -1, MaxX: 10, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 5), geom.NewBox(0.5, 0.5))
	v := geom.V(3, -2)
	b.SetVelocity(v)
	b.SetAngularVelocity(1)
	b.SetTransform(geom.V(5, 5), 1.5)
	if b.Velocity() != v || b.AngularVelocity() != 1 {
		t.Errorf("velocity %v, spin %v; want them kept, in world axes", b.Velocity(), b.AngularVelocity())
	}
	// A force that waits for the next step still acts in it, in world axes.
	float := quarry.NewWorld(quarry.Config{})
	f := worldtest.Add(float, geom.V(0, 0), geom.NewBox(0.5, 0.5))
	f.ApplyForce(geom.V(60, 0), f.CenterOfMass())
	f.SetTransform(geom.V(9, 0), 2)
	float.Step(worldtest.DT)
	worldtest.Near(t, "velocity by the force", f.Velocity().X, 1, 1e-6)

	// A contact ends in the Step after, not before.
	w = worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -10, MinY: -1, MaxX: 10, MaxY: -1})
	b = worldtest.Add(w, geom.V(0.3, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 30)
	at := w.AppendContacts(nil)
	b.SetTransform(geom.V(0, 20), 0)
	if len(at) != 1 || len(w.AppendContacts(nil)) != 1 || len(w.ContactEnds()) != 0 {
		t.Errorf("at once: contacts %+v, ends %+v", w.AppendContacts(nil), w.ContactEnds())
	}
	w.Step(worldtest.DT)
	if len(w.AppendContacts(nil)) != 0 || len(w.ContactEnds()) != 1 {
		t.Errorf("a step later: contacts %+v, ends %+v", w.AppendContacts(nil), w.ContactEnds())
	}

	// Along the same surface the impulses are taken over, and nothing begins or ends.
	w = quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	worldtest.Floor(t, w, gridseg.Rect{MinX: -10, MinY: -1, MaxX: 10, MaxY: -1})
	b = worldtest.Add(w, geom.V(0.3, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 60)
	before := w.AppendContacts(nil)[0]
	b.SetTransform(geom.V(6.3, b.Position().Y), 0)
	w.Step(worldtest.DT)
	after := w.AppendContacts(nil)[0]
	for k := range before.N {
		worldtest.Near(t, "impulse", after.Points[k].NormalImpulse, before.Points[k].NormalImpulse, 1e-3)
	}
	if n := len(w.ContactBegins()) + len(w.ContactEnds()); n != 0 {
		t.Errorf("%d contacts began or ended", n)
	}

	// A static body that SetTransform moves is not among the moved bodies.
	id := w.AddBody(quarry.BodyDef{})
	w.AddShape(id, geom.NewBox(1, 1), quarry.ShapeDef{})
	post, _ := w.Body(id)
	post.SetTransform(geom.V(50, 50), 0)
	w.Step(worldtest.DT)
	for _, m := range w.Moves() {
		if m.Body == id {
			t.Errorf("the static body is told of as moved: %+v", m)
		}
	}
}

// heap is a static floor of a box, a chain beside it, a kinematic lift and some dynamic boxes, each of two shapes.
type heap struct {
	*quarry.World
	bodies []quarry.BodyID
	shapes []quarry.ShapeID
	chain  quarry.ChainID
}

// newHeap makes the heap, with materials for the segments of the chain.
func newHeap(materials []quarry.MaterialID) *heap {
	h := &heap{World: worldtest.New()}
	for range 3 {
		h.AddMaterial(quarry.Material{Friction: 0.6})
	}
	add := func(d quarry.BodyDef, shapes ...geom.Shape) {
		id := h.AddBody(d)
		h.bodies = append(h.bodies, id)
		for _, s := range shapes {
			h.shapes = append(h.shapes, h.AddShape(id, s, quarry.ShapeDef{}))
		}
	}
	add(quarry.BodyDef{Position: geom.V(0, -0.5)}, geom.NewBox(10, 0.5))
	add(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(-3, 0.5)}, geom.NewBox(0.5, 0.5))
	for i := range 4 {
		add(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(float64(i)-1.5, 0.6+float64(i)*0.7),
			Velocity: geom.V(float64(i)*2, 0),
		},
			geom.NewBox(0.4, 0.4), geom.Circle{Center: geom.V(0.4, 0.2), Radius: 0.3})
	}
	var err error
	h.chain, err = h.AddChain(0, quarry.ChainDef{
		Points: []geom.Vec{geom.V(40, 1), geom.V(30, 0), geom.V(20, 0), geom.V(10, 0)}, Materials: materials,
	})
	if err != nil {
		panic(err)
	}
	add(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(13, 0.4), Velocity: geom.V(12, 0)}, geom.NewBox(0.4, 0.4))
	return h
}

// state has the motion and the mass of each body.
func (h *heap) state() (s []float64) {
	for b := range h.Bodies() {
		p, v := b.Position(), b.Velocity()
		s = append(s, p.X, p.Y, b.Rotation().C, b.Rotation().S, v.X, v.Y, b.AngularVelocity(), b.Mass(), b.Inertia())
	}
	return s
}

// mustMatch steps both worlds, and compares them after each step.
func mustMatch(t *rapid.T, a, b *heap, steps int, within float64) {
	for i := range steps {
		a.Step(1.0 / 60)
		b.Step(1.0 / 60)
		if !slices.EqualFunc(a.state(), b.state(), func(x, y float64) bool { return math.Abs(x-y) <= within }) {
			t.Fatalf("the worlds differ after %d steps:\n%v\n%v", i+1, a.state(), b.state())
		}
	}
}

// TestRehomedShapes: a shape with another body, or made a sensor or solid, acts as one removed and added again, but for
// the rounding of the centre of mass, which moves twice there, and keeps its id.
func TestRehomedShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := newHeap(nil), newHeap(nil)
		mustMatch(t, a, b, rapid.IntRange(0, 90).Draw(t, "before"), 0)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(a.shapes)-1).Draw(t, "shape")
			sa, _ := a.Shape(a.shapes[i])
			sb, _ := b.Shape(b.shapes[i])
			d, g, to := sb.Def(), sb.Geometry(), sb.Body().ID()
			if rapid.Bool().Draw(t, "sensor") {
				d.Sensor = !d.Sensor
				sa.SetSensor(d.Sensor)
			} else {
				to = rapid.SampledFrom(b.bodies).Draw(t, "body")
				if to == sb.Body().ID() {
					continue
				}
				if !sa.SetBody(to) {
					t.Fatal("SetBody found no body")
				}
			}
			if sa.Body().ID() != to || sa.Sensor() != d.Sensor || sa.Def() != d {
				t.Fatal("the shape is not as it was set")
			}
			b.RemoveShape(b.shapes[i])
			b.shapes[i] = b.AddShape(to, g, d)
			mustMatch(t, a, b, rapid.IntRange(0, 10).Draw(t, "after"), 1e-6)
		}
	})
}

// TestRehomedEvents: the events of a shape that changes its body, or becomes a sensor, are in pairs.
func TestRehomedEvents(t *testing.T) {
	h := newHeap(nil)
	worldtest.Steps(h.World, 120)
	crate, _ := h.Shape(h.shapes[2])
	if len(crate.AppendContacts(nil)) == 0 {
		t.Fatal("the crate touches nothing")
	}
	crate.SetSensor(true)
	h.Step(1.0 / 60)
	if len(crate.AppendContacts(nil)) != 0 || !slices.ContainsFunc(h.ContactEnds(), func(e quarry.ContactEvent) bool {
		return e.ShapeA == crate.ID() || e.ShapeB == crate.ID()
	}) {
		t.Error("its contacts did not end")
	}
	inside := len(crate.AppendOverlaps(nil))
	if inside == 0 || len(h.SensorBegins()) != inside {
		t.Errorf("%d overlaps, %d begin", inside, len(h.SensorBegins()))
	}
	crate.SetSensor(false)
	h.Step(1.0 / 60)
	if len(h.SensorEnds()) != inside {
		t.Errorf("%d overlaps, %d end", inside, len(h.SensorEnds()))
	}
	if crate.SetBody(0) || crate.Body().ID() != h.bodies[2] {
		t.Error("SetBody found a body 0")
	}
}

// TestClearForces: forces taken back change nothing.
func TestClearForces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := newHeap(nil), newHeap(nil)
		for range 20 {
			for k, id := range a.bodies {
				x, _ := a.Body(id)
				y, _ := b.Body(b.bodies[k])
				if !x.Awake() {
					continue
				}
				f := geom.V(rapid.Float64Range(-50, 50).Draw(t, "x"), rapid.Float64Range(-50, 50).Draw(t, "y"))
				x.ApplyForce(f, geom.V(1, 2))
				x.ApplyTorque(f.X)
				x.ClearForces()
				x.ApplyForceToCenter(f)
				y.ApplyForceToCenter(f)
			}
			mustMatch(t, a, b, 1, 0)
		}
	})
}

// TestChainSetMaterial: a segment with another material acts as one whose material is changed in the table.
func TestChainSetMaterial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.IntRange(0, 2).Draw(t, "segment")
		own := []quarry.MaterialID{1, 1, 1}
		own[segment] = 2
		a, b := newHeap(rapid.SampledFrom([][]quarry.MaterialID{nil, {1, 1, 1}}).Draw(t, "materials")), newHeap(own)
		a.SetMaterial(0, a.Material(1))
		b.SetMaterial(0, b.Material(1))
		mustMatch(t, a, b, rapid.IntRange(0, 150).Draw(t, "before"), 0)
		m := quarry.Material{
			Friction:     rapid.SampledFrom([]float64{0, 0.1, 5}).Draw(t, "friction"),
			TangentSpeed: rapid.SampledFrom([]float64{0, 3}).Draw(t, "belt"),
		}
		a.SetMaterial(3, m)
		var saved quarry.Snapshot
		a.Capture(&saved)
		c, _ := a.Chain(a.chain)
		was := [3]quarry.MaterialID{c.Material(0), c.Material(1), c.Material(2)}
		c.SetMaterial(segment, 3)
		if want := c.Material(segment); want != 3 || c.Material((segment+1)%3) != was[(segment+1)%3] {
			t.Fatal("another segment has the material")
		}
		b.SetMaterial(2, m)
		for i := range a.bodies { // which of them wake is another question
			x, _ := a.Body(a.bodies[i])
			y, _ := b.Body(b.bodies[i])
			x.SetSleepSpeed(0.05) // another value restarts the time at rest, too
			y.SetSleepSpeed(0.05)
		}
		mustMatch(t, a, b, 60, 0)
		a.Rewind(&saved)
		if c, _ := a.Chain(a.chain); was != [3]quarry.MaterialID{c.Material(0), c.Material(1), c.Material(2)} {
			t.Fatal("the change reached a snapshot of before")
		}
	})
}
