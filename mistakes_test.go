package quarry_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/mover"
)

// panicText returns the text that f panics with, "" if it does not.
func panicText(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text, _ = r.(string)
		}
	}()
	f()
	return ""
}

// TestOutOfRangeNamesField: a refusal names the call, the field, its value and the
// range. It once printed the whole definition, "body definition out of range: {...}",
// and left the reader to find the field.
func TestOutOfRangeNamesField(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	m := w.AddMaterial(quarry.Material{})
	var shape quarry.Shape
	for s := range b.Shapes() {
		shape = s
	}
	body := func(d quarry.BodyDef) func() { return func() { w.AddBody(d) } }
	world := func(c quarry.Config) func() { return func() { quarry.NewWorld(c) } }
	material := func(x quarry.Material) func() { return func() { w.AddMaterial(x) } }
	for _, c := range []struct {
		f    func()
		want []string
	}{
		{func() { w.Step(0) }, []string{"Step: dt 0 ", "more than 0 and at most 1"}},
		{func() { w.Step(1.5) }, []string{"Step: dt 1.5 ", "more than 0 and at most 1"}},
		{world(quarry.Config{SubSteps: -1}), []string{"NewWorld: Config.SubSteps -1 ", "1 to 64"}},
		{world(quarry.Config{Workers: -1}), []string{"NewWorld: Config.Workers -1 ", "0 to 64"}},
		{world(quarry.Config{Workers: 65}), []string{"Config.Workers 65 ", "0 to 64"}},
		{world(quarry.Config{SubSteps: 65}), []string{"Config.SubSteps 65 ", "1 to 64"}},
		{world(quarry.Config{CellSize: -2}), []string{"Config.CellSize -2 ", "1e-100 to 1e+100"}},
		{world(quarry.Config{CellSize: 1e101}), []string{"Config.CellSize 1e+101 ", "1e-100 to 1e+100"}},
		{world(quarry.Config{MaxSpeed: 401}), []string{"NewWorld: Config.MaxSpeed 401 ", "1e-09 to 400, or 0 for 400"}},
		{world(quarry.Config{HitSpeed: -1}), []string{"Config.HitSpeed -1 ", "or 0 for 1"}},
		{world(quarry.Config{BounceSpeed: nan}), []string{"Config.BounceSpeed NaN "}},
		{world(quarry.Config{PushRate: 61}), []string{"Config.PushRate 61 ", "0.01 to 60, or 0 for 6.2"}},
		{world(quarry.Config{PushSpeed: inf}), []string{"Config.PushSpeed +Inf "}},
		{world(quarry.Config{SleepSpeed: -1}), []string{"Config.SleepSpeed -1 "}},
		{world(quarry.Config{SleepTime: 1e-10}), []string{"Config.SleepTime 1e-10 "}},
		{func() { w.SetConfig(quarry.Config{SubSteps: 65}) }, []string{"SetConfig: Config.SubSteps 65 ", "1 to 64"}},
		{func() { w.SetConfig(quarry.Config{CellSize: 2}) }, []string{
			"SetConfig: Config.CellSize 2 ",
			"1, that of NewWorld",
		}},
		{body(quarry.BodyDef{GravityScale: -2e6}), []string{"BodyDef.GravityScale -2e+06 ", "-1e+06 to 1e+06"}},
		{body(quarry.BodyDef{SleepSpeed: nan}), []string{
			"BodyDef.SleepSpeed NaN ",
			"1e-09 to 400, or 0 for Config.SleepSpeed",
		}},
		{func() { b.SetGravityScale(nan) }, []string{"SetGravityScale: scale NaN "}},
		{func() { b.SetSleepSpeed(-1) }, []string{"SetSleepSpeed: speed -1 "}},
		{func() { b.SetDamping(-1, 0) }, []string{"SetDamping: linear -1 ", "at least 0"}},
		{func() { b.SetDamping(0, inf) }, []string{"SetDamping: angular +Inf "}},
		{func() { b.SetTarget(geom.V(nan, 0), 0, 0.1) }, []string{"SetTarget: p {NaN 0} "}},
		{func() { b.SetTarget(geom.V(0, 0), inf, 0.1) }, []string{"SetTarget: angle +Inf "}},
		{func() { b.SetTarget(geom.V(0, 0), 0, 0) }, []string{"SetTarget: dt 0 ", "more than 0 and at most 1"}},
		{func() { b.ApplyForceToCenter(geom.V(0, nan)) }, []string{"ApplyForceToCenter: f {0 NaN} "}},
		{func() { b.ApplyImpulseToCenter(geom.V(0, nan)) }, []string{"ApplyImpulseToCenter: j {0 NaN} "}},
		{func() { b.ApplyAngularImpulse(nan) }, []string{"ApplyAngularImpulse: j NaN "}},
		{func() { b.SetType(3) }, []string{"SetType: t BodyType(3) ", "0 to 2 (Dynamic)"}},
		{func() { b.SetMass(geom.Mass{}) }, []string{"SetMass: m.Mass 0 ", "1e-30 to 1e+30"}},
		{func() { b.SetMass(geom.Mass{Mass: 1, Inertia: -1}) }, []string{"SetMass: m.Inertia -1 ", "0 to 1e+60"}},
		{func() { b.SetMass(geom.Mass{Mass: 1, Center: geom.V(nan, 0)}) }, []string{"SetMass: m.Center {NaN 0} "}},
		{func() { shape.SetDensity(-1) }, []string{"SetDensity: density -1 ", "1e-30 to 1e+30, or 0 for none"}},
		{world(quarry.Config{Gravity: geom.V(0, 2e15)}), []string{"Config.Gravity {0 2e+15} ", "-1e+15 to 1e+15"}},
		{func() { w.SetGravity(geom.V(nan, 0)) }, []string{"SetGravity: g {NaN 0} ", "-1e+15 to 1e+15"}},
		{body(quarry.BodyDef{Type: 7}), []string{"AddBody: BodyDef.Type BodyType(7) ", "Static, Kinematic or Dynamic"}},
		{body(quarry.BodyDef{Position: geom.V(nan, 1)}), []string{"BodyDef.Position {NaN 1} ", "finite"}},
		{body(quarry.BodyDef{Velocity: geom.V(0, inf)}), []string{"BodyDef.Velocity {0 +Inf} ", "finite"}},
		{body(quarry.BodyDef{Angle: nan}), []string{"BodyDef.Angle NaN ", "finite"}},
		{body(quarry.BodyDef{AngularVelocity: -inf}), []string{"BodyDef.AngularVelocity -Inf ", "finite"}},
		{body(quarry.BodyDef{LinearDamping: -0.5}), []string{"BodyDef.LinearDamping -0.5 ", "at least 0"}},
		{body(quarry.BodyDef{AngularDamping: inf}), []string{"BodyDef.AngularDamping +Inf ", "finite and at least 0"}},
		{
			func() { w.AddShape(b.ID(), geom.NewBox(1, 1), quarry.ShapeDef{Density: -1}) },
			[]string{"AddShape: ShapeDef.Density -1 ", "1e-30 to 1e+30"},
		},
		{material(quarry.Material{Friction: -1}), []string{"AddMaterial: Material.Friction -1 ", "0 to 1e+06"}},
		{material(quarry.Material{Restitution: 1.1}), []string{"Material.Restitution 1.1 ", "0 to 1"}},
		{material(quarry.Material{RollingResistance: nan}), []string{"Material.RollingResistance NaN ", "0 to 1e+06"}},
		{material(quarry.Material{TangentSpeed: 401}), []string{"Material.TangentSpeed 401 ", "-400 to 400"}},
		{material(quarry.Material{Density: -1}), []string{
			"AddMaterial: Material.Density -1 ",
			"1e-30 to 1e+30, or 0 for 1",
		}},
		{func() { w.SetMaterial(m, quarry.Material{Density: inf}) }, []string{"SetMaterial: Material.Density +Inf "}},
		{material(quarry.Material{FrictionMix: 9}), []string{"Material.FrictionMix 9 ", "0 to 4"}},
		{material(quarry.Material{RestitutionMix: 9}), []string{"Material.RestitutionMix 9 ", "0 to 4"}},
		{func() { w.SetMaterial(m, quarry.Material{OneWay: 99}) }, []string{
			"SetMaterial: Material.OneWay OneWay(99) ",
			"0 to 4",
		}},
		{func() { b.SetTransform(geom.V(0, nan), 0) }, []string{"SetTransform: p {0 NaN} ", "finite"}},
		{func() { b.SetTransform(geom.V(0, 1), inf) }, []string{"SetTransform: angle +Inf ", "finite"}},
		{func() { b.SetVelocity(geom.V(inf, 0)) }, []string{"SetVelocity: v {+Inf 0} ", "finite"}},
		{func() { b.SetAngularVelocity(nan) }, []string{"SetAngularVelocity: spin NaN ", "finite"}},
		{func() { b.ApplyForce(geom.V(nan, 0), geom.V(0, 0)) }, []string{"ApplyForce: f {NaN 0} ", "finite"}},
		{func() { b.ApplyForce(geom.V(0, 0), geom.V(nan, 0)) }, []string{"ApplyForce: at {NaN 0} ", "finite"}},
		{func() { b.ApplyTorque(nan) }, []string{"ApplyTorque: torque NaN ", "finite"}},
		{func() { b.ApplyImpulse(geom.V(nan, 0), geom.V(0, 0)) }, []string{"ApplyImpulse: j {NaN 0} ", "finite"}},
		{func() { b.ApplyImpulse(geom.V(0, 0), geom.V(0, nan)) }, []string{"ApplyImpulse: at {0 NaN} ", "finite"}},
		{func() { b.DropThrough(-1) }, []string{"DropThrough: seconds -1 ", "at least 0"}},
	} {
		before := w.Hash()
		text := panicText(c.f)
		if !strings.HasPrefix(text, "quarry: ") || !strings.Contains(text, "out of range") {
			t.Errorf("want a panic with %q, got %q", c.want, text)
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %q", want, text)
			}
		}
		if w.Hash() != before {
			t.Errorf("%q changed the world", text)
		}
	}
}

