package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// How shapes and chains come to be contacts: as pairs of shapes do, but that
// chains lie in a grid of their own, so that what asks for shapes never sees one.
// A chain's box there is that of all of it. Within it, the chain's own tree tells
// a shape in a step what faces are near it.

// pairOfChain is the pair of a chain and a shape; no pair of shapes has its
// highest bit.
const pairOfChain pairKey = 1 << 63

// chainPair names a chain and a shape.
func chainPair(ci, si int32) pairKey {
	return pairOfChain | pairKey(uint64(uint32(ci))<<32|uint64(uint32(si)))
}

// ofChain reports whether k names a chain and a shape.
func (k pairKey) ofChain() bool { return k&pairOfChain != 0 }

// pair returns the name of a contact that is not with a ground.
func (c *contact) pair() pairKey {
	if c.chain >= 0 {
		return chainPair(c.chain, c.shapeB)
	}
	return pairOf(c.shapeA, c.shapeB)
}

// chainContact returns a new contact of the chain and the shape of k.
func (w *World) chainContact(k pairKey) contact {
	ci, si := int32(k&^pairOfChain>>32), int32(k&0xffffffff)
	return contact{
		shapeA: -1, shapeB: si, ground: -1, chain: ci,
		bodyA: w.chains.items[ci].body, bodyB: w.shapes.items[si].body,
	}
}

// noteChain lists a chain for findPairs.
func (w *World) noteChain(ci int32) {
	if ch := &w.chains.items[ci]; !ch.moved {
		ch.moved = true
		w.scratch.chains = append(w.scratch.chains, ci)
	}
}

// mayMeetChain reports whether the masks and bodies of a chain and a shape let
// them meet.
func (w *World) mayMeetChain(ch *chain, s *shape) bool {
	return !s.sensor && ch.category&s.mask != 0 && s.category&ch.mask != 0 &&
		w.bodies.items[s.body].kind == Dynamic
}

// appendChainPairs appends the new pairs of the shape in slot si and the chains
// that its box overlaps.
func (w *World) appendChainPairs(dst []pairKey, si int32) []pairKey {
	if w.chainBoxes == nil {
		return dst
	}
	sc, s := &w.scratch, &w.shapes.items[si]
	sc.near = w.chainBoxes.AppendOverlaps(sc.near[:0], s.fat, grid.All)
	for _, id := range sc.near {
		dst = w.appendChainPair(dst, int32(w.chainBoxes.Data(id)), si)
	}
	return dst
}

// appendMovedChains appends the new pairs of the listed chains and the shapes in
// their boxes.
func (w *World) appendMovedChains(dst []pairKey) []pairKey {
	sc := &w.scratch
	for _, ci := range sc.chains {
		if ci < 0 {
			continue // removed since
		}
		ch := &w.chains.items[ci]
		ch.moved = false
		sc.near = w.broad.AppendOverlaps(sc.near[:0], ch.fat, grid.All)
		for _, id := range sc.near {
			dst = w.appendChainPair(dst, ci, int32(w.broad.Data(id)))
		}
	}
	sc.chains = sc.chains[:0]
	return dst
}

// appendChainPair appends the pair of a chain and a shape, if it is new and they
// may meet.
func (w *World) appendChainPair(dst []pairKey, ci, si int32) []pairKey {
	if !w.mayMeetChain(&w.chains.items[ci], &w.shapes.items[si]) {
		return dst
	}
	key := chainPair(ci, si)
	if _, ok := w.pairs[key]; ok {
		return dst
	}
	return append(dst, key)
}

// refitChains is refit for the chains of a body with the frame t.
func (w *World) refitChains(bi int32, t geom.Transform) {
	for ci := w.bodies.items[bi].firstChain; ci >= 0; ci = w.chains.items[ci].next {
		ch := &w.chains.items[ci]
		box := boundsOf(ch.box, t)
		if ch.fat.Contains(box) {
			continue
		}
		ch.fat = box.Expand(aabbMargin)
		if err := w.chainBoxes.Update(ch.proxy, ch.fat); err != nil {
			w.lose(bi)
			return
		}
		w.noteChain(ci)
	}
}
