package collide

import "github.com/quarry2d/quarry/geom"

// side is an edge of a core on its way through the clipper.
type side struct {
	a, b, n    geom.Vec // the ends, and the unit normal on the right of a-b
	r          float64
	ia, ib, ie feature // names of the ends and the edge
}

// clip adds to m the points of the incident edge q between the side planes of
// the reference edge p. Wound the same way, the two run against each other
// where they meet, so q.b is the end nearer to p.a. If flipped, p is of B.
//
// slack is how far beyond the side planes an edge that misses them still gives
// its near end. It sets m.Normal, and m.N to the points found.
func clip(m *Manifold, p, q *side, margin, slack float64, flipped bool) {
	m.N = 0
	m.Normal = p.n
	if flipped {
		m.Normal = p.n.Neg()
	}
	t := p.n.Left()
	width := t.Dot(p.b.Sub(p.a))
	lo, hi := t.Dot(q.b.Sub(p.a)), t.Dot(q.a.Sub(p.a))
	if hi < -slack || lo > width+slack {
		return
	}
	first, second := q.b, q.a
	id1, id2 := pair(p.ie, q.ib), pair(p.ie, q.ia)
	two := true
	switch {
	case hi <= 0: // at most slack outside: the near end alone
		two, first, id1 = false, q.a, id2
	case lo >= width:
		two = false
	default: // lo < width and hi > 0, so where an end is cut off, hi - lo > 0
		span := hi - lo
		if lo < 0 {
			first, id1 = q.b.Lerp(q.a, -lo/span), pair(p.ia, q.ie)
		}
		if hi > width {
			second, id2 = q.b.Lerp(q.a, (width-lo)/span), pair(p.ib, q.ie)
		}
	}
	if !flipped {
		m.add(first, p.n, p.n.Dot(first.Sub(p.a)), p.r, q.r, margin, id1)
		if two {
			m.add(second, p.n, p.n.Dot(second.Sub(p.a)), p.r, q.r, margin, id2)
		}
		return
	}
	// The other way round, so that the order of the points does not depend on
	// the reference either.
	if two {
		m.add(second, p.n, p.n.Dot(second.Sub(p.a)), p.r, q.r, margin, id2.Flip())
	}
	m.add(first, p.n, p.n.Dot(first.Sub(p.a)), p.r, q.r, margin, id1.Flip())
}
