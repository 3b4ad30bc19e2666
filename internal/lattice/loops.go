package lattice

import "slices"

// Loops are the outlines of one polygon: counter-clockwise around its outsides, clockwise around
// its holes. They may touch themselves and each other in vertices. Where two loops run along each
// other in opposite directions, they cancel, see CancelOwn.

// CompareLoops orders loops by their vertices.
func CompareLoops(a, b [][]Point) int {
	return slices.CompareFunc(a, b, func(p, q []Point) int { return slices.CompareFunc(p, q, ComparePoints) })
}

// Canonical returns a copy of loops in canonical form: each loop begins at its lowest vertex, and
// the loops are sorted.
func Canonical(loops [][]Point) [][]Point {
	out := make([][]Point, len(loops))
	for k, loop := range loops {
		first := 0
		for i, v := range loop {
			if ComparePoints(v, loop[first]) < 0 {
				first = i
			}
		}
		out[k] = slices.Concat(loop[first:], loop[:first])
	}
	slices.SortFunc(out, func(p, q []Point) int { return slices.CompareFunc(p, q, ComparePoints) })
	return out
}

// CancelOwn returns loops without the parts of edges along which two of them run in opposite
// directions. Such a part has the same polygon on both sides, so it is not a face. The other parts
// keep their vertices. Without such parts, the loops are returned unchanged.
//
// A polygon must be cancelled with itself before it is cancelled with others: a part that is not a
// face does not cover a face of a neighbour.
func CancelOwn(loops [][]Point) [][]Point {
	if len(loops) < 2 {
		return loops // a simple loop does not overlap itself
	}
	edges := appendLoopEdges(nil, loops, 0)
	vertices := verticesOf(edges)
	parts := 0
	var cuts []Point
	for _, s := range edges {
		cuts = AppendEdge(cuts[:0], s.a, s.b, vertices)
		parts += len(cuts) - 1
	}
	cut := cutMultiEdges(edges, vertices)
	if len(cut) == parts {
		return loops
	}
	out := make([][2]Point, len(cut))
	for i, s := range cut {
		out[i] = [2]Point{s.a, s.b}
		if s.count < 0 {
			out[i] = [2]Point{s.b, s.a}
		}
	}
	return traceCutLoops(out)
}

// Area2 returns twice the area of a loop, negative if it is clockwise.
func Area2(loop []Point) int64 {
	var a int64
	for i, v := range loop {
		w := loop[(i+1)%len(loop)]
		a += v.X*w.Y - v.Y*w.X
	}
	return a
}
