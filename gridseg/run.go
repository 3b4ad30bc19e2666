package gridseg

import "math/bits"

// Run is a stretch of the surface in one straight line: segments each of which is
// the next of the one before. To a body it is one face.
type Run struct {
	A, B           Point // where its first segment begins and its last one ends
	Ghost1, Ghost2 Point // that of the first and that of the last: see Segment
	HasGhost1      bool
	HasGhost2      bool

	from, to int32 // its strips, see Runs
}

// Runs is the surface in a rectangle of cells, in runs. A look at ground that is
// flat costs what it has of runs, not of segments. The zero value is ready for use;
// it keeps its memory from one Gather to the next.
type Runs struct {
	// List is the runs, in the order of their first segments by row, column and N.
	// It holds until the next Gather.
	List []Run

	grid    *Grid
	rect    Rect
	strips  []strip
	chunks  []*chunk
	columns []column // in work
}

// column is a chunk, if there is one, and which of its columns of cells are asked
// for, as bits.
type column struct {
	c  *chunk
	in uint16
}

// strip is a part of a run within one row of a chunk: segment k of cell i and, if n
// is more than 1, the tops of the n-1 blocks to the left of it. (Tops run leftwards.)
type strip struct {
	c *chunk
	k uint16
	i uint8
	n uint8
}

// The top of a block.
const (
	topFrom = spot(Unit | Unit<<16)
	topTo   = spot(Unit << 16)
)

// Gather makes rs the runs of the segments of all cells in r, as of the last
// Resolve: those of AppendSegments, each run cut where it leaves r. It panics where
// layers are preserved, as links are not mutual there.
//
// Blocks that have nothing on them and blocks beside and below are passed over a row
// of a chunk at a time.
func (rs *Runs) Gather(g *Grid, r Rect) {
	if g.layers.any {
		panic("quarry: gridseg: runs among preserved layers")
	}
	rs.grid, rs.rect = g, r
	rs.List, rs.strips = rs.List[:0], rs.strips[:0]
	if r.Empty() {
		return
	}
	x0, x1 := r.MinX>>chunkBits, r.MaxX>>chunkBits
	y0, y1 := r.MinY>>chunkBits, r.MaxY>>chunkBits
	if (int64(x1)-int64(x0)+1)*(int64(y1)-int64(y0)+1) > int64(len(g.chunks)) {
		rs.gatherAll(g, r)
		return
	}
	// Each chunk knows what is beside it, be it nothing: to ask one that is there is
	// quicker than to look.
	rs.columns = rs.columns[:0]
	for cy := y0; cy <= y1; cy++ {
		var c *chunk // that to the left
		for cx := x0; cx <= x1; cx++ {
			if cy == y0 {
				rs.addColumn(nil, cx)
			}
			below := &rs.columns[cx-x0].c
			switch {
			case *below != nil:
				c = (*below).near[7]
			case c != nil:
				c = c.near[5]
			default:
				c = g.table.find(cx, cy)
			}
			*below = c
		}
		rs.gatherBand(cy)
	}
}

// gatherAll is Gather where r may have more chunks than there are.
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

// addColumn adds a chunk of column cx to those in work.
func (rs *Runs) addColumn(c *chunk, cx int32) {
	x := cx << chunkBits
	x0, x1 := max(rs.rect.MinX, x)&chunkMask, min(rs.rect.MaxX, x|chunkMask)&chunkMask
	rs.columns = append(rs.columns, column{c, uint16(2<<x1 - 1<<x0)})
}

// gatherBand adds the runs that begin in the chunks in work, which are those of row cy.
func (rs *Runs) gatherBand(cy int32) {
	low := cy << chunkBits
	y1 := int(min(rs.rect.MaxY, low|chunkMask) & chunkMask)
	for y := int(max(rs.rect.MinY, low) & chunkMask); y <= y1; y++ {
		for k := range rs.columns {
			c, in := rs.columns[k].c, rs.columns[k].in
			if c == nil {
				continue
			}
			m := c.flag[segged][y&chunkMask] & in
			if m == 0 {
				continue
			}
			if m&c.flag[blocks][y&chunkMask] != 0 {
				l, r := c, c // of one chunk alone the border is not worth a look
				if len(rs.columns) > 1 {
					l, r = c.near[3], c.near[5]
				}
				// The last column goes on from nothing.
				goesOn := in >> 1
				if c.cx<<chunkBits|chunkMask < rs.rect.MaxX {
					goesOn |= in & (1 << chunkMask)
				}
				m &^= c.between(y, l, r) & goesOn
			}
			for ; m != 0; m &= m - 1 {
				rs.look(c, y<<chunkBits|bits.TrailingZeros16(m))
			}
		}
	}
}

