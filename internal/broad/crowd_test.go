package broad

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

type crowdShapes []crowdShape

func (s crowdShapes) CrowdShape(i int32) crowdShape { return s[i] }
func (s crowdShapes) Excludes(a, b int32) bool      { return false }

// TestKeepAgainstSort: the crowd keeps the pairs that a search and a sort of all pairs would keep,
// in any order of adding the shapes.
func TestKeepAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(crowdLimit-4, 2*crowdLimit).Draw(t, "shapes")
		apart := rapid.SampledFrom([]float64{0, 0.02, 0.05}).Draw(t, "apart")
		all := make(crowdShapes, n)
		for i := range all {
			x := apart * float64(i%16)
			y := rapid.SampledFrom([]float64{0, 0, 0.25, 0.5}).Draw(t, "y")
			all[i] = crowdShape{
				Box: geom.Box(geom.V(x, y), geom.V(x+1, y+1)), Filter: Filter{Category: 1, Mask: 1},
				Body: int32(i / rapid.IntRange(1, 2).Draw(t, "of a body")), Solid: true,
			}
			switch rapid.IntRange(0, 15).Draw(t, "kind") {
			case 0:
				all[i].Solid = false
			case 1:
				all[i].Category, all[i].Mask = 2, 3
			}
		}
		near := func(i int) (near []int32, at int) {
			for k := range all {
				if all[k].Box.Overlaps(all[i].Box) {
					if k == i {
						at = len(near)
					}
					near = append(near, int32(k))
				}
			}
			return near, at
		}
		meet := func(i, k int) bool {
			a, b := all[i], all[k]
			return b.Solid && a.Body != b.Body && a.Category&b.Mask != 0 && b.Category&a.Mask != 0 &&
				a.Box.Overlaps(b.Box)
		}

		// By all pairs.
		crowded := make([]bool, n)
		var want, choices []choice
		for i := range all {
			if !all[i].Solid {
				continue
			}
			var mine []choice
			for k := range all {
				if meet(i, k) {
					mine = append(mine, choice{overlapDepth(all[i].Box, all[k].Box), crowdPair{
						int32(min(i, k)),
						int32(max(i, k)),
					}})
				}
			}
			if crowded[i] = len(mine) > crowdLimit; crowded[i] {
				slices.SortFunc(mine, func(p, q choice) int { // nearer slots first, then lower ones
					if c := (choice{p.depth, crowdPair{0, p.B - p.A}}).compare(choice{
						q.depth,
						crowdPair{0, q.B - q.A},
					}); c != 0 {
						return c
					}
					return int(p.A+p.B) - int(q.A+q.B)
				})
				choices = append(choices, mine[:keep]...)
			}
		}
		slices.SortFunc(choices, choice.compare)
		counts := map[int32]int{}
		for _, p := range slices.Compact(choices) {
			a, b := all[p.A].Body, all[p.B].Body
			if crowded[p.A] && crowded[p.B] {
				if counts[a] == most || counts[b] == most {
					continue
				}
				counts[a]++
				counts[b]++
			}
			want = append(want, p)
		}

		var c crowd
		for step := range uint64(2) {
			c.Begin(step + 1)
			order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
				for i := range all {
					if !yield(i) {
						return
					}
				}
			})).Draw(t, "order")
			add := func(i int) {
				if list, at := near(i); all[i].Solid && c.Add(all, int32(i), list, at, int32(n)) != crowded[i] {
					t.Fatalf("shape %d: crowded %v, not %v", i, !crowded[i], crowded[i])
				}
			}
			for _, i := range order[:rapid.IntRange(n-20, n).Draw(t, "first")] {
				add(i)
			}
			for i, ok := c.Next(); ok; i, ok = c.Next() { // the others overlap members, unless there are none
				add(int(i))
			}
			if len(c.Members) == 0 {
				continue
			}
			kept := c.Keep()
			if len(kept) != len(want) {
				t.Fatalf("%d pairs kept, not %d", len(kept), len(want))
			}
			for k, p := range kept {
				if p != want[k].crowdPair {
					t.Fatalf("pair %d is %v, not %v", k, p, want[k].crowdPair)
				}
			}
			if !slices.IsSortedFunc(c.Members, func(a, b CrowdMember) int { return int(a.Shape) - int(b.Shape) }) {
				t.Fatal("the members are not in the order of slots")
			}
		}
	})
}
