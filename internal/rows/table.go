package rows

import "math"

// Surface holds the properties of a material that contacts mix.
type Surface struct {
	Friction, Restitution, Rolling, Speed float64
	FrictionMix, RestitutionMix           Mix
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

// mixed holds the mixed properties of two surfaces.
type mixed struct{ friction, restitution, rolling, speed float64 }

// mix returns the mixed properties of the surfaces a and b.
func mix(a, b *Surface) mixed {
	return mixed{
		friction:    max(a.FrictionMix, b.FrictionMix).of(a.Friction, b.Friction, math.Sqrt(a.Friction*b.Friction)),
		restitution: max(a.RestitutionMix, b.RestitutionMix).of(a.Restitution, b.Restitution, max(a.Restitution, b.Restitution)),
		rolling:     max(a.Rolling, b.Rolling),
		speed:       a.Speed + b.Speed,
	}
}

// Table holds the surfaces of a world by the number of their material, and the pair that was mixed
// last: most contacts in turn are of one pair. A number beyond the table is that of entry 0.
type Table struct {
	surfaces []Surface
	a, b     uint16
	x        mixed
}

// Set sets surface i, which exists or is the next.
func (t *Table) Set(i int, s Surface) {
	if i == len(t.surfaces) {
		t.surfaces = append(t.surfaces, s)
	}
	t.surfaces[i] = s
	t.a, t.b, t.x = 0, 0, mix(&t.surfaces[0], &t.surfaces[0])
}

// mix returns the mixed properties of the surfaces a and b.
func (t *Table) mix(a, b uint16) *mixed {
	if a != t.a || b != t.b {
		t.a, t.b, t.x = a, b, mix(t.at(a), t.at(b))
	}
	return &t.x
}

func (t *Table) at(i uint16) *Surface {
	if int(i) >= len(t.surfaces) {
		i = 0
	}
	return &t.surfaces[i]
}
