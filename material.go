package quarry

import (
	"fmt"
	"math"
)

// MaterialID is an index in the world's material table; 0 is the default material.
type MaterialID uint16

// Material holds the surface properties of shapes, tiles and chains. Its zero value is
// frictionless: set Friction (the default material, id 0, has 0.6). At each contact point
// the properties of the two surfaces are mixed: friction is the geometric mean and
// restitution the larger value, unless one material names another rule (see Mix); rolling
// resistance is the larger value; surface speeds add.
type Material struct {
	// Friction is the Coulomb coefficient, 0 (ice) to 1e6; 0.6 is common.
	Friction float64
	// Restitution is the fraction of the approach speed that a bounce returns, in [0, 1].
	Restitution float64
	// RollingResistance slows rolling shapes: the torque against rolling is at most this
	// fraction of the larger radius of the two shapes' rounding, times the normal force. 0
	// to 1e6; 0.02 is a ball on grass. Shapes without rounding do not roll.
	RollingResistance float64
	// TangentSpeed is the speed of the surface along itself, as of a conveyor belt, in units
	// of length a second, -MaxSpeed to MaxSpeed. Positive values run clockwise around the
	// solid: towards +x on a floor, down on a face whose normal is +x, towards -x on a
	// ceiling; likewise up or down a slope, and around corners along the contact's tangent.
	// Friction transmits it: without friction a belt moves nothing.
	TangentSpeed float64
	// FrictionMix and RestitutionMix choose the rules of mixing with another surface; zero
	// values are the rules above.
	FrictionMix, RestitutionMix Mix
	// OneWay lets bodies pass tiles of this material in one direction. Shapes and chains
	// ignore it.
	OneWay OneWay
	// Color is 0xRRGGBB for drawing; 0 leaves the choice to the renderer.
	Color uint32
	// User is for the game.
	User uint64
}

// Mix is a rule that combines the values of two surfaces. If the surfaces name different
// rules, the later one in this list applies.
type Mix uint8

const (
	// MixDefault is the geometric mean of frictions and the larger restitution.
	MixDefault Mix = iota
	// MixAverage is the arithmetic mean.
	MixAverage
	// MixMin is the smaller value: ice is slippery under anything.
	MixMin
	// MixMultiply is the product.
	MixMultiply
	// MixMax is the larger value: glue holds anything.
	MixMax
)

// of mixes a and b; usual is the result of MixDefault.
func (m Mix) of(a, b, usual float64) float64 {
	switch m {
	case MixAverage:
		return 0.5 * (a + b)
	case MixMin:
		return min(a, b)
	case MixMultiply:
		return a * b
	case MixMax:
		return max(a, b)
	}
	return usual
}

// mixed holds the mixed properties of two surfaces.
type mixed struct{ friction, restitution, rolling, speed float64 }

// mix returns the mixed properties of the surfaces a and b; see Material.
func mix(a, b *Material) mixed {
	return mixed{
		friction:    max(a.FrictionMix, b.FrictionMix).of(a.Friction, b.Friction, math.Sqrt(a.Friction*b.Friction)),
		restitution: max(a.RestitutionMix, b.RestitutionMix).of(a.Restitution, b.Restitution, max(a.Restitution, b.Restitution)),
		rolling:     max(a.RollingResistance, b.RollingResistance),
		speed:       a.TangentSpeed + b.TangentSpeed,
	}
}

// defaultMaterial is the table's entry 0.
var defaultMaterial = Material{Friction: 0.6}

// AddMaterial adds m to the table and returns its id. It panics if a field of m is out of
// range, and if the table holds 65536 materials. Tiles whose material number is the new id
// have the material from the next step on, and the bodies that touch them wake; no others do.
func (w *World) AddMaterial(m Material) MaterialID {
	w.mustNotStep()
	m.check("AddMaterial")
	if len(w.materials) > 0xffff {
		panic("quarry: AddMaterial: the table holds 65536 materials, and can hold no more")
	}
	w.materials = append(w.materials, m)
	w.updateOneWays()
	id := MaterialID(len(w.materials) - 1)
	w.wakeOn(id)
	return id
}

