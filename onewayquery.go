package quarry

import (
	"math"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/surface"
)

// surfaceQuery is the surface of a ground near one shape, and the working memory of the filter of
// one-way tiles.
type surfaceQuery struct {
	surface.Query

	// For one-way tiles; see filterOneWay.
	stance        oneWayQuery // of the contact in work
	materials     []uint16
	oneWayCells   []gridseg.Cell
	edges         []edge
	buried        []gridseg.Segment
	oneWays       []OneWay        // of segments
	platforms     store.UnionFind // of segments
	states        []oneWayState   // of segments, and of platforms at their roots
	siblings      []siblingShape
	stoodOn       []gridseg.Cell // of siblings
	dirtyVertices []gridseg.Point
	dirtyTable    contact.Table // of dirtyVertices
}

// oneWayQuery is the pose of a shape at the start of the last step, which decides which
// one-way faces stop the shape: the faces that it was in front of. A shape that was across a
// face is on its way through, and passes all faces of the same platform, too.
//
// Each body stores that pose; the velocity does not tell it, since the game may have set it
// since.
type oneWayQuery struct {
	c         *contactState
	g         *ground
	manifolds []contact.Manifold // those of the last step, on which the shape stood
	was, now  geom.Transform     // of the body in the ground, relative to origin
	origin    geom.Vec
	passesAll bool // no one-way face stops the shape
	tolerance float64
}

// oneWayTolerance is how deep in a one-way face a shape may be and still be in front of it:
// as deep as a shape rests on any ground. The depth of the shape's contacts is added, so
// that a load may be pushed from solid tiles onto one-way ones.
const oneWayTolerance = geom.LinearSlop

// oneWayQueryOf returns the query of the shape of c in the step that begins, where its body
// is at now, relative to origin, in the ground. The manifolds are the contact's of the last
// step. With moving, now is the pose at the start of the step in progress, and the pose of
// the last step is unknown.
func (w *World) oneWayQueryOf(c *contactState, manifolds []contact.Manifold, now geom.Transform, origin geom.Vec, moving bool) oneWayQuery {
	oq := oneWayQuery{
		c: c, g: w.grounds.At(c.ground), manifolds: manifolds,
		was: now, now: now, origin: origin, tolerance: oneWayTolerance,
	}
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	if w.oneWayMaterials > 0 && !moving {
		last := w.lastPose(c.bodyA, false).InvMul(w.lastPose(c.bodyB, false))
		oq.was = geom.Transform{P: last.P.Sub(origin), Q: last.Q}
	}
	if now := w.steps + 1; a.displacedAt == now || b.displacedAt == now || escaping(manifolds) {
		// The body was moved by SetTransform; or it is escaping to a free spot, one-way
		// tiles aside, and its one point has the distance to that spot.
		oq.manifolds = nil
	}
	if c.drop == dropping {
		oq.tolerance = -speculativeDistance // a face that the shape touches does not stop it
		return oq.withPassesAll(w)
	}
	deepest := 0.0
	for i := range oq.manifolds {
		m := &oq.manifolds[i]
		for k := range m.N {
			deepest = min(deepest, m.Points[k].Separation)
		}
	}
	oq.tolerance -= deepest
	return oq.withPassesAll(w)
}

// withPassesAll sets passesAll.
func (oq oneWayQuery) withPassesAll(w *World) oneWayQuery {
	oq.passesAll = oq.c.drop == toDrop || w.bodies.At(oq.c.bodyB).dropping > 0
	return oq
}

// cellsMet returns the cells that the body of oq overlaps in its poses was and now.
func (oq *oneWayQuery) cellsMet(w *World) (gridseg.Rect, bool) {
	box := geom.Empty
	for i := w.bodies.At(oq.c.bodyB).firstShape; i >= 0; i = w.shapes.At(i).next {
		if s := w.shapes.At(i); !s.sensor {
			box = box.Union(s.bounds(oq.was)).Union(s.bounds(oq.now))
		}
	}
	return cells(box.Expand(speculativeDistance).Translate(oq.origin))
}

