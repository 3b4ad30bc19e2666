package quarry

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// If n bodies are at one place, all n*n/2 pairs of them overlap, and a contact for each
// would take seconds and gigabytes. So a dynamic shape whose box overlaps the boxes of more
// than crowdLimit shapes of other dynamic bodies is crowded. A pair of two crowded shapes
// has a contact only if it is among the crowdKeep deepest pairs of either shape and, the
// deepest pairs first, as long as neither body has crowdMost such contacts. So the contacts
// of a body's crowded shapes with other crowded shapes number at most crowdMost, and at most
// crowdKeep a shape on average. Other pairs are never dropped: pairs with grounds, chains,
// static and kinematic bodies, sensors, and shapes that are not crowded, such as each of the
// many boxes on one raft.
//
// The depth of a pair is the overlap of the shapes' own tight boxes, along the axis of
// least overlap. Of pairs of equal depth the pair with the nearer slots is kept, so that
// shapes at one point form a band of pairs rather than a star. The choice depends only on
// the poses and slots of the shapes in this step, not on earlier contacts: awake shapes with
// dropped pairs choose again in each step, and the dropped pairs come back as the crowd
// disperses.
const (
	crowdLimit = 64
	crowdKeep  = 8
	crowdMost  = 16
)

// crowd holds the crowded shapes of a step. The slices of step numbers, by slot, hold 1 +
// the step that set the entry; all slices by slot are empty until the first crowd.
type crowd struct {
	looked  []uint64 // by slot of shape: its pairs have been searched
	queued  []uint64 // by slot of shape: the shape is in todo
	crowded []uint64 // by slot of shape: the shape is crowded
	peers   []peer   // by slot of shape
	members []member // the crowded shapes
	todo    []int32  // shapes that overlap members, whose pairs are yet to be searched
	best    []rival  // in work
	choices []choice
	counts  []int32 // by slot of body: its pairs that were chosen; 0 between steps
}

// peer is a copy of the fields of a shape that ranking its pairs reads, adjacent in memory,
// since each shape of a crowd reads those of all others.
type peer struct {
	box            geom.AABB // the tight box
	step           uint64    // 1 + the number of steps when it was copied
	category, mask uint64
	body           int32
	solid          bool // of a dynamic body, and not a sensor
}

// member is a crowded shape, and the number of its possible pairs with shapes of other
// dynamic bodies.
type member struct {
	shape, pairs int32
}

// choice is a pair that is among the deepest of one of its shapes.
type choice struct {
	depth float64
	key   pairKey
}

// compare is negative if p is chosen before q.
func (p choice) compare(q choice) int {
	switch {
	case p.depth > q.depth:
		return -1
	case p.depth < q.depth:
		return 1
	}
	a, b := p.key.apart(), q.key.apart()
	if a != b {
		return int(a) - int(b)
	}
	return cmp.Compare(p.key, q.key)
}

// apart returns the difference of the two slots.
func (k pairKey) apart() int32 { return int32(k&0xffffffff) - int32(k>>32) }

// rival is a pair of a crowded shape that is among its deepest so far.
type rival struct {
	depth float64
	apart int32 // difference of the slots
	other int32
}

// before reports whether r is kept rather than q.
func (r rival) before(q rival) bool {
	if r.depth != q.depth {
		return r.depth > q.depth
	}
	if r.apart != q.apart {
		return r.apart < q.apart
	}
	return r.other < q.other
}

// ofDynamic reports whether two shapes that may collide belong to dynamic bodies, and
// neither is a sensor.
func (w *World) ofDynamic(a, b *shape) bool { return w.isSolid(a) && w.isSolid(b) }

// isSolid reports whether a shape belongs to a dynamic body, and is not a sensor.
func (w *World) isSolid(s *shape) bool {
	return !s.sensor && w.bodies.At(s.body).kind == Dynamic
}

// joinCrowd adds the shape in slot i to the crowd, and lists the pairs that it keeps, if it
// is crowded; otherwise it returns false. The shapes whose boxes overlap its own are in
// scratch.near.
func (w *World) joinCrowd(i int32) bool {
	sc := &w.scratch
	c := &sc.crowd
	if !w.isSolid(w.shapes.At(i)) {
		return false
	}
	for len(c.peers) < int(w.shapes.Slots()) {
		c.looked, c.queued, c.crowded = append(c.looked, 0), append(c.queued, 0), append(c.crowded, 0)
		c.peers = append(c.peers, peer{})
	}
	me := *w.peerAt(i)
	c.best = c.best[:0]
	n := int32(0)
	// Search from the shape's own slot outward: of equal depths the nearer slots are kept,
	// so most later pairs are not ranked at all.
	at, _ := slices.BinarySearch(sc.near, w.shapes.At(i).proxy)
	for j := range sc.near {
		if j += at; j >= len(sc.near) {
			j = len(sc.near) - 1 - j + at
		}
		k := w.proxyAt(sc.near[j]).slot()
		p := w.peerAt(k)
		if !p.solid || p.body == me.body || p.category&me.mask == 0 || me.category&p.mask == 0 {
			continue
		}
		n++
		depth := overlapDepth(me.box, p.box)
		if len(c.best) < crowdKeep || depth >= c.best[crowdKeep-1].depth {
			c.rank(rival{depth, max(i, k) - min(i, k), k})
		}
	}
	if n <= crowdLimit {
		return false
	}
	now := w.steps + 1
	c.looked[i], c.crowded[i] = now, now
	c.members = append(c.members, member{i, n})
	s := w.shapes.At(i)
	for _, id := range sc.near {
		k := w.proxyAt(id).slot()
		switch {
		case c.peers[k].solid:
			if c.looked[k] != now && c.queued[k] != now {
				c.queued[k] = now
				c.todo = append(c.todo, k)
			}
		case w.mayCollide(s, w.shapes.At(k)):
			w.listPair(i, k)
		}
	}
	for _, r := range c.best {
		c.choices = append(c.choices, choice{r.depth, pairOf(i, r.other)})
	}
	return true
}

