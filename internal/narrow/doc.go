// Package narrow is the narrow phase: it computes the manifolds of two shapes, and of a shape and
// the surface of a ground or chain. It writes only the memory of the contact in work and an
// Outcome; the caller applies the outcome to bodies and events. It does not know World.
package narrow
