package grid

import (
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Tracker reports the pairs that begin and end as objects move, at a cost that depends on the
// number of moved objects. The zero Tracker is not usable; make one with NewTracker.
//
// It adds each object's box, grown by a margin, to a grid, and changes it only when the object
// leaves that grown box, so objects that jitter cost nothing. Its pairs belong to the grown
// boxes: at each Flush exactly the result of the grid's AppendPairs.
type Tracker struct {
	g       *Grid
	margin  float64
	touched []ID
	listed  []bool  // by id: whether it is in touched
	pairs   [][2]ID // sorted
	fresh   [][2]ID // present pairs of touched objects
	spare   [][2]ID
	near    []ID
	begin   [][2]ID
	end     [][2]ID
}

// NewTracker returns a tracker of objects in g, which must be empty. Boxes are grown by margin, in
// units of length, on every side; with 0 the boxes themselves pair. It panics if
// g is not empty or the margin is negative, infinite or NaN.
//
// Add, move and remove objects through the tracker; any query of the grid is allowed. After a
// change to the grid itself call Touch.
func NewTracker(g *Grid, margin float64) *Tracker {
	if g.Len() > 0 {
		panic(fmt.Sprintf("quarry: grid: NewTracker of a grid with %d objects", g.Len()))
	}
	if !(margin >= 0 && margin <= maxMargin) {
		panic(fmt.Sprintf("quarry: grid: margin %v is not in [0, %v]", margin, maxMargin))
	}
	return &Tracker{g: g, margin: margin}
}

// maxMargin prevents overflow of grown boxes.
const maxMargin = MaxCellSize

// Grid returns the grid of grown boxes.
func (t *Tracker) Grid() *Grid { return t.g }

// Add adds an object, as Grid.Add does.
func (t *Tracker) Add(box geom.AABB, data uint64) (ID, error) {
	if box.IsEmpty() {
		return t.g.Add(box, data) // the grown box might not be empty
	}
	id, err := t.g.Add(box.Expand(t.margin), data)
	if err == nil {
		t.Touch(id)
	}
	return id, err
}

// Update moves an object, as Grid.Update does. It reports whether its grown box changed.
func (t *Tracker) Update(id ID, box geom.AABB) (bool, error) {
	slot := t.g.mustSlot(id)
	if box.IsEmpty() {
		return false, t.g.check(box)
	}
	if t.g.boxes[slot].Contains(box) {
		return false, nil
	}
	if err := t.g.Update(id, box.Expand(t.margin)); err != nil {
		return false, err
	}
	t.Touch(id)
	return true, nil
}

// Remove removes an object, as Grid.Remove does; its pairs end at the next Flush. If the id is
// given out again before that Flush, a pair of the new object with a partner of the old one does
// not begin again.
func (t *Tracker) Remove(id ID) {
	t.g.Remove(id)
	t.Touch(id)
}

// Touch makes the next Flush check an object that was changed in the grid: excluded, included,
// moved or removed there.
func (t *Tracker) Touch(id ID) {
	for int(id) >= len(t.listed) {
		t.listed = append(t.listed, false)
	}
	if !t.listed[id] {
		t.listed[id] = true
		t.touched = append(t.touched, id)
	}
}

// Flush returns the pairs that began and those that ended since the previous Flush, the lower id
// first, in ascending order. The slices are valid until the next Flush.
func (t *Tracker) Flush() (begin, end [][2]ID) {
	g := t.g
	t.begin, t.end = t.begin[:0], t.end[:0]
	if len(t.touched) == 0 {
		return t.begin, t.end
	}
	t.fresh = t.fresh[:0]
	for _, id := range t.touched {
		if !g.Has(id) || g.Excluded(id) {
			continue
		}
		t.near = g.appendPartners(t.near[:0], g.Box(id))
		for _, b := range t.near {
			// Of two touched objects, the one with the lower id reports the pair.
			if b != id && (b > id || !t.touchedID(b)) {
				t.fresh = append(t.fresh, pair(id, b))
			}
		}
	}
	slices.SortFunc(t.fresh, comparePairs)
	// Merge the old and the fresh pairs: an old pair without a touched object stays, any other must
	// be among the fresh.
	out := t.spare[:0]
	i := 0
	for _, k := range t.pairs {
		for ; i < len(t.fresh) && comparePairs(t.fresh[i], k) < 0; i++ {
			out = t.beginPair(out, t.fresh[i])
		}
		switch {
		case i < len(t.fresh) && t.fresh[i] == k:
			out = append(out, k)
			i++
		case t.touchedID(k[0]) || t.touchedID(k[1]):
			t.end = append(t.end, k)
		default:
			out = append(out, k)
		}
	}
	for ; i < len(t.fresh); i++ {
		out = t.beginPair(out, t.fresh[i])
	}
	t.spare, t.pairs = t.pairs, out
	for _, id := range t.touched {
		t.listed[id] = false
	}
	t.touched = t.touched[:0]
	return t.begin, t.end
}

func (t *Tracker) beginPair(out [][2]ID, k [2]ID) [][2]ID {
	t.begin = append(t.begin, k)
	return append(out, k)
}

func (t *Tracker) touchedID(id ID) bool { return int(id) < len(t.listed) && t.listed[id] }

// AppendPairs appends the pairs as of the last Flush, in ascending order, and
// returns the extended slice.
func (t *Tracker) AppendPairs(dst [][2]ID) [][2]ID { return append(dst, t.pairs...) }
