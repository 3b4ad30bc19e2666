package rows

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestTableRemembersNothingStale: after any earlier steps, each with sets before it and mixes in it, the mix of two
// materials follows their present properties, by the rules of Mix, and the same from either side. Mixes of a step stay
// until its end. A number beyond the table stands for entry 0.
func TestTableRemembersNothingStale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table
		var of mixer
		var all []Surface
		type kept struct {
			got  *Mixed
			want Mixed
		}
		var step []kept
		for range rapid.IntRange(1, 20).Draw(t, "calls") {
			if len(all) == 0 || rapid.Bool().Draw(t, "set") {
				i := rapid.IntRange(0, len(all)).Draw(t, "i")
				x := rapid.Float64Range(0, 2)
				rule := rapid.Custom(func(t *rapid.T) Mix { return Mix(rapid.IntRange(0, int(Max)).Draw(t, "rule")) })
				s := Surface{
					Friction: x.Draw(t, "friction"), Restitution: x.Draw(t, "restitution"), Rolling: x.Draw(t,
						"rolling"),
					Speed: x.Draw(t, "speed"), FrictionMix: rule.Draw(t, "frictions"), RestitutionMix: rule.Draw(t,
						"restitutions"),
				}
				if i == len(all) {
					all = append(all, s)
				}
				all[i] = s
				table.Set(i, s)
				of.begin()
				step = step[:0]
				continue
			}
			number := rapid.IntRange(0, len(all)+1)
			i, j := number.Draw(t, "i"), number.Draw(t, "j")
			at := func(k int) Surface {
				if k >= len(all) {
					k = 0
				}
				return all[k]
			}
			a, b := at(i), at(j)
			slow := func(rule Mix, x, y, usual float64) float64 {
				return [...]float64{usual, (x + y) / 2, min(x, y), x * y, max(x, y)}[rule]
			}
			want := Mixed{
				Friction: slow(max(a.FrictionMix, b.FrictionMix), a.Friction, b.Friction,
					math.Sqrt(a.Friction*b.Friction)),
				Restitution: slow(max(a.RestitutionMix, b.RestitutionMix), a.Restitution, b.Restitution,
					max(a.Restitution, b.Restitution)),
				Rolling: max(a.Rolling, b.Rolling), Speed: a.Speed + b.Speed,
			}
			for _, got := range []*Mixed{of.mix(&table, uint16(i), uint16(j)), of.mix(&table, uint16(j), uint16(i))} {
				step = append(step, kept{got, want})
			}
			for k, m := range step {
				if *m.got != m.want {
					t.Fatalf("%d and %d: %v, not %v (mix %d of the step)", i, j, *m.got, m.want, k)
				}
			}
		}
	})
}

// TestNumbersBeyondTheTable: a number beyond the table stands for entry 0, and is refused where it
// must be in the table, with the name of its element.
func TestNumbersBeyondTheTable(t *testing.T) {
	type id uint16
	var table Table
	table.Set(0, Surface{})
	table.Set(1, Surface{})
	for i, want := range []uint16{0, 1, 0} {
		if got := table.Number(uint16(i)); got != want {
			t.Errorf("Number(%d) = %d", i, got)
		}
		if err := table.Has("Call", "field", uint16(i)); (err == nil) != (i < 2) {
			t.Errorf("Has(%d): %v", i, err)
		}
	}
	if list := Numbers[uint16]([]id(nil)); list != nil || table.HasAll("Call", "field", list) != nil {
		t.Errorf("of nil: %v", list)
	}
	const want = "quarry: Call: field[1] 7 is not in the world's table, which has the materials 0 to 1; AddMaterial " +
		"adds one"
	if err := table.HasAll("Call", "field", Numbers[uint16]([]id{1, 7})); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
