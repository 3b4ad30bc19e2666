package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// order puts the contacts that the solver may take, which are active and touch, into the order of their pairs
// (Contacts.Order). It reports whether these contacts or their order have changed since the last call. If many of
// them are out of that order in memory, it moves all active contacts to other slots.
func (s *sorting) order(w *state.World, t *team.Team) bool {
	cs := &w.Contacts
	for _, i := range cs.Order.Begin(cs.Active, cs.Touching) {
		c := cs.At(i)
		p := contact.Pair{Contact: i, BodyA: c.BodyA, BodyB: c.BodyB, A: c.ShapeA, B: c.ShapeB}
		if !c.OfShapes() {
			p.A = ^c.Surface
		}
		cs.Order.Add(broad.Rank(cs.SideA(c), c.ShapeB), p)
	}
	changed := cs.Order.Sort()
	if cs.Order.Scattered() {
		s.sort(w, t)
	}
	return changed
}

// sorting moves the active contacts among their slots, so that they lie in memory in the order of their pairs.
// Contacts of a body then lie side by side, and the loops of the narrow phase and the solver's source go through
// bodies and manifolds in the order of memory.
type sorting struct {
	world *state.World
	moves pool.Moves
	loops struct{ move, renumber func(worker, from, to int) }
}

// renumberGrain is the number of contacts in a range of the loop of renumber.
const renumberGrain = 256

func (s *sorting) sort(w *state.World, t *team.Team) {
	if s.world != w {
		s.world = w
		s.loops.move, s.loops.renumber = team.Indices(s.move), team.Indices(s.renumber)
	}
	cs, m := &w.Contacts, &s.moves
	m.Begin(cs.Slots())
	for i := range cs.Active.All() {
		c := cs.At(i)
		m.Add(i, broad.Rank(cs.SideA(c), c.ShapeB))
	}
	m.Sort()
	t.Each(3, 1, s.loops.move)
	t.Each(1+(len(m.Slots())-1)/renumberGrain+1, 1, s.loops.renumber)
}

// move moves the contacts in a part of the slices of Contacts: task 0 in the manifolds, task 1 in the pool and
// the lists of bodies, task 2 in the bases and the order.
func (s *sorting) move(task int) {
	w, m := s.world, &s.moves
	cs := &w.Contacts
	switch task {
	case 0:
		pool.Move(cs.Manifolds, m)
		pool.Move(cs.Totals, m)
		pool.Move(cs.Points, m)
	case 1:
		cs.Ends.Move(m, func(i int32) (a, b *int32) {
			c := cs.At(i)
			return &w.Bodies.At(c.BodyA).FirstContact, &w.Bodies.At(c.BodyB).FirstContact
		})
		cs.Pool.Move(m)
	default:
		pool.Move(cs.Bases, m)
		cs.Order.Move(m)
	}
}

// renumber puts the new slots of moved contacts into the containers of slots: task 0 into the set of touching
// contacts, each further task into the table of pairs, for a range of the slots.
func (s *sorting) renumber(task int) {
	w, m := s.world, &s.moves
	cs, slots := &w.Contacts, m.Slots()
	if task == 0 {
		for _, i := range slots {
			c := cs.At(i)
			cs.Touching.Set(i, c.Touching && !c.Sensor)
		}
		return
	}
	for _, i := range slots[(task-1)*renumberGrain : min(task*renumberGrain, len(slots))] {
		if c := cs.At(i); m.To(i) != i {
			w.Broad.Pairs.Set(uint64(broad.KeyOf(cs.SideA(c), c.ShapeB)), i)
		}
	}
}
