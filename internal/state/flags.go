package state

import "github.com/quarry2d/quarry/internal/broad"

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

// FlagsOf returns the flags of the pair of o and b; see broad.B. Between owners of two kinds the flags of IfBoth are those of
// side B.
func (w *World) FlagsOf(o broad.Owner, b int32) Flags {
	p := broad.OwnerOfB(b)
	f := w.Proxied(o).Flags
	if o.Kind() != p.Kind() {
		f |= IfBoth
	}
	return f.Of(w.Proxied(p).Flags)
}
