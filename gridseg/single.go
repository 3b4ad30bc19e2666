package gridseg

import "math/bits"

// One edited cell is what a game resolves most. It needs no rows of flags: all that may
// change lies in the 3x3 cells round it, and at its own vertices.

// single returns the only edited cell; nil if there are more.
func (g *Grid) single() (*chunk, int) {
	if len(g.pending) != 1 {
		return nil, 0
	}
	c := g.pending[0]
	if c.edited&(c.edited-1) != 0 {
		return nil, 0
	}
	y := bits.TrailingZeros16(c.edited)
	row := c.flag[dirty][y]
	if row&(row-1) != 0 {
		return nil, 0
	}
	return c, y<<chunkBits | bits.TrailingZeros16(row)
}

// cellAt is a cell of a chunk; c is nil where there is none.
type cellAt struct {
	c *chunk
	i int
}

// besides is the cells that share a side with the edited one, and that one, in order: as
// places in the 3x3 cells, with the side of each that is shared.
var besides = [5]struct{ place, side int }{{1, top}, {3, right}, {4, sides}, {5, left}, {7, bottom}}

// resolveSingle is Resolve where nothing but cell i of c was edited.
func (g *Grid) resolveSingle(c *chunk, i int) {
	var round [9]cellAt
	x, y := i&chunkMask, i>>chunkBits
	if uint(x-1) < chunkSide-2 && uint(y-1) < chunkSide-2 {
		for k := range round {
			round[k] = cellAt{c, i + (k/3-1)<<chunkBits + k%3 - 1}
		}
	} else {
		for k := range round {
			o, j := c.neighbour(i, k%3-1, k/3-1)
			round[k] = cellAt{o, j}
		}
	}
	for _, b := range besides {
		o, k := round[b.place].c, round[b.place].i
		if o == nil {
			continue
		}
		g.scratch = g.scratch[:0]
		if b.side < sides {
			if o.form[k] == 0 || g.formAt(o, k).side[b.side].bare {
				continue
			}
			g.scratch = g.appendBorders(g.scratch, o, k, 1<<b.side)
		} else if o.form[k] != 0 {
			g.scratch = g.appendPieces(g.scratch, o, k)
		}
		g.recutCell(o, k)
	}
	var segs uint32
	for k := range round {
		if o := round[k].c; o != nil && o.flag[segged].has(round[k].i) {
			segs |= 1 << k
		}
	}
	for k := range cornersOf {
		if at := &cornersOf[k]; segs&at.round != 0 {
			g.linkCorner(c, i, at.x, at.y, segs)
		}
	}
	for _, b := range besides {
		if at := &round[b.place]; segs>>b.place&1 != 0 && at.c.at[at.i].sides {
			g.linkSides(at.c, at.i, 1<<(8-b.place))
		}
	}
	g.settle()
	for ; segs != 0; segs &= segs - 1 {
		at := &round[bits.TrailingZeros32(segs)]
		g.reportCell(at.c, at.i)
	}
}
