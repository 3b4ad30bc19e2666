package step

import (
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// Listing lists the manifolds of awake bodies for the solver, in the order of their pairs, and joins the islands.
// It keeps both from step to step, while no contact begins, ends or changes its number of points, and the same
// bodies with the same masses and joints are awake. The zero Listing is empty.
type Listing struct {
	rows.List
	inSolver      []ListedBody // by slot of body; zero for bodies that the solver does not move
	bodies        int          // number of bodies that the solver moves
	joints        []solve.Link // of the step before
	heavy         []int32      // manifolds that are heavy; see solve.Kind
	valid         bool         // there is a list of the step before
	bodiesChanged atomic.Bool  // some bodies are not the last step's, or have other masses
	world         *state.World
	parts         []listedPart // of the workers
	sorting       sorting
	loop          func(worker, from, to int) // made once, so that a step allocates nothing
}

// listedPart is the result of a worker for its part of the contacts, besides the manifolds.
type listedPart struct {
	heavy   []int32 // as Listing.heavy, by their numbers in the part
	touches []touch // of contacts that join no islands
	_       [80]byte
}

// touch is the arguments of state.Islands.Touch for a contact.
type touch struct {
	a, b  int32 // indices of the bodies in the solver
	fixed bool  // one of them has no mass
}

// ListedBody is a body as the lists of contacts and joints read it.
type ListedBody struct {
	InvMass float64
	Index   int32 // in the solver, 0: the solver does not move it
	held    bool
}

// kinematic reports whether s is a kinematic body that moves.
func (s *ListedBody) kinematic() bool { return s.Index != 0 && s.InvMass == 0 }

// Reset empties l: the world has another state.
func (l *Listing) Reset() {
	clear(l.inSolver)
	l.valid = false
}

// BeginBodies begins the list of a step's bodies, of a world with the given number of slots of bodies. Several
// goroutines may then call NoteMoving and NoteResting, for different bodies.
func (l *Listing) BeginBodies(slots int) {
	l.inSolver = slices.Grow(l.inSolver, max(0, slots-len(l.inSolver)))[:max(slots, len(l.inSolver))]
	l.bodiesChanged.Store(false)
}

// NoteMoving notes that the solver moves body i, which is b.
func (l *Listing) NoteMoving(i int32, b *state.Body) {
	if now := (ListedBody{b.InvMass, b.SolverIndex, b.Held > 0}); l.inSolver[i] != now {
		l.inSolver[i] = now
		l.bodiesChanged.Store(true)
	}
}

// NoteResting notes that the solver does not move body i, which it may have moved in the step before.
func (l *Listing) NoteResting(i int32) {
	l.inSolver[i] = ListedBody{}
	l.bodiesChanged.Store(true)
}

// Body returns body i.
func (l *Listing) Body(i int32, bodies *pool.Pool[state.Body]) ListedBody {
	s := l.inSolver[i]
	if s.Index == 0 {
		s.InvMass = bodies.At(i).InvMass
	}
	return s
}

// Make makes the list of a step, or keeps the last step's, and gives the solver its links and islands.
// With changed, some contact may have another number of points than in the step before; kinematic are the indices
// of the kinematic bodies in the solver, less 1, and joints the slots of the solver's joints.
func (l *Listing) Make(w *state.World, t *team.Team, s *solve.Solver, kinematic, joints []int32, changed bool) {
	bodies := len(s.Motions) - 1
	changed = l.sorting.order(w, t) || changed || !l.valid || l.bodiesChanged.Load() || l.bodies != bodies ||
		!slices.Equal(l.joints, s.JointLinks)
	if l.bodies = bodies; changed {
		l.joints = append(l.joints[:0], s.JointLinks...)
		w.Islands.Reset(l.bodies)
		for _, k := range kinematic {
			w.Islands.Join(0, k+1)
		}
		for _, i := range joints {
			j := w.Joints.At(i)
			a, b := l.Body(j.BodyA, &w.Bodies), l.Body(j.BodyB, &w.Bodies)
			w.Islands.Touch(a.Index, b.Index, a.InvMass == 0 || b.InvMass == 0)
		}
		l.list(w, t)
		s.Links = append(s.Links[:0], l.Links()...)
		l.valid = true
	} else {
		s.Keep()
	}
	w.Islands.Number()
	s.Islands, s.IslandCount = w.Islands.Of(), w.Islands.Len()
	s.Heavy = l.heavy
}

// list lists the contacts, each worker a part of them, and joins the islands of their bodies.
func (l *Listing) list(w *state.World, t *team.Team) {
	if l.world = w; l.loop == nil {
		l.loop = l.listParts
	}
	n := t.Workers()
	if len(l.parts) != n {
		l.parts = make([]listedPart, n)
	}
	l.List.Reset(n)
	t.Each(n, 1, l.loop)
	l.heavy = l.heavy[:0]
	before := int32(0) // manifolds of the group Free in the parts before
	for k := range l.parts {
		p := &l.parts[k]
		for _, i := range p.heavy {
			l.heavy = append(l.heavy, before+i)
		}
		before += l.Part(k).Took(0)
		for _, c := range p.touches {
			w.Islands.Touch(c.a, c.b, c.fixed)
		}
	}
	free := l.Finish()
	links, islands := l.Links()[:free], &w.Islands
	for i := range links {
		if a, b := links[i].A, links[i].B; a != 0 && b != 0 {
			islands.Join(a, b)
		}
	}
}

// listParts lists parts of the contacts.
func (l *Listing) listParts(_, from, to int) {
	pairs, n := l.world.Contacts.Order.Pairs(), len(l.parts)
	for k := from; k < to; k++ {
		l.listPart(k, pairs[len(pairs)*k/n:len(pairs)*(k+1)/n])
	}
}

// listPart lists part number k, which is pairs.
func (l *Listing) listPart(k int, pairs []contact.Pair) {
	part, found := l.Part(k), &l.parts[k]
	found.heavy, found.touches = found.heavy[:0], found.touches[:0]
	bodies, points := l.inSolver, l.world.Contacts.Points
	refs, links := part.Room(len(pairs))
	n := 0 // taken of them
	for k := range pairs {
		p := &pairs[k]
		a, b := &bodies[p.BodyA], &bodies[p.BodyB]
		static, heavy := solve.Kind(a.InvMass, b.InvMass)
		if p.A < 0 || static || heavy { // or a body that the solver does not move
			part.Took(n)
			l.add(part, found, p)
			refs, links = part.Room(len(pairs) - k)
			n = 0
			continue
		}
		ref, link := &refs[n], &links[n]
		ref.Contact, ref.A, ref.B, ref.Index = p.Contact, p.A, p.B, 0
		link.Set(a.Index, b.Index, points[p.Contact], false)
		n++
	}
	part.Took(n)
}

// add lists the contact p, of any kind. Contacts of the group Free join islands; the others are in found.touches.
func (l *Listing) add(part *rows.Part, found *listedPart, p *contact.Pair) {
	w := l.world
	cs := &w.Contacts
	a, b := l.Body(p.BodyA, &w.Bodies), l.Body(p.BodyB, &w.Bodies)
	if a.Index == 0 && b.Index == 0 {
		return
	}
	group := rows.Free
	static, heavy := solve.Kind(a.InvMass, b.InvMass)
	if static {
		group = rows.GroupOf(a.kinematic() || b.kinematic(), p.A >= 0)
		if a.Index != 0 && b.Index != 0 {
			found.touches = append(found.touches, touch{a.Index, b.Index, a.InvMass == 0 || b.InvMass == 0})
		}
	}
	n := 1
	if p.A < 0 {
		n = len(cs.Surfaces.At(^p.A).Manifolds)
	}
	for k := range n {
		if heavy {
			found.heavy = append(found.heavy, part.Took(0))
		}
		ref, link := part.Add(group)
		ref.Contact, ref.A, ref.B, ref.Index = p.Contact, p.A, p.B, int32(k)
		m, _ := cs.ManifoldAt(ref)
		link.Set(a.Index, b.Index, int8(m.N), static)
	}
}
