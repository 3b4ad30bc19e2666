package gridseg

// vertexLinks is how the segments of the four cells round a vertex are linked there, where all four
// have plain forms. Cells are numbered by the corner that the vertex is of theirs: from the
// bottom left, rows first, so that cell 3 lies at the lower left.
//
// It is a function of the four forms, and few combinations of them make up most of a world.
// So vertex links are kept, by the forms, and the radial match is done once for each.
type vertexLinks struct {
	prev [4]link // of the segment of the cell that starts there
	next [4]link // of the segment of the cell that ends there
}

// vertex links is a table of vertex links by key: open addressing, a power of two of slots, at most half of
// them in use. A slot is 48 bytes, the whole table no more than 384 KiB.
type vertexTable struct {
	slots      []tableEntry
	n          int
	shift      uint8
	generation int // how often vertex links have moved, or gone
}

type tableEntry struct {
	key uint64 // 0 in a free slot
	vertexLinks
	_ [8]byte // 48 bytes are found 4% faster, by edits, than 40
}

// A table starts with minTableSlots slots. At maxTableSlots it is emptied when it is full.
const (
	minTableSlots = 1 << 7
	maxTableSlots = 1 << 13
)

// vertexKey is the key of four forms: at the lower left, lower right, upper left and upper
// right of the vertex.
func vertexKey(ll, lr, ul, ur formID) uint64 {
	return uint64(ll) | uint64(lr)<<16 | uint64(ul)<<32 | uint64(ur)<<48
}

// reserve makes room for n more vertex links, n being small against minTableSlots. Links that were
// found before must be found again.
func (t *vertexTable) reserve(n int) {
	if 2*(t.n+n) <= len(t.slots) {
		return
	}
	t.generation++
	old := t.slots
	if len(old) == maxTableSlots {
		clear(old)
		t.n = 0
		return
	}
	t.slots = make([]tableEntry, max(minTableSlots, 2*len(old)))
	t.shift = 64
	for k := len(t.slots); k > 1; k >>= 1 {
		t.shift--
	}
	for k := range old {
		if old[k].key != 0 {
			*t.slot(old[k].key) = old[k]
		}
	}
}

// slot returns the slot of a key, or the one that is free for it.
func (t *vertexTable) slot(key uint64) *tableEntry {
	for i := int(key * 0x9E3779B97F4A7C15 >> (t.shift & 63)); ; i++ {
		if s := &t.slots[i&(len(t.slots)-1)]; s.key == key || s.key == 0 {
			return s
		}
	}
}

// linksAt returns the links of a key, for which there is room.
func (g *Grid) linksAt(key uint64) *vertexLinks {
	s := g.vertices.slot(key)
	if s.key != key {
		s.key = key
		s.vertexLinks = g.shapes.matchVertex([4]formID{formID(key >> 48), formID(key >> 32), formID(key >> 16), formID(key)})
		g.vertices.n++
	}
	return &s.vertexLinks
}

// formEnd is a segment that starts or ends at a vertex.
type formEnd struct {
	cell int // which of the four it belongs to
	far  spot
	dir  vec
}

// vertexLinks matches what forms have at a vertex: forms[k] is that of the cell whose corner k it
// is.
func (s *Shapes) matchVertex(forms [4]formID) vertexLinks {
	var room [2][4]formEnd
	in, out := room[0][:0], room[1][:0]
	for k, f := range forms {
		v := vec{int64(k & 1 * Unit), int64(k >> 1 * Unit)}
		// Beyond the sides that meet there are the cells that differ in one of the two bits.
		var covered traits
		if k&1 == 0 {
			covered = s.traits[forms[k^1]].whole(right) << left
		} else {
			covered = s.traits[forms[k^1]].whole(left) << right
		}
		if k>>1 == 0 {
			covered |= s.traits[forms[k^2]].whole(top) << bottom
		} else {
			covered |= s.traits[forms[k^2]].whole(bottom) << top
		}
		for _, p := range s.segments[f] {
			if p.side&covered != 0 {
				continue
			}
			if int(p.a) == k {
				out = append(out, formEnd{k, p.seg.b, vec{int64(p.seg.b.x()) - v.X, int64(p.seg.b.y()) - v.Y}})
			}
			if int(p.b) == k {
				in = append(in, formEnd{k, p.seg.a, vec{int64(p.seg.a.x()) - v.X, int64(p.seg.a.y()) - v.Y}})
			}
		}
	}
	var links vertexLinks
	for k := range out {
		o := &out[k]
		var best *formEnd
		for m := range in {
			if e := &in[m]; best == nil || nearer(o.dir, e.dir, best.dir, -1) {
				best = e
			}
		}
		if best != nil {
			links.prev[o.cell] = o.linkTo(best)
			links.next[best.cell] = best.linkTo(o) // the match is mutual
		}
	}
	return links
}

// linkTo returns the link from the segment of e to that of f.
func (e *formEnd) linkTo(f *formEnd) link {
	return linkTo(f.far, e.cell&1-f.cell&1, e.cell>>1-f.cell>>1)
}
