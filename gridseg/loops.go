package gridseg

import "slices"

// Loops are the outlines of one polygon: counter-clockwise round its outsides,
// clockwise round its holes. They may touch themselves and each other in vertices, and
// two that run along each other in opposite directions cancel there, see cancelOwn.

// compareLoops orders loops by their vertices.
func compareLoops(a, b [][]Point) int {
	return slices.CompareFunc(a, b, func(p, q []Point) int { return slices.CompareFunc(p, q, comparePoints) })
}

// canonical returns a copy of loops in the one form that all ways to write them have
// in common: each begins at its least vertex, and the least loop comes first.
func canonical(loops [][]Point) [][]Point {
	out := make([][]Point, len(loops))
	for k, loop := range loops {
		first := 0
		for i, v := range loop {
			if comparePoints(v, loop[first]) < 0 {
				first = i
			}
		}
		out[k] = slices.Concat(loop[first:], loop[:first])
	}
	slices.SortFunc(out, func(p, q []Point) int { return slices.CompareFunc(p, q, comparePoints) })
	return out
}

// cancelOwn returns loops without the parts of edges along which two of them run in opposite
// directions: such a part has the same on both sides, so it is no face of the polygon. The
// vertices of the other parts stay. Loops without such parts are returned as they are.
//
// A polygon must be cancelled with itself before it is cancelled with others: a part that is no
// face covers no face of a neighbour.
func cancelOwn(loops [][]Point) [][]Point {
	if len(loops) < 2 {
		return loops // a simple loop does not run along itself
	}
	edges := appendLoopEdges(nil, loops, 0)
	vertices := verticesOf(edges)
	parts := 0
	var cuts []Point
	for _, s := range edges {
		cuts = appendEdge(cuts[:0], s.a, s.b, vertices)
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

// area2 is twice the area inside of a loop, negative if it runs clockwise.
func area2(loop []Point) int64 {
	var a int64
	for i, v := range loop {
		w := loop[(i+1)%len(loop)]
		a += v.X*w.Y - v.Y*w.X
	}
	return a
}
