// Package collide computes contact manifolds of convex hulls with each other and with the one-sided faces of the
// ground.
//
// A [Hull] is a convex core of one to eight vertices with a radius, so one type covers circle, capsule, segment and
// rounded polygon. [Hulls] computes the contact of two hulls. [FaceHull] computes the contact of a hull and a face of
// the ground, whose ghost vertices (the far ends of its neighbours) keep bodies from catching on the seams. [Edges]
// computes the contact of two faces of two grounds.
//
// The result is a [Manifold] of up to two points in the frame of the first argument. Each point has
// the [FeatureID] of the pair of features that made it, so that a solver can carry its impulse from
// step to step.
//
// The package keeps no state and allocates nothing. Finite input never gives a NaN. The method is
// the separating axis test and the clipping of one edge by the side planes of another, after
// Box2D-Lite (Catto, GDC 2006). For the ground it is the Gauss map of admitted, snapped and skipped
// normals (Catto, "Ghost Collisions", box2d.org, 2022).
package collide
