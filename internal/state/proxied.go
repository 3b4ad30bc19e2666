package state

import "github.com/quarry2d/quarry/internal/broad"

// Proxied is the common part of shapes, grounds and chains.
type Proxied struct {
	Proxy    broad.ID // broad.None for a ground that never had a tile, on a disabled body, or before it is in the broad phase
	Body     int32
	Next     int32  // the body's next shape, ground or chain; -1: none
	Material uint16 // of a shape
	Sensor   bool   // of a shape
	Flags    Flags  // of a shape or ground
}

// Flags is a set of quarry.ShapeFlags.
type Flags uint8

// The flags, with the numbers and meanings of those of quarry.
const (
	NoContactEvents Flags = 1 << iota
	NoHitEvents
	NoSensorEvents
	AskFilter
	AskPreSolve
	MaterialEvents
	SenseGround

	AllFlags = SenseGround<<1 - 1
)

// IfBoth are the flags that a contact has only if both sides set them; for other flags one side is enough.
const IfBoth = NoContactEvents | NoHitEvents

// Of returns the flags of the contact of two sides with the flags f and g.
func (f Flags) Of(g Flags) Flags { return f&g&IfBoth | (f|g)&^IfBoth }
