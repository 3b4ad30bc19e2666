package quarry

import (
	"math"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// oneWayQuery is where a shape was at the beginning of the last step, which decides
// what one-way faces stop it: those that it was before. A shape that was across
// one is on its way through, and passes all faces that go on from that one, too.
//
// The pose at the start of the last step is kept by each body, rather than computed from
// the velocity, which may have been set since.
type oneWayQuery struct {
	c         *contact
	g         *ground
	manifolds []manifold     // those of the last step: what it stood on
	was, now  geom.Transform // of the body in the ground, seen from origin
	origin    geom.Vec
	passesAll bool // no one-way face stops it
	tolerance float64
}

// oneWayTolerance is how deep in a one-way face a shape may be and still be
// before it: as deep as it lies on any ground. What the shape was pressed into
// the ground by comes to it, so that a load may be pushed from solid tiles
// onto one-way ones.
const oneWayTolerance = geom.LinearSlop

// oneWayQueryOf returns the stance of the shape of c in the step that begins, where
// its body is at now, seen from origin in the ground. The manifolds are those
// that it had in the last step.
// With moving, now is the pose at the start of the step in progress, and the last step's is
// not known any more.
func (w *World) oneWayQueryOf(c *contact, manifolds []manifold, now geom.Transform, origin geom.Vec, moving bool) oneWayQuery {
	oq := oneWayQuery{
		c: c, g: &w.grounds.items[c.ground], manifolds: manifolds,
		was: now, now: now, origin: origin, tolerance: oneWayTolerance,
	}
	a, b := &w.bodies.items[c.bodyA], &w.bodies.items[c.bodyB]
	if w.oneWayMaterials > 0 && !moving {
		last := w.lastPose(a, false).InvMul(w.lastPose(b, false))
		oq.was = geom.Transform{P: last.P.Sub(origin), Q: last.Q}
	}
	if now := w.steps + 1; a.displacedAt == now || b.displacedAt == now || escaping(manifolds) {
		// It was put elsewhere since; or it goes to where there is room but for
		// one-way tiles, and its one point tells how far that is.
		oq.manifolds = nil
	}
	if c.drop == dropping {
		oq.tolerance = -speculativeDistance // what it touches does not stop it
		return oq.withPassesAll(w)
	}
	deepest := 0.0
	for i := range oq.manifolds {
		m := &oq.manifolds[i]
		for k := range m.n {
			deepest = min(deepest, m.points[k].separation)
		}
	}
	oq.tolerance -= deepest
	return oq.withPassesAll(w)
}

// withPassesAll sets none.
func (oq oneWayQuery) withPassesAll(w *World) oneWayQuery {
	oq.passesAll = oq.c.drop == toDrop || w.bodies.items[oq.c.bodyB].dropping > 0
	return oq
}

// cellsMet returns the cells that the body of st, as it was and is, meets.
func (oq *oneWayQuery) cellsMet(w *World) (gridseg.Rect, bool) {
	box := geom.Empty
	for i := w.bodies.items[oq.c.bodyB].firstShape; i >= 0; i = w.shapes.items[i].next {
		if s := &w.shapes.items[i]; !s.sensor {
			box = box.Union(s.bounds(oq.was)).Union(s.bounds(oq.now))
		}
	}
	return cells(box.Expand(speculativeDistance).Translate(oq.origin))
}

// oneWayState is what is known of a one-way face, or of a chain of them.
type oneWayState uint8

const (
	wasInFront    oneWayState = 1 << iota // the shape was before the face
	otherBehind                           // another shape of its body was behind it
	crossing                              // of a chain: a shape of the body was across one
	standsOn                              // of a chain: the shape stood on one in the last step
	otherStandsOn                         // of a chain: another shape of its body stands on one

	ofPlatform = crossing | standsOn | otherStandsOn
)

// stops reports whether a face of the verdict v in a chain of the verdict chain
// stops the shape. One of a chain that it stands on does; another does if the shape was
// before it, and no other of its body is behind it or on its way through the chain. (A
// shape across a chain on which one of its body stands is not on its way through: it has
// just landed, and lies deeper than the tolerance.)
func (oq *oneWayQuery) stops(v, chain oneWayState) bool {
	switch {
	case oq.passesAll:
		return false
	case chain&standsOn != 0:
		return true
	}
	return v&(wasInFront|otherBehind) == wasInFront && chain&(crossing|otherStandsOn) != crossing
}

// siblingShape is one shape of the body of a stance, as judge needs it.
type siblingShape struct {
	hull      *collide.Hull
	own       bool    // it is the shape of the stance
	tolerance float64 // see oneWayTolerance
	from, to  int     // its range of gather.stood: the cells that it stands on
}

// listSiblings lists the shapes of the body of st that the ground may stop, and for each the
// cells of the one-way tiles that it stands on, in order. A shape may stand on as many tiles
// as there are to judge, so judge must not look through its points for each of them.
func (w *World) listSiblings(sq *surfaceQuery, oq *oneWayQuery) {
	sq.siblings, sq.stoodOn = sq.siblings[:0], sq.stoodOn[:0]
	for i := w.bodies.items[oq.c.bodyB].firstShape; i >= 0; i = w.shapes.items[i].next {
		h := &w.shapes.items[i]
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
				// Its own tolerance, see oneWayQueryOf. What it is let through lets through
				// all of the body: else a shape a hair higher would land there, and
				// the body hang.
				p.tolerance = -speculativeDistance
			default:
				w.listStoodOn(sq, o.manifolds)
			}
		}
		p.to = len(sq.stoodOn)
		sq.siblings = append(sq.siblings, p)
	}
}

