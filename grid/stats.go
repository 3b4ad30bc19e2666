package grid

import (
	"cmp"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/quarry2d/quarry/geom"
)

// Stats describes the contents of a grid.
type Stats struct {
	Objects  int // including excluded ones
	Excluded int
	Oversize int // objects in no cell: every query tests them
	Levels   int // with objects
	Cells    int // with objects
	Entries  int // sum over all cells; an object in two cells counts twice
	Fullest  int // objects in the fullest cell
	Chunks   int // with objects
	// Bytes is the memory of the grid's tables and lists, unused capacity included; the boxes are
	// 32 bytes an object of it.
	Bytes int
}

// Stats counts the present contents of the grid. It visits every cell.
func (g *Grid) Stats() Stats {
	s := Stats{Objects: g.n, Excluded: g.excludedCount, Oversize: len(g.oversize)}
	s.Levels = bits.OnesCount64((g.used | g.used>>1 | g.used>>2) & classLevels)
	for i := range len(g.levels) + 1 {
		l := &g.unlisted
		if i < len(g.levels) {
			l = &g.levels[i]
		}
		s.Bytes += l.index.bytes() + bytesOf(l.regions) + bytesOf(l.idle)
		for _, r := range l.regions {
			r.each(func(_, _ int32, c list) {
				s.Cells++
				s.Entries += c.len()
				s.Fullest = max(s.Fullest, c.len())
			})
			if r.kind != Hashed {
				s.Chunks += r.squares()
			}
			s.Bytes += r.bytes()
		}
		for _, r := range l.idle {
			s.Bytes += r.bytes()
		}
	}
	s.Bytes += bytesOf(g.levels) + bytesOf(g.pool.ids) + bytesOf(g.oversize) + bytesOf(g.qboxes) +
		bytesOf(g.boxes) +
		bytesOf(g.at) + bytesOf(g.slots) + bytesOf(g.ids) + bytesOf(g.data) + bytesOf(g.categories)
	return s
}

func (r *region) bytes() int {
	c := &r.chunks
	n := int(unsafe.Sizeof(*r)) + r.cells.bytes()
	n += bytesOf(c.lists) + bytesOf(c.mask) + bytesOf(c.load) + bytesOf(c.keys) + bytesOf(c.free)
	for t := range r.blocks {
		n += r.blocks[t].bytes()
	}
	return n
}

func (t *table) bytes() int { return bytesOf(t.slots) }

func bytesOf[T any](s []T) int {
	var x T
	return cap(s) * int(unsafe.Sizeof(x))
}

// each calls f for every cell that has objects, in no order.
func (r *region) each(f func(cx, cy int32, c list)) {
	if r.kind == Hashed {
		for i := range r.cells.slots {
			if s := &r.cells.slots[i]; s.val != 0 {
				cx, cy := s.key.square()
				f(cx, cy, s.val)
			}
		}
		return
	}
	for i, n := range r.chunks.load {
		if n == 0 {
			continue
		}
		bx, by := r.chunkPlace(i)
		for w, m := range r.chunks.mask[i] {
			for ; m != 0; m &= m - 1 {
				k := w<<6 | bits.TrailingZeros64(m)
				f(bx<<chunkBits+int32(k)&(ChunkSide-1), by<<chunkBits+int32(k)>>chunkBits,
					r.chunks.lists[i<<(2*chunkBits)|k])
			}
		}
	}
}

// Load is the number of objects in a cell.
type Load struct {
	Box   geom.AABB // of the cell
	Level int       // of a hierarchical grid, whose cells are 2^Level times as large; else 0
	Cell  Cell      // in cells of that size
	N     int
}

// AppendLoads appends every cell that has objects, ordered by level, then from the bottom up and
// from left to right, and returns the extended slice.
func (g *Grid) AppendLoads(dst []Load) []Load {
	start := len(dst)
	for at := range g.levels {
		for _, r := range g.levels[at].regions {
			r.each(func(cx, cy int32, c list) {
				k := Cell{int64(cx) + r.x>>subBits, int64(cy) + r.y>>subBits}
				dst = append(dst, Load{Box: r.box(span{cx, cy, cx, cy}), Level: at / classes, Cell: k, N: c.len()})
			})
		}
	}
	slices.SortFunc(dst[start:], func(a, b Load) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Cell.Y, b.Cell.Y), cmp.Compare(a.Cell.X, b.Cell.X))
	})
	// Two regions may both list objects in a cell at their common side, and the levels of all classes in any
	// cell.
	n := start
	for _, k := range dst[start:] {
		if n > start && dst[n-1].Level == k.Level && dst[n-1].Cell == k.Cell {
			dst[n-1].N += k.N
			continue
		}
		dst[n] = k
		n++
	}
	return dst[:n]
}
