package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// pointTable finds the points of many manifolds by their features: a hash table of lists.
// The zero value is ready for use after clear, and keeps its memory.
type pointTable struct {
	epoch   uint64      // number of calls of clear
	entered int         // manifolds entered since clear
	heads   []tableHead // by hash; a power of two
	next    []int32     // by index of point, two a manifold: 1 + the next point with its hash, 0: none
}

// tableHead is the beginning of a list.
type tableHead struct {
	round uint64 // the epoch in which the list was begun
	at    int32  // 1 + the index of its first point, two a manifold
}

// leastTable is the length of the first table.
const leastTable = 1 << 11

// clear removes all points.
func (t *pointTable) clear() { t.entered, t.epoch = 0, t.epoch+1 }

// add enters the points of the manifolds that were appended since the last call.
func (t *pointTable) add(manifolds []manifold) {
	t.reserve(len(manifolds))
	for ; t.entered < len(manifolds); t.entered++ {
		m := &manifolds[t.entered]
		for k := range m.n {
			t.put(m.points[k].feature, int32(2*t.entered+k))
		}
	}
}

// addPlaces is add with the points named by their positions; see placeOf.
func (t *pointTable) addPlaces(manifolds []manifold) {
	t.reserve(len(manifolds))
	for ; t.entered < len(manifolds); t.entered++ {
		m := &manifolds[t.entered]
		for k := range m.n {
			t.put(placeOf(m.points[k].rA, 0, 0), int32(2*t.entered+k))
		}
	}
}

// placeOf names the square in which p lies, moved by dx and dy squares. A square is twice
// speculativeDistance wide.
func placeOf(p geom.Vec, dx, dy float64) feature {
	const side, most = 2 * speculativeDistance, 1 << 52
	x, y := math.Floor(p.X/side)+dx, math.Floor(p.Y/side)+dy
	return feature{x: int64(max(-most, min(most, x))), y: int64(max(-most, min(most, y)))}
}

// reserve makes room for the points of n manifolds.
func (t *pointTable) reserve(n int) {
	if 4*n > len(t.heads) {
		long := leastTable
		for 4*n > long {
			long *= 2
		}
		t.heads, t.entered = make([]tableHead, long), 0
	}
	for len(t.next) < 2*n {
		t.next = append(t.next, 0)
	}
}

// put enters the point with the index at under the feature f.
func (t *pointTable) put(f feature, at int32) {
	h := t.head(f)
	t.next[at] = 0
	if h.round == t.epoch {
		t.next[at] = h.at
	}
	*h = tableHead{t.epoch, at + 1}
}

// first returns 1 + the index of the first point that may have the feature f, or 0.
func (t *pointTable) first(f feature) int32 {
	if h := t.head(f); h.round == t.epoch {
		return h.at
	}
	return 0
}

// head returns the list of the hash of f. (The multipliers are odd and irregular, so that
// the highest bits of the products depend on all of f.)
func (t *pointTable) head(f feature) *tableHead {
	h := uint64(f.x)*0x9E3779B97F4A7C15 ^ uint64(f.y)*0xD413CCCFE7799215 ^ uint64(f.pair)
	h *= 0x9E3779B97F4A7C15
	return &t.heads[h>>32&uint64(len(t.heads)-1)]
}
