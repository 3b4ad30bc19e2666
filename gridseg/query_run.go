package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Run is a maximal straight sequence of linked segments. A body sees it as one face.
type Run struct {
	A, B           Point // start of its first segment and end of its last
	Ghost1, Ghost2 Point // of the first and of the last segment: see Segment
	HasGhost1      bool
	HasGhost2      bool

	from, to int32 // its strips, see Runs
}

// Runs holds the surface in a rectangle of cells as runs. On flat ground the cost of a query
// depends on the number of runs, not of segments. The zero value is ready for use; it keeps its
// memory from one Gather to the next.
type Runs struct {
	// List holds the runs, ordered by their first segments by row, column and N. It is valid until
	// the next Gather.
	List []Run

	grid     *Grid
	rect     Rect
	strips   []strip
	chunks   []*chunk
	columns  []column // the current row of chunks
	topsOnly bool     // only tops are wanted: see GatherTops
	hasOther bool     // a segment other than a top was found
}

// column is a chunk, or nil, and the requested columns of its cells, as bits.
type column struct {
	c  *chunk
	in uint16

	row                int // of c, read last: see addRow
	below, here, above resolvedRow
}

// strip is a part of a run: segment k of cell i of c or, if k is ofSides plus a side, that side of block i and of the
// n-1 blocks that follow in its direction, in any chunks.
type strip struct {
	c *chunk
	n int32
	k uint16
	i uint8
}

// ofSides is the k of a strip of bottoms; the other sides follow. No cell has so many segments.
const (
	ofSides = 0xfff0
	ofTops  = ofSides + top
)

// Gather sets List to the runs of the segments of all cells in r, as of the last Resolve, as
// AppendSegments lists them, with each run cut where it leaves r. It panics if layers are preserved, because
// links are not mutual then.
//
// Among blocks and empty cells, runs follow from bits: where they begin is found for a row of a chunk at a time, and
// no segment is read.
func (rs *Runs) Gather(g *Grid, r Rect) {
	if g.layers.any() {
		panic("quarry: gridseg: Gather on a grid with preserved layers")
	}
	rs.topsOnly = false
	rs.gather(g, r)
}

// GatherTops is Gather for a flat surface. It returns false if r contains any surface other than
// tops of blocks in rows that continue at both sides of r, or if there are unresolved edits; rs is
// then invalid. Layers may be preserved: faces preserved between two layers do not count as
// surface, since both sides of them are solid.
func (g gridEngine) GatherTops(rs *Runs, r Rect) bool {
	rs.topsOnly, rs.hasOther = true, false
	rs.gather(g.grid, r)
	return !rs.hasOther
}

// gather is Gather, or GatherTops if topsOnly is set.
func (rs *Runs) gather(g *Grid, r Rect) {
	rs.grid, rs.rect = g, r
	rs.List, rs.strips = rs.List[:0], rs.strips[:0]
	if r.Empty() {
		return
	}
	x0, x1 := r.MinX>>chunkBits, r.MaxX>>chunkBits
	y0, y1 := r.MinY>>chunkBits, r.MaxY>>chunkBits
	in := rangeOf(r)
	if n := in.size(); n > fewChunks || n > int64(g.table.n) {
		rs.gatherAll(g, r)
		return
	}
	// Every chunk has pointers to its neighbours, or nil, so they are found faster than by a
	// lookup in the table.
	rs.columns = rs.columns[:0]
	for cx := x0; cx <= x1; cx++ {
		rs.addColumn(nil, cx)
	}
	for cy := y0; cy <= y1 && !(rs.topsOnly && rs.hasOther); cy++ {
		var c *chunk // the chunk to the left
		some := false
		for k := range rs.columns {
			below := &rs.columns[k].c
			switch {
			case *below != nil:
				c = (*below).near[7]
			case c != nil:
				c = c.near[5]
			default:
				c = g.find(x0+int32(k), cy)
			}
			if c == g.beyond {
				c = nil // it has no segments, and no place
			}
			*below, rs.columns[k].row = c, noRow
			some = some || c != nil
		}
		if some {
			rs.gatherBand(cy)
		}
	}
}

