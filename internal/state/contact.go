package state

import (
	"iter"
	"math"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
)

// Contact is the state of a pair: two shapes, a shape and a ground or chain, two grounds, or a chain and a ground. It
// exists while the two boxes in the broad phase overlap.
//
// A contact is 64 bytes, one cache line (TestContactLayout). For two shapes that stay apart a step reads only this line
// and the first cache lines of the bodies. The other data of a contact is in the slices of Contacts.
type Contact struct {
	Last           narrow.Last // of two shapes, of two grounds, or of a shape and a ground that do not touch
	BodyA, BodyB   int32
	ShapeA, ShapeB int32  // slots; ShapeA is -1 with a ground or chain, ShapeB below 0 with a ground (broad.B)
	Surface        int32  // slot in Contacts.Surfaces, if ShapeA is -1
	BoxChanges     uint32 // sum of BoxChanges of both bodies when the two boxes of the pair were last compared
	Sensor         bool
	Touching       bool // if it is no sensor's, it has a manifold
	Stale          bool // of a sensor: the next step computes the contact even if neither body moves
	Flags          Flags
	Refused        bool // the custom filter refused the pair
	Disabled       bool // the pre-solve function left out a manifold in this step
}

// SurfaceContact is the state that only a contact with a ground or chain as side A has. A freed slot keeps the memory
// of its slices.
type SurfaceContact struct {
	narrow.Memory
	Owner     broad.Owner         // the ground or chain
	Materials [2][]contact.Source // with MaterialEvents, the sources of A and B whose begins have been reported
	UpdatedAt uint64              // 1 + the number of steps when its manifolds were last computed
	kinds     uint64              // see NoteKinds
}

// OfGrounds reports whether c is a contact of two grounds, or of a chain and a ground.
func (c *Contact) OfGrounds() bool { return c.ShapeB < 0 }

// OfShapes reports whether c is a contact of two shapes.
func (c *Contact) OfShapes() bool { return c.ShapeA >= 0 }

// NoteKinds reports whether the number of manifolds, or the number of points of one, has changed since the last call.
func (s *SurfaceContact) NoteKinds() bool {
	kinds := uint64(1)
	for k := range s.Manifolds {
		kinds = kinds<<1 | uint64(s.Manifolds[k].N&1)
	}
	if changed := kinds != s.kinds || len(s.Manifolds) > 62; changed {
		s.kinds = kinds
		return true
	}
	return false
}

// Contacts holds the contacts of a world. Slices are by slot of contact.
type Contacts struct {
	pool.Pool[Contact]
	// contacts of bodies that may move in the next step; the narrow phase removes contacts of bodies at rest
	Active    pool.Bits
	Touching  pool.Bits          // contacts that touch, without sensors'
	Manifolds []contact.Manifold // of two shapes
	Totals    []contact.Totals   // of these manifolds
	Points    []int8             // number of points in these manifolds
	Bases     []narrow.Base      // of the manifolds whose two points are kept
	Ends      pool.Edges         // the contact's ends in the lists of its bodies
	ChosenAt  []uint64           // 1 + the number of steps when a crowd last chose the contact
	Surfaces  pool.Pool[SurfaceContact]
	Order     contact.Order // of the solver's contacts; kept from step to step, as it changes little

	loading loadingContacts
}

// SurfaceOf returns the state of c, with a ground or chain.
func (cs *Contacts) SurfaceOf(c *Contact) *SurfaceContact { return cs.Surfaces.At(c.Surface) }

// SideA returns the owner of side A of c.
func (cs *Contacts) SideA(c *Contact) broad.Owner {
	if c.OfShapes() {
		return broad.OwnerOf(broad.Shape, c.ShapeA)
	}
	return cs.SurfaceOf(c).Owner
}

// Sides returns the owners of both sides of c.
func (cs *Contacts) Sides(c *Contact) (a, b broad.Owner) {
	return cs.SideA(c), broad.OwnerOfB(c.ShapeB)
}

// ManifoldAt returns the manifold of ref, and the SurfaceManifold that has it if side A is a ground or chain; otherwise
// nil.
func (cs *Contacts) ManifoldAt(ref *rows.Ref) (*contact.Manifold, *contact.SurfaceManifold) {
	if ref.A >= 0 {
		return &cs.Manifolds[ref.Contact], nil
	}
	on := &cs.Surfaces.At(^ref.A).Manifolds[ref.Index]
	return &on.Manifold, on
}

// OtherAt returns the sources of the manifold of ref on side B, if side B is a ground; otherwise nil.
func (cs *Contacts) OtherAt(ref *rows.Ref) *[2]contact.Source {
	if ref.B >= 0 {
		return nil
	}
	return &cs.Surfaces.At(^ref.A).Others[ref.Index].Sources
}

// TotalsOf returns the impulses of the step of a manifold of contact i; on is that manifold with a ground or chain,
// else nil.
func (cs *Contacts) TotalsOf(i int32, on *contact.SurfaceManifold) *contact.Totals {
	if on == nil {
		return &cs.Totals[i]
	}
	return &on.Totals
}

// ManifoldsOf yields the manifolds of contact i, which is c, as ManifoldAt returns them.
func (cs *Contacts) ManifoldsOf(i int32, c *Contact) iter.Seq2[*contact.Manifold, *contact.SurfaceManifold] {
	return func(yield func(*contact.Manifold, *contact.SurfaceManifold) bool) {
		n, a := 0, c.ShapeA
		if !c.OfShapes() {
			n, a = len(cs.SurfaceOf(c).Manifolds), ^c.Surface
		} else if c.Touching && !c.Sensor {
			n = 1
		}
		for k := range n {
			if m, on := cs.ManifoldAt(&rows.Ref{Contact: i, A: a, B: c.ShapeB, Index: int32(k)}); !yield(m, on) {
				return
			}
		}
	}
}

