package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/grid"
)

// How pairs of shapes come to be contacts. A shape that leaves its grown box
// (or is new) is listed; at the next step the broad phase names what its box
// overlaps, and each new pair that may collide gets a contact. Pairs are
// sorted, so the order of contacts does not depend on how the broad phase
// walks.

// noteMoved lists a shape for findPairs.
func (w *World) noteMoved(i int32) {
	if s := &w.shapes.items[i]; !s.moved {
		s.moved = true
		w.scratch.moved = append(w.scratch.moved, i)
	}
}

// refit updates the broad phase for a body whose shapes may have left their
// grown boxes.
func (w *World) refit(bi int32) {
	b := &w.bodies.items[bi]
	t := b.transform()
	for i := b.firstShape; i >= 0; i = w.shapes.items[i].next {
		s := &w.shapes.items[i]
		box := s.bounds(t)
		if s.fat.Contains(box) {
			continue
		}
		s.fat = box.Expand(aabbMargin)
		if err := w.broad.Update(s.proxy, s.fat); err != nil {
			// Beyond what the broad phase holds: the body is lost to the
			// world, so it stops where it is rather than fly on.
			w.lose(bi)
			return
		}
		if s.sensor {
			_ = w.sensorBoxes.Update(s.sensed, s.fat) // the broad phase has taken the box: so does this grid
		}
		w.noteMoved(i)
	}
	if b.firstChain >= 0 {
		w.refitChains(bi, t)
	}
}

// lose stops a body that has left the world's bounds, for good, and tells of it.
func (w *World) lose(bi int32) {
	b := &w.bodies.items[bi]
	if id := BodyID(w.bodies.id(bi)); w.stepping {
		w.events.lost = append(w.events.lost, id)
	} else {
		w.events.lostLater = append(w.events.lostLater, id)
	}
	b.sleep()
	b.kind, b.invMass, b.invInertia, b.awake = Static, 0, 0, true // as what is static is
}

// findPairs makes contacts of the new pairs.
func (w *World) findPairs() {
	sc := &w.scratch
	sc.pairs = sc.pairs[:0]
	for _, i := range sc.moved {
		if i < 0 {
			continue // removed since
		}
		w.shapes.items[i].moved = false
		w.pairUp(i)
		sc.pairs = w.appendChainPairs(sc.pairs, i)
	}
	sc.pairs = w.appendMovedChains(sc.pairs)
	sc.moved = sc.moved[:0]
	w.thinCrowd()
	w.addPairs()
	w.countDropped()
}

// addPairs makes contacts of scratch.pairs, in order, where there are none yet.
func (w *World) addPairs() {
	sc := &w.scratch
	slices.Sort(sc.pairs)
	sc.pairs = slices.Compact(sc.pairs)
	w.contacts.reserve(len(sc.pairs))
	for _, key := range sc.pairs {
		if key.ofChain() {
			w.pairs[key] = w.addContact(w.chainContact(key))
			continue
		}
		if _, ok := w.pairs[key]; ok {
			continue
		}
		a, b := int32(key>>32), int32(key&0xffffffff)
		sa, sb := &w.shapes.items[a], &w.shapes.items[b]
		w.pairs[key] = w.addContact(contact{
			shapeA: a, shapeB: b, ground: -1, chain: -1, bodyA: sa.body, bodyB: sb.body,
			sensor: sa.sensor || sb.sensor, stale: sa.sensor || sb.sensor,
		})
	}
}

// pairUp lists the new pairs of the shape in slot i with other shapes. The pairs of a crowded
// shape are chosen by joinCrowd and thinCrowd.
func (w *World) pairUp(i int32) {
	sc, s := &w.scratch, &w.shapes.items[i]
	if int(i) < len(sc.crowd.looked) {
		if sc.crowd.looked[i] == w.steps+1 {
			return
		}
		sc.crowd.looked[i] = w.steps + 1
	}
	s.dropped = 0
	sc.near = w.broad.AppendOverlaps(sc.near[:0], s.fat, grid.All)
	if len(sc.near) > crowdLimit && w.joinCrowd(i) {
		return
	}
	for _, id := range sc.near {
		if k := int32(w.broad.Data(id)); k != i && w.mayCollide(s, &w.shapes.items[k]) {
			w.listPair(i, k)
		}
	}
}

// listPair lists the pair of two shapes if it is new.
func (w *World) listPair(i, k int32) {
	key := pairOf(i, k)
	if _, ok := w.pairs[key]; !ok {
		w.scratch.pairs = append(w.scratch.pairs, key)
	}
}

// mayCollide reports whether two shapes' bodies and masks let them meet: one is
// dynamic, or one senses and one may move.
func (w *World) mayCollide(a, b *shape) bool {
	if a.body == b.body || a.category&b.mask == 0 || b.category&a.mask == 0 {
		return false
	}
	ka, kb := w.bodies.items[a.body].kind, w.bodies.items[b.body].kind
	if a.sensor && b.sensor {
		return false
	}
	return ka == Dynamic || kb == Dynamic || (a.sensor || b.sensor) && (ka == Kinematic || kb == Kinematic)
}
