// Package collide finds where two shapes touch: contact manifolds of convex
// hulls against each other and against the one-sided faces of the ground.
//
// A Hull is a convex core of one to eight vertices grown by a radius, so one
// type stands for circle, capsule, segment and rounded polygon. Hulls is for
// two of them; FaceHull is for a piece of ground, which knows its neighbours'
// far vertices (ghosts) so that nothing trips over the seam to them.
//
// The result is a Manifold of up to two points in the frame of the first
// argument. Each point is named by the features that made it (FeatureID), so
// that a solver can carry its impulse from step to step.
//
// Nothing here keeps state or allocates. Finite input never gives a NaN. The
// method is the separating axis test and the clipping of one edge by the side
// planes of another, after Box2D-Lite (Catto, GDC 2006), and for the ground the
// Gauss map of admitted, snapped and skipped normals (Catto, "Ghost
// Collisions", box2d.org, 2022).
package collide
