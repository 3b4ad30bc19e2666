// Package geom holds the plane geometry that the rest of the engine is written
// in: vectors, rotations, boxes, the convex shapes, their mass, rays and
// distances.
//
// A Shape is a Circle, Capsule, Polygon or Segment: what a game describes, with
// its mass, rays and points. A Core is the same as bare vertices and a radius: what
// two shapes are asked about, by Gap (how far apart), ShapeCast (where one that
// is moved touches the other) and TimeOfImpact (when, if both move and turn).
//
// Lengths are in cells (one unit of length is one tile), angles in radians,
// y points up, polygons wind counter-clockwise: solid is on the left of every
// edge, and the outward normal of an edge e is its right-hand perpendicular
// (e.Y, -e.X).
//
// Everything is a small value. Nothing here keeps state or depends on the
// platform, and nothing allocates unless its doc says so. The same inputs give the same bits
// on every target: a product that meets a sum is written float64(a*b)+c, which
// keeps the compiler from fusing the two, and the trigonometry is our own (see
// SinCos), because package math's differs between targets.
package geom