// gatherAll is Gather for an r with room for many more chunks than exist.
func (rs *Runs) gatherAll(g *Grid, r Rect) {
	rs.chunks = g.appendChunks(rs.chunks[:0], r)
	for found := rs.chunks; len(found) > 0; {
		band := sameRow(found)
		found = found[len(band):]
		rs.columns = rs.columns[:0]
		for _, c := range band {
			rs.addColumn(c, c.cx)
		}
		rs.gatherBand(band[0].cy)
	}
}

// addColumn adds a chunk of column cx to the current row of chunks.
func (rs *Runs) addColumn(c *chunk, cx int32) {
	x := cx << chunkBits
	x0, x1 := max(rs.rect.MinX, x)&chunkMask, min(rs.rect.MaxX, x|chunkMask)&chunkMask
	rs.columns = append(rs.columns, column{c: c, in: uint16(2<<x1 - 1<<x0), row: noRow})
}

// gatherBand adds the runs that begin in the current row of chunks, cy.
func (rs *Runs) gatherBand(cy int32) {
	low := cy << chunkBits
	y1 := int(min(rs.rect.MaxY, low|chunkMask) & chunkMask)
	for y := int(max(rs.rect.MinY, low) & chunkMask); y <= y1; y++ {
		for k := range rs.columns {
			at := &rs.columns[k]
			if at.c == nil || at.c.flag[hasSegments][y&chunkMask]&at.in == 0 {
				continue
			}
			if rs.addTops(at.c, y, at.in) {
				continue
			}
			if rs.topsOnly {
				rs.hasOther = true
				return
			}
			rs.addRow(at, y)
		}
	}
}

// addTops adds the runs that begin in row y of c, in the columns in, if they are tops that continue at both ends, as on
// flat ground. It returns false, and adds none, if there are other segments.
func (rs *Runs) addTops(c *chunk, y int, in uint16) bool {
	m := c.flag[hasSegments][y] & in
	if m&^c.flag[blocks][y] != 0 {
		return false
	}
	between := c.between(y)
	if other := m &^ between; other != 0 && (!rs.topsOnly || other&^c.resolvedBuried(y, in) != 0) {
		return false
	}
	// In the last column, no run continues from the right.
	goesOn := in >> 1
	if c.cx<<chunkBits|chunkMask < rs.rect.MaxX {
		goesOn |= in & (1 << chunkMask)
	}
	for m &= between &^ goesOn; m != 0; m &= m - 1 {
		rs.addFromSide(c, y<<chunkBits|bits.TrailingZeros16(m), top, straight)
	}
	return true
}

// noRow is the row of a column of which no row has been read.
const noRow = -2

// addRow adds the runs that begin in row y of a column of chunks.
func (rs *Runs) addRow(at *column, y int) {
	c := at.c
	m := uint32(c.flag[hasSegments][y]&at.in) << 1
	plain := uint32(0)
	if m&(uint32(c.flag[blocks][y])<<1) != 0 {
		if at.row == y-1 {
			at.below, at.here = at.here, at.above
		} else {
			at.below, at.here = c.resolvedRow(y-1, at.in), c.resolvedRow(y, at.in)
		}
		at.row, at.above = y, c.resolvedRow(y+1, at.in)
		plain = m & at.here.plain(&at.below, &at.above)
	}
	begin := [sides]uint32{}
	if plain != 0 {
		begin = rs.beginnings(at, y, plain)
		m = m&^plain | begin[bottom] | begin[right] | begin[top] | begin[left]
	}
	for ; m != 0; m &= m - 1 {
		x := bits.TrailingZeros32(m)
		i := y<<chunkBits | (x - 1)
		if plain>>x&1 == 0 {
			rs.addFromCell(c, i)
			continue
		}
		for _, side := range [...]int{bottom, right, left, top} { // as SegmentID.N orders them
			if begin[side]>>x&1 != 0 {
				rs.addFromSide(c, i, side, c.turnAt(i, side, -1))
			}
		}
	}
}