// TestReversedRectIsRefused: a reversed Fill did nothing, returned no error and raised
// Version, while Step panicked outside its range. Both are refused now.
func TestReversedRectIsRefused(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -4, MaxX: 5, MaxY: -1})
	version, hash := g.Version(), w.Hash()
	full := gridseg.Tile{Shape: gridseg.Full}
	for name, edit := range map[string]func() error{
		"fill, reversed in x": func() error { return g.Fill(gridseg.Rect{MinX: 5, MaxX: 0}, full) },
		"fill, reversed in y": func() error { return g.Fill(gridseg.Rect{MinY: 3, MaxY: 2}, full) },
		"clear, reversed": func() error {
			return g.Fill(gridseg.Rect{MinX: 5, MinY: -1, MaxX: -5, MaxY: -4}, gridseg.Tile{})
		},
		"move, reversed": func() error {
			return g.Move(gridseg.Rect{MinX: 5, MinY: -4, MaxX: -5, MaxY: -1}, 1, 0)
		},
		"move by nothing, too": func() error { return g.Move(gridseg.Rect{MinX: 5, MaxX: -5}, 0, 0) },
	} {
		err := edit()
		var e *gridseg.Error
		if !errors.Is(err, gridseg.ErrRange) || !errors.As(err, &e) || !strings.Contains(err.Error(), "reversed") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if g.Version() != version || w.Hash() != hash {
		t.Errorf("refused edits: version %d to %d", version, g.Version())
	}
}

