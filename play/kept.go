package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// kept is a body or a joint that an edit has taken out of the world, with all that is needed to put it back. Its ids
// are those that it had.
type kept struct {
	Body    quarry.BodyID     `json:"body,omitempty"` // 0: a joint alone
	Def     quarry.BodyDef    `json:"def,omitzero"`
	Mass    *geom.Mass        `json:"mass,omitempty"` // that a command gave it
	Box     geom.AABB         `json:"box,omitzero"`
	Then    geom.Transform    `json:"then,omitzero"` // of thing.beside
	Shapes  []keptShape       `json:"shapes,omitempty"`
	Grounds []keptGround      `json:"grounds,omitempty"`
	Chains  []quarry.ChainDef `json:"chains,omitempty"`
	Joints  []keptJoint       `json:"joints,omitempty"` // the body's, or the joint alone
}

type keptShape struct {
	Circle  *geom.Circle    `json:"circle,omitempty"`
	Capsule *geom.Capsule   `json:"capsule,omitempty"`
	Segment *geom.Segment   `json:"segment,omitempty"`
	Polygon *geom.Polygon   `json:"polygon,omitempty"`
	Def     quarry.ShapeDef `json:"def"`
}

type keptGround struct {
	ID     quarry.GroundID  `json:"id"`
	Def    quarry.GroundDef `json:"def"`
	Shapes []byte           `json:"shapes"` // the registry
	Tiles  []byte           `json:"tiles"`
	Count  int              `json:"count"` // of tiles
}

type keptJoint struct {
	ID   quarry.JointID  `json:"id"`
	Kind string          `json:"kind"`
	A    quarry.BodyID   `json:"a"` // 0: the world's body
	B    quarry.BodyID   `json:"b"`
	Def  json.RawMessage `json:"def"`
}

// keepBody returns a body, and its joints other than drags.
func (w *World) keepBody(b quarry.Body) (*kept, error) {
	k := &kept{Body: b.ID(), Def: b.Def(), Box: b.Bounds(), Shapes: keepShapes(b)}
	if m, ok := b.MassData(); ok {
		k.Mass = &m
	}
	for g := range b.Grounds() {
		d := g.Def()
		d.Grid = nil
		tiles, _ := g.Grid().Count()
		k.Grounds = append(k.Grounds, keptGround{
			ID: g.ID(), Def: d, Shapes: g.Grid().Shapes().AppendBinary(nil), Tiles: g.Grid().AppendBinary(nil),
			Count: tiles,
		})
	}
	for c := range b.Chains() {
		k.Chains = append(k.Chains, c.Def())
	}
	for j := range b.Joints() {
		if _, drag := j.Def().(quarry.MouseJoint); !drag {
			kj, err := w.keepJoint(j)
			if err != nil {
				return nil, err
			}
			k.Joints = append(k.Joints, kj)
		}
	}
	return k, nil
}

// keepShapes returns the shapes of a body, the first one first.
func keepShapes(b quarry.Body) (list []keptShape) {
	for s := range b.Shapes() {
		g := keptShape{Def: s.Def()}
		switch f := s.Geometry().(type) {
		case geom.Circle:
			g.Circle = &f
		case geom.Capsule:
			g.Capsule = &f
		case geom.Segment:
			g.Segment = &f
		case geom.Polygon:
			g.Polygon = &f
		}
		list = append(list, g)
	}
	slices.Reverse(list) // the shape added last is yielded first
	return list
}

func (w *World) keepJoint(j quarry.Joint) (keptJoint, error) {
	d := j.Def()
	text, err := json.Marshal(d)
	if err != nil {
		return keptJoint{}, fmt.Errorf("a joint cannot be kept: %w", err)
	}
	a, b := j.Bodies()
	k := keptJoint{ID: j.ID(), Kind: reflect.TypeOf(d).Name(), A: a.ID(), B: b.ID(), Def: text}
	if a.Type() == quarry.Static && w.ownBody(a.ID()) {
		k.A = 0
	}
	return k, nil
}

// ownBody reports whether id is the world's static body.
func (w *World) ownBody(id quarry.BodyID) bool {
	b, ok := w.in.World.Body(id)
	return ok && b.Type() == quarry.Static && b.Transform() == (geom.Transform{Q: geom.Rot{C: 1}})
}