// look adds the runs that begin in cell i of c.
func (rs *Runs) look(c *chunk, i int) {
	b := &c.at[i]
	segs := c.pool.segs[b.first : b.first+uint32(b.n)]
	for k := range segs {
		s := &segs[k]
		if l := s.prev; l != 0 && s.straightFrom(l) {
			at, _ := l.step()
			cell := c.cell(i)
			if rs.rect.Contains(Cell{cell.X + at.X, cell.Y + at.Y}) {
				continue
			}
		}
		rs.follow(c, i, k)
	}
}

// follow adds the run that begins with segment k of cell i of c.
func (rs *Runs) follow(c *chunk, i, k int) {
	s := &c.pool.segs[c.at[i].first+uint32(k)]
	cell := c.cell(i)
	o := cell.origin()
	n := len(rs.List)
	if n < cap(rs.List) {
		rs.List = rs.List[:n+1]
	} else {
		rs.List = append(rs.List, Run{})
	}
	run := &rs.List[n]
	run.from = int32(len(rs.strips))
	run.A = Point{o.X + int64(s.a.x()), o.Y + int64(s.a.y())}
	run.Ghost1, run.HasGhost1 = Point{}, s.prev != 0
	if l := s.prev; l != 0 {
		run.Ghost1 = Point{o.X + int64(l.x()), o.Y + int64(l.y())}
	}
	for {
		st := strip{c: c, i: uint8(i), k: uint16(k), n: 1}
		if s.a == topFrom && s.b == topTo {
			// As many to the left as have nothing on them.
			x := i & chunkMask
			x0 := max(0, int(int64(rs.rect.MinX)-int64(c.cx)<<chunkBits))
			if n := min(bits.LeadingZeros16(^(c.tops(i>>chunkBits) << (chunkMask - x))), x-x0+1); n > 1 {
				st.n = uint8(n)
				i -= n - 1
				k = c.find(i, topFrom, topTo)
				s = &c.pool.segs[c.at[i].first+uint32(k)]
			}
		}
		rs.strips = append(rs.strips, st)
		l := s.next
		if l == 0 || !s.straightTo(l) {
			break
		}
		at, off := l.step()
		cell := c.cell(i)
		if !rs.rect.Contains(Cell{cell.X + at.X, cell.Y + at.Y}) {
			break
		}
		a, b := s.b-off, l.far()-off
		c, i = c.neighbour(i, int(at.X), int(at.Y))
		k = c.find(i, a, b)
		s = &c.pool.segs[c.at[i].first+uint32(k)]
	}
	run.to = int32(len(rs.strips))
	o = c.cell(i).origin()
	run.B = Point{o.X + int64(s.b.x()), o.Y + int64(s.b.y())}
	run.Ghost2, run.HasGhost2 = Point{}, s.next != 0
	if l := s.next; l != 0 {
		run.Ghost2 = Point{o.X + int64(l.x()), o.Y + int64(l.y())}
	}
}

// Under returns the cell of the segment of run, one of List, that the point (x, y)
// lies beside: the first that does not end before it, or the last. It puts the
// segment's tile into *t. The point is in cells, as seen from (ox, oy), so that it
// can be told as exactly far away as at the origin.
func (rs *Runs) Under(t *Tile, run *Run, x, y, ox, oy float64) Cell {
	strips := rs.strips[run.from:run.to]
	from, to := 0, len(strips)-1
	for from < to {
		if m := (from + to) >> 1; strips[m].endsBefore(x, y, ox, oy) {
			from = m + 1
		} else {
			to = m
		}
	}
	st, j := &strips[from], 0
	if st.n > 1 {
		// As endsBefore, of each: the ends are a cell apart, so the first guess is next
		// to right.
		end := float64(st.c.cell(int(st.i)).X)
		if ahead := end + 1 - ox - x; ahead > 0 {
			j = int(min(ahead, float64(st.n-1)))
		}
		for j > 0 && x > end-float64(j-1)-ox {
			j--
		}
		for j < int(st.n)-1 && x <= end-float64(j)-ox {
			j++
		}
	}
	c, i := st.c, int(st.i)-j
	l := c.laid(i)
	if c.flag[dirty].has(i) {
		l = c.old[i]
	}
	if l.form == patchForm {
		*t = rs.grid.shown(l, st.seg(j).owner)
	} else {
		// Field by field: a Tile is too large for the compiler to keep in registers.
		t.Shape, t.Turn = ShapeID(l.form>>3), Turn(l.form&7)
		t.Layer, t.Material, t.User = l.attr.layer, l.attr.material, l.attr.user
	}
	return c.cell(i)
}

