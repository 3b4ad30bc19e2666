package quarry

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/crowd"
)

// The broad phase is one grid of boxes, the proxies: one for each shape, each ground that has
// tiles, and each chain. A proxy's box is the AABB of its owner, grown by aabbMargin. Its
// category tells the kinds apart, so that a query visits only the kinds that it needs.
//
// Pairs become contacts as follows. A proxy whose box is new, or was enlarged, is listed; in
// the next step the broad phase finds the proxies that its box overlaps, and each new pair
// that may collide gets a contact; where too many shapes overlap, internal/crowd chooses. Pairs
// are sorted, so that the order of contacts does not depend on the order in which the broad
// phase finds them. A contact ends when the two boxes no longer overlap.

// proxy names the owner of a box in the broad phase: the high half is its kind, the low half
// its slot. The kind of shapes is 0.
type proxy uint64

const (
	shapeProxy proxy = iota << 32
	groundProxy
	chainProxy
	noProxy = proxy(math.MaxUint64)
)

func (p proxy) kind() proxy { return p &^ math.MaxUint32 }
func (p proxy) slot() int32 { return int32(uint32(p)) }

// The categories of the broad phase.
const (
	inDynamic = 1 << iota // shapes of dynamic bodies
	inFixed               // shapes of static and kinematic bodies
	inSensors
	inGrounds
	inChains

	inShapes    = inDynamic | inFixed | inSensors
	inObstacles = inFixed | inGrounds | inChains // continuous collision stops bodies at these
)

// proxied is the part that shapes, grounds and chains have in common.
type proxied struct {
	fat            geom.AABB // box in the broad phase; empty for a ground that never had a tile
	category, mask uint64
	proxy          grid.ID
	body           int32
	next           int32 // the body's next shape, ground or chain; -1: none
	moved          bool  // listed in scratch.moved
}

// proxiedOn returns the common part of a new shape, ground or chain on a body, with no box yet.
// 0 is the default of category and mask: the first group, and all groups.
func proxiedOn(body, next int32, category, mask uint64) proxied {
	return proxied{fat: geom.Empty, category: cmp.Or(category, 1), mask: cmp.Or(mask, math.MaxUint64), body: body, next: next}
}

// unlink removes p from the list of its body that starts at first.
func (w *World) unlink(first *int32, p proxy) {
	for *first != p.slot() {
		first = &w.owner(p.kind() | proxy(*first)).next
	}
	*first = w.owner(p).next
}

// owner returns the owner of p.
func (w *World) owner(p proxy) *proxied {
	switch p.kind() {
	case groundProxy:
		return &w.grounds.At(p.slot()).proxied
	case chainProxy:
		return &w.chains.At(p.slot()).proxied
	}
	return &w.shapes.At(p.slot()).proxied
}

// bodyOf returns the slot of the body of p.
func (w *World) bodyOf(p proxy) int32 { return w.owner(p).body }

// proxiesOf yields the proxies of body i: of its shapes, its grounds and its chains.
func (w *World) proxiesOf(i int32) iter.Seq[proxy] {
	return func(yield func(proxy) bool) {
		b := w.bodies.At(i)
		for kind, first := range [...]int32{b.firstShape, b.firstGround, b.firstChain} {
			for k := first; k >= 0; {
				p := proxy(kind)<<32 | proxy(k)
				if k = w.owner(p).next; !yield(p) {
					return
				}
			}
		}
	}
}

// categoryOf returns the category of a shape's proxy.
func (w *World) categoryOf(s *shape) uint64 {
	switch {
	case s.sensor:
		return inSensors
	case w.bodies.At(s.body).kind == Dynamic:
		return inDynamic
	}
	return inFixed
}

// addProxy adds a proxy with the box fat to the broad phase.
func (w *World) addProxy(p proxy, fat geom.AABB, category uint64) (grid.ID, error) {
	id, err := w.broad.Add(fat, uint64(p))
	if err == nil {
		w.broad.SetCategory(id, category)
	}
	return id, err
}

// near returns the proxies of the categories whose boxes overlap box, in scratch.near.
func (w *World) near(box geom.AABB, category uint64) []grid.ID {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], box, category)
	return w.scratch.near
}

// proxyAt returns the owner of a box in the broad phase.
func (w *World) proxyAt(id grid.ID) proxy { return proxy(w.broad.Data(id)) }

