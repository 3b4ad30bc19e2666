package grid

import "math"

// rayBatch looks for the hits of a ray on one level. It goes by tiles: the chunks
// of a chunked level, the lowest blocks of a hashed one, of which a bit tells for each
// cell whether it has objects. What takes the time is that tiles, lists, the ids in them
// and boxes each lie elsewhere in memory, far from the processor; so each of these steps is made
// for a whole batch before the next. A step first only touches what it is going to
// read: loads that nothing waits for are all under way at once, whereas a branch
// that was guessed wrong, and a third are, waits for what it asked about.
type rayBatch struct {
	g    *Grid
	c    *cast
	w    *walk
	best *Hit // of those so far, if only the first is asked for
	bits uint8
	// What follows is in 2^-32 of a cell. slope is of v per column; lo and hi, added
	// to v where a column begins, give the least and the greatest v in it; part is the
	// slope per 16th of a column.
	slope, lo, hi, part int64
	atMin, atMax        uint8 // where an outline has the end at which the ray is lowest, and highest
	atLow, atHigh       uint8 // and where its sides along v
	addMin, addMax      int64
	most                int // cells of a batch
	n                   int
	cells               [64]struct {
		at   uint64 // of a chunk's cell, which of all lists is its; of others, the key
		v    int64  // of the ray, where the cell begins
		list list
	}
	met  [128]ID
	nMet int
	tile [4]tileColumn
	// touched takes what is loaded ahead, so that no compiler leaves it out.
	touched uint64
}

// tileColumn is the tiles that a ray may enter in a column of them, three at most.
type tileColumn struct {
	v           int64 // where the ray enters it, at its left or lower side
	first, last int32 // columns, in the ray's order
	row         int32 // of the lowest tile
	n           int32 // tiles
	any         uint64
	keys        [4]key
	base        [4]uint64 // of its lists
	mask        [16]uint64
}

// fixed is how many bits of v are behind the point.
const fixed = 32

// prepare works out what all steps use.
func (b *rayBatch) prepare() {
	w := b.w
	b.bits = chunkBits
	if w.l.kind == Hashed {
		b.bits = 3
	}
	b.slope = int64(w.slope * (1 << fixed))
	b.part = b.slope >> 4
	// Beside the slack of the walk, some for the rounding of slope and of part.
	wide := int64((w.hu+w.hv)*(1<<fixed)) + 1<<10
	b.lo, b.hi = -wide, wide+b.slope
	b.atMin, b.atLow, b.atMax, b.atHigh = 0, 4, 8, 12
	if w.steep {
		b.atMin, b.atLow, b.atMax, b.atHigh = 4, 0, 12, 8
	}
	b.addMin, b.addMax = -wide, wide+b.part
	if b.slope < 0 {
		b.lo, b.hi = b.slope-wide, wide
		b.atMin, b.atMax = b.atMax, b.atMin
		b.addMin, b.addMax = b.part-wide, wide
	}
}

// run appends all hits, or improves the best one.
func (b *rayBatch) run(dst []Hit) []Hit {
	w := b.w
	columns := len(b.tile)
	if b.best != nil {
		columns = 1
	}
	for {
		n, done := 0, false
		for n < columns && !done {
			b.place(&b.tile[n])
			end := b.tile[n].last
			done = end == w.last
			w.u = end + w.step
			n++
		}
		any := b.look(n)
		for i := range n {
			if b.tile[i].any != 0 {
				var over bool
				if dst, over = b.column(dst, &b.tile[i]); over {
					return dst
				}
			}
		}
		if done {
			return b.flush(dst)
		}
		if !any && !b.leap() {
			return b.flush(dst)
		}
	}
}

