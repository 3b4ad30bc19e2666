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
}

// strip is a part of a run: segment k of cell i of c or, if k is ofTops, the tops of block i and of
// the n-1 blocks to the left of it, in any chunks. (Tops run leftwards.)
type strip struct {
	c *chunk
	n int32
	k uint16
	i uint8
}

// ofTops is the k of a strip of tops: blocks with empty cells above them. No cell has so many
// segments.
const ofTops = 0xffff

// The ends of the top of a block.
const (
	topFrom = spot(Unit | Unit<<16)
	topTo   = spot(Unit << 16)
)

// Gather sets List to the runs of the segments of all cells in r, as of the last Resolve, as
// AppendSegments lists them, with each run cut where it leaves r. It panics if layers are preserved, because
// links are not mutual then.
//
// Blocks with an empty cell above and blocks beside and below are skipped a row of a chunk at a
// time.
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
	if n := in.size(); n > fewChunks || n > int64(len(g.chunks)) {
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
				c = g.table.find(x0+int32(k), cy)
			}
			if c == g.beyond {
				c = nil // it has no segments, and no place
			}
			*below = c
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
	rs.columns = append(rs.columns, column{c, uint16(2<<x1 - 1<<x0)})
}

// gatherBand adds the runs that begin in the current row of chunks, cy.
func (rs *Runs) gatherBand(cy int32) {
	low := cy << chunkBits
	y1 := int(min(rs.rect.MaxY, low|chunkMask) & chunkMask)
	for y := int(max(rs.rect.MinY, low) & chunkMask); y <= y1; y++ {
		for k := range rs.columns {
			c, in := rs.columns[k].c, rs.columns[k].in
			if c == nil {
				continue
			}
			m := c.flag[hasSegments][y&chunkMask] & in
			if m == 0 {
				continue
			}
			var between uint16
			if m&c.flag[blocks][y&chunkMask] != 0 {
				l, r := c, c // for a single chunk, a check across its borders costs more than it saves
				if len(rs.columns) > 1 || rs.topsOnly {
					l, r = c.near[3], c.near[5]
				}
				// In the last column, no run continues from the right.
				goesOn := in >> 1
				if c.cx<<chunkBits|chunkMask < rs.rect.MaxX {
					goesOn |= in & (1 << chunkMask)
				}
				between = c.between(y, l, r)
				m &^= between & goesOn
			}
			if rs.topsOnly {
				if m &^= c.resolvedBuried(y); m&^between != 0 {
					rs.hasOther = true
					return
				}
			}
			for ; m != 0; m &= m - 1 {
				x := bits.TrailingZeros16(m)
				if between>>x&1 != 0 {
					rs.addFromBlock(c, y<<chunkBits|x)
				} else {
					rs.addFromCell(c, y<<chunkBits|x)
				}
			}
		}
	}
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

// addFromBlock adds the run that begins with the top of block i of c and continues the top of the
// block to the right, outside of the rectangle. It need not read the segment.
func (rs *Runs) addFromBlock(c *chunk, i int) {
	run := rs.add()
	o := lattice.OriginOf(c.cell(i))
	run.A = Point{X: o.X + Unit, Y: o.Y + Unit}
	run.Ghost1, run.HasGhost1 = Point{X: o.X + 2*Unit, Y: o.Y + Unit}, true
	rs.overTops(run, c, i)
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
			if s.a == topFrom && s.b == topTo && c.tops(i>>chunkBits)>>(i&chunkMask)&1 != 0 {
				rs.overTops(run, c, i)
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

// overTops continues run from the top of block i of c to the left, as far as there are tops,
// without reading their segments.
func (rs *Runs) overTops(run *Run, c *chunk, i int) {
	x, y := i&chunkMask, i>>chunkBits
	most := int64(c.cx)<<chunkBits + int64(x) - int64(rs.rect.MinX) + 1 // cells left in the rectangle
	n := 0
	first := strip{c: c, i: uint8(i), k: ofTops}
	for {
		here := bits.LeadingZeros16(^(c.tops(y) << (chunkMask - x)))
		x, n = x-here, n+here
		if int64(n) > most {
			// The run continues outside of the rectangle.
			first.n = int32(most)
			rs.strips = append(rs.strips, first)
			run.to = int32(len(rs.strips))
			run.B = Point{X: int64(rs.rect.MinX) * Unit, Y: run.A.Y}
			run.Ghost2, run.HasGhost2 = Point{X: run.B.X - Unit, Y: run.A.Y}, true
			return
		}
		if x >= 0 {
			break
		}
		l := c.near[3]
		if l == nil || l.tops(y)>>chunkMask == 0 {
			break
		}
		c, x = l, chunkMask
	}
	if rs.topsOnly {
		rs.hasOther = true
		return
	}
	first.n = int32(n)
	rs.strips = append(rs.strips, first)
	i = y<<chunkBits | (x + 1)
	rs.follow(run, c, i, c.find(i, topFrom, topTo))
}

// Under returns the cell of the segment of run beside the point (x, y), and puts the segment's tile
// into *t: of the first segment that does not end before the point, or of the last. run is one of
// rs.List. The point is in cells, relative to (ox, oy), so that it has the same precision anywhere.
func (engine) Under(rs *Runs, t *Tile, run *Run, x, y, ox, oy float64) Cell {
	strips := rs.strips[run.from:run.to]
	from, to := 0, len(strips)-1
	for from < to {
		m := (from + to) >> 1
		st := &strips[m]
		before := false // the strip ends before the point
		if st.k == ofTops {
			// segmentEndsBefore for tops, without the part in y, which is 0.
			before = x <= float64(st.left())-ox
		} else {
			before = st.segmentEndsBefore(x, y, ox, oy)
		}
		if before {
			from = m + 1
		} else {
			to = m
		}
	}
	st, j := &strips[from], 0
	if st.n > 1 {
		// Find the top in the strip the same way. Tops are a cell long, so the first estimate is
		// off by at most one.
		end := float64(st.c.cx<<chunkBits + int32(st.i&chunkMask))
		if ahead := end + 1 - ox - x; ahead > 0 {
			j = int(st.n) - 1
			if ahead < float64(j) {
				j = int(ahead)
			}
		}
		for j > 0 && x > end-float64(j-1)-ox {
			j--
		}
		for j < int(st.n)-1 && x <= end-float64(j)-ox {
			j++
		}
	}
	c, i := st.c, int(st.i&chunkMask)-j
	for ; i < 0; i += chunkSide {
		c = c.near[3]
	}
	i += int(st.i) &^ chunkMask
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

// seg returns the segment of st, which must not be a strip of tops.
func (st *strip) seg() *seg { return &st.c.pool.segs[st.c.at[st.i].first+uint32(st.k)] }

// segIn returns the segment of st in cell i of c.
func (st *strip) segIn(c *chunk, i int) *seg {
	k := int(st.k)
	if st.k == ofTops {
		k = c.find(i, topFrom, topTo) // of a block of several polygons
	}
	return &c.pool.segs[c.at[i].first+uint32(k)]
}

// left returns the column of the last top of st.
func (st *strip) left() int32 { return st.c.cx<<chunkBits + int32(st.i&chunkMask) - int32(st.n) + 1 }

// segmentEndsBefore reports whether st, which must not be a strip of tops, ends before the
// projection of the point (x, y), relative to (ox, oy), on the segment's line.
func (st *strip) segmentEndsBefore(x, y, ox, oy float64) bool {
	s, o := st.seg(), lattice.OriginOf(st.c.cell(int(st.i)))
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
