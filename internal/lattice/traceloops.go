package lattice

import "slices"

// TraceLoops joins directed edges, the complete outline of an area with solid on the left, to loops
// that pass no vertex twice. It drops collinear vertices.
func TraceLoops(edges [][2]Point) [][]Point {
	var loops [][]Point
	for _, loop := range traceCutLoops(edges) {
		if loop = dropCollinear(loop); len(loop) > 0 {
			loops = append(loops, loop)
		}
	}
	return loops
}

// traceCutLoops is TraceLoops with collinear vertices kept. Where several edges leave a vertex, the
// loop follows the outline of the same solid.
func traceCutLoops(edges [][2]Point) [][]Point {
	slices.SortFunc(edges, func(p, q [2]Point) int { return slices.CompareFunc(p[:], q[:], ComparePoints) })
	used := make([]bool, len(edges))
	// next returns the unused edge from v that comes first clockwise from the direction back to u;
	// -1 if there is none.
	next := func(u, v Point) int {
		i, _ := slices.BinarySearchFunc(edges, v, func(e [2]Point, v Point) int { return ComparePoints(e[0], v) })
		best := -1
		for ; i < len(edges) && edges[i][0] == v; i++ {
			if !used[i] && (best < 0 || Nearer(Sub(u, v), Sub(edges[i][1], v), Sub(edges[best][1], v), -1)) {
				best = i
			}
		}
		return best
	}
	var loops [][]Point
	for first := range edges {
		if used[first] {
			continue
		}
		path := []Point{edges[first][0]}
		for e := first; e >= 0; {
			used[e] = true
			u, v := edges[e][0], edges[e][1]
			if k := slices.Index(path, v); k >= 0 {
				loops = append(loops, slices.Clone(path[k:]))
				path = path[:k]
				if k > 0 {
					u = path[k-1]
				}
			}
			path = append(path, v)
			e = next(u, v)
		}
	}
	return loops
}

// dropCollinear returns the loop without the vertices at which it does not turn.
func dropCollinear(loop []Point) []Point {
	var out []Point
	n := len(loop)
	for i, v := range loop {
		u, w := Sub(v, loop[(i+n-1)%n]), Sub(loop[(i+1)%n], v)
		if Cross(u, w) != 0 || Dot(u, w) < 0 {
			out = append(out, v)
		}
	}
	return out
}

// dropCollinearAll returns loops without their collinear vertices, in canonical form.
func dropCollinearAll(loops [][]Point) [][]Point {
	out := make([][]Point, len(loops))
	for k, loop := range loops {
		out[k] = dropCollinear(loop)
	}
	return Canonical(out)
}
