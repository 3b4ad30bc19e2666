package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// Pairs become contacts as follows. A proxy whose box is new, or was enlarged, is listed; in
// the next step the broad phase finds the proxies that its box overlaps, and each new pair
// that may collide gets a contact. Pairs are sorted, so that the order of contacts does not
// depend on the order in which the broad phase finds them. A contact ends when the two boxes
// no longer overlap.

// pairKey names a contact: the slot of shape B in the low half; in the high half the slot of
// shape A, which is the lower one, or of the ground or chain.
type pairKey uint64

func pairOf(a, b int32) pairKey {
	if a > b {
		a, b = b, a
	}
	return pairKey(uint64(uint32(a))<<32 | uint64(uint32(b)))
}

// The kinds in a pair's high half. Slots are below 1<<31, so that shapes leave both bits
// free.
const (
	pairOfGround pairKey = 1 << 62
	pairOfChain  pairKey = 1 << 63
	pairKinds            = pairOfGround | pairOfChain
)

// surfacePair returns the key of the pair of a ground or chain and the shape in slot si.
func surfacePair(p proxy, si int32) pairKey {
	kind := pairOfGround
	if p.kind() == chainProxy {
		kind = pairOfChain
	}
	return kind | pairKey(uint64(uint32(p.slot()))<<32|uint64(uint32(si)))
}

// pair returns the key of a contact.
func (c *contactState) pair() pairKey {
	switch {
	case c.ground >= 0:
		return surfacePair(groundProxy|proxy(c.ground), c.shapeB)
	case c.chain >= 0:
		return surfacePair(chainProxy|proxy(c.chain), c.shapeB)
	}
	return pairOf(c.shapeA, c.shapeB)
}

// newContact returns the contact of a pair.
func (w *World) newContact(k pairKey) contactState {
	a, b := int32(k&^pairKinds>>32), int32(k&math.MaxUint32)
	c := contactState{shapeA: -1, shapeB: b, ground: -1, chain: -1, bodyB: w.shapes.At(b).body}
	switch k & pairKinds {
	case pairOfGround:
		c.ground, c.bodyA = a, w.grounds.At(a).body
	case pairOfChain:
		c.chain, c.bodyA = a, w.chains.At(a).body
	default:
		c.shapeA, c.bodyA = a, w.shapes.At(a).body
		c.sensor = w.shapes.At(a).sensor || w.shapes.At(b).sensor
		c.stale = c.sensor
	}
	return c
}

// findPairs adds contacts for the new pairs.
func (w *World) findPairs() {
	sc := &w.scratch
	sc.pairs = sc.pairs[:0]
	for _, p := range sc.moved {
		switch {
		case p == noProxy:
		case p.kind() == shapeProxy:
			w.shapes.At(p.slot()).moved = false
			w.pairUp(p.slot())
		case p.kind() == groundProxy:
			g := w.grounds.At(p.slot())
			g.moved = false
			w.pairUpSurface(p, g.fat)
		case p.kind() == chainProxy:
			c := w.chains.At(p.slot())
			c.moved = false
			w.pairUpSurface(p, c.fat)
		}
	}
	sc.moved = sc.moved[:0]
	w.thinCrowd()
	w.addPairs()
	w.countDropped()
}

// addPairs adds contacts for scratch.pairs, in order, where none exist.
func (w *World) addPairs() {
	sc := &w.scratch
	slices.Sort(sc.pairs)
	sc.pairs = slices.Compact(sc.pairs)
	w.contacts.Reserve(len(sc.pairs))
	for _, key := range sc.pairs {
		if _, ok := w.pairs[key]; !ok {
			w.pairs[key] = w.addContact(w.newContact(key))
		}
	}
}

// partners returns the categories of the proxies that s may collide with.
func (w *World) partners(s *shape) uint64 {
	switch w.categoryOf(s) {
	case inDynamic:
		return grid.All
	case inFixed:
		return inDynamic | inSensors
	}
	return inDynamic | inFixed
}

// pairUp lists the new pairs of the shape in slot i. For a crowded shape, joinCrowd and
// thinCrowd choose its pairs with other shapes.
func (w *World) pairUp(i int32) {
	sc, s := &w.scratch, w.shapes.At(i)
	if int(i) < len(sc.crowd.looked) {
		if sc.crowd.looked[i] == w.steps+1 {
			return
		}
		sc.crowd.looked[i] = w.steps + 1
	}
	s.dropped = 0
	near := w.near(s.fat, w.partners(s))
	shapes := near[:0]
	for _, id := range near {
		if p := w.proxyAt(id); p.kind() == shapeProxy {
			shapes = append(shapes, id)
		} else {
			w.listSurfacePair(p, i)
		}
	}
	sc.near = shapes
	if len(sc.near) > crowdLimit && w.joinCrowd(i) {
		return
	}
	now := w.steps + 1
	for _, id := range sc.near {
		k := w.proxyAt(id).slot()
		// A shape whose pairs were listed earlier in this step has listed this pair.
		if t := w.shapes.At(k); k != i && t.paired != now && w.mayCollide(s, t) {
			w.listPair(i, k)
		}
	}
	s.paired = now
}

// listPair lists the pair of two shapes if it is new.
func (w *World) listPair(i, k int32) {
	key := pairOf(i, k)
	if _, ok := w.pairs[key]; !ok {
		w.scratch.pairs = append(w.scratch.pairs, key)
	}
}

// pairUpSurface lists the new pairs of a ground or chain with the shapes in its box.
func (w *World) pairUpSurface(p proxy, fat geom.AABB) {
	for _, id := range w.near(fat, inDynamic) {
		w.listSurfacePair(p, w.proxyAt(id).slot())
	}
}

// listSurfacePair lists the pair of a ground or chain and a shape, if it is new and they may
// collide.
func (w *World) listSurfacePair(p proxy, si int32) {
	if !w.mayMeet(p, w.shapes.At(si)) {
		return
	}
	key := surfacePair(p, si)
	if _, ok := w.pairs[key]; !ok {
		w.scratch.pairs = append(w.scratch.pairs, key)
	}
}

// mayMeet reports whether the masks and bodies of a ground or chain and a shape allow a
// contact.
func (w *World) mayMeet(p proxy, s *shape) bool {
	if s.sensor || w.bodies.At(s.body).kind != Dynamic {
		return false
	}
	if p.kind() == groundProxy {
		g := w.grounds.At(p.slot())
		return g.category&s.mask != 0 && s.category&g.mask != 0
	}
	c := w.chains.At(p.slot())
	return c.category&s.mask != 0 && s.category&c.mask != 0
}

// mayCollide reports whether the masks and bodies of two shapes allow a contact: one body is
// dynamic, or one shape is a sensor and one body may move.
func (w *World) mayCollide(a, b *shape) bool {
	if a.body == b.body || a.category&b.mask == 0 || b.category&a.mask == 0 {
		return false
	}
	ka, kb := w.bodies.At(a.body).kind, w.bodies.At(b.body).kind
	if a.sensor && b.sensor {
		return false
	}
	return ka == Dynamic || kb == Dynamic || (a.sensor || b.sensor) && (ka == Kinematic || kb == Kinematic)
}
