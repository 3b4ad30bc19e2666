package rows

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/solve"
)

// Surface holds the properties of a material that contacts mix.
type Surface struct {
	Friction, Restitution, Rolling, Speed float64
	FrictionMix, RestitutionMix           Mix
	Removed                               bool // from the table: its number stands for entry 0
}

// mostFriction bounds friction and rolling resistance: products of two values must fit the
// solver's float32.
const mostFriction = 1e6

// Check panics if a property of s, a Material that call received, is out of range. mostSpeed bounds
// the speed (units of length a second), on either side of 0.
func (s *Surface) Check(call string, mostSpeed float64) {
	check.Within(call, "Material.Friction", s.Friction, 0, mostFriction, "")
	check.Within(call, "Material.Restitution", s.Restitution, 0, 1, "")
	check.Within(call, "Material.RollingResistance", s.Rolling, 0, mostFriction, "")
	check.Within(call, "Material.TangentSpeed", s.Speed, -mostSpeed, mostSpeed, "")
	check.UpTo(call, "Material.FrictionMix", s.FrictionMix, Max, "MixMax")
	check.UpTo(call, "Material.RestitutionMix", s.RestitutionMix, Max, "MixMax")
}

// Valid reports whether Check accepts s.
func (s *Surface) Valid(mostSpeed float64) bool {
	return s.Friction >= 0 && s.Friction <= mostFriction && s.Restitution >= 0 && s.Restitution <= 1 &&
		s.Rolling >= 0 && s.Rolling <= mostFriction && math.Abs(s.Speed) <= mostSpeed &&
		max(s.FrictionMix, s.RestitutionMix) <= Max
}

// Mix is a rule that combines the values of two surfaces. If the surfaces name different
// rules, the later one in this list applies.
type Mix uint8

const (
	Default  Mix = iota // the geometric mean of frictions, the larger restitution
	Average             // the arithmetic mean
	Min                 // the smaller value
	Multiply            // the product
	Max                 // the larger value
)

// of mixes a and b; usual is the result of Default.
func (m Mix) of(a, b, usual float64) float64 {
	switch m {
	case Average:
		return 0.5 * (a + b)
	case Min:
		return min(a, b)
	case Multiply:
		return a * b
	case Max:
		return max(a, b)
	}
	return usual
}

// Mixed holds the mixed properties of two surfaces; Rolling is without the radius.
type Mixed = solve.Surface

// CheckMixed panics if a property of m that the function of call returned is out of range. mostSpeed is as in
// Surface.Check.
func CheckMixed(m *Mixed, call string, mostSpeed float64) {
	check.Within(call, "PreSolvePoint.Friction", m.Friction, 0, mostFriction, "")
	check.Within(call, "PreSolvePoint.Restitution", m.Restitution, 0, 1, "")
	check.Within(call, "PreSolvePoint.TangentSpeed", m.Speed, -mostSpeed, mostSpeed, "")
}

// mix returns the mixed properties of the surfaces a and b.
func mix(a, b *Surface) Mixed {
	return Mixed{
		Friction: max(a.FrictionMix, b.FrictionMix).of(a.Friction, b.Friction, math.Sqrt(a.Friction*b.Friction)),
		Restitution: max(a.RestitutionMix, b.RestitutionMix).of(a.Restitution, b.Restitution,
			max(a.Restitution, b.Restitution)),
		Rolling: max(a.Rolling, b.Rolling),
		Speed:   a.Speed + b.Speed,
	}
}

// Table holds the surfaces of a world by the number of their material. A number beyond the table, or of a removed
// material, stands for entry 0.
type Table struct {
	surfaces []Surface
}

// mixer mixes surfaces of a table, which does not change in the step. It remembers the pair that was mixed last,
// because successive contacts mostly have the same two materials.
type mixer struct {
	pair  int64   // the numbers of the two materials mixed last, or -1
	x     *Mixed  // their mixed properties
	mixed []Mixed // of this step: the solver has pointers to them
}

// begin begins a step.
func (m *mixer) begin() { m.pair, m.mixed = -1, m.mixed[:0] }

// keep returns a copy of x that stays until the end of the step.
func (m *mixer) keep(x Mixed) *Mixed {
	m.mixed = append(m.mixed, x)
	return &m.mixed[len(m.mixed)-1]
}

// Set sets surface i, which exists or is the next.
func (t *Table) Set(i int, s Surface) {
	if i == len(t.surfaces) {
		t.surfaces = append(t.surfaces, s)
	}
	t.surfaces[i] = s
}

// Copy makes t a copy of from.
func (t *Table) Copy(from *Table) { t.surfaces = append(t.surfaces[:0], from.surfaces...) }

// Mix returns the mixed properties of the surfaces a and b.
func (t *Table) Mix(a, b uint16) Mixed { return mix(t.at(a), t.at(b)) }

// mix returns the mixed properties of the surfaces a and b of t.
func (m *mixer) mix(t *Table, a, b uint16) *Mixed {
	if pair := int64(a)<<16 | int64(b); pair != m.pair {
		m.pair, m.x = pair, m.keep(t.Mix(a, b))
	}
	return m.x
}

func (t *Table) at(i uint16) *Surface { return &t.surfaces[t.Number(i)] }

// Number returns i if the table has surface i, else 0.
func (t *Table) Number(i uint16) uint16 {
	if !t.has(i) {
		return 0
	}
	return i
}

// has reports whether the table has surface i.
func (t *Table) has(i uint16) bool { return int(i) < len(t.surfaces) && !t.surfaces[i].Removed }

// Has returns an error if surface i, the argument or field of call, is not in the table.
func (t *Table) Has(call, field string, i uint16) error {
	if t.has(i) {
		return nil
	}
	if int(i) < len(t.surfaces) {
		return fmt.Errorf("quarry: %s: %s %d was removed from the world's table", call, field, i)
	}
	return fmt.Errorf("quarry: %s: %s %d is not in the world's table, which has the materials 0 to %d; AddMaterial "+
		"adds one",
		call, field, i, len(t.surfaces)-1)
}

// MustHave panics if surface i, the argument or field of call, is not in the table.
func (t *Table) MustHave(call, field string, i uint16) {
	if err := t.Has(call, field, i); err != nil {
		panic(err.Error())
	}
}

// HasAll returns an error if a number in list, the field of call, is not in the table.
func (t *Table) HasAll(call, field string, list []uint16) error {
	for k, i := range list {
		if !t.has(i) {
			return t.Has(call, fmt.Sprintf("%s[%d]", field, k), i)
		}
	}
	return nil
}

// Numbers returns a copy of ids as numbers of the type To, nil for nil.
func Numbers[To, From ~uint16](ids []From) []To {
	if ids == nil {
		return nil
	}
	out := make([]To, len(ids))
	for k, id := range ids {
		out[k] = To(id)
	}
	return out
}