// beginnings returns, for each side, which of the plain cells of the row y that addRow has read begin a run with it:
// the cell has this side, and the block before it has not, or is not in the rectangle.
func (rs *Runs) beginnings(at *column, y int, plain uint32) (begin [sides]uint32) {
	cells := at.c.rect()
	inside := uint32(at.in) << 1 // the columns of the rectangle, with one more on either side of the chunk
	if cells.MinX > rs.rect.MinX {
		inside |= 1
	}
	if cells.MaxX < rs.rect.MaxX {
		inside |= 1 << (chunkSide + 1)
	}
	below, here, above := &at.below, &at.here, &at.above
	begin[bottom] = plain &^ below.some &^ (here.full &^ below.some & inside << 1)
	begin[right] = plain &^ (here.some >> 1)
	if cells.MinY+int32(y) > rs.rect.MinY {
		begin[right] &^= below.full &^ (below.some >> 1)
	}
	begin[top] = plain &^ above.some &^ (here.full &^ above.some & inside >> 1)
	begin[left] = plain &^ (here.some << 1)
	if cells.MinY+int32(y) < rs.rect.MaxY {
		begin[left] &^= above.full &^ (above.some << 1)
	}
	return begin
}

// addFromCell adds the runs that begin in cell i of c.
func (rs *Runs) addFromCell(c *chunk, i int) {
	b := &c.at[i]
	segs := c.pool.segs[b.first : b.first+uint32(b.n)]
	for k := range segs {
		s := &segs[k]
		if l := s.prev; l != 0 && s.straightFrom(l) {
			at, _ := l.step()
			cell := c.cell(i)
			if rs.rect.Contains(Cell{X: cell.X + at.X, Y: cell.Y + at.Y}) {
				continue
			}
		}
		rs.follow(nil, c, i, k)
	}
}

// addFromSide adds the run that begins with a side of block i of c, without reading its segment; before is the turn at
// its start.
func (rs *Runs) addFromSide(c *chunk, i, side int, before turn) {
	run := rs.add()
	run.A, run.HasGhost1 = cornerOf(c.cell(i), side), true
	run.Ghost1 = ghostOf(run.A, side, before, -1)
	rs.alongSide(run, c, i, side)
}

// add returns a new run in List, without strips.
func (rs *Runs) add() *Run {
	n := len(rs.List)
	if n < cap(rs.List) {
		rs.List = rs.List[:n+1]
	} else {
		rs.List = append(rs.List, Run{})
	}
	run := &rs.List[n]
	run.from = int32(len(rs.strips))
	return run
}

// follow adds the run that begins with segment k of cell i of c. If run is not nil, follow
// continues that run from the segment, which is already in a strip.
func (rs *Runs) follow(run *Run, c *chunk, i, k int) {
	listed := run != nil // the segment is already in a strip
	if !listed {
		s := &c.pool.segs[c.at[i].first+uint32(k)]
		o := lattice.OriginOf(c.cell(i))
		run = rs.add()
		run.A = Point{X: o.X + int64(s.a.x()), Y: o.Y + int64(s.a.y())}
		run.Ghost1, run.HasGhost1 = Point{}, s.prev != 0
		if l := s.prev; l != 0 {
			run.Ghost1 = Point{X: o.X + int64(l.x()), Y: o.Y + int64(l.y())}
		}
	}
	for {
		s := &c.pool.segs[c.at[i].first+uint32(k)]
		if !listed {
			if side := c.sideAt(i, s); side < sides {
				rs.alongSide(run, c, i, side)
				return
			}
			rs.strips = append(rs.strips, strip{c: c, i: uint8(i), k: uint16(k), n: 1})
		}
		listed = false
		cell, l := c.cell(i), s.next
		if l != 0 && s.straightTo(l) {
			at, off := l.step()
			if rs.rect.Contains(Cell{X: cell.X + at.X, Y: cell.Y + at.Y}) {
				a, b := s.b-off, l.far()-off
				c, i = c.neighbour(i, int(at.X), int(at.Y))
				k = c.find(i, a, b)
				continue
			}
		}
		run.to = int32(len(rs.strips))
		o := lattice.OriginOf(cell)
		run.B = Point{X: o.X + int64(s.b.x()), Y: o.Y + int64(s.b.y())}
		run.Ghost2, run.HasGhost2 = Point{}, l != 0
		if l != 0 {
			run.Ghost2 = Point{X: o.X + int64(l.x()), Y: o.Y + int64(l.y())}
		}
		return
	}
}

