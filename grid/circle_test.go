package grid

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestCircleScales: a circle cast at a corner has the same result in worlds of all sizes.
// The circle of radius 5 passes the corner (0, 0) of a box at the distances 3 and 5, and
// just beyond.
func TestCircleScales(t *testing.T) {
	for _, e := range []int{-330, -200, -100, 0, 100, 200, 330} {
		for _, f := range []int{-700, -330, 0, 330, 490} {
			u, v := math.Ldexp(1, e), math.Ldexp(1, f)
			m := newModel(t, u)
			m.add(geom.AABB{Max: geom.V(u, u)})
			for _, c := range []struct {
				y    float64
				at   float64
				hits bool
			}{{-3, 4, e-f < 1000}, {-5, 8, e-f < 1000}, {-5 - 0x1p-30, 0, false}} {
				d := geom.V(v, 0)
				want := 0.0 // also where T would be infinite
				if c.hits {
					want = math.Ldexp(c.at, e-f)
				}
				for _, g := range m.grids {
					// Up to x = 0, beyond which it is below the side, if at all.
					h, ok := g.CircleCast(geom.V(-8*u, c.y*u), 5*u, d, math.Ldexp(8, e-f), All)
					if ok != c.hits || h.T != want {
						t.Errorf("%v, unit 2^%d, d 2^%d, at %g: %v, %v, want %g, %v", g.Kind(), e, f, c.y, h.T, ok,
							want, c.hits)
					}
				}
			}
		}
	}
}

// TestCircleFromFar: a circle cast from far away misses and hits a corner as one from near does,
// to the precision of its coordinates.
func TestCircleFromFar(t *testing.T) {
	for far := 1.0; far <= 1<<40; far *= 4 {
		m := newModel(t, 1)
		m.add(box(0, 0, 1, 1))
		for _, g := range m.grids {
			// Along the diagonal, past the corner (1, 0) at a distance of (2+s)/sqrt(2).
			for s := -1.0; s <= 1; s += 0.125 {
				o := geom.V(-far+2+s, -far-1)
				_, ok := g.CircleCast(o, math.Sqrt2, geom.V(1, 1), math.Inf(1), All)
				if want := s <= 0; s != 0 && ok != want {
					t.Errorf("%v: from %v: %v, want %v", g.Kind(), o, ok, want)
				}
			}
		}
	}
}
