package broad

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/crowd"
	"github.com/quarry2d/quarry/internal/team"
)

// Owner names the owner of a proxy: the high half is its kind, the low half its slot.
type Owner uint64

// The kinds of owners.
const (
	Shape Owner = iota << 32
	Ground
	Chain
)

// OwnerOf returns the owner of a kind in a slot.
func OwnerOf(kind Owner, slot int32) Owner { return kind | Owner(slot) }

// Kind returns the kind of o.
func (o Owner) Kind() Owner { return o &^ math.MaxUint32 }

// Slot returns the slot of o.
func (o Owner) Slot() int32 { return int32(uint32(o)) }

// Key names a pair: side B in the low half, see B; in the high half the slot of A, of the lower one of two shapes or
// grounds, or of the ground or chain, and above it, since slots are below 1<<30, the kind of side A.
type Key uint64

// B returns o, a shape or a ground, as side B of a pair: its slot, or for a ground the slot's complement.
func B(o Owner) int32 {
	if o.Kind() == Ground {
		return ^o.Slot()
	}
	return o.Slot()
}

// OwnerOfB returns the owner of which b is B.
func OwnerOfB(b int32) Owner {
	if b < 0 {
		return OwnerOf(Ground, ^b)
	}
	return Owner(b)
}

const kindShift = 30 // from the kind of an owner to that of a key

// KeyOf returns the key of the pair of o and b, another one; see B.
func KeyOf(o Owner, b int32) Key {
	if p := OwnerOfB(b); o.Kind() == p.Kind() && o.Slot() > p.Slot() {
		o, b = p, B(o)
	}
	return Key(o.Kind()<<kindShift | o<<32 | Owner(uint32(b)))
}

// Sides returns side A of k, and side B; see B.
func (k Key) Sides() (Owner, int32) {
	const kinds = 3 << 32
	return Owner(k>>kindShift)&kinds | Owner(k>>32)&(1<<kindShift-1), int32(uint32(k))
}

// Rank returns the place among others of the pair of o and b, side B: pairs of a chain come after those of a ground, these
// after pairs of shapes, and then they are in the order of slots.
func Rank(o Owner, b int32) uint64 {
	return uint64(o.Kind()>>32)<<61 | uint64(uint32(o))<<31 | uint64(b+1<<30) // bits: kind 2, slot of A 30, B 31
}

// Source knows the shapes of a world.
type Source interface {
	// Tight returns the box of the shape in a slot at its present pose.
	Tight(shape int32) geom.AABB
}

// source gives the crowd its shapes.
type source struct {
	*Phase
	Source
}

// CrowdShape implements crowd.Source.
func (s *source) CrowdShape(i int32) crowd.Shape {
	e := s.At(s.shapes[i])
	return crowd.Shape{Box: s.Tight(i), Filter: e.Filter, Body: e.Body, Solid: e.IsSolid(), Picky: s.excludesSome(e.Body)}
}

// FindPairs returns the pairs that have no contact, and in which a proxy is new or has moved since the
// last call, in ascending order; step is 1 + the number of steps made. The slice is valid until the
// next call of a method. If Crowded returns shapes afterwards, the caller removes the contacts of
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
	p.listResting()
	on.Each(len(p.Moved), movedGrain, p.loops.moved)
	if len(p.resting) > mostScans {
		on.Each(len(p.resting), restingGrain, p.loops.resting)
	}
	p.pairs = p.Grid.AppendNewPairsOn(on, p.pairs[:0], p.moves, Dynamic, crowd.Limit)
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
	restingGrain = 4
	pairGrain    = 512
)

// listResting lists the proxies that have not moved and are no shapes of dynamic bodies, if they are far fewer than such shapes that
// have: then they look for these.
func (p *Phase) listResting() {
	p.resting = p.resting[:0]
	if p.fewRest = 2*len(p.moves) > len(p.entries); !p.fewRest {
		return
	}
	for i := range p.entries {
		if e := &p.entries[i]; e.Mask != 0 && e.moved == 0 && e.in() != Dynamic {
			p.resting = append(p.resting, e)
		}
	}
	if p.fewRest = restingFactor*len(p.resting) < len(p.moves); !p.fewRest {
		p.resting = p.resting[:0]
	}
}

// restingFactor: so many times as many objects must have moved. Each may find as many as the others together.
const restingFactor = 4

// finder is the memory of a worker in FindPairs.
type finder struct {
	*Phase
	near []ID
	keys []Key
	_    [64]byte // so that no two share a cache line
}

// makeFinders makes the memory of so many workers, and empties it.
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
			if e := &p.entries[id]; e.in() == Dynamic {
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
	p.loops.resting = func(worker, from, to int) {
		for _, e := range p.resting[from:to] {
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

// mostScans is the number of proxies at rest up to which each moved shape compares its box with those of all: a ground or chain that
// overlaps them all would find them in the grid, step by step, at many times the cost.
const mostScans = 16

// scanResting lists the new pairs of a shape of a dynamic body that has moved with the proxies at rest.
func (f *finder) scanResting(e *Entry) {
	for _, r := range f.resting {
		if !r.was.Overlaps(e.was) && r.Box.Overlaps(e.Box) {
			f.keys = f.appendNew(f.keys, r, e)
		}
	}
}

// listMovedNear lists the new pairs of a proxy that has not moved with shapes of dynamic bodies that have.
func (f *finder) listMovedNear(e *Entry) {
	f.near = f.Grid.AppendOverlaps(f.near[:0], e.Box, Dynamic)
	for _, k := range f.near {
		if o := &f.entries[k]; o.moved > 0 {
			f.keys = f.appendNew(f.keys, e, o)
		}
	}
}

// listNear lists the new pairs of a proxy that has moved, except those of two shapes of dynamic bodies, and those of listMovedNear.
func (f *finder) listNear(e *Entry) {
	categories := uint64(grid.All &^ Dynamic)
	switch e.in() {
	case Dynamic:
		if f.fewRest {
			if len(f.resting) <= mostScans {
				f.scanResting(e)
			}
			return
		}
		if !f.MayMeetOthers(e.Box) {
			return
		}
	case Fixed:
		categories = Dynamic | Sensors | MovingGrounds
	case Sensors:
		if categories = Dynamic | Fixed | Grounds | MovingGrounds; e.SensesGround {
			categories |= Chains
		}
	case MovingGrounds:
		categories = Shapes | Surfaces
	case Grounds:
		categories = Dynamic | Sensors | MovingGrounds
	default:
		categories = Dynamic | Sensors | MovingGrounds
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

// list lists the pair of a and b, a shape or ground, if it is new and they may collide.
func (p *Phase) list(a, b *Entry) { p.keys = p.appendNew(p.keys, a, b) }

// appendNew appends the pair of a and b, a shape or ground, if it is new and they may collide.
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
// and lists the new pairs of theirs that are kept.
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
func isCrowded(m grid.Move) bool { return m.Near > crowd.Limit }

// joinCrowd adds the shape e of a dynamic body to the crowd if it is crowded, and lists its new pairs with shapes that are known
// not to be; otherwise it lists its new pairs with all other shapes of dynamic bodies.
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
			p.list(o, e)
		}
	}
}

// Crowded returns the crowded shapes that the last FindPairs found, in the order of slots, each with its
// number of possible pairs, and the contacts that those keep.
func (p *Phase) Crowded() (members []crowd.Member, kept []int32) { return p.crowd.Members, p.kept }

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
