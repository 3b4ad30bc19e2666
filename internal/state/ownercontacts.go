package state

import (
	"iter"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/pool"
)

// manyContacts is the number of contacts of a body above which ContactsWith lists them by shape, ground and chain.
const manyContacts = 64

// ownerContacts lists the contacts of bodies that have many by shape, ground and chain: so a game that changes all
// shapes of a body, one after the other, takes time in proportion to the number of shapes and contacts. A body's
// lists are made by the second call that asks for contacts of one of its shapes; they are valid until contacts are
// added, which only a step does. Contacts that have ended since are still in the lists. The zero value is empty.
type ownerContacts struct {
	asked, listed pool.Bits             // bodies
	first         map[broad.Owner]int32 // in entries
	entries       []ownerContact
}

type ownerContact struct{ contact, next int32 }

// forget empties o.
func (o *ownerContacts) forget() {
	if len(o.asked) > 0 {
		o.asked, o.listed, o.entries = o.asked[:0], o.listed[:0], o.entries[:0]
		clear(o.first)
	}
}

// ContactsAdded makes ContactsWith forget its lists: a step has added contacts.
func (w *World) ContactsAdded() { w.ownerContacts.forget() }

// ContactsWith yields the contacts of o, in their order in the list of its body; the loop may remove them.
func (w *World) ContactsWith(o broad.Owner) iter.Seq2[int32, *Contact] {
	return func(yield func(int32, *Contact) bool) {
		i, in := w.Proxied(o).Body, &w.ownerContacts
		if in.listed.Has(i) {
			w.eachListed(o, yield)
			return
		}
		n := 0
		for l, c := range w.ContactsOf(i) {
			if n++; w.isOf(c, o) && !yield(l>>1, c) {
				break
			}
		}
		if n > manyContacts && !w.Stepping {
			if in.asked.Has(i) {
				w.listContacts(i)
			}
			in.asked.Add(i)
		}
	}
}

// isOf reports whether c is a contact of o.
func (w *World) isOf(c *Contact, o broad.Owner) bool {
	return broad.OwnerOfB(c.ShapeB) == o || w.Contacts.SideA(c) == o
}

// listContacts lists the contacts of body i by shape, ground and chain.
func (w *World) listContacts(i int32) {
	in := &w.ownerContacts
	from := int32(len(in.entries))
	for l := range w.ContactsOf(i) {
		in.entries = append(in.entries, ownerContact{contact: l})
	}
	if in.first == nil {
		in.first = map[broad.Owner]int32{}
	}
	for k := int32(len(in.entries)) - 1; k >= from; k-- { // each goes in front of its list
		e := &in.entries[k]
		c := w.Contacts.At(e.contact >> 1)
		o := w.Contacts.SideA(c)
		if e.contact&1 == 1 {
			o = broad.OwnerOfB(c.ShapeB)
		}
		e.contact >>= 1
		e.next = -1
		if next, ok := in.first[o]; ok {
			e.next = next
		}
		in.first[o] = k
	}
	in.listed.Add(i)
}

// eachListed yields the listed contacts of o that have not ended.
func (w *World) eachListed(o broad.Owner, yield func(int32, *Contact) bool) {
	in := &w.ownerContacts
	k, ok := in.first[o]
	for ok && k >= 0 {
		e := in.entries[k]
		if k = e.next; w.Contacts.Has(e.contact) && !yield(e.contact, w.Contacts.At(e.contact)) {
			return
		}
	}
}
