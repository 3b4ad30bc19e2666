package grid

import "math"

// group is up to four objects of a cell's list.
type group struct {
	valid      uint64 // top bit of each quarter with an object; then of each that the ray may touch
	singleMask uint64 // all bits set if the object is a single list
	singleList uint64 // that list, or 0
	v          int32  // v of the ray at the start of the cell
	start      int32  // index of the ids
	subBoxesAt int32  // index of the sub-boxes
}

// testSubBoxes tests the objects of the batch's cells whose sub-boxes the ray may touch, and empties the batch.
func (b *rayBatch) testSubBoxes() {
	for i := 0; i < b.n || b.remainder.left > 0; {
		if b.candidateCount > 0 {
			b.testCandidates()
		}
		var groups int
		i, groups = b.loadGroups(i)
		b.subBoxes.test(b.groups[:groups], b.g.pool.padded())
		b.collect(b.groups[:groups])
	}
	b.n = 0
	b.testCandidates()
}

// loadGroups forms groups of the objects of the cells from i on, as far as there is room, and
// prefetches their cache lines. It returns the next cell and the number of groups.
func (b *rayBatch) loadGroups(i int) (next, groups int) {
	n := b.moreGroups(0)
	at := b.cells[:b.n]
	m := 0
	for ; i < len(at) && n < len(b.groups)-8; i++ {
		c := at[i]
		class := c >> 32 & 31
		// A single list takes the place of the first object of a block, without a branch.
		one := uint64(int64(class-1) >> 63)
		start, room := int(uint32(c&^one)), 1<<class
		left := int(c >> 37 & (^one | 1))
		f := &b.groups[n]
		f.valid = valid[min(left, 4)&7]
		f.singleMask, f.singleList = one, c&one
		f.v = b.v[i]
		f.start, f.subBoxesAt = int32(start), int32(start+room)
		n++
		b.lines[m] = uint32(start)
		b.lines[m+1] = uint32(start + room)
		m += 1 + int(uint64(-((start^(start+room))>>4))>>63) // on another cache line
		if left > 4 {
			b.remainder.start, b.remainder.room, b.remainder.left, b.remainder.v = start+4, room-2, left-4, b.v[i]
			n = b.moreGroups(n)
		}
	}
	// The processor looks a few hundred instructions ahead. This loop of few instructions keeps all
	// loads in flight at once.
	*(*[4]uint32)(b.lines[m:]) = [4]uint32{} // pad to a multiple of four
	ids := b.g.pool.padded()
	x := ID(0)
	for k := 0; k < m; k += 4 {
		l := (*[4]uint32)(b.lines[k:])
		x ^= ids[l[0]] ^ ids[l[1]] ^ ids[l[2]] ^ ids[l[3]]
	}
	b.prefetched ^= uint64(x)
	return i, n
}

// moreGroups forms groups of the remaining objects of the last cell, from group n on.
func (b *rayBatch) moreGroups(n int) int {
	r := &b.remainder
	for r.left > 0 && n < len(b.groups) {
		f := &b.groups[n]
		f.valid, f.singleMask, f.singleList = valid[min(r.left, 4)&7], 0, 0
		f.v, f.start, f.subBoxesAt = r.v, int32(r.start), int32(r.start+r.room)
		n++
		r.start, r.room, r.left = r.start+4, r.room-2, r.left-4
	}
	return n
}

// collect adds the objects that the ray may touch to the candidates.
func (b *rayBatch) collect(groups []group) {
	ids := b.g.pool.padded()
	n := 0
	for i := range groups {
		f := &groups[i]
		q := ids[f.start:][:4]
		m := (*[4]ID)(b.candidates[n:])
		near := f.valid
		m[0] = q[0]&^ID(f.singleMask) | ID(f.singleList)
		k := near >> 15 & 1
		m[k] = q[1]
		k += near >> 31 & 1
		m[k&3] = q[2]
		k += near >> 47 & 1
		m[k&3] = q[3]
		n += int(k + near>>63)
	}
	b.candidateCount = n
}

// distinct removes most duplicates from the candidates, and prefetches the boxes that
// testCandidates reads.
func (b *rayBatch) distinct() []ID {
	n := 0
	for _, id := range b.candidates[:b.candidateCount] {
		h := &b.seen[id&63]
		other := *h ^ (id + 1)
		*h = id + 1
		b.candidates[n] = id
		n += int(uint32(other|-other) >> 31)
	}
	boxes := b.g.boxes
	x := uint64(0)
	for _, id := range b.candidates[:n] {
		x ^= math.Float64bits(boxes[id].Min.X)
	}
	b.prefetched ^= x
	b.candidateCount = 0
	return b.candidates[:n]
}
