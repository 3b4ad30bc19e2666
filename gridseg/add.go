package gridseg

import (
	"fmt"
	"iter"
	"slices"
)

// Add adds a polygon to cell (x, y), beside the tile or the polygons already in it. The loops are
// local to the cell (0 to Unit): counter-clockwise around outsides, clockwise round holes. Each loop
// is simple; loops may touch each other and the existing polygons. Where two of the loops run along
// each other in opposite directions, as a hole along its own outside does, these edges cancel and
// are not stored. Edges shared with another polygon cancel too, unless the layers are preserved.
// Order does not matter: the same polygons make the same cell, in whichever order they were added.
// A single polygon that covers the whole cell is a tile of shape Full.
//
// Add fails with an *Error, and changes nothing, if the polygon leaves the cell (ErrOutside), is
// clockwise (ErrClockwise), crosses or touches itself in any other way (ErrCrossing,
// ErrDegenerate), overlaps an existing polygon (ErrOverlap), or if the cell would hold more than
// MaxPatch vertices or 256 polygons (ErrTooLarge).
func (g *Grid) Add(x, y int32, loops [][]Point, a Attr) error {
	refuse := func(err error) error { return &Error{"Add", Cell{x, y}, err} }
	if err := g.refuse("Add", Rect{x, y, x, y}); err != nil {
		return err
	}
	if err := checkLoops(loops); err != nil {
		return refuse(err)
	}
	there := g.polysOf(g.rawTile(x, y))
	if len(loops) > 1 { // they must not cross, even where they cancel
		if err := checkApart(nil, loops); err != nil {
			return refuse(err)
		}
	}
	added := polygon{a.tile(), canonical(cancelOwn(loops))}
	if err := checkApart(there, added.loops); err != nil {
		return refuse(err)
	}
	now, err := g.contentOf(append(slices.Clone(there), added))
	if err != nil {
		return refuse(err)
	}
	g.putContent(x, y, now)
	return nil
}

// Remove takes the polygon with these loops out of cell (x, y). The loops are those given to Add or
// yielded by Polygons; each may begin at any of its vertices. The polygon may be a tile. Remove
// fails with an *Error of ErrNotFound, and changes nothing, if the cell holds no such polygon.
func (g *Grid) Remove(x, y int32, loops [][]Point) error {
	refuse := func(err error) error { return &Error{"Remove", Cell{x, y}, err} }
	if err := g.refuse("Remove", Rect{x, y, x, y}); err != nil {
		return err
	}
	there := g.polysOf(g.rawTile(x, y))
	as := canonical(loops)
	match := func(p polygon) bool { return compareLoops(p.loops, as) == 0 }
	k := slices.IndexFunc(there, match)
	if k < 0 && checkLoops(loops) == nil {
		as = canonical(cancelOwn(loops))
		k = slices.IndexFunc(there, match)
	}
	if k < 0 {
		return refuse(ErrNotFound)
	}
	now, err := g.contentOf(slices.Concat(there[:k], there[k+1:]))
	if err != nil {
		return refuse(err)
	}
	g.putContent(x, y, now)
	return nil
}

// Polygons yields the polygons of cell (x, y), ordered by their loops: the attributes as a Tile
// without a shape, and the loops, local to the cell. A registered tile comes as that tile with the
// outlines of its shape. The loops are shared and must not be modified. Setting the tile, if there
// is one, and then adding the polygons in any order makes the same cell again.
func (g *Grid) Polygons(x, y int32) iter.Seq2[Tile, [][]Point] {
	return func(yield func(Tile, [][]Point) bool) {
		for _, p := range g.polysOf(g.rawTile(x, y)) {
			if !yield(p.tile, p.loops) {
				return
			}
		}
	}
}

// rawTile returns the tile of cell (x, y); that of a patch has the patch's number as User.
func (g *Grid) rawTile(x, y int32) Tile {
	c := g.at(x>>chunkBits, y>>chunkBits)
	if c == nil {
		return Tile{}
	}
	return c.tile(cellIndex(x, y))
}

// checkLoops refuses loops that do not describe one polygon inside a cell.
func checkLoops(loops [][]Point) error {
	n := 0
	for _, loop := range loops {
		n += len(loop)
	}
	if n > MaxPatch {
		return fmt.Errorf("%w: %d vertices, at most %d", ErrTooLarge, n, MaxPatch)
	}
	if len(loops) == 0 {
		return fmt.Errorf("%w: no loops", ErrDegenerate)
	}
	area := int64(0)
	for k, loop := range loops {
		if len(loop) < 3 {
			return fmt.Errorf("loop %d: %w: %d vertices, at least 3", k, ErrDegenerate, len(loop))
		}
		for i, v := range loop {
			if v.X < 0 || v.X > Unit || v.Y < 0 || v.Y > Unit {
				return fmt.Errorf("loop %d, vertex %d: %w: (%d, %d)/%d", k, i, ErrOutside, v.X, v.Y, Unit)
			}
		}
		if i, err := checkLoop(loop); err != nil {
			return fmt.Errorf("loop %d, vertex %d: %w", k, i, err)
		}
		area += area2(loop)
	}
	if area <= 0 {
		return ErrClockwise
	}
	return nil
}

// checkApart refuses loops whose winding number is anywhere other than 0 or 1, and loops that
// overlap polys.
func checkApart(polys []polygon, loops [][]Point) error {
	mine := appendLoopEdges(nil, loops, len(polys))
	all := mine
	for k, p := range polys {
		all = appendLoopEdges(all, p.loops, k)
	}
	for i := range mine {
		for k := range all {
			if edgesCross(mine[i].a, mine[i].b, all[k].a, all[k].b) {
				at := mine[i].a
				if k < len(mine) {
					return fmt.Errorf("%w: two loops cross at the edge from (%d, %d)/%d", ErrCrossing, at.X, at.Y, Unit)
				}
				return fmt.Errorf("%w: the edge from (%d, %d)/%d crosses an edge of the cell's polygons", ErrOverlap, at.X, at.Y, Unit)
			}
		}
	}
	var err error
	eachFace(cutMultiEdges(all, verticesOf(all)), len(polys)+1, func(a, _ Point, left, right []int) {
		for _, side := range [][]int{left, right} {
			sum := 0
			for _, w := range side {
				sum += w
			}
			switch own := side[len(polys)]; {
			case err != nil:
			case own < 0:
				err = fmt.Errorf("%w: a hole outside of the polygon, near (%d, %d)/%d", ErrClockwise, a.X, a.Y, Unit)
			case own > 1 || own == 1 && sum > 1:
				err = fmt.Errorf("%w: near (%d, %d)/%d", ErrOverlap, a.X, a.Y, Unit)
			}
		}
	})
	return err
}