// noteMoved lists a proxy for findPairs: its box is new or has changed.
func (w *World) noteMoved(p proxy) {
	if o := w.owner(p); !o.moved {
		o.moved = true
		w.scratch.moved = append(w.scratch.moved, p)
	}
}

// removeProxy removes p from the broad phase, and its contacts.
func (w *World) removeProxy(p proxy) {
	o := w.owner(p)
	for l, c := range w.contactsOf(o.body) {
		if c.sideA() == p || shapeProxy|proxy(c.shapeB) == p {
			w.removeContact(l>>1, true)
		}
	}
	if o.moved {
		w.scratch.moved[slices.Index(w.scratch.moved, p)] = noProxy
	}
	if !o.fat.IsEmpty() {
		w.broad.Remove(o.proxy)
	}
}

// setFat gives p, whose box left the last one, the box fat. It returns false if that is beyond
// the bounds of the broad phase: then the body stops for good.
func (w *World) setFat(p proxy, fat geom.AABB) bool {
	o := w.owner(p)
	o.fat = fat
	if w.broad.Update(o.proxy, fat) != nil {
		w.markLost(o.body)
		return false
	}
	w.noteMoved(p)
	return true
}

// updateProxies updates the boxes of the body's shapes, grounds and chains in the broad
// phase. The boxes of a moving body that is not dynamic hold all of its motion through the
// step; motion is nil for other bodies.
func (w *World) updateProxies(bi int32, motion *ccd.Motion) {
	b := w.bodies.At(bi)
	t := b.transform()
	for i := b.firstShape; i >= 0; {
		s := w.shapes.At(i)
		box := s.hull.Bounds(t)
		if motion != nil {
			box = motion.SweptBox(&s.hull, b.extent)
		}
		if !s.fat.Contains(box) && !w.setFat(shapeProxy|proxy(i), box.Expand(aabbMargin)) {
			return
		}
		i = s.next
	}
	for i := b.firstGround; i >= 0; i = w.grounds.At(i).next {
		if !w.updateSurfaceProxy(groundProxy|proxy(i), w.grounds.At(i).box, b, t, motion) {
			return
		}
	}
	for i := b.firstChain; i >= 0; i = w.chains.At(i).next {
		if !w.updateSurfaceProxy(chainProxy|proxy(i), w.chains.At(i).box, b, t, motion) {
			return
		}
	}
}

// updateSurfaceProxy is updateProxies for a ground or chain with the box local in the body's
// frame. It returns false if the new box is beyond the bounds of the broad phase.
func (w *World) updateSurfaceProxy(p proxy, local geom.AABB, b *body, t geom.Transform, motion *ccd.Motion) bool {
	if local.IsEmpty() {
		return true
	}
	box := local.In(t)
	if motion != nil {
		far := max(b.localCenter.Dist(local.Min), b.localCenter.Dist(local.Max), b.localCenter.Dist(geom.V(local.Min.X, local.Max.Y)), b.localCenter.Dist(geom.V(local.Max.X, local.Min.Y)))
		box = box.Union(local.In(motion.From)).Expand(motion.Sagitta(far))
	}
	return w.owner(p).fat.Contains(box) || w.setFat(p, box.Expand(aabbMargin))
}

// markLost makes a body that has left the world's bounds static, and reports it as lost.
func (w *World) markLost(bi int32) {
	b := w.bodies.At(bi)
	if id := BodyID(w.bodies.ID(bi)); w.stepping {
		w.events.lost = append(w.events.lost, id)
	} else {
		w.events.lostLater = append(w.events.lostLater, id)
	}
	w.fallAsleep(bi)
	b.kind, b.invMass, b.invInertia, b.awake = Static, 0, 0, true // static bodies count as awake
	for i := b.firstShape; i >= 0; i = w.shapes.At(i).next {
		s := w.shapes.At(i)
		w.broad.SetCategory(s.proxy, w.categoryOf(s))
	}
}

// pairKey names a contact: the slot of shape B in the low half; in the high half the slot of
// shape A, which is the lower one, or of the ground or chain, and above it, since slots are
// below 1<<30, the kind of side A.
type pairKey uint64

const kindShift = 30 // from a proxy's kind to that of a key

