package state

import (
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/surface"
)

// Material is a quarry.Material, with its rules by number.
type Material struct {
	rows.Surface
	Density, Strength float64
	OneWay            surface.Direction
	Color             uint32
	User              uint64
	Name              string
}

// Check panics if a field of m but OneWay, an argument of call, is out of range; mostSpeed bounds the speed of the
// surface.
func (m *Material) Check(call string, mostSpeed float64) {
	m.Surface.Check(call, mostSpeed)
	if m.Density != 0 {
		check.Within(call, "Material.Density", m.Density, LeastDensity, MostDensity, ", or 0 for 1")
	}
	check.Within(call, "Material.Strength", m.Strength, 0, MostDensity, "")
}

// dense, strong and named are set in the word of a material's rules if it has a density, a strength, a name; removed,
// if it is not in the table any more.
const dense, strong, named, removed = 1 << 24, 1 << 25, 1 << 26, 1 << 27

// Visit visits m. A reader refuses a material that Check refuses.
func (m *Material) Visit(c *pool.Codec, mostSpeed float64) {
	c.Floats(&m.Friction, &m.Restitution, &m.Speed)
	rules := uint64(m.FrictionMix)<<16 | uint64(m.RestitutionMix)<<8 | uint64(m.OneWay)
	if m.Density != 0 {
		rules |= dense
	}
	if m.Strength != 0 {
		rules |= strong
	}
	if m.Name != "" && !c.Hashing() {
		rules |= named
	}
	if m.Removed {
		rules |= removed
	}
	if rules != 0 || !c.Hashing() {
		c.Word(&rules)
	}
	if rules&dense != 0 {
		c.Positive(&m.Density)
	}
	if rules&strong != 0 {
		c.Positive(&m.Strength)
	}
	c.Rare(&m.Rolling)
	if c.Hashing() {
		return
	}
	pool.Up(c, &m.Color, math.MaxUint32)
	c.Word(&m.User)
	if rules&named != 0 {
		c.Text(&m.Name)
	}
	if c.Reading() {
		m.Removed = rules&removed != 0
		m.FrictionMix, m.RestitutionMix, m.OneWay = rows.Mix(rules>>16), rows.Mix(rules>>8), surface.Direction(rules)
		c.Need(m.Valid(mostSpeed) && m.OneWay <= surface.Right && m.Density <= MostDensity,
			"a property is out of range: %+v", *m)
	}
}

// setOneWays sets the directions of the materials, for the world and its grounds, and their strengths.
func (w *World) setOneWays() {
	ways := make([]surface.Direction, len(w.Materials))
	strengths, strong := make([]float64, len(w.Materials)), false
	for i := range ways {
		m := &w.Materials[w.Surfaces.Number(uint16(i))]
		ways[i], strengths[i], strong = m.OneWay, m.Strength, strong || m.Strength > 0
	}
	if w.Strengths = strengths; !strong {
		w.Strengths = nil
	}
	w.OneWays.Set(ways)
	for i := range w.Grounds.Slots() {
		w.Grounds.At(i).Tiles.SetWays(&w.OneWays)
	}
}

// UpdateOneWays sets the directions of the materials.
func (w *World) UpdateOneWays() {
	had := w.OneWays.Any()
	w.setOneWays()
	for _, s := range w.Contacts.Surfaces.All() {
		if had != w.OneWays.Any() {
			s.OneWay.Reset()
		}
		if s.Owner.Kind() == broad.Ground && w.OneWays.Any() {
			s.OneWay.Note(s.Manifolds, &w.OneWays)
		}
	}
}

// UserOf returns an error of call if a shape, a chain or the list of a ground's materials has the material id.
func (w *World) UserOf(call string, id uint16) error {
	used := func(kind string, by uint64) error {
		return fmt.Errorf("quarry: %s: material %d is that of %s %d", call, id, kind, by)
	}
	for i, s := range w.Shapes.All() {
		if s.Material == id {
			return used("shape", w.Shapes.ID(i))
		}
	}
	for i, s := range w.Chains.All() {
		if s.Chain.Material == id || slices.Contains(s.Materials, id) {
			return used("chain", w.Chains.ID(i))
		}
	}
	for i, g := range w.Grounds.All() {
		if slices.Contains(g.Tiles.Materials, id) {
			return used("GroundDef.Materials of ground", w.Grounds.ID(i))
		}
	}
	return nil
}

// DensityChanged updates the masses of the bodies with tiles, unless the density of a material is the same as before.
func (w *World) DensityChanged(from, to float64) {
	if from == to {
		return
	}
	for i := range w.Grounds.All() {
		w.TilesChanged(i)
	}
}
