package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Games mostly resolve a single edited cell. The path by rows takes 1.1 to 3 times as long for a cell among plain
// forms, and 1.4 times for others (BenchmarkEdit). This one needs no rows of flags: changes are limited to the 3x3
// cells around the edited cell, and to its own vertices.

// single returns the only edited cell; nil if there are several.
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

// sideNeighbours lists the edited cell and the cells that share a side with it, in order: their
// places in the 3x3 cells, and the shared side as seen from the neighbour.
var sideNeighbours = [5]struct{ place, side int }{{1, top}, {3, right}, {4, sides}, {5, left}, {7, bottom}}

// neighbourhood holds the 3x3 cells around an edited cell, by row, with copies of their forms,
// loaded together so that their cache misses overlap.
type neighbourhood struct {
	at    [9]cellRef
	forms [9]formID
	segs  uint32 // cells with segments, as bits
}

// load fills n for cell i of c. One cell in four lies on the border of its chunk; that is
// unpredictable, so there is no branch on it.
func (n *neighbourhood) load(c *chunk, i int) {
	n.segs = 0
	x, y := i&chunkMask, i>>chunkBits
	for k := range n.at {
		x, y := x+int(neighbourSteps[k].x), y+int(neighbourSteps[k].y)
		j := y&chunkMask<<chunkBits | x&chunkMask
		o := c.near[4+x>>chunkBits+3*(y>>chunkBits)]
		n.at[k] = cellRef{o, j}
		n.forms[k] = 0
		if o != nil {
			n.forms[k] = o.form[j]
			n.segs |= uint32(o.flag[hasSegments][j>>chunkBits]>>(j&chunkMask)&1) << k
		}
	}
}

// neighbourSteps holds the offsets of the 3x3 cells from the middle cell.
var neighbourSteps = [9]struct{ x, y int8 }{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {
	1,
	1,
}}

// prefetch reads the first segment of all nine cells; for a cell without segments it reads another
// one, so that there is no unpredictable branch.
func (n *neighbourhood) prefetch() (sum spot) {
	for k := range n.at {
		at := &n.at[k]
		if at.c != nil && at.c.at != nil {
			first := at.c.at[at.i].first & -(n.segs >> k & 1)
			sum += at.c.pool.segs[first].a
		}
	}
	return sum
}

// resolveSingle is Resolve if only cell i of c was edited.
func (g *Grid) resolveSingle(c *chunk, i int) {
	var n neighbourhood
	n.load(c, i)
	g.prefetched += n.prefetch()
	if was := c.formBefore(i); g.allPlain(&n, was) {
		changed := g.singlePlain(&n, was)
		g.commitEdits()
		for m := changed & n.segs; m != 0; m &= m - 1 {
			at := &n.at[bits.TrailingZeros32(m)]
			g.reportCell(at.c, at.i)
		}
		if changed != 0 {
			g.delta.Cells = neighbourhoodRect(c.cell(i), changed)
		}
		return
	}
	segs := g.singleSlow(&n.at)
	g.commitEdits()
	for ; segs != 0; segs &= segs - 1 {
		at := &n.at[bits.TrailingZeros32(segs)]
		if g.reportCell(at.c, at.i) {
			g.delta.Cells = lattice.Grow(g.delta.Cells, at.c.cell(at.i))
		}
	}
	g.delta.coverRemoved()
}

// neighbourhoodRect returns the smallest rectangle that contains the given places of the 3x3 cells
// around c. places is a set of bits and not empty.
func neighbourhoodRect(c Cell, places uint32) Rect {
	columns := (places | places>>3 | places>>6) & 7
	rows := (places&7+7)>>3 | (places>>3&7+7)>>3<<1 | (places>>6+7)>>3<<2
	return Rect{
		MinX: c.X + int32(bits.TrailingZeros32(columns)) - 1, MinY: c.Y + int32(bits.TrailingZeros32(rows)) - 1,
		MaxX: c.X + int32(bits.Len32(columns)) - 2, MaxY: c.Y + int32(bits.Len32(rows)) - 2,
	}
}

// formBefore returns the form of an edited cell at the last Resolve.
func (c *chunk) formBefore(i int) formID {
	if c.old == nil {
		return 0
	}
	return c.old[i].form
}

