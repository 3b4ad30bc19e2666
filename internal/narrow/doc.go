// Package narrow is the narrow phase. It computes the manifolds of two shapes (shapes.go), of a shape and the
// surface of a ground or chain (surface.go), and of two grounds or a chain and a ground (outlines.go). It writes
// only the memory of the contact and an Outcome, which the caller applies to bodies and events. It does not know
// World.
package narrow
