package broad

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/team"
)

// Source knows the shapes of a world.
type Source interface {
	// Tight returns the box of the shape in a slot at its present pose.
	Tight(shape int32) geom.AABB
}

// source is the Phase as the crowd sees it (crowdSource).
type source struct {
	*Phase
	Source
}

// CrowdShape implements crowdSource.
func (s *source) CrowdShape(i int32) crowdShape {
	e := s.At(s.shapes[i])
	return crowdShape{
		Box: s.Tight(i), Filter: e.Filter, Body: e.Body, Solid: e.IsSolid(),
		Picky: s.excludesSome(e.Body),
	}
}

// FindPairs returns the pairs that have no contact, and of which a proxy is new or has moved since the
// last call, in ascending order; step is 1 + the number of steps made. The slice is valid until the
// next call of a method. If Crowded then returns shapes, the caller removes the contacts of
// dropped pairs. The workers of on share the search.
func (p *Phase) FindPairs(on *team.Team, step uint64, from Source) []Key {
	p.keys, p.kept = p.keys[:0], p.kept[:0]
	p.makeFinders(on.Workers())
	p.crowd.Begin(step)
	p.source = source{p, from}
	src := &p.source
	p.moveLists.Reset(on.Workers(), len(p.Moved), movedGrain)
	on.Each(len(p.Moved), movedGrain, p.loops.list)
	p.moves = p.moveLists.Join()
	p.listUnmoved()
	on.Each(len(p.Moved), movedGrain, p.loops.moved)
	if len(p.unmoved) > mostScans {
		on.Each(len(p.unmoved), unmovedGrain, p.loops.unmoved)
	}
	p.pairs = p.Grid.AppendNewPairsOn(on, p.pairs[:0], p.moves, Dynamic, crowdLimit)
	p.chooseCrowded(src)
	on.Each(len(p.pairs), pairGrain, p.loops.pairs)
	for _, f := range p.finders {
		p.keys = append(p.keys, f.keys...)
	}
	on.Each(len(p.Moved), movedGrain, p.loops.end)
	p.Moved = p.Moved[:0]
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
	return p.keys
}

// Grains of the loops over the proxies that have moved, and over their pairs.
const (
	movedGrain   = 64
	unmovedGrain = 4
	pairGrain    = 512
)

// listUnmoved lists the proxies that have not moved, other than shapes of dynamic bodies, if the shapes of dynamic
// bodies that have moved are unmovedFactor times as many: then the search for pairs of the two starts from the listed
// proxies.
func (p *Phase) listUnmoved() {
	p.unmoved = p.unmoved[:0]
	if p.fewUnmoved = 2*len(p.moves) > len(p.entries); !p.fewUnmoved {
		return
	}
	for i := range p.entries {
		if e := &p.entries[i]; e.Mask != 0 && e.moved == 0 && e.gridCategory() != Dynamic {
			p.unmoved = append(p.unmoved, e)
		}
	}
	if p.fewUnmoved = unmovedFactor*len(p.unmoved) < len(p.moves); !p.fewUnmoved {
		p.unmoved = p.unmoved[:0]
	}
}

// unmovedFactor is chosen above 1 because one listed proxy, such as a large ground, may find as many shapes as all
// others together.
const unmovedFactor = 4

// finder is the memory of a worker in FindPairs.
type finder struct {
	*Phase
	near []ID
	keys []Key
	_    [64]byte // so that no two share a cache line
}

// makeFinders makes a finder for each worker, and empties them.
func (p *Phase) makeFinders(workers int) {
	for len(p.finders) < workers {
		p.finders = append(p.finders, &finder{Phase: p})
	}
	for _, f := range p.finders {
		f.keys = f.keys[:0]
	}
	if p.loops.moved != nil {
		return
	}
	p.loops.list = func(worker, from, to int) {
		for _, id := range p.Moved[from:to] {
			if id == None {
				continue
			}
			if e := &p.entries[id]; e.gridCategory() == Dynamic {
				m := p.moveLists.Add(worker, from/movedGrain)
				m.ID, m.Was = id, e.was
				e.dropped = 0
			}
		}
	}
	p.loops.end = func(_, from, to int) {
		for _, id := range p.Moved[from:to] {
			if id != None {
				e := &p.entries[id]
				e.was, e.moved, e.sparse = e.Box, 0, false
			}
		}
	}
	p.loops.unmoved = func(worker, from, to int) {
		for _, e := range p.unmoved[from:to] {
			p.finders[worker].listMovedNear(e)
		}
	}
	p.loops.moved = func(worker, from, to int) {
		for _, id := range p.Moved[from:to] {
			if id != None {
				p.finders[worker].listNear(&p.entries[id])
			}
		}
	}
	p.loops.pairs = func(worker, from, to int) {
		f := p.finders[worker]
		for _, pair := range p.pairs[from:to] {
			a, b := &p.entries[pair[0]], &p.entries[pair[1]]
			if len(p.crowd.Members) == 0 || !p.crowd.Dropped(a.Owner.Slot(), b.Owner.Slot()) {
				f.keys = p.appendNew(f.keys, a, b)
			}
		}
	}
}

// mostScans is the maximum number of listed proxies for which each moved shape compares its box with the boxes of all
// of them: a ground or chain that overlaps all shapes would find them in the grid, in each step, at many times the
// cost.
const mostScans = 16

// scanUnmoved lists the new pairs of e, a shape of a dynamic body that has moved, with the proxies of listUnmoved.
func (f *finder) scanUnmoved(e *Entry) {
	for _, r := range f.unmoved {
		if !r.was.Overlaps(e.was) && r.Box.Overlaps(e.Box) {
			f.keys = f.appendNew(f.keys, r, e)
		}
	}
}

