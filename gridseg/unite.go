package gridseg

import "math/bits"

// Unite makes the area of the loops solid where it is not yet, with the attributes a:
// over any number of cells, and leaving what is there as it is. The area is all that
// the loops wind round, in whichever direction, other than zero times: so an outside
// and its holes run in opposite directions, and loops may cross each other.
//
// In every cell the new area becomes one polygon with all that the cell holds of the
// same attributes; a cell that it fills becomes a tile of shape Full. Where edges cross
// between lattice points, all of them are led through the nearest one, by no more than
// half a lattice step in x and y; what is thinner than that may vanish. So is the
// crossing of an edge with a grid line, the same way for both cells: the seam vanishes.
// In all, what a stroke makes is within a step and a half of its loops; along the surface that
// is there an edge is also led through vertices up to a step outside of it, so that
// no crack is left where rounding has moved them. Made again, a stroke may still change what is
// as thin.
//
// A cell that would hold more than MaxPatch vertices gives up its smallest detail: vertices that
// change the outline least are left out, each a triangle of at most 1/1024 cell, also away from
// the stroke.
//
// Unite fails with an *Error, and changes nothing. Of a vertex that is refused it names the loop,
// the index and the cell, or the nearest cell: if a loop has less than three
// vertices (ErrDegenerate) or one beyond the cells (ErrRange), if the loops have more
// than MaxOutline vertices, or MaxCuts with those on grid lines, or reach over more than
// MaxReach cells on a side or MaxFill in all (ErrTooLarge). Otherwise it names the cell in which
// the stroke has more than MaxPatch edges, or no detail is small enough to be given up, or
// four times as many edges or points meet, or there would be more than 256 polygons
// (ErrTooLarge). Its cost is
// that of the cells that it changes, not of the world. In a cell it grows with the square
// of the edges there, so that thousands in one take seconds: bound what strangers send.
func (g *Grid) Unite(loops [][]Point, a Attr) error { return g.brush("Unite", loops, true, a) }

// Subtract makes the area of the loops empty: the counterpart of Unite, in all it takes
// and refuses. A tile that is cut becomes a polygon of the tile's attributes; polygons
// that are cut stay apart, and may be in several pieces.
func (g *Grid) Subtract(loops [][]Point) error { return g.brush("Subtract", loops, false, Attr{}) }

// plannedEdit is what a brush is about to do, so that nothing is done if a part is refused.
type plannedEdit struct {
	whole []Rect // to fill where it is empty, or to clear
	cells []Cell
	now   []content // of cells
}

func (g *Grid) brush(op string, loops [][]Point, unite bool, a Attr) error {
	s, err := newClippedRegion(op, loops)
	if err != nil {
		return err
	}
	var todo plannedEdit
	err = s.each(func(r Rect, loops [][]Point) error {
		if loops != nil {
			return g.planCell(&todo, op, Cell{r.MinX, r.MinY}, loops, unite, a)
		}
		todo.whole = append(todo.whole, r)
		if !unite {
			return nil
		}
		for cell := range g.Tiles(r) {
			if err := g.planCell(&todo, op, cell, whole, unite, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
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

// planCell enters what becomes of one cell.
func (g *Grid) planCell(todo *plannedEdit, op string, c Cell, loops [][]Point, unite bool, a Attr) error {
	t := g.rawTile(c.X, c.Y)
	if t.Shape == 0 && !unite || unite && g.formOf(t).full {
		return nil
	}
	polys, changed, err := combine(g.polysOf(t), loops, unite, a)
	if err != nil {
		return &Error{op, c, err}
	}
	if !changed {
		return nil
	}
	now, err := g.contentOf(polys)
	if err != nil {
		return &Error{op, c, err}
	}
	todo.cells = append(todo.cells, c)
	todo.now = append(todo.now, now)
	return nil
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
