package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// setting is a property of a body or a joint before and after an edit. A flip leaves all settings of a thing alone if
// one has changed since, by another player or as the body moved on.
type setting struct {
	Kind string          `json:"kind"`
	Was  json.RawMessage `json:"was"`
	Is   json.RawMessage `json:"is"`
}

// property is a property of a body that commands change.
type property struct {
	kind string
	get  func(quarry.Body) any
	set  func(quarry.Body, json.RawMessage) error
}

// properties are in the order in which they are set: each changes those after it.
var properties = []property{
	{"name", func(b quarry.Body) any { return b.Name() }, set(quarry.Body.SetName)},
	{"type", func(b quarry.Body) any { return b.Type() }, set(quarry.Body.SetType)},
	{"shapes", func(b quarry.Body) any { return keepShapes(b) }, set(setShapes)},
	{"mass", ownMass, set(setOwnMass)},
	{"bullet", func(b quarry.Body) any { return b.Def().Bullet }, set(quarry.Body.SetBullet)},
	{"gravity", func(b quarry.Body) any { return b.Def().GravityScale }, set(quarry.Body.SetGravityScale)},
	{
		"angle", func(b quarry.Body) any { return b.Angle() },
		set(func(b quarry.Body, angle float64) { b.SetTransform(b.Position(), angle) }),
	},
	{"motion", func(b quarry.Body) any { return motionOf(b) }, set(setMotion)},
}

// set returns the function that sets a property of a body to a value that is given as JSON.
func set[T any](f func(quarry.Body, T)) func(quarry.Body, json.RawMessage) error {
	return func(b quarry.Body, text json.RawMessage) error {
		var v T
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		f(b, v)
		return nil
	}
}

// motionOf returns the velocity of the origin of a body, which stays as tiles are added or removed, and its spin.
func motionOf(b quarry.Body) [3]float64 {
	v := b.VelocityAt(b.Position())
	return [3]float64{v.X, v.Y, b.AngularVelocity()}
}

func setMotion(b quarry.Body, m [3]float64) {
	r := b.CenterOfMass().Sub(b.Position())
	b.SetVelocity(geom.V(m[0]-float64(m[2]*r.Y), m[1]+float64(m[2]*r.X)))
	b.SetAngularVelocity(m[2])
}

// same reports whether two values of a property are equal; motions may differ by rounding.
func same(kind string, a, b json.RawMessage) bool {
	var p, q [3]float64
	if kind != "motion" || json.Unmarshal(a, &p) != nil || json.Unmarshal(b, &q) != nil {
		return bytes.Equal(a, b)
	}
	for k := range p {
		if math.Abs(p[k]-q[k]) > 1e-9*(1+math.Abs(p[k])) {
			return false
		}
	}
	return true
}

// ownMass returns the mass that a command gave the body; nil if its mass comes from its shapes and tiles.
func ownMass(b quarry.Body) any {
	if m, ok := b.MassData(); ok {
		return &m
	}
	return nil
}

func setOwnMass(b quarry.Body, m *geom.Mass) {
	if m == nil {
		b.ResetMass()
	} else {
		b.SetMass(*m)
	}
}

// setShapes gives the shapes of a body the geometry and the material of others.
func setShapes(b quarry.Body, list []keptShape) {
	k := len(list)
	for s := range b.Shapes() { // the shape added last is yielded first
		if k--; k < 0 {
			return
		}
		if g := list[k].geometry(); g != nil && !reflect.DeepEqual(g, s.Geometry()) {
			s.SetGeometry(g)
		}
		s.SetMaterial(list[k].Def.Material)
	}
}

// settingsOf returns the value of each of the properties.
func settingsOf(b quarry.Body) (list []json.RawMessage) {
	for _, p := range properties {
		text, _ := json.Marshal(p.get(b)) // numbers of a world are finite
		list = append(list, text)
	}
	return list
}

// altering calls do, and notes the properties of b that it has changed.
func (w *World) altering(b quarry.Body, do func() error) error {
	was := settingsOf(b)
	err := do()
	t := thing{body: b.ID()}
	for k, is := range settingsOf(b) {
		if !same(properties[k].kind, was[k], is) {
			t.settings = append(t.settings, setting{properties[k].kind, was[k], is})
		}
	}
	if len(t.settings) > 0 {
		w.history.touched(t)
	}
	return err
}

// jointText returns the definition of a joint without its bodies.
func jointText(j quarry.Joint) json.RawMessage {
	d := j.Def()
	v := reflect.New(reflect.TypeOf(d)).Elem()
	v.Set(reflect.ValueOf(d))
	base, _ := v.FieldByName("JointBase").Addr().Interface().(*quarry.JointBase)
	base.A, base.B = 0, 0
	text, _ := json.Marshal(v.Interface())
	return text
}

// flipSettings gives the settings of a thing their other values, if all have the expected ones.
func (w *World) flipSettings(t *thing) (err error) {
	defer func() {
		if p := recover(); p != nil { // a material that is gone, or made-up data: a call that panics changes nothing
			err = fmt.Errorf("a property cannot be set: %s", PanicText(p))
		}
	}()
	if j, ok := w.in.World.Joint(t.joint); ok {
		return t.flipJoint(j)
	}
	b, ok := w.in.World.Body(t.body)
	if !ok {
		return nil
	}
	for k, now := range settingsOf(b) {
		if s := t.setting(properties[k].kind); s != nil && !same(s.Kind, s.expected(t.undone), now) {
			return nil
		}
	}
	for _, p := range properties {
		if s := t.setting(p.kind); s != nil {
			if err := p.set(b, s.expected(!t.undone)); err != nil {
				return err
			}
		}
	}
	t.undone = !t.undone
	for k, now := range settingsOf(b) { // an angle is rounded
		if s := t.setting(properties[k].kind); s != nil {
			s.put(t.undone, now)
		}
	}
	w.redraw(t.body)
	return nil
}

// flipJoint is flipSettings for a joint.
func (t *thing) flipJoint(j quarry.Joint) error {
	s := t.setting("joint")
	if s == nil || !bytes.Equal(s.expected(t.undone), jointText(j)) {
		return nil
	}
	k := keptJoint{Kind: reflect.TypeOf(j.Def()).Name(), Def: s.expected(!t.undone)}
	d, err := k.def()
	if err != nil {
		return err
	}
	j.SetDef(d)
	t.undone = !t.undone
	s.put(t.undone, jointText(j))
	return nil
}

// setting returns the setting of a kind, or nil.
func (t *thing) setting(kind string) *setting {
	for k := range t.settings {
		if t.settings[k].Kind == kind {
			return &t.settings[k]
		}
	}
	return nil
}

// expected returns the value that the property has while the edit is undone, or done.
func (s *setting) expected(undone bool) json.RawMessage {
	if undone {
		return s.Was
	}
	return s.Is
}

func (s *setting) put(undone bool, v json.RawMessage) {
	if undone {
		s.Was = v
	} else {
		s.Is = v
	}
}
