package broad

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// crowdLimit is the number of shapes of other dynamic bodies that a shape overlaps without being
// crowded.
const crowdLimit = 64

const (
	keep = 8
	most = 16
)

// crowdShape is the part of a shape that ranking its pairs reads.
type crowdShape struct {
	Box geom.AABB // the tight box
	Filter
	Body  int32
	Solid bool // of a dynamic body, and not a sensor
	Picky bool // its body may be excluded from contacts with some bodies
}

// crowdSource returns the shape in a slot, and whether two bodies are excluded from contacts with each other.
type crowdSource interface {
	CrowdShape(slot int32) crowdShape
	Excludes(bodyA, bodyB int32) bool
}

// crowdPair is the slots of two shapes, A below B.
type crowdPair struct{ A, B int32 }

// CrowdMember is a crowded shape, and the number of its possible pairs with shapes of other dynamic
// bodies.
type CrowdMember struct{ Shape, Pairs int32 }

// crowd chooses which pairs of overlapping shapes have a contact where too many shapes overlap.
//
// If n bodies are at one place, all n*n/2 pairs of them overlap, and a contact for each would
// take seconds and gigabytes. So a dynamic shape whose box overlaps the boxes of more than crowdLimit
// shapes of other dynamic bodies is crowded. A pair of two crowded shapes has a contact only if it
// is among the keep deepest pairs of either shape and, the deepest pairs first, as long as neither
// body has most such contacts. So the contacts of a body's crowded shapes with other crowded shapes
// number at most most, and at most keep a shape on average. Other pairs are never dropped: pairs
// with grounds, chains, static and kinematic bodies, sensors, and shapes that are not crowded, such
// as each of the many boxes on one raft.
//
// The depth of a pair is the overlap of the shapes' tight boxes, along the axis of smallest overlap.
// Of pairs of equal depth the pair with the nearer slots is kept, so that shapes at one point form
// a band of pairs rather than a star. The choice depends only on the poses and slots of the shapes
// in this step, not on earlier contacts: awake shapes with dropped pairs choose again in each step,
// and the dropped pairs come back as the crowd disperses.
//
// crowd holds the crowded shapes of a step. The zero value is ready for Begin. The slices of step
// numbers, by slot of shape, are empty until the first crowd.
type crowd struct {
	// Members are the crowded shapes; after Keep, in the order of slots.
	Members []CrowdMember

	now     uint64   // number of the step, 1 and up
	queued  []uint64 // step in which the shape was put in todo
	crowded []uint64 // step in which the shape was crowded
	peers   []peer   // copies of the shapes, adjacent in memory: each shape of a crowd reads all others
	todo    []int32  // shapes that overlap members, which may be crowded, too
	done    int      // of those, the number that Next has returned or passed over
	best    []rival  // scratch
	choices []choice
	kept    []crowdPair
	counts  []int32 // by slot of body: its pairs that were chosen; 0 between steps
}

// peer is a shape, and the step in which it was copied.
type peer struct {
	crowdShape
	step uint64
}

// choice is a pair that is among the deepest of one of its shapes.
type choice struct {
	depth float64
	crowdPair
}

// compare is negative if p is chosen before q.
func (p choice) compare(q choice) int {
	switch {
	case p.depth > q.depth:
		return -1
	case p.depth < q.depth:
		return 1
	case p.B-p.A != q.B-q.A:
		return int(p.B-p.A) - int(q.B-q.A)
	}
	return int(p.A) - int(q.A)
}

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

// Begin begins the step of the given number, 1 and up.
func (c *crowd) Begin(step uint64) {
	c.now = step
	c.Members, c.todo, c.done, c.choices = c.Members[:0], c.todo[:0], 0, c.choices[:0]
}

// Forget forgets the steps before: the next one may have the number of one of these.
func (c *crowd) Forget() {
	clear(c.queued)
	clear(c.crowded)
	clear(c.peers)
}

