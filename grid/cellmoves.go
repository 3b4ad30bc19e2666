package grid

import (
	"math"
	"math/bits"

	"github.com/quarry2d/quarry/geom"
)

// Adding objects to cells, and removing them.

// fits returns the qbox of f in r; false if it covers too many cells, its lower left corner is in
// another region, or it reaches out of a fixed region.
func (g *Grid) fits(f fineBox, r *region) (qbox, bool) {
	x0, y0, x1, y1 := f.x0>>r.at-r.x, f.y0>>r.at-r.y, f.x1>>r.at-r.x, f.y1>>r.at-r.y
	wx, wy := x1>>subBits-x0>>subBits, y1>>subBits-y0>>subBits
	if wx|wy > 1 && !g.spreads(wx, wy) {
		return qbox{}, false
	}
	x, y := x0, y0
	if r.kind == Fixed {
		x, y = x1, y1
	}
	if x0>>subBits < int64(r.frame.x0) || x>>subBits > int64(r.frame.x1) ||
		y0>>subBits < int64(r.frame.y0) || y>>subBits > int64(r.frame.y1) {
		return qbox{}, false
	}
	return qbox{int32(x0), int32(y0), int32(x1), int32(y1)}, true
}

// spreads reports whether an object may be listed in (wx+1)*(wy+1) cells.
func (g *Grid) spreads(wx, wy int64) bool {
	if g.hierarchical {
		return wx|wy <= 1
	}
	return wx < MaxSpread && wy < MaxSpread && (wx+1)*(wy+1) <= MaxSpread
}

// keepsSize reports whether an object of a region may stay there with a new size. A shrinking
// object stays on its level longer than it must, so that a turning box does not alternate between
// two levels.
func (r *region) keepsSize(size geom.Vec) bool {
	return size.X <= r.size && size.Y <= r.size && (r.at == 0 || 4*size.X > r.size || 4*size.Y > r.size)
}

// levelAndBox returns the level for the object in a slot with a valid box, or oversize, and the box
// in 64ths of the finest cells.
func (g *Grid) levelAndBox(slot ID, box *geom.AABB) (int, fineBox) {
	f := g.fineBoxOf(box)
	return g.levelFor(slot, box, f), f
}

// levelFor returns the index in g.levels for the object in a slot with a valid box, which is f in
// 64ths of the finest cells, or oversize.
func (g *Grid) levelFor(slot ID, box *geom.AABB, f fineBox) int {
	if g.kind == Fixed {
		if _, ok := g.fits(f, g.levels[0].regions[0]); !ok {
			return oversize
		}
		return 0
	}
	at := 0
	if g.hierarchical {
		at = classes*ceilLog2(max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y)*g.inv) + g.classOf(slot)
	}
	for ; at < len(g.levels); at += classes {
		// Rounding may add a cell: from just below 0 to 1 is an extent of 1, but three cells.
		by := subBits + uint8(at/classes)
		if g.spreads(f.x1>>by-f.x0>>by, f.y1>>by-f.y0>>by) {
			return at
		}
	}
	return oversize
}

// ceilLog2 returns the minimum n >= 0 with 2^n >= x, for a finite x >= 0.
func ceilLog2(x float64) int {
	if x <= 1 {
		return 0
	}
	b := math.Float64bits(x)
	n := int(b>>52) - 1023
	if b&(1<<52-1) != 0 {
		n++
	}
	return n
}

// addToCells adds an object that is in no list to the cells of f on level at, or to the oversize
// list.
func (g *Grid) addToCells(id ID, at int, f fineBox) {
	g.at[id] = uint8(at)
	if at == oversize {
		g.qboxes[id] = qbox{x0: int32(len(g.oversize))}
		g.oversize = append(g.oversize, id)
		g.addUnlisted(id, f)
		return
	}
	r := g.levels[at].open(f)
	q := r.qboxOf(f)
	g.qboxes[id] = q
	g.used |= 1 << at
	r.count++
	s := q.cells()
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			r.listObject(&g.pool, id, cx, cy)
		}
	}
}

// removeFromCells removes an object from all its lists. Its box must still be the one that was
// listed.
func (g *Grid) removeFromCells(id ID) {
	at := int(g.at[id])
	switch {
	case at == excluded:
		g.removeUnlisted(id)
		return
	case at == oversize:
		g.removeUnlisted(id)
		i := g.qboxes[id].x0
		last := g.oversize[len(g.oversize)-1]
		g.oversize[i] = last
		g.qboxes[last].x0 = i
		g.oversize = g.oversize[:len(g.oversize)-1]
		return
	}
	l := &g.levels[at]
	r := g.regionOfBox(l, &g.boxes[id])
	s := g.qboxes[id].cells()
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			r.unlistObject(&g.pool, id, cx, cy)
		}
	}
	if r.count--; r.count > 0 {
		return
	}
	l.close(r)
	if len(l.regions) == 0 || l.kind == Fixed {
		g.used &^= 1 << at
	}
}

// moveCells moves an object from its old cells to the cells of q.
func (g *Grid) moveCells(id ID, r *region, old span, q *qbox) {
	s := q.cells()
	for cy := old.y0; cy <= old.y1; cy++ {
		for cx := old.x0; cx <= old.x1; cx++ {
			if !s.has(cx, cy) {
				r.unlistObject(&g.pool, id, cx, cy)
			}
		}
	}
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			if !old.has(cx, cy) {
				r.listObject(&g.pool, id, cx, cy)
			}
		}
	}
}

// nextLevel returns the lowest level of a set, 64 for an empty set, and the rest of the set.
func nextLevel(set uint64) (int, uint64) {
	return bits.TrailingZeros64(set), set & (set - 1)
}