// seg returns segment j of st.
func (st *strip) seg(j int) *seg {
	if j == 0 {
		return &st.c.pool.segs[st.c.at[st.i].first+uint32(st.k)]
	}
	i := int(st.i) - j
	return &st.c.pool.segs[st.c.at[i].first+uint32(st.c.find(i, topFrom, topTo))]
}

// endsBefore reports whether st ends before the place beside which the point (x, y),
// seen from (ox, oy), lies.
func (st *strip) endsBefore(x, y, ox, oy float64) bool {
	if st.n > 1 {
		// What follows comes to this for tops, of which the part in y vanishes.
		return x <= float64(st.c.cell(int(st.i)).X)-float64(st.n-1)-ox
	}
	s, o := st.seg(0), st.c.cell(int(st.i)).origin()
	ax, ay := float64(float64(o.X+int64(s.a.x()))/Unit)-ox, float64(float64(o.Y+int64(s.a.y()))/Unit)-oy
	bx, by := float64(float64(o.X+int64(s.b.x()))/Unit)-ox, float64(float64(o.Y+int64(s.b.y()))/Unit)-oy
	return float64((x-bx)*(bx-ax))+float64((y-by)*(by-ay)) >= 0
}

// find returns which of the segments of cell i, of which there is one, runs from a
// to b.
func (c *chunk) find(i int, a, b spot) int {
	at := &c.at[i]
	segs := c.pool.segs[at.first : at.first+uint32(at.n)]
	for k := range segs {
		if segs[k].a == a && segs[k].b == b {
			return k
		}
	}
	panic("quarry: gridseg: a link leads nowhere")
}

// straightTo reports whether what l links s to goes on in the direction of s.
func (s *seg) straightTo(l link) bool {
	ax, ay, bx, by := s.a.x(), s.a.y(), s.b.x(), s.b.y()
	return inLine(bx-ax, by-ay, l.x()-bx, l.y()-by)
}

// straightFrom reports whether s goes on in the direction of what l links it to.
func (s *seg) straightFrom(l link) bool {
	ax, ay, bx, by := s.a.x(), s.a.y(), s.b.x(), s.b.y()
	return inLine(ax-l.x(), ay-l.y(), bx-ax, by-ay)
}

// inLine reports whether two directions are one.
func inLine(ux, uy, vx, vy int) bool { return ux*vy == uy*vx && ux*vx+uy*vy > 0 }

// tops returns the cells of row y that hold a block with nothing on it: whose top is
// one segment, and linked to that of the next. There are none in a grid with edits
// still to be resolved near by.
func (c *chunk) tops(y int) uint16 {
	var on uint16
	o := c
	if y < chunkMask {
		on = c.occupied[y+1]
	} else if o = c.near[7]; o != nil {
		on = o.occupied[0]
	}
	if c.pending || o != nil && o.pending {
		return 0
	}
	return c.flag[blocks][y] &^ on
}

// between returns the cells of row y that have one segment alone, the top of a block,
// which goes on from that of the cell to the right. Beside c are l and r, or nil; where
// c is given for them, the cells at its border are left out.
func (c *chunk) between(y int, l, r *chunk) uint16 {
	var below uint16
	o := c
	if y > 0 {
		below = c.flag[blocks][y-1]
	} else if o = c.near[1]; o != nil {
		below = o.flag[blocks][chunkMask]
	}
	if o == nil || o.pending {
		return 0
	}
	t := c.tops(y)
	before, after := t>>1, c.flag[blocks][y]<<1
	if r != c && r != nil {
		before |= r.tops(y) << chunkMask
	}
	if l != c && l != nil && !l.pending {
		after |= l.flag[blocks][y] >> chunkMask
	}
	return t & before & after & below
}
