package surface

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
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
// Combs are formed for lines along the axes of the ground, where tops of blocks lie, and for
// shapes with edges: a circle is on one top at a time, and goes into every gap.
type comb struct {
	t, n   gridseg.Point // unit vectors along the tops and out of them
	line   int64         // position of the line along n, in lattice steps
	lo, hi float64       // interval along t, relative to origin, where the shape's edge is on the line
	over   float64       // length of the tops in that interval, cells

	run      gridseg.Run // the tops under the shape, as one; its ends
	from, to int64       // along t, and
	first    int         // the index of the first top in the list, -1: none
	inA, inB int64       // the last concave start of a top along t, and the first concave end
}

// CombDip (cells) is how deep below the line of a comb a shape in no gap may be: a resting
// shape is half as deep. A shape that dips deeper into a gap meets the gap's sides.
const CombDip = 2 * geom.LinearSlop

// CombHold (cells) is the least length of tops under a shape that rests on the line: a shape
// on less may be on its way down beside it.
const CombHold = 2 * CombDip

// level sets the line of k to that of the run r. It returns false if r is not along an axis.
func (k *comb) level(r *gridseg.Run) bool {
	switch {
	case r.A.Y == r.B.Y && r.A.X > r.B.X:
		k.t, k.n, k.line = gridseg.Point{X: -1}, gridseg.Point{Y: 1}, r.A.Y
	case r.A.Y == r.B.Y:
		k.t, k.n, k.line = gridseg.Point{X: 1}, gridseg.Point{Y: -1}, -r.A.Y
	case r.A.X == r.B.X && r.A.Y < r.B.Y:
		k.t, k.n, k.line = gridseg.Point{Y: 1}, gridseg.Point{X: 1}, r.A.X
	case r.A.X == r.B.X:
		k.t, k.n, k.line = gridseg.Point{Y: -1}, gridseg.Point{X: -1}, -r.A.X
	default:
		return false
	}
	return true
}

// along and above return the coordinates of p along the line of k and along its normal.
func (k *comb) along(p gridseg.Point) int64 { return k.t.X*p.X + k.t.Y*p.Y }
func (k *comb) above(p gridseg.Point) int64 { return k.n.X*p.X + k.n.Y*p.Y }

// axis returns a unit lattice vector as a float vector.
func axis(p gridseg.Point) geom.Vec { return geom.Vec{X: float64(p.X), Y: float64(p.Y)} }

// FindCombs finds the combs that the hull h, in the frame at, lies on, among the candidate
// runs, and reports whether there are any. In the candidates, one run then replaces the tops
// of each comb, and the sides of the pillars are left out.
func (sq *Query) FindCombs(h *collide.Hull, at geom.Transform, origin geom.Vec) bool {
	sq.combs = sq.combs[:0]
	if !sq.findLines() {
		return false
	}
	for j := range sq.lines {
		if l := &sq.lines[j]; l.tops > 1 {
			k := comb{first: -1, inA: math.MinInt64, inB: math.MaxInt64}
			k.level(&sq.Runs.List[l.top])
			if k.supports(h, at, origin) {
				sq.combs = append(sq.combs, k)
			}
		}
	}
	if len(sq.combs) == 0 {
		return false
	}
	for _, i := range sq.Candidates {
		r := &sq.Runs.List[i]
		var k comb
		if !k.level(r) {
			continue
		}
		if of := sq.combOf(k.n, k.line); of != nil {
			of.add(int(i), r, origin)
		}
	}
	n := 0
	for j := range sq.combs {
		if k := &sq.combs[j]; k.over >= CombHold && k.inA <= k.from && k.inB >= k.to {
			sq.combs[n] = *k
			n++
		}
	}
	sq.combs = sq.combs[:n]
	if n == 0 {
		return false
	}
	sq.tops = append(sq.tops[:0], sq.Candidates...)
	sq.Candidates = sq.Candidates[:0]
	for _, i := range sq.tops {
		if k, done := sq.combed(int(i)); k >= 0 && !done {
			sq.Candidates = append(sq.Candidates, int32(sq.Gathered+k))
		} else if !done {
			sq.Candidates = append(sq.Candidates, i)
		}
	}
	for j := range sq.combs {
		sq.Runs.List = append(sq.Runs.List, sq.combs[j].run)
	}
	return true
}

