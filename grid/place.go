package grid

import (
	"math"
	"math/bits"

	"github.com/quarry2d/quarry/geom"
)

// How objects come to their cells and go from them.

// fits returns the quad of f on l, or false if its cells are too many there or
// out of the level's frame.
func (g *Grid) fits(f fine, l *level) (quad, bool) {
	x0, y0, x1, y1 := f.x0>>l.at, f.y0>>l.at, f.x1>>l.at, f.y1>>l.at
	wx, wy := x1>>subBits-x0>>subBits, y1>>subBits-y0>>subBits
	if wx|wy > 1 && (g.hierarchical || wx >= MaxSpread || wy >= MaxSpread || (wx+1)*(wy+1) > MaxSpread) {
		return quad{}, false
	}
	if x0>>subBits < int64(l.frame.x0) || x1>>subBits > int64(l.frame.x1) ||
		y0>>subBits < int64(l.frame.y0) || y1>>subBits > int64(l.frame.y1) {
		return quad{}, false
	}
	return quad{int32(x0), int32(y0), int32(x1), int32(y1)}, true
}

// suits reports whether an object of a level may stay there with a new size. One that
// shrinks stays a level longer than it must, or a turning box would go to and
// fro between two.
func (l *level) suits(size geom.Vec) bool {
	return size.X <= l.size && size.Y <= l.size && (l.at == 0 || 4*size.X > l.size || 4*size.Y > l.size)
}

// place returns the level for a valid box and its quad there, or oversize.
func (g *Grid) place(box geom.AABB) (int, quad) {
	f := g.fineOf(&box)
	at := 0
	if g.hierarchical {
		e := max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y) * g.inv
		// Small things very far out live on a coarse level as well, where their
		// cells are within maxCell: many of them share a cell, but none is
		// refused.
		far := max(math.Abs(box.Min.X), math.Abs(box.Max.X), math.Abs(box.Min.Y), math.Abs(box.Max.Y)) * g.inv / maxCell
		at = max(ceilLog2(e), ceilLog2(far))
	}
	for ; at < len(g.levels); at++ {
		// It may not fit by a rounding: from just below 0 to 1 is an
		// extent of 1, and three cells.
		if q, ok := g.fits(f, &g.levels[at]); ok {
			return at, q
		}
	}
	return oversize, quad{}
}

// ceilLog2 returns the least n >= 0 with 2^n >= x, for a finite x >= 0.
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

// enter lists an object that is in no list in its cells on the level at.
func (g *Grid) enter(id ID, at int, q quad) {
	g.at[id] = uint8(at)
	g.moving[id>>6] &^= 1 << (id & 63)
	if at == oversize {
		g.quads[id] = quad{x0: int32(len(g.oversize))}
		g.oversize = append(g.oversize, id)
		return
	}
	g.quads[id] = q
	l := &g.levels[at]
	if l.count == 0 {
		g.used |= 1 << at
	}
	l.count++
	s := q.cells()
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			l.link(&g.pool, id, q.outline(cx, cy), cx, cy)
		}
	}
}

// leave takes an object out of all its lists.
func (g *Grid) leave(id ID) {
	at := int(g.at[id])
	switch {
	case at == oversize:
		i := g.quads[id].x0
		last := g.oversize[len(g.oversize)-1]
		g.oversize[i] = last
		g.quads[last].x0 = i
		g.oversize = g.oversize[:len(g.oversize)-1]
		return
	case at > oversize:
		return
	}
	l := &g.levels[at]
	s := g.quads[id].cells()
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			l.unlink(&g.pool, id, cx, cy)
		}
	}
	if l.count--; l.count == 0 {
		g.used &^= 1 << at
	}
}

// shift lists an object in the cells of q instead of its old ones.
func (g *Grid) shift(id ID, l *level, old span, q *quad) {
	s := q.cells()
	if kept := old.and(s); kept.empty() {
		g.moving[id>>6] &^= 1 << (id & 63)
	} else if !g.moves(id) {
		g.loosen(id, l, kept)
	}
	moves := g.moves(id)
	for cy := old.y0; cy <= old.y1; cy++ {
		for cx := old.x0; cx <= old.x1; cx++ {
			if !s.has(cx, cy) {
				l.unlink(&g.pool, id, cx, cy)
			}
		}
	}
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			if !old.has(cx, cy) {
				o := loose
				if !moves {
					o = q.outline(cx, cy)
				}
				l.link(&g.pool, id, o, cx, cy)
			}
		}
	}
}

// nextLevel returns the lowest level of a set, 32 for an empty one, and the
// rest of the set.
func nextLevel(set uint32) (int, uint32) {
	return bits.TrailingZeros32(set), set & (set - 1)
}
