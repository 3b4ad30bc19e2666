package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// adding adds contacts for pairs. Its loops are made once, so that a step allocates nothing.
type adding struct {
	world  *state.World
	keys   []broad.Key
	slots  []int32    // slots of the new contacts, in the order of keys
	bodies [][2]int32 // bodies A and B of these contacts
	loops  struct{ set, enter func(worker, from, to int) }
}

// addGrain is the number of contacts in a range of a loop.
const addGrain = 64

// add adds a contact to w for each of the pairs keys, which have none. Keys are in ascending order, each once.
func (a *adding) add(w *state.World, t *team.Team, keys []broad.Key) {
	if len(keys) == 0 {
		return
	}
	w.ContactsAdded()
	if a.keys = keys; a.world != w {
		a.world = w
		a.loops.set, a.loops.enter = team.Indices(a.set), team.Indices(a.enter)
	}
	a.slots = w.Contacts.AppendAdded(a.slots[:0], len(keys))
	w.Contacts.Extend()
	for len(a.bodies) < len(keys) {
		a.bodies = append(a.bodies, [2]int32{})
	}
	for k, key := range keys {
		if o, _ := orient(w, key); o.Kind() != broad.Shape {
			w.Contacts.AddSurface(w.Contacts.At(a.slots[k]), o)
		}
	}
	t.Each(len(keys), addGrain, a.loops.set)
	t.Each(2, 1, a.loops.enter)
}

// orient returns side A of a pair, and side B as in state.Contact.ShapeB. Of two grounds, A is the one on a body
// that is not dynamic: the tiles of such a ground may be far from the origin of its body.
func orient(w *state.World, key broad.Key) (broad.Owner, int32) {
	o, b := key.Sides()
	if p := broad.OwnerOfB(b); b < 0 && p.Kind() == o.Kind() &&
		w.Bodies.At(w.Proxied(p).Body).Type != broad.DynamicBody {
		return p, broad.B(o)
	}
	return o, b
}

// set sets the contact of pair k, with its elements of the slices of Contacts. It writes nothing else, so workers
// set different contacts at once.
func (a *adding) set(k int) {
	w, i := a.world, a.slots[k]
	cs := &w.Contacts
	o, b := orient(w, a.keys[k])
	c := cs.At(i)
	c.ShapeA, c.ShapeB = -1, b
	if o.Kind() == broad.Shape {
		c.ShapeA = o.Slot()
	}
	c.BodyA, c.BodyB = w.Proxied(o).Body, w.Proxied(broad.OwnerOfB(b)).Body
	c.Sensor = b >= 0 && w.Shapes.At(b).Sensor || c.OfShapes() && w.Shapes.At(c.ShapeA).Sensor
	c.Stale, c.Flags, c.Refused = c.Sensor, w.FlagsOf(o, b), w.Refused(o, b)
	c.BoxChanges = w.Bodies.At(c.BodyA).BoxChanges + w.Bodies.At(c.BodyB).BoxChanges - 1 // not yet compared
	cs.Clear(i)
	a.bodies[k] = [2]int32{c.BodyA, c.BodyB}
}

// enter puts all new contacts, in the order of their pairs, into the table of pairs (task 0), or into the lists
// of their bodies and the set of active contacts (task 1). The two tasks share no memory, so they run at once.
func (a *adding) enter(task int) {
	w := a.world
	for k, i := range a.slots {
		if task == 0 {
			w.Broad.Pairs.Put(uint64(a.keys[k]), i)
			continue
		}
		w.Contacts.Ends.Link(i, &w.Bodies.At(a.bodies[k][0]).FirstContact, &w.Bodies.At(a.bodies[k][1]).FirstContact)
		w.Contacts.Active.Add(i)
	}
}