// rank inserts r into the crowdKeep best pairs, if it belongs to them.
func (c *crowd) rank(r rival) {
	n := len(c.best)
	if n == crowdKeep {
		if !r.before(c.best[n-1]) {
			return
		}
		n--
	} else {
		c.best = append(c.best, r)
	}
	for ; n > 0 && r.before(c.best[n-1]); n-- {
		c.best[n] = c.best[n-1]
	}
	c.best[n] = r
}

// peerAt returns the peer of the shape in slot i.
func (w *World) peerAt(i int32) *peer {
	p := &w.scratch.crowd.peers[i]
	if p.step != w.steps+1 {
		s := w.shapes.At(i)
		*p = peer{
			box:  s.bounds(w.bodies.At(s.body).transform()),
			step: w.steps + 1, category: s.category, mask: s.mask, body: s.body, solid: w.isSolid(s),
		}
	}
	return p
}

// overlapDepth returns the depth of the overlap of two boxes along the axis of least
// overlap; negative if the boxes are apart.
func overlapDepth(a, b geom.AABB) float64 {
	least := a.Max.X - b.Min.X
	for _, d := range [3]float64{b.Max.X - a.Min.X, a.Max.Y - b.Min.Y, b.Max.Y - a.Min.Y} {
		if d < least {
			least = d
		}
	}
	return least
}

// thinCrowd searches the pairs of all shapes that crowded shapes overlap, lists the pairs to
// keep, and removes the contacts of dropped pairs.
func (w *World) thinCrowd() {
	sc := &w.scratch
	c := &sc.crowd
	if len(c.members) == 0 {
		return
	}
	now := w.steps + 1
	for n := 0; n < len(c.todo); n++ {
		if i := c.todo[n]; c.looked[i] != now {
			w.pairUp(i)
		}
	}
	w.keepDeepest()
	// In the order of slots, so that the result does not depend on the broad phase's order.
	slices.SortFunc(c.members, func(a, b member) int { return int(a.shape) - int(b.shape) })
	for _, m := range c.members {
		for l := w.bodies.At(w.shapes.At(m.shape).body).firstContact; l >= 0; {
			k := l >> 1
			o := w.contacts.At(k)
			l = o.next[l&1]
			if o.ofShapes() && (o.shapeA == m.shape || o.shapeB == m.shape) && !o.sensor && o.chosenAt != now &&
				c.crowded[o.shapeA] == now && c.crowded[o.shapeB] == now {
				w.removeContact(k, false)
			}
		}
	}
	w.crowded = true
}

// keepDeepest keeps the contacts of the chosen pairs, or lists the new pairs, deepest first
// and at most crowdMost for a body.
func (w *World) keepDeepest() {
	sc := &w.scratch
	c := &sc.crowd
	slices.SortFunc(c.choices, choice.compare)
	for len(c.counts) < int(w.bodies.Slots()) {
		c.counts = append(c.counts, 0)
	}
	for k, p := range c.choices {
		if k > 0 && p == c.choices[k-1] {
			continue // both shapes have chosen the pair
		}
		a, b := &c.counts[w.shapes.At(int32(p.key>>32)).body], &c.counts[w.shapes.At(int32(p.key&0xffffffff)).body]
		if crowded := c.crowded[p.key>>32] == w.steps+1 && c.crowded[p.key&0xffffffff] == w.steps+1; crowded {
			if *a == crowdMost || *b == crowdMost {
				continue
			}
			*a++
			*b++
		}
		if k, ok := w.pairs[p.key]; ok {
			w.contacts.At(k).chosenAt = w.steps + 1
		} else {
			sc.pairs = append(sc.pairs, p.key)
		}
	}
	for _, m := range c.members {
		c.counts[w.shapes.At(m.shape).body] = 0
	}
}

// countDropped counts the pairs of each crowded shape that have no contact, and lists the
// awake shapes with such pairs, which choose again in the next step. It runs after all
// contacts of the step are added.
func (w *World) countDropped() {
	c := &w.scratch.crowd
	for _, m := range c.members {
		s := w.shapes.At(m.shape)
		b := w.bodies.At(s.body)
		s.dropped = m.pairs
		for l := b.firstContact; l >= 0; {
			o := w.contacts.At(l >> 1)
			l = o.next[l&1]
			if !o.ofShapes() || o.shapeA != m.shape && o.shapeB != m.shape {
				continue
			}
			p, q := w.shapes.At(o.shapeA), w.shapes.At(o.shapeB)
			if w.ofDynamic(p, q) && p.fat.Overlaps(q.fat) {
				s.dropped--
			}
		}
		if s.dropped > 0 && b.awake {
			w.noteMoved(shapeProxy | proxy(m.shape))
		}
	}
	c.members, c.todo, c.choices = c.members[:0], c.todo[:0], c.choices[:0]
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
