// Package ccd is continuous collision: it stops a body at the first obstacle that its motion
// through a step would pass.
//
// Continuous collision has two forms. The disc sweep (disc.go) sweeps a disc about the centroid
// of each shape along the path of the centroid; the shape sweep (shape.go) sweeps the whole shape,
// a little shrunk, as it moves and turns. The first holds where the second fails: in any case the
// centroid of a shape stays in front of the surfaces that it was in front of. Bullets are swept
// against dynamic bodies, too (bullet.go).
//
// A body must not be stopped in the same place step after step (law 7 of contact). So a sweep stops a body only where
// the narrow phase will have a contact that takes the speed of approach; a shape that has a contact already slides on.
// Where the contact does not take it, the caller deflects the motion at the impact in the next step (Mover.Deflect).
// The shape sweep follows the motion that the solver found, up to where the disc sweep has stopped the body.
//
// The package does not know the world. The caller gives the Mover, and Obstacles that finds
// shapes and surfaces near a box; Sweeper.Advance returns the pose that the body reaches, and
// changes nothing else.
//
// The inner disc of a shape is the largest disc about its centroid in it. The core of a shape is its
// vertices; a geom.Core has the radius of its rounding beside them.
package ccd
