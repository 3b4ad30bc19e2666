package state

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/team"
)

// adding is the memory of AddPairs.
type adding struct {
	world *World
	keys  []broad.Key
	slots []int32    // of the contacts, by key
	sides [][2]int32 // their bodies
	loops struct{ set, enter func(worker, from, to int) }
}

// addGrain is the number of contacts in a range of a loop.
const addGrain = 64

// AddPairs adds contacts for pairs that have none; each comes once, and they are in ascending order.
func (w *World) AddPairs(t *team.Team, keys []broad.Key) {
	if len(keys) == 0 {
		return
	}
	a := &w.adding
	if a.keys = keys; a.world != w {
		a.world = w
		a.loops.set, a.loops.enter = team.Indices(a.set), team.Indices(a.enter)
	}
	a.slots = w.Contacts.AppendAdded(a.slots[:0], len(keys))
	w.Contacts.extend()
	for len(a.sides) < len(keys) {
		a.sides = append(a.sides, [2]int32{})
	}
	for k, key := range keys {
		if o, _ := w.orient(key); o.Kind() != broad.Shape {
			w.Contacts.addSurface(w.Contacts.At(a.slots[k]), o)
		}
	}
	t.Each(len(keys), addGrain, a.loops.set)
	t.Each(2, 1, a.loops.enter)
}

// orient returns both sides of a pair: of two grounds A is the one that does not move, as that may be far from its body.
func (w *World) orient(key broad.Key) (broad.Owner, int32) {
	o, b := key.Sides()
	if p := broad.OwnerOfB(b); b < 0 && p.Kind() == o.Kind() && w.Bodies.At(w.Proxied(p).Body).Type != broad.DynamicBody {
		return p, broad.B(o)
	}
	return o, b
}

// set sets the contact of key number k, and its elements of the slices beside the pool. It writes nothing else.
func (a *adding) set(k int) {
	w, i := a.world, a.slots[k]
	cs := &w.Contacts
	o, b := w.orient(a.keys[k])
	c := cs.At(i)
	c.ShapeA, c.ShapeB = -1, b
	if o.Kind() == broad.Shape {
		c.ShapeA = o.Slot()
	}
	c.BodyA, c.BodyB = w.Proxied(o).Body, w.Proxied(broad.OwnerOfB(b)).Body
	c.Sensor = b >= 0 && w.Shapes.At(b).Sensor || c.OfShapes() && w.Shapes.At(c.ShapeA).Sensor
	c.Stale, c.Flags, c.Refused = c.Sensor, w.FlagsOf(o, b), w.Refused(o, b)
	c.Boxes = w.Bodies.At(c.BodyA).Boxes + w.Bodies.At(c.BodyB).Boxes - 1 // not yet compared
	cs.clear(i)
	a.sides[k] = [2]int32{c.BodyA, c.BodyB}
}

// enter enters the contacts, in order: as task 0 in the table of pairs, as task 1 in the lists of their bodies.
func (a *adding) enter(task int) {
	w := a.world
	for k, i := range a.slots {
		if task == 0 {
			w.Broad.Pairs.Put(uint64(a.keys[k]), i)
			continue
		}
		w.Contacts.Ends.Link(i, &w.Bodies.At(a.sides[k][0]).FirstContact, &w.Bodies.At(a.sides[k][1]).FirstContact)
		w.Contacts.Active.Add(i)
	}
}