// pairOf returns the key of the pair of p, which is not a shape or has another slot, and the shape
// in slot si.
func pairOf(p proxy, si int32) pairKey {
	if p.kind() == shapeProxy && p.slot() > si {
		p, si = proxy(si), p.slot()
	}
	return pairKey(p.kind()<<kindShift | p<<32 | proxy(si))
}

// sides returns side A of k, and the slot of shape B.
func (k pairKey) sides() (proxy, int32) {
	const kinds = 3 << 32
	return proxy(k>>kindShift)&kinds | proxy(k>>32)&(1<<kindShift-1), int32(k & math.MaxUint32)
}

// sideA returns the proxy of side A of c.
func (c *contactState) sideA() proxy {
	switch {
	case c.ground >= 0:
		return groundProxy | proxy(c.ground)
	case c.chain >= 0:
		return chainProxy | proxy(c.chain)
	}
	return shapeProxy | proxy(c.shapeA)
}

// newContact returns the contact of a pair.
func (w *World) newContact(k pairKey) contactState {
	p, b := k.sides()
	c := contactState{shapeA: -1, shapeB: b, ground: -1, chain: -1, bodyA: w.bodyOf(p), bodyB: w.shapes.At(b).body}
	switch a := p.slot(); p.kind() {
	case groundProxy:
		c.ground = a
	case chainProxy:
		c.chain = a
	default:
		c.shapeA, c.sensor = a, w.shapes.At(a).sensor || w.shapes.At(b).sensor
		c.stale = c.sensor
	}
	return c
}