// oneWayState is the state of a one-way face, or of a platform of them.
type oneWayState uint8

const (
	wasInFront    oneWayState = 1 << iota // the shape was in front of the face
	otherBehind                           // another shape of its body was behind the face
	crossing                              // of a platform: a shape of the body was across a face of it
	standsOn                              // of a platform: the shape stood on a face of it in the last step
	otherStandsOn                         // of a platform: another shape of its body stands on a face of it

	ofPlatform = crossing | standsOn | otherStandsOn
)

// stops reports whether a face of the state v in a platform of the state chain stops the
// shape. A face of a platform on which the shape stands does; another face does if the shape
// was in front of it, and no other shape of its body is behind it or on its way through the
// platform. (A shape across a platform on which a shape of its body stands is not on its way
// through: it has just landed, and lies deeper than the tolerance.)
func (oq *oneWayQuery) stops(v, chain oneWayState) bool {
	switch {
	case oq.passesAll:
		return false
	case chain&standsOn != 0:
		return true
	}
	return v&(wasInFront|otherBehind) == wasInFront && chain&(crossing|otherStandsOn) != crossing
}

// siblingShape is one shape of the query's body, as stateOf needs it.
type siblingShape struct {
	hull      *collide.Hull
	own       bool    // it is the query's shape
	tolerance float64 // see oneWayTolerance
	from, to  int     // its range of surfaceQuery.stoodOn: the cells that it stands on
}

// listSiblings lists the shapes of the body of oq that the ground may stop, and for each the
// cells of the one-way tiles that it stands on, sorted. A shape may stand on as many tiles
// as there are faces to classify, so stateOf must not search its points for each face.
func (w *World) listSiblings(sq *surfaceQuery, oq *oneWayQuery) {
	sq.siblings, sq.stoodOn = sq.siblings[:0], sq.stoodOn[:0]
	for i := w.bodies.At(oq.c.bodyB).firstShape; i >= 0; i = w.shapes.At(i).next {
		h := w.shapes.At(i)
		p := siblingShape{hull: &h.hull, own: i == oq.c.shapeB, tolerance: oq.tolerance, from: len(sq.stoodOn)}
		if p.own {
			w.listStoodOn(sq, oq.manifolds)
		}
		if h.sensor || oq.g.category&h.mask == 0 || h.category&oq.g.mask == 0 {
			if !p.own {
				continue
			}
			p.hull = nil
		}
		if !p.own {
			switch o := w.siblingContact(oq.c, i); {
			case o == nil:
			case o.drop == dropping:
				// While one shape drops through a platform, all shapes of the body pass it;
				// otherwise a slightly higher shape would catch on it.
				p.tolerance = -speculativeDistance
			default:
				w.listStoodOn(sq, o.manifolds)
			}
		}
		p.to = len(sq.stoodOn)
		sq.siblings = append(sq.siblings, p)
	}
}

// listStoodOn appends the cells of the one-way tiles under the points of the manifolds, all
// with one ground, to sq.stoodOn, sorted and without duplicates.
func (w *World) listStoodOn(sq *surfaceQuery, manifolds []contact.Manifold) {
	from := len(sq.stoodOn)
	for i := range manifolds {
		m := &manifolds[i]
		for k := range m.N {
			if p := &m.Points[k]; w.material(MaterialID(p.Source.Material)).OneWay != NotOneWay {
				sq.stoodOn = append(sq.stoodOn, p.Source.Cell)
			}
		}
	}
	stood := sq.stoodOn[from:]
	slices.SortFunc(stood, compareCells)
	sq.stoodOn = sq.stoodOn[:from+len(slices.Compact(stood))]
}

