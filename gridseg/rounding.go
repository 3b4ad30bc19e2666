package gridseg

import (
	"fmt"
	"slices"
)

// Edges that cross do so at points that are seldom of the lattice. Snap rounding
// (Hobby, "Practical segment intersection with finite precision output", 1999; Guibas
// and Marimont, "Rounding arrangements dynamically", 1998) makes lattice edges of them
// in one step: a lattice point is hot if it is an end of an edge, or the nearest to a
// crossing; and every edge is led through all the hot points whose pixel, the unit
// square around it, the edge passes. No edge moves by more than half a step in x or y
// here, and none crosses another after it, nor does a point end up on the other side of an
// edge; what is thinner than that may collapse.

// maxHot bounds the edges and the hot points of one cell, since what follows grows with
// their product.
const maxHot = 4 * MaxPatch

// snapRound returns the edges of one cell led through the hot points, so that they
// meet in lattice points only, and cut there.
func snapRound(edges []multiEdge) ([]multiEdge, error) {
	if len(edges) > maxHot {
		return nil, fmt.Errorf("%w: %d edges meet in the cell, at most %d", ErrTooLarge, len(edges), maxHot)
	}
	hot := verticesOf(edges)
	for i := range edges {
		if len(hot) > maxHot {
			slices.SortFunc(hot, comparePoints)
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
	slices.SortFunc(hot, comparePoints)
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
		// The pixels that a line passes follow each other in x and in y.
		d := sub(s.b, s.a)
		slices.SortFunc(on, func(p, q Point) int { return sign(dot(d, sub(p, q))) })
		for k := range len(on) - 1 {
			routed = append(routed, multiEdge{on[k], on[k+1], s.set, s.count})
		}
	}
	cut := cutMultiEdges(routed, hot)
	// None cross, as is proven; all that follows rests on it.
	for i := range cut {
		for k := i + 1; k < len(cut) && cut[k].a.Y <= cut[i].b.Y; k++ {
			if edgesCross(cut[i].a, cut[i].b, cut[k].a, cut[k].b) {
				return nil, fmt.Errorf("%w: rounded edges cross at (%d, %d)/%d", ErrCrossing, cut[i].a.X, cut[i].a.Y, Unit)
			}
		}
	}
	return cut, nil
}

// crossing returns the lattice point nearest to where the edges a-b and c-d cross; half
// a step goes up. It depends on the two lines alone.
func crossing(a, b, c, d Point) Point {
	u, v := sub(b, a), sub(d, c)
	den := cross(u, v)
	num := cross(sub(c, a), v)
	return Point{a.X + roundDiv(num*u.X, den), a.Y + roundDiv(num*u.Y, den)}
}

// roundDiv returns n/d rounded to the nearest integer, a half upwards.
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

// crossesPixel reports whether the edge a-b has a point in the pixel of p: the square of
// side 1 around p, closed to the left and below and open to the right and above, so
// that pixels share no point.
func crossesPixel(a, b, p Point) bool {
	if max(a.X, b.X) < p.X || p.X < min(a.X, b.X) || max(a.Y, b.Y) < p.Y || p.Y < min(a.Y, b.Y) {
		return false // p is a lattice point, and so are a and b
	}
	// Where the edge is in the pixel, as a range of its parameter: from lo to hi, each
	// a fraction that may be open. Doubled, with p at 0, the pixel is -1 <= x < 1.
	lo, hi := bound{0, 1, false}, bound{1, 1, false}
	for _, axis := range [2][2]int64{{2 * (a.X - p.X), 2 * (b.X - a.X)}, {2 * (a.Y - p.Y), 2 * (b.Y - a.Y)}} {
		at, d := axis[0], axis[1]
		switch {
		case d > 0: // it enters at -1, which belongs to the pixel, and leaves at 1
			lo, hi = lo.later(bound{-1 - at, d, false}), hi.sooner(bound{1 - at, d, true})
		case d < 0:
			lo, hi = lo.later(bound{at - 1, -d, true}), hi.sooner(bound{at + 1, -d, false})
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

func (p bound) compare(q bound) int { return sign(p.n*q.d - q.n*p.d) }

// later returns the tighter of two lower ends.
func (p bound) later(q bound) bound {
	if c := p.compare(q); c > 0 || c == 0 && p.open {
		return p
	}
	return q
}

// sooner returns the tighter of two upper ends.
func (p bound) sooner(q bound) bound {
	if c := p.compare(q); c < 0 || c == 0 && p.open {
		return p
	}
	return q
}
