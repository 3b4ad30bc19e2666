// Package geom holds the plane geometry of the engine: vectors, rotations, boxes, the convex
// shapes, their mass, rays and distances.
//
// A [Shape] is a [Circle], [Capsule], [Polygon] or [Segment]: the description of a shape, with its mass, ray
// casts and point tests. A [Core] is the same shape as vertices and a radius, for tests between two
// shapes: [Gap] (distance), [ShapeCast] (where a translated shape hits another) and [TimeOfImpact] (when
// two moving and turning shapes touch).
//
// Lengths are in cells (one unit of length is one tile), angles in radians, y points up, polygons
// wind counter-clockwise: solid is on the left of every edge, and the outward normal of an edge e
// is its right-hand perpendicular (e.Y, -e.X).
//
// All types are small values. The package keeps no state and does not depend on the platform;
// nothing allocates unless its comment says so. The same inputs give the same bits on every target:
// a product that meets a sum is written float64(a*b)+c, which keeps the compiler from fusing the
// two. The trigonometry is our own (see [SinCos]): package math's differs between targets.
package geom
