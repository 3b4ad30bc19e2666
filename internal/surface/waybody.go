package surface

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
)

// A face stops a shape of a body if it stops the whole body, so each shape would have to be compared with the faces of
// all others. Instead the body's shapes are compared with its faces once, for all queries of one listing. These
// queries have different tolerances, so a comparison is kept as two numbers, which decide for each tolerance.

// bodyFaces holds the one-way faces near a body, with the sides of these on which its shapes are.
type bodyFaces struct {
	listing  uint64 // of the queries; 0: the fields are of one query
	was, now geom.Transform
	origin   geom.Vec
	met      gridseg.Rect // see Query.cellsMet
	metOK    bool

	built     bool // the fields below are set
	cells     gridseg.Rect
	shapes    []placed       // Query.Shapes
	corners   []geom.Vec     // of all shapes
	faces     []bodyFace     // sorted by id
	platforms pool.UnionFind // of faces
	crossings []crossed      // by the root of a platform
	overlaps  []overlap      // of all faces
	numbers   []int32        // by segment: the number of the face, or -1
	stoodOn   []int32        // the roots of the platforms on which the shape of the current query stands
}

// placed is a shape at the pose Was of its body.
type placed struct {
	box      geom.AABB
	from, to int32 // its corners
}

// bodyFace is a one-way face.
type bodyFace struct {
	id       gridseg.SegmentID
	front    float64 // a shape is behind it for each tolerance less than -front
	from, to int32   // its overlaps
}

// overlap is a shape that no line separates from a face at the smallest tolerance: it is behind the face for each
// tolerance from -back on that is less than -front, and across it for those less than -front and -back.
type overlap struct {
	front float64 // the largest separation in front of the face or beside it
	back  float64 // the largest separation behind the face
}

// crossed is the state of a platform.
type crossed struct {
	most  float64 // a shape is across a face of it for each tolerance less than -most
	stood bool    // a shape stands on it
}

// none is the front of no shape behind a face.
const none = math.MaxFloat64

// facesOf returns the faces that f keeps for the body of q, with its met cells set.
func (f *Filter) facesOf(q *WayQuery) *bodyFaces {
	b := &f.bodies[0]
	if q.Drop == Dropping {
		b = &f.bodies[1]
	}
	if q.Listing != 0 && b.listing == q.Listing && b.was == q.Was && b.now == q.Now && b.origin == q.Origin {
		return b
	}
	b.listing, b.was, b.now, b.origin, b.built = q.Listing, q.Was, q.Now, q.Origin, false
	b.met, b.metOK = q.cellsMet()
	return b
}

// build sets the faces of b, of the gathered segments, which are in cells.
func (b *bodyFaces) build(f *Filter, q *WayQuery, cells gridseg.Rect) {
	b.built, b.cells = true, cells
	b.faces, b.numbers = b.faces[:0], b.numbers[:0]
	for i := range f.Segments {
		k := int32(-1)
		if f.isOneWayFace(i) {
			k = int32(len(b.faces))
			b.faces = append(b.faces, bodyFace{id: f.Segments[i].ID})
		}
		b.numbers = append(b.numbers, k)
	}
	b.platforms.Reset(len(b.faces))
	b.crossings, b.overlaps, b.shapes, b.corners = b.crossings[:0], b.overlaps[:0], b.shapes[:0], b.corners[:0]
	for range b.faces {
		b.crossings = append(b.crossings, crossed{most: none})
	}
	for i, k := range b.numbers {
		if s := &f.Segments[i]; k >= 0 && s.HasGhost2 {
			if j := f.IndexOf(s.Next); j >= 0 && b.numbers[j] >= 0 {
				b.platforms.Join(k, b.numbers[j])
			}
		}
	}
	for i := range q.Shapes {
		b.place(q.Shapes[i].Hull, q.Was)
		for _, c := range q.Shapes[i].Stood {
			for k, to := b.inCell(f, c); k < to; k++ {
				b.crossings[b.platforms.Root(int32(k))].stood = true
			}
		}
	}
	for i, k := range b.numbers {
		if k >= 0 {
			b.compare(f, q, k, &f.Segments[i], f.ways[i])
		}
	}
}

