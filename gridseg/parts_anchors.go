package gridseg

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// anchorFan is the number of boxes that a box of the level above holds.
const anchorFan = 8

// set replaces the anchors.
func (t *anchorTree) set(cells []Rect) {
	t.given = slices.Clone(cells)
	t.version++
	leaves := slices.DeleteFunc(slices.Clone(cells), Rect.Empty)
	slices.SortFunc(leaves, func(a, b Rect) int {
		return cmp.Or(cmp.Compare(curve(a), curve(b)), cmp.Compare(a.MinX, b.MinX), cmp.Compare(a.MinY, b.MinY))
	})
	leaves = slices.Compact(leaves)
	t.levels = append(t.levels[:0], leaves)
	for of := leaves; len(of) > anchorFan; {
		boxes := make([]Rect, 0, (len(of)+anchorFan-1)/anchorFan)
		for part := range slices.Chunk(of, anchorFan) {
			box := lattice.NoCells
			for _, r := range part {
				box = lattice.Grow(lattice.Grow(box, Cell{X: r.MinX, Y: r.MinY}), Cell{X: r.MaxX, Y: r.MaxY})
			}
			boxes = append(boxes, box)
		}
		t.levels = append(t.levels, boxes)
		of = boxes
	}
}

// curve returns the place of the middle of r on a Z-order curve.
func curve(r Rect) uint64 {
	spread := func(a, b int32) uint64 {
		x := uint64((int64(a)+int64(b))>>1 + 1<<31)
		x = (x | x<<16) & 0x0000FFFF0000FFFF
		x = (x | x<<8) & 0x00FF00FF00FF00FF
		x = (x | x<<4) & 0x0F0F0F0F0F0F0F0F
		x = (x | x<<2) & 0x3333333333333333
		return (x | x<<1) & 0x5555555555555555
	}
	return spread(r.MinX, r.MaxX) | spread(r.MinY, r.MaxY)<<1
}

// meet adds the cells of c that are in anchors among boxes from to to of a level to rows, and returns false once
// these are all cells.
func (p *Parts) meet(c *chunk, rows *heldRows, level, from, to int) bool {
	boxes := p.anchors.levels[level]
	for i := from; i < min(to, len(boxes)); i++ {
		p.work++
		x0, y0, x1, y1 := c.clip(boxes[i])
		if x1 < x0 || y1 < y0 {
			continue
		}
		if level > 0 {
			if !p.meet(c, rows, level-1, i*anchorFan, (i+1)*anchorFan) {
				return false
			}
			continue
		}
		for y := y0; y <= y1; y++ {
			rows[y] |= uint16(1<<(x1+1) - 1<<x0)
		}
		if rows.all() {
			return false
		}
	}
	return true
}

// anchorRows returns the cells of a chunk that are in anchors. It keeps them, so that an edit does not depend on the
// number of anchors.
func (p *Parts) anchorRows(pc *partChunk, c *chunk) heldRows {
	t := &p.anchors
	if pc.anchors.version != t.version {
		pc.anchors = anchorCells{version: t.version}
		top := len(t.levels) - 1
		p.meet(c, &pc.anchors.rows, top, 0, len(t.levels[top]))
	}
	return pc.anchors.rows
}
