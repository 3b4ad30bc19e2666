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

// nine is the 3x3 cells round an edited one, rows first, with what is read of them first:
// all at once, so that memory is waited for once.
type nine struct {
	at    [9]cellAt
	forms [9]formID
	segs  uint32 // which have segments, as bits
}

// gather fills n for cell i of c.
func (n *nine) gather(c *chunk, i int) {
	x, y := i&chunkMask, i>>chunkBits
	if uint(x-1) < chunkSide-2 && uint(y-1) < chunkSide-2 {
		f, s := c.form, &c.flag[segged]
		for k := range n.at {
			j := (i + nineSteps[k]) & (chunkCells - 1)
			n.at[k] = cellAt{c, j}
			n.forms[k] = f[j]
		}
		n.segs = uint32(s[y-1]>>(x-1)&7) | uint32(s[y]>>(x-1)&7)<<3 | uint32(s[y+1]>>(x-1)&7)<<6
		return
	}
	n.segs = 0
	for k := range n.at {
		o, j := c.neighbour(i, k%3-1, k/3-1)
		n.at[k] = cellAt{o, j}
		n.forms[k] = 0
		if o != nil {
			n.forms[k] = o.form[j]
			if o.flag[segged].has(j) {
				n.segs |= 1 << k
			}
		}
	}
}

// nineSteps is where the 3x3 cells lie in a chunk from the one in the middle.
var nineSteps = [9]int{
	-chunkSide - 1, -chunkSide, -chunkSide + 1, -1, 0, 1, chunkSide - 1, chunkSide, chunkSide + 1,
}

// touch reads the beginning of the segments of all nine cells. None waits for another.
func (n *nine) touch() (sum spot) {
	for m := n.segs; m != 0; m &= m - 1 {
		at := &n.at[bits.TrailingZeros32(m)]
		sum += at.c.pool.segs[at.c.at[at.i].first].a
	}
	return sum
}

// resolveSingle is Resolve where nothing but cell i of c was edited.
func (g *Grid) resolveSingle(c *chunk, i int) {
	var n nine
	n.gather(c, i)
	g.touched += n.touch()
	var changed uint32
	if was := c.formBefore(i); g.allPlain(&n, was) {
		changed = g.singlePlain(&n, was)
	} else {
		changed = g.singleSlow(&n.at)
	}
	g.settle()
	for ; changed != 0; changed &= changed - 1 {
		at := &n.at[bits.TrailingZeros32(changed)]
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
func (g *Grid) allPlain(n *nine, was formID) bool {
	if g.layers.any {
		return false
	}
	about := g.shapes.traits
	odds := traits(0)
	for _, f := range [...]formID{was, n.forms[0], n.forms[1], n.forms[2], n.forms[3], n.forms[4], n.forms[5], n.forms[6], n.forms[7], n.forms[8]} {
		if f == patchForm {
			return false
		}
		odds |= about[f]
	}
	return odds&oddForm == 0
}

// singlePlain is resolveSingle among plain forms: the edited cell is made anew, of those
// beside it the shared side comes or goes, and of all nine the links at the four corners
// follow from the joints there. It returns the cells that are to be reported.
func (g *Grid) singlePlain(n *nine, was formID) (changed uint32) {
	g.joints.reserve(noCorner)
	var joints [noCorner]*joint
	for k := range joints {
		p := cornerPlaces[k]
		joints[k] = g.jointOf(jointKey(n.forms[p], n.forms[p+1], n.forms[p+3], n.forms[p+4]))
	}
	about := g.shapes.traits
	now, turned := about[n.forms[4]], about[n.forms[4]]^about[was]
	cover := about[n.forms[1]].whole(top)<<bottom | about[n.forms[5]].whole(left)<<right |
		about[n.forms[7]].whole(bottom)<<top | about[n.forms[3]].whole(right)<<left
	for _, b := range besides {
		at := &n.at[b.place]
		if b.side == sides {
			n.segs |= g.middle(at, n.forms[4], cover, &joints) << 4
			changed |= 1 << 4
			continue
		}
		// The neighbour's side is bare or not as the cell's, if that is another now.
		if side := b.side ^ 2; turned.whole(side)&(cover>>side) != 0 {
			g.turnSide(at.c, at.i, &g.shapes.forms[n.forms[b.place]].side[b.side].one, now.whole(side) == 0)
			n.segs = n.segs&^(1<<b.place) | uint32(min(at.c.at[at.i].n, 1))<<b.place
			changed |= 1 << b.place
		}
	}
	for k, j := range joints {
		for q, step := range cornerPlaces {
			place := cornerPlaces[k] + step
			if n.segs>>place&1 != 0 && place != 4 && n.at[place].relink(uint(q^3), j) {
				changed |= 1 << place
			}
		}
	}
	return changed & n.segs
}

// middle makes the segments of the edited cell and returns 1 if there are any, else 0.
func (g *Grid) middle(at *cellAt, f formID, cover traits, joints *[noCorner]*joint) uint32 {
	n, tips := cutPlain(&g.plain, g.shapes.pieces[f], cover, joints)
	made := g.plain[:n]
	if was := at.c.segments(at.i); len(was) > 0 {
		g.compare(at.c, at.i, made, was, true)
		g.segments -= len(was)
	} else {
		for k := range made {
			made[k].mark = added
		}
	}
	g.segments += n
	at.c.storeTips(at.i, made, tips, g.shapes.traits[f]&innerForm != 0)
	return uint32(min(n, 1))
}

// cornerPlaces is, for each corner of the middle one of 3x3 cells, the first of the four cells
// that meet there; it is also how far from that one each of them is.
var cornerPlaces = [noCorner]int{0, 1, 3, 4}

// turnSide puts the one segment of a whole side into a cell, not yet linked, if that is to be
// bare; else it takes it out.
func (g *Grid) turnSide(c *chunk, i int, one *seg, bare bool) {
	was := c.segments(i)
	key := one.key()
	now := g.scratch[:0]
	for k := range was {
		if was[k].key() < key {
			now = append(now, was[k])
		}
	}
	k := len(now)
	if bare {
		g.segments++
		now = append(now, *one)
		now[k].mark = added
		now = append(now, was[k:]...)
	} else {
		g.segments--
		g.lose(&was[k], c.cell(i), c.tile(i))
		now = append(now, was[k+1:]...)
	}
	c.store(i, now)
	g.scratch = now
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
