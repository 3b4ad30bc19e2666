// Package geom holds the plane geometry that the rest of the engine is written
// in: vectors, rotations, boxes, the convex shapes, their mass, rays and
// distances.
//
// Lengths are in cells (one unit of length is one tile), angles in radians,
// y points up, polygons wind counter-clockwise: solid is on the left of every
// edge, and the outward normal of an edge e is its right-hand perpendicular
// (e.Y, -e.X).
//
// Everything is a small value; nothing here allocates unless its doc says so,
// keeps state, or depends on the platform. The same inputs give the same bits
// on every target: a product that meets a sum is written float64(a*b)+c, which
// forbids the compiler to fuse the two, and the trigonometry is our own (see
// SinCos), because package math's differs between targets.
package geom