// combLine is a line with tops near the shape.
type combLine struct {
	at   int64 // its y, or its x if it is vertical
	side uint8 // its direction, one of four
	tops int32 // number of tops
	top  int32 // index of one of them
}

// name returns the line as a feature, for the table.
func (l *combLine) name() contact.Feature { return contact.Feature{X: l.at, Y: int64(l.side)} }

// findLines finds the lines of the candidate runs, and reports whether one has two tops.
// Mostly none has, and the search for combs ends here.
func (sq *Query) findLines() bool {
	sq.lines = sq.lines[:0]
	some := false
	sq.lineOf.Clear()
next:
	for _, i := range sq.Candidates {
		r := &sq.Runs.List[i]
		l := combLine{tops: 1, top: i}
		switch {
		case r.A.Y == r.B.Y:
			l.at = r.A.Y
			if r.A.X < r.B.X {
				l.side = 1
			}
		case r.A.X == r.B.X:
			l.at, l.side = r.A.X, 2
			if r.A.Y < r.B.Y {
				l.side = 3
			}
		default:
			continue
		}
		if n := len(sq.lines); n > contact.Few {
			sq.lineOf.Reserve(n + 1)
			for ; sq.lineOf.Entered < n; sq.lineOf.Entered++ {
				sq.lineOf.Put(sq.lines[sq.lineOf.Entered].name(), int32(2*sq.lineOf.Entered))
			}
			for k := sq.lineOf.First(l.name()); k > 0; k = sq.lineOf.Next(k) {
				if m := &sq.lines[(k-1)>>1]; m.at == l.at && m.side == l.side {
					m.tops++
					some = true
					continue next
				}
			}
			sq.lines = append(sq.lines, l)
			continue
		}
		for j := range sq.lines {
			if m := &sq.lines[j]; m.at == l.at && m.side == l.side {
				m.tops++
				some = true
				continue next
			}
		}
		sq.lines = append(sq.lines, l)
	}
	return some
}

// combOf returns the comb of a line, or nil.
func (sq *Query) combOf(n gridseg.Point, line int64) *comb {
	for j := range sq.combs {
		if k := &sq.combs[j]; k.line == line && k.n == n {
			return k
		}
	}
	return nil
}