// allPlain reports whether all nine cells have plain forms, and the middle cell had one before.
func (g *Grid) allPlain(n *neighbourhood, was formID) bool {
	if g.layers.any() {
		return false
	}
	byForm := g.shapes.traits
	all := traits(0)
	for _, f := range [...]formID{
		was, n.forms[0], n.forms[1], n.forms[2], n.forms[3], n.forms[4], n.forms[5], n.forms[6],
		n.forms[7], n.forms[8],
	} {
		if f == patchForm {
			return false
		}
		all |= byForm[f]
	}
	return all&nonPlainForm == 0
}

// singlePlain is resolveSingle for plain forms. It cuts the edited cell again, adds or removes the
// shared sides of its neighbours, and sets the links at the four corners of all nine cells from the
// vertex links. It returns the cells whose segments the delta lists.
func (g *Grid) singlePlain(n *neighbourhood, was formID) (changed uint32) {
	g.vertices.reserve(noCorner)
	var corners [noCorner]*vertexLinks
	for k := range corners {
		p := cornerPlaces[k]
		corners[k] = g.linksAt(vertexKey(n.forms[p], n.forms[p+1], n.forms[p+3], n.forms[p+4]))
	}
	byForm := g.shapes.traits
	now, changedTraits := byForm[n.forms[4]], byForm[n.forms[4]]^byForm[was]
	covered := byForm[n.forms[1]].whole(top)<<bottom | byForm[n.forms[5]].whole(left)<<right |
		byForm[n.forms[7]].whole(bottom)<<top | byForm[n.forms[3]].whole(right)<<left
	for _, b := range sideNeighbours {
		at := &n.at[b.place]
		if b.side == sides {
			if g.recutEdited(at, n.forms[4], covered, &corners) {
				changed |= 1 << 4
			}
			n.segs = n.segs&^(1<<4) | uint32(at.c.flag[hasSegments][at.i>>chunkBits]>>(at.i&chunkMask)&1)<<4
			continue
		}
		// The neighbour's side becomes exposed or covered if this side of the cell has changed.
		if side := b.side ^ 2; changedTraits.whole(side)&(covered>>side) != 0 {
			bit := uint32(1) << b.place
			n.segs &^= bit
			if g.toggleFace(at.c, at.i, &g.shapes.forms[n.forms[b.place]].side[b.side].one, now.whole(side) == 0) {
				n.segs |= bit
			}
			changed |= bit
		}
	}
	for k, links := range corners {
		for q, step := range cornerPlaces {
			place := cornerPlaces[k] + step
			if n.segs>>place&1 != 0 && place != 4 {
				changed |= n.at[place].relink(uint(q^3), links) << place
			}
		}
	}
	return changed
}

// recutEdited cuts the edited cell again, and returns whether the delta lists any of its segments.
func (g *Grid) recutEdited(at *cellRef, f formID, covered traits, corners *[noCorner]*vertexLinks) (listed bool) {
	n, stubs := cutPlain(&g.plain, g.shapes.segments[f], covered, corners)
	made := g.plain[:n]
	if was := at.c.segments(at.i); len(was) > 0 {
		listed = g.compare(at.c, at.i, made, was, true)
		g.segments -= len(was)
	} else {
		for k := range made {
			made[k].mark = added
		}
		listed = n > 0
	}
	g.segments += n
	at.c.storeWithStubs(at.i, made, stubs, g.shapes.traits[f]&innerForm != 0)
	return listed
}

// cornerPlaces holds, for each corner of the middle cell of 3x3, the first of the four cells that
// meet there. It is also the offset of each of the four from the first.
var cornerPlaces = [noCorner]int{0, 1, 3, 4}

