package gridseg

import "github.com/quarry2d/quarry/internal/lattice"

// vertexTable maps keys to vertex links: open addressing, a power of two of slots, at most half of
// them in use. A slot takes 48 bytes, the whole table at most 384 KiB.
type vertexTable struct {
	slots      []tableEntry
	n          int
	shift      uint8
	generation int // counts how often entries have moved or been dropped
}

type tableEntry struct {
	key uint64 // 0 in a free slot
	vertexLinks
	_ [8]byte // edits find entries of 48 bytes 4% faster than of 40
}

// A table starts with minTableSlots slots. A full table of maxTableSlots is emptied.
const (
	minTableSlots = 1 << 7
	maxTableSlots = 1 << 13
)

// vertexKey returns the key of the four forms at the lower left, lower right, upper left and upper
// right of the vertex.
func vertexKey(ll, lr, ul, ur formID) uint64 {
	return uint64(ll) | uint64(lr)<<16 | uint64(ul)<<32 | uint64(ur)<<48
}

// reserve makes room for n more entries; n must be small against minTableSlots. It may move
// entries, so pointers to earlier results become invalid.
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

// slot returns the slot of a key, or the free slot for it.
func (t *vertexTable) slot(key uint64) *tableEntry {
	for i := int(key * 0x9E3779B97F4A7C15 >> (t.shift & 63)); ; i++ {
		if s := &t.slots[i&(len(t.slots)-1)]; s.key == key || s.key == 0 {
			return s
		}
	}
}

// linksAt returns the links for a key. There must be room for one more entry.
func (g *Grid) linksAt(key uint64) *vertexLinks {
	s := g.vertices.slot(key)
	if s.key != key {
		s.key = key
		s.vertexLinks = g.shapes.matchVertex([4]formID{
			formID(key >> 48), formID(key >> 32), formID(key >> 16),
			formID(key),
		})
		g.vertices.n++
	}
	return &s.vertexLinks
}

// formEnd is a segment that starts or ends at the vertex.
type formEnd struct {
	cell int // number of its cell, 0 to 3
	far  spot
	dir  vec
}

// matchVertex does the radial match at a vertex: forms[k] is the form of the cell whose corner k is
// the vertex.
func (s *Shapes) matchVertex(forms [4]formID) vertexLinks {
	var room [2][4]formEnd
	in, out := room[0][:0], room[1][:0]
	for k, f := range forms {
		v := vec{X: int64(k & 1 * Unit), Y: int64(k >> 1 * Unit)}
		// The two neighbours across the sides that meet at corner k differ from k in one bit.
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
				out = append(out, formEnd{k, p.seg.b, vec{X: int64(p.seg.b.x()) - v.X, Y: int64(p.seg.b.y()) - v.Y}})
			}
			if int(p.b) == k {
				in = append(in, formEnd{k, p.seg.a, vec{X: int64(p.seg.a.x()) - v.X, Y: int64(p.seg.a.y()) - v.Y}})
			}
		}
	}
	var links vertexLinks
	for k := range out {
		o := &out[k]
		var best *formEnd
		for m := range in {
			if e := &in[m]; best == nil || lattice.Nearer(o.dir, e.dir, best.dir, -1) {
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

// linkTo returns the link from the segment of e to the segment of f.
func (e *formEnd) linkTo(f *formEnd) link {
	return linkTo(f.far, e.cell&1-f.cell&1, e.cell>>1-f.cell>>1)
}
