package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// side is an edge of a core, as input of clip.
type side struct {
	a, b, n    geom.Vec // ends, and unit normal on the right of a-b
	r          float64
	ia, ib, ie feature // features of the ends and the edge
}

// clip sets m to the points of the incident edge q between the side planes of the reference edge p.
// Both hulls wind the same way, so the edges run in opposite directions and q.b is the end nearer
// to p.a. If flipped, p belongs to B.
//
// An end is clipped only if it is more than slack beyond its side plane. An edge that misses the
// side planes by at most slack still gives its near end. So aligned edges, as in a stack of equal
// boxes, keep their feature ids while rounding moves their ends. clip sets m.Normal, and m.N to the
// number of points.
//
// Points with a separation above margin are dropped. With both set, the second point is kept at any
// separation if the first is within margin: the far end of a long toppling body closes more than
// the margin in one step, and would penetrate.
func clip(m *Manifold, p, q *side, margin, slack float64, flipped, both bool) {
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
	span := hi - lo // positive wherever an end is clipped
	if lo < -slack {
		if two = hi > 0; two {
			first, id1 = q.b.Lerp(q.a, -lo/span), pair(p.ia, q.ie)
		} else {
			first, id1 = q.a, id2
		}
	}
	if hi > width+slack {
		if lo < width {
			second, id2 = q.b.Lerp(q.a, (width-lo)/span), pair(p.ib, q.ie)
		} else {
			two = false
		}
	}
	s1, s2 := p.n.Dot(first.Sub(p.a)), p.n.Dot(second.Sub(p.a))
	if both && two && min(s1, s2)-p.r-q.r <= margin {
		margin = math.MaxFloat64
	}
	if !flipped {
		m.add(first, p.n, s1, p.r, q.r, margin, id1)
		if two {
			m.add(second, p.n, s2, p.r, q.r, margin, id2)
		}
		return
	}
	// Reverse the order, so that the order of the points does not depend on the reference.
	if two {
		m.add(second, p.n, s2, p.r, q.r, margin, id2.Flip())
	}
	m.add(first, p.n, s1, p.r, q.r, margin, id1.Flip())
}
