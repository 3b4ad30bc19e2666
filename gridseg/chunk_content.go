package gridseg

import (
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// formAt returns the form of cell i of c.
func (g *reader) formAt(c *chunk, i int) *form {
	if f := c.form[i]; f != patchForm {
		return &g.shapes.forms[f]
	}
	return &g.patches.list[c.attrAt(i).user].form
}

// formOf returns the form of a raw tile, which may refer to a patch.
func (g *reader) formOf(t Tile) *form {
	if t.Shape == Patch {
		return &g.patches.list[t.User].form
	}
	return &g.shapes.forms[t.form()]
}

// tileOf returns the tile of a segment: t itself, or, if t refers to a patch, the polygon that owns
// the segment.
func (g *reader) tileOf(t Tile, owner uint8) Tile {
	if t.Shape == Patch {
		return g.patches.list[t.User].polys[owner].tile
	}
	return t
}

// polysOf returns the polygons of a raw tile, which may refer to a patch. The result may be shared.
func (g *reader) polysOf(t Tile) []polygon {
	switch t.Shape {
	case 0:
		return nil
	case Patch:
		return g.patches.list[t.User].polys
	}
	return []polygon{{t, lattice.Canonical(g.formOf(t).polys)}}
}

// whole is the outline of a full cell.
var whole = [][]Point{{{X: 0, Y: 0}, {X: Unit, Y: 0}, {X: Unit, Y: Unit}, {X: 0, Y: Unit}}}

// content is the new content of a cell: a tile, or a patch without a number.
type content struct {
	tile  Tile
	patch *patch
}

// contentOf returns the content for non-overlapping polygons: empty for none, a tile for a single
// polygon that is a tile or covers the cell, otherwise a patch. It sorts polys.
func (g *Grid) contentOf(polys []polygon) (content, error) {
	if len(polys) == 0 {
		return content{}, nil
	}
	if p := polys[0]; len(polys) == 1 {
		if p.tile.Shape != 0 {
			return content{tile: p.tile}, nil
		}
		if lattice.CompareLoops(p.loops, whole) == 0 {
			p.tile.Shape = Full
			return content{tile: p.tile}, nil
		}
	}
	n := 0
	for _, p := range polys {
		for _, loop := range p.loops {
			n += len(loop)
		}
	}
	if n > lattice.MaxPatch {
		return content{}, fmt.Errorf("%w: %d vertices in the cell, at most %d: remove polygons, or clear the cell",
			ErrTooLarge, n, lattice.MaxPatch)
	}
	if len(polys) > maxOwners {
		return content{}, fmt.Errorf("%w: %d polygons in the cell, at most %d: "+
			"remove some, or unite with the attributes of one", ErrTooLarge, len(polys), maxOwners)
	}
	slices.SortFunc(polys, func(p, q polygon) int { return lattice.CompareLoops(p.loops, q.loops) })
	return content{patch: &patch{polys: polys, form: g.patchForm(polys), digest: digest(polys)}}, nil
}

// patchForm makes the form of the polygons of a cell: every edge is cut at every vertex on it, and
// edges shared by two polygons are dropped unless the polygons preserve against each other.
func (g *Grid) patchForm(polys []polygon) form {
	var f form
	var vertices []Point
	for _, p := range polys {
		for _, loop := range p.loops {
			f.polys = append(f.polys, loop)
			vertices = append(vertices, loop...)
		}
	}
	slices.SortFunc(vertices, lattice.ComparePoints)
	f.layOut()
	var edges []lattice.EdgePart
	cut := func(a, b Point, edge, owner int) {
		cuts := lattice.CutEdge(a, b, vertices)
		for k := range len(cuts) - 1 {
			edges = append(edges, lattice.EdgePart{A: cuts[k], B: cuts[k+1], Edge: edge, Poly: owner})
		}
	}
	for owner, p := range polys {
		if p.tile.Shape != 0 {
			g.formOf(p.tile).eachEdge(func(a, b Point, edge int) { cut(a, b, edge, owner) })
			continue
		}
		number := 0
		for _, loop := range p.loops {
			for k, a := range loop {
				cut(a, loop[(k+1)%len(loop)], number, owner)
				number++
			}
		}
	}
	for _, e := range lattice.DropShared(edges, func(a, b int) bool {
		return a != b && g.layers.preserved(polys[a].tile.Layer, polys[b].tile.Layer)
	}) {
		f.add(e.A, e.B, tagOf(e.Poly, e.Edge))
	}
	f.finish()
	return f
}

// traitsOf returns the traits of the form of l.
func (g *Grid) traitsOf(l cellTile) traits {
	if l.form != patchForm {
		return g.shapes.traits[l.form]
	}
	return g.patches.list[l.attr.user].form.traits() | nonPlainForm
}

// tileOfOwner is tileOf for a cellTile.
func (g *Grid) tileOfOwner(l cellTile, owner uint8) Tile {
	if l.form == patchForm {
		return g.patches.list[l.attr.user].polys[owner].tile
	}
	return l.tile()
}

// layerOf returns the layer of a segment of cell i.
func (g *Grid) layerOf(c *chunk, i int, owner uint8) uint8 {
	a := c.attrAt(i)
	if c.form[i] == patchForm {
		return g.patches.list[a.user].polys[owner].tile.Layer
	}
	return a.layer
}

// piecesAt returns the form of cell i of c, with its pieces.
func (g *Grid) piecesAt(c *chunk, i int) *form {
	f := g.formAt(c, i)
	if f.pieces == nil {
		f.setPieces(polyLoops(g.patches.list[c.attrAt(i).user].polys))
	}
	return f
}

// contentFrom returns the content for polygons of another grid, whose registry may have other
// shapes under the same ids.
func (g *Grid) contentFrom(ps []polygon) (content, error) {
	ps = slices.Clone(ps)
	for k, p := range ps {
		if p.tile.Shape == 0 {
			continue
		}
		if err := g.shapes.check(p.tile); err != nil {
			return content{}, err
		}
		loops := lattice.Canonical(g.formOf(p.tile).polys)
		if lattice.CompareLoops(loops, p.loops) != 0 {
			if err := lattice.CheckApart(polyLoops(slices.Concat(ps[:k], ps[k+1:])), loops); err != nil {
				return content{}, err
			}
			ps[k].loops = loops
		}
	}
	return g.contentOf(ps)
}
