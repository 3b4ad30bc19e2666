package gridseg

import (
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

// copy returns a patch that no cell holds yet.
func (q *patch) copy() *patch { return &patch{polys: q.polys, form: q.form, digest: q.digest} }

// polygon is one polygon of a cell: a tile, or loops with attributes.
type polygon struct {
	tile  Tile      // Shape is 0 if the polygon is not a tile
	loops [][]Point // local to the cell, in canonical form
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
// the segments of the cell still belong to from.
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

func polyLoops(polys []polygon) [][][]Point {
	loops := make([][][]Point, len(polys))
	for k, p := range polys {
		loops[k] = p.loops
	}
	return loops
}
