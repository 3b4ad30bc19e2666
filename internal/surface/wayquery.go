package surface

import (
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
)

// Drop is the progress of a shape that drops through one-way tiles.
type Drop uint8

// The states of a drop.
const (
	NotDropping Drop = iota
	ToDrop           // requested since the last step
	Dropping         // until the shape is clear of the tiles that it stood on
)

// WayMemory is the state of the contact of a shape and a ground from step to step. The zero value is
// as in a new contact.
type WayMemory struct {
	Drop  Drop
	Stood []gridseg.Cell // the cells of the one-way tiles that the shape stands on, sorted

	plainCells gridseg.Rect // cells without one-way tiles at the version plainAt
	plainAt    uint64       // Tiles.Version plus the number of changes of the directions; 0: plainCells is not set
}

// Reset makes m as in a new contact, and keeps its room.
func (m *WayMemory) Reset() { *m = WayMemory{Stood: m.Stood[:0]} }

// Empty reports whether m, apart from Stood, is as in a new contact.
func (m *WayMemory) Empty() bool {
	return m.Drop == NotDropping && m.plainCells == gridseg.Rect{} && m.plainAt == 0
}

// Visit visits m; a hash has the drop, if the shape drops. plainCells only saves time.
func (m *WayMemory) Visit(c *pool.Codec) {
	if c.Hashing() {
		if m.Drops() {
			pool.Up(c, &m.Drop, uint64(Dropping))
		}
		return
	}
	pool.Up(c, &m.Drop, uint64(Dropping))
	pool.List(c, &m.Stood, 1, func(_ int, cell *gridseg.Cell) { c.Pair(&cell.X, &cell.Y) })
	c.Need(slices.IsSortedFunc(m.Stood, compareCells), "the cells on which a shape stands are not sorted")
}

// Drops reports whether the shape drops through one-way tiles, or is about to.
func (m *WayMemory) Drops() bool { return m.Drop != NotDropping }

// Note records the cells of the one-way tiles under the points of the manifolds.
func (m *WayMemory) Note(manifolds []contact.SurfaceManifold, ways *Ways) {
	m.Stood = appendStood(m.Stood[:0], manifolds, ways.of)
}

// Changes reports whether Note would change m, or its drop is not drop. room is kept from call to
// call.
func (m *WayMemory) Changes(room *[]gridseg.Cell, manifolds []contact.SurfaceManifold, ways *Ways, drop Drop) bool {
	*room = appendStood((*room)[:0], manifolds, ways.of)
	return drop != m.Drop || !slices.Equal(*room, m.Stood)
}

// WayQuery is one shape in a ground, with the pose of its body at the start of the last step. That pose decides which
// one-way faces stop the shape: the faces that it was in front of. A shape that was across a face is on its way
// through, and passes all faces of the same platform, too. (The velocity does not decide: the game may have set it
// since.)
//
// Set the exported fields, then call Prepare. Most shapes are near no one-way tile, so Was and Shapes may be left to
// Source.
type WayQuery struct {
	Was, Now geom.Transform            // of the body in the ground, relative to Origin
	Origin   geom.Vec                  // the body's centre of mass in the ground, in cells
	Old      []contact.SurfaceManifold // the shape's manifolds of the last step, on which it stood
	Shapes   []WayShape                // of the body, without sensors
	Own      WayShape                  // the query's shape, which is one of Shapes
	Listing  uint64                    // of Shapes: queries with the same number, not 0, have the same Shapes
	// sets Was, Shapes and Listing when a one-way tile is near; nil if the caller has set them
	Source WaySource
	Whole  bool       // Shapes are the parts of a ground: all are the query's
	Drop   Drop       // of the shape; Filter.Collect sets it to the state in the step that begins
	Passes bool       // the body passes all one-way tiles
	Memory *WayMemory // of the shape's contact

	passesAll bool // no one-way face stops the shape
	tolerance float64
}

// WaySource is the body of a query.
type WaySource interface {
	// SetBody sets Was, Shapes and Listing of q.
	SetBody(q *WayQuery)
}

// WayShape is one shape of the query's body.
type WayShape struct {
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
func (q *WayQuery) Prepare() {
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
func (q *WayQuery) cellsMet() (gridseg.Rect, bool) {
	box := geom.Empty
	for i := range q.Shapes {
		h := q.Shapes[i].Hull
		box = box.Union(h.Bounds(q.Was)).Union(h.Bounds(q.Now))
	}
	return Cells(box.Expand(contact.SpeculativeDistance).Translate(q.Origin))
}

// leastTolerance is the smallest tolerance of queries with q's Drop.
func (q *WayQuery) leastTolerance() float64 {
	if q.Drop == Dropping {
		return -contact.SpeculativeDistance
	}
	return tolerance
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

// AppendStood appends the cell of a source that is a one-way tile of t.
func (t *Tiles) AppendStood(dst []gridseg.Cell, s *contact.Source) []gridseg.Cell {
	if t.wayOf(s.Material) != None {
		dst = append(dst, s.Cell)
	}
	return dst
}

// SortStood sorts a list of AppendStood, for Shape.Stood.
func SortStood(cells []gridseg.Cell) { slices.SortFunc(cells, compareCells) }

// touches reports whether the shape touches the face s now.
func (q *WayQuery) touches(s *gridseg.Segment, way Direction) bool {
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

// leastRise is the smallest component of the direction that separates a shape from a one-way
// face, a unit vector, along the face's normal and along the tile's direction, for a shape
// in front of the face rather than beside it: within 60 degrees of both.
const leastRise = 0.5

// separateSlop is the distance of two cores above which their closest points give a
// direction.
const separateSlop = 1e-6

// sideOf returns the side of the face s on which the hull h is, in the frame t relative to origin: that of a line that
// separates them, to an overlap of the tolerance; see measure.
func sideOf(s *gridseg.Segment, way Direction, h *collide.Hull, t geom.Transform, origin geom.Vec,
	tolerance float64,
) side {
	switch m := measure(s, way, h, t, origin, -tolerance); {
	case m.front >= -tolerance:
		return inFront
	case m.beside >= -tolerance:
		return beside
	case m.behind >= -tolerance:
		return behind
	}
	return across
}
