package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// removing removes many contacts, with the same result as a call of state.World.RemoveContact for each. A contact
// is in three places (see do); each place is a task, so that up to three workers remove contacts at once.
type removing struct {
	world    *state.World
	contacts []int32          // slots of the listed contacts, which have ended
	sides    [][2]broad.Owner // sides A and B of these contacts
	loop     func(worker, from, to int)
}

// add ends contact i, which reports its end events and wakes its bodies, and lists it for run.
func (r *removing) add(w *state.World, i int32) {
	c := w.Contacts.At(i)
	w.EndContact(i, c, true)
	a, b := w.Contacts.Sides(c)
	r.contacts, r.sides = append(r.contacts, i), append(r.sides, [2]broad.Owner{a, b})
}

// run removes the listed contacts.
func (r *removing) run(w *state.World, t *team.Team) {
	if r.world != w {
		r.world = w
		r.loop = team.Indices(r.do)
	}
	if len(r.contacts) > 0 {
		t.Each(3, 1, r.loop)
	}
	r.contacts, r.sides = r.contacts[:0], r.sides[:0]
}

// do removes the listed contacts from one of three places: from the table of pairs (task 0); from the lists of
// their bodies and from the pool (task 1); or from the pairs that the broad phase counts as found (task 2).
func (r *removing) do(task int) {
	w := r.world
	for k, i := range r.contacts {
		switch a, b := r.sides[k][0], r.sides[k][1]; task {
		case 0:
			w.Broad.Pairs.Delete(uint64(broad.KeyOf(a, broad.B(b))))
		case 1:
			c := w.Contacts.At(i)
			w.Contacts.Ends.Unlink(i, &w.Bodies.At(c.BodyA).FirstContact, &w.Bodies.At(c.BodyB).FirstContact)
			w.Contacts.Remove(i)
		default:
			w.Broad.Unfind(w.Proxied(a).Proxy, w.Proxied(b).Proxy)
		}
	}
}
