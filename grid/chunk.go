package grid

import "math/bits"

// chunks holds chunks of 16x16 cells, 2 KiB each: the lists of a chunk's cells
// lie together, so neighbours share cache lines, and a bit tells of each whether
// it has any objects, so that empty ones are passed by without a look.
type chunks struct {
	lists []list      // 256 a chunk, row by row
	mask  [][4]uint64 // bit i of a chunk: its cell i has objects
	load  []int32     // how many of its cells have objects
	keys  []key       // where it is; of a chunked level
	free  []int32     // chunks that were given up
	used  int         // chunks with objects
}

// inChunk returns which of its chunk's cells a cell is.
func inChunk(cx, cy int32) int {
	return int(cy&(ChunkSide-1)<<chunkBits | cx&(ChunkSide-1))
}

// fill makes n chunks that stay: those of a fixed level.
func (c *chunks) fill(n int) {
	c.lists = make([]list, n<<(2*chunkBits))
	c.mask = make([][4]uint64, n)
	c.load = make([]int32, n)
}

// alloc returns an empty chunk.
func (c *chunks) alloc(k key) int {
	if n := len(c.free); n > 0 {
		i := int(c.free[n-1])
		c.free = c.free[:n-1]
		c.keys[i] = k
		return i
	}
	i := len(c.keys)
	c.keys = append(c.keys, k)
	c.mask = append(c.mask, [4]uint64{})
	c.load = append(c.load, 0)
	if end := (i + 1) << (2 * chunkBits); end <= cap(c.lists) {
		c.lists = c.lists[:end]
		clear(c.lists[i<<(2*chunkBits):])
	} else {
		lists := make([]list, end, max(end, len(c.lists)+len(c.lists)/8))
		copy(lists, c.lists)
		c.lists = lists
	}
	return i
}

// release takes back a chunk, which must be empty.
func (c *chunks) release(i int) { c.free = append(c.free, int32(i)) }

// occupy notes that a cell of a chunk has objects.
func (c *chunks) occupy(i, cell int) {
	c.mask[i][cell>>6] |= 1 << (cell & 63)
	if c.load[i]++; c.load[i] == 1 {
		c.used++
	}
}

// vacate notes that a cell of a chunk has no more objects, and reports whether
// none of the chunk's has.
func (c *chunks) vacate(i, cell int) bool {
	c.mask[i][cell>>6] &^= 1 << (cell & 63)
	c.load[i]--
	if c.load[i] > 0 {
		return false
	}
	c.used--
	return true
}

// rows returns the cells with objects of a chunk's rows 4*i to 4*i+3 that are
// in s, a range within the chunk.
func (c *chunks) rows(chunk, i int, s span) uint64 {
	y0, y1 := max(s.y0-int32(4*i), 0), min(s.y1-int32(4*i), 3)
	if y0 > y1 {
		return 0
	}
	row := (uint64(2)<<s.x1 - 1<<s.x0) & 0xffff
	return c.mask[chunk][i] & (row * (0x0001000100010001 >> (16 * (3 - (y1 - y0))) << (16 * y0)))
}

// empty takes all objects out, and keeps the chunks.
func (c *chunks) empty() {
	for i, n := range c.load {
		if n == 0 {
			continue
		}
		lists := c.lists[i<<(2*chunkBits):]
		for w, m := range c.mask[i] {
			for ; m != 0; m &= m - 1 {
				lists[w<<6|bits.TrailingZeros64(m)] = 0
			}
		}
		c.mask[i] = [4]uint64{}
		c.load[i] = 0
	}
	c.used = 0
}

// clear takes all chunks out, and keeps the room.
func (c *chunks) clear() {
	c.lists, c.mask, c.load = c.lists[:0], c.mask[:0], c.load[:0]
	c.keys, c.free, c.used = c.keys[:0], c.free[:0], 0
}
