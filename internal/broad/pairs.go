package broad

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/crowd"
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

// Key names a pair: the slot of shape B in the low half; in the high half the slot of shape A, which is
// the lower one, or of the ground or chain, and above it, since slots are below 1<<30, the kind of
// side A.
type Key uint64

const kindShift = 30 // from the kind of an owner to that of a key

// KeyOf returns the key of the pair of o, which is not a shape or has another slot, and the shape in
// a slot.
func KeyOf(o Owner, shape int32) Key {
	if o.Kind() == Shape && o.Slot() > shape {
		o, shape = Owner(shape), o.Slot()
	}
	return Key(o.Kind()<<kindShift | o<<32 | Owner(shape))
}

// Sides returns side A of k, and the slot of shape B.
func (k Key) Sides() (Owner, int32) {
	const kinds = 3 << 32
	return Owner(k>>kindShift)&kinds | Owner(k>>32)&(1<<kindShift-1), int32(k & math.MaxUint32)
}

// Source knows the shapes of a world.
type Source interface {
	// Proxy returns the proxy of the shape in a slot, and Tight its box at its present pose.
	Proxy(shape int32) ID
	Tight(shape int32) geom.AABB
	// ShapeSlots returns the number of slots of shapes.
	ShapeSlots() int32
}

// source gives the crowd its shapes.
type source struct {
	*Phase
	Source
}

// CrowdShape implements crowd.Source.
func (s *source) CrowdShape(i int32) crowd.Shape {
	e := s.At(s.Proxy(i))
	return crowd.Shape{Box: s.Tight(i), Category: e.Category, Mask: e.Mask, Body: e.Body, Solid: e.IsSolid()}
}

// FindPairs returns the pairs that have no contact, and in which a proxy is new or has moved since the
// last call, in ascending order; step is 1 + the number of steps made. The slice is valid until the
// next call of a method. If Crowded returns shapes afterwards, the caller removes the contacts of
// dropped pairs.
func (p *Phase) FindPairs(step uint64, from Source) []Key {
	p.keys, p.kept, p.step = p.keys[:0], p.kept[:0], step
	p.crowd.Begin(step)
	p.source = source{p, from}
	src := &p.source
	for _, id := range p.Moved {
		if id == None {
			continue
		}
		e := &p.entries[id]
		if e.moved = false; e.Owner.Kind() == Shape {
			p.pairUp(src, id)
			continue
		}
		for _, near := range p.Near(e.Box, Dynamic) {
			p.list(e, &p.entries[near])
		}
	}
	p.Moved = p.Moved[:0]
	p.chooseCrowded(src)
	return p.sorted()
}

// sorted sorts the listed pairs, and removes duplicates and pairs that have a contact.
func (p *Phase) sorted() []Key {
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
	return p.keys
}

// list lists the pair of a and the shape b, if it is new and they may collide.
func (p *Phase) list(a, b *Entry) {
	if !MayCollide(a, b) {
		return
	}
	key := KeyOf(a.Owner, b.Owner.Slot())
	if _, ok := p.Pairs.Get(uint64(key)); !ok {
		p.keys = append(p.keys, key)
	}
}

// pairUp lists the new pairs of the shape with proxy id. For a crowded shape, chooseCrowded chooses its
// pairs with other shapes.
func (p *Phase) pairUp(src *source, id ID) {
	e := &p.entries[id]
	if !p.crowd.Look(e.Owner.Slot()) {
		return
	}
	e.dropped = 0
	partners := uint64(Dynamic | Fixed) // of a sensor
	switch e.in() {
	case Dynamic:
		partners = grid.All
	case Fixed:
		partners = Dynamic | Sensors
	}
	near := p.Near(e.Box, partners)
	shapes := near[:0]
	for _, k := range near {
		if o := &p.entries[k]; o.Owner.Kind() == Shape {
			shapes = append(shapes, k)
		} else {
			p.list(o, e)
		}
	}
	p.near = shapes
	if len(shapes) > crowd.Limit && p.joinCrowd(src, id) {
		return
	}
	for _, k := range shapes {
		// A shape whose pairs were listed earlier in this step has listed this pair.
		if o := &p.entries[k]; k != id && o.paired != p.step {
			p.list(o, e)
		}
	}
	e.paired = p.step
}

// joinCrowd adds the shape with proxy id to the crowd, and lists its pairs with shapes that are not
// solid, if it is crowded; otherwise it returns false. The shapes whose boxes overlap its own are in
// p.near.
func (p *Phase) joinCrowd(src *source, id ID) bool {
	e := &p.entries[id]
	if !e.IsSolid() {
		return false
	}
	p.slots = p.slots[:0]
	for _, k := range p.near {
		p.slots = append(p.slots, p.entries[k].Owner.Slot())
	}
	at, _ := slices.BinarySearch(p.near, id)
	if !p.crowd.Add(src, e.Owner.Slot(), p.slots, at, src.ShapeSlots()) {
		return false
	}
	for _, k := range p.near {
		if o := &p.entries[k]; !o.IsSolid() {
			p.list(o, e)
		}
	}
	return true
}

// chooseCrowded searches the pairs of all shapes that crowded shapes overlap, and lists the new pairs to
// keep.
func (p *Phase) chooseCrowded(src *source) {
	if len(p.crowd.Members) == 0 {
		return
	}
	for i, ok := p.crowd.Next(); ok; i, ok = p.crowd.Next() {
		p.pairUp(src, src.Proxy(i))
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

// Crowded returns the crowded shapes that the last FindPairs found, in the order of slots, each with its
// number of possible pairs, and the contacts that those keep.
func (p *Phase) Crowded() (members []crowd.Member, kept []int32) { return p.crowd.Members, p.kept }

// Dropped reports whether both shapes are crowded: a contact between them is dropped unless it is kept.
func (p *Phase) Dropped(a, b int32) bool { return p.crowd.Dropped(a, b) }

// SetDropped records how many pairs of a crowded shape have no contact. If there are any and its body is
// awake, the shape chooses again in the next step.
func (p *Phase) SetDropped(id ID, n int32, awake bool) {
	p.entries[id].dropped = n
	if n > 0 && awake {
		p.Note(id)
	}
}

// Rejoin lists a shape that has dropped pairs, to choose again.
func (p *Phase) Rejoin(e *Entry) {
	if e.dropped > 0 {
		p.Note(e.id)
	}
}

// CrowdUsed reports whether some step has had as many overlaps as a crowd.
func (p *Phase) CrowdUsed() bool { return p.crowd.Used() }
