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
// It visits, on each level in use, the cells that box covers, or all occupied
// ones where those are fewer.
func (g *Grid) AppendOverlaps(dst []ID, box geom.AABB) []ID {
	if box.IsEmpty() {
		return dst
	}
	start := len(dst)
	f := g.fine(box)
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		l := &g.levels[at]
		s, ok := f.within(at, l.bounds)
		if !ok {
			continue
		}
		if s.cells() <= int64(len(l.slots)) {
			for cy := s.y0; cy <= s.y1; cy++ {
				for cx := s.x0; cx <= s.x1; cx++ {
					if c := l.find(cellKey(cx, cy)); c != nil {
						dst = g.appendCell(dst, c.head, cx, cy, s, box)
					}
				}
			}
			continue
		}
		for i := range l.slots {
			c := &l.slots[i]
			if c.n == 0 {
				continue
			}
			if cx, cy := c.key.cell(); s.has(cx, cy) {
				dst = g.appendCell(dst, c.head, cx, cy, s, box)
			}
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

// appendCell appends the objects of one cell that overlap box, whose range is
// s, and whose lowest cell in s is this one.
func (g *Grid) appendCell(dst []ID, id ID, cx, cy int32, s span, box geom.AABB) []ID {
	k := corner(cx, cy)
	for id != none {
		o := &g.objects[id]
		if o.box.Overlaps(box) && max(s.x0, o.cx) == cx && max(s.y0, o.cy) == cy {
			dst = append(dst, id)
		}
		id = o.next[k]
	}
	return dst
}
