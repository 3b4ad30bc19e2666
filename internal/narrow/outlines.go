package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/surface"
)

// Outline is a ground as side B of a contact with the ground or chain of an Input; the Input's shape is not used.
// Interior tiles never collide: the straight runs of one outline are compared in pairs with the other's, or
// with the faces of the chain; see collide.Edges.
type Outline struct {
	Tiles *surface.Tiles
	Box   geom.AABB // of its tiles, in cells
	BoxA  geom.AABB // of the tiles of the other ground, in its cells
	At    geom.Vec  // the centre of mass of its body, in cells
	Aside geom.Vec  // see Aside
	Platforms
}

// outlines is the working memory of Outlines.
type outlines struct {
	other  surface.Filter // the tiles of side B near side A
	stops  [2]platforms   // the one-way tiles of A and of B
	a, b   edges
	region region // common part of the boxes of both sides
	near   facePairs
	sides  sides
	pairs  []facePair // of each manifold
	room   []Opposite // for side B of contacts that need room, see addOther
	flanks combFlanks
	places [2]contact.Table // of the points on both sides, see dropFarFaces
	far    []bool           // of the points, see dropFarFaces
	overlap
}

// edges are the faces of one side.
type edges struct {
	list    []collide.Edge
	numbers []int32 // of the faces in the surface
	deep    []bool  // see outlines.findPairs
	box     geom.AABB
}

// Opposite has the names and the sources of side B of a manifold between two grounds, or a chain and a ground.
type Opposite struct {
	Features [2]contact.Feature
	Sources  [2]contact.Source
}

// OtherOf returns side B of on, one of m's manifolds.
func (m *Memory) OtherOf(on *contact.SurfaceManifold) *Opposite {
	k := 0
	for &m.Manifolds[k] != on {
		k++
	}
	return &m.Others[k]
}

// VisitOthers visits side B of the manifolds of m, for a snapshot, after m, which has been read.
func (m *Memory) VisitOthers(c *pool.Codec) {
	for len(m.Others) < len(m.Manifolds) {
		m.Others = append(m.Others, Opposite{})
	}
	for k := range m.Manifolds {
		o := &m.Others[k]
		for j := range m.Manifolds[k].N {
			o.Features[j].Visit(c)
			o.Sources[j].Visit(c)
			c.Need(o.Features[j].Kind == contact.Line || o.Features[j].Kind == contact.Vertex ||
				o.Features[j].Kind == contact.Inside, "side B has no such point")
		}
	}
}

// stepDepth (cells) is the overlap of two faces up to which they collide: more than arises in one step at most speeds,
// and little enough that few faces are compared.
const stepDepth = 2.0

// Outlines computes the contact of two grounds, or of a chain and a ground: one manifold for each pair of faces that
// touch. mem.Others has side B of each manifold; if the contact no longer touches, it has side B of the first
// manifold of the step before. The result holds until a point of side B moves by gap (cells) in the frame of side A;
// gap is 0 if the two must be compared in each step.
func (s *Scratch) Outlines(out *Outcome, mem *Memory, in *Input, b *Outline) (gap float64) {
	*out = Outcome{}
	s.begin(mem)
	s.noteStood(mem, in, b)
	mem.Others = mem.Others[:0]
	if gap = b.apart(in); gap <= 0 {
		gap = nearFaces
		if sf, ok := s.collect(in, b); ok {
			s.meet(out, mem, in, b, sf)
			s.dropCombFlanks(mem, in)
			overlap := s.overlaps(mem, in, b)
			if out.Deepest < -contact.SpeculativeDistance {
				s.dropFarFaces(out, mem)
			}
			if overlap {
				s.separate(out, mem, in, b)
			}
			if gap = s.outlines.distance(); overlap {
				gap = 0
			}
		}
		gap -= contact.SpeculativeDistance
	}
	if s.end(out, mem); out.Touching {
		if gap = 0; len(mem.Manifolds) > contact.Few {
			gap = sameGap
		}
	} else if len(s.Matcher.Old) > 0 {
		mem.Others = mem.Others[:1]
	}
	if b.Ways || !mem.Stuck.Idle() {
		return 0
	}
	return max(0, gap)
}

// Many manifolds are kept while no point of B moves farther than sameGap (cells) in A's frame: so little that a point
// that is kept is as good as a new one.
const sameGap = surface.RunSlop

// mostGap (cells) is the most that Outlines returns. A tile that an edit adds is farther from the outlines that the
// edit does not make known again; see Clearance.
const mostGap = 1 + Clearance

