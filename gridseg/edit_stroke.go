package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Unite makes the area of the loops solid with the attributes a, over any number of cells; tiles
// and polygons that are there stay as they are. The area is the set of points with a non-zero
// winding number, so outsides and their holes must run in opposite directions, and loops may cross
// each other.
//
// In every cell the new area and all polygons of the same attributes become one polygon; a filled
// cell becomes a tile of shape Full. Crossings of edges are rounded to the nearest lattice point:
// all edges there move by at most half a lattice step in x and y, and parts thinner than that may
// vanish. Crossings of edges with a grid line are rounded in the same way for both cells, so that
// the seam vanishes. In all, the new outline is within a step and a half of the loops. Beside an
// existing surface, edges are also routed through vertices up to a step outside of them, so that no
// crack is left where rounding has moved the surface. Repeating a stroke may still change parts as
// thin as that.
//
// A cell that would hold more than 1024 vertices is simplified: the vertices that change the
// outline smallest are removed, each with a triangle of at most 1/1024 cell, also away from the
// stroke.
//
// Unite fails with an *Error, and changes nothing. For a refused vertex the error names the loop,
// the index and the cell, or the nearest cell: if a loop has less than three vertices
// (ErrPolygon) or a vertex beyond the cells (ErrRange), if the loops have more than 4096
// vertices, or 131,072 including those on grid lines, or cover more than 65,536 cells on a side
// or 2^24 in all (ErrTooLarge). Otherwise the error names a cell (ErrTooLarge): if the stroke
// has more than 1024 edges there, or no vertex can be removed, or more than 4096 edges or
// points meet, or there would be more than 256 polygons; or ErrUnloaded, for a cell that the loops cover or cut.
//
// The cost depends on the changed cells, not on the world. In a cell it grows with the square of
// the edges there: thousands in one cell take seconds, so limit untrusted input.
//
// The options Keep and ReportTo leave cells alone, and report the change.
func (g *Grid) Unite(loops [][]Point, a Attr, options ...BrushOption) error {
	return g.brush("Unite", loops, true, a, options)
}

// Subtract makes the area of the loops empty: the counterpart of Unite, with the same area,
// rounding and errors. A cut tile becomes a polygon with the tile's attributes; cut polygons stay
// separate, and may consist of several parts.
func (g *Grid) Subtract(loops [][]Point, options ...BrushOption) error {
	return g.brush("Subtract", loops, false, Attr{}, options)
}

func (g *Grid) brush(op string, loops [][]Point, unite bool, a Attr, options []BrushOption) error {
	if err := g.refuseOwned(op, Cell{}); err != nil {
		return err
	}
	o := brushOptions(options)
	s, at, err := lattice.NewClip(loops)
	if err != nil {
		return &Error{op, at, err}
	}
	var todo plannedEdit
	err = s.Each(func(r Rect, loops [][]Point) error {
		if err := g.refuse(op, r); err != nil {
			return err
		}
		if loops != nil {
			return g.planCell(&todo, op, Cell{X: r.MinX, Y: r.MinY}, loops, unite, a, o.keep)
		}
		if unite || o.keep == nil {
			todo.whole = append(todo.whole, r)
		}
		if !unite && o.keep == nil {
			return nil
		}
		for cell := range g.Tiles(r) {
			if err := g.planCell(&todo, op, cell, whole, unite, a, o.keep); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.report != nil {
		o.report.begin(g, &todo, unite)
		defer o.report.end(g)
	}
	for _, r := range todo.whole {
		if !unite {
			g.fill(r, Tile{})
			continue
		}
		t := a.tile()
		t.Shape = Full
		g.fillEmpty(r, t)
	}
	for k, c := range todo.cells {
		g.putContent(c.X, c.Y, todo.now[k])
	}
	return nil
}

// planCell adds the change of one cell to todo. keep may be nil; see Keep.
func (g *Grid) planCell(
	todo *plannedEdit, op string, c Cell, loops [][]Point, unite bool, a Attr, keep func(Cell, Tile) bool,
) error {
	t := g.rawTile(c.X, c.Y)
	if t.Shape == 0 && !unite || unite && g.formOf(t).full {
		return nil
	}
	there := g.polysOf(t)
	with, kept := make([]lattice.Polygon, len(there)), 0
	for k, p := range there {
		with[k] = lattice.Polygon{Loops: p.loops, Seams: p.tile.Shape != 0, Joins: p.tile.attr() == a.tile().attr()}
		if keep != nil && g.ask(keep, c, p.tile) {
			with[k].Kept = true
			kept++
		}
	}
	if kept > 0 && (unite || kept == len(there)) {
		return nil
	}
	now, changed, err := lattice.Combine(with, loops, unite)
	if err != nil {
		return &Error{op, c, err}
	}
	if !changed {
		return nil
	}
	polys := make([]polygon, len(now))
	for k, r := range now {
		polys[k] = polygon{a.tile(), r.Loops}
		if r.From != lattice.Stroke {
			polys[k].tile = there[r.From].tile
		}
		if !r.Same {
			polys[k].tile.Shape, polys[k].tile.Turn = 0, 0
		}
	}
	content, err := g.contentOf(polys)
	if err != nil {
		return &Error{op, c, err}
	}
	todo.cells = append(todo.cells, c)
	todo.now = append(todo.now, content)
	return nil
}

// ask calls the game's function keep. Meanwhile nobody can edit g: the edit is planned from the present tiles.
func (g *Grid) ask(keep func(Cell, Tile) bool, c Cell, t Tile) bool {
	defer func() {
		g.asked = false
		g.lock()
	}()
	g.asked = true
	g.lock()
	return keep(c, t)
}

// fillEmpty puts t into the cells of r that are empty.
func (g *Grid) fillEmpty(r Rect, t Tile) {
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			c := g.chunkAt(cx, cy)
			if c.tiles == 0 {
				g.fillChunk(c, r, t)
				continue
			}
			x0, y0, x1, y1 := c.clip(r)
			for y := y0; y <= y1; y++ {
				for free := ^c.occupied[y] & uint16(1<<(x1+1)-1<<x0); free != 0; free &= free - 1 {
					g.put(c, y<<chunkBits|bits.TrailingZeros16(free), t.cellTile())
				}
			}
		}
	}
}
