package grid

import (
	"cmp"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/quarry2d/quarry/geom"
)

// Stats tells how a grid is filled.
type Stats struct {
	Objects  int // excluded ones too
	Excluded int
	Oversize int // objects that no cells hold: every question looks at them
	Levels   int // with objects
	Cells    int // with objects
	Entries  int // objects of all cells; one in two cells counts twice
	Fullest  int // objects of the fullest cell
	Chunks   int // with objects
	// Bytes is the memory of the grid's tables and lists, their spare room
	// included; 32 an object are the boxes.
	Bytes int
}

// Stats counts what is in the grid now. It looks at every cell.
func (g *Grid) Stats() Stats {
	s := Stats{Objects: g.n, Excluded: g.excluded, Oversize: len(g.oversize), Levels: bits.OnesCount32(g.used)}
	for i := range g.levels {
		l := &g.levels[i]
		l.each(func(_, _ int32, c list) {
			s.Cells++
			s.Entries += c.len()
			s.Fullest = max(s.Fullest, c.len())
		})
		if l.kind != Hashed {
			s.Chunks += l.squares()
		}
		s.Bytes += l.cells.bytes() + bytesOf(l.chunks.lists) + bytesOf(l.chunks.mask) + bytesOf(l.chunks.load) +
			bytesOf(l.chunks.keys) + bytesOf(l.chunks.free)
		for t := range l.blocks {
			s.Bytes += l.blocks[t].bytes()
		}
	}
	s.Bytes += bytesOf(g.levels) + bytesOf(g.pool.ids) + bytesOf(g.moving) + bytesOf(g.oversize) + bytesOf(g.quads) + bytesOf(g.boxes) +
		bytesOf(g.at) + bytesOf(g.data) + bytesOf(g.groups)
	return s
}

func (t *table) bytes() int { return bytesOf(t.slots) + bytesOf(t.sieve) }

func bytesOf[T any](s []T) int {
	var x T
	return cap(s) * int(unsafe.Sizeof(x))
}

// each calls f with every cell that has objects, in no order.
func (l *level) each(f func(cx, cy int32, c list)) {
	if l.kind == Hashed {
		for i := range l.cells.slots {
			if s := &l.cells.slots[i]; s.val != 0 {
				cx, cy := s.key.square()
				f(cx, cy, s.val)
			}
		}
		return
	}
	for i, n := range l.chunks.load {
		if n == 0 {
			continue
		}
		bx, by := l.place(i)
		for w, m := range l.chunks.mask[i] {
			for ; m != 0; m &= m - 1 {
				k := w<<6 | bits.TrailingZeros64(m)
				f(bx<<chunkBits+int32(k)&(ChunkSide-1), by<<chunkBits+int32(k)>>chunkBits, l.chunks.lists[i<<(2*chunkBits)|k])
			}
		}
	}
}

// Load is how many objects a cell has.
type Load struct {
	Box   geom.AABB // of the cell
	Level int       // 0, or of a hierarchical grid: cells are 2^Level times as large
	Cell  Cell      // counted in cells of that size
	N     int
}

// AppendLoads appends every cell that has objects, ordered by level, then from
// the bottom up and from left to right, and returns the extended slice.
func (g *Grid) AppendLoads(dst []Load) []Load {
	start := len(dst)
	for at := range g.levels {
		l := &g.levels[at]
		l.each(func(cx, cy int32, c list) {
			p := geom.V(float64(cx)*l.size, float64(cy)*l.size)
			box := geom.AABB{Min: p, Max: geom.V(float64(cx+1)*l.size, float64(cy+1)*l.size)}
			dst = append(dst, Load{Box: box, Level: at, Cell: Cell{cx, cy}, N: c.len()})
		})
	}
	slices.SortFunc(dst[start:], func(a, b Load) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Cell.Y, b.Cell.Y), cmp.Compare(a.Cell.X, b.Cell.X))
	})
	return dst
}