// Material returns the material id, or the default material if id is not in the table. Only
// tiles may have such an id, by a material number without an entry: their surface is the
// default one.
func (w *World) Material(id MaterialID) Material {
	w.mustBeMade()
	return *w.material(id)
}

// SetMaterial changes the material id, from the next step on, wherever it is used. It wakes
// the bodies that touch a surface of the material; every body, if OneWay changes; no body,
// if only Color and User change. It returns false if there is no such material. It panics as
// AddMaterial does.
func (w *World) SetMaterial(id MaterialID, m Material) bool {
	w.mustNotStep()
	m.check("SetMaterial")
	if int(id) >= len(w.materials) {
		return false
	}
	old := w.materials[id]
	w.materials[id] = m
	w.updateOneWays()
	old.Color, old.User = m.Color, m.User
	if old.OneWay != m.OneWay { // a body within one-way tiles has no contact with them
		w.wakeAll()
	} else if old != m {
		w.wakeOn(id)
	}
	return true
}

// wakeOn wakes the bodies that touch a surface of the material id.
func (w *World) wakeOn(id MaterialID) {
	for i := range w.contacts.Slots() {
		c := w.contacts.At(i)
		if w.contacts.Used(i) && c.touching && !c.sensor && w.touchesMaterial(c, id) {
			w.wake(c.bodyA)
			w.wake(c.bodyB)
		}
	}
}

// touchesMaterial reports whether the contact c is with a surface of the material id.
func (w *World) touchesMaterial(c *contactState, id MaterialID) bool {
	if w.tableID(w.shapes.At(c.shapeB).material) == id {
		return true
	}
	if c.ofShapes() {
		return w.tableID(w.shapes.At(c.shapeA).material) == id
	}
	for k := range c.manifolds {
		m := &c.manifolds[k]
		for j := range m.N {
			if w.tableID(MaterialID(m.Points[j].Source.Material)) == id {
				return true
			}
		}
	}
	return false
}

// tableID returns id if it is in the table, else 0.
func (w *World) tableID(id MaterialID) MaterialID {
	if int(id) >= len(w.materials) {
		return 0
	}
	return id
}

func (w *World) material(id MaterialID) *Material { return &w.materials[w.tableID(id)] }

// checkMaterial panics if id, the argument or field of call, is not in the table.
func (w *World) checkMaterial(call, field string, id MaterialID) {
	if err := w.materialError(call, field, id); err != nil {
		panic(err.Error())
	}
}

// materialError returns an error if id, the argument or field of call, is not in the table.
func (w *World) materialError(call, field string, id MaterialID) error {
	if int(id) < len(w.materials) {
		return nil
	}
	return fmt.Errorf("quarry: %s: %s %d is not in the world's table, which has the materials 0 to %d; AddMaterial adds one",
		call, field, id, len(w.materials)-1)
}

// mostFriction bounds friction and rolling resistance: products of two values must fit the
// solver's float32.
const mostFriction = 1e6

// check panics if a field of m, an argument of call, is out of range.
func (m *Material) check(call string) {
	upTo := func(field string, x, most float64) {
		if !(x >= 0 && x <= most) {
			panic(outOfRange(call, field, x, fmt.Sprintf("0 to %v", most)))
		}
	}
	upTo("Material.Friction", m.Friction, mostFriction)
	upTo("Material.Restitution", m.Restitution, 1)
	upTo("Material.RollingResistance", m.RollingResistance, mostFriction)
	switch {
	case !(math.Abs(m.TangentSpeed) <= MaxSpeed):
		panic(outOfRange(call, "Material.TangentSpeed", m.TangentSpeed, fmt.Sprintf("-%v to %v", MaxSpeed, MaxSpeed)))
	case m.FrictionMix > MixMax:
		panic(outOfRange(call, "Material.FrictionMix", m.FrictionMix, fmt.Sprintf("0 to %d (MixMax)", MixMax)))
	case m.RestitutionMix > MixMax:
		panic(outOfRange(call, "Material.RestitutionMix", m.RestitutionMix, fmt.Sprintf("0 to %d (MixMax)", MixMax)))
	case m.OneWay > OneWayRight:
		panic(outOfRange(call, "Material.OneWay", m.OneWay, fmt.Sprintf("0 to %d (OneWayRight)", OneWayRight)))
	}
}
