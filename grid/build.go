package grid

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Build replaces all objects: object i has box boxes[i], is in all categories and carries data[i],
// or 0 if data is nil. It panics if data has another length. If Add would refuse a box, Build
// returns an error that names the box, and changes nothing.
//
// Cells are laid out by a counting sort, so that the objects of neighbouring cells are adjacent in
// memory. It takes about as long as the same number of calls of Add, but uses less memory and makes
// queries faster. Once warm it allocates nothing.
func (g *Grid) Build(boxes []geom.AABB, data []uint64) error {
	if data != nil && len(data) != len(boxes) {
		panic(fmt.Sprintf("quarry: grid: Build with %d boxes and %d data", len(boxes), len(data)))
	}
	if len(boxes) > math.MaxInt32 {
		return fmt.Errorf("grid: more than %d objects", math.MaxInt32)
	}
	for i := range boxes {
		if err := g.check(boxes[i]); err != nil {
			return fmt.Errorf("box %d: %w", i, err)
		}
	}
	g.Clear()
	n := len(boxes)
	g.boxes = append(g.boxes, boxes...)
	g.qboxes, g.at, g.data = resized(g.qboxes, n), resized(g.at, n), resized(g.data, n)
	if data != nil {
		copy(g.data, data)
	} else {
		clear(g.data)
	}
	g.n, g.peak = n, n
	clear(g.at)
	g.layout(true)
	return nil
}

// resized returns a slice of length n, in the memory of s if that is large enough. The contents are
// undefined.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Rebuild lays the cells out again, as Build does. Results of queries do not change. After many
// moves, it makes queries and pairs faster, because the objects of neighbouring cells are adjacent in memory again, and
// it releases unused memory.
func (g *Grid) Rebuild() {
	for i := range g.levels {
		l := &g.levels[i]
		if l.kind == Fixed {
			l.regions[0].clear()
			continue
		}
		l.regions, l.idle, l.index = nil, nil, table{}
	}
	g.unlisted.regions, g.unlisted.idle, g.unlisted.index = nil, nil, table{}
	g.used, g.peak = 0, g.n
	g.pool = pool{}
	g.oversize = nil
	g.layout(false)
}

// layout adds all objects to the cells; they must be in no list. If fresh, objects have no level
// yet, except that excluded objects are marked.
func (g *Grid) layout(fresh bool) {
	g.mixed = 0
	// Count the objects of each cell, in place of its list.
	places := 0
	for i := range g.qboxes {
		at := g.at[i]
		if at == vacant {
			continue
		}
		if g.isMixed(ID(i)) {
			g.mixed++
		}
		f := g.fineBoxOf(&g.boxes[i])
		if fresh && at != excluded {
			at = uint8(g.levelFor(ID(i), &g.boxes[i], f))
			g.at[i] = at
		}
		if at == oversize {
			g.qboxes[i] = qbox{x0: int32(len(g.oversize))}
			g.oversize = append(g.oversize, ID(i))
		}
		if at >= oversize {
			g.addUnlisted(ID(i), f)
			continue
		}
		r := g.levels[at].open(f)
		g.used |= 1 << at
		r.count++
		g.qboxes[i] = r.qboxOf(f)
		s := g.qboxes[i].cells()
		for cy := s.y0; cy <= s.y1; cy++ {
			for cx := s.x0; cx <= s.x1; cx++ {
				*r.open(cx, cy) += 1 << 37
			}
		}
	}
	// Assign the start of each list.
	for at, rest := nextLevel(g.used); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regions {
			r.assign(&places)
		}
	}
	g.pool.ids = resized(g.pool.ids, places)
	if cap(g.pool.ids) > 2*places+64 {
		g.pool.ids = make([]ID, places)
	}
	for i := range g.qboxes {
		at := g.at[i]
		if at >= oversize {
			continue
		}
		r := g.regionOfBox(&g.levels[at], &g.boxes[i])
		s := g.qboxes[i].cells()
		for cy := s.y0; cy <= s.y1; cy++ {
			for cx := s.x0; cx <= s.x1; cx++ {
				c := r.open(cx, cy)
				if *c == singlePending {
					*c = single(ID(i))
					continue
				}
				g.pool.ids[c.start()+c.len()] = ID(i)
				g.pool.note(*c, ID(i), c.len())
				*c += 1 << 37
			}
		}
	}
}

// mortonOrder lists the cells of a chunk along a Z-order curve: the bits of the index are the bits
// of x and y in turn.
var mortonOrder = func() (order [1 << (2 * chunkBits)]int) {
	for i := range order {
		for k := range chunkBits {
			order[i] |= i>>(2*k)&1<<k | i>>(2*k+1)&1<<(chunkBits+k)
		}
	}
	return order
}()

// singlePending is the list of a cell that is to hold a single object.
const singlePending = list(31) << 32

// assign replaces the counts in the cells of a region by empty blocks of that size.
func (r *region) assign(places *int) {
	for i := range r.cells.slots {
		if r.kind == Hashed && r.cells.slots[i].val != 0 {
			r.cells.slots[i].val = assign(r.cells.slots[i].val, places)
		}
	}
	for i := range r.chunks.lists {
		// In Z-order, the next cell of a ray in any direction is more often on the same cache line
		// than by rows.
		if c := &r.chunks.lists[i&^0xff|mortonOrder[i&0xff]]; *c != 0 {
			*c = assign(*c, places)
		}
	}
}

// assign returns an empty list with a block for the objects counted in c, taken from *next on.
func assign(c list, next *int) list {
	n := int(c >> 37)
	if n > maxLoad || *next > 1<<31-1-2*n {
		panic(fmt.Sprintf("quarry: grid: more than %d objects in a cell, or 2^31 places in cells", maxLoad))
	}
	if n == 1 {
		return singlePending
	}
	start, class := *next, classOf(n)
	*next += blockSize(class)
	return makeList(uint32(start), 0, class)
}
