package gridseg

import (
	"fmt"
	"iter"
	"slices"
)

// Add adds a polygon to cell (x, y), beside the tile or the polygons that it holds.
// The loops are local to the cell (0 to Unit): counter-clockwise round the outside, or
// outsides, and clockwise round holes; each is simple, and they may touch each other
// and what is there. Where two of the loops run along each other in opposite directions, as a
// hole along its own outside does, they cancel, and the polygon is kept without these edges.
// What it shares of an edge with another polygon cancels too, unless the layers are
// preserved. Order does not matter: the same polygons make the same cell, whichever
// was added first. The whole cell as the only polygon is a tile of shape Full.
//
// Add fails with an *Error, and changes nothing, if the polygon leaves the cell, is
// clockwise, crosses or touches itself other than said (ErrOutside, ErrClockwise,
// ErrCrossing, ErrDegenerate), overlaps what is there (ErrOverlap), or makes the cell
// hold more than MaxPatch vertices or 256 polygons (ErrTooLarge).
func (g *Grid) Add(x, y int32, loops [][]Point, a Attr) error {
	refuse := func(err error) error { return &Error{"Add", Cell{x, y}, err} }
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

// Remove takes the polygon with these loops out of cell (x, y), as they were given to Add or
// as Polygons yields them, whichever vertex each loop begins with; the polygon may be a tile. It fails with an *Error of ErrNotFound,
// and changes nothing, if the cell holds no such polygon.
func (g *Grid) Remove(x, y int32, loops [][]Point) error {
	refuse := func(err error) error { return &Error{"Remove", Cell{x, y}, err} }
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

// Polygons yields what cell (x, y) holds: each polygon's loops, local to the cell, with
// its attributes as a Tile without a shape, or a tile with the outlines of its shape.
// They come in an order that depends on the loops alone. The loops are shared: they
// must not be modified. Given to Add, or the tile to Set, in any order but tile first,
// they make the same cell again.
func (g *Grid) Polygons(x, y int32) iter.Seq2[Tile, [][]Point] {
	return func(yield func(Tile, [][]Point) bool) {
		for _, p := range g.polysOf(g.rawTile(x, y)) {
			if !yield(p.tile, p.loops) {
				return
			}
		}
	}
}

// rawTile returns what cell (x, y) holds, with the number of a patch.
func (g *Grid) rawTile(x, y int32) Tile {
	c := g.table.find(x>>chunkBits, y>>chunkBits)
	if c == nil {
		return Tile{}
	}
	return c.tile(cellIndex(x, y))
}

// checkLoops refuses loops that are none of one cell.
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
			return fmt.Errorf("loop %d: %w: %d vertices", k, ErrDegenerate, len(loop))
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

// checkApart refuses loops that do not wind once round what is inside and not at all
// round the rest, or that overlap polygons.
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
					return fmt.Errorf("%w: loops cross in the edge from (%d, %d)/%d", ErrCrossing, at.X, at.Y, Unit)
				}
				return fmt.Errorf("%w: the edge from (%d, %d)/%d runs into one that is there", ErrOverlap, at.X, at.Y, Unit)
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
				err = fmt.Errorf("%w: a hole in nothing, near (%d, %d)/%d", ErrClockwise, a.X, a.Y, Unit)
			case own > 1 || own == 1 && sum > 1:
				err = fmt.Errorf("%w: near (%d, %d)/%d", ErrOverlap, a.X, a.Y, Unit)
			}
		}
	})
	return err
}
