package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/rows"
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
	// Density is the mass per area of tiles on a dynamic body, 1e-30 to 1e30; 0 means 1. Shapes have their own:
	// ShapeDef.Density.
	Density float64
	// Strength is the impulse at a contact point, of a sub-step and along the normal, that tiles and chains of this
	// material withstand: above it, World.Hits has the hit at any speed, with its cell; Ground.Crater may dig there, in each of two
	// grounds. 0 is no limit; at most 1e30. A weight at rest presses with its mass times gravity times the time of a sub-step.
	Strength float64
	// OneWay lets bodies pass tiles of this material in one direction. Shapes and chains
	// ignore it.
	OneWay OneWay
	// Color is 0xRRGGBB for drawing; 0 leaves the choice to the renderer.
	Color uint32
	// User is for the game.
	User uint64
	// Name is for the game; see World.MaterialByName.
	Name string
}

// Mix is a rule that combines the values of two surfaces. If the surfaces name different
// rules, the later one in this list applies.
type Mix uint8

const (
	// MixDefault is the geometric mean of frictions and the larger restitution.
	MixDefault = Mix(rows.Default)
	// MixAverage is the arithmetic mean.
	MixAverage = Mix(rows.Average)
	// MixMin is the smaller value: ice is slippery under anything.
	MixMin = Mix(rows.Min)
	// MixMultiply is the product.
	MixMultiply = Mix(rows.Multiply)
	// MixMax is the larger value: glue holds anything.
	MixMax = Mix(rows.Max)
)

// defaultMaterial is the table's entry 0.
var defaultMaterial = Material{Friction: 0.6}

// AddMaterial adds m to the table and returns its id. It panics if a field of m is out of
// range, and if the table holds 65536 materials. Tiles whose material number is the new id
// have the material from the next step on, and the bodies that touch them wake; no others do.
func (w *World) AddMaterial(m Material) MaterialID {
	record.Call1(w.recorder(w), "World.AddMaterial", record.OfWorld, m)
	s := m.surface("AddMaterial")
	if len(w.materials) > 0xffff {
		panic("quarry: AddMaterial: the table holds 65536 materials, and can hold no more")
	}
	id := MaterialID(len(w.materials))
	w.materials = append(w.materials, m)
	w.surfaces.Set(int(id), s)
	w.updateOneWays()
	w.wakeOn(id)
	w.densityChanged(w.materials[0].Density, m.Density) // tiles of the number id had the default material
	return id
}

// Material returns the material id, or the default material if id is not in the table. Only
// tiles may have such an id, by a material number without an entry: their surface is the
// default one.
func (w *World) Material(id MaterialID) Material {
	w.mustBeMade()
	return w.materials[w.surfaces.Number(uint16(id))]
}

// MaterialByName returns the material of the lowest id with that Name. It returns false if there is none,
// and for the empty name.
// It compares the names of the whole table: keep the id.
func (w *World) MaterialByName(name string) (MaterialID, bool) {
	w.mustBeMade()
	i := slices.IndexFunc(w.materials, func(m Material) bool { return m.Name == name })
	if i < 0 || name == "" {
		return 0, false
	}
	return MaterialID(i), true
}

// SetMaterial changes the material id, from the next step on, wherever it is used. It wakes
// the bodies that touch a surface of the material; every body, if OneWay changes; those with tiles, if Density
// changes; no body, if only Color, User, Name and Strength change. It returns false if there is no such material. It panics as
// AddMaterial does.
func (w *World) SetMaterial(id MaterialID, m Material) bool {
	record.Call2(w.recorder(w), "World.SetMaterial", record.OfWorld, id, m)
	s := m.surface("SetMaterial")
	if int(id) >= len(w.materials) {
		return false
	}
	old := w.materials[id]
	w.materials[id] = m
	w.surfaces.Set(int(id), s)
	w.updateOneWays()
	w.densityChanged(old.Density, m.Density)
	old.Color, old.User, old.Name, old.Density, old.Strength = m.Color, m.User, m.Name, m.Density, m.Strength
	if old.OneWay != m.OneWay { // a body within one-way tiles has no contact with them
		w.wakeAll()
	} else if old != m {
		w.wakeOn(id)
	}
	return true
}

// densityChanged updates the masses of the bodies with tiles, unless the density of a material is the same as before.
func (w *World) densityChanged(from, to float64) {
	if from == to {
		return
	}
	for _, g := range w.grounds.All() {
		w.tilesChanged(g.body)
	}
}

// surface returns the properties of m that contacts mix. It panics if a field of m, an argument of
// call, is out of range.
func (m *Material) surface(call string) rows.Surface {
	s := m.mixes()
	s.Check(call, MaxSpeed)
	check.UpTo(call, "Material.OneWay", m.OneWay, OneWayRight, "OneWayRight")
	if m.Density != 0 {
		check.Within(call, "Material.Density", m.Density, leastDensity, mostDensity, ", or 0 for 1")
	}
	check.Within(call, "Material.Strength", m.Strength, 0, mostDensity, "")
	return s
}

// mixes returns the properties of m that contacts mix.
func (m *Material) mixes() rows.Surface {
	return rows.Surface{
		Friction: m.Friction, Restitution: m.Restitution, Rolling: m.RollingResistance, Speed: m.TangentSpeed,
		FrictionMix: rows.Mix(m.FrictionMix), RestitutionMix: rows.Mix(m.RestitutionMix),
	}
}

// wakeOn wakes the bodies that touch a surface of the material id.
func (w *World) wakeOn(id MaterialID) {
	for _, c := range w.contacts.All() {
		if c.touching && !c.sensor && w.touchesMaterial(c, id) {
			w.wake(c.bodyA)
			w.wake(c.bodyB)
		}
	}
}

// touchesMaterial reports whether the contact c is with a surface of the material id.
func (w *World) touchesMaterial(c *contactState, id MaterialID) bool {
	is := func(shape int32) bool { return w.surfaces.Number(uint16(w.shapes.At(shape).material)) == uint16(id) }
	return c.ofGrounds() || is(c.shapeB) || c.ofShapes() && is(c.shapeA) || !c.ofShapes() && w.surfaces.Under(w.surfaceOf(c).Manifolds, uint16(id))
}
