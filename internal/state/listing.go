package state

import (
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/store"
)

// Listing lists the manifolds of awake bodies for the solver, in the order of their pairs, and joins the islands. It keeps both from
// step to step, while no contact begins, ends or changes its number of points, and the same bodies with the same masses and joints
// are awake. The zero Listing is empty.
type Listing struct {
	rows.List
	sides  []Side       // of the bodies, by slot; zero of those that the solver does not move
	bodies int          // that it moves
	joints []solve.Link // of the step before
	heavy  []int32      // manifolds that need an impulse
	listed bool         // there is a list of the step before
	others atomic.Bool  // bodies are not those of the step before, or have other masses
}

// Side is a body as lists of contacts and joints read it.
type Side struct {
	InvMass float64
	Index   int32 // in the solver, 0: the solver does not move it
	held    bool
}

// drives reports whether s is a kinematic body that moves.
func (s *Side) drives() bool { return s.Index != 0 && s.InvMass == 0 }

// Reset empties l: the world has another state.
func (l *Listing) Reset() {
	clear(l.sides)
	l.listed = false
}

// BeginBodies begins the list of a step's bodies, of a world with so many slots of bodies. Several goroutines may then call Moves and Rests,
// for different bodies.
func (l *Listing) BeginBodies(slots int) {
	l.sides = slices.Grow(l.sides, max(0, slots-len(l.sides)))[:max(slots, len(l.sides))]
	l.others.Store(false)
}

// Moves tells that the solver moves body i, which is b.
func (l *Listing) Moves(i int32, b *Body) {
	if now := (Side{b.InvMass, b.SolverIndex, b.Held > 0}); l.sides[i] != now {
		l.sides[i] = now
		l.others.Store(true)
	}
}

// Rests tells that the solver does not move body i, which it may have moved in the step before.
func (l *Listing) Rests(i int32) {
	l.sides[i] = Side{}
	l.others.Store(true)
}

// Side returns body i.
func (l *Listing) Side(i int32, bodies *store.Pool[Body]) Side {
	s := l.sides[i]
	if s.Index == 0 {
		s.InvMass = bodies.At(i).InvMass
	}
	return s
}

// Make makes the list of a step, and gives the solver its links and islands. With changed, some contact may have
// another number of points than in the step before; kinematic are the indices of the kinematic bodies in the solver, less 1, and joints
// the slots of the solver's joints.
func (l *Listing) Make(w *World, s *solve.Solver, kinematic, joints []int32, changed bool) {
	bodies := len(s.Motions) - 1
	changed = w.sortContacts() || changed || !l.listed || l.others.Load() || l.bodies != bodies || !slices.Equal(l.joints, s.JointLinks)
	if l.bodies = bodies; changed {
		l.joints = append(l.joints[:0], s.JointLinks...)
		w.Islands.Reset(l.bodies)
		for _, k := range kinematic {
			w.Islands.Join(0, k+1)
		}
		for _, i := range joints {
			j := w.Joints.At(i)
			a, b := l.Side(j.BodyA, &w.Bodies), l.Side(j.BodyB, &w.Bodies)
			w.Islands.Touch(a.Index, b.Index, a.InvMass == 0 || b.InvMass == 0)
		}
		l.list(w)
		s.Links = append(s.Links[:0], l.Links()...)
		l.listed = true
	} else {
		s.Keep(len(l.heavy) > 0)
	}
	w.Islands.Number()
	s.Islands, s.IslandCount = w.Islands.Of(), w.Islands.Len()
	for _, i := range l.heavy {
		link := &s.Links[i]
		m, _ := w.Contacts.ManifoldAt(l.At(i))
		link.Impulse = rows.Load(m, &s.Motions[link.A], &s.Motions[link.B])
	}
}

// list lists the contacts, and joins the islands of their bodies.
func (l *Listing) list(w *World) {
	l.List.Reset()
	l.heavy = l.heavy[:0]
	sides, points, pairs, islands := l.sides, w.Contacts.Points, w.Contacts.Order.Pairs(), &w.Islands
	refs, links := l.Room(len(pairs))
	n := 0 // taken of them
	for k := range pairs {
		p := &pairs[k]
		a, b := &sides[p.BodyA], &sides[p.BodyB]
		static, heavy := solve.Kind(a.InvMass, b.InvMass)
		if p.A < 0 || static || heavy { // or a body that the solver does not move
			l.Took(n)
			l.add(p, w)
			refs, links = l.Room(len(pairs) - k)
			n = 0
			continue
		}
		ref, link := &refs[n], &links[n]
		ref.Contact, ref.A, ref.B, ref.Index = p.Contact, p.A, p.B, 0
		link.Set(a.Index, b.Index, points[p.Contact], false)
		n++
	}
	l.Took(n)
	links = l.Links()
	for i := range links {
		if a, b := links[i].A, links[i].B; a != 0 && b != 0 {
			islands.Join(a, b)
		}
	}
	l.Finish()
}

// add lists the contact p, of any kind. Contacts of the group Free join no islands.
func (l *Listing) add(p *contact.Pair, w *World) {
	cs := &w.Contacts
	a, b := l.Side(p.BodyA, &w.Bodies), l.Side(p.BodyB, &w.Bodies)
	if a.Index == 0 && b.Index == 0 {
		return
	}
	group := rows.Free
	static, heavy := solve.Kind(a.InvMass, b.InvMass)
	if static {
		group = rows.GroupOf(a.drives() || b.drives(), p.A >= 0)
		w.Islands.Touch(a.Index, b.Index, a.InvMass == 0 || b.InvMass == 0)
	}
	n := 1
	if p.A < 0 {
		n = len(cs.Surfaces.At(^p.A).Manifolds)
	}
	for k := range n {
		if heavy {
			l.heavy = append(l.heavy, l.Took(0))
		}
		ref, link := l.Add(group)
		ref.Contact, ref.A, ref.B, ref.Index = p.Contact, p.A, p.B, int32(k)
		m, _ := cs.ManifoldAt(ref)
		link.Set(a.Index, b.Index, int8(m.N), static)
	}
}
