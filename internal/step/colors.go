package step

import (
	"iter"

	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/state"
)

// Color is the solver's colour of a manifold: Index as Solver.ColorOf returns it.
type Color struct {
	Index int
	Fixed bool
}

// Colors yields the manifolds that the solver solved in the last step, in its order, with their colours. It leaves out
// contacts that an edit has removed since. After Forget there are none.
func (s *Stages) Colors(w *state.World) iter.Seq2[*rows.Ref, Color] {
	return func(yield func(*rows.Ref, Color) bool) {
		l := &s.List.Contacts
		if !l.valid {
			return
		}
		for i := range s.Solver.Links {
			ref := l.At(int32(i))
			if !w.Contacts.Has(ref.Contact) || !lists(w, ref) {
				continue
			}
			index, fixed := s.Solver.ColorOf(int32(i))
			if !yield(ref, Color{index, fixed}) {
				return
			}
		}
	}
}

// lists reports whether the contact of ref has its manifold still. Contacts begin within a step alone, so no other one
// has taken its slot.
func lists(w *state.World, ref *rows.Ref) bool {
	c := w.Contacts.At(ref.Contact)
	if !c.Touching || c.Sensor || c.ShapeB != ref.B {
		return false
	}
	if ref.A >= 0 {
		return c.ShapeA == ref.A
	}
	return !c.OfShapes() && c.Surface == ^ref.A && int(ref.Index) < len(w.Contacts.SurfaceOf(c).Manifolds)
}
