package state

import (
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
)

// savedContacts is a Contacts at one time, in little memory. Manifolds of contacts that do not touch have no effect.
type savedContacts struct {
	pool      pool.PackedPool[Contact]
	active    pool.Bits
	touching  pool.Bits
	manifolds pool.Packed[savedManifold] // of the contacts that touch, in the order of slots
	next      [][2]int32                 // see pool.Edges
	chosenAt  []uint64                   // up to the last that is not 0

	slots    pool.SavedSlots // of the SurfaceContacts
	surfaces pool.Packed[savedSurface]
	memories []narrow.Memory // of the SurfaceContacts with one, without the lists
	on       pool.Packed[contact.SurfaceManifold]
	others   []narrow.Opposite
	stood    []gridseg.Cell
	sources  []contact.Source
}

// savedManifold is what a contact that touches has beside the pool.
type savedManifold struct {
	manifold contact.Manifold
	totals   contact.Totals
	base     narrow.Base
}

// savedSurface is a SurfaceContact; its lists and its memory are the next of those in savedContacts.
type savedSurface struct {
	owner            broad.Owner
	updatedAt, kinds uint64
	manifolds        int32
	others           int32
	stood            int32
	materials        [2]int32
	remembers        bool
	_                [3]byte
}

func (s *savedContacts) save(room *pool.Packing, from *Contacts) {
	s.pool.Pack(room, &from.Pool)
	pool.CopySlice(pool.Room(&s.active, len(from.Active)), from.Active)
	pool.CopySlice(pool.Room(&s.touching, len(from.Touching)), from.Touching)
	from.Ends.SaveNext(&s.next)
	n := len(from.ChosenAt)
	for n > 0 && from.ChosenAt[n-1] == 0 {
		n--
	}
	pool.CopySlice(pool.Room(&s.chosenAt, n), from.ChosenAt[:n])
	s.saveManifolds(room, from)
	s.saveSurfaces(room, from)
}

func (s *savedContacts) saveManifolds(room *pool.Packing, from *Contacts) {
	n := 0
	for i := range from.Slots() {
		if from.At(i).Touching { // not a free slot
			n++
		}
	}
	s.manifolds.Begin(room, n)
	for i := range from.Slots() {
		if from.At(i).Touching {
			to := s.manifolds.Next(room)
			to.manifold, to.totals, to.base = from.Manifolds[i], from.Totals[i], from.Bases[i]
		}
	}
	s.manifolds.End(room)
}

func (s *savedContacts) saveSurfaces(room *pool.Packing, from *Contacts) {
	n := int(from.Surfaces.Slots())
	pool.SaveSlots(&s.slots, &from.Surfaces)
	s.memories, s.others, s.stood, s.sources = s.memories[:0], s.others[:0], s.stood[:0], s.sources[:0]
	s.surfaces.Begin(room, n)
	manifolds := 0
	for i := range n {
		c, to := from.Surfaces.At(int32(i)), s.surfaces.Next(room)
		*to = savedSurface{
			owner: c.Owner, updatedAt: c.UpdatedAt, kinds: c.kinds,
			manifolds: int32(len(c.Manifolds)), others: int32(len(c.Others)), stood: int32(len(c.OneWay.Stood)),
			materials: [2]int32{int32(len(c.Materials[0])), int32(len(c.Materials[1]))},
			remembers: !c.Memory.Empty(),
		}
		manifolds += len(c.Manifolds)
		if to.remembers {
			s.memories = append(s.memories, c.Memory.WithoutLists())
		}
		s.others, s.stood = append(s.others, c.Others...), append(s.stood, c.OneWay.Stood...)
		s.sources = append(append(s.sources, c.Materials[0]...), c.Materials[1]...)
	}
	s.surfaces.End(room)
	s.on.Begin(room, manifolds)
	for i := range n {
		on := from.Surfaces.At(int32(i)).Manifolds
		for k := range on {
			*s.on.Next(room) = on[k]
		}
	}
	s.on.End(room)
}

