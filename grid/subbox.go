package grid

// subBox is the part of an object's box that lies in a cell, in 16ths of the cell from the cell's
// lower left corner: the first and the last 16th, along x in bits 0 and 8, along y in bits 4 and
// 12.
//
// Sub-boxes lie beside the ids in a cell's list. A ray uses them to reject objects, so that it
// reads few boxes other than those that it hits. But a moving object would have to update its
// sub-boxes in every cell, anywhere in memory, which would double the cost of its moves. So an
// object that moves within its cells gets loose sub-boxes there, once; then nothing needs an
// update, and rays test its box. Build and Rebuild make all sub-boxes tight, and so do Add, and
// Update of an object that leaves all its cells.
type subBox uint16

// loose is the sub-box of the whole cell.
const loose subBox = 0xff00

// subBoxShift is the difference in resolution of qboxes and sub-boxes, in bits.
const subBoxShift = subBits - 4

// subBoxIn returns the sub-box of q in a cell that q is in.
func (q *qbox) subBoxIn(cx, cy int32) subBox {
	x, y := cx<<4, cy<<4
	x0, y0 := max(q.x0>>subBoxShift-x, 0), max(q.y0>>subBoxShift-y, 0)
	x1, y1 := min(q.x1>>subBoxShift-x, 15), min(q.y1>>subBoxShift-y, 15)
	return subBox(x0 | y0<<4 | x1<<8 | y1<<12)
}

// sameSubBoxes reports whether qboxes in the same cells have the same sub-boxes there.
func (q *qbox) sameSubBoxes(r *qbox) bool {
	return ((q.x0^r.x0)|(q.y0^r.y0)|(q.x1^r.x1)|(q.y1^r.y1))>>subBoxShift == 0
}

// isMoving reports whether the sub-boxes of object id are loose.
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

// subBoxTest tests which sub-boxes in a cell a ray may touch: four at once, each in a quarter of a
// word. Values are in 2^-lineBits of a cell, from -4 to 4 cells, plus half the range of a quarter,
// so that the top bit is set for values >= 0, and no quarter borrows from the next.
type subBoxTest struct {
	steep bool
	// The slope of v per 16th of a cell: rise if positive, fall if negative; the other is 0.
	rise, fall     uint64
	addMin, addMax uint64
}

// lineBits is the number of fractional bits of the test.
const lineBits = 13

// lanes has a 1 in each quarter.
const lanes = 0x0001_0001_0001_0001

// valid[n] has the top bits of the first n quarters, n <= 4. (It is longer so that an index &7
// needs no bounds check.)
var valid = [8]uint64{0, 0x8000, 0x8000_8000, 0x8000_8000_8000, lanes << 15}

// set prepares the test for a ray with a slope and a half width, in 2^-32 of a cell.
func (t *subBoxTest) set(slope, wide int64, steep bool) {
	// Both are rounded down: v and 16 times the slope are too low by less than 17.
	const half = 1 << 15
	part, pad := slope>>(fixed-lineBits+4), wide>>(fixed-lineBits)+1
	rise, fall := max(part, 0), min(part, 0)
	t.steep, t.rise, t.fall = steep, uint64(rise), uint64(fall)
	t.addMin, t.addMax = uint64(half+pad+1<<(lineBits-4)-fall)*lanes, uint64(half+pad+17+rise)*lanes
}

// test clears the valid bit of each object in groups whose sub-box the ray cannot touch. ids are
// all places of the pool.
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

// subBoxes returns the sub-boxes of f.
func (f *group) subBoxes(ids []ID) uint64 {
	o := ids[f.subBoxesAt:][:2]
	return (uint64(uint32(o[0]))|uint64(uint32(o[1]))<<32)&^f.singleMask | f.singleList>>40
}
