package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/team"
)

// RemoveContact removes contact i. A touching contact ends; with wake, both bodies wake.
func (w *World) RemoveContact(i int32, wake bool) {
	c := w.Contacts.At(i)
	w.endContact(i, c, wake)
	w.Contacts.Ends.Unlink(i, &w.Bodies.At(c.BodyA).FirstContact, &w.Bodies.At(c.BodyB).FirstContact)
	a, b := w.Contacts.Sides(c)
	w.Broad.Pairs.Delete(uint64(broad.KeyOf(a, c.ShapeB)))
	w.Broad.Unfind(w.Proxied(a).Proxy, w.Proxied(b).Proxy)
	w.Contacts.Remove(i)
}

// endContact is the part of RemoveContact that tells others that contact i, which is c, ends.
func (w *World) endContact(i int32, c *Contact, wake bool) {
	var at *contact.Source
	if !c.OfShapes() {
		s := w.Contacts.SurfaceOf(c)
		w.reportMaterials(c, s, [2][]contact.Source{})
		if at = contact.FirstSource(s.Manifolds); s.Held {
			w.setHeld(c, s, false)
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

// FindPairs adds contacts for the new pairs, and removes those of dropped pairs of crowded shapes.
func (w *World) FindPairs(t *team.Team) {
	w.placeChains()
	now := w.Steps + 1
	keys := w.Broad.FindPairs(t, now, (*pairSource)(w))
	members, kept := w.Broad.Crowded()
	for _, k := range kept {
		w.Contacts.ChosenAt[k] = now
	}
	for _, m := range members {
		for l, o := range w.ContactsOf(w.Shapes.At(m.Shape).Body) {
			if o.OfShapes() && (o.ShapeA == m.Shape || o.ShapeB == m.Shape) && !o.Sensor && w.Contacts.ChosenAt[l>>1] != now && w.Broad.Dropped(o.ShapeA, o.ShapeB) {
				w.RemoveContact(l>>1, false)
			}
		}
	}
	w.AddPairs(t, keys)
	// Count the pairs of each crowded shape that have no contact.
	for _, m := range members {
		s, dropped := w.Shapes.At(m.Shape), m.Pairs
		for _, o := range w.ContactsOf(s.Body) {
			if !o.OfShapes() || o.ShapeA != m.Shape && o.ShapeB != m.Shape {
				continue
			}
			p, q := w.Broad.At(w.Shapes.At(o.ShapeA).Proxy), w.Broad.At(w.Shapes.At(o.ShapeB).Proxy)
			if p.IsSolid() && q.IsSolid() && p.Box.Overlaps(q.Box) {
				dropped--
			}
		}
		w.Broad.SetDropped(s.Proxy, dropped, w.Bodies.At(s.Body).Awake)
	}
}

// Refilter updates the flags of contact i, which is c, after the flags of a side or the game's functions have changed. It
// removes the contact if the custom filter now decides otherwise.
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

// pairSource is the world as the broad phase sees it (broad.Source).
type pairSource World

// Tight implements broad.Source.
func (src *pairSource) Tight(shape int32) geom.AABB {
	w := (*World)(src)
	s := w.Shapes.At(shape)
	return s.Hull.Bounds(w.Bodies.At(s.Body).Transform())
}