// toggleFace adds the segment of a whole side to a cell, not yet linked, if the side is now
// exposed; otherwise it removes it. It returns whether the cell then has segments.
func (g *Grid) toggleFace(c *chunk, i int, one *seg, exposed bool) bool {
	was := c.segments(i)
	if exposed {
		g.segments++
	} else {
		g.segments--
	}
	switch {
	case exposed && len(was) == 0 && c.at != nil:
		first := c.pool.alloc(1)
		s := &c.pool.segs[first]
		*s = *one
		s.mark = added
		stubs, _ := addStubs(0, s, 1)
		c.at[i] = block{first: first, stubs: stubs, n: 1}
		c.flag[hasSegments].set(i)
		return true
	case !exposed && len(was) == 1:
		g.reportRemoved(&was[0], c.cell(i), c.cellTile(i))
		c.pool.release(c.at[i].first, 1)
		c.at[i] = block{}
		c.flag[hasSegments].unset(i)
		return false
	}
	key := one.key()
	now := g.scratch[:0]
	for k := range was {
		if was[k].key() < key {
			now = append(now, was[k])
		}
	}
	k := len(now)
	if exposed {
		now = append(now, *one)
		now[k].mark = added
		now = append(now, was[k:]...)
	} else {
		g.reportRemoved(&was[k], c.cell(i), c.cellTile(i))
		now = append(now, was[k+1:]...)
	}
	c.store(i, now)
	g.scratch = now
	return true
}

// relink sets the links of a cell's segments at one of its corners; it returns 1 if any changed,
// otherwise 0. Whether a segment starts or ends there is unpredictable, so there is no branch: if
// none does, the unused first segment of the pool takes the link.
func (at *cellRef) relink(corner uint, links *vertexLinks) uint32 {
	b := &at.c.at[at.i]
	segs := at.c.pool.segs
	stubs := b.stubs >> (corner << 3)
	out, in := stubs>>4&15, stubs&15
	if out == manyStubs || in == manyStubs {
		return at.relinkAll(corner, links)
	}
	starts, ends := (out+15)>>4, (in+15)>>4
	s := &segs[(b.first+out-1)&-starts]
	e := &segs[(b.first+in-1)&-ends]
	return s.setLink(&s.prev, links.prev[corner&3])&starts | e.setLink(&e.next, links.next[corner&3])&ends
}

// setLink is relink without a branch; it returns 1 for true.
func (s *seg) setLink(l *link, to link) uint32 {
	d := uint32(*l ^ to)
	*l = to
	d = (d | -d) >> 31
	s.mark |= altered * uint8(d)
	return d
}

// relinkAll is relink for a cell with incomplete stubs, see manyStubs.
func (at *cellRef) relinkAll(corner uint, links *vertexLinks) uint32 {
	v := cornerSpots[corner&3]
	d := uint32(0)
	segs := at.c.segments(at.i)
	for k := range segs {
		s := &segs[k]
		if s.a == v {
			d |= s.setLink(&s.prev, links.prev[corner&3])
		}
		if s.b == v {
			d |= s.setLink(&s.next, links.next[corner&3])
		}
	}
	return d
}

// cornerSpots holds the corners of a cell.
var cornerSpots = [4]spot{0, spotAt(Unit, 0), spotAt(0, Unit), spotAt(Unit, Unit)}

// singleSlow is resolveSingle for any forms. It returns the cells that have segments.
func (g *Grid) singleSlow(round *[9]cellRef) (segs uint32) {
	for _, b := range sideNeighbours {
		o, k := round[b.place].c, round[b.place].i
		if o == nil {
			continue
		}
		g.scratch = g.scratch[:0]
		if b.side < sides {
			if o.form[k] == 0 || g.formAt(o, k).side[b.side].faceless {
				continue
			}
			g.scratch = g.appendBorders(g.scratch, o, k, 1<<b.side)
		} else if o.form[k] != 0 {
			g.scratch = g.appendCellSegments(g.scratch, o, k)
		}
		g.recutCell(o, k)
	}
	for k := range round {
		if o := round[k].c; o != nil && o.flag[hasSegments].has(round[k].i) {
			segs |= 1 << k
		}
	}
	c, i := round[4].c, round[4].i
	for k := range cornersOf {
		if at := &cornersOf[k]; segs&at.round != 0 {
			g.linkCorner(c, i, at.x, at.y, segs)
		}
	}
	for _, b := range sideNeighbours {
		if at := &round[b.place]; segs>>b.place&1 != 0 && at.c.at[at.i].sides {
			g.linkSides(at.c, at.i, 1<<(8-b.place))
		}
	}
	return segs
}
