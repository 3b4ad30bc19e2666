package lattice

import (
	"fmt"
	"slices"
)

// Clip is the area of the loops of a stroke, the points with a non-zero winding number, prepared for clipping to
// cells. Its loops are cut where they cross a grid line: at the nearest lattice point on that line, which depends on
// the edge alone, so that the cells on both sides agree.
type Clip struct {
	base  Cell      // lower left cell
	w, h  int64     // size, in cells
	loops [][]Point // relative to base
}

// cellBox is a half-open rectangle of cells of a region: x0 <= x < x1, y0 <= y < y1.
type cellBox struct{ x0, y0, x1, y1 int64 }

// NewClip returns the area of loops. With an error it returns the cell of the refused vertex, or the nearest cell.
func NewClip(loops [][]Point) (*Clip, Cell, error) {
	refuse := func(loop, vertex int, err error) (*Clip, Cell, error) {
		return nil, CellOf(loops[loop][vertex]), fmt.Errorf("loop %d, vertex %d: %w", loop, vertex, err)
	}
	n := 0
	for k, loop := range loops {
		if n+len(loop) > MaxOutline {
			return refuse(k, MaxOutline-n, fmt.Errorf("%w: more than %d vertices in all", ErrTooLarge, MaxOutline))
		}
		n += len(loop)
		switch {
		case len(loop) == 0:
			return nil, Cell{}, fmt.Errorf("loop %d: %w: no vertices", k, ErrDegenerate)
		case len(loop) < 3:
			return refuse(k, 0, fmt.Errorf("%w: %d vertices, at least 3", ErrDegenerate, len(loop)))
		}
		for i, v := range loop {
			if v.X < -WorldEnd || v.X > WorldEnd || v.Y < -WorldEnd || v.Y > WorldEnd {
				return refuse(k, i, fmt.Errorf("%w: (%d, %d)/%d", ErrRange, v.X, v.Y, Unit))
			}
		}
	}
	s := &Clip{}
	lo, hi := Point{WorldEnd, WorldEnd}, Point{-WorldEnd, -WorldEnd}
	for k, loop := range loops {
		for i, v := range loop {
			lo = Point{min(lo.X, v.X), min(lo.Y, v.Y)}
			hi = Point{max(hi.X, v.X), max(hi.Y, v.Y)}
			s.w, s.h = (hi.X-1)>>12-lo.X>>12+1, (hi.Y-1)>>12-lo.Y>>12+1
			if hasArea := lo.X < hi.X && lo.Y < hi.Y; hasArea && (s.w > MaxReach || s.h > MaxReach ||
				s.w*s.h > MaxFill) {
				return refuse(k, i, fmt.Errorf("%w: up to here %d x %d cells, at most %d in all and %d on a side",
					ErrTooLarge,
					s.w, s.h, MaxFill, MaxReach))
			}
		}
	}
	if lo.X >= hi.X || lo.Y >= hi.Y {
		return &Clip{}, Cell{}, nil // no area, or no loops
	}
	s.base = Cell{int32(lo.X >> 12), int32(lo.Y >> 12)}
	o := OriginOf(s.base)
	n = 0
	for k, loop := range loops {
		var cut []Point
		for i, a := range loop {
			b := loop[(i+1)%len(loop)]
			cut = appendCuts(cut, Point{a.X - o.X, a.Y - o.Y}, Point{b.X - o.X, b.Y - o.Y})
			if n+len(cut) > MaxCuts {
				return refuse(k, i, fmt.Errorf("%w: more than %d vertices, with the crossings of grid lines",
					ErrTooLarge, MaxCuts))
			}
		}
		n += len(cut)
		s.loops = append(s.loops, cut)
	}
	return s, Cell{}, nil
}

