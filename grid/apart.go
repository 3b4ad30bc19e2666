package grid

import "github.com/quarry2d/quarry/geom"

// Objects apart are objects that no cell lists: oversize and excluded objects. The objects
// apart whose lower left corners are in one chunk form a ring, so that the chunk can be unloaded
// without a search of all objects apart. The quad of such an object, which has no other use,
// holds its neighbours in the ring: x1 is the next, y1 the previous one.

// setApart puts an object, of which f is the box, in the ring of its chunk.
func (g *Grid) setApart(id ID, f fine) {
	r := g.apart.open(f)
	c := r.quad(f).cells()
	s := r.cells.insert(squareKey(c.x0, c.y0))
	q := &g.quads[id]
	q.x1, q.y1 = int32(id), int32(id)
	if s.val != 0 {
		next := ID(s.val - 1)
		before := ID(g.quads[next].y1)
		q.x1, q.y1 = int32(next), int32(before)
		g.quads[next].y1, g.quads[before].x1 = int32(id), int32(id)
	}
	s.val = list(id) + 1
	r.count++
}

// endApart takes an object out of its ring. Its box must still be in the chunk of the ring.
func (g *Grid) endApart(id ID) {
	f := g.fineOf(&g.boxes[id])
	r := g.apart.find(f)
	c := r.quad(f).cells()
	q := &g.quads[id]
	at := r.cells.index(squareKey(c.x0, c.y0))
	if q.x1 == int32(id) {
		r.cells.remove(at)
	} else {
		r.cells.slots[at].val = list(q.x1) + 1
		g.quads[q.x1].y1, g.quads[q.y1].x1 = q.y1, q.x1
	}
	if r.count--; r.count == 0 {
		g.apart.close(r)
	}
}

// eachApart calls f with the objects apart whose lower left corner is in the chunk whose own
// corner is that of c.
func (g *Grid) eachApart(c fine, f func(ID)) {
	r := g.apart.find(c)
	if r == nil {
		return
	}
	k := r.quad(c).cells()
	v := r.cells.get(squareKey(k.x0, k.y0))
	if v == 0 {
		return
	}
	first := ID(v - 1)
	for id := first; ; {
		f(id)
		if id = ID(g.quads[id].x1); id == first {
			return
		}
	}
}

// moveApart gives an object apart another box, f in 64ths of the finest cells.
func (g *Grid) moveApart(id ID, box geom.AABB, f fine) {
	const by = subBits + chunkBits
	old := g.fineOf(&g.boxes[id])
	if old.x0>>by == f.x0>>by && old.y0>>by == f.y0>>by {
		g.boxes[id] = box
		return
	}
	g.endApart(id)
	g.boxes[id] = box
	g.setApart(id, f)
}
