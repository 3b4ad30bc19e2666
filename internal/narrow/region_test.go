package narrow

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestRegion: a point is in the region of two boxes if it is in both, and all vertices of the region are in both.
func TestRegion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		box := func(name string) geom.AABB {
			p := geom.V(number(name+".x", -9, 9), number(name+".y", -9, 9))
			return geom.Box(p, p.Add(geom.V(number(name+".w", 0, 9), number(name+".h", 0, 9))))
		}
		a, b := box("a"), box("b")
		q := geom.NewRot(number("turn", -4, 4))
		if rapid.Bool().Draw(t, "aligned") {
			q = geom.Identity
		}
		var r region
		r.set(b, q)
		r.clip(a)
		for _, v := range r.v[:r.n] {
			if !a.Expand(1e-9).ContainsPoint(v) || !b.Expand(1e-9).ContainsPoint(q.Inv(v)) {
				t.Fatalf("the vertex %v is not in both", v)
			}
		}
		p := geom.V(number("u", 0, 1), number("v", 0, 1))
		p = q.Apply(b.Min.Add(geom.V(float64(p.X*b.Size().X), float64(p.Y*b.Size().Y))))
		if !a.ContainsPoint(p) {
			return
		}
		for i := range r.n {
			if r.v[(i+1)%r.n].Sub(r.v[i]).Cross(p.Sub(r.v[i])) < -1e-9 {
				t.Fatalf("%v is in both boxes, but not in %v", p, r.v[:r.n])
			}
		}
		if r.n == 0 {
			t.Fatalf("%v is in both boxes, and the region is empty", p)
		}
	})
}