// alongSide continues run from a side of block i of c, which is a segment, over the same sides of the blocks ahead,
// without reading their segments.
func (rs *Runs) alongSide(run *Run, c *chunk, i, side int) {
	over := strip{c: c, i: uint8(i), k: uint16(ofSides + side), n: 1}
	ahead := unknown
	if side == top {
		c, i, over.n, ahead = rs.overTops(c, i)
	}
	d := &ways[side]
	for {
		cell := c.cell(i)
		if ahead == unknown {
			ahead = c.turnAt(i, side, 1)
		}
		if ahead == straight && rs.rect.Contains(Cell{X: cell.X + int32(d.x), Y: cell.Y + int32(d.y)}) {
			c, i = c.neighbour(i, d.x, d.y)
			over.n++
			ahead = unknown
			continue
		}
		if rs.topsOnly && ahead != straight {
			rs.hasOther = true
			return
		}
		rs.strips = append(rs.strips, over)
		if ahead == unknown {
			rs.follow(run, c, i, c.find(i, d.from, d.to))
			return
		}
		run.to = int32(len(rs.strips))
		run.B, run.HasGhost2 = cornerOf(cell, (side+1)%sides), true
		run.Ghost2 = ghostOf(run.B, side, ahead, 1)
		return
	}
}

// overTops returns the last cell of the row of tops from block i of c to the left, as far as the rectangle, the number
// of these cells, and how they go on, if that is known.
func (rs *Runs) overTops(c *chunk, i int) (last *chunk, at int, n int32, ahead turn) {
	x, y := i&chunkMask, i>>chunkBits
	most := int64(c.cx)<<chunkBits + int64(x) - int64(rs.rect.MinX) + 1 // cells left in the rectangle
	for {
		here := bits.LeadingZeros16(^(c.tops(y) << (chunkMask - x)))
		if left := int(min(most-int64(n), chunkSide)); here > left {
			return c, y<<chunkBits | (x + 1 - left), n + int32(left), straight
		}
		x, n = x-here, n+int32(here)
		if l := c.near[3]; x >= 0 || int64(n) == most || l == nil || l.tops(y)>>chunkMask == 0 {
			return c, y<<chunkBits | (x + 1), n, unknown
		}
		c, x = c.near[3], chunkMask
	}
}

// Under returns the cell of the segment of run beside the point (x, y), and puts the segment's tile
// into *t: of the first segment that does not end before the point, or of the last. run is one of
// rs.List. The point is in cells, relative to (ox, oy), so that it has the same precision anywhere.
func (engine) Under(rs *Runs, t *Tile, run *Run, x, y, ox, oy float64) Cell {
	strips := rs.strips[run.from:run.to]
	from, to := 0, len(strips)-1
	for from < to {
		m := (from + to) >> 1
		if st := &strips[m]; st.endsBefore(int(st.n)-1, x, y, ox, oy) {
			from = m + 1
		} else {
			to = m
		}
	}
	st, j := &strips[from], 0
	if most := int(st.n) - 1; most > 0 {
		// Find the side in the strip the same way. Sides are a cell long, so the first estimate is off by at most one.
		j = int(max(0, min(float64(most), st.ahead(0, x, y, ox, oy)+1)))
		for j > 0 && !st.endsBefore(j-1, x, y, ox, oy) {
			j--
		}
		for j < most && st.endsBefore(j, x, y, ox, oy) {
			j++
		}
	}
	c, i := st.cell(j)
	l := c.resolvedAt(i)
	if l.form == patchForm {
		*t = rs.grid.tileOfOwner(l, st.segIn(c, i).owner)
	} else {
		// Field by field: a Tile is too large for the compiler to keep in registers.
		t.Shape, t.Turn = ShapeID(l.form>>3), Turn(l.form&7)
		t.Layer, t.Material, t.User = l.attr.layer, l.attr.material, l.attr.user
	}
	return c.cell(i)
}