// stateOf returns the state of the face s, of the given direction. A shape stands on s if it
// stands on any one-way face in the cell of s.
func (oq *oneWayQuery) stateOf(sq *surfaceQuery, s *gridseg.Segment, way OneWay) (v oneWayState) {
	for i := range sq.siblings {
		p := &sq.siblings[i]
		if sq.isOn(p, s.ID.Cell) {
			if p.own {
				v |= standsOn
			} else {
				v |= otherStandsOn
			}
		}
		if p.hull == nil {
			continue
		}
		switch at := oq.sideOf(s, way, p.hull, oq.was, p.tolerance); {
		case at == inFront && p.own:
			v |= wasInFront
		case at == behind && !p.own:
			v |= otherBehind
		case at == across:
			v |= crossing
		}
	}
	return v
}

// isOn reports whether the shape p stands on a one-way tile in the cell c.
func (sq *surfaceQuery) isOn(p *siblingShape, c gridseg.Cell) bool {
	stood := sq.stoodOn[p.from:p.to]
	sq.Tally.Cells += bits.Len(uint(len(stood)))
	_, found := slices.BinarySearchFunc(stood, c, compareCells)
	return found
}

// siblingContact returns the contact of the shape in slot i, of the body of c, with the
// ground of c; nil if there is none.
func (w *World) siblingContact(c *contactState, i int32) *contactState {
	for l := w.bodies.At(c.bodyB).firstContact; l >= 0; {
		o := w.contacts.At(l >> 1)
		if o.ground == c.ground && o.shapeB == i {
			return o
		}
		l = o.next[l&1]
	}
	return nil
}

// touches reports whether the shape touches the face s now.
func (oq *oneWayQuery) touches(w *World, s *gridseg.Segment, way OneWay) bool {
	h := &w.shapes.At(oq.c.shapeB).hull
	return oq.sideOf(s, way, h, oq.now, -speculativeDistance) == across
}

// side says on which side of a face a shape is.
type side uint8

const (
	across side = iota
	behind
	beside
	inFront
)

// leastRise is the least component of the direction that separates a shape from a one-way
// face, a unit vector, along the face's normal and along the tile's direction, for a shape
// in front of the face rather than beside it: within 60 degrees of both.
const leastRise = 0.5

// separateSlop is the distance of two cores above which their closest points give a
// direction.
const separateSlop = 1e-6

// sideOf returns the side of the face s on which the hull h is, in the frame t. The hull is
// in front if a line separates them, to an overlap of the tolerance, that is not too steep:
// the line of the face, along floors and slopes; or of an edge of the hull or of the closest
// points, which tell above from beside around the corners and ends of a platform.
func (oq *oneWayQuery) sideOf(s *gridseg.Segment, way OneWay, h *collide.Hull, t geom.Transform, tolerance float64) side {
	face := [2]geom.Vec{surface.Local(s.A, oq.origin), surface.Local(s.B, oq.origin)}
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
	if least-h.Radius >= -tolerance {
		return inFront
	}
	out := across
	if -most-h.Radius >= -tolerance {
		out = behind
	}
	// parts handles a direction d, from the face to the hull, that separates them.
	parts := func(d geom.Vec) bool {
		switch x := d.Dot(n); {
		case x >= leastRise && d.Dot(up) >= leastRise:
			return true
		case x <= -leastRise && d.Dot(up) <= -leastRise:
			out = max(out, behind)
		default:
			out = beside
		}
		return false
	}
	if h.N > 1 {
		for i := range h.N {
			m := t.Q.Apply(h.Nrm[i])
			if min(m.Dot(a.Sub(v[i])), m.Dot(b.Sub(v[i])))-h.Radius >= -tolerance && parts(m.Neg()) {
				return inFront
			}
		}
	}
	dist, p, q := geom.Distance(face[:], v[:h.N])
	if d, _ := q.Sub(p).Unit(); dist > separateSlop && dist-h.Radius >= -tolerance && parts(d) {
		return inFront
	}
	return out
}
