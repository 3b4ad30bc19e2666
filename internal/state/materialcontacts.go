package state

import (
	"slices"

	"github.com/quarry2d/quarry/internal/contact"
)

// materialContacts lists the contacts that touch by the numbers of their materials: so a game that changes many
// materials, one after the other, takes time in proportion to the number of materials and contacts. The lists are made
// by the call of WakeOn number manyAsked between two steps, as they cost as much as so many looks at all contacts; they
// are valid until the next step. Contacts that have ended since are still in them. The zero value is empty.
type materialContacts struct {
	steps  uint64 // World.Steps
	asked  int
	listed bool
	of     map[uint16][]int32 // sorted slots of contacts
}

const manyAsked = 16

// forget empties m.
func (m *materialContacts) forget() {
	m.asked, m.listed = 0, false
	clear(m.of)
}

// TouchesMaterial reports whether the contact c is with a surface of the material id.
func (w *World) TouchesMaterial(c *Contact, id uint16) (touches bool) {
	w.eachMaterial(c, func(n uint16) { touches = touches || n == id || w.Surfaces.Number(n) == id })
	return touches
}

// eachMaterial calls f with the number of the material of each surface of c, some more than once.
func (w *World) eachMaterial(c *Contact, f func(number uint16)) {
	if c.OfShapes() {
		f(w.Shapes.At(c.ShapeA).Material)
	} else {
		s := w.Contacts.SurfaceOf(c)
		for k := range s.Manifolds {
			n := s.Manifolds[k].N
			sources := [2][]contact.Source{s.Manifolds[k].Sources[:n]}
			if c.OfGrounds() {
				sources[1] = s.Others[k].Sources[:n]
			}
			for _, list := range sources {
				for j := range list {
					f(list[j].Material)
				}
			}
		}
	}
	if !c.OfGrounds() {
		f(w.Shapes.At(c.ShapeB).Material)
	}
}

// WakeOn wakes the bodies that touch a surface of the material id.
func (w *World) WakeOn(id uint16) {
	m := &w.materialContacts
	if m.steps != w.Steps {
		m.forget()
		m.steps = w.Steps
	}
	if m.asked++; m.asked > manyAsked && !m.listed {
		w.listMaterials()
	}
	wake := func(c *Contact) {
		if c.Touching && !c.Sensor && w.TouchesMaterial(c, id) {
			w.Wake(c.BodyA)
			w.Wake(c.BodyB)
		}
	}
	if !m.listed || id == 0 { // 0 stands for all numbers that are not in the table, too
		for _, c := range w.Contacts.All() {
			wake(c)
		}
		return
	}
	for _, i := range m.of[id] {
		if w.Contacts.Has(i) {
			wake(w.Contacts.At(i))
		}
	}
}

// listMaterials lists the contacts by material.
func (w *World) listMaterials() {
	m := &w.materialContacts
	if m.of == nil {
		m.of = map[uint16][]int32{}
	}
	for i, c := range w.Contacts.All() {
		if c.Touching && !c.Sensor {
			w.eachMaterial(c, func(n uint16) { m.add(n, i) })
		}
	}
	m.listed = true
}

// add lists contact i under a material, by slot, as WakeOn wakes bodies without lists.
func (m *materialContacts) add(number uint16, i int32) {
	list := m.of[number]
	if k, has := slices.BinarySearch(list, i); !has {
		m.of[number] = slices.Insert(list, k, i)
	}
}

// MaterialOfShape notes that contact i, of a shape, now has the material with the number.
func (w *World) MaterialOfShape(i int32, number uint16) {
	if m := &w.materialContacts; m.listed && m.steps == w.Steps {
		m.add(number, i)
	}
}
