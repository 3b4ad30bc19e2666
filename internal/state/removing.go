package state

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/team"
)

// removing removes many contacts at once, as so many calls of RemoveContact do: each worker has tables and lists of its own.
type removing struct {
	world    *World
	contacts []int32          // that have ended
	sides    [][2]broad.Owner // theirs
	loop     func(worker, from, to int)
}

// add lists contact i, and ends it.
func (r *removing) add(w *World, i int32) {
	c := w.Contacts.At(i)
	w.endContact(i, c, true)
	a, b := w.Contacts.Sides(c)
	r.contacts, r.sides = append(r.contacts, i), append(r.sides, [2]broad.Owner{a, b})
}

// run removes the listed contacts.
func (r *removing) run(w *World, t *team.Team) {
	if r.world != w {
		r.world = w
		r.loop = team.Indices(r.do)
	}
	if len(r.contacts) > 0 {
		t.Each(3, 1, r.loop)
	}
	r.contacts, r.sides = r.contacts[:0], r.sides[:0]
}

// do removes the contacts from the table of pairs, from the lists of bodies and the pool, or from the pairs that count as found.
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
