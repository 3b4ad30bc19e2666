package surface

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// A comb is a set of tops in one line with gaps between them: pillars, battlements, a
// grating. The tops are separate runs. A rigid shape on many of them would have two points
// on each, of which all but the outermost two are redundant; and since a resting shape
// overlaps the line by the slop, its corner would run into the side of the next pillar. So
// for a shape that lies on the line, and is in no gap, the tops under it are one face, from
// the first to the last: the face that would be there if the gaps were filled. The sides of
// the pillars are then below the shape, and do not collide.
//
// Combs are formed for shapes with edges: a circle is on one top at a time, and goes into every
// gap. On the ground they are formed for lines along its axes, where tops of blocks lie; on a chain
// for faces in one line, as of battlements.
//
// Coordinates are relative to the query's origin. Lattice coordinates are so far apart that a comparison to RunSlop
// finds equal ones.
type comb struct {
	line   lineID
	t, n   geom.Vec // unit vectors along the tops and out of them
	height float64  // of the line along n
	lo, hi float64  // interval along t where the shape's edge is on the line
	over   float64  // length of the tops in that interval

	from, to float64 // of the tops under the shape along t,
	a, b     int     // the tops that begin and end there,
	first    int     // and the first top in the list, -1: none
	inA, inB float64 // the last concave start of a top along t, and the first concave end
}

// CombDip (units of length) is how deep below the line of a comb a shape in no gap may be: a
// resting shape is half as deep. A shape that dips deeper into a gap meets the gap's sides.
const CombDip = 2 * geom.LinearSlop

// CombHold (units of length) is the smallest length of tops under a shape that rests on the line: a
// shape on less may be on its way down beside it.
const CombHold = 2 * CombDip

// lineID identifies the line of a face.
type lineID struct {
	at   int64
	side uint8
}

// name returns the line as a feature, for the table.
func (l lineID) name() contact.Feature { return contact.Feature{X: l.at, Y: int64(l.side)} }

// topFaces is the producer of the faces of combs.
type topFaces interface {
	line(k int) (lineID, bool)                             // of face k; false if it cannot be a top
	local(f *collide.Face, k int)                          // sets f to face k
	vertex(f *contact.Feature) (p geom.Vec, isVertex bool) // the vertex that names a point
}

// combs finds the combs that one shape lies on. It keeps its memory.
type combs struct {
	lines  []combLine
	lineOf contact.Table // of lines
	list   []comb
	tops   []int32 // the candidates before one face replaced the tops of a comb
	face   collide.Face
}

// combLine is a line with tops near the shape.
type combLine struct {
	id   lineID
	tops int32 // number of tops
	top  int32 // one of them
}

// setLine sets the line of k to the line of the face f.
func (k *comb) setLine(f *collide.Face) {
	e := f.B.Sub(f.A)
	switch {
	case e.Y == 0: // exactly along an axis
		k.t = geom.Vec{X: math.Copysign(1, e.X)}
	case e.X == 0:
		k.t = geom.Vec{Y: math.Copysign(1, e.Y)}
	default:
		k.t, _ = e.Unit()
	}
	k.n = k.t.Right()
	k.height = k.n.Dot(f.A)
}

// on reports whether p is on the line of k.
func (k *comb) on(p geom.Vec) bool { return math.Abs(k.n.Dot(p)-k.height) <= RunSlop }

// find finds the combs that the hull h, in the frame at, lies on, among the candidate faces of
// src, and reports whether there are any. In the candidates, the number gathered+j then replaces
// the tops of comb j, and the sides of the pillars are left out.
func (c *combs) find(src topFaces, candidates []int32, gathered int, h *collide.Hull,
	at geom.Transform,
) ([]int32, bool) {
	c.list = c.list[:0]
	if !c.findLines(src, candidates) {
		return candidates, false
	}
	f := &c.face
	for j := range c.lines {
		if l := &c.lines[j]; l.tops > 1 {
			src.local(f, int(l.top))
			k := comb{line: l.id, first: -1, inA: math.Inf(-1), inB: math.Inf(1)}
			if k.setLine(f); k.supports(h, at) {
				c.list = append(c.list, k)
			}
		}
	}
	if len(c.list) == 0 {
		return candidates, false
	}
	for _, i := range candidates {
		if id, ok := src.line(int(i)); ok {
			if of := c.of(id); of != nil {
				src.local(f, int(i))
				of.add(int(i), f)
			}
		}
	}
	n := 0
	for j := range c.list {
		if k := &c.list[j]; k.over >= CombHold && k.inA <= k.from && k.inB >= k.to {
			c.list[n] = *k
			n++
		}
	}
	c.list = c.list[:n]
	if n == 0 {
		return candidates, false
	}
	c.tops = append(c.tops[:0], candidates...)
	candidates = candidates[:0]
	for _, i := range c.tops {
		if k, done := c.combed(src, int(i)); k >= 0 && !done {
			candidates = append(candidates, int32(gathered+k))
		} else if !done {
			candidates = append(candidates, i)
		}
	}
	return candidates, true
}

