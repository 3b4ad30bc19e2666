package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// The raster misses no box that a query overlaps, also far away, for boxes of all sizes that come, move and go; and
// where there was one and all are gone, it tells so.
func TestRasterMissesNone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	box := func() geom.AABB {
		far := math.Pow(10, r.Float64()*14-1)
		at := geom.V(far*(r.Float64()-0.5), far*(r.Float64()-0.5))
		size := geom.V(math.Pow(10, 5*r.Float64()-3), math.Pow(10, 5*r.Float64()-3))
		return geom.AABB{Min: at, Max: at.Add(size)}
	}
	for range 50 {
		g := raster{inv: 1 / math.Pow(10, 2*r.Float64()-1)}
		var in []geom.AABB
		for range 400 {
			switch k := r.IntN(4); {
			case k < 2 || len(in) == 0:
				b := box()
				g.add(&b, 1)
				in = append(in, b)
			case k == 2:
				i, b := r.IntN(len(in)), box()
				if r.IntN(2) == 0 {
					b = in[i].Translate(geom.V(r.Float64(), r.Float64()))
				}
				g.move(&in[i], &b)
				in[i] = b
			default:
				i := r.IntN(len(in))
				g.add(&in[i], -1)
				in = slices.Delete(in, i, i+1)
			}
			q := box()
			if len(in) > 0 && r.IntN(2) == 0 {
				q = in[r.IntN(len(in))].Translate(geom.V(2*r.Float64()-1, 2*r.Float64()-1))
			}
			if slices.ContainsFunc(in, q.Overlaps) && !g.some(&q) {
				t.Fatalf("the raster has nothing near %v, of %v", q, in)
			}
		}
		for _, b := range in {
			g.add(&b, -1)
		}
		for y := range g.counts {
			for x, n := range g.counts[y] {
				if n != 0 && n != fullCount {
					t.Fatalf("square %d, %d of an empty raster has %d", x, y, n)
				}
			}
		}
		if g.wide != 0 {
			t.Fatalf("an empty raster has %d wide proxies", g.wide)
		}
	}
	g := raster{inv: 1}
	for _, b := range []geom.AABB{
		{Max: geom.V(math.NaN(), 1)},
		{Max: geom.V(math.Inf(1), 1)},
		{Min: geom.V(-1e300, 0)},
	} {
		if !g.some(&b) {
			t.Errorf("the raster tells that nothing is near %v", b)
		}
	}
}
