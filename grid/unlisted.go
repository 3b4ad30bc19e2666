package grid

import "github.com/quarry2d/quarry/geom"

// Unlisted objects are the objects that no cell lists: oversize and excluded objects. Those whose
// lower left corners are in one chunk form a ring, so that the chunk can be unloaded without a
// search of all unlisted objects. The qbox of such an object, which has no other use, holds its
// neighbours in the ring: x1 is the next, y1 the previous one.

// addUnlisted adds an object with box f to the ring of its chunk.
func (g *Grid) addUnlisted(id ID, f fineBox) {
	r := g.unlisted.open(f)
	c := r.clampedQBox(f).cells()
	s := r.cells.insert(squareKey(c.x0, c.y0))
	q := &g.qboxes[id]
	q.x1, q.y1 = int32(id), int32(id)
	if s.val != 0 {
		next := ID(s.val - 1)
		before := ID(g.qboxes[next].y1)
		q.x1, q.y1 = int32(next), int32(before)
		g.qboxes[next].y1, g.qboxes[before].x1 = int32(id), int32(id)
	}
	s.val = list(id) + 1
	r.count++
}

// removeUnlisted removes an object from its ring. Its box must still be in the chunk of the ring.
func (g *Grid) removeUnlisted(id ID) {
	f := g.fineBoxOf(&g.boxes[id])
	r := g.unlisted.find(f)
	c := r.clampedQBox(f).cells()
	q := &g.qboxes[id]
	at := r.cells.index(squareKey(c.x0, c.y0))
	if q.x1 == int32(id) {
		r.cells.remove(at)
	} else {
		r.cells.slots[at].val = list(q.x1) + 1
		g.qboxes[q.x1].y1, g.qboxes[q.y1].x1 = q.y1, q.x1
	}
	if r.count--; r.count == 0 {
		g.unlisted.close(r)
	}
}

// eachUnlisted calls f for the unlisted objects whose lower left corner is in the chunk with the
// lower left corner of c.
func (g *Grid) eachUnlisted(c fineBox, f func(ID)) {
	r := g.unlisted.find(c)
	if r == nil {
		return
	}
	k := r.clampedQBox(c).cells()
	v := r.cells.get(squareKey(k.x0, k.y0))
	if v == 0 {
		return
	}
	first := ID(v - 1)
	for id := first; ; {
		f(id)
		if id = ID(g.qboxes[id].x1); id == first {
			return
		}
	}
}

// moveUnlisted changes the box of an unlisted object; f is the box in 64ths of the finest cells.
func (g *Grid) moveUnlisted(id ID, box geom.AABB, f fineBox) {
	const by = subBits + chunkBits
	old := g.fineBoxOf(&g.boxes[id])
	if old.x0>>by == f.x0>>by && old.y0>>by == f.y0>>by {
		g.boxes[id] = box
		return
	}
	g.removeUnlisted(id)
	g.boxes[id] = box
	g.addUnlisted(id, f)
}