// TestVersionCountsChanges: Version rises with each edit that changes a tile, buried
// or not, and with no other. Each edit raised it once, also one that changed nothing.
func TestVersionCountsChanges(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -4, MaxX: 5, MaxY: -1})
	full := gridseg.Tile{Shape: gridseg.Full}
	for _, c := range []struct {
		name    string
		changes bool
		edit    func() error
	}{
		{"the same tile", false, func() error { return g.Set(0, -1, full) }},
		{"clear air", false, func() error { return g.Clear(0, 5) }},
		{"fill with the same", false, func() error {
			return g.Fill(gridseg.Rect{MinX: -2, MinY: -3, MaxX: 2, MaxY: -1}, full)
		}},
		{"fill of a wrong shape", false, func() error {
			_ = g.Fill(gridseg.Rect{}, gridseg.Tile{Shape: 999})
			return nil
		}},
		{"move by nothing", false, func() error {
			return g.Move(gridseg.Rect{MinX: 0, MinY: -4, MaxX: 1, MaxY: -1}, 0, 0)
		}},
		{"dig air", false, func() error { return g.Dig(geom.V(0, 9), geom.V(0, 9), 2) }},
		{"build in solid", false, func() error { return g.Build(geom.V(0, -2), geom.V(0, -2), 0.9, gridseg.Attr{}) }},
		{"a buried tile", true, func() error { return g.Set(0, -3, gridseg.Tile{Shape: gridseg.Full, User: 9}) }},
		{"a new tile", true, func() error { return g.Set(0, 0, full) }},
		{"dig", true, func() error { return g.Dig(geom.V(0, 0), geom.V(0, 0), 2) }},
		{"dig again", false, func() error { return g.Dig(geom.V(0, 0), geom.V(0, 0), 2) }},
	} {
		before := g.Version()
		if err := c.edit(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		want := before
		if c.changes {
			want++
		}
		if g.Version() != want {
			t.Errorf("%s: version %d to %d, want %d", c.name, before, g.Version(), want)
		}
	}
}