// apart returns the distance that two grounds with disjoint boxes may move before they have a contact; it is at most
// 0 if their boxes are not that far apart.
func (b *Outline) apart(in *Input) float64 {
	boxA, boxB := b.BoxA.Translate(in.Origin.Neg()), b.Box.Translate(b.At.Neg())
	if in.Chain != nil || boxA.IsEmpty() || boxB.IsEmpty() {
		return 0
	}
	return min(mostGap, gapOf(boxA, boxB, in.At.Q)-contact.SpeculativeDistance)
}

// distance returns a bound on the distance of the collected faces of both sides: the nearest pair's, and at most
// nearFaces, up to which all pairs are listed.
func (o *outlines) distance() float64 {
	least := nearFaces
	for _, p := range o.near.list {
		a, b := &o.a.list[p.a()], &o.b.list[p.b()]
		if a.Box.Expand(least).Overlaps(b.Box) {
			least = min(least, a.Distance(b))
		}
	}
	return least
}

// collect collects the faces of both sides in the region that their boxes have in common, relative to the centre of
// mass of side B, in the axes of side A. It reports whether there are any.
func (s *Scratch) collect(in *Input, b *Outline) (sf surface.Faces, ok bool) {
	const margin = nearFaces
	o, q := &s.outlines, in.At.Q
	o.region.set(b.Box.Translate(b.At.Neg()).Expand(margin), q)
	boxA := b.BoxA.Translate(in.Origin.Neg())
	if in.Chain != nil {
		s.Chain.Collect(in.Chain, &collide.Hull{}, in.At, o.region.box(geom.Identity).Translate(in.Origin), in.Origin)
		o.a.collect(&s.Chain, &s.face, nil)
		sf, boxA = &s.Chain, o.a.box
	}
	o.region.clip(boxA.Expand(margin))
	rb, ok := cellsIn(common(o.region.box(q).Translate(b.At), b.Box))
	if !ok {
		return nil, false
	}
	near, some := cellsIn(common(o.region.box(geom.Identity), boxA).Translate(in.Origin))
	if now, was := b.ofA(in); in.Chain == nil && some && b.Ways {
		s.collectStopping(1, &o.other, b.Tiles, rb, in.Tiles, near, now, was, b.At, b.DropsA, b.Put)
	} else {
		o.other.CollectSolid(b.Tiles, rb)
	}
	o.other.SelectAll(b.At)
	o.b.collect(&o.other, &s.face, &geom.Transform{Q: q})
	if in.Chain != nil {
		return sf, true
	}
	ofA := common(o.region.box(geom.Identity), boxA)
	if len(o.b.list) > 0 {
		ofA = common(ofA, o.b.box.Expand(stepDepth))
	} else if !s.Tiles.Solid(b.Tiles, in.At.Q.Inv(ofA.Center()).Add(b.At)) {
		return nil, false
	}
	ra, ok := cellsIn(ofA.Translate(in.Origin))
	if !ok {
		return nil, false
	}
	if b.Ways {
		s.collectStopping(0, &s.Tiles, in.Tiles, ra, b.Tiles, rb, in.At, b.Was, in.Origin, b.DropsB, b.Put)
	} else {
		s.Tiles.CollectSolid(in.Tiles, ra)
	}
	s.Tiles.SelectAll(in.Origin)
	o.a.collect(&s.Tiles, &s.face, nil)
	return &s.Tiles, true
}

// common returns the common part of two boxes.
func common(a, b geom.AABB) geom.AABB { return geom.AABB{Min: a.Min.Max(b.Min), Max: a.Max.Min(b.Max)} }

// cellsIn returns the cells that b overlaps, and whether there are any.
func cellsIn(b geom.AABB) (r gridseg.Rect, ok bool) {
	if r, ok = surface.Cells(b); b.IsEmpty() {
		ok = false
	}
	return r, ok
}

// collect sets e to the faces of sf, in the frame to.
func (e *edges) collect(sf surface.Faces, f *collide.Face, to *geom.Transform) {
	e.list, e.numbers, e.box = e.list[:0], e.numbers[:0], geom.Empty
	for i := range sf.Count() {
		k := sf.SetFace(f, i)
		if to != nil {
			f.A, f.B, f.Ghost1, f.Ghost2 = to.Apply(f.A), to.Apply(f.B), to.Apply(f.Ghost1), to.Apply(f.Ghost2)
		}
		e.list = append(e.list, collide.Edge{})
		at := &e.list[len(e.list)-1]
		if !at.Set(f) {
			e.list = e.list[:len(e.list)-1]
			continue
		}
		e.numbers = append(e.numbers, int32(k))
		e.box = e.box.Union(at.Box)
	}
}

