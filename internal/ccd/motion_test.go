package ccd

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestCutTakesNoMoreThanGravity: a body whose step was cut keeps its velocity but for a part of the gravity gained, the
// larger the less of the step it made; it gets no faster than it was or than the limit; and a whole step cuts nothing.
func TestCutTakesNoMoreThanGravity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vec := func(name string) geom.Vec {
			f := rapid.Float64Range(-100, 100)
			return geom.V(f.Draw(t, name+"X"), f.Draw(t, name+"Y"))
		}
		v, was, g := vec("v"), vec("was"), vec("g")
		dt, part, most := rapid.Float64Range(1e-3, 0.1).Draw(t, "dt"), rapid.Float64Range(0, 1).Draw(t, "fraction"),
			rapid.Float64Range(0.1, 400).Draw(t, "most")
		got := Cut(v, was, g, part, dt, most)
		if lost := v.Sub(got); lost.Len() > (1-part)*g.Len()*dt*(1+1e-9)+1e-9 || math.Abs(lost.Cross(g)) > 1e-6 ||
			lost.Dot(g) < -1e-6 {
			t.Fatalf("%v of %v at %v: gravity %v in %v s", got, v, part, g, dt)
		}
		if got.Len() > max(most, v.Len())*(1+1e-9) {
			t.Fatalf("%v is faster than %v and %v", got, v, most)
		}
		if whole := Cut(v, was, g, 1, dt, most); whole != v {
			t.Fatalf("a whole step cuts %v to %v", v, whole)
		}
	})
}