// Of yields the contacts of body b, as slot*2 + the body's side; the loop may remove the contact that it visits.
func (cs *Contacts) Of(b *Body) iter.Seq2[int32, *Contact] {
	return pool.EdgesOf(cs.Ends, &cs.Pool, b.FirstContact)
}

// Clear clears the elements of the slices for contact i.
func (cs *Contacts) Clear(i int32) {
	pool.Clear(&cs.Manifolds, &cs.Pool, i)
	pool.Clear(&cs.Totals, &cs.Pool, i)
	pool.Clear(&cs.Points, &cs.Pool, i)
	pool.Clear(&cs.Bases, &cs.Pool, i)
	pool.Clear(&cs.Ends, &cs.Pool, i)
	pool.Clear(&cs.ChosenAt, &cs.Pool, i)
}

// Extend makes the slices beside the contacts as long as these.
func (cs *Contacts) Extend() {
	pool.Extend(&cs.Manifolds, &cs.Pool)
	pool.Extend(&cs.Totals, &cs.Pool)
	pool.Extend(&cs.Points, &cs.Pool)
	pool.Extend(&cs.Bases, &cs.Pool)
	pool.Extend(&cs.Ends, &cs.Pool)
	pool.Extend(&cs.ChosenAt, &cs.Pool)
}

// AddSurface gives c, whose side A is the ground or chain o, a SurfaceContact.
func (cs *Contacts) AddSurface(c *Contact, o broad.Owner) {
	k, _, s := cs.Surfaces.Add()
	*s, c.Surface = SurfaceContact{Memory: s.Memory, Owner: o, Materials: [2][]contact.Source{
		s.Materials[0][:0],
		s.Materials[1][:0],
	}}, k
}

// Remove removes contact i, which is in no list.
func (cs *Contacts) Remove(i int32) {
	if c := cs.At(i); !c.OfShapes() {
		cs.SurfaceOf(c).Reset()
		cs.Surfaces.Release(c.Surface)
	}
	cs.Pool.Remove(i)
	cs.Active.Remove(i)
	cs.Order.Remove(i)
}

// CheckEnds reports whether the list of contacts of body i, which is b, has only contacts of that body, and
// subtracts their number from left.
func (cs *Contacts) CheckEnds(i int32, b *Body, left *int) bool {
	return cs.Ends.Check(b.FirstContact, left, func(end int32) bool {
		if !cs.Has(end >> 1) {
			return false
		}
		c := cs.At(end >> 1)
		return end&1 == 0 && c.BodyA == i || end&1 == 1 && c.BodyB == i
	})
}

// Visit visits all contacts.
func (cs *Contacts) Visit(c *pool.Codec) {
	cs.Pool.Visit(c, "contact", false, func(i int32, s *Contact) { cs.visit(c, i, s) })
}

// visit visits contact i, which is s.
func (cs *Contacts) visit(c *pool.Codec, i int32, s *Contact) {
	if c.Reading() {
		cs.Clear(i)
	}
	c.Pair(&s.ShapeA, &s.ShapeB)
	if !c.Hashing() {
		c.Pair(&s.BodyA, &s.BodyB)
		pool.Up(c, &s.BoxChanges, math.MaxUint32)
		c.Flags(new(uint8), 0, &s.Sensor, &s.Touching, &s.Stale, &s.Refused, &s.Disabled)
		pool.Up(c, &s.Flags, uint64(AllFlags))
		cs.Ends.Visit(c, i)
	} else if s.Refused {
		c.Hasher().Rare('f', 1)
	}
	if !s.OfShapes() {
		cs.visitSurface(c, i, s)
		return
	}
	if s.Touching && !s.Sensor {
		cs.Manifolds[i].Visit(c)
		if !c.Hashing() {
			cs.Manifolds[i].VisitTotals(c, &cs.Totals[i])
		}
		cs.Points[i] = int8(cs.Manifolds[i].N)
	}
	s.Last.Visit(c, &cs.Bases[i], s.Touching)
}

// visitSurface visits the SurfaceContact of s, whose slot is not part of the state.
func (cs *Contacts) visitSurface(c *pool.Codec, i int32, s *Contact) {
	if c.Reading() {
		s.Surface, _, _ = cs.Surfaces.Add()
	}
	t := cs.SurfaceOf(s)
	if chain := uint64(t.Owner.Slot()); c.Hashing() && t.Owner.Kind() == broad.Chain {
		c.Word(&chain)
	} else if !c.Hashing() {
		pool.Up(c, &t.Owner, math.MaxUint64)
	}
	t.Memory.Visit(c)
	if s.OfGrounds() {
		if !c.Hashing() {
			t.VisitOthers(c)
		}
		if c.Has(2) {
			s.Last.Visit(c, &cs.Bases[i], s.Touching)
		}
	}
	if !c.Hashing() {
		pool.List(c, &t.Materials[0], 8, func(_ int, s *contact.Source) { s.Visit(c) })
		if s.OfGrounds() && s.Flags&MaterialEvents != 0 {
			pool.List(c, &t.Materials[1], 8, func(_ int, s *contact.Source) { s.Visit(c) })
		}
	}
}
