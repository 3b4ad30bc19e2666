package quarry

import "github.com/quarry2d/quarry/geom"

// SolvedContact is a contact as the solver solved it in the last step. Contacts of one colour share no body that moves,
// so their order has no effect; see docs/solver.md.
type SolvedContact struct {
	Contact
	// Color is the graph colour, from 0 to 31. It is -1 for a contact of a body with so many that the colours do not
	// suffice: such contacts are solved one by one, before the colours.
	Color int
	// Fixed tells that one of the bodies is static or kinematic, or so heavy that it counts as static. Such contacts
	// have colours of their own, which are solved last.
	Fixed bool
}

// AppendSolved appends the contacts that the solver solved in the last step and that have a point in view, in the order
// of the solver's list. The bodies of sleeping islands have none, and a world that was restored has none before its
// next step. It costs time only when it is called: it goes through all contacts of awake bodies.
func (w *World) AppendSolved(dst []SolvedContact, view geom.AABB) []SolvedContact {
	w.mustBeMade()
	for ref, color := range w.stages.Colors(&w.state) {
		c := w.state.Contacts.At(ref.Contact)
		m, on := w.state.Contacts.ManifoldAt(ref)
		center, seen := w.state.Bodies.At(c.BodyB).Center, false
		for k := range m.Points[:m.N] {
			seen = seen || view.ContainsPoint(center.Add(m.Points[k].AnchorB))
		}
		if seen {
			dst = append(dst, SolvedContact{w.contactOf(ref.Contact, c, m, on), color.Index, color.Fixed})
		}
	}
	return dst
}