// TestZeroWorld: methods of a World that NewWorld did not make panic with a text that says
// so. They panicked with the runtime's nil pointer or index out of range.
func TestZeroWorld(t *testing.T) {
	// These methods return an empty world's answers; all others panic.
	empty := map[string]bool{
		"AppendContacts": true, "Bodies": true, "Body": true, "Breaks": true, "Chain": true, "Chains": true,
		"ContactBegins": true,
		"ContactEnds":   true, "Crushed": true, "Gravity": true, "Ground": true, "GroundEdits": true, "Grounds": true,
		"Hash": true, "Hits": true,
		"Joint": true, "JointEvents": true, "Joints": true, "Lost": true, "Moves": true, "SensorBegins": true,
		"SensorEnds": true, "MaterialBegins": true, "MaterialEnds": true, "Shape": true, "Shapes": true, "Config": true,
		"Stats":     true,
		"StepCount": true,
	}
	for _, name := range []string{
		"AddBody", "AddChain", "AddGround", "AddMaterial", "AddShape", "RayCast",
		"SetGravity", "Step",
	} {
		if empty[name] {
			t.Fatalf("%s must be refused", name)
		}
	}
	v := reflect.ValueOf(new(quarry.World))
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		text := panicText(func() {
			in := make([]reflect.Value, 0, m.Type.NumIn()-1)
			for k := 1; k < m.Type.NumIn(); k++ {
				in = append(in, reflect.Zero(m.Type.In(k)))
			}
			v.Method(i).Call(in)
		})
		switch {
		case empty[m.Name] && text != "":
			t.Errorf("%s panicked with %q", m.Name, text)
		case !empty[m.Name] && (!strings.HasPrefix(text, "quarry: ") || !strings.Contains(text, "NewWorld")):
			t.Errorf("%s: %q, want a panic that names NewWorld", m.Name, text)
		}
	}
	if text := panicText(func() { (*quarry.World)(nil).Step(worldtest.DT) }); !strings.Contains(text, "NewWorld") {
		t.Errorf("a nil World: %q", text)
	}
}

