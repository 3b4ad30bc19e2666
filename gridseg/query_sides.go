package gridseg

import "github.com/quarry2d/quarry/internal/lattice"

// Sides of blocks, found by bits. Where the four cells around a corner are blocks or empty, and not all of one kind,
// the segments at the corner are whole sides of blocks: how they are linked follows from which cells are blocks.

// ways holds, for each side of a cell, its direction, the way out of the cell, and its ends.
var ways = [sides]struct {
	x, y       int // direction
	outX, outY int
	from, to   spot
}{
	bottom: {1, 0, 0, -1, 0, Unit},
	right:  {0, 1, 1, 0, Unit, Unit | Unit<<16},
	top:    {-1, 0, 0, 1, Unit | Unit<<16, Unit << 16},
	left:   {0, -1, -1, 0, Unit << 16, 0},
}

// cornerOf returns the start of a side of a cell.
func cornerOf(at Cell, side int) Point {
	o, from := lattice.OriginOf(at), ways[side].from
	return Point{X: o.X + int64(from.x()), Y: o.Y + int64(from.y())}
}

// turn is how the outline of a block goes on at an end of one of its sides.
type turn uint8

const (
	unknown  turn = iota // only the segments tell
	straight             // with the same side of the next block
	inward               // with another side of the block
	outward              // with a side of the block that is diagonally ahead
)

// turnAt returns how the outline goes on at the end (way 1) or the start (way -1) of a side of block i of c, which is
// a segment.
func (c *chunk) turnAt(i, side, way int) turn {
	d := &ways[side]
	next, out := c.filledAt(i, way*d.x, way*d.y), c.filledAt(i, way*d.x+d.outX, way*d.y+d.outY)
	switch {
	case next == isBlock && out == isEmpty:
		return straight
	case next == isBlock && out == isBlock:
		return outward
	case next == isEmpty && out == isEmpty:
		return inward
	}
	return unknown
}

// ghostOf returns the far end of the segment beside the end at p of a side.
func ghostOf(p Point, side int, t turn, way int64) Point {
	d := &ways[side]
	switch t {
	case straight:
		p.X, p.Y = p.X+way*int64(d.x)*Unit, p.Y+way*int64(d.y)*Unit
	case inward:
		p.X, p.Y = p.X-int64(d.outX)*Unit, p.Y-int64(d.outY)*Unit
	case outward:
		p.X, p.Y = p.X+int64(d.outX)*Unit, p.Y+int64(d.outY)*Unit
	}
	return p
}

// filled is the content of a cell at the last Resolve.
type filled uint8

const (
	isOther filled = iota // neither; or there are edits in its chunk since
	isEmpty
	isBlock
)

// filledAt returns the content of the cell at (dx, dy) from cell i.
func (c *chunk) filledAt(i, dx, dy int) filled {
	o, at := c.neighbour(i, dx, dy)
	switch {
	case o == nil:
		return isEmpty
	case o.pending:
		return isOther
	case !o.occupied.has(at):
		return isEmpty
	case o.flag[blocks].has(at):
		return isBlock
	}
	return isOther
}

// sideAt returns the side of block i of c that s, a segment of this cell, is. It returns sides if s is no side of a
// block beside an empty cell, or if that is not known for edits since the last Resolve.
func (c *chunk) sideAt(i int, s *seg) int {
	if c.pending || !c.flag[blocks].has(i) {
		return sides
	}
	for side := range ways {
		if d := &ways[side]; d.from == s.a && d.to == s.b && c.filledAt(i, d.outX, d.outY) == isEmpty {
			return side
		}
	}
	return sides
}

// resolvedRow is a row of a chunk at the last Resolve, with one more column on either side: bit 0 is the last column of
// the chunk to the left. A cell that is in some but not in full is neither a block nor empty, or not known.
type resolvedRow struct{ full, some uint32 }

// resolvedRow returns the cells of row y of c, -1 to 16, that are in or beside the columns in.
func (c *chunk) resolvedRow(y int, in uint16) (r resolvedRow) {
	k, y := rowOf(y)
	if o := c.near[k]; o != nil {
		full, some := o.resolved(y)
		r.full, r.some = uint32(full)<<1, uint32(some)<<1
	}
	if in&(1|1<<chunkMask) == 0 {
		return r
	}
	if o := c.near[k-1]; o != nil {
		full, some := o.resolved(y)
		r.full, r.some = r.full|uint32(full)>>chunkMask, r.some|uint32(some)>>chunkMask
	}
	if o := c.near[k+1]; o != nil {
		full, some := o.resolved(y)
		r.full, r.some = r.full|uint32(full)<<chunkSide<<1, r.some|uint32(some)<<chunkSide<<1
	}
	return r
}

// resolved returns the blocks in row y of c, and the cells that are not empty; none is a block, and all are not empty,
// if there are edits in c since the last Resolve.
func (c *chunk) resolved(y int) (full, some uint16) {
	if c.pending {
		return 0, 1<<chunkSide - 1
	}
	return c.flag[blocks][y], c.occupied[y]
}

// plain returns the blocks of r that have only blocks and empty cells around them, given the rows below and above, and
// no other block at a corner between two empty cells.
func (r *resolvedRow) plain(below, above *resolvedRow) uint32 {
	other := r.some&^r.full | below.some&^below.full | above.some&^above.full
	other |= other<<1 | other>>1
	other |= (above.full &^ r.some >> 1 &^ above.some) | (below.full &^ r.some >> 1 &^ below.some) |
		(above.full &^ r.some << 1 &^ above.some) | (below.full &^ r.some << 1 &^ below.some)
	return r.full &^ other
}
