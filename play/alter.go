package play

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Properties are the kinds of the command "alter". The Value of "size" is a factor, of "material" an index of Palette,
// of "type" 0 (static), 1 (kinematic) or 2 (dynamic), of "bullet" 0 or 1; "angle" is in radians, "vx", "vy" and "spin"
// a second, and "gravity" is a multiple of the world's.
var Properties = []string{
	"mass", "angle", "size", "vx", "vy", "spin", "gravity", "material", "type", "bullet",
}

const (
	minMass  = 1e-3
	maxSpin  = 100.0  // radians a second
	maxSpeed = 200.0  // cells a second
	minScale = 0.05   // cells: the side of the box of a body whose size was changed
	maxScale = 50.0   // cells
	maxHeavy = 1000.0 // gravity, as a multiple of the world's
)

// body returns a body that a player may change: not one that carries the scene's ground or chains.
func (w *World) body(do string, id quarry.BodyID) (quarry.Body, error) {
	b, ok := w.in.World.Body(id)
	if !ok {
		return b, fmt.Errorf("%s: there is no body %d", do, id)
	}
	if b.Type() == quarry.Dynamic {
		return b, nil
	}
	for range b.Grounds() {
		return b, fmt.Errorf("%s: this body carries the ground", do)
	}
	for range b.Chains() {
		return b, fmt.Errorf("%s: this body carries chains", do)
	}
	return b, nil
}

// alter changes a property of a body.
func (w *World) alter(_ *player, m Command) error {
	b, err := w.body(m.Do, m.Body)
	if err != nil {
		return err
	}
	return w.altering(b, func() error { return w.alterBody(b, m) })
}

func (w *World) alterBody(b quarry.Body, m Command) error {
	v := m.Value
	refuse := func(low, high float64) error {
		return fmt.Errorf("alter: the %s %v is out of range: it must be %v to %v", m.Kind, v, low, high)
	}
	switch m.Kind {
	case "mass":
		return setMass(b, v)
	case "angle":
		if !within(v, maxAngle) {
			return refuse(-maxAngle, maxAngle)
		}
		b.SetTransform(b.Position(), v)
	case "size":
		return w.scale(b, v)
	case "vx", "vy":
		if !within(v, maxSpeed) {
			return refuse(-maxSpeed, maxSpeed)
		}
		to := b.Velocity()
		if m.Kind == "vx" {
			to.X = v
		} else {
			to.Y = v
		}
		b.SetVelocity(to)
	case "spin":
		if !within(v, maxSpin) {
			return refuse(-maxSpin, maxSpin)
		}
		b.SetAngularVelocity(v)
	case "gravity":
		if !within(v, maxHeavy) {
			return refuse(-maxHeavy, maxHeavy)
		}
		b.SetGravityScale(v)
	case "material":
		return w.setMaterial(b, v)
	case "type":
		if v != 0 && v != 1 && v != 2 {
			return refuse(0, 2)
		}
		b.SetType(quarry.BodyType(v))
	case "bullet":
		b.SetBullet(v != 0)
	}
	b.Wake()
	return nil
}

// setMass sets the mass of a body, and its moment of inertia in proportion.
func setMass(b quarry.Body, v float64) error {
	had := b.Mass()
	if b.Type() != quarry.Dynamic || had <= 0 {
		return errors.New("alter: only a dynamic body has a mass")
	}
	if !(v >= minMass) {
		return fmt.Errorf("alter: the mass %v is out of range: it must be %v to %.0f", v, minMass, MaxValue)
	}
	b.SetMass(geom.Mass{Mass: v, Center: b.LocalPoint(b.CenterOfMass()), Inertia: b.Inertia() * (v / had)})
	return nil
}

// setMaterial gives the shapes of a body a material of the palette.
func (w *World) setMaterial(b quarry.Body, index float64) error {
	for i, m := range w.palette.list {
		if float64(m.Index) == index {
			for s := range b.Shapes() {
				s.SetMaterial(w.palette.known[i].id)
			}
			return nil
		}
	}
	return fmt.Errorf("alter: there is no material %v", index)
}

// scale makes a body without tiles larger or smaller.
func (w *World) scale(b quarry.Body, factor float64) error {
	for range b.Grounds() {
		return errors.New("alter: tiles have one size; build some more")
	}
	for range b.Chains() {
		return errors.New("alter: a body with chains keeps its size")
	}
	d := b.Bounds().Size()
	if now := max(d.X, d.Y) * factor; !(now >= minScale && now <= maxScale) {
		return fmt.Errorf("alter: the body would be %.3g cells large; the limits are %v and %v", now, minScale,
			maxScale)
	}
	if err := mayScale(b, factor); err != nil {
		return fmt.Errorf("alter: %w", err)
	}
	for s := range b.Shapes() {
		s.SetGeometry(scaled(s.Geometry(), factor))
	}
	w.redraw(b.ID())
	b.Wake()
	return nil
}

// maxRedrawn is the number of bodies after which those that are gone are forgotten.
const maxRedrawn = 4096

// redraw notes that a shape of a body has changed.
func (w *World) redraw(id quarry.BodyID) {
	if w.redrawn == nil {
		w.redrawn = map[quarry.BodyID]uint64{}
	}
	if w.redrawn[id]++; len(w.redrawn) > maxRedrawn {
		for old := range w.redrawn {
			if _, ok := w.in.World.Body(old); !ok {
				delete(w.redrawn, old)
			}
		}
	}
}

// Redrawn returns a number that grows with each command that changes the form of a shape of a body.
func (w *World) Redrawn(id quarry.BodyID) uint64 { return w.redrawn[id] }

// mayScale returns an error if a shape of b would not be valid at another size, such as a capsule with ends too close.
func mayScale(b quarry.Body, factor float64) error {
	for s := range b.Shapes() {
		if err := scaled(s.Geometry(), factor).Valid(); err != nil {
			return err
		}
	}
	return nil
}

// scaled returns a shape that is f times as large, about the origin of its body.
func scaled(g geom.Shape, f float64) geom.Shape {
	switch g := g.(type) {
	case geom.Circle:
		return geom.Circle{Center: g.Center.Mul(f), Radius: g.Radius * f}
	case geom.Capsule:
		return geom.Capsule{A: g.A.Mul(f), B: g.B.Mul(f), Radius: g.Radius * f}
	case geom.Segment:
		return geom.Segment{A: g.A.Mul(f), B: g.B.Mul(f)}
	case geom.Polygon:
		for k := range g.N {
			g.Vertices[k] = g.Vertices[k].Mul(f)
		}
		g.Radius *= f
		return g
	}
	return g
}

// label names a body.
func (w *World) label(_ *player, m Command) error {
	b, ok := w.in.World.Body(m.Body)
	if !ok {
		return fmt.Errorf("label: there is no body %d", m.Body)
	}
	return w.altering(b, func() error {
		b.SetName(m.Text)
		return nil
	})
}

// deleteBody removes a body, or all that joints link to it.
func (w *World) deleteBody(_ *player, m Command) error {
	b, err := w.body(m.Do, m.Body)
	if err != nil {
		return err
	}
	doomed := []quarry.Body{b}
	if m.All {
		doomed = w.linked(b)
	}
	for _, b := range doomed {
		if k, err := w.keepBody(b); err == nil { // else it cannot be undone
			w.history.touched(thing{kept: k})
		}
		w.in.World.RemoveBody(b.ID())
		w.bodies--
	}
	return nil
}