// Next returns a shape that overlaps a member, and is none so far.
func (c *crowd) Next() (int32, bool) {
	for c.done < len(c.todo) {
		i := c.todo[c.done]
		c.done++
		if c.crowded[i] != c.now {
			return i, true
		}
	}
	return -1, false
}

// Dropped reports whether the shapes a and b are crowded in this step: a contact between them
// exists only if Keep returned the pair.
func (c *crowd) Dropped(a, b int32) bool {
	return c.crowded[a] == c.now && c.crowded[b] == c.now
}

// Add makes shape i a member, and chooses its deepest pairs, if it is crowded; otherwise it returns
// false. near are the shapes whose boxes overlap its own, itself among them at the index at, slots
// the number of slots.
func (c *crowd) Add(from crowdSource, i int32, near []int32, at int, slots int32) bool {
	for len(c.peers) < int(slots) {
		c.queued, c.crowded = append(c.queued, 0), append(c.crowded, 0)
		c.peers = append(c.peers, peer{})
	}
	me := c.peer(from, i).crowdShape
	c.best = c.best[:0]
	n := int32(0)
	// Search from the shape's own place outward: of equal depths the nearer slots are kept,
	// so most later pairs are not ranked at all.
	for j := range near {
		if j += at; j >= len(near) {
			j = len(near) - 1 - j + at
		}
		k := near[j]
		p := c.peer(from, k)
		if !p.Solid || p.Body == me.Body || !p.Allows(&me.Filter) || me.Picky && p.Picky && from.Excludes(me.Body,
			p.Body) {
			continue
		}
		n++
		depth := overlapDepth(me.Box, p.Box)
		if len(c.best) < keep || depth >= c.best[keep-1].depth {
			c.rank(rival{depth, max(i, k) - min(i, k), k})
		}
	}
	if n <= crowdLimit {
		return false
	}
	c.crowded[i] = c.now
	c.Members = append(c.Members, CrowdMember{i, n})
	for _, k := range near {
		if c.peers[k].Solid && c.crowded[k] != c.now && c.queued[k] != c.now {
			c.queued[k] = c.now
			c.todo = append(c.todo, k)
		}
	}
	for _, r := range c.best {
		c.choices = append(c.choices, choice{r.depth, crowdPair{min(i, r.other), max(i, r.other)}})
	}
	return true
}

// rank inserts r into the best pairs, if it belongs to them.
func (c *crowd) rank(r rival) {
	n := len(c.best)
	if n == keep {
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

// peer returns the copy of the shape in slot i.
func (c *crowd) peer(from crowdSource, i int32) *peer {
	p := &c.peers[i]
	if p.step != c.now {
		*p = peer{from.CrowdShape(i), c.now}
	}
	return p
}

// overlapDepth returns the depth of the overlap of two boxes along the axis of smallest
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

// Keep returns the pairs to keep, the deepest first, once all members are added: of two members,
// at most most for a body. The slice is valid until the next Keep.
func (c *crowd) Keep() []crowdPair {
	slices.SortFunc(c.choices, choice.compare)
	// In the order of slots, so that the result does not depend on the broad phase's order.
	slices.SortFunc(c.Members, func(a, b CrowdMember) int { return int(a.Shape) - int(b.Shape) })
	c.kept = c.kept[:0]
	for k, p := range c.choices {
		if k > 0 && p == c.choices[k-1] {
			continue // both shapes have chosen the pair
		}
		if c.Dropped(p.A, p.B) {
			a, b := c.bodyOf(p.A), c.bodyOf(p.B)
			if c.counts[a] == most || c.counts[b] == most {
				continue
			}
			c.counts[a]++
			c.counts[b]++
		}
		c.kept = append(c.kept, p.crowdPair)
	}
	for _, m := range c.Members {
		c.counts[c.bodyOf(m.Shape)] = 0
	}
	return c.kept
}

// bodyOf returns the body of the shape in slot i, and makes room for its count.
func (c *crowd) bodyOf(i int32) int32 {
	body := c.peers[i].Body
	for int(body) >= len(c.counts) {
		c.counts = append(c.counts, 0)
	}
	return body
}
