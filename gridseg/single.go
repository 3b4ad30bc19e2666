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
	var changed uint32
	if was := c.formBefore(i); g.allPlain(&round, was) {
		changed = g.singlePlain(&round, was)
	} else {
		changed = g.singleSlow(&round)
	}
	g.settle()
	for ; changed != 0; changed &= changed - 1 {
		at := &round[bits.TrailingZeros32(changed)]
		g.reportCell(at.c, at.i)
	}
}

// formBefore returns the form at the last Resolve of a cell that was edited.
func (c *chunk) formBefore(i int) formID {
	if c.old == nil {
		return 0
	}
	return c.old[i].form()
}

// allPlain reports whether all nine cells have plain forms, and what was in the middle too.
func (g *Grid) allPlain(round *[9]cellAt, was formID) bool {
	if g.layers.any || was == patchForm || g.shapes.traits[was]&oddForm != 0 {
		return false
	}
	c := round[4].c
	odds := c.odds
	if round[0].c != c || round[8].c != c {
		for _, o := range c.near {
			if o != nil {
				odds |= o.odds
			}
		}
	}
	if odds == 0 {
		return true
	}
	for _, at := range round {
		if at.c != nil && at.c.flag[odd].has(at.i) {
			return false
		}
	}
	return true
}

// singlePlain is resolveSingle among plain forms: the edited cell is made anew, of those
// beside it the shared side comes or goes, and of all nine the links at the four corners
// follow from the joints there. It returns the cells that are to be reported.
func (g *Grid) singlePlain(round *[9]cellAt, was formID) (changed uint32) {
	var forms [9]formID
	var segs uint32
	for k := range round {
		if at := &round[k]; at.c != nil {
			forms[k] = at.c.form[at.i]
			if at.c.flag[segged].has(at.i) {
				segs |= 1 << k
			}
		}
	}
	g.joints.reserve(4)
	var at [4]*joint
	for k := range at {
		p := cornerPlaces[k]
		at[k] = g.jointOf(jointKey(forms[p], forms[p+1], forms[p+3], forms[p+4]))
	}
	about := g.shapes.traits
	now, before := about[forms[4]], about[was]
	var cover traits
	for _, b := range besides {
		o, j := round[b.place].c, round[b.place].i
		if b.side == sides {
			n, tips := cutPlain(&g.plain, g.shapes.pieces[forms[4]], cover|about[forms[5]].whole(left)<<right|about[forms[7]].whole(bottom)<<top, &at)
			made := g.plain[:n]
			if segs>>4&1 == 0 {
				for k := range made {
					made[k].mark = added
				}
				g.segments += n
			} else {
				old := o.segments(j)
				g.compare(o, j, made, old, true)
				g.segments += n - len(old)
			}
			o.storeTips(j, made, tips, now&innerForm != 0)
			changed |= 1 << 4
			continue
		}
		whole := about[forms[b.place]].whole(b.side)
		cover |= whole << (b.side ^ 2)
		if whole != 0 && now.whole(b.side^2) != before.whole(b.side^2) {
			g.bareSide(o, j, b.side, now.whole(b.side^2) == 0)
			changed |= 1 << b.place
		}
	}
	segs = 0
	for k := range round {
		if at := &round[k]; at.c != nil && at.c.flag[segged].has(at.i) {
			segs |= 1 << k
		}
	}
	for k := range at {
		for q := range 4 {
			place := cornerPlaces[k] + cornerStep[q]
			if place == 4 || segs>>place&1 == 0 {
				continue
			}
			if round[place].relink(uint(q^3), at[k]) {
				changed |= 1 << place
			}
		}
	}
	return changed & segs
}

// cornerPlaces is, for each corner of the middle one of 3x3 cells, the first of the four cells
// that meet there, and cornerStep how far from that one each is.
var (
	cornerPlaces = [4]int{0, 1, 3, 4}
	cornerStep   = [4]int{0, 1, 3, 4}
)

// bareSide puts the one segment of a whole side into a cell, unlinked, or takes it out.
func (g *Grid) bareSide(c *chunk, i, side int, bare bool) {
	one := &g.formAt(c, i).side[side].one
	old := c.segments(i)
	g.scratch = g.scratch[:0]
	for k := range old {
		if old[k].a != one.a || old[k].b != one.b {
			g.scratch = append(g.scratch, old[k])
		} else {
			g.lose(&old[k], c.cell(i), c.tile(i))
			g.segments--
		}
	}
	if bare {
		s := *one
		s.mark = added
		g.scratch = append(g.scratch, s)
		sortSegs(g.scratch)
		g.segments++
	}
	c.store(i, g.scratch)
}

// relink links the segments of a cell anew at one of its corners; it reports whether that made
// any difference.
func (at *cellAt) relink(corner uint, j *joint) bool {
	c := at.c
	b := &c.at[at.i]
	segs := c.pool.segs[b.first : b.first+uint32(b.n)]
	differs := false
	ends := b.tips >> (corner << 3) & 0xFF
	if ends&15 == manyTips || ends>>4 == manyTips {
		v := cornerSpots[corner&3]
		for k := range segs {
			s := &segs[k]
			if s.a == v {
				differs = s.relink(&s.prev, j.prev[corner&3]) || differs
			}
			if s.b == v {
				differs = s.relink(&s.next, j.next[corner&3]) || differs
			}
		}
		return differs
	}
	if n := ends >> 4; n != 0 {
		s := &segs[n-1]
		differs = s.relink(&s.prev, j.prev[corner&3])
	}
	if n := ends & 15; n != 0 {
		s := &segs[n-1]
		differs = s.relink(&s.next, j.next[corner&3]) || differs
	}
	return differs
}

// cornerSpots is the corners of a cell.
var cornerSpots = [4]spot{0, spotAt(Unit, 0), spotAt(0, Unit), spotAt(Unit, Unit)}

// singleSlow is resolveSingle whatever is in the cells. It returns those that have segments.
func (g *Grid) singleSlow(round *[9]cellAt) (segs uint32) {
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
	for k := range round {
		if o := round[k].c; o != nil && o.flag[segged].has(round[k].i) {
			segs |= 1 << k
		}
	}
	c, i := round[4].c, round[4].i
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
	return segs
}
