// Package narrow is the narrow phase. It computes the manifolds of two shapes (shapes.go), of a shape and the
// surface of a ground or chain (surface.go), and of two grounds or a chain and a ground (outlines.go). It writes
// only the memory of the contact and an Outcome, which the caller applies to bodies and events.
//
// A contact point may lie on a seam of two surfaces that are flush with each other: a ground and a box at floor
// level, two boxes side by side. Each surface is computed without the other one, so each has faces and corners at the
// seam that their union does not have. A face that the other surface covers makes no contact, and its neighbours get
// ghost vertices on the other surface (flush.go, seam.go).
//
// A shape in solid ground, or pinched between surfaces, gets an exit (exit.go, freespot.go, pinch.go), and a shape
// that is stuck for long is reported (stucktimer.go).
//
// Tiles are cut into convex pieces for sweeps of a ground (pieces.go), and covered with convex parts to take two
// grounds apart (cover.go).
//
// The package does not know World.
package narrow