// supports reports whether no part of the hull h, in the frame at, is more than CombDip
// below the line, and finds the interval where the core's edge that faces the line is on it.
func (k *comb) supports(h *collide.Hull, at geom.Transform, origin geom.Vec) bool {
	n, t := axis(k.n), axis(k.t)
	ground := float64(float64(k.line)/Lattice) - n.Dot(origin) + h.Radius
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

// add adds the top r, number i of the list, to the comb, if the shape lies on it.
func (k *comb) add(i int, r *gridseg.Run, origin geom.Vec) {
	from, to := k.along(r.A), k.along(r.B)
	o := axis(k.t).Dot(origin)
	over := min(float64(float64(to)/Lattice)-o, k.hi) - max(float64(float64(from)/Lattice)-o, k.lo)
	if over <= 0 {
		return
	}
	k.over += over
	if k.first < 0 {
		k.run, k.from, k.to, k.first = *r, from, to, i
	}
	if from < k.from {
		k.from, k.run.A, k.run.Ghost1, k.run.HasGhost1 = from, r.A, r.Ghost1, r.HasGhost1
	}
	if to > k.to {
		k.to, k.run.B, k.run.Ghost2, k.run.HasGhost2 = to, r.B, r.Ghost2, r.HasGhost2
	}
	if r.HasGhost1 && k.above(r.Ghost1) > k.line {
		k.inA = max(k.inA, from)
	}
	if r.HasGhost2 && k.above(r.Ghost2) > k.line {
		k.inB = min(k.inB, to)
	}
}

// combed returns the comb of which run i of the list is a top, or -1. done reports whether
// the run is left out: a side of a pillar, or any top under the shape but the first, which
// the comb's run replaces.
func (sq *Query) combed(i int) (of int, done bool) {
	r := &sq.Runs.List[i]
	for j := range sq.combs {
		k := &sq.combs[j]
		a, b := k.above(r.A), k.above(r.B)
		switch {
		case a == k.line && b == k.line:
			if k.along(r.A) < k.along(r.B) {
				return j, i != k.first
			}
		case a == k.line && b < a && k.along(r.A) == k.along(r.B):
			if r.HasGhost1 && k.above(r.Ghost1) == k.line {
				return -1, true
			}
		case b == k.line && a < b && k.along(r.A) == k.along(r.B):
			if r.HasGhost2 && k.above(r.Ghost2) == k.line {
				return -1, true
			}
		}
	}
	return -1, false
}

// OfComb implements Faces: a point at an end of run i, which is not a top, duplicates a comb if it
// is on its line, within its tops, with its normal.
func (sq *Query) OfComb(id collide.FeatureID, i int, normal geom.Vec) bool {
	p := sq.Runs.List[i].A
	switch {
	case i >= sq.Gathered:
		return false
	case id.CornerB():
		p = sq.Runs.List[i].B
	case !id.CornerA():
		return false
	}
	for j := range sq.combs {
		k := &sq.combs[j]
		if x := k.along(p); k.above(p) == k.line && k.from <= x && x <= k.to && normal.Dot(axis(k.n)) >= contact.SameNormal {
			return true
		}
	}
	return false
}

// topUnder returns the index of the run nearest to the place at, of the tops on the line of
// k.
func (sq *Query) topUnder(k *comb, at, origin geom.Vec) int {
	t := axis(k.t)
	x, o := t.Dot(at), t.Dot(origin)
	best, least := k.first, math.MaxFloat64
	for _, i := range sq.tops {
		r := &sq.Runs.List[i]
		if k.above(r.A) != k.line || k.above(r.B) != k.line || k.along(r.A) > k.along(r.B) {
			continue
		}
		from, to := float64(float64(k.along(r.A))/Lattice)-o, float64(float64(k.along(r.B))/Lattice)-o
		if d := max(from-x, x-to, 0); d < least {
			best, least = int(i), d
		}
	}
	return best
}

// TakeLoad implements Faces: m gets the impulses if it has a point that is new.
func (sq *Query) TakeLoad(m *contact.Manifold, i int, mt *contact.Matcher) {
	if i >= sq.Gathered && mt.Cold > 0 {
		takeLoad(m, mt.Old, &sq.combs[i-sq.Gathered])
	}
	mt.Cold = 0
}

// TakeLoad is Query.TakeLoad for a comb with the tops from the start to the end of the run tops.
func TakeLoad(m *contact.Manifold, old []contact.Manifold, tops *gridseg.Run) {
	var k comb
	k.level(tops)
	k.from, k.to = k.along(tops.A), k.along(tops.B)
	takeLoad(m, old, &k)
}

// takeLoad initialises the impulses of m, on the comb k, with the sum and the torque of
// those of the old manifolds that it replaces. When a shape comes to lie on one pillar more
// or less, the whole load moves at once, without a jerk.
func takeLoad(m *contact.Manifold, old []contact.Manifold, k *comb) {
	t := m.Normal.Left()
	var push, rub, turn float64
	for j := range old {
		o := &old[j]
		if !k.replaces(o, m) {
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
func (k *comb) replaces(o, m *contact.Manifold) bool {
	if o.N == 0 || o.Normal.Dot(m.Normal) < contact.SameNormal {
		return false
	}
	for i := range o.N {
		if math.Abs(m.Normal.Dot(o.Points[i].AnchorA.Sub(m.Points[0].AnchorA))) >= contact.SpeculativeDistance {
			return false
		}
	}
	f := &o.Points[0].Feature
	if o.N > 1 || f.Kind != contact.Vertex {
		return true
	}
	p := gridseg.Point{X: f.X, Y: f.Y}
	return k.above(p) == k.line && k.from <= k.along(p) && k.along(p) <= k.to
}
