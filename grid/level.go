package grid

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
)

// Kind is the kind of a grid: how it finds its cells.
type Kind uint8

// The kinds of grids; the package comment says when to use which.
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

// level holds the cells of one size: the finest cells of a grid, or the cells of a hierarchical
// grid that are 2^at times as large. They lie in regions.
type level struct {
	size, inv float64 // side of a cell, and its inverse
	at        uint8
	kind      Kind // Fixed, Hashed or Chunked
	// regions lists the regions with objects, in no order; a fixed level always has its single
	// region.
	regions []*region
	index   table     // index + 1 in regions, by position
	idle    []*region // empty regions, kept with their memory for reuse
}

// regionBits is the width of a region, as a power of two of cells.
const regionBits = 24

// fewRegions is the number of regions of a level up to which a query visits all of them instead of
// looking them up by position.
const fewRegions = 4

// regionOf returns the region coordinate for a coordinate of a level, in 64ths of its cells.
func regionOf(x int64) int32 { return int32((x + maxCell<<subBits) >> (regionBits + subBits)) }

// find returns the region that contains the lower left corner of f, or nil.
func (l *level) find(f fineBox) *region {
	if l.kind == Fixed {
		return l.regions[0]
	}
	if i := l.index.get(l.key(f)); i != 0 {
		return l.regions[i-1]
	}
	return nil
}

// key returns the key of the region that contains the lower left corner of f.
func (l *level) key(f fineBox) key {
	return squareKey(regionOf(f.x0>>l.at), regionOf(f.y0>>l.at))
}

// open returns the region that contains the lower left corner of f. A new region is empty, and the
// caller must add an object at once.
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
	}
	r.setOrigin(regionOf(f.x0>>l.at), regionOf(f.y0>>l.at))
	r.frame = span{-maxCell, -maxCell, maxCell - 1, maxCell - 1}
	l.regions = append(l.regions, r)
	l.index.insert(r.key).val = list(len(l.regions))
	return r
}

// setOrigin makes r the region at (x, y) of its level.
func (r *region) setOrigin(x, y int32) {
	r.key = squareKey(x, y)
	r.x, r.y = int64(x)<<(regionBits+subBits), int64(y)<<(regionBits+subBits)
	r.cx, r.cy = float64(r.x>>subBits), float64(r.y>>subBits)
}

// close removes an empty region, and keeps its memory for reuse.
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

// regionOfBox returns the region of an object of the level with box b.
func (g *Grid) regionOfBox(l *level, b *geom.AABB) *region {
	if len(l.regions) == 1 {
		return l.regions[0]
	}
	return g.findRegion(l, b)
}

// findRegion is regionOfBox for a level with several regions.
func (g *Grid) findRegion(l *level, b *geom.AABB) *region { return l.find(g.fineBoxOf(b)) }

// regionsMeeting returns the regions whose objects may be in the cells of f, and perhaps others. It
// may use room for the result.
func (l *level) regionsMeeting(room *[fewRegions]*region, f fineBox) []*region {
	if len(l.regions) <= fewRegions {
		return l.regions
	}
	return l.findRegionsMeeting(room, f)
}

// findRegionsMeeting is regionsMeeting for a level with more than fewRegions.
func (l *level) findRegionsMeeting(room *[fewRegions]*region, f fineBox) []*region {
	// An object reaches at most MaxSpread cells beyond its region.
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

// clear removes everything from a level, and keeps the memory.
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