// cell returns the cell of the j-th side of st, a strip of sides; of another strip it returns the only cell.
func (st *strip) cell(j int) (c *chunk, i int) {
	c, i = st.c, int(st.i)
	if j == 0 {
		return c, i
	}
	d := &ways[st.k-ofSides]
	x, y := i&chunkMask+d.x*j, i>>chunkBits+d.y*j
	for ; x < 0; x += chunkSide {
		c = c.near[3]
	}
	for ; x >= chunkSide; x -= chunkSide {
		c = c.near[5]
	}
	for ; y < 0; y += chunkSide {
		c = c.near[1]
	}
	for ; y >= chunkSide; y -= chunkSide {
		c = c.near[7]
	}
	return c, y<<chunkBits | x
}

// segIn returns the segment of st in cell i of c.
func (st *strip) segIn(c *chunk, i int) *seg {
	k := int(st.k)
	if k >= ofSides {
		d := &ways[k-ofSides]
		k = c.find(i, d.from, d.to) // of a block of several polygons
	}
	return &c.pool.segs[c.at[i].first+uint32(k)]
}

// ahead returns how far the point (x, y), relative to (ox, oy), is ahead of the end of the j-th side of st, a strip
// of sides, in their direction.
func (st *strip) ahead(j int, x, y, ox, oy float64) float64 {
	d, cell := &ways[st.k-ofSides], st.c.cell(int(st.i))
	if d.x != 0 {
		return float64(d.x) * (x - (float64(int64(cell.X)+int64(max(d.x, 0)+d.x*j)) - ox))
	}
	return float64(d.y) * (y - (float64(int64(cell.Y)+int64(max(d.y, 0)+d.y*j)) - oy))
}

// endsBefore reports whether the j-th segment of st ends before the projection of the point (x, y), relative to
// (ox, oy), on the segment's line.
func (st *strip) endsBefore(j int, x, y, ox, oy float64) bool {
	if st.k >= ofSides {
		return st.ahead(j, x, y, ox, oy) >= 0
	}
	s, o := &st.c.pool.segs[st.c.at[st.i].first+uint32(st.k)], lattice.OriginOf(st.c.cell(int(st.i)))
	ax, ay := float64(float64(o.X+int64(s.a.x()))/Unit)-ox, float64(float64(o.Y+int64(s.a.y()))/Unit)-oy
	bx, by := float64(float64(o.X+int64(s.b.x()))/Unit)-ox, float64(float64(o.Y+int64(s.b.y()))/Unit)-oy
	return float64((x-bx)*(bx-ax))+float64((y-by)*(by-ay)) >= 0
}

// straightTo reports whether the segment that l refers to continues in the direction of s.
func (s *seg) straightTo(l link) bool {
	ax, ay, bx, by := s.a.x(), s.a.y(), s.b.x(), s.b.y()
	return inLine(bx-ax, by-ay, l.x()-bx, l.y()-by)
}

// straightFrom reports whether s continues in the direction of the segment that l refers to.
func (s *seg) straightFrom(l link) bool {
	ax, ay, bx, by := s.a.x(), s.a.y(), s.b.x(), s.b.y()
	return inLine(ax-l.x(), ay-l.y(), bx-ax, by-ay)
}

// inLine reports whether two directions are equal.
func inLine(ux, uy, vx, vy int) bool { return ux*vy == uy*vx && ux*vx+uy*vy > 0 }

// AppendMaterials appends the materials of the tiles along run, one of rs.List, which must consist of
// tops: one for each tile, or one for several tiles that are certain to be equal.
func (engine) AppendMaterials(rs *Runs, dst []uint16, run *Run) []uint16 {
	for k := run.from; k < run.to; k++ {
		st := &rs.strips[k]
		c, x := st.c, int(st.i&chunkMask)
		row := int(st.i) &^ chunkMask
		for n := int(st.n); n > 0; c, x = c.near[3], chunkMask {
			here := min(n, x+1) // in this chunk
			if c.attrs == nil && !c.pending {
				dst = append(dst, c.attr.material)
			} else {
				for i := row | x; i > (row|x)-here; i-- {
					dst = append(dst, rs.materialOf(st, c, i))
				}
			}
			n -= here
		}
	}
	return dst
}

// materialOf returns the material of the tile in cell i of c, which is part of st.
func (rs *Runs) materialOf(st *strip, c *chunk, i int) uint16 {
	l := c.resolvedAt(i)
	if l.form == patchForm {
		return rs.grid.tileOfOwner(l, st.segIn(c, i).owner).Material
	}
	return l.attr.material
}