// place lists the next shape, with the hull h in the frame t.
func (b *bodyFaces) place(h *collide.Hull, t geom.Transform) {
	p := placed{box: h.Bounds(t), from: int32(len(b.corners))}
	for i := range h.N {
		b.corners = append(b.corners, t.Apply(h.V[i]))
	}
	p.to = int32(len(b.corners))
	b.shapes = append(b.shapes, p)
}

// inCell returns the range of the faces in the cell c.
func (b *bodyFaces) inCell(f *Filter, c gridseg.Cell) (from, to int) {
	f.Tally.Cells += bits.Len(uint(len(b.faces)))
	from = sort.Search(len(b.faces), func(i int) bool { return compareCells(b.faces[i].id.Cell, c) >= 0 })
	for to = from; to < len(b.faces) && b.faces[to].id.Cell == c; to++ {
	}
	return from, to
}

// apartSlop is a distance that exceeds all rounding errors, and those by which a face and a shape count as apart.
const apartSlop = contact.SpeculativeDistance + geom.LinearSlop

// compare compares the shapes of q with face k, which is s.
func (b *bodyFaces) compare(f *Filter, q *WayQuery, k int32, s *gridseg.Segment, way Direction) {
	face, p := &b.faces[k], &b.crossings[b.platforms.Root(k)]
	face.front = none
	face.from = int32(len(b.overlaps))
	f.Tally.Shapes += len(q.Shapes)
	least := q.leastTolerance()
	a, c := Local(s.A, q.Origin), Local(s.B, q.Origin)
	n, _ := c.Sub(a).Right().Unit()
	near := geom.AABB{Min: a.Min(c), Max: a.Max(c)}.Expand(apartSlop)
	for i := range q.Shapes {
		h := &q.Shapes[i]
		if h.Ignored {
			continue
		}
		enough, at := -least, &b.shapes[i]
		if h.Dropping {
			enough = contact.SpeculativeDistance
		}
		lowest := at.box.Min // the corner of the box farthest behind the face
		if n.X < 0 {
			lowest.X = at.box.Max.X
		}
		if n.Y < 0 {
			lowest.Y = at.box.Max.Y
		}
		front := n.Dot(lowest.Sub(a))
		if front >= apartSlop || front-apartSlop >= face.front && !h.Dropping && !near.Overlaps(at.box) {
			continue // in front, or apart from the face and less far behind it than another shape
		}
		front = math.MaxFloat64
		for _, v := range b.corners[at.from:at.to] {
			front = min(front, n.Dot(v.Sub(a)))
		}
		if front-h.Hull.Radius >= enough {
			continue // as measure finds, sooner
		}
		m := measure(s, way, h.Hull, q.Was, q.Origin, enough)
		front = max(m.front, m.beside)
		if h.Dropping {
			// While one shape drops through a platform, all shapes of the body pass it; otherwise a slightly higher
			// shape would catch on it. So the dropping shape has this tolerance for all others.
			switch {
			case front >= enough:
				continue
			case m.behind >= enough:
				front = -none
			default:
				front, m.behind = -none, -none
			}
		}
		switch {
		case front >= -least:
		case m.behind >= -least:
			face.front = min(face.front, front)
		default:
			b.overlaps = append(b.overlaps, overlap{front, m.behind})
			p.most = min(p.most, max(front, m.behind))
		}
	}
	face.to = int32(len(b.overlaps))
}

// standOn sets the platforms on which the shape of q stands.
func (b *bodyFaces) standOn(f *Filter, q *WayQuery) {
	b.stoodOn = b.stoodOn[:0]
	if q.Whole {
		return
	}
	for _, c := range q.Own.Stood {
		for k, to := b.inCell(f, c); k < to; k++ {
			if p := b.platforms.Root(int32(k)); !slices.Contains(b.stoodOn, p) {
				b.stoodOn = append(b.stoodOn, p)
			}
		}
	}
}

