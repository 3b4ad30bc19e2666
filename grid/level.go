package grid

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
)

// Kind is how a grid finds its cells.
type Kind uint8

// The kinds of grids; see the package's doc for which to use when.
const (
	Fixed Kind = iota
	Hashed
	Chunked
	Hierarchical
)

// String returns the kind's name.
func (k Kind) String() string {
	if k <= Hierarchical {
		return [...]string{"fixed", "hashed", "chunked", "hierarchical"}[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// level is the cells of one size: the finest cells of a grid, or the cells of a hierarchical
// grid that are 2^at times as large. They lie in regions.
type level struct {
	size, inv float64 // side of a cell, and its inverse
	at        uint8
	kind      Kind // Fixed, Hashed or Chunked
	hasBloom  bool // its tables of cells have a Bloom filter
	// regions are the regions with objects, in no order; a fixed level always has its one
	// region.
	regions []*region
	index   table     // which of regions has a place, +1
	idle    []*region // empty ones, kept with their room for the next one that is opened
}

// regionBits is the width of a region, as a power of two of cells.
const regionBits = 24

// fewRegions is the number of regions of a level up to which a query checks all regions rather
// than look them up by place.
const fewRegions = 4

// regionOf returns which region holds a coordinate of a level, in 64ths of its cells.
func regionOf(x int64) int32 { return int32((x + maxCell<<subBits) >> (regionBits + subBits)) }

// find returns the region that holds the lower left corner of f, or nil.
func (l *level) find(f fineBox) *region {
	if l.kind == Fixed {
		return l.regions[0]
	}
	if i := l.index.get(l.key(f)); i != 0 {
		return l.regions[i-1]
	}
	return nil
}

// key returns the place among regions of the lower left corner of f.
func (l *level) key(f fineBox) key {
	return squareKey(regionOf(f.x0>>l.at), regionOf(f.y0>>l.at))
}

// open returns the region that holds the lower left corner of f. A new region is empty; the
// caller must put an object into it at once.
func (l *level) open(f fineBox) *region {
	if len(l.regions) == 1 && (l.kind == Fixed || l.regions[0].key == l.key(f)) {
		return l.regions[0]
	}
	if r := l.find(f); r != nil {
		return r
	}
	var r *region
	if n := len(l.idle); n > 0 {
		r = l.idle[n-1]
		l.idle = l.idle[:n-1]
	} else {
		r = &region{size: l.size, inv: l.inv, at: l.at, kind: l.kind, bounds: noSpan}
		r.cells.hasBloom = l.hasBloom
	}
	r.setOrigin(regionOf(f.x0>>l.at), regionOf(f.y0>>l.at))
	r.frame = span{-maxCell, -maxCell, maxCell - 1, maxCell - 1}
	l.regions = append(l.regions, r)
	l.index.insert(r.key).val = list(len(l.regions))
	return r
}

// setOrigin makes a region that at (x, y) among those of its level.
func (r *region) setOrigin(x, y int32) {
	r.key = squareKey(x, y)
	r.x, r.y = int64(x)<<(regionBits+subBits), int64(y)<<(regionBits+subBits)
	r.cx, r.cy = float64(r.x>>subBits), float64(r.y>>subBits)
}

// close removes a region that has become empty, and keeps its memory for the next region
// that is opened.
func (l *level) close(r *region) {
	if l.kind == Fixed {
		return
	}
	i := l.index.index(r.key)
	k := l.index.slots[i].val - 1
	l.index.remove(i)
	last := l.regions[len(l.regions)-1]
	l.regions = l.regions[:len(l.regions)-1]
	if last != r {
		l.regions[k] = last
		l.index.find(last.key).val = k + 1
	}
	l.idle = append(l.idle, r)
}

// regionOfBox returns the region of an object of the level, of which the box is given.
func (g *Grid) regionOfBox(l *level, b *geom.AABB) *region {
	if len(l.regions) == 1 {
		return l.regions[0]
	}
	return g.findRegion(l, b)
}

// findRegion is home for a level that has several regions.
func (g *Grid) findRegion(l *level, b *geom.AABB) *region { return l.find(g.fineBoxOf(b)) }

// regionsMeeting returns the regions whose objects may be in the cells of f, and perhaps others.
// It may use the room.
func (l *level) regionsMeeting(room *[fewRegions]*region, f fineBox) []*region {
	if len(l.regions) <= fewRegions {
		return l.regions
	}
	return l.findRegionsMeeting(room, f)
}

// findRegionsMeeting is meeting for a level that has more than a few regions.
func (l *level) findRegionsMeeting(room *[fewRegions]*region, f fineBox) []*region {
	// An object lies at most MaxSpread cells beyond the region that it belongs to.
	const beyond = MaxSpread << subBits
	x0, y0 := regionOf(f.x0>>l.at-beyond), regionOf(f.y0>>l.at-beyond)
	x1, y1 := regionOf(f.x1>>l.at), regionOf(f.y1>>l.at)
	if (int64(x1-x0)+1)*(int64(y1-y0)+1) > fewRegions {
		return l.regions
	}
	met := room[:0]
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if i := l.index.get(squareKey(x, y)); i != 0 {
				met = append(met, l.regions[i-1])
			}
		}
	}
	return met
}

// clear takes everything out of a level, and keeps the memory.
func (l *level) clear() {
	for _, r := range l.regions {
		r.clear()
	}
	if l.kind != Fixed {
		l.idle = append(l.idle, l.regions...)
		l.regions = l.regions[:0]
		l.index.clear()
	}
}
