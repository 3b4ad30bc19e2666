package gridseg

import (
	"iter"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Add adds a polygon to cell (x, y), beside the tile or the polygons already in it. The loops are
// local to the cell (0 to Unit): counter-clockwise around outsides, clockwise round holes. Each loop
// is simple; loops may touch each other and the existing polygons. Where two of the loops run along
// each other in opposite directions, as a hole along its own outside does, these edges cancel and
// are not stored. Edges shared with another polygon cancel too, unless the layers are preserved.
// Order does not matter: the same polygons make the same cell, in whichever order they were added.
// A single polygon that covers the whole cell is a tile of shape Full.
//
// Add fails with an *Error, and changes nothing, if the polygon leaves the cell, is clockwise, or crosses or touches
// itself in any other way (ErrPolygon), overlaps an existing polygon (ErrOverlap), or if the cell would hold more
// than 1024 vertices or 256 polygons (ErrTooLarge).
func (g *Grid) Add(x, y int32, loops [][]Point, a Attr) error {
	refuse := func(err error) error { return &Error{"Add", Cell{X: x, Y: y}, err} }
	if err := g.refuse("Add", Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}); err != nil {
		return err
	}
	if err := lattice.CheckLoops(loops); err != nil {
		return refuse(err)
	}
	there := g.polysOf(g.rawTile(x, y))
	if len(loops) > 1 { // they must not cross, even where they cancel
		if err := lattice.CheckApart(nil, loops); err != nil {
			return refuse(err)
		}
	}
	added := polygon{a.tile(), lattice.Canonical(lattice.CancelOwn(loops))}
	if err := lattice.CheckApart(polyLoops(there), added.loops); err != nil {
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
// fails with an *Error, and changes nothing, if the cell holds no such polygon.
func (g *Grid) Remove(x, y int32, loops [][]Point) error {
	refuse := func(err error) error { return &Error{"Remove", Cell{X: x, Y: y}, err} }
	if err := g.refuse("Remove", Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}); err != nil {
		return err
	}
	there := g.polysOf(g.rawTile(x, y))
	as := lattice.Canonical(loops)
	match := func(p polygon) bool { return lattice.CompareLoops(p.loops, as) == 0 }
	k := slices.IndexFunc(there, match)
	if k < 0 && lattice.CheckLoops(loops) == nil {
		as = lattice.Canonical(lattice.CancelOwn(loops))
		k = slices.IndexFunc(there, match)
	}
	if k < 0 {
		return refuse(errNotFound)
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
func (g *reader) Polygons(x, y int32) iter.Seq2[Tile, [][]Point] {
	return func(yield func(Tile, [][]Point) bool) {
		for _, p := range g.polysOf(g.rawTile(x, y)) {
			if !yield(p.tile, p.loops) {
				return
			}
		}
	}
}