// leap goes on over an empty block of tiles, false if the ray ends in it.
func (b *rayBatch) leap() bool {
	w := b.w
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

// place finds which tiles the ray may enter from the column w.u to the end of its tile.
func (b *rayBatch) place(t *tileColumn) {
	w := b.w
	side := int32(1)<<b.bits - 1
	t.first = w.u
	left := w.u &^ side
	if w.step > 0 {
		t.last = min(left+side, w.last)
	} else {
		t.last = max(left, w.last)
	}
	u0, u1 := min(t.first, t.last), max(t.first, t.last)+1
	v0 := w.ov + float64((float64(u0)-w.ou)*w.slope)
	v1 := w.ov + float64((float64(u1)-w.ou)*w.slope)
	if w.slope < 0 {
		v0, v1 = v1, v0
	}
	pad := w.hv + w.hu
	lo := max(w.rows.y0, floor32(v0-pad)) >> b.bits
	hi := min(w.rows.y1, floor32(v1+pad)) >> b.bits
	t.row = lo
	t.n = min(hi-lo+1, 3)
	at := w.ov + float64((float64(left)-w.ou)*w.slope) - float64(lo<<b.bits)
	t.v = int64(at * (1 << fixed))
}

// look loads the bits of the cells of n columns of tiles. It reports whether any is set.
func (b *rayBatch) look(n int) bool {
	w := b.w
	l := w.l
	tab := &l.cells
	if l.kind == Hashed {
		tab = &l.blocks[0]
	}
	for i := range n {
		t := &b.tile[i]
		bu := t.first >> b.bits
		for k := range t.n {
			bv := t.row + k
			x, y := bu, bv
			if w.steep {
				x, y = bv, bu
			}
			if l.kind == Fixed {
				t.keys[k] = key(l.chunk(x, y))
				continue
			}
			t.keys[k] = squareKey(x, y)
			b.touched ^= uint64(tab.slots[tab.home(t.keys[k])&(len(tab.slots)-1)].key)
		}
	}
	any := uint64(0)
	if l.kind == Hashed {
		for i := range n {
			t := &b.tile[i]
			t.mask = [16]uint64{}
			for k := range t.n {
				t.mask[k] = uint64(tab.get(t.keys[k]))
			}
			t.any = t.mask[0] | t.mask[1] | t.mask[2]
			any |= t.any
		}
		return any != 0
	}
	for i := range n {
		t := &b.tile[i]
		for k := range t.n {
			c := int(t.keys[k])
			if l.kind == Chunked {
				c = int(tab.get(t.keys[k])) - 1
				t.keys[k] = key(c)
			}
			if c >= 0 {
				b.touched ^= l.chunks.mask[c][0]
			}
		}
	}
	for i := range n {
		t := &b.tile[i]
		t.mask = [16]uint64{}
		t.any = 0
		for k := range t.n {
			if c := int(t.keys[k]); c >= 0 {
				t.base[k] = uint64(c) << (2 * chunkBits)
				m := &l.chunks.mask[c]
				t.mask[4*k], t.mask[4*k+1], t.mask[4*k+2], t.mask[4*k+3] = m[0], m[1], m[2], m[3]
				t.any |= m[0] | m[1] | m[2] | m[3]
			}
		}
		any |= t.any
	}
	return any != 0
}

// column takes the cells with objects of a column of tiles into the batch. It reports whether the
// ray is over, since its first hit is found.
func (b *rayBatch) column(dst []Hit, t *tileColumn) ([]Hit, bool) {
	w := b.w
	side := int32(1)<<b.bits - 1
	hashed := w.l.kind == Hashed
	byU, byV := uint8(0), b.bits
	if w.steep {
		byU, byV = b.bits, 0
	}
	for u := t.first; ; u += w.step {
		if b.n > b.most-8 {
			dst = b.flush(dst)
			if b.best != nil && b.passed(u) {
				return dst, true
			}
		}
		v := t.v + b.slope*int64(u&side)
		for r := int32((v + b.lo) >> fixed); r <= int32((v+b.hi)>>fixed); r++ {
			at := uint32(r&side)<<byV | uint32(u&side)<<byU
			k := uint32(r>>b.bits) & 3
			bit := k<<(2*b.bits) | at
			if t.mask[bit>>6&15]>>(bit&63)&1 == 0 {
				continue
			}
			c := &b.cells[b.n&63]
			c.v = v - int64(r)<<fixed
			if hashed {
				x, y := u, t.row<<b.bits+r
				if w.steep {
					x, y = y, x
				}
				c.at = uint64(squareKey(x, y))
			} else {
				c.at = t.base[k] | uint64(at)
			}
			b.n++
		}
		if u == t.last {
			return dst, false
		}
	}
}

// passed reports whether no touch is in the column u or a later one before the best hit.
func (b *rayBatch) passed(u int32) bool {
	w := b.w
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
	g, l := b.g, b.w.l
	cells := b.cells[:b.n]
	b.n = 0
	if b.best != nil {
		b.most = min(2*b.most, len(b.cells))
	}
	if l.kind == Hashed {
		mask := len(l.cells.slots) - 1
		for i := range cells {
			b.touched ^= uint64(l.cells.slots[l.cells.home(key(cells[i].at))&mask].key)
		}
		for i := range cells {
			cells[i].list = l.cells.get(key(cells[i].at))
		}
	} else {
		lists := l.chunks.lists
		for i := range cells {
			cells[i].list = lists[cells[i].at]
		}
	}
	ids := g.pool.ids
	if len(ids) > 0 {
		for i := range cells {
			c := cells[i].list
			start, end := c.start(), c.start()+blockSize(max(c.class(), 1))-1
			if c.class() == 0 {
				start, end = 0, 0
			}
			b.touched ^= uint64(ids[start] ^ ids[min(end, len(ids)-1)])
		}
	}
	n := b.nMet
	for i := range cells {
		k := &cells[i]
		c := k.list
		if c.class() == 0 {
			if n == len(b.met) {
				b.nMet = n
				dst = b.compare(dst)
				n = 0
			}
			b.met[n] = ID(uint32(c))
			n += b.near(uint64(c.outline()), k.v)
			continue
		}
		s, room := c.start(), 1<<c.class()
		all := ids[s : s+room]
		outs := ids[s+room : s+room+room/2]
		for j := 0; j < c.len(); j += 2 {
			if n >= len(b.met)-1 {
				b.nMet = n
				dst = b.compare(dst)
				n = 0
			}
			o := uint64(outs[j/2])
			b.met[n] = all[j]
			n += b.near(o, k.v)
			b.met[n] = all[j+1]
			n += b.near(o>>16, k.v) & ((j + 1 - c.len()) >> 63)
		}
	}
	b.nMet = n
	return b.compare(dst)
}

// near returns 1 if the ray, which enters a cell at v, may touch an outline in it, and 0 otherwise.
func (b *rayBatch) near(o uint64, v int64) int {
	lo := v + b.addMin + b.part*int64(o>>(b.atMin&63)&15)
	hi := v + b.addMax + b.part*int64(o>>(b.atMax&63)&15)
	low, high := int64(o>>(b.atLow&63)&15), int64(o>>(b.atHigh&63)&15)+1
	return int(uint64(^((high<<(fixed-4) - lo) | (hi - low<<(fixed-4)))) >> 63)
}

// compare appends the hits of the objects met.
func (b *rayBatch) compare(dst []Hit) []Hit {
	g := b.g
	met := b.met[:b.nMet]
	b.nMet = 0
	for _, id := range met {
		b.touched ^= math.Float64bits(g.boxes[id].Min.X)
	}
	if b.best != nil {
		for _, id := range met {
			g.try(b.best, b.c, id)
		}
		return dst
	}
	last := none
	for _, id := range met {
		if id != last {
			dst = g.appendHit(dst, b.c, id)
			last = id
		}
	}
	return dst
}
