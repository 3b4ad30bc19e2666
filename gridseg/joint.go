package gridseg

// joint is how the segments of the four cells round a vertex are linked there, where all four
// have plain forms. Cells are numbered by the corner that the vertex is of theirs: from the
// bottom left, rows first, so that cell 3 lies at the lower left.
//
// It is a function of the four forms, and few combinations of them make up most of a world.
// So joints are kept, by the forms, and the radial match is done once for each.
type joint struct {
	prev [4]link // of the segment of the cell that starts there
	next [4]link // of the segment of the cell that ends there
}

// joints is a table of joints by key: open addressing, a power of two of slots, at most half of
// them in use. A slot is 48 bytes, the whole table no more than 384 KiB.
type joints struct {
	slots []keyedJoint
	n     int
	shift uint8
	era   int // how often joints have moved, or gone
}

type keyedJoint struct {
	key uint64 // 0 in a free slot
	joint
	_ [8]byte // 48 bytes are found 4% faster, by edits, than 40
}

// A table starts with minJoints slots. With maxJoints it is emptied when it is full.
const (
	minJoints = 1 << 7
	maxJoints = 1 << 13
)

// jointKey is the key of four forms: at the lower left, lower right, upper left and upper
// right of the vertex.
func jointKey(ll, lr, ul, ur formID) uint64 {
	return uint64(ll) | uint64(lr)<<16 | uint64(ul)<<32 | uint64(ur)<<48
}

// reserve makes room for n more joints, n being small against minJoints. Joints that were
// found before must be found again.
func (t *joints) reserve(n int) {
	if 2*(t.n+n) <= len(t.slots) {
		return
	}
	t.era++
	old := t.slots
	if len(old) == maxJoints {
		clear(old)
		t.n = 0
		return
	}
	t.slots = make([]keyedJoint, max(minJoints, 2*len(old)))
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
func (t *joints) slot(key uint64) *keyedJoint {
	for i := int(key * 0x9E3779B97F4A7C15 >> (t.shift & 63)); ; i++ {
		if s := &t.slots[i&(len(t.slots)-1)]; s.key == key || s.key == 0 {
			return s
		}
	}
}

// jointOf returns the joint of a key, for which there is room.
func (g *Grid) jointOf(key uint64) *joint {
	s := g.joints.slot(key)
	if s.key != key {
		s.key = key
		s.joint = g.shapes.joint([4]formID{formID(key >> 48), formID(key >> 32), formID(key >> 16), formID(key)})
		g.joints.n++
	}
	return &s.joint
}

// jointEnd is a piece that starts or ends at a vertex.
type jointEnd struct {
	cell int // which of the four it belongs to
	far  spot
	dir  vec
}

// joint matches what forms have at a vertex: forms[k] is that of the cell whose corner k it
// is.
func (s *Shapes) joint(forms [4]formID) joint {
	var room [2][4]jointEnd
	in, out := room[0][:0], room[1][:0]
	for k, f := range forms {
		v := vec{int64(k & 1 * Unit), int64(k >> 1 * Unit)}
		// Beyond the sides that meet there are the cells that differ in one of the two bits.
		var cover traits
		if k&1 == 0 {
			cover = s.traits[forms[k^1]].whole(right) << left
		} else {
			cover = s.traits[forms[k^1]].whole(left) << right
		}
		if k>>1 == 0 {
			cover |= s.traits[forms[k^2]].whole(top) << bottom
		} else {
			cover |= s.traits[forms[k^2]].whole(bottom) << top
		}
		for _, p := range s.pieces[f] {
			if p.side&cover != 0 {
				continue
			}
			if int(p.a) == k {
				out = append(out, jointEnd{k, p.seg.b, vec{int64(p.seg.b.x()) - v.X, int64(p.seg.b.y()) - v.Y}})
			}
			if int(p.b) == k {
				in = append(in, jointEnd{k, p.seg.a, vec{int64(p.seg.a.x()) - v.X, int64(p.seg.a.y()) - v.Y}})
			}
		}
	}
	var j joint
	for k := range out {
		o := &out[k]
		var best *jointEnd
		for m := range in {
			if e := &in[m]; best == nil || nearer(o.dir, e.dir, best.dir, -1) {
				best = e
			}
		}
		if best != nil {
			j.prev[o.cell] = o.linkTo(best)
			j.next[best.cell] = best.linkTo(o) // the match is mutual
		}
	}
	return j
}

// linkTo returns the link from the segment of e to that of f.
func (e *jointEnd) linkTo(f *jointEnd) link {
	return linkTo(f.far, e.cell&1-f.cell&1, e.cell>>1-f.cell>>1)
}
