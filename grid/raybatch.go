package grid

import (
	"math"
	"math/bits"
)

// rayBatch looks for the hits of a ray on one level. What takes the time is that tiles,
// lists, the ids in them and boxes each lie elsewhere in memory, far from the
// processor; so each of these steps is made for a whole batch of cells before the next, and
// first only touches what it is going to read: loads that nothing waits for are all under
// way at once, whereas a branch that was guessed wrong waits for what it asked about, and
// all that comes after it as well.
type rayBatch struct {
	g     *Grid
	c     cast
	best  *Hit // of those so far, if only the first is asked for
	w     walk
	bits  uint8 // width of a tile
	steep bool
	// What follows is in 2^-32 of a cell. slope is of v per column; lo and hi, added
	// to v where a column begins, give the least and the greatest v in it.
	slope, lo, hi int64
	line          outlineTest
	// Where the level's hits begin in dst, and at what length they are to be made
	// each one.
	start, full int

	tiles int
	tile  [4]tileColumn
	most  int // cells of a batch
	n     int
	cells [48]struct {
		// at tells where its list is: of a chunk's cell, which of all; of another, its
		// key, u first. Then it is the list.
		at uint64
		v  int64 // of the ray, where the cell begins
	}
	met  [96]ID
	nMet int
	// touched takes what is loaded ahead, so that no compiler leaves it out.
	touched uint64
}

// prepare works out what all steps use, once g, c and w are set.
func (b *rayBatch) prepare() {
	w := &b.w
	b.most = len(b.cells)
	if b.best != nil {
		b.most = 12
	}
	b.bits = w.l.tileBits()
	b.steep = w.steep
	b.slope = int64(w.slope * (1 << fixed))
	// Beside the slack of the walk, some for the rounding of slope and of the test.
	wide := int64((w.hu+w.hv)*(1<<fixed)) + 1<<18
	b.lo, b.hi = min(0, b.slope)-wide, max(0, b.slope)+wide
	b.line.set(b.slope, wide, w.steep)
}

// run appends all hits, or improves the best one.
func (b *rayBatch) run(dst []Hit) []Hit {
	columns := len(b.tile)
	if b.best != nil {
		columns = 1 // more is seldom needed
	}
	w := &b.w
	for {
		done := b.place(columns)
		b.touched ^= b.touch()
		b.touched ^= b.find()
		any := b.look()
		for i := range b.tile[:b.tiles] {
			if t := &b.tile[i]; t.any != 0 {
				var over bool
				if dst, over = b.column(dst, t); over {
					return dst
				}
			}
		}
		if done || !any && !b.leap() {
			return b.flush(dst)
		}
		if b.best != nil {
			dst = b.flush(dst)
			if b.passed(w.u) {
				return dst
			}
		}
	}
}

// place finds the next columns of tiles, n at most, and reports whether they are the last.
func (b *rayBatch) place(n int) bool {
	w := &b.w
	for b.tiles = 0; b.tiles < n; {
		t := &b.tile[b.tiles]
		w.tileColumn(t, w.u, b.bits)
		b.tiles++
		if t.last == w.last {
			return true
		}
		w.u = t.last + w.step
	}
	return false
}

// leap goes on over an empty block of tiles, false if the ray ends in it.
func (b *rayBatch) leap() bool {
	w := &b.w
	u := w.u
	w.lo, w.hi = w.rowsOf(u)
	if w.lo > w.hi {
		return true
	}
	w.skipBlocks()
	if w.u == u {
		return true
	}
	if w.u == w.last {
		return false
	}
	w.u += w.step
	return true
}

// column takes the cells with objects of a column of tiles into the batch. It reports
// whether the ray is over, since its first hit is found.
func (b *rayBatch) column(dst []Hit, t *tileColumn) ([]Hit, bool) {
	side, wide := int32(1)<<b.bits-1, b.bits&31
	hashed := b.w.l.kind == Hashed
	byU, byV := uint8(0), wide
	if b.steep {
		byU, byV = wide, 0
	}
	n := b.n
	for u := t.first; ; u += b.w.step {
		if n > b.most-8 {
			b.n = n
			dst = b.flush(dst)
			n = 0
			if b.best != nil && b.passed(u) {
				return dst, true
			}
		}
		v := t.v + b.slope*int64(u&side)
		end := int32((v + b.hi) >> fixed)
		for r := int32((v + b.lo) >> fixed); r <= end; r++ {
			at := uint32(r&side)<<byV | uint32(u&side)<<byU
			k := uint32(r>>wide) & 3
			c := &b.cells[n]
			c.v = v - int64(r)<<fixed
			if hashed {
				c.at = uint64(squareKey(u, t.row<<wide+r))
			} else {
				c.at = uint64(t.at[k]) | uint64(at)
			}
			// Without a branch, which nobody could guess.
			n += int(t.mask[(k<<(2*wide&31)|at)>>6&15] >> (at & 63) & 1)
		}
		if u == t.last {
			b.n = n
			return dst, false
		}
	}
}

