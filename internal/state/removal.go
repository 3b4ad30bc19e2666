package state

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
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
		if at = contact.FirstSource(s.Manifolds); s.Stuck.State == narrow.Held {
			w.SetStuck(c, s, narrow.Free)
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

// SetStuck sets how the shape of c, of the state s, is stuck in a surface, and counts the held shapes. A body is
// reported as crushed once, when the first of its shapes is held.
func (w *World) SetStuck(c *Contact, s *SurfaceContact, to narrow.StuckState) {
	was, on := s.Stuck.State == narrow.Held, to == narrow.Held
	if s.Stuck.State = to; on == was {
		return
	}
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