// stops reports whether the face s stops the shape of q. A face of a platform on which the shape stands does; another
// face does if the shape was in front of it, and no shape of its body is behind it or on its way through the
// platform. (A shape across a platform on which a shape of its body stands is not on its way through: it has just
// landed, and lies deeper than the tolerance.)
func (b *bodyFaces) stops(q *WayQuery, s *gridseg.Segment, way Direction) bool {
	k, ok := slices.BinarySearchFunc(b.faces, s.ID, func(f bodyFace, id gridseg.SegmentID) int {
		return compareIDs(f.id, id)
	})
	if !ok {
		return false
	}
	face, root := &b.faces[k], b.platforms.Root(int32(k))
	p := &b.crossings[root]
	if q.Whole && p.stood || slices.Contains(b.stoodOn, root) {
		return true
	}
	if q.tolerance < -p.most && !p.stood || face.hasBehind(b, q.tolerance) {
		return false
	}
	inFrontOf := func(h *WayShape) bool {
		return !h.Ignored && sideOf(s, way, h.Hull, q.Was, q.Origin, q.tolerance) == inFront
	}
	if !q.Whole {
		return inFrontOf(&q.Own)
	}
	for i := range q.Shapes {
		if inFrontOf(&q.Shapes[i]) {
			return true
		}
	}
	return false
}

// hasBehind reports whether a shape is behind the face at the tolerance.
func (f *bodyFace) hasBehind(b *bodyFaces, tolerance float64) bool {
	return tolerance < -f.front || slices.ContainsFunc(b.overlaps[f.from:f.to], func(o overlap) bool {
		return tolerance < -o.front && tolerance >= -o.back
	})
}

// margins are the largest separations of a shape from a face, by the lines that have the shape on that side.
type margins struct{ front, beside, behind float64 }

// measure returns the margins of the hull h, in the frame t relative to origin, and the face s. They are less than they
// might be if front is enough. The shape is on a side of the face if a line separates them that is not too steep: the
// line of the face, along floors and slopes; or of an edge of the hull or of the closest points, which distinguishes
// above from beside around the corners and ends of a platform.
func measure(s *gridseg.Segment, way Direction, h *collide.Hull, t geom.Transform, origin geom.Vec,
	enough float64,
) margins {
	face := [2]geom.Vec{Local(s.A, origin), Local(s.B, origin)}
	a, b := face[0], face[1]
	n, _ := b.Sub(a).Right().Unit()
	up := way.along()
	var v [geom.MaxVertices]geom.Vec
	least, most := math.MaxFloat64, -math.MaxFloat64
	for i := range h.N {
		v[i] = t.Apply(h.V[i])
		d := n.Dot(v[i].Sub(a))
		least, most = min(least, d), max(most, d)
	}
	m := margins{front: least - h.Radius, beside: -none, behind: -most - h.Radius}
	if m.front >= enough {
		return m
	}
	// add notes a separation in the direction d, from the face to the hull.
	add := func(separation float64, d geom.Vec) {
		switch x := d.Dot(n); {
		case x >= leastRise && d.Dot(up) >= leastRise:
			m.front = max(m.front, separation)
		case x <= -leastRise && d.Dot(up) <= -leastRise:
			m.behind = max(m.behind, separation)
		default:
			m.beside = max(m.beside, separation)
		}
	}
	if h.N > 1 {
		for i := range h.N {
			d := t.Q.Apply(h.Nrm[i])
			add(min(d.Dot(a.Sub(v[i])), d.Dot(b.Sub(v[i])))-h.Radius, d.Neg())
		}
		if m.front >= enough {
			return m
		}
	}
	dist, p, q := geom.Distance(face[:], v[:h.N])
	if d, _ := q.Sub(p).Unit(); dist > separateSlop {
		add(dist-h.Radius, d)
	}
	return m
}
