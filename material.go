package quarry

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"

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
	// Strength is the impulse of a contact, HitEvent.Impulse, that tiles and chains of this material withstand. An
	// impulse above it is in World.Hits at any speed, with the cell; Ground.Crater may dig there, in each of two
	// grounds. 0 is no limit; at most 1e30. A body at rest applies mass * gravity * time of a step.
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

// OneWay is the direction in which bodies pass a tile: a platform to jump on from below, or
// a door that opens to one side. It is in the axes of the ground, however the tile is turned
// in its cell, and turns with the ground's body.
//
// A one-way tile has only the faces whose normals point in that direction, and these stop only a body that comes
// from their front. Its other faces and its inside do not collide. Common faces of tiles of one direction vanish,
// as for all tiles. The faces stop a body once all of it has been in front of them: a body that is part way through
// is not pushed, wherever it turns back, and neither is a body over which such a tile is placed. Where one-way
// tiles adjoin solid ones, a body that passes the one-way tiles collides with the faces of the solid ones.
//
// Passing makes no contact and no event; a contact begins when a body lands. Queries ignore the direction, unless
// QueryFilter.OneWay says otherwise: a ray stops where it enters a one-way tile, from any side, and Ground.Solid is
// true in it. The Tile in the result has the material.
type OneWay uint8

const (
	// NotOneWay tiles are solid on all sides.
	NotOneWay OneWay = iota
	// OneWayUp lets bodies pass upwards and stops them on the way down: a platform.
	OneWayUp
	// OneWayLeft lets bodies pass towards -x and stops them the other way: a door.
	OneWayLeft
	// OneWayDown lets bodies pass downwards: a hatch in a ceiling, or a drain.
	OneWayDown
	// OneWayRight lets bodies pass towards +x.
	OneWayRight
)