// meet adds the manifolds of the collected faces that overlap by at most stepDepth; sf has side A's.
func (s *Scratch) meet(out *Outcome, mem *Memory, in *Input, b *Outline, sf surface.Faces) {
	o, m := &s.outlines, &s.manifold
	o.pairs, o.overlap.crossings = o.pairs[:0], o.overlap.crossings[:0]
	o.sides.set(in, b)
	o.findPairs()
	for _, p := range o.near.list {
		a, e := &o.a.list[p.a()], &o.b.list[p.b()]
		if collide.Edges(m, a, e, contact.SpeculativeDistance); m.N > 0 && s.addPair(out, mem, in, sf, p) {
			o.pairs = append(o.pairs, p)
		}
		if a.Box.Overlaps(e.Box) {
			if d := collide.Crossing(a, e, deepCrossing); d > 0 {
				o.overlap.crossings = append(o.overlap.crossings, crossing{p.a(), p.b(), d})
			}
		}
	}
}

// addPair adds the current manifold, of the faces p of both sides, unless it has no point left.
func (s *Scratch) addPair(out *Outcome, mem *Memory, in *Input, sf surface.Faces, p facePair) bool {
	o, m, mt := &s.outlines, &s.manifold, &s.Matcher
	a, e := &o.a.list[p.a()], &o.b.list[p.b()]
	i, j := int(o.a.numbers[p.a()]), int(o.b.numbers[p.b()])
	low := 0
	if m.N > 1 && m.Points[1].Separation < m.Points[0].Separation {
		low = 1
	}
	if m.Points[low].Separation < -contact.SpeculativeDistance && !o.sides.overlap(&m.Points[low], m.Normal, a, e) {
		return false
	}
	n := len(mem.Manifolds)
	to := s.add(mem)
	to.Normal = in.Frame.Q.Apply(m.Normal)
	var side Opposite
	for k := range m.N {
		from := &m.Points[k]
		if k != low && from.Separation < -contact.SpeculativeDistance && !o.sides.overlap(from, m.Normal, a, e) {
			continue
		}
		id := from.ID
		other := o.other.Name(id.Flip(), j)
		name := sf.Name(id, i)
		name.Pair = fold(&other)
		if n > 0 {
			if met, same := mt.Find(mem.Manifolds[:n], name, to.Normal); same {
				continue // the shared corner of two faces, already found
			} else if met {
				name = sf.OtherName(name, i) // a second point at the corner, with another normal
			}
		}
		p := &to.Points[to.N&1]
		to.Features[to.N&1], side.Features[to.N&1] = name, other
		p.AnchorB = in.Frame.Q.Apply(from.Anchor)
		p.AnchorA = p.AnchorB.Add(in.Apart)
		p.Separation = from.Separation
		out.Deepest = min(out.Deepest, p.Separation)
		sf.SetSource(&to.Sources[to.N&1], from, i)
		there := collide.Point{Anchor: in.At.Q.Inv(from.Anchor), ID: id.Flip()}
		o.other.SetSource(&side.Sources[to.N&1], &there, j)
		mt.Inherit(p, &name, to.Normal)
		to.N++
	}
	if to.N == 0 {
		mem.Manifolds = mem.Manifolds[:n]
		return false
	}
	*s.addOther(mem) = side
	return true
}

// addOther appends side B of a manifold, from an array that many contacts share; see add.
func (s *Scratch) addOther(mem *Memory) *Opposite {
	n := len(mem.Others)
	if n == cap(mem.Others) {
		size := max(2, 2*n)
		if o := &s.outlines; size > len(o.room) {
			o.room = make([]Opposite, max(firstRoom, size))
		}
		room := s.outlines.room[:n:size]
		s.outlines.room = s.outlines.room[size:]
		copy(room, mem.Others)
		mem.Others = room
	}
	mem.Others = mem.Others[:n+1]
	mem.Others[n] = Opposite{}
	return &mem.Others[n]
}

// fold returns a hash of a feature of side B, for the name of a point. Two points whose names are equal by accident
// only exchange their impulses.
func fold(f *contact.Feature) collide.FeatureID {
	h := (uint64(f.X)*0x9e3779b97f4a7c15 ^ uint64(f.Y)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29 ^ uint64(f.Kind)) * 0x94d049bb133111eb
	return collide.FeatureID(h>>32) | 1
}
