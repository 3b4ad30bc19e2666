package grid

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// AppendOverlaps appends the ids of all objects whose boxes share a point with
// box, each once, in ascending order, and returns the extended slice. An empty
// box, or one with a NaN, overlaps nothing; an infinite one is fine. It may be
// called from several goroutines between changes.
//
// On each level in use it looks into the occupied cells that box covers; the
// empty ones among them cost next to nothing, however many they are.
func (g *Grid) AppendOverlaps(dst []ID, box geom.AABB) []ID {
	if box.IsEmpty() {
		return dst
	}
	start := len(dst)
	f := g.fine(box)
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		l := &g.levels[at]
		if s, ok := f.within(at, l.bounds); ok {
			q := overlapQuery{g.objects, l, s, box}
			dst = q.appendLevel(dst)
		}
	}
	for _, id := range g.oversize {
		if g.objects[id].box.Overlaps(box) {
			dst = append(dst, id)
		}
	}
	slices.Sort(dst[start:])
	return dst
}

// overlapQuery asks one level.
type overlapQuery struct {
	objects []object
	l       *level
	s       span // the cells that box covers
	box     geom.AABB
}

func (q *overlapQuery) appendLevel(dst []ID) []ID {
	if s := q.s; s.cells() <= few {
		for cy := s.y0; cy <= s.y1; cy++ {
			for cx := s.x0; cx <= s.x1; cx++ {
				dst = q.appendCell(dst, cx, cy)
			}
		}
		return dst
	}
	for tier := 1; tier <= tiers; tier++ {
		t := &q.l.blocks[tier-1]
		s := q.s.up(tier)
		if s.cells() <= few {
			for by := s.y0; by <= s.y1; by++ {
				for bx := s.x0; bx <= s.x1; bx++ {
					dst = q.descend(dst, tier, bx, by, t.get(cellKey(bx, by)))
				}
			}
			return dst
		}
		if tier == tiers {
			for i := range t.slots {
				if b := &t.slots[i]; b.val != 0 {
					if bx, by := b.key.cell(); s.has(bx, by) {
						dst = q.descend(dst, tier, bx, by, b.val)
					}
				}
			}
		}
	}
	return dst
}

// appendCell appends the objects of one cell that overlap the box and whose
// lowest cell among those of the question is this one.
func (q *overlapQuery) appendCell(dst []ID, cx, cy int32) []ID {
	c := q.l.cells.find(cellKey(cx, cy))
	if c == nil {
		return dst
	}
	k := corner(cx, cy)
	for id := c.head(); id != none; {
		o := &q.objects[id]
		if o.box.Overlaps(q.box) && max(q.s.x0, o.cx) == cx && max(q.s.y0, o.cy) == cy {
			dst = append(dst, id)
		}
		id = o.next[k]
	}
	return dst
}
