package rows

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/solve"
)

// TestList: the manifolds come group by group, and in each in the order in which they were added, each with its link;
// and the hits in that order, whichever worker took them.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List
		for range 2 { // a list is used in each step
			workers := rapid.IntRange(1, 4).Draw(t, "workers")
			l.Begin(workers, 1)
			parts := rapid.IntRange(1, 3).Draw(t, "parts")
			l.Reset(parts)
			part := 0
			var in [groups][]Ref
			for i := range int32(rapid.IntRange(0, 20).Draw(t, "contacts")) {
				ref := Ref{Contact: i, Index: rapid.Int32Range(0, 3).Draw(t, "index")}
				g := Group(rapid.IntRange(0, int(groups)-1).Draw(t, "group"))
				in[g] = append(in[g], ref)
				part = rapid.IntRange(part, parts-1).Draw(t, "part")
				r, k := l.Part(part).Add(g)
				*r, *k = ref, solve.Link{A: i, B: ref.Index, N: 1, Static: g != Free}
			}
			if free := l.Finish(); free != len(in[Free]) {
				t.Fatalf("%d manifolds are free, not %d", free, len(in[Free]))
			}
			all := slices.Concat(in[:]...)
			if len(l.Links()) != len(all) {
				t.Fatalf("%d links of %d manifolds", len(l.Links()), len(all))
			}
			for i, ref := range all {
				k := l.Links()[i]
				if *l.At(int32(i)) != ref || k.A != ref.Contact || k.B != ref.Index ||
					k.Static != (i >= len(in[Free])) {
					t.Fatalf("%d is %v with %+v, not %v", i, *l.At(int32(i)), k, ref)
				}
			}
			var hits []int32
			order := rapid.Permutation(l.Links()).Draw(t, "order")
			for _, k := range order {
				i := int32(slices.Index(all, Ref{Contact: k.A, Index: k.B}))
				m := contact.Manifold{N: 1}
				x := solve.Impulses{Roll: 0.5}
				x.Points[0] = solve.PointImpulses{
					Normal: 1, Tangent: 2, Most: float32(i % 2),
					Velocity: -float32(i % 3),
				}
				l.Take(rapid.IntRange(0, workers-1).Draw(t, "worker"), i, &m, &x)
				if p := m.Points[0]; m.RollImpulse != 0.5 || p.NormalImpulse != 1 || p.TangentImpulse != 2 {
					t.Fatalf("taken: %+v", m)
				}
				if i%2 > 0 && i%3 >= 1 {
					hits = append(hits, i)
				}
			}
			slices.Sort(hits)
			var got []int32
			for _, h := range l.Hits() {
				got = append(got, h.Manifold)
			}
			if !slices.Equal(got, hits) {
				t.Fatalf("hits %v, not %v", got, hits)
			}
		}
	})
}