// load makes to the contacts of s, and sets the pairs of p.
func (s *savedContacts) load(to *Contacts, p *broad.Phase) {
	room := &to.loading
	contacts, surfaces := s.pool.Items.List(&room.contacts), s.surfaces.List(&room.surfaces)
	s.loadPairs(to, p, contacts, surfaces)
	to.Pool.Set(contacts, &s.pool.Slots)
	n := to.Slots()
	pool.CopySlice(&to.Active, s.active)
	pool.CopySlice(&to.Touching, s.touching)
	to.Ends.LoadNext(s.next, &s.pool.Slots)
	pool.CopySlice(&to.ChosenAt, s.chosenAt)
	to.Extend()
	to.Manifolds, to.Totals, to.Bases = to.Manifolds[:n], to.Totals[:n], to.Bases[:n]
	to.Points = to.Points[:n]
	saved := s.manifolds.List(&room.manifolds)
	for i := range n {
		if to.Used(i) && to.At(i).Touching {
			m := &saved[0]
			to.Manifolds[i], to.Totals[i], to.Bases[i] = m.manifold, m.totals, m.base
			saved = saved[1:]
		} else if m := &to.Manifolds[i]; m.N != 0 {
			*m, to.Totals[i] = contact.Manifold{}, contact.Totals{}
		}
		to.Points[i] = int8(to.Manifolds[i].N)
	}
	s.loadSurfaces(to, surfaces)
	to.Order.Reset()
}

// loadPairs makes the pairs of p equal the pairs of s: it takes out the pairs of to that are not in the same slot of
// s, and then puts in the others of s.
func (s *savedContacts) loadPairs(to *Contacts, p *broad.Phase, contacts []Contact, surfaces []savedSurface) {
	room := &to.loading
	keyOf := func(i int32) uint64 { // of s
		c, o := &contacts[i], broad.Owner(0)
		if c.OfShapes() {
			o = broad.OwnerOf(broad.Shape, c.ShapeA)
		} else {
			o = surfaces[c.Surface].owner
		}
		return uint64(broad.KeyOf(o, c.ShapeB))
	}
	room.added = room.added[:0]
	n := int32(len(contacts))
	for i := range max(n, to.Slots()) {
		was, is := to.Has(i), i < n && s.pool.Slots.Used(i)
		if was {
			c := to.At(i)
			if is && c.ShapeB == contacts[i].ShapeB && c.ShapeA == contacts[i].ShapeA &&
				(c.OfShapes() || to.SideA(c) == surfaces[contacts[i].Surface].owner) {
				continue
			}
			p.Pairs.Delete(uint64(broad.KeyOf(to.SideA(c), c.ShapeB)))
		}
		if is {
			room.added = append(room.added, i)
		}
	}
	for _, i := range room.added {
		p.Pairs.Put(keyOf(i), i)
	}
}

func (s *savedContacts) loadSurfaces(to *Contacts, surfaces []savedSurface) {
	pool.LoadSlots(&s.slots, &to.Surfaces)
	memories, on, others, stood, sources := s.memories, s.on.List(&to.loading.on), s.others, s.stood, s.sources
	for i := range surfaces {
		from, c := &surfaces[i], to.Surfaces.At(int32(i))
		var m narrow.Memory
		if from.remembers {
			m, memories = memories[0], memories[1:]
		}
		m.Manifolds, on = take(c.Manifolds, on, from.manifolds)
		m.Others, others = take(c.Others, others, from.others)
		m.OneWay.Stood, stood = take(c.OneWay.Stood, stood, from.stood)
		for k := range c.Materials {
			c.Materials[k], sources = take(c.Materials[k], sources, from.materials[k])
		}
		c.Memory, c.Owner, c.UpdatedAt, c.kinds = m, from.owner, from.updatedAt, from.kinds
	}
}

// take returns a list, in the room of to, of the first n elements of from, and the others.
func take[S ~[]T, T any](to, from S, n int32) (list, rest S) {
	return append(to[:0], from[:n]...), from[n:]
}

// loadingContacts is the memory of savedContacts.load.
type loadingContacts struct {
	contacts  []Contact
	surfaces  []savedSurface
	manifolds []savedManifold
	on        []contact.SurfaceManifold
	added     []int32 // contacts whose pairs are to be put in
}
