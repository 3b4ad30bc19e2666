package lattice

import "fmt"

// CheckLoops refuses loops that do not describe one polygon inside a cell.
func CheckLoops(loops [][]Point) error {
	n := 0
	for _, loop := range loops {
		n += len(loop)
	}
	if n > MaxPatch {
		return fmt.Errorf("%w: %d vertices, at most %d", ErrTooLarge, n, MaxPatch)
	}
	if len(loops) == 0 {
		return fmt.Errorf("%w: no loops", ErrDegenerate)
	}
	area := int64(0)
	for k, loop := range loops {
		if len(loop) < 3 {
			return fmt.Errorf("loop %d: %w: %d vertices, at least 3", k, ErrDegenerate, len(loop))
		}
		for i, v := range loop {
			if v.X < 0 || v.X > Unit || v.Y < 0 || v.Y > Unit {
				return fmt.Errorf("loop %d, vertex %d: %w: (%d, %d)/%d", k, i, ErrOutside, v.X, v.Y, Unit)
			}
		}
		if i, err := checkLoop(loop); err != nil {
			return fmt.Errorf("loop %d, vertex %d: %w", k, i, err)
		}
		area += Area2(loop)
	}
	if area <= 0 {
		return ErrClockwise
	}
	return nil
}

// CheckApart refuses loops whose winding number is anywhere other than 0 or 1, and loops that
// overlap polys.
func CheckApart(polys [][][]Point, loops [][]Point) error {
	mine := appendLoopEdges(nil, loops, len(polys))
	all := mine
	for k, p := range polys {
		all = appendLoopEdges(all, p, k)
	}
	for i := range mine {
		for k := range all {
			if edgesCross(mine[i].a, mine[i].b, all[k].a, all[k].b) {
				at := mine[i].a
				if k < len(mine) {
					return fmt.Errorf("%w: two loops cross at the edge from (%d, %d)/%d", ErrCrossing, at.X, at.Y, Unit)
				}
				return fmt.Errorf("%w: the edge from (%d, %d)/%d crosses an edge of the cell's polygons", ErrOverlap,
					at.X, at.Y,
					Unit)
			}
		}
	}
	var err error
	eachFace(cutMultiEdges(all, verticesOf(all)), len(polys)+1, func(a, _ Point, left, right []int) {
		for _, side := range [][]int{left, right} {
			sum := 0
			for _, w := range side {
				sum += w
			}
			switch own := side[len(polys)]; {
			case err != nil:
			case own < 0:
				err = fmt.Errorf("%w: a hole outside of the polygon, near (%d, %d)/%d", ErrClockwise, a.X, a.Y, Unit)
			case own > 1 || own == 1 && sum > 1:
				err = fmt.Errorf("%w: near (%d, %d)/%d", ErrOverlap, a.X, a.Y, Unit)
			}
		}
	})
	return err
}
