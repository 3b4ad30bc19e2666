package quarry

import (
	"fmt"
	"math"
)

// MaterialID indexes the world's material table; 0 is the default material.
type MaterialID uint16

// Material is a surface, of shapes, tiles and chains. Its zero value is ice: give
// it a friction (the default material, id 0, has 0.6). Two that touch mix, at
// each point of contact: friction is the geometric mean and restitution the
// larger, unless one of them says otherwise (see Mix); rolling resistance is
// the larger; surface speeds add.
type Material struct {
	// Friction is the Coulomb coefficient, 0 (ice) to 1e6; 0.6 is common.
	Friction float64
	// Restitution is the share of the approach speed that a bounce gives
	// back, in [0, 1].
	Restitution float64
	// RollingResistance slows what rolls: the torque against it is at most this
	// share of the larger radius of the two shapes' rounding, times the force
	// that presses them together. 0 to 1e6; 0.02 is a ball on grass. What has no
	// rounding does not roll.
	RollingResistance float64
	// TangentSpeed is the speed of the surface along itself, as of a conveyor
	// belt, in units of length a second. It runs clockwise round what is solid:
	// positive moves what lies on a floor towards +x, what leans on a face that
	// looks to +x down, and what touches a ceiling towards -x; up or down a
	// slope likewise, and over corners along the contact's own tangent. Friction
	// alone carries it over: without it a belt moves nothing. At most MaxSpeed.
	TangentSpeed float64
	// FrictionMix and RestitutionMix choose how the two mix with those of the
	// other surface; zero values are the rules above.
	FrictionMix, RestitutionMix Mix
	// OneWay lets bodies pass tiles of this material one way. On shapes and chains
	// it says nothing.
	OneWay OneWay
	// Color is 0xRRGGBB for drawing; 0 leaves the choice to who draws.
	Color uint32
	// User is yours.
	User uint64
}

// Mix is a rule by which two numbers, one of each surface, make one. Where the
// two surfaces name different rules, the one further down this list is taken.
type Mix uint8

const (
	// MixDefault is the geometric mean of frictions and the larger restitution.
	MixDefault Mix = iota
	// MixAverage is half of the sum.
	MixAverage
	// MixMin is the smaller: ice is ice, whatever lies on it.
	MixMin
	// MixMultiply is the product.
	MixMultiply
	// MixMax is the larger: glue holds whatever lies on it.
	MixMax
)

// of mixes a and b; usual is what MixDefault makes of them.
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

// mixed is what two surfaces make of each other.
type mixed struct{ friction, restitution, rolling, speed float64 }

// mix returns how the surfaces a and b act on each other; see Material.
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

// AddMaterial adds m to the table and returns its id. It panics when a field of m is
// out of range, and when the table holds 65536 materials. Tiles whose material number is
// the new id have the material from the next step on, and the bodies that touch them wake;
// no others do.
func (w *World) AddMaterial(m Material) MaterialID {
	w.mustNotStep()
	m.check("AddMaterial")
	if len(w.materials) > 0xffff {
		panic("quarry: AddMaterial: the table holds 65536 materials, and can hold no more")
	}
	w.materials = append(w.materials, m)
	w.countOneWays()
	id := MaterialID(len(w.materials) - 1)
	w.wakeOn(id)
	return id
}

// Material returns the material id, or the default material when id is not in the
// table. Only tiles may name such an id, by a material number that has no entry (yet):
// their surface is the default one.
func (w *World) Material(id MaterialID) Material {
	w.mustBeMade()
	return *w.material(id)
}

// SetMaterial changes the material id, from the next step on, wherever it is
// used. It wakes the bodies that touch a surface of the material; every body, if OneWay
// changes; no body, if only Color and User do. It returns false when there is no such
// material. It panics as AddMaterial does.
func (w *World) SetMaterial(id MaterialID, m Material) bool {
	w.mustNotStep()
	m.check("SetMaterial")
	if int(id) >= len(w.materials) {
		return false
	}
	old := w.materials[id]
	w.materials[id] = m
	w.countOneWays()
	old.Color, old.User = m.Color, m.User
	if old.OneWay != m.OneWay { // what is within its tiles touches nothing
		w.wakeAll()
	} else if old != m {
		w.wakeOn(id)
	}
	return true
}

// wakeOn wakes what touches a surface of the material id.
func (w *World) wakeOn(id MaterialID) {
	for i := range w.contacts.items {
		c := &w.contacts.items[i]
		if w.contacts.used(int32(i)) && c.touching && !c.sensor && w.touchesMaterial(c, id) {
			w.wake(c.bodyA)
			w.wake(c.bodyB)
		}
	}
}

// touchesMaterial reports whether the contact c is with a surface of the material id.
func (w *World) touchesMaterial(c *contact, id MaterialID) bool {
	if w.tableID(w.shapes.items[c.shapeB].material) == id {
		return true
	}
	if c.ofShapes() {
		return w.tableID(w.shapes.items[c.shapeA].material) == id
	}
	for k := range c.manifolds {
		m := &c.manifolds[k]
		for j := range m.n {
			if w.tableID(m.points[j].material) == id {
				return true
			}
		}
	}
	return false
}

// tableID returns id if it is in the table, else the default's.
func (w *World) tableID(id MaterialID) MaterialID {
	if int(id) >= len(w.materials) {
		return 0
	}
	return id
}

func (w *World) material(id MaterialID) *Material { return &w.materials[w.tableID(id)] }

// checkMaterial panics when id, the argument or field of call, is not in the table.
func (w *World) checkMaterial(call, field string, id MaterialID) {
	if err := w.materialError(call, field, id); err != nil {
		panic(err.Error())
	}
}

// materialError returns an error when id, the argument or field of call, is not in the
// table.
func (w *World) materialError(call, field string, id MaterialID) error {
	if int(id) < len(w.materials) {
		return nil
	}
	return fmt.Errorf("quarry: %s: %s %d is not in the world's table, which has the materials 0 to %d; AddMaterial adds one",
		call, field, id, len(w.materials)-1)
}

// mostFriction bounds friction and rolling resistance: products of two must fit the
// solver's float32.
const mostFriction = 1e6

// check panics when a field of m, an argument of call, is out of range.
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