// passed reports whether no touch is in the column u or a later one before the best hit.
func (b *rayBatch) passed(u int32) bool {
	w := &b.w
	o, d := b.c.o.X, b.c.d.X
	if w.steep {
		o, d = b.c.o.Y, b.c.d.Y
	}
	if b.best.ID == none || d == 0 {
		return false
	}
	edge := float64(u) - w.hu
	if w.step < 0 {
		edge = float64(u) + 1 + w.hu
	}
	return (float64(edge*w.l.size)-o)/d > b.best.T
}

// flush appends the hits of the batch's cells and empties it.
func (b *rayBatch) flush(dst []Hit) []Hit {
	if b.n == 0 {
		return dst
	}
	if b.best != nil {
		b.most = min(2*b.most, len(b.cells))
	}
	b.lists()
	b.touched ^= b.touchBlocks()
	dst = b.outlines(dst)
	b.touched ^= b.touchBoxes()
	return b.compare(dst)
}

// lists reads the cells' lists.
func (b *rayBatch) lists() {
	l := b.w.l
	cells := b.cells[:b.n]
	if l.kind != Hashed {
		for i := range cells {
			cells[i].at = uint64(l.chunks.lists[cells[i].at])
		}
		return
	}
	x := uint64(0)
	mask := len(l.cells.slots) - 1
	by := 0
	if b.steep {
		by = 32
	}
	for i := range cells {
		k := bits.RotateLeft64(cells[i].at, by)
		cells[i].at = k
		x ^= uint64(l.cells.slots[l.cells.home(key(k))&mask].key)
	}
	b.touched ^= x
	for i := range cells {
		cells[i].at = uint64(l.cells.get(key(cells[i].at)))
	}
}

// touchBlocks loads both ends of the blocks that outlines is going to read.
func (b *rayBatch) touchBlocks() uint64 {
	x := uint64(0)
	ids := b.g.pool.ids
	if len(ids) == 0 {
		return 0
	}
	for i := range b.cells[:b.n] {
		c := list(b.cells[i].at)
		start := c.start()
		end := start + 3<<c.class()/2 - 1
		if c.class() == 0 {
			start, end = 0, 0
		}
		x ^= uint64(ids[start] ^ ids[end])
	}
	return x
}

// outlines looks which outlines of the batch's cells the ray may touch, and empties
// the batch.
func (b *rayBatch) outlines(dst []Hit) []Hit {
	ids := b.g.pool.ids
	n := b.nMet
	line := b.line
	cells := b.cells[:b.n]
	b.n = 0
	for i := range cells {
		k := &cells[i]
		c := list(k.at)
		if n >= len(b.met)-2 {
			dst = b.more(dst, n)
			n = 0
		}
		class := c.class()
		if class == 0 {
			b.met[n] = ID(uint32(c))
			n += line.near(int64(c.outline()), k.v)
			continue
		}
		s, count, room := c.start(), int(c>>37), 1<<class
		all := ids[s : s+room]
		outs := ids[s+room : s+room+room/2]
		for j, o := range outs {
			if n >= len(b.met)-2 {
				dst = b.more(dst, n)
				n = 0
			}
			if 2*j >= count {
				break
			}
			b.met[n] = all[2*j]
			n += line.near(int64(o), k.v)
			b.met[n] = all[2*j+1]
			n += line.near(int64(uint32(o)>>16), k.v) & ((2*j + 1 - count) >> 63)
		}
	}
	b.nMet = n
	return dst
}

// more appends the hits of n objects met, so that there is room for more.
func (b *rayBatch) more(dst []Hit, n int) []Hit {
	b.nMet = n
	b.touched ^= b.touchBoxes()
	return b.compare(dst)
}

// touchBoxes loads what compare is going to read.
func (b *rayBatch) touchBoxes() uint64 {
	x := uint64(0)
	boxes := b.g.boxes
	for _, id := range b.met[:b.nMet] {
		x ^= math.Float64bits(boxes[id].Min.X)
	}
	return x
}

// compare appends the hits of the objects met.
func (b *rayBatch) compare(dst []Hit) []Hit {
	g := b.g
	met := b.met[:b.nMet]
	b.nMet = 0
	if b.best != nil {
		for _, id := range met {
			g.try(b.best, &b.c, id)
		}
		return dst
	}
	last := none // one in several cells mostly comes twice in a row
	for _, id := range met {
		if id == last {
			continue
		}
		last = id
		if t, ok := b.c.slab(&g.boxes[id], 0, 0); ok && (g.groups == nil && b.c.mask != 0 || g.visible(id, b.c.mask)) {
			dst = append(dst, Hit{id, t})
		}
	}
	if len(dst) >= b.full {
		// A ray along long objects meets each in many cells, and all of them in turn.
		dst = sortHits(dst, b.start)
		b.full = 2*len(dst) - b.start + manyHits
	}
	return dst
}

// manyHits is how many hits may collect before those that come several times are
// taken out.
const manyHits = 1 << 12
