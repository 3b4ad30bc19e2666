package narrow

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// Two outlines may overlap so deeply that no pair of their faces reduces the overlap, as two bars that cross, or a
// block inside another. They are separated by the smallest translation of B along a normal of one of them that parts
// both solids; it may lead into a hollow, or out of one. The manifolds are the outlines' after the translation,
// with the translation subtracted from their separations. For two rectangles this is the contact of two boxes: the
// translation is along the separating axis of smallest overlap.

// overlap is the working memory for outlines that overlap deeply.
type overlap struct {
	crossings []crossing
	deepest   [2][]float64 // see findDeepest
	covers    [2]Cover
	search    Separation
	along     []geom.Vec
	weights   []float64
}

// crossing is a face of A and one of B, by their indices in the collected lists, that cross deeply.
type crossing struct {
	a, b  int32
	depth float64
}

// deepCrossing (cells) is the depth by which two faces that cross must reach behind each other to be examined: more
// than any load presses resting grounds. leastOverlap is the depth to which two parted solids may still overlap, as
// solids that rest on each other do.
const (
	deepCrossing = PinchDepth
	leastOverlap = contact.SpeculativeDistance
)

// stuckDepth (cells) is the depth at which outlines that do not move apart count as stuck: manifolds with
// opposed normals hold them.
const stuckDepth = 0.25

// mostTranslation (cells) is the longest translation that separates two grounds: half the length of two bars that
// cross in the middle. Grounds that need a longer one overlap for ever. So do those that need one of more than
// stepDepth and have many parts: the search ends after it has compared mostCompared pairs of parts.
const (
	mostTranslation = 64
	mostCompared    = 1 << 16
)

// overlaps reports whether the outlines overlap at a place where no manifold reduces the overlap, or have
// overlapped deeply for a while without moving apart. The manifolds are in o.pairs.
func (s *Scratch) overlaps(mem *Memory, in *Input, b *Outline) bool {
	o := &s.outlines
	if in.Chain != nil {
		return false
	}
	n, deepest := 0, 0.0
	if len(o.overlap.crossings) > 0 {
		o.findDeepest(mem)
	}
	for _, c := range o.overlap.crossings {
		if deepest = max(deepest, c.depth); !o.reduces(&c) {
			o.overlap.crossings[n] = c
			n++
		}
	}
	found := n > 0 || len(mem.Manifolds) == 0 && len(o.overlap.crossings) == 0 && s.buried(in, b)
	if stuck := deepest > stuckDepth; (stuck || !mem.Stuck.Idle()) && mem.Stuck.Update(stuck, in.Origin, in.Time,
		in.Pace) {
		mem.Stuck.SetReported()
	}
	o.overlap.crossings = o.overlap.crossings[:n]
	return found || mem.Stuck.Reported() || (deepest > stuckDepth || in.concentric()) && opposedAndDeep(mem.Manifolds)
}

// opposedAndDeep reports whether two deep manifolds are opposed: their normals are more than 120 degrees apart. If all
// normals are within 120 degrees of the first one, it suffices to compare the outermost two.
func opposedAndDeep(manifolds []contact.SurfaceManifold) bool {
	var first, left, right geom.Vec
	for i := range manifolds {
		if manifolds[i].LeastSeparation() > -deepCrossing {
			continue
		}
		n := manifolds[i].Normal
		if first == (geom.Vec{}) {
			first, left, right = n, n, n
		}
		if first.Dot(n) < -0.5 {
			return true
		}
		// Of two normals on one side of the first, the one with the lesser cosine is the outer one.
		switch side := first.Cross(n); {
		case side > 0 && first.Dot(n) < first.Dot(left):
			left = n
		case side < 0 && first.Dot(n) < first.Dot(right):
			right = n
		}
	}
	return left.Dot(right) < -0.5
}

// findDeepest sets o.deepest to the separations of the deepest manifolds of each face of both sides.
func (o *outlines) findDeepest(mem *Memory) {
	for side, e := range [2]*edges{&o.a, &o.b} {
		o.deepest[side] = slices.Grow(o.deepest[side][:0], len(e.list))[:len(e.list)]
		clear(o.deepest[side])
	}
	for k, p := range o.pairs {
		s := mem.Manifolds[k].LeastSeparation()
		a, b := &o.deepest[0][p.a()], &o.deepest[1][p.b()]
		*a, *b = min(*a, s), min(*b, s)
	}
}

// reduces reports whether a manifold of one of the two faces of c is at least half as deep as the faces cross.
func (o *outlines) reduces(c *crossing) bool {
	return min(o.deepest[0][c.a], o.deepest[1][c.b]) <= -0.5*c.depth
}

// keepManifolds drops the manifolds, from the given index on, for which keep returns false.
func (m *Memory) keepManifolds(from int, keep func(*contact.SurfaceManifold) bool) {
	n := from
	for i := from; i < len(m.Manifolds); i++ {
		if keep(&m.Manifolds[i]) {
			m.Manifolds[n], m.Others[n] = m.Manifolds[i], m.Others[i]
			n++
		}
	}
	m.Manifolds, m.Others = m.Manifolds[:n], m.Others[:n]
}

// buried reports whether one of two outlines that do not touch has a face in the other solid, or whether both are
// solid without a face near.
func (s *Scratch) buried(in *Input, b *Outline) bool {
	o := &s.outlines
	inA := func(p geom.Vec) bool { return s.Tiles.Solid(in.Tiles, p.Add(in.Origin)) }
	inB := func(p geom.Vec) bool { return s.Tiles.Solid(b.Tiles, in.At.Q.Inv(p).Add(b.At)) }
	if len(o.a.list) == 0 && len(o.b.list) == 0 {
		p := o.region.box(geom.Identity).Center()
		return inA(p) && inB(p)
	}
	for i := range o.b.list {
		if inA(o.b.list[i].Box.Center()) {
			return true
		}
	}
	for i := range o.a.list {
		if inB(o.a.list[i].Box.Center()) {
			return true
		}
	}
	return false
}