// listMovedNear lists the new pairs of e, a proxy that has not moved, with shapes of dynamic bodies that have moved.
func (f *finder) listMovedNear(e *Entry) {
	f.near = f.Grid.AppendOverlaps(f.near[:0], e.Box, Dynamic)
	for _, k := range f.near {
		if o := &f.entries[k]; o.moved > 0 {
			f.keys = f.appendNew(f.keys, e, o)
		}
	}
}

// listNear lists the new pairs of e, a proxy that has moved, except of two shapes of dynamic bodies, and those that
// listMovedNear lists.
func (f *finder) listNear(e *Entry) {
	categories := uint64(grid.All &^ Dynamic)
	switch e.gridCategory() {
	case Dynamic:
		if f.fewUnmoved {
			if len(f.unmoved) <= mostScans {
				f.scanUnmoved(e)
			}
			return
		}
		if !f.MayMeetOthers(e.Box) {
			return
		}
	case Fixed, Grounds, Chains:
		if categories = Dynamic | Sensors; f.rafts.some(&e.Box) { // otherwise it would be compared with its like
			categories |= MovingGrounds
		}
	case Sensors:
		if categories = Dynamic | Fixed | Grounds | MovingGrounds; e.SensesGround {
			categories |= Chains
		}
	case MovingGrounds:
		categories = Shapes | Surfaces
	}
	f.near = f.Grid.AppendOverlaps(f.near[:0], e.Box, categories)
	for _, k := range f.near {
		if o := &f.entries[k]; o.Owner.Kind() == Shape || e.Owner.Kind() == Chain {
			f.keys = f.appendNew(f.keys, e, o)
		} else {
			f.keys = f.appendNew(f.keys, o, e)
		}
	}
}

// appendNew appends the pair of a and b, if it is new and the two may collide. b is a shape or ground.
func (p *Phase) appendNew(dst []Key, a, b *Entry) []Key {
	if a.was.Overlaps(b.was) || !p.MayCollide(a, b) {
		return dst
	}
	key := KeyOf(a.Owner, B(b.Owner))
	if _, ok := p.Pairs.Get(uint64(key)); !ok {
		dst = append(dst, key)
	}
	return dst
}

// chooseCrowded finds the crowded shapes, among those that moved and those that crowded shapes overlap,
// and lists their new pairs that are kept.
func (p *Phase) chooseCrowded(src *source) {
	if !slices.ContainsFunc(p.moves, isCrowded) {
		return
	}
	for i := range p.moves {
		p.entries[p.moves[i].ID].sparse = !isCrowded(p.moves[i])
	}
	for i := range p.moves {
		if isCrowded(p.moves[i]) {
			p.joinCrowd(src, &p.entries[p.moves[i].ID])
		}
	}
	if len(p.crowd.Members) == 0 {
		return
	}
	for i, ok := p.crowd.Next(); ok; i, ok = p.crowd.Next() {
		if e := p.At(p.shapes[i]); !e.sparse {
			p.joinCrowd(src, e)
		}
	}
	for _, pair := range p.crowd.Keep() {
		key := KeyOf(OwnerOf(Shape, pair.A), pair.B)
		if k, ok := p.Pairs.Get(uint64(key)); ok {
			p.kept = append(p.kept, k)
		} else {
			p.keys = append(p.keys, key)
		}
	}
}

// isCrowded reports whether a shape that has moved may be crowded.
func isCrowded(m grid.Move) bool { return m.Near > crowdLimit }

// joinCrowd adds e, a shape of a dynamic body, to the crowd if it is crowded, and lists its new pairs with shapes that
// are known not to be crowded. If e is not crowded, joinCrowd lists its new pairs with all other shapes of dynamic
// bodies.
func (p *Phase) joinCrowd(src *source, e *Entry) {
	near := p.Near(e.Box, Dynamic)
	p.slots = p.slots[:0]
	for _, k := range near {
		p.slots = append(p.slots, p.entries[k].Owner.Slot())
	}
	at, _ := slices.BinarySearch(near, e.id)
	crowded := p.crowd.Add(src, e.Owner.Slot(), p.slots, at, int32(len(p.shapes)))
	if !crowded {
		e.dropped = 0
	}
	for _, k := range near {
		if o := &p.entries[k]; k != e.id && (!crowded || o.sparse) {
			p.keys = p.appendNew(p.keys, o, e)
		}
	}
}

// Crowded returns the crowded shapes that the last FindPairs found, in the order of slots, each with its
// number of possible pairs, and the contacts that these shapes keep.
func (p *Phase) Crowded() (members []CrowdMember, kept []int32) { return p.crowd.Members, p.kept }

// Dropped reports whether both shapes are crowded: a contact between them is dropped unless it is kept.
func (p *Phase) Dropped(a, b int32) bool { return p.crowd.Dropped(a, b) }

// SetDropped records how many pairs of a crowded shape have no contact. If there are any and its body is
// awake, the shape chooses again in the next step.
func (p *Phase) SetDropped(id ID, n int32, awake bool) {
	e := &p.entries[id]
	if e.dropped = n; n > 0 {
		e.was, p.crowded = geom.Empty, true
		if awake {
			p.note(e)
		}
	}
}

// Rejoin lists a shape that has dropped pairs, to choose again.
func (p *Phase) Rejoin(e *Entry) {
	if e.dropped > 0 {
		p.note(e)
	}
}

// CrowdUsed reports whether some shape has had dropped pairs.
func (p *Phase) CrowdUsed() bool { return p.crowded }
