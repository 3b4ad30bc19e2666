package gridseg

import (
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// maxOwners bounds the polygons of one cell: a seg stores its owner in one byte.
const maxOwners = 256

// patch is the content of a cell with polygons other than one tile: non-overlapping polygons,
// ordered by their loops. It is immutable; an edit makes a new one.
type patch struct {
	polys  []polygon
	form   form
	digest uint64 // of polys
	refs   int    // cells that hold it
}

// polygon is one polygon of a cell: a tile, or loops with attributes.
type polygon struct {
	tile  Tile      // Shape is 0 if the polygon is not a tile
	loops [][]Point // local to the cell, in lattice.Canonical form
}

// patches holds the patches of a grid. A cell refers to a patch by its number.
type patches struct {
	list    []*patch
	free    []uint32 // free numbers
	retired []uint32 // patches replaced since the last Resolve, whose segments still exist
}

// add assigns a number to q. No cell refers to it yet.
func (p *patches) add(q *patch) uint32 {
	if n := len(p.free); n > 0 {
		k := p.free[n-1]
		p.free = p.free[:n-1]
		p.list[k] = q
		return k
	}
	p.list = append(p.list, q)
	return uint32(len(p.list) - 1)
}

// swap counts the references when a cell changes from one tile to another. resolved reports whether
// the segments of the cell are still those of from.
func (p *patches) swap(from, to cellTile, resolved bool) {
	if to.form == patchForm {
		p.list[to.attr.user].refs++
	}
	if from.form == patchForm {
		if resolved {
			p.retired = append(p.retired, from.attr.user)
		} else {
			p.release(from.attr.user)
		}
	}
}

func (p *patches) release(k uint32) {
	q := p.list[k]
	if q.refs--; q.refs == 0 {
		p.list[k] = nil
		p.free = append(p.free, k)
	}
}

// releaseRetired releases the retired patches, after their segments have been removed.
func (p *patches) releaseRetired() {
	for _, k := range p.retired {
		p.release(k)
	}
	p.retired = p.retired[:0]
}

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

// traitsOf returns the traits of the form of l.
func (g *Grid) traitsOf(l cellTile) traits {
	if l.form != patchForm {
		return g.shapes.traits[l.form]
	}
	return g.patches.list[l.attr.user].form.traits() | nonPlainForm
}

// tileOf returns the tile of a segment: t itself, or, if t refers to a patch, the polygon that owns
// the segment.
func (g *reader) tileOf(t Tile, owner uint8) Tile {
	if t.Shape == Patch {
		return g.patches.list[t.User].polys[owner].tile
	}
	return t
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
		return content{}, fmt.Errorf("%w: %d vertices in the cell, at most %d: remove polygons, or clear the cell", ErrTooLarge, n, lattice.MaxPatch)
	}
	if len(polys) > maxOwners {
		return content{}, fmt.Errorf("%w: %d polygons in the cell, at most %d: remove some, or unite with the attributes of one", ErrTooLarge, len(polys), maxOwners)
	}
	slices.SortFunc(polys, func(p, q polygon) int { return lattice.CompareLoops(p.loops, q.loops) })
	return content{patch: &patch{polys: polys, form: g.patchForm(polys), digest: digest(polys)}}, nil
}

// putContent sets the content of cell (x, y).
func (g *Grid) putContent(x, y int32, now content) {
	if now.patch == nil {
		g.putTile(x, y, now.tile)
		return
	}
	cur := g.rawTile(x, y)
	if cur.Shape == Patch && equalPolys(g.patches.list[cur.User].polys, now.patch.polys) {
		return
	}
	g.putTile(x, y, Tile{Shape: Patch, User: g.patches.add(now.patch)})
}

func equalPolys(p, q []polygon) bool {
	return slices.EqualFunc(p, q, func(a, b polygon) bool {
		return a.tile == b.tile && lattice.CompareLoops(a.loops, b.loops) == 0
	})
}

// digest returns a hash of polygons in their order.
func digest(polys []polygon) uint64 {
	h := mix(uint64(len(polys)))
	for _, p := range polys {
		t := p.tile
		h = mix(h ^ (uint64(t.form())<<48 | uint64(t.Layer)<<32 | uint64(t.User)))
		h = mix(h ^ (uint64(t.Material)<<32 | uint64(len(p.loops))))
		for _, loop := range p.loops {
			h = mix(h ^ uint64(len(loop)))
			for _, v := range loop {
				h = mix(h ^ (uint64(v.X)<<32 | uint64(v.Y)))
			}
		}
	}
	return h
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

// eachEdge calls do for every cut edge of f.
func (f *form) eachEdge(do func(a, b Point, edge int)) {
	point := func(v spot) Point { return Point{X: int64(v.x()), Y: int64(v.y())} }
	for s := range sides {
		p := &f.side[s]
		for i, e := range p.edge {
			if e >= 0 {
				o := face(s, p.at[i], p.at[i+1], e)
				do(point(o.a), point(o.b), int(o.edge))
			}
		}
	}
	for _, e := range f.inner {
		do(point(e.a), point(e.b), int(e.edge.edge()))
	}
}