// TestUnknownMaterials: a call with a material id that is not in the world's table refuses
// it. The id was taken for the default material without an error.
func TestUnknownMaterials(t *testing.T) {
	w := worldtest.New()
	stone := w.AddMaterial(quarry.Material{Friction: 1})
	b := worldtest.Add(w, geom.V(0, 5), geom.NewBox(0.5, 0.5))
	points := []geom.Vec{geom.V(5, 0), geom.V(0, 0), geom.V(-5, 0)}
	unknown := stone + 1
	hash, stats := w.Hash(), w.Stats()
	said := func(name, text, field string) {
		t.Helper()
		if !strings.HasPrefix(text, "quarry: ") || !strings.Contains(text, field+" 2 ") ||
			!strings.Contains(text, "0 to 1") {
			t.Errorf("%s: %q, want the field %s, the id and the table's", name, text, field)
		}
	}
	said("AddShape", panicText(func() { w.AddShape(b.ID(), geom.NewBox(1, 1), quarry.ShapeDef{Material: unknown}) }),
		"ShapeDef.Material")
	for s := range b.Shapes() {
		said("SetMaterial", panicText(func() { s.SetMaterial(unknown) }), "m")
	}
	for field, refused := range map[string]func() error{
		"GroundDef.Materials[1]": func() error {
			_, err := w.AddGround(0, quarry.GroundDef{Materials: []quarry.MaterialID{stone, unknown}})
			return err
		},
		"ChainDef.Material": func() error {
			_, err := w.AddChain(0, quarry.ChainDef{Points: points, Material: unknown})
			return err
		},
		"ChainDef.Materials[1]": func() error {
			_, err := w.AddChain(0, quarry.ChainDef{Points: points, Materials: []quarry.MaterialID{0, unknown}})
			return err
		},
	} {
		if err := refused(); err == nil {
			t.Errorf("%s was taken", field)
		} else {
			said(field, err.Error(), field)
		}
	}
	if w.SetMaterial(unknown, quarry.Material{}) {
		t.Error("a material that is not there was set")
	}
	if w.Hash() != hash || w.Stats() != stats {
		t.Error("a refused id changed the world")
	}
	// The next material gets that id, and the calls accept it.
	if w.AddMaterial(quarry.Material{}) != unknown || w.AddShape(b.ID(), geom.NewBox(1, 1),
		quarry.ShapeDef{Material: unknown}) == 0 {
		t.Error("a known material was refused")
	}
}

// TestRefusedJointChangesNothing: AddJoint of a body that does not exist leaves the world as it was. With A 0 it once
// added the world's own body.
func TestRefusedJointChangesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	before := w.Hash()
	if id := w.AddJoint(quarry.RevoluteJoint{JointBase: quarry.JointBase{B: 99}}); id != 0 || w.Hash() != before ||
		w.Stats().Bodies != 0 {
		t.Errorf("joint %d, %d bodies", id, w.Stats().Bodies)
	}
}

// TestViewOfNothing: a view of a thing that was removed, or that never was, names it when it is used.
func TestViewOfNothing(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	w.RemoveBody(b.ID())
	none, _ := w.Body(7)
	shape, _ := w.Shape(7)
	ground, _ := w.Ground(7)
	chain, _ := w.Chain(7)
	joint, _ := w.Joint(7)
	for want, use := range map[string]func(){
		"no body": func() { b.Type() }, "no body of the id 7:": func() {
			none.Type()
		}, "no shape of the id 7:": func() { shape.Def() },
		"no ground of the id 7:": func() { ground.Def() }, "no chain of the id 7:": func() {
			chain.Def()
		}, "no joint of the id 7:": func() { joint.Def() },
	} {
		if got := panicText(use); !strings.HasPrefix(got, "quarry: there is "+want) {
			t.Errorf("%q, want one of %q", got, want)
		}
	}
}