// findLines finds the lines of the candidates, and reports whether one has two tops. Mostly none
// has, and the search for combs ends here.
func (c *combs) findLines(src topFaces, candidates []int32) bool {
	c.lines = c.lines[:0]
	some := false
	c.lineOf.Clear()
next:
	for _, i := range candidates {
		id, ok := src.line(int(i))
		if !ok {
			continue
		}
		if n := len(c.lines); n > contact.Few {
			c.lineOf.Reserve(n + 1)
			for ; c.lineOf.Entered < n; c.lineOf.Entered++ {
				c.lineOf.Put(c.lines[c.lineOf.Entered].id.name(), int32(2*c.lineOf.Entered))
			}
			for k := c.lineOf.First(id.name()); k > 0; k = c.lineOf.Next(k) {
				if m := &c.lines[(k-1)>>1]; m.id == id {
					m.tops++
					some = true
					continue next
				}
			}
		} else {
			for j := range c.lines {
				if m := &c.lines[j]; m.id == id {
					m.tops++
					some = true
					continue next
				}
			}
		}
		c.lines = append(c.lines, combLine{id: id, tops: 1, top: i})
	}
	return some
}

// of returns the comb of a line, or nil.
func (c *combs) of(id lineID) *comb {
	for j := range c.list {
		if k := &c.list[j]; k.line == id {
			return k
		}
	}
	return nil
}

// supports reports whether no part of the hull h, in the frame at, is more than CombDip
// below the line, and finds the interval where the core's edge that faces the line is on it.
func (k *comb) supports(h *collide.Hull, at geom.Transform) bool {
	n, t := k.n, k.t
	ground := k.height + h.Radius
	edge, least := 0, math.MaxFloat64
	for i := range h.N {
		if n.Dot(at.Apply(h.V[i]))-ground < -CombDip {
			return false
		}
		if d := n.Dot(at.Q.Apply(h.Nrm[i])); d < least {
			edge, least = i, d
		}
	}
	a, b := at.Apply(h.V[edge]), at.Apply(h.V[(edge+1)%h.N])
	ha, hb := n.Dot(a)-ground, n.Dot(b)-ground
	xa, xb := t.Dot(a), t.Dot(b)
	const near = contact.SpeculativeDistance
	switch {
	case ha > near && hb > near:
		return false
	case ha > near:
		xa += float64((xb - xa) * ((ha - near) / (ha - hb)))
	case hb > near:
		xb += float64((xa - xb) * ((hb - near) / (hb - ha)))
	}
	k.lo, k.hi = min(xa, xb), max(xa, xb)
	return true
}

// add adds the top f, face i, to the comb, if the shape lies on it.
func (k *comb) add(i int, f *collide.Face) {
	from, to := k.t.Dot(f.A), k.t.Dot(f.B)
	over := min(to, k.hi) - max(from, k.lo)
	if over <= 0 {
		return
	}
	k.over += over
	if k.first < 0 {
		k.from, k.to, k.a, k.b, k.first = from, to, i, i, i
	}
	if from < k.from {
		k.from, k.a = from, i
	}
	if to > k.to {
		k.to, k.b = to, i
	}
	if f.HasGhost1 && k.n.Dot(f.Ghost1) > k.height+RunSlop {
		k.inA = max(k.inA, from)
	}
	if f.HasGhost2 && k.n.Dot(f.Ghost2) > k.height+RunSlop {
		k.inB = min(k.inB, to)
	}
}

