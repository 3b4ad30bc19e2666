package state

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
)

// RemoveContact removes contact i. A touching contact ends; with wake, both bodies wake.
func (w *World) RemoveContact(i int32, wake bool) {
	c := w.Contacts.At(i)
	w.EndContact(i, c, wake)
	w.Contacts.Ends.Unlink(i, &w.Bodies.At(c.BodyA).FirstContact, &w.Bodies.At(c.BodyB).FirstContact)
	a, b := w.Contacts.Sides(c)
	w.Broad.Pairs.Delete(uint64(broad.KeyOf(a, c.ShapeB)))
	w.Broad.Unfind(w.Proxied(a).Proxy, w.Proxied(b).Proxy)
	w.Contacts.Remove(i)
}

// EndContact is the part of RemoveContact that tells others that contact i, which is c, ends.
func (w *World) EndContact(i int32, c *Contact, wake bool) {
	var at *contact.Source
	if !c.OfShapes() {
		s := w.Contacts.SurfaceOf(c)
		w.ReportMaterials(c, s, [2][]contact.Source{})
		if at = contact.FirstSource(s.Manifolds); s.Held {
			w.SetHeld(c, s, false)
			w.Wake(c.BodyB)
		}
	}
	if c.Touching {
		w.SetTouching(i, false, at)
		if wake && !c.Sensor {
			w.Wake(c.BodyA)
			w.Wake(c.BodyB)
		}
	}
}

// RemoveContacts removes the contacts of o, and wakes the bodies that touched it.
func (w *World) RemoveContacts(o broad.Owner) {
	for i := range w.ContactsWith(o) {
		w.RemoveContact(i, true)
	}
}

// SetHeld records whether the shape of a contact is in solid ground with no way out. A body
// is reported as crushed once, when the first of its shapes is held.
func (w *World) SetHeld(c *Contact, s *SurfaceContact, on bool) {
	if s.Held == on {
		return
	}
	s.Held = on
	b, by := w.Bodies.At(c.BodyB), 1
	if !on {
		by = -1
	}
	b.Held += int32(by)
	w.Held += by
	if on && b.Held == 1 {
		w.ReportCrushed(c.BodyB, false)
	}
}
