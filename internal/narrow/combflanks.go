package narrow

import (
	"cmp"
	"slices"
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
)

// combFlanks is the working memory of dropCombFlanks.
type combFlanks struct {
	tops  []combTop
	rests []rest
	gone  []bool // of the manifolds
}

// combTop is the line of the top beside a face that may be the flank of a pillar.
type combTop struct {
	manifold int32   // of the face
	sign     float64 // 1 if the face is of side A of the contact, or -1
	p, n     geom.Vec
	from, to int32 // the manifolds that rest on the line, in combFlanks.rests
}

// rest is a manifold with the height of its first point along the normal of a line.
type rest struct {
	manifold int32
	height   float64
}

// dropCombFlanks drops the manifolds of the flanks of combs. A comb is tops in one line with gaps between them (see
// surface/comb.go). An outline that lies on a comb overlaps the line by the slop, or touches it to rounding, so its
// corner would run into the flank of each pillar. The comb may be on either side of the contact.
func (s *Scratch) dropCombFlanks(mem *Memory, in *Input) {
	f, n := &s.outlines.flanks, len(mem.Manifolds)
	if f.tops = f.tops[:0]; n < 2 {
		return
	}
	for k, at := range s.outlines.pairs {
		a, b := &s.outlines.a.list[at.a()], &s.outlines.b.list[at.b()]
		f.addTops(mem, in, k, a, b, 1)
		f.addTops(mem, in, k, b, a, -1)
	}
	if len(f.tops) == 0 {
		return
	}
	f.findRests(mem)
	f.gone = slices.Grow(f.gone[:0], n)[:n]
	clear(f.gone)
	left := n
	for i := range f.tops {
		t := &f.tops[i]
		if left > 1 && !f.gone[t.manifold] && f.isFlank(t) {
			f.gone[t.manifold] = true
			left--
		}
	}
	kept := 0
	for k := range mem.Manifolds {
		if !f.gone[k] {
			mem.Manifolds[kept], mem.Others[kept], s.outlines.pairs[kept] = mem.Manifolds[k], mem.Others[k],
				s.outlines.pairs[k]
			kept++
		}
	}
	mem.Manifolds, mem.Others, s.outlines.pairs = mem.Manifolds[:kept], mem.Others[:kept], s.outlines.pairs[:kept]
}

// addTops adds the tops beside the face e of manifold k, below which the other face o hardly reaches.
func (f *combFlanks) addTops(mem *Memory, in *Input, k int, e, o *collide.Edge, sign float64) {
	m := &mem.Manifolds[k]
	if m.N > 1 && m.Points[0].AnchorB.Sub(m.Points[1].AnchorB).Len2() > surface.CombDip*surface.CombDip {
		return
	}
	for end := range 2 {
		p, n, ok := e.Corner(end)
		if !ok {
			continue
		}
		if dip := o.Lowest(p, n); dip < -surface.CombDip || dip > surface.RunSlop {
			continue
		}
		f.tops = append(f.tops, combTop{manifold: int32(k), sign: sign, p: in.Frame.Q.Apply(p), n: in.Frame.Q.Apply(n)})
	}
}

// findRests finds the manifolds that rest on the line of each top, once for all tops of one normal.
func (f *combFlanks) findRests(mem *Memory) {
	slices.SortStableFunc(f.tops, func(a, b combTop) int {
		return cmp.Or(cmp.Compare(a.sign, b.sign), cmp.Compare(a.n.X, b.n.X), cmp.Compare(a.n.Y, b.n.Y))
	})
	f.rests = f.rests[:0]
	first := 0
	for i := range f.tops {
		t := &f.tops[i]
		if i == 0 || t.n != f.tops[i-1].n || t.sign != f.tops[i-1].sign {
			first = len(f.rests)
			for k := range mem.Manifolds {
				if r := &mem.Manifolds[k]; float64(t.sign*r.Normal.Dot(t.n)) >= 1-surface.RunSlop {
					// The place of its first point on the surface of the top's side.
					on := r.Points[0].AnchorB.MulAdd(-0.5*t.sign*r.Points[0].Separation, r.Normal)
					f.rests = append(f.rests, rest{int32(k), t.n.Dot(on)})
				}
			}
			slices.SortFunc(f.rests[first:], func(a, b rest) int {
				return cmp.Or(cmp.Compare(a.height, b.height), cmp.Compare(a.manifold, b.manifold))
			})
		}
		all, height := f.rests[first:], t.n.Dot(t.p)
		t.from = int32(first + sort.Search(len(all), func(j int) bool {
			return all[j].height > height-surface.CombDip
		}))
		t.to = int32(first + sort.Search(len(all), func(j int) bool { return all[j].height >= height+surface.CombDip }))
	}
	slices.SortStableFunc(f.tops, func(a, b combTop) int { return cmp.Compare(a.manifold, b.manifold) })
}

// isFlank reports whether a manifold of another face than the one beside the top t rests on the line of t.
func (f *combFlanks) isFlank(t *combTop) bool {
	for _, r := range f.rests[t.from:t.to] {
		if r.manifold != t.manifold && !f.gone[r.manifold] {
			return true
		}
	}
	return false
}
