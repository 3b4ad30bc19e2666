package grid

// sub-box is the part of an object's box that lies in a cell, in 16ths of it from the
// cell's lower left corner: the first and the last 16th that it is in, along x in bits 0
// and 8, along y in bits 4 and 12.
//
// By the sub-boxes beside the ids in a cell's list a ray tells what it passes by, and
// then reads few boxes but those that it hits. But sub-boxes must be kept up in every
// cell of an object, wherever that lies in memory, which would cost what moves
// as much again as the rest of its frame. So what moves within its cells gets loose
// sub-boxes there, the first time, and after that has nothing to keep up; rays look
// at its box. Build and Rebuild make all sub-boxes tight, and so does Add, and
// Update of an object that leaves all its cells.
type subBox uint16

// loose is the sub-box that is the whole cell.
const loose subBox = 0xff00

// subBoxShift is by how much coarser sub-boxes are than qboxes.
const subBoxShift = subBits - 4

// sub-box returns that of a qbox in a cell that it is in.
func (q *qbox) subBoxIn(cx, cy int32) subBox {
	x, y := cx<<4, cy<<4
	x0, y0 := max(q.x0>>subBoxShift-x, 0), max(q.y0>>subBoxShift-y, 0)
	x1, y1 := min(q.x1>>subBoxShift-x, 15), min(q.y1>>subBoxShift-y, 15)
	return subBox(x0 | y0<<4 | x1<<8 | y1<<12)
}

// sameSubBoxes reports whether qboxes that are in the same cells have the same sub-boxes
// there.
func (q *qbox) sameSubBoxes(r *qbox) bool {
	return ((q.x0^r.x0)|(q.y0^r.y0)|(q.x1^r.x1)|(q.y1^r.y1))>>subBoxShift == 0
}

// isMoving reports whether the sub-boxes of the object id are loose.
func (g *Grid) isMoving(id ID) bool { return g.moving[id>>6]>>(id&63)&1 == 1 }

// loosen makes the sub-boxes of an object loose in the cells s, which list it.
func (g *Grid) loosen(id ID, r *region, s span) {
	g.moving[id>>6] |= 1 << (id & 63)
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			c := r.open(cx, cy)
			*c = g.pool.replaceSubBox(*c, id, loose)
		}
	}
}

// subBoxTest tells which sub-boxes in a cell a ray may touch: of four at once, a quarter of
// a word each. In it all is in 2^-lineBits of a cell, from -4 to 4 cells; half of what a
// quarter holds is added, so that its highest bit tells what is not below 0, and no
// quarter borrows from the next.
type subBoxTest struct {
	steep bool
	// The slope of v per 16th of a cell, if it rises, and if it falls; the other is 0.
	rise, fall     uint64
	addMin, addMax uint64
}

// lineBits is how finely rays are held against sub-boxes.
const lineBits = 13

// lanes is 1 in each quarter.
const lanes = 0x0001_0001_0001_0001

// valid is the highest bits of the first quarters, so many of them, 4 at most. (It is
// longer so that an index &7 needs no check.)
var valid = [8]uint64{0, 0x8000, 0x8000_8000, 0x8000_8000_8000, lanes << 15}

// set makes the test that of a ray of a slope and a width, in 2^-32 of a cell.
func (t *subBoxTest) set(slope, wide int64, steep bool) {
	// Both are rounded down: v and 16 times the slope are too low by less than 17.
	const half = 1 << 15
	part, pad := slope>>(fixed-lineBits+4), wide>>(fixed-lineBits)+1
	rise, fall := max(part, 0), min(part, 0)
	t.steep, t.rise, t.fall = steep, uint64(rise), uint64(fall)
	t.addMin, t.addMax = uint64(half+pad+1<<(lineBits-4)-fall)*lanes, uint64(half+pad+17+rise)*lanes
}

// test leaves of what is valid in groups, whose sub-boxes are in ids, those that the ray
// may touch.
func (t *subBoxTest) test(groups []group, ids []ID) {
	const one = 15 * lanes
	const up = one << (lineBits - 4)
	rise, fall, addMin, addMax := t.rise, t.fall, t.addMin, t.addMax
	if t.steep {
		for i := range groups {
			f := &groups[i]
			o, v := f.subBoxes(ids), uint64(f.v)*lanes
			u0, u1 := o>>4&one, o>>12&one
			low := o<<1&up + addMin - v - u0*rise - u1*fall
			high := u1*rise + u0*fall + addMax + v - o<<9&up
			f.valid &= low & high
		}
		return
	}
	for i := range groups {
		f := &groups[i]
		o, v := f.subBoxes(ids), uint64(f.v)*lanes
		u0, u1 := o&one, o>>8&one
		low := o>>3&up + addMin - v - u0*rise - u1*fall
		high := u1*rise + u0*fall + addMax + v - o<<5&up
		f.valid &= low & high
	}
}

// sub-boxes returns the sub-boxes of f.
func (f *group) subBoxes(ids []ID) uint64 {
	o := ids[f.subBoxesAt:][:2]
	return (uint64(uint32(o[0]))|uint64(uint32(o[1]))<<32)&^f.singleMask | f.singleList>>40
}