// separate finds the smallest translation of B that separates both grounds, and replaces the manifolds opposed to the
// translation by those that the grounds have after it; all of them by one manifold if the centres are one point.
// Without such a translation separate does nothing.
func (s *Scratch) separate(out *Outcome, mem *Memory, in *Input, b *Outline) {
	n, by := s.leastTranslation(in, b)
	if by == 0 {
		return
	}
	world, leads := in.Frame.Q.Apply(n), false
	if in.concentric() {
		mem.Manifolds, mem.Others = mem.Manifolds[:0], mem.Others[:0]
		s.Matcher.Restart()
		s.push(mem, in, world, by)
		out.Deepest = -by
		return
	}
	mem.keepManifolds(0, func(m *contact.SurfaceManifold) bool {
		along, deepest := m.Normal.Dot(world), m.LeastSeparation()
		leads = leads || along > 0.5 && deepest <= -0.5*by
		return along > 0.5 || along > -opposed && deepest > -deepCrossing
	})
	if leads {
		return
	}
	kept := len(mem.Manifolds)
	s.Matcher.Restart() // its points refer to manifolds that are gone
	origin, ways := in.Origin, b.Ways
	in.Origin, b.Ways = origin.MulAdd(by, n), false
	if sf, ok := s.collect(in, b); ok {
		s.meet(out, mem, in, b, sf)
	}
	in.Origin, b.Ways = origin, ways
	mem.keepManifolds(kept, func(m *contact.SurfaceManifold) bool {
		back := float64(by * m.Normal.Dot(world))
		for k := range m.N {
			p := &m.Points[k]
			p.AnchorB = p.AnchorB.MulAdd(0.5*by, world)
			p.AnchorA = p.AnchorB.Add(in.Apart)
			p.Separation -= back
		}
		return back > 0.5*by
	})
	if len(mem.Manifolds) == kept {
		s.push(mem, in, world, by)
	}
	out.Deepest = 0
	for k := range mem.Manifolds {
		out.Deepest = min(out.Deepest, mem.Manifolds[k].LeastSeparation())
	}
}

// push adds a manifold of one point, at the centre of mass of B's body, that moves B by by cells along n, in world
// axes.
func (s *Scratch) push(mem *Memory, in *Input, n geom.Vec, by float64) {
	m := s.add(mem)
	m.Normal, m.N, m.Features[0].Kind = n, 1, contact.Inside
	p := &m.Points[0]
	if p.AnchorA, p.Separation = in.Apart, -by; in.Fixed {
		p.AnchorA, p.AnchorB = geom.Vec{}, in.Apart.Neg()
	}
	s.Matcher.Inherit(p, &m.Features[0], n)
	s.addOther(mem).Features[0].Kind = contact.Inside
}

// opposed is the cosine above which a normal is opposed to a translation.
const opposed = 1e-3

// weight returns the weight of a translation along n. It is less if all deep manifolds of the step before pushed
// along n, so that two grounds that are being parted keep their direction.
func (s *Scratch) weight(n geom.Vec) float64 {
	weight := 1.0
	for i := range s.Matcher.Old {
		if m := &s.Matcher.Old[i]; m.LeastSeparation() < -deepCrossing {
			if m.Normal.Dot(n) < 0.99 {
				return 1
			}
			weight = 0.5
		}
	}
	return weight
}

// leastTranslation returns the direction, in A's axes, and the distance, in cells, of the smallest translation of B
// that separates both grounds; along b.Aside if the centres are one point. The distance is 0 if they do not overlap, or
// if no translation up to mostTranslation does.
func (s *Scratch) leastTranslation(in *Input, b *Outline) (n geom.Vec, by float64) {
	o := &s.outlines.overlap
	q := in.At.Q
	back := geom.Rot{C: q.C, S: -q.S}
	o.along = o.along[:0]
	for _, d := range [...]geom.Vec{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		o.along = append(o.along, d, q.Apply(d))
	}
	for _, c := range o.crossings {
		if len(o.along) < 24 {
			o.along = append(o.along, s.outlines.a.list[c.a].Normal(), s.outlines.b.list[c.b].Normal().Neg())
		}
	}
	if in.concentric() {
		o.along = append(o.along[:0], b.Aside)
	}
	o.weights = o.weights[:0]
	for _, d := range o.along {
		o.weights = append(o.weights, s.weight(in.Frame.Q.Apply(d)))
	}
	o.search.Compared = 0
	boxA, boxB := b.BoxA.Translate(in.Origin.Neg()), b.Box.Translate(b.At.Neg())
	for reach := stepDepth; reach <= mostTranslation && o.search.Compared <= mostCompared; reach *= 2 {
		var r region
		r.set(boxB, q)
		ra, okA := cellsIn(common(r.box(geom.Identity).Expand(reach), boxA).Translate(in.Origin))
		r.set(boxA.Expand(reach), back)
		rb, okB := cellsIn(common(r.box(geom.Identity), boxB).Translate(b.At))
		if !okA || !okB {
			return n, 0
		}
		o.covers[0].Reset()
		o.covers[0].Add(in.Tiles, ra, in.Origin, geom.Identity)
		o.covers[1].Reset()
		o.covers[1].Add(b.Tiles, rb, b.At, q)
		if k, by, ok := o.search.Least(&o.covers[0], &o.covers[1], o.along, o.weights, leastOverlap, reach); ok {
			return o.along[k], by
		}
	}
	return n, 0
}
