package tilemap

import (
	"fmt"

	"github.com/quarry2d/quarry/gridseg"
)

// pendingEdges is the number of edges of tiles after which the grid is resolved and its segments
// are counted.
const pendingEdges = 1 << 19

// For each vertex on the border of a cell, all segments of the 3x3 cells around it are searched for
// links, so the cost of a tile is up to the square of its number of vertices. maxCorners bounds the
// sum of these squares. For tiles of at most fewCorners vertices, MaxSegments suffices.
const (
	maxCorners = 1 << 27
	fewCorners = 16
)

// Grid returns a new, resolved grid of the map with its own shapes: gridseg.Full for the
// full block, and the others registered by their names.
//
// It returns an error that names the limit and the cell that passed it if the surface has
// more than MaxSegments segments, if the cells lie in more than MaxSquares squares, or if the
// squared numbers of vertices of all tiles with more than 16 add up to more than 2^27 (some
// 2,000 tiles of 256 vertices, or 32,000 of 64). It also fails if the caller changed the map
// and gridseg refuses it.
func (m *Map) Grid() (*gridseg.Grid, error) {
	shapes := gridseg.NewShapes()
	ids := make([]gridseg.ShapeID, len(m.Shapes))
	edges := make([]int, len(m.Shapes))
	for i := range m.Shapes {
		for _, p := range m.Shapes[i].Polygons {
			edges[i] += len(p)
		}
		if m.Shapes[i].IsFull() {
			ids[i] = gridseg.Full
			continue
		}
		id, err := shapes.Register(m.Shapes[i].Name, m.Shapes[i].Polygons...)
		if err != nil {
			return nil, fmt.Errorf("tilemap: map %s: %w", quote(m.Name), err)
		}
		ids[i] = id
	}
	g := gridseg.New(shapes)
	for _, p := range m.Preserve {
		if err := g.Preserve(p[0], p[1]); err != nil {
			return nil, fmt.Errorf("tilemap: map %s: %w", quote(m.Name), err)
		}
	}
	squares := map[[2]int32]struct{}{}
	var last [2]int32
	pending, corners := 0, 0
	for k, c := range m.Cells {
		fail := func(format string, args ...any) (*gridseg.Grid, error) {
			err := fmt.Errorf(format, args...)
			return nil, fmt.Errorf("tilemap: map %s: cell (%d, %d): %w", quote(m.Name), c.X, c.Y, err)
		}
		if int(c.Shape) >= len(ids) {
			return fail("shape index %d, but the map has %d shapes", c.Shape, len(ids))
		}
		if at := [2]int32{c.X >> 4, c.Y >> 4}; k == 0 || at != last {
			squares[at], last = struct{}{}, at
			if len(squares) > MaxSquares {
				return fail("the ground lies in more than %d squares of 16 x 16 cells: use a smaller or less "+
					"scattered map", MaxSquares)
			}
		}
		t := gridseg.Tile{Shape: ids[c.Shape], Turn: c.Turn, Layer: c.Layer, Material: c.Material, User: c.User}
		if err := g.Set(c.X, c.Y, t); err != nil {
			return nil, fmt.Errorf("tilemap: map %s: %w", quote(m.Name), err)
		}
		if n := edges[c.Shape]; n > fewCorners {
			if corners += n * n; corners > maxCorners {
				return fail("the squared numbers of vertices of tiles with more than 16 add up to more than %d: use "+
					"simpler shapes", maxCorners)
			}
		}
		if pending += edges[c.Shape]; pending < pendingEdges && k+1 < len(m.Cells) {
			continue
		}
		// The count includes faces that the next row will cover, which are few compared with the
		// limit.
		g.Resolve()
		pending = 0
		if _, n := g.Count(); n > MaxSegments {
			return fail("the surface up to this cell has %d segments, more than %d: use a smaller map or simpler tiles",
				n, MaxSegments)
		}
	}
	return g, nil
}