// putBack adds a kept body or joint to the world, and tells renamed its old and new ids. Joints whose other body is
// gone are left out; a joint alone is then an error.
func (w *World) putBack(k *kept, renamed *renames) (err error) {
	q := w.in.World
	id := quarry.BodyID(0)
	defer func() {
		if p := recover(); p != nil { // a material that is gone, or made-up data
			err = fmt.Errorf("it cannot be put back: %s", PanicText(p))
		}
		if err != nil {
			q.RemoveBody(id)
		}
	}()
	if k.Body == 0 {
		for i := range k.Joints {
			if !w.putJoint(&k.Joints[i], renamed) {
				return errors.New("a body of the joint is gone")
			}
		}
		return nil
	}
	grids := make([]*gridseg.Grid, len(k.Grounds))
	for i, g := range k.Grounds {
		shapes, err := gridseg.ReadShapes(g.Shapes)
		if err != nil {
			return fmt.Errorf("a kept body: %w", err)
		}
		if grids[i], err = gridseg.ReadGrid(g.Tiles, shapes); err != nil {
			return fmt.Errorf("a kept body: %w", err)
		}
	}
	id = q.AddBody(k.Def)
	renamed.body(k.Body, id)
	for i := range k.Shapes {
		if g := k.Shapes[i].geometry(); g != nil {
			q.AddShape(id, g, k.Shapes[i].Def)
		}
	}
	for i, g := range k.Grounds {
		d := g.Def
		d.Grid = grids[i]
		at, err := q.AddGround(id, d)
		if err != nil {
			return fmt.Errorf("a kept body: %w", err)
		}
		renamed.grounds[g.ID] = at
	}
	for _, c := range k.Chains {
		if _, err := q.AddChain(id, c); err != nil {
			return fmt.Errorf("a kept body: %w", err)
		}
	}
	b, _ := q.Body(id)
	if k.Mass != nil {
		b.SetMass(*k.Mass)
	}
	if b.Velocity() != k.Def.Velocity { // the velocity is of the centre, which has moved
		b.SetVelocity(k.Def.Velocity)
	}
	for i := range k.Joints {
		j := k.Joints[i]
		j.A, j.B = renamed.of(j.A), renamed.of(j.B)
		w.putJoint(&j, renamed)
	}
	return nil
}

// putJoint adds a kept joint, or returns false if a body of it is gone.
func (w *World) putJoint(k *keptJoint, renamed *renames) bool {
	q := w.in.World
	if _, ok := q.Body(k.B); !ok {
		return false
	}
	if _, ok := q.Body(k.A); !ok && k.A != 0 {
		return false
	}
	d, err := k.def()
	if err != nil {
		return false
	}
	renamed.joints[k.ID] = q.AddJoint(d)
	return true
}

// geometry returns the shape, or nil if there is none.
func (s *keptShape) geometry() geom.Shape {
	switch {
	case s.Circle != nil:
		return *s.Circle
	case s.Capsule != nil:
		return *s.Capsule
	case s.Segment != nil:
		return *s.Segment
	case s.Polygon != nil:
		return *s.Polygon
	}
	return nil
}

// keptKinds are the kinds of joint that can be kept, by the name of their type.
var keptKinds = func() map[string]reflect.Type {
	kinds := map[string]reflect.Type{}
	for _, d := range [...]quarry.JointDef{
		quarry.RevoluteJoint{},
		quarry.PrismaticJoint{},
		quarry.DistanceJoint{},
		quarry.WeldJoint{},
		quarry.WheelJoint{},
		quarry.MotorJoint{},
		quarry.FilterJoint{},
		quarry.GearJoint{},
		quarry.RatchetJoint{},
	} {
		kinds[reflect.TypeOf(d).Name()] = reflect.TypeOf(d)
	}
	return kinds
}()

// def returns the definition of the joint, between the bodies A and B.
func (k *keptJoint) def() (quarry.JointDef, error) {
	kind := keptKinds[k.Kind]
	if kind == nil {
		return nil, fmt.Errorf("unknown kind of joint %.20q", k.Kind)
	}
	v := reflect.New(kind)
	if err := json.Unmarshal(k.Def, v.Interface()); err != nil {
		return nil, err
	}
	base, _ := v.Elem().FieldByName("JointBase").Addr().Interface().(*quarry.JointBase)
	base.A, base.B = k.A, k.B
	d, _ := v.Elem().Interface().(quarry.JointDef)
	return d, nil
}

// cost estimates the memory of k in bytes.
func (k *kept) cost() int {
	n := 500 + 400*len(k.Shapes)
	for _, g := range k.Grounds {
		n += len(g.Shapes) + len(g.Tiles)
	}
	for _, c := range k.Chains {
		n += 16 * len(c.Points)
	}
	for _, j := range k.Joints {
		n += 100 + len(j.Def)
	}
	return n
}

// renames are the new ids of bodies, grounds and joints that were put back.
type renames struct {
	from, to quarry.BodyID
	grounds  map[quarry.GroundID]quarry.GroundID
	joints   map[quarry.JointID]quarry.JointID
}

func newRenames() *renames {
	return &renames{grounds: map[quarry.GroundID]quarry.GroundID{}, joints: map[quarry.JointID]quarry.JointID{}}
}

func (r *renames) body(from, to quarry.BodyID) { r.from, r.to = from, to }

// of returns the present id of a body.
func (r *renames) of(id quarry.BodyID) quarry.BodyID {
	if id != 0 && id == r.from {
		return r.to
	}
	return id
}

// ground returns the present id of a ground.
func (r *renames) ground(id quarry.GroundID) quarry.GroundID {
	if now, ok := r.grounds[id]; ok {
		return now
	}
	return id
}

// joint returns the present id of a joint.
func (r *renames) joint(id quarry.JointID) quarry.JointID {
	if now, ok := r.joints[id]; ok {
		return now
	}
	return id
}
