package gridseg

import "slices"

// Loops are the outlines of one polygon: counter-clockwise round its outsides,
// clockwise round its holes. They may touch themselves and each other in vertices, and
// two that run along each other in opposite directions cancel there.

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

// area2 is twice the area inside of a loop, negative if it runs clockwise.
func area2(loop []Point) int64 {
	var a int64
	for i, v := range loop {
		w := loop[(i+1)%len(loop)]
		a += v.X*w.Y - v.Y*w.X
	}
	return a
}
