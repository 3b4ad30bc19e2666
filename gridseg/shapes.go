package gridseg

import (
	"fmt"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Limits of a Shapes and of one shape.
const (
	maxShapes   = 4095 // shapes, NewShapes included
	maxVertices = 256  // vertices a shape, over all its polygons
)

// Shapes is a registry of immutable shapes. Any number of grids may share it. Make one with
// NewShapes.
type Shapes struct {
	names []string // by id; names[0] is unused
	ids   map[string]ShapeID

	// By formID: the empty forms come first.
	forms    []form
	traits   []traits
	segments [][]formSegment // of plain forms; nil for others
	moments  []cellMoments
}

// NewShapes returns a registry with Full, Ramp, Slab, SlopeLow and SlopeHigh under the names full,
// ramp, slab, slope-low and slope-high.
func NewShapes() *Shapes {
	s := &Shapes{names: []string{""}, ids: map[string]ShapeID{}}
	s.forms, s.traits, s.segments = make([]form, turns), make([]traits, turns), make([][]formSegment, turns)
	s.moments = make([]cellMoments, turns)
	for _, d := range []struct {
		name string
		poly [][2]float64
	}{
		{"full", [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
		{"ramp", [][2]float64{{0, 0}, {1, 0}, {1, 1}}},
		{"slab", [][2]float64{{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}}},
		{"slope-low", [][2]float64{{0, 0}, {1, 0}, {1, 0.5}}},
		{"slope-high", [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 0.5}}},
	} {
		if _, err := s.Register(d.name, d.poly); err != nil {
			panic("quarry: " + err.Error())
		}
	}
	return s
}

// Register adds a shape under a new name. Each polygon is in cells, within 0 to 1,
// counter-clockwise and simple, and may be non-convex; polygons may touch but not overlap. Vertices
// are rounded to the lattice here, once. An invalid shape, or one that rounding makes invalid, is
// refused with a *ShapeError.
func (s *Shapes) Register(name string, polys ...[][2]float64) (ShapeID, error) {
	refuse := func(poly, vertex int, err error) (ShapeID, error) {
		return 0, &ShapeError{Name: name, Polygon: poly, Vertex: vertex, Err: err}
	}
	if _, taken := s.ids[name]; taken || name == "" {
		return refuse(-1, -1, errName)
	}
	if len(s.names) > maxShapes {
		return refuse(-1, -1, fmt.Errorf("%w: %d shapes are registered, the most there may be", ErrTooLarge, maxShapes))
	}
	if len(polys) > lattice.MaxPolygons {
		return refuse(-1, -1, fmt.Errorf("%w: %d polygons, at most %d", ErrTooLarge, len(polys), lattice.MaxPolygons))
	}
	if len(polys) == 0 {
		return refuse(-1, -1, fmt.Errorf("%w: no polygons", lattice.ErrDegenerate))
	}
	total := 0
	for _, p := range polys {
		total += len(p)
	}
	if total > maxVertices {
		return refuse(-1, -1, fmt.Errorf("%w: %d vertices, at most %d", ErrTooLarge, total, maxVertices))
	}
	snapped := make([][]Point, len(polys))
	for i, p := range polys {
		ps, v, err := lattice.Snap(p)
		if err != nil {
			return refuse(i, v, err)
		}
		snapped[i] = ps
	}
	edges, poly, vertex, err := lattice.ResolveShape(snapped)
	if err != nil {
		return refuse(poly, vertex, err)
	}
	id := ShapeID(len(s.names))
	for t := range Turn(turns) {
		f := newForm(snapped, edges, t)
		formTraits := f.traits()
		ps, plain := f.formSegments()
		if !plain {
			formTraits |= nonPlainForm
		}
		s.forms, s.traits, s.segments = append(s.forms, f), append(s.traits, formTraits), append(s.segments, ps)
		s.moments = append(s.moments, momentsOf(f.polys))
	}
	s.names = append(s.names, name)
	s.ids[name] = id
	return id, nil
}

// Name returns the name of a shape, or "" if id is not registered.
func (s *Shapes) Name(id ShapeID) string {
	if int(id) >= len(s.names) {
		return ""
	}
	return s.names[id]
}

// Lookup returns the shape with a name, and false if there is none.
func (s *Shapes) Lookup(name string) (ShapeID, bool) {
	id, ok := s.ids[name]
	return id, ok
}

// Len returns the number of shapes; ids run from 1 to Len.
func (s *Shapes) Len() int { return len(s.names) - 1 }

// Polygons returns the polygons of a turned shape, local to its cell (0 to Unit),
// counter-clockwise; nil if the shape or turn does not exist. The result is shared and must not be
// modified.
func (s *Shapes) Polygons(id ShapeID, turn Turn) [][]Point {
	if int(id) >= len(s.names) || turn >= turns {
		return nil
	}
	return s.forms[int(id)*turns+int(turn)].polys
}

// check refuses an invalid tile.
func (s *Shapes) check(t Tile) error {
	switch {
	case t.Shape == 0 && t != Tile{}:
		return errNoShape
	case int(t.Shape) >= len(s.names):
		return fmt.Errorf("%w: %d, registered are 1 to %d", ErrUnknownShape, t.Shape, s.Len())
	case t.Turn >= turns:
		return fmt.Errorf("%w: %d", errTurn, t.Turn)
	}
	return nil
}

// newForm returns the form of a resolved shape in turn t.
func newForm(polys [][]Point, edges []lattice.EdgePart, t Turn) form {
	turned := make([][]Point, len(polys))
	for k, loop := range polys {
		turned[k] = t.outline(loop)
	}
	f := form{polys: turned}
	f.layOut()
	for _, e := range edges {
		a, b := t.apply(e.A), t.apply(e.B)
		if t&4 != 0 {
			a, b = b, a
		}
		f.add(a, b, tagOf(0, e.Edge))
	}
	f.finish()
	f.setPieces([][][]Point{turned})
	return f
}
