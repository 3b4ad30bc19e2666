package state

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
)

// Flags is a set of quarry.EventFlags.
type Flags uint8

// The flags, with quarry's numbers and meanings.
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

// FlagsOf returns the flags of the pair of o and b; see broad.B. Between owners of two kinds, side B alone decides the
// flags of IfBoth.
func (w *World) FlagsOf(o broad.Owner, b int32) Flags {
	p := broad.OwnerOfB(b)
	f := w.Proxied(o).Flags
	if o.Kind() != p.Kind() {
		f |= IfBoth
	}
	return f.Of(w.Proxied(p).Flags)
}

// Reports reports whether a begin or end of c is an event.
func (c *Contact) Reports() bool {
	if c.Sensor {
		return c.Flags&NoSensorEvents == 0
	}
	return c.Flags&NoContactEvents == 0
}

// setFlags sets the flags of c. A pair that touches begins or ends to have events at once, so that each begin has an
// end: the pairs of events that have begun and not ended are those that touch and report it.
func (w *World) setFlags(c *Contact, to Flags) {
	was := c.Touching && c.Reports()
	c.Flags = to
	if now := c.Touching && c.Reports(); now != was {
		var at *contact.Source
		if !c.OfShapes() && !c.Sensor {
			at = contact.FirstSource(w.Contacts.SurfaceOf(c).Manifolds)
		}
		w.Game.Touched(c, now, at)
	}
	if c.OfShapes() {
		return
	}
	s := w.Contacts.SurfaceOf(c)
	if w.materials = [2][]contact.Source{w.materials[0][:0], w.materials[1][:0]}; to&MaterialEvents != 0 {
		s.NoteMaterials(c, &w.materials)
	}
	w.ReportMaterials(c, s, w.materials)
}

// Refilter updates the flags of contact i, which is c, after the flags of a side or the game's functions have
// changed. It removes the contact if the custom filter now decides otherwise.
func (w *World) Refilter(i int32, c *Contact) {
	o := w.Contacts.SideA(c)
	if w.setFlags(c, w.FlagsOf(o, c.ShapeB)); w.Refused(o, c.ShapeB) != c.Refused {
		w.RemoveContact(i, true) // the broad phase finds the pair again
		return
	}
	if c.Disabled || c.Flags&AskPreSolve != 0 {
		c.Last = narrow.Last{}
	}
}