// TestNilArguments: a nil argument panics with a text that names call and argument, and changes nothing. Some met a nil
// pointer within the call.
func TestNilArguments(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	hash, version := w.Hash(), g.Version()
	for want, f := range map[string]func(){
		"AddShape: g is nil":            func() { w.AddShape(b.ID(), nil, quarry.ShapeDef{}) },
		"AddJoint: d is nil":            func() { w.AddJoint(nil) },
		"Capture: s is nil":             func() { w.Capture(nil) },
		"Rewind: the Snapshot is nil, ": func() { w.Rewind(nil) },
		"Draw: l is nil":                func() { w.Draw(nil, quarry.DrawOptions{}) },
		"Record: out is nil":            func() { w.Record(nil, 1) },
		"Replay: in is nil":             func() { _ = w.Replay(nil) },
		"Place: s is nil":               func() { _ = g.Place(0, 0, nil) },
	} {
		if text := panicText(f); !strings.HasPrefix(text, "quarry: "+want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
	if w.Hash() != hash || g.Version() != version {
		t.Error("a refused call changed the world")
	}
}

// TestCraterNamesArea: the error of an area that no crater has names the call and the area, not only the radius of
// the brush, which is NaN for a negative area.
func TestCraterNamesArea(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	for want, area := range map[string]float64{
		"area -1: ": -1, "area 0: ": 0, "area NaN: ": math.NaN(),
		"area 1e+30: ": 1e30,
	} {
		if err := g.Crater(quarry.HitEvent{}, area); err == nil || !strings.HasPrefix(err.Error(),
			"quarry: Crater: "+want) || g.Version() != 2 {
			t.Errorf("area %v: %v, version %d", area, err, g.Version())
		}
	}
}

// TestGridOfOneGround: a Grid belongs to one ground. Two shared one: an edit of either changed both, and woke bodies on
// one.
func TestGridOfOneGround(t *testing.T) {
	w := worldtest.New()
	grid := gridseg.New(nil)
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		t.Fatal(err)
	}
	hash := w.Hash()
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err == nil || !strings.Contains(err.Error(),
		"AddGround: GroundDef.Grid is that of ground ") || w.Hash() != hash {
		t.Error(err)
	}
	for range 2 {
		if _, err := w.AddGround(0, quarry.GroundDef{}); err != nil {
			t.Error("without a Grid:", err)
		}
	}
}

// TestJointWithoutB: a joint whose B was forgotten is refused. AddJoint returned 0, as for a body that was removed.
func TestJointWithoutB(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	hash := w.Hash()
	for _, d := range []quarry.JointDef{
		quarry.RevoluteJoint{}, quarry.WeldJoint{JointBase: quarry.JointBase{A: b.ID()}}, quarry.FilterJoint{
			JointBase: quarry.JointBase{A: b.ID()},
		},
	} {
		if text := panicText(func() { w.AddJoint(d) }); !strings.HasPrefix(text, "quarry: AddJoint: B is 0") {
			t.Errorf("%T: %q", d, text)
		}
	}
	if w.Hash() != hash {
		t.Error("a refused joint changed the world")
	}
}

// TestShapeOfNoBody: a shape whose body was forgotten is refused. Unlike AddGround and AddChain, AddShape takes no 0
// for the world's own body: it returned 0, and bodies fell through the floor that was not there.
func TestShapeOfNoBody(t *testing.T) {
	w := worldtest.New()
	hash := w.Hash()
	text := panicText(func() { w.AddShape(0, geom.NewBox(9, 1), quarry.ShapeDef{}) })
	if !strings.HasPrefix(text, "quarry: AddShape: id is 0") || w.Hash() != hash {
		t.Errorf("%q", text)
	}
	if w.AddShape(99, geom.NewBox(9, 1), quarry.ShapeDef{}) != 0 {
		t.Error("a shape of a body that does not exist")
	}
}

// TestShapesByValue: a pointer to a shape has the methods of a geom.Shape, and every call that takes one refuses it.
// Queries found nothing, so a character with a pointer walked through walls.
func TestShapesByValue(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	box := geom.NewBox(0.5, 0.5)
	type named struct{ geom.Circle }
	hash := w.Hash()
	for _, g := range []geom.Shape{
		&geom.Circle{Radius: 1}, &geom.Capsule{B: geom.V(0, 1), Radius: 1}, &geom.Segment{B: geom.V(0, 1)}, &box,
		named{geom.Circle{Radius: 1}},
	} {
		for call, f := range map[string]func(){
			"AddShape":    func() { w.AddShape(b.ID(), g, quarry.ShapeDef{}) },
			"SetGeometry": func() { shapeOf(b).SetGeometry(g) },
			"ShapeCast":   func() { w.ShapeCast(g, geom.At(geom.V(0, 5)), geom.V(0, -9), quarry.QueryFilter{}) },
			"AppendShapeHits": func() {
				w.AppendShapeHits(nil, g, geom.At(geom.V(0, 5)), geom.V(0, -9), quarry.QueryFilter{})
			},
			"Overlaps":       func() { w.Overlaps(g, geom.At(geom.V(0, 0)), quarry.QueryFilter{}) },
			"AppendOverlaps": func() { w.AppendOverlaps(nil, g, geom.At(geom.V(0, 0)), quarry.QueryFilter{}) },
			"AppendPlanes":   func() { w.AppendPlanes(nil, g, geom.At(geom.V(0, 0)), 1, quarry.QueryFilter{}) },
			"Move": func() {
				(&mover.Character{Mover: mover.Mover{Shape: g}}).Move(w, geom.V(0, -10), 1.0/60)
			},
		} {
			if text := panicText(f); !strings.HasPrefix(text, "quarry: ") || !strings.Contains(text, "by value") {
				t.Errorf("%s with a %T: %q", call, g, text)
			}
		}
	}
	if w.Hash() != hash {
		t.Error("a refused shape changed the world")
	}
}

// shapeOf returns the first shape of a body.
func shapeOf(b quarry.Body) quarry.Shape {
	for s := range b.Shapes() {
		return s
	}
	panic("the body has no shape")
}

// TestChangeDuringStepNamesCall: a call that would change the world during Step, here from a filter function, panics
// with its name, also if it makes another call, as Dig does. The text was the same for all calls.
func TestChangeDuringStepNamesCall(t *testing.T) {
	for want, call := range map[string]func(w *quarry.World, b quarry.Body, g quarry.Ground){
		"World.AddBody":    func(w *quarry.World, _ quarry.Body, _ quarry.Ground) { w.AddBody(quarry.BodyDef{}) },
		"World.SetGravity": func(w *quarry.World, _ quarry.Body, _ quarry.Ground) { w.SetGravity(geom.V(0, 1)) },
		"World.Step":       func(w *quarry.World, _ quarry.Body, _ quarry.Ground) { w.Step(1.0 / 60) },
		"Body.SetVelocity": func(_ *quarry.World, b quarry.Body, _ quarry.Ground) { b.SetVelocity(geom.V(0, 1)) },
		"Body.ApplyImpulse": func(_ *quarry.World, b quarry.Body, _ quarry.Ground) {
			b.ApplyImpulse(geom.V(0, 1), geom.V(0, 0))
		},
		"Shape.SetSensor": func(_ *quarry.World, b quarry.Body, _ quarry.Ground) { shapeOf(b).SetSensor(true) },
		"Ground.Clear":    func(_ *quarry.World, _ quarry.Body, g quarry.Ground) { _ = g.Clear(0, -1) },
		"Ground.Dig": func(_ *quarry.World, b quarry.Body, g quarry.Ground) {
			_ = g.Dig(geom.V(0, 0), geom.V(0, 0), 1)
		},
		"Ground.Build": func(_ *quarry.World, b quarry.Body, g quarry.Ground) {
			_ = g.Build(geom.V(0, 0), geom.V(0, 0), 1, gridseg.Attr{})
		},
		"Ground.Crater": func(_ *quarry.World, b quarry.Body, g quarry.Ground) {
			_ = g.Crater(quarry.HitEvent{Impulse: 9, Normal: geom.V(0, 1)}, 1)
		},
		"World.Explode": func(w *quarry.World, _ quarry.Body, _ quarry.Ground) {
			w.Explode(quarry.ExplosionDef{Radius: 3, ImpulsePerLength: 1})
		},
		"World.SetPreSolve":  func(w *quarry.World, _ quarry.Body, _ quarry.Ground) { w.SetPreSolve(nil) },
		"World.RemoveGround": func(w *quarry.World, _ quarry.Body, g quarry.Ground) { w.RemoveGround(g.ID()) },
	} {
		w := worldtest.New()
		g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5)}, geom.NewBox(0.5, 0.5),
			quarry.ShapeDef{Flags: quarry.AskFilter})
		w.SetCustomFilter(func(quarry.Side, quarry.Side) bool { call(w, b, g); return true })
		text := panicText(func() {
			w.Step(1.0 / 60)
			w.Step(1.0 / 60)
		})
		if !strings.HasPrefix(text, "quarry: "+want+" was called during Step") {
			t.Errorf("%s: %q", want, text)
		}
	}
}