// combed returns the comb of which face i is a top, or -1. done reports whether the face is left out: a side of a
// pillar, or a top under the shape other than the first, which the comb's face replaces.
func (c *combs) combed(src topFaces, i int) (of int, done bool) {
	id, isTop := src.line(i)
	f := &c.face
	src.local(f, i)
	for j := range c.list {
		k := &c.list[j]
		if isTop && id == k.line {
			return j, i != k.first
		}
		if math.Abs(k.t.Dot(f.B.Sub(f.A))) > RunSlop {
			continue // not square to the tops
		}
		a, b := k.n.Dot(f.A)-k.height, k.n.Dot(f.B)-k.height
		if math.Abs(a) <= RunSlop && b < -RunSlop && f.HasGhost1 && k.on(f.Ghost1) ||
			math.Abs(b) <= RunSlop && a < -RunSlop && f.HasGhost2 && k.on(f.Ghost2) {
			return -1, true
		}
	}
	return -1, false
}

// duplicates reports whether the point id on face i, which is not a top, duplicates a comb: it is
// at an end of the face, on the comb's line, within its tops, with its normal.
func (c *combs) duplicates(src topFaces, id collide.FeatureID, i int, normal geom.Vec) bool {
	if !id.CornerA() && !id.CornerB() {
		return false
	}
	f := &c.face
	src.local(f, i)
	p := f.A
	if id.CornerB() {
		p = f.B
	}
	for j := range c.list {
		k := &c.list[j]
		if x := k.t.Dot(p); k.on(p) && k.from-RunSlop <= x && x <= k.to+RunSlop &&
			normal.Dot(k.n) >= contact.SameNormal {
			return true
		}
	}
	return false
}

// topUnder returns the face nearest to the place at, of the tops on the line of comb j.
func (c *combs) topUnder(src topFaces, j int, at geom.Vec) int {
	k := &c.list[j]
	f := &c.face
	x := k.t.Dot(at)
	best, least := k.first, math.MaxFloat64
	for _, i := range c.tops {
		if id, ok := src.line(int(i)); !ok || id != k.line {
			continue
		}
		src.local(f, int(i))
		if d := max(k.t.Dot(f.A)-x, x-k.t.Dot(f.B), 0); d < least {
			best, least = int(i), d
		}
	}
	return best
}

// takeLoad initialises the impulses of m, on the comb k of src, with the sum and the torque of
// from the old manifolds that it replaces. When a shape comes to lie on one pillar more
// or less, the whole load moves at once, without a jerk.
func takeLoad(src topFaces, m *contact.SurfaceManifold, old []contact.SurfaceManifold, k *comb) {
	t := m.Normal.Left()
	var push, rub, turn float64
	for j := range old {
		o := &old[j]
		if !k.replaces(src, o, m) {
			continue
		}
		for i := range o.N {
			p := &o.Points[i]
			push += float64(p.NormalImpulse)
			rub += float64(p.TangentImpulse)
			turn += float64(float64(p.NormalImpulse) * t.Dot(p.AnchorB))
		}
	}
	if push == 0 {
		return
	}
	second := 0.0 // the fraction of the second point
	if m.N > 1 {
		x0, x1 := t.Dot(m.Points[0].AnchorB), t.Dot(m.Points[1].AnchorB)
		second = 0.5
		if x0 != x1 {
			second = max(0, min(1, (turn/push-x0)/(x1-x0)))
		}
	}
	for i := range m.N {
		f := second
		if i == 0 {
			f = 1 - second
		}
		m.Points[i].NormalImpulse, m.Points[i].TangentImpulse = float32(f*push), float32(f*rub)
	}
}

// replaces reports whether m, on k, replaces the old manifold o: at the same height, with
// the same normal, and, if o is one point at a vertex, within the tops of k.
func (k *comb) replaces(src topFaces, o, m *contact.SurfaceManifold) bool {
	if o.N == 0 || o.Normal.Dot(m.Normal) < contact.SameNormal {
		return false
	}
	for i := range o.N {
		if math.Abs(m.Normal.Dot(o.Points[i].AnchorA.Sub(m.Points[0].AnchorA))) >= contact.SpeculativeDistance {
			return false
		}
	}
	if o.N > 1 {
		return true
	}
	p, isVertex := src.vertex(&o.Features[0])
	if !isVertex {
		return true
	}
	x := k.t.Dot(p)
	return k.on(p) && k.from-RunSlop <= x && x <= k.to+RunSlop
}
