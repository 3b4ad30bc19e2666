package collide

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// maxSeparation passes over edges by one vertex or two, and finds the same edge and the same bits as a comparison of
// all edges with all vertices: the first edge with the largest separation above least.
func TestMaxSeparationComparesAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		withEdges := rapid.Custom(func(t *rapid.T) Hull { return drawHull(t, "hull") }).Filter(func(h Hull) bool {
			return h.N >= 2
		})
		p, g := withEdges.Draw(t, "p"), withEdges.Draw(t, "q")
		var q Hull
		q.place(&g, drawFrame(t, 3, "frame"))
		least := -math.MaxFloat64
		if rapid.Bool().Draw(t, "bounded") {
			least = rapid.Float64Range(-3, 1).Draw(t, "least")
		}
		at, s := maxSeparation(&p, &q, least, math.MaxFloat64)
		wantAt, want := 0, least
		for i := range p.N {
			d := math.MaxFloat64
			for k := range q.N {
				d = min(d, p.Nrm[i].Dot(q.V[k].Sub(p.V[i])))
			}
			if d > want {
				wantAt, want = i, d
			}
		}
		if at != wantAt || s != want {
			t.Fatalf("edge %d with separation %g, not edge %d with %g", at, s, wantAt, want)
		}
	})
}
