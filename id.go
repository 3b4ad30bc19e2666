package quarry

// BodyID names a body: a slot and a generation. It is below 2^53, so that JSON and JavaScript keep
// it exactly, and names no other body until its slot has been freed 2^26 times. 0 names no body.
type BodyID uint64

// ShapeID names a shape as BodyID names a body.
type ShapeID uint64

// GroundID names a ground as BodyID names a body.
type GroundID uint64

// ChainID names a chain as BodyID names a body.
type ChainID uint64
