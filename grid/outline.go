package grid

// outline is the part of an object's box that lies in a cell, in 16ths of it from the
// cell's lower left corner: the first and the last 16th that it is in, along x in bits 0
// and 8, along y in bits 4 and 12.
//
// By the outlines beside the ids in a cell's list a ray tells what it passes by, and
// then reads few boxes but those that it hits. But outlines must be kept up in every
// cell of an object, wherever that lies in memory, which would cost what moves
// as much again as the rest of its frame. So what moves within its cells gets loose
// outlines there, the first time, and after that has nothing to keep up; rays look
// at its box. Build and Rebuild make all outlines tight, and so does Add, and
// Update of an object that leaves all its cells.
type outline uint16

// loose is the outline that is the whole cell.
const loose outline = 0xff00

// outlineBits is by how much coarser outlines are than quads.
const outlineBits = subBits - 4

// outline returns that of a quad in a cell that it is in.
func (q *quad) outline(cx, cy int32) outline {
	x, y := cx<<4, cy<<4
	x0, y0 := max(q.x0>>outlineBits-x, 0), max(q.y0>>outlineBits-y, 0)
	x1, y1 := min(q.x1>>outlineBits-x, 15), min(q.y1>>outlineBits-y, 15)
	return outline(x0 | y0<<4 | x1<<8 | y1<<12)
}

// sameOutline reports whether quads that are in the same cells have the same outlines
// there.
func (q *quad) sameOutline(r *quad) bool {
	return ((q.x0^r.x0)|(q.y0^r.y0)|(q.x1^r.x1)|(q.y1^r.y1))>>outlineBits == 0
}

// moves reports whether the outlines of the object id are loose.
func (g *Grid) moves(id ID) bool { return g.moving[id>>6]>>(id&63)&1 == 1 }

// loosen makes the outlines of an object loose in the cells s, which list it.
func (g *Grid) loosen(id ID, l *level, s span) {
	g.moving[id>>6] |= 1 << (id & 63)
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			c := l.open(cx, cy)
			*c = g.pool.mark(*c, id, loose)
		}
	}
}

// outlineTest tells which outlines in a cell a ray may touch. A product takes the place
// of a shift by a number that is not known beforehand, which is slow.
type outlineTest struct {
	// Of an outline, the ends at which the ray is lowest and highest, and its sides along v.
	atMin, atMax, atLow, atHigh int64
	// What they are multiplied by, so that the products are in 2^-32 of a cell.
	byMin, byMax, byLow, byHigh int64
	addMin, addMax              int64
}

// set makes the test that of a ray of a slope and a width.
func (t *outlineTest) set(slope, wide int64, steep bool) {
	const unit = fixed - 4
	x0, y0, x1, y1 := 0, 4, 8, 12
	if steep {
		x0, y0, x1, y1 = y0, x0, y1, x1
	}
	// Rounded down, and so below what it is by less than one 16 times 2^12 times.
	part := slope >> 4
	t.addMin, t.addMax = -wide-1<<unit, part+wide
	if slope < 0 {
		t.addMin, t.addMax = part-wide-1<<unit, wide
		x0, x1 = x1, x0
	}
	t.atMin, t.atMax, t.atLow, t.atHigh = 15<<x0, 15<<x1, 15<<y0, 15<<y1
	t.byMin, t.byMax, t.byLow, t.byHigh = part>>x0, part>>x1, 1<<unit>>y0, 1<<unit>>y1
}

// near returns 1 if a ray that enters the cell at v may touch the outline o, 0 if not.
func (t *outlineTest) near(o, v int64) int {
	lo := t.addMin + v + t.byMin*(o&t.atMin) - t.byHigh*(o&t.atHigh)
	hi := t.addMax + v + t.byMax*(o&t.atMax) - t.byLow*(o&t.atLow)
	return int(uint64((lo-1)&^hi) >> 63)
}
