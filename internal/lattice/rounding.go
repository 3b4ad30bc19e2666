package lattice

import (
	"fmt"
	"slices"
)

// The point where two edges cross is seldom a lattice point. Snap rounding (Hobby, "Practical
// segment intersection with finite precision output", 1999; Guibas and Marimont, "Rounding
// arrangements dynamically", 1998) turns all edges into lattice edges in one step. A lattice point
// is hot if it is an end of an edge, or nearest to a crossing; every edge is routed through all hot
// points whose pixel, the unit square around the point, the edge passes. No edge moves by more than
// half a step in x or y. Afterwards no two edges cross, and no point has changed to the other side
// of an edge; parts thinner than that may collapse.

// maxHot bounds the edges and the hot points of one cell, since the cost grows with their product.
const maxHot = 4 * MaxPatch

// snapRound routes the edges of one cell through the hot points and cuts them there, so that they
// meet in lattice points only.
func snapRound(edges []multiEdge) ([]multiEdge, error) {
	if len(edges) > maxHot {
		return nil, fmt.Errorf("%w: %d edges meet in the cell, at most %d", ErrTooLarge, len(edges), maxHot)
	}
	hot := verticesOf(edges)
	for i := range edges {
		if len(hot) > maxHot {
			slices.SortFunc(hot, ComparePoints)
			if hot = slices.Compact(hot); len(hot) > maxHot {
				return nil, fmt.Errorf("%w: edges meet in more than %d points of the cell", ErrTooLarge, maxHot)
			}
		}
		for k := range i {
			s, t := &edges[i], &edges[k]
			if edgesCross(s.a, s.b, t.a, t.b) {
				hot = append(hot, crossing(s.a, s.b, t.a, t.b))
			}
		}
	}
	slices.SortFunc(hot, ComparePoints)
	hot = slices.Compact(hot)
	routed := make([]multiEdge, 0, len(edges)+8)
	var on []Point
	for _, s := range edges {
		on = on[:0]
		for _, p := range besideEdge(hot, s.a, s.b) {
			if crossesPixel(s.a, s.b, p) {
				on = append(on, p)
			}
		}
		// The pixels that a line passes are ordered along it.
		d := Sub(s.b, s.a)
		slices.SortFunc(on, func(p, q Point) int { return Sign(Dot(d, Sub(p, q))) })
		for k := range len(on) - 1 {
			routed = append(routed, multiEdge{on[k], on[k+1], s.set, s.count})
		}
	}
	cut := cutMultiEdges(routed, hot)
	// Hobby proves that none cross. Winding numbers depend on it, so check.
	for i := range cut {
		for k := i + 1; k < len(cut) && cut[k].a.Y <= cut[i].b.Y; k++ {
			if edgesCross(cut[i].a, cut[i].b, cut[k].a, cut[k].b) {
				return nil, fmt.Errorf("%w: rounded edges cross at (%d, %d)/%d", ErrCrossing, cut[i].a.X, cut[i].a.Y,
					Unit)
			}
		}
	}
	return cut, nil
}

// crossing returns the lattice point nearest to the crossing of a-b and c-d, with halves rounded
// up. It depends on the two lines alone.
func crossing(a, b, c, d Point) Point {
	u, v := Sub(b, a), Sub(d, c)
	den := Cross(u, v)
	num := Cross(Sub(c, a), v)
	return Point{a.X + roundDiv(num*u.X, den), a.Y + roundDiv(num*u.Y, den)}
}

// roundDiv returns n/d rounded to the nearest integer, halves upwards.
func roundDiv(n, d int64) int64 {
	if d < 0 {
		n, d = -n, -d
	}
	n, d = 2*n+d, 2*d
	q := n / d
	if n%d < 0 {
		q--
	}
	return q
}

// crossesPixel reports whether the edge a-b has a point in the pixel of p: the square of side 1
// around p, closed on the left and below, open on the right and above, so that pixels are disjoint.
func crossesPixel(a, b, p Point) bool {
	if max(a.X, b.X) < p.X || p.X < min(a.X, b.X) || max(a.Y, b.Y) < p.Y || p.Y < min(a.Y, b.Y) {
		return false // p, a and b are lattice points
	}
	// The part of the edge in the pixel is a range of its parameter, from lo to hi, with ends that
	// may be open. With all coordinates doubled, relative to p, the pixel is -1 <= x < 1.
	lo, hi := bound{0, 1, false}, bound{1, 1, false}
	for _, axis := range [2][2]int64{{2 * (a.X - p.X), 2 * (b.X - a.X)}, {2 * (a.Y - p.Y), 2 * (b.Y - a.Y)}} {
		at, d := axis[0], axis[1]
		switch {
		case d > 0: // it enters at -1 (closed), and leaves at 1 (open)
			lo, hi = lo.tighterLower(bound{-1 - at, d, false}), hi.tighterUpper(bound{1 - at, d, true})
		case d < 0:
			lo, hi = lo.tighterLower(bound{at - 1, -d, true}), hi.tighterUpper(bound{at + 1, -d, false})
		case at < -1 || at >= 1:
			return false
		}
	}
	c := lo.compare(hi)
	return c < 0 || c == 0 && !lo.open && !hi.open
}

// bound is the end n/d of a range, d > 0.
type bound struct {
	n, d int64
	open bool
}

func (p bound) compare(q bound) int { return Sign(p.n*q.d - q.n*p.d) }

// tighterLower returns the tighter of two lower ends.
func (p bound) tighterLower(q bound) bound {
	if c := p.compare(q); c > 0 || c == 0 && p.open {
		return p
	}
	return q
}

// tighterUpper returns the tighter of two upper ends.
func (p bound) tighterUpper(q bound) bound {
	if c := p.compare(q); c < 0 || c == 0 && p.open {
		return p
	}
	return q
}
