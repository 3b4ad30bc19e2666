package check

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestIndex: a number that is none of a list's panics with a text that names element, list and length.
func TestIndex(t *testing.T) {
	for i := -1; i <= 3; i++ {
		func() {
			defer func() {
				want := any(nil)
				if i < 0 || i > 2 {
					want = fmt.Sprintf("quarry: point %d is out of range: the chain has 0 to 2", i)
				}
				if r := recover(); r != want {
					t.Errorf("Index(%d): %v, want %v", i, r, want)
				}
			}()
			Index("point", i, "chain", 3)
		}()
	}
}

// TestRefusals: a value out of range panics with a text that names call, field, value and range,
// NaN is out of every range, and a value within passes.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(x float64)
		bad  []float64
		good []float64
	}{
		{
			"Finite", func(x float64) { Finite("Call", "field", x) },
			[]float64{math.NaN(), math.Inf(1), math.Inf(-1)},
			[]float64{0, -5, math.MaxFloat64},
		},
		{
			"FiniteVec", func(x float64) { FiniteVec("Call", "field", geom.V(1, x)) },
			[]float64{math.NaN(), math.Inf(1)},
			[]float64{0, -5},
		},
		{
			"Positive", func(x float64) { Positive("Call", "field", x) },
			[]float64{math.NaN(), math.Inf(1), -1},
			[]float64{0, 5},
		},
		{
			"Within", func(x float64) { Within("Call", "field", x, 1, 2, "") },
			[]float64{math.NaN(), 0.9, 2.1},
			[]float64{1, 2},
		},
		{
			"VecWithin", func(x float64) { VecWithin("Call", "field", geom.V(x, 0), 3) },
			[]float64{math.NaN(), -3.1, 3.1},
			[]float64{-3, 3},
		},
		{"UpTo", func(x float64) { UpTo("Call", "field", uint8(x), 3, "Last") }, []float64{4}, []float64{0, 3}},
	} {
		text := func(x float64) (out string) {
			defer func() {
				if r := recover(); r != nil {
					out = r.(string)
				}
			}()
			c.do(x)
			return ""
		}
		for _, x := range c.bad {
			if got := text(x); !strings.HasPrefix(got, "quarry: Call: field ") ||
				!strings.Contains(got, " is out of range: it must be ") {
				t.Errorf("%s(%v): %q", c.name, x, got)
			}
		}
		for _, x := range c.good {
			if got := text(x); got != "" {
				t.Errorf("%s(%v): %q", c.name, x, got)
			}
		}
	}
}