// listStoodOn appends the cells of the one-way tiles that points of the manifolds, of one
// ground, lie on to ga.stood, in order and each once.
func (w *World) listStoodOn(sq *surfaceQuery, manifolds []manifold) {
	from := len(sq.stoodOn)
	for i := range manifolds {
		m := &manifolds[i]
		for k := range m.n {
			if p := &m.points[k]; w.material(p.material).OneWay != NotOneWay {
				sq.stoodOn = append(sq.stoodOn, p.cell)
			}
		}
	}
	stood := sq.stoodOn[from:]
	slices.SortFunc(stood, compareCells)
	sq.stoodOn = sq.stoodOn[:from+len(slices.Compact(stood))]
}

// stateOf returns the verdict on the face s, of the given way. A shape stands on s if it
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
	sq.tally.cells += bits.Len(uint(len(stood)))
	_, found := slices.BinarySearchFunc(stood, c, compareCells)
	return found
}

// siblingContact returns the contact that the shape in slot i, of the body of c, has with
// the ground of c; nil if there is none.
func (w *World) siblingContact(c *contact, i int32) *contact {
	for l := w.bodies.items[c.bodyB].firstContact; l >= 0; {
		o := &w.contacts.items[l>>1]
		if o.ground == c.ground && o.shapeB == i {
			return o
		}
		l = o.next[l&1]
	}
	return nil
}

// touches reports whether the shape touches the face s now.
func (oq *oneWayQuery) touches(w *World, s *gridseg.Segment, way OneWay) bool {
	h := &w.shapes.items[oq.c.shapeB].hull
	return oq.sideOf(s, way, h, oq.now, -speculativeDistance) == across
}

// side is where a shape is as seen from a face.
type side uint8

const (
	across side = iota
	behind
	beside
	inFront
)

// leastRise is how much of the direction that parts a shape from a one-way face,
// a unit vector, must be along the face's normal, and along the way, for the
// shape to be in front of it rather than beside: that of 60 degrees.
const leastRise = 0.5

// separateSlop is the distance of two cores from which on their closest points tell
// a direction.
const separateSlop = 1e-6

// sideOf returns where the hull h, in the frame t, is as seen from the face s.
// It is in front if a line parts them, but for an overlap of the tolerance, that
// is not too steep: the face's own, which holds all along a slope or floor, or
// that of an edge of the hull or of the closest points, which round corners of a
// chain and at its ends tell what is above from what is beside.
func (oq *oneWayQuery) sideOf(s *gridseg.Segment, way OneWay, h *collide.Hull, t geom.Transform, tolerance float64) side {
	face := [2]geom.Vec{local(s.A, oq.origin), local(s.B, oq.origin)}
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
	// parts takes note that d, from the face to the hull, parts them.
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