// String returns the direction's name.
func (o OneWay) String() string {
	if o <= OneWayRight {
		return [...]string{"not one-way", "up", "left", "down", "right"}[o]
	}
	return fmt.Sprintf("OneWay(%d)", uint8(o))
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

// AddMaterial adds m to the table and returns its id, which is not 0. The table holds 65,536 materials. Once all ids
// have been given, AddMaterial gives ids of removed materials again, and returns 0, and changes nothing, if there are
// none. It panics if a field of m is out of range.
//
// Tiles whose material number is the new id have the material from the next step on, and the bodies that touch them
// wake; no others do.
func (w *World) AddMaterial(m Material) MaterialID {
	replay.Call1(w.recorder(w), "World.AddMaterial", replay.OfWorld, m)
	r := m.checked("AddMaterial")
	i := len(w.state.Materials)
	if i > math.MaxUint16 {
		if i = slices.IndexFunc(w.state.Materials, func(m state.Material) bool { return m.Removed }); i < 0 {
			return 0
		}
	} else {
		w.state.Materials = append(w.state.Materials, state.Material{Surface: rows.Surface{Removed: true}})
	}
	w.changeMaterial(uint16(i), r)
	w.state.WakeOn(uint16(i))
	return MaterialID(i)
}

// RemoveMaterial removes the material id from the table. Tiles whose material number is id have the default material
// from the next step on; bodies wake as by SetMaterial. It returns an error, and changes nothing, if there is no such
// material, if id is 0, or if a shape, a chain or a GroundDef.Materials has the material.
func (w *World) RemoveMaterial(id MaterialID) error {
	replay.Call1(w.recorder(w), "World.RemoveMaterial", replay.OfWorld, id)
	if id == 0 {
		return errors.New("quarry: RemoveMaterial: material 0 is the default material")
	}
	if err := cmp.Or(w.state.Surfaces.Has("RemoveMaterial", "id", uint16(id)), w.state.UserOf("RemoveMaterial",
		uint16(id))); err != nil {
		return err
	}
	w.wakeOnChange(uint16(id), w.changeMaterial(uint16(id), state.Material{Surface: rows.Surface{Removed: true}}))
	return nil
}

// changeMaterial makes to the material id, which is in the list of materials, and returns the material that the number
// id had: a removed one has the properties of the default material.
func (w *World) changeMaterial(id uint16, to state.Material) (was state.Material) {
	s := &w.state
	was = s.Materials[s.Surfaces.Number(id)]
	s.Materials[id] = to
	s.Surfaces.Set(int(id), to.Surface)
	now := &s.Materials[s.Surfaces.Number(id)]
	if was.OneWay != now.OneWay || was.Strength != now.Strength {
		s.UpdateOneWays()
	}
	s.DensityChanged(was.Density, now.Density)
	return was
}

// wakeOnChange wakes the bodies that the change of the material id, which was was, concerns.
func (w *World) wakeOnChange(id uint16, was state.Material) {
	s := &w.state
	now := s.Materials[s.Surfaces.Number(id)]
	was.Color, was.User, was.Name, was.Density, was.Strength = now.Color, now.User, now.Name, now.Density, now.Strength
	if was.OneWay != now.OneWay { // a body within one-way tiles has no contact with them
		s.WakeAll()
	} else if was != now {
		s.WakeOn(id)
	}
}

// Material returns the material id, or the default material if id is not in the table. Only
// tiles may have such an id, by a material number without an entry: their surface is the
// default one.
func (w *World) Material(id MaterialID) Material {
	w.mustBeMade()
	return materialOf(&w.state.Materials[w.state.Surfaces.Number(uint16(id))])
}

// MaterialByName returns the material of the lowest id with that Name. It returns false if there is none,
// and for the empty name.
// It compares the names of the whole table: keep the id.
func (w *World) MaterialByName(name string) (MaterialID, bool) {
	w.mustBeMade()
	i := slices.IndexFunc(w.state.Materials, func(m state.Material) bool { return m.Name == name })
	if i < 0 || name == "" {
		return 0, false
	}
	return MaterialID(i), true
}

// SetMaterial changes the material id, from the next step on, wherever it is used. It wakes the bodies that touch a
// surface of the material; every body, if OneWay changes; those with tiles, if Density changes; no body, if only Color,
// User, Name and Strength change. It returns false if there is no such material. It panics as AddMaterial does.
func (w *World) SetMaterial(id MaterialID, m Material) bool {
	replay.Call2(w.recorder(w), "World.SetMaterial", replay.OfWorld, id, m)
	r := m.checked("SetMaterial")
	if w.state.Surfaces.Has("", "", uint16(id)) != nil {
		return false
	}
	w.wakeOnChange(uint16(id), w.changeMaterial(uint16(id), r))
	return true
}

// checked returns m as a record. It panics if a field of m, an argument of call, is out of range.
func (m *Material) checked(call string) state.Material {
	check.UpTo(call, "Material.OneWay", m.OneWay, OneWayRight, "OneWayRight")
	r := m.record()
	r.Check(call, MaxSpeed)
	return r
}

// record returns m, with its rules by number.
func (m *Material) record() state.Material {
	return state.Material{
		Surface: rows.Surface{
			Friction: m.Friction, Restitution: m.Restitution, Rolling: m.RollingResistance, Speed: m.TangentSpeed,
			FrictionMix: rows.Mix(m.FrictionMix), RestitutionMix: rows.Mix(m.RestitutionMix),
		},
		Density: m.Density, Strength: m.Strength, OneWay: surface.Direction(m.OneWay), Color: m.Color, User: m.User,
		Name: m.Name,
	}
}

// materialOf is the inverse of Material.record.
func materialOf(m *state.Material) Material {
	return Material{
		m.Friction, m.Restitution, m.Rolling, m.Speed, Mix(m.FrictionMix), Mix(m.RestitutionMix), m.Density, m.Strength,
		OneWay(m.OneWay), m.Color, m.User, m.Name,
	}
}
