package oneway

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

// Drop is the progress of a shape that drops through one-way tiles.
type Drop uint8

// The states of a drop.
const (
	NotDropping Drop = iota
	ToDrop           // requested since the last step
	Dropping         // until the shape is clear of the tiles that it stood on
)

// Memory is the state of the contact of a shape and a ground from step to step. The zero value is
// that of a new contact.
type Memory struct {
	Drop  Drop
	Stood []gridseg.Cell // the cells of the one-way tiles that the shape stands on, sorted

	plainCells gridseg.Rect // cells without one-way tiles at the version plainAt
	plainAt    uint64       // Tiles.Version plus the number of changes of the directions; 0: plainCells is not set
}

// Reset makes m that of a new contact, and keeps its room.
func (m *Memory) Reset() { *m = Memory{Stood: m.Stood[:0]} }

// Visit visits m; a hash has the drop, if the shape drops. plainCells only saves time.
func (m *Memory) Visit(c *store.Codec) {
	if c.Hashing() {
		if m.Drops() {
			store.Up(c, &m.Drop, uint64(Dropping))
		}
		return
	}
	store.Up(c, &m.Drop, uint64(Dropping))
	store.List(c, &m.Stood, 1, func(_ int, cell *gridseg.Cell) { c.Pair(&cell.X, &cell.Y) })
	c.Need(slices.IsSortedFunc(m.Stood, compareCells), "the cells on which a shape stands are not sorted")
}

// Drops reports whether the shape drops through one-way tiles, or is about to.
func (m *Memory) Drops() bool { return m.Drop != NotDropping }

// Note records the cells of the one-way tiles under the points of the manifolds.
func (m *Memory) Note(manifolds []contact.SurfaceManifold, ways *Ways) {
	m.Stood = appendStood(m.Stood[:0], manifolds, ways.of)
}

// Changes reports whether Note would change m, or its drop is not drop. room is kept from call to
// call.
func (m *Memory) Changes(room *[]gridseg.Cell, manifolds []contact.SurfaceManifold, ways *Ways, drop Drop) bool {
	*room = appendStood((*room)[:0], manifolds, ways.of)
	return drop != m.Drop || !slices.Equal(*room, m.Stood)
}

// Query is one shape in a ground, with the pose of its body at the start of the last step. That pose decides which
// one-way faces stop the shape: the faces that it was in front of. A shape that was across a face is on its way
// through, and passes all faces of the same platform, too. (The velocity does not decide: the game may have set it
// since.)
//
// Set the exported fields, then call Prepare. Most shapes are near no one-way tile, so Was and Shapes may be left to Source.
type Query struct {
	Was, Now geom.Transform            // of the body in the ground, relative to Origin
	Origin   geom.Vec                  // the body's centre of mass in the ground, in cells
	Old      []contact.SurfaceManifold // the shape's manifolds of the last step, on which it stood
	Shapes   []Shape                   // of the body, without sensors
	Own      Shape                     // the query's shape; it replaces the one of its ID in Shapes
	Source   Source                    // sets Was and Shapes when a one-way tile is near; nil if the caller has set them
	Whole    bool                      // Shapes are the parts of a ground: all are the query's
	Drop     Drop                      // of the shape; Filter.Collect sets it to the state in the step that begins
	Passes   bool                      // the body passes all one-way tiles
	Memory   *Memory                   // of the shape's contact

	passesAll bool // no one-way face stops the shape
	tolerance float64
}

// Source is the body of a query.
type Source interface {
	// SetBody sets Was and Shapes of q.
	SetBody(q *Query)
}

// Shape is one shape of the query's body.
type Shape struct {
	ID       int32 // differs from those of the body's other shapes
	Hull     *collide.Hull
	Ignored  bool           // the ground does not collide with it
	Dropping bool           // it drops through the tiles on which it stood
	Stood    []gridseg.Cell // as in Memory
}

// tolerance is how deep in a one-way face a shape may be and still be in front of it: as deep as
// a shape rests on any ground. The depth of the shape's contacts is added, so that a load may be
// pushed from solid tiles onto one-way ones.
const tolerance = geom.LinearSlop

// Prepare computes the derived fields from the others.
func (q *Query) Prepare() {
	q.passesAll = q.Passes || q.Drop == ToDrop
	q.tolerance = tolerance
	if q.Drop == Dropping {
		q.tolerance = -contact.SpeculativeDistance // a face that the shape touches does not stop it
		return
	}
	deepest := 0.0
	for i := range q.Old {
		m := &q.Old[i]
		for k := range m.N {
			deepest = min(deepest, m.Points[k].Separation)
		}
	}
	q.tolerance -= deepest
}

// cellsMet returns the cells that the body overlaps in its poses Was and Now.
func (q *Query) cellsMet() (gridseg.Rect, bool) {
	box := geom.Empty
	for i := range q.Shapes {
		h := q.Shapes[i].Hull
		box = box.Union(h.Bounds(q.Was)).Union(h.Bounds(q.Now))
	}
	return surface.Cells(box.Expand(contact.SpeculativeDistance).Translate(q.Origin))
}

