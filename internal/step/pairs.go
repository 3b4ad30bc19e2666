package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// Pairs is the first stage of a step. It finds the pairs of proxies whose boxes came to overlap since the last
// search, and adds a contact for each.
//
// Needs: every pair of proxies that may collide and whose boxes overlap has a contact when the narrow phase
// begins, and the contacts get the same slots on every machine.
//
// Assumes: proxies whose boxes are new or have changed are listed in broad.Phase.Moved, and pairs with a contact
// are those in broad.Phase.Pairs.
//
// Algorithm: the broad phase searches around the listed proxies and returns the keys of new pairs in ascending
// order. Where too many shapes are at one place it chooses among the pairs; contacts that it no longer chooses
// are removed first, so that their slots are free. Then all contacts are added at once (adding).
//
// Data: the new keys live in the broad phase until the next search. The stage keeps only the lists of adding.
type Pairs struct{ adding adding }

// Step adds contacts for the new pairs, and removes the contacts of dropped pairs of crowded shapes.
func (p *Pairs) Step(w *state.World, t *team.Team) {
	w.PlaceChains()
	now := w.Steps + 1
	keys := w.Broad.FindPairs(t, now, (*pairSource)(w))
	members, kept := w.Broad.Crowded()
	for _, k := range kept {
		w.Contacts.ChosenAt[k] = now
	}
	for _, m := range members {
		for l, o := range w.ContactsOf(w.Shapes.At(m.Shape).Body) {
			if o.OfShapes() && (o.ShapeA == m.Shape || o.ShapeB == m.Shape) && !o.Sensor &&
				w.Contacts.ChosenAt[l>>1] != now && w.Broad.Dropped(o.ShapeA, o.ShapeB) {
				w.RemoveContact(l>>1, false)
			}
		}
	}
	p.adding.add(w, t, keys)
	// Count the pairs of each crowded shape that have no contact.
	for _, m := range members {
		s, dropped := w.Shapes.At(m.Shape), m.Pairs
		for _, o := range w.ContactsOf(s.Body) {
			if !o.OfShapes() || o.ShapeA != m.Shape && o.ShapeB != m.Shape {
				continue
			}
			x, y := w.Broad.At(w.Shapes.At(o.ShapeA).Proxy), w.Broad.At(w.Shapes.At(o.ShapeB).Proxy)
			if x.IsSolid() && y.IsSolid() && x.Box.Overlaps(y.Box) {
				dropped--
			}
		}
		w.Broad.SetDropped(s.Proxy, dropped, w.Bodies.At(s.Body).Awake)
	}
}

// pairSource is the world as the broad phase sees it (broad.Source).
type pairSource state.World

// Tight implements broad.Source.
func (src *pairSource) Tight(shape int32) geom.AABB {
	w := (*state.World)(src)
	s := w.Shapes.At(shape)
	return s.Hull.Bounds(w.Bodies.At(s.Body).Transform())
}