// appendCuts appends a and the points where the edge a-b crosses grid lines. Rounding keeps them in
// order: it is monotone, and points on a grid line stay on it.
func appendCuts(dst []Point, a, b Point) []Point {
	from := len(dst)
	dst = append(dst, a)
	d := Sub(b, a)
	for k := min(a.X, b.X)>>12 + 1; k*Unit < max(a.X, b.X); k++ {
		dst = append(dst, Point{k * Unit, a.Y + roundDiv(d.Y*(k*Unit-a.X), d.X)})
	}
	for k := min(a.Y, b.Y)>>12 + 1; k*Unit < max(a.Y, b.Y); k++ {
		dst = append(dst, Point{a.X + roundDiv(d.X*(k*Unit-a.Y), d.Y), k * Unit})
	}
	slices.SortFunc(dst[from:], func(p, q Point) int { return Sign(Dot(d, Sub(p, q))) })
	return dst
}

// Each calls do for the parts of the region: for a partly covered cell with loops local to the
// cell, for a fully covered rectangle of cells with nil.
func (s *Clip) Each(do func(r Rect, loops [][]Point) error) error {
	if s.w == 0 {
		return nil
	}
	return s.walk(cellBox{0, 0, s.w, s.h}, s.loops, do)
}

// walk halves b until the loops cover all or nothing of b, or b is a single cell. Clamping a loop
// to a rectangle keeps its winding numbers inside: vertices beyond an edge of the rectangle move
// straight onto that edge.
func (s *Clip) walk(b cellBox, loops [][]Point, do func(Rect, [][]Point) error) error {
	var in [][]Point
	turns, partial := 0, false
	for _, loop := range loops {
		c := b.clamp(loop)
		if len(c) == 0 {
			continue
		}
		in = append(in, c)
		t := b.covered(c)
		turns += t
		partial = partial || t == 0
	}
	r := Rect{s.base.X + int32(b.x0), s.base.Y + int32(b.y0), s.base.X + int32(b.x1-1), s.base.Y + int32(b.y1-1)}
	switch {
	case !partial && turns == 0:
		return nil
	case !partial:
		return do(r, nil)
	case b.x1-b.x0 == 1 && b.y1-b.y0 == 1:
		for _, c := range in {
			for i := range c {
				c[i] = Point{c[i].X - b.x0*Unit, c[i].Y - b.y0*Unit}
			}
		}
		return do(r, in)
	}
	p, q := b, b
	if b.x1-b.x0 >= b.y1-b.y0 {
		p.x1 = (b.x0 + b.x1) / 2
		q.x0 = p.x1
	} else {
		p.y1 = (b.y0 + b.y1) / 2
		q.y0 = p.y1
	}
	if err := s.walk(p, in, do); err != nil {
		return err
	}
	return s.walk(q, in, do)
}

// clamp returns the loop clamped to b, without vertices between two others on the same side of b;
// nil if the loop has no area in b.
func (b cellBox) clamp(loop []Point) []Point {
	lo, hi := Point{b.x0 * Unit, b.y0 * Unit}, Point{b.x1 * Unit, b.y1 * Unit}
	along := func(p, q, r Point) bool {
		return p.X == q.X && q.X == r.X && (p.X == lo.X || p.X == hi.X) ||
			p.Y == q.Y && q.Y == r.Y && (p.Y == lo.Y || p.Y == hi.Y)
	}
	var out []Point
	for _, v := range loop {
		v = Point{max(lo.X, min(hi.X, v.X)), max(lo.Y, min(hi.Y, v.Y))}
		for len(out) >= 2 && along(out[len(out)-2], out[len(out)-1], v) {
			out = out[:len(out)-1]
		}
		if len(out) == 0 || out[len(out)-1] != v {
			out = append(out, v)
		}
	}
	for len(out) >= 3 { // the same for the first and last vertices
		n := len(out)
		if out[0] == out[n-1] || along(out[n-2], out[n-1], out[0]) {
			out = out[:n-1]
		} else if along(out[n-1], out[0], out[1]) {
			out = out[1:]
		} else {
			break
		}
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// covered returns 1 if the clamped loop is the outline of b, -1 if it is the outline clockwise,
// otherwise 0.
func (b cellBox) covered(loop []Point) int {
	if len(loop) != 4 {
		return 0
	}
	switch Area2(loop) / (Unit * Unit) {
	case 2 * (b.x1 - b.x0) * (b.y1 - b.y0):
		return 1
	case -2 * (b.x1 - b.x0) * (b.y1 - b.y0):
		return -1
	}
	return 0
}
