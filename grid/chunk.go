package grid

import "math/bits"

// chunks stores chunks of 16x16 cells, 2 KiB each. The lists of a chunk's cells are adjacent, so
// neighbours share cache lines, and a bit a cell is set if it has objects, so that empty cells
// are skipped.
type chunks struct {
	lists []list      // 256 a chunk, by row
	mask  [][4]uint64 // bit i is set if cell i of the chunk has objects
	load  []int32     // number of cells with objects
	keys  []key       // position; for chunked levels
	free  []int32     // released chunks
	used  int         // number of chunks with objects
}

// inChunk returns the index of a cell in its chunk.
func inChunk(cx, cy int32) int {
	return int(cy&(ChunkSide-1)<<chunkBits | cx&(ChunkSide-1))
}

// fill allocates the n permanent chunks of a fixed level.
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

// release frees a chunk, which must be empty.
func (c *chunks) release(i int) { c.free = append(c.free, int32(i)) }

// occupy marks a cell of a chunk as having objects.
func (c *chunks) occupy(i, cell int) {
	c.mask[i][cell>>6] |= 1 << (cell & 63)
	if c.load[i]++; c.load[i] == 1 {
		c.used++
	}
}

// vacate marks a cell of a chunk as empty, and reports whether the whole chunk is empty.
func (c *chunks) vacate(i, cell int) bool {
	c.mask[i][cell>>6] &^= 1 << (cell & 63)
	c.load[i]--
	if c.load[i] > 0 {
		return false
	}
	c.used--
	return true
}

// rows returns the mask of the cells with objects in rows 4*i to 4*i+3 of a chunk that are in s, a
// range within the chunk.
func (c *chunks) rows(chunk, i int, s span) uint64 {
	y0, y1 := max(s.y0-int32(4*i), 0), min(s.y1-int32(4*i), 3)
	if y0 > y1 {
		return 0
	}
	row := (uint64(2)<<s.x1 - 1<<s.x0) & 0xffff
	return c.mask[chunk][i] & (row * (0x0001000100010001 >> (16 * (3 - (y1 - y0))) << (16 * y0)))
}

// empty removes all objects, and keeps the chunks.
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

// clear removes all chunks, and keeps the memory.
func (c *chunks) clear() {
	c.lists, c.mask, c.load = c.lists[:0], c.mask[:0], c.load[:0]
	c.keys, c.free, c.used = c.keys[:0], c.free[:0], 0
}
