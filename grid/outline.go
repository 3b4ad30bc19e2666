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