// findPairs adds contacts for the new pairs.
func (w *World) findPairs() {
	sc := &w.scratch
	sc.pairs = sc.pairs[:0]
	sc.crowd.Begin(w.steps + 1)
	for _, p := range sc.moved {
		if p == noProxy {
			continue
		}
		o := w.owner(p)
		if o.moved = false; p.kind() == shapeProxy {
			w.pairUp(p.slot())
			continue
		}
		for _, id := range w.near(o.fat, inDynamic) {
			w.listPair(p, w.proxyAt(id).slot())
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

// pairUp lists the new pairs of the shape in slot i. For a crowded shape, thinCrowd chooses its
// pairs with other shapes.
func (w *World) pairUp(i int32) {
	sc, s := &w.scratch, w.shapes.At(i)
	if !sc.crowd.Look(i) {
		return
	}
	s.dropped = 0
	partners := uint64(inDynamic | inFixed) // of a sensor
	switch w.categoryOf(s) {
	case inDynamic:
		partners = grid.All
	case inFixed:
		partners = inDynamic | inSensors
	}
	near := w.near(s.fat, partners)
	shapes := near[:0]
	for _, id := range near {
		if p := w.proxyAt(id); p.kind() == shapeProxy {
			shapes = append(shapes, id)
		} else {
			w.listPair(p, i)
		}
	}
	sc.near = shapes
	if len(shapes) > crowd.Limit && w.joinCrowd(i) {
		return
	}
	now := w.steps + 1
	for _, id := range shapes {
		// A shape whose pairs were listed earlier in this step has listed this pair.
		if p := w.proxyAt(id); p.slot() != i && w.shapes.At(p.slot()).paired != now {
			w.listPair(p, i)
		}
	}
	s.paired = now
}

// listPair lists the pair of p and the shape in slot si, if it is new and they may collide.
func (w *World) listPair(p proxy, si int32) {
	if !w.mayMeet(p, w.shapes.At(si)) {
		return
	}
	key := pairOf(p, si)
	if _, ok := w.pairs[key]; !ok {
		w.scratch.pairs = append(w.scratch.pairs, key)
	}
}

// mayMeet reports whether the masks and bodies of p and s allow a contact.
func (w *World) mayMeet(p proxy, s *shape) bool {
	if p.kind() == shapeProxy {
		return w.mayCollide(w.shapes.At(p.slot()), s)
	}
	o := w.owner(p)
	return !s.sensor && w.bodies.At(s.body).kind == Dynamic && o.category&s.mask != 0 && s.category&o.mask != 0
}

// mayCollide reports whether the masks and bodies of two shapes allow a contact: one body is
// dynamic, or one shape is a sensor and one body may move.
func (w *World) mayCollide(a, b *shape) bool {
	if a.body == b.body || a.category&b.mask == 0 || b.category&a.mask == 0 || a.sensor && b.sensor {
		return false
	}
	ka, kb := w.bodies.At(a.body).kind, w.bodies.At(b.body).kind
	return ka == Dynamic || kb == Dynamic || (a.sensor || b.sensor) && (ka == Kinematic || kb == Kinematic)
}

// isSolid reports whether a shape belongs to a dynamic body, and is not a sensor.
func (w *World) isSolid(s *shape) bool { return !s.sensor && w.bodies.At(s.body).kind == Dynamic }

// crowdSource gives the crowd its shapes.
type crowdSource World

// CrowdShape returns the part of a shape that ranking its pairs reads.
func (src *crowdSource) CrowdShape(i int32) crowd.Shape {
	w := (*World)(src)
	s := w.shapes.At(i)
	return crowd.Shape{
		Box:      s.hull.Bounds(w.bodies.At(s.body).transform()),
		Category: s.category, Mask: s.mask, Body: s.body, Solid: w.isSolid(s),
	}
}

// joinCrowd adds the shape in slot i to the crowd, and lists its pairs with shapes that are not
// solid, if it is crowded; otherwise it returns false. The shapes whose boxes overlap its own are
// in scratch.near.
func (w *World) joinCrowd(i int32) bool {
	sc, s := &w.scratch, w.shapes.At(i)
	if !w.isSolid(s) {
		return false
	}
	sc.nearShapes = sc.nearShapes[:0]
	for _, id := range sc.near {
		sc.nearShapes = append(sc.nearShapes, w.proxyAt(id).slot())
	}
	at, _ := slices.BinarySearch(sc.near, s.proxy)
	if !sc.crowd.Add((*crowdSource)(w), i, sc.nearShapes, at, w.shapes.Slots()) {
		return false
	}
	for _, k := range sc.nearShapes {
		if !w.isSolid(w.shapes.At(k)) {
			w.listPair(shapeProxy|proxy(k), i)
		}
	}
	return true
}

// thinCrowd searches the pairs of all shapes that crowded shapes overlap, lists the new pairs to
// keep, and removes the contacts of dropped pairs.
func (w *World) thinCrowd() {
	sc := &w.scratch
	c, now := &sc.crowd, w.steps+1
	if len(c.Members) == 0 {
		return
	}
	for i, ok := c.Next(); ok; i, ok = c.Next() {
		w.pairUp(i)
	}
	for _, p := range c.Keep() {
		key := pairOf(shapeProxy|proxy(p.A), p.B)
		if k, ok := w.pairs[key]; ok {
			w.contacts.At(k).chosenAt = now
		} else {
			sc.pairs = append(sc.pairs, key)
		}
	}
	for _, m := range c.Members {
		for l, o := range w.contactsOf(w.bodyOf(shapeProxy | proxy(m.Shape))) {
			if o.ofShapes() && (o.shapeA == m.Shape || o.shapeB == m.Shape) && !o.sensor && o.chosenAt != now && c.Dropped(o.shapeA, o.shapeB) {
				w.removeContact(l>>1, false)
			}
		}
	}
}

// countDropped counts the pairs of each crowded shape that have no contact, and lists the
// awake shapes with such pairs, which choose again in the next step. It runs after all
// contacts of the step are added.
func (w *World) countDropped() {
	for _, m := range w.scratch.crowd.Members {
		s := w.shapes.At(m.Shape)
		b := w.bodies.At(s.body)
		s.dropped = m.Pairs
		for _, o := range w.contactsOf(s.body) {
			if !o.ofShapes() || o.shapeA != m.Shape && o.shapeB != m.Shape {
				continue
			}
			p, q := w.shapes.At(o.shapeA), w.shapes.At(o.shapeB)
			if w.isSolid(p) && w.isSolid(q) && p.fat.Overlaps(q.fat) {
				s.dropped--
			}
		}
		if s.dropped > 0 && b.awake {
			w.noteMoved(shapeProxy | proxy(m.Shape))
		}
	}
}

// rejoinCrowd lists the shapes of body i that have dropped pairs, to choose again. It is
// called when the body wakes.
func (w *World) rejoinCrowd(i int32) {
	for si := w.bodies.At(i).firstShape; si >= 0; si = w.shapes.At(si).next {
		if w.shapes.At(si).dropped > 0 {
			w.noteMoved(shapeProxy | proxy(si))
		}
	}
}