// toleranceOf returns the tolerance of the shape p.
func (q *Query) toleranceOf(p *Shape, own bool) float64 {
	if !own && p.Dropping {
		// While one shape drops through a platform, all shapes of the body pass it; otherwise
		// a slightly higher shape would catch on it.
		return -contact.SpeculativeDistance
	}
	return q.tolerance
}

// state is the state of a one-way face, or of a platform of them.
type state uint8

const (
	wasInFront    state = 1 << iota // the shape was in front of the face
	otherBehind                     // another shape of its body was behind the face
	crossing                        // of a platform: a shape of the body was across a face of it
	standsOn                        // of a platform: the shape stood on a face of it in the last step
	otherStandsOn                   // of a platform: another shape of its body stands on a face of it

	ofPlatform = crossing | standsOn | otherStandsOn
)

// stops reports whether a face of the state v in a platform of the given state stops the
// shape. A face of a platform on which the shape stands does; another face does if the shape
// was in front of it, and no other shape of its body is behind it or on its way through the
// platform. (A shape across a platform on which a shape of its body stands is not on its way
// through: it has just landed, and lies deeper than the tolerance.)
func (q *Query) stops(v, platform state) bool {
	switch {
	case q.passesAll:
		return false
	case platform&standsOn != 0:
		return true
	}
	return v&(wasInFront|otherBehind) == wasInFront && platform&(crossing|otherStandsOn) != crossing
}

// appendStood appends the cells of the one-way tiles under the points of the manifolds, all with
// one ground, sorted and without duplicates. A shape may stand on as many tiles as there are
// faces to classify, so stateOf must not search its points for each face.
func appendStood(dst []gridseg.Cell, manifolds []contact.SurfaceManifold, ways []Direction) []gridseg.Cell {
	from := len(dst)
	for i := range manifolds {
		m := &manifolds[i]
		for k := range m.N {
			if s := &m.Sources[k]; wayIn(ways, s.Material) != None {
				dst = append(dst, s.Cell)
			}
		}
	}
	if len(dst) < from+2 {
		return dst
	}
	slices.SortFunc(dst[from:], compareCells)
	return dst[:from+len(slices.Compact(dst[from:]))]
}

// stateOf returns the state of the face s, of the given direction. A shape stands on s if it
// stands on any one-way face in the cell of s.
func (f *Filter) stateOf(q *Query, s *gridseg.Segment, way Direction) (v state) {
	for i := range q.Shapes {
		p, own := &q.Shapes[i], q.Whole
		if !own && p.ID == q.Own.ID {
			p, own = &q.Own, true
		}
		if f.isOn(p, s.ID.Cell) {
			if own {
				v |= standsOn
			} else {
				v |= otherStandsOn
			}
		}
		if p.Ignored {
			continue
		}
		switch at := sideOf(s, way, p.Hull, q.Was, q.Origin, q.toleranceOf(p, own)); {
		case at == inFront && own:
			v |= wasInFront
		case at == behind && (q.Whole || !own):
			v |= otherBehind
		case at == across:
			v |= crossing
		}
	}
	return v
}

// AppendStood appends the cell of a source that is a one-way tile of t.
func (t *Tiles) AppendStood(dst []gridseg.Cell, s *contact.Source) []gridseg.Cell {
	if t.wayOf(s.Material) != None {
		dst = append(dst, s.Cell)
	}
	return dst
}

// SortStood sorts a list of AppendStood, for Shape.Stood.
func SortStood(cells []gridseg.Cell) { slices.SortFunc(cells, compareCells) }

// isOn reports whether the shape p stands on a one-way tile in the cell c.
func (f *Filter) isOn(p *Shape, c gridseg.Cell) bool {
	f.Tally.Cells += bits.Len(uint(len(p.Stood)))
	_, found := slices.BinarySearchFunc(p.Stood, c, compareCells)
	return found
}

// touches reports whether the shape touches the face s now.
func (q *Query) touches(s *gridseg.Segment, way Direction) bool {
	return sideOf(s, way, q.Own.Hull, q.Now, q.Origin, -contact.SpeculativeDistance) == across
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

// sideOf returns the side of the face s on which the hull h is, in the frame t relative to origin. The hull is in
// front if a line separates them, to an overlap of the tolerance, that is not too steep: the line of the face,
// along floors and slopes; or of an edge of the hull or of the closest points, which distinguishes above from
// beside around the corners and ends of a platform.
func sideOf(s *gridseg.Segment, way Direction, h *collide.Hull, t geom.Transform, origin geom.Vec, tolerance float64) side {
	face := [2]geom.Vec{surface.Local(s.A, origin), surface.Local(s.B, origin)}
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
