package contact

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Table finds the points of many manifolds by their features: a hash table of lists.
// The zero value is ready for use after Clear, and keeps its memory.
type Table struct {
	epoch   uint64      // number of calls of Clear
	Entered int         // manifolds entered since Clear
	heads   []tableHead // by hash; a power of two
	next    []int32     // by index of point, two a manifold: 1 + the next point with its hash, 0: none
}

// Few is the number of manifolds up to which a linear search is faster than a Table.
const Few = 8

// tableHead is the beginning of a list.
type tableHead struct {
	epoch uint64 // the epoch in which the list was begun
	at    int32  // 1 + the index of its first point, two a manifold
}

// leastTable is the length of the first table.
const leastTable = 1 << 11

// Clear removes all points.
func (t *Table) Clear() { t.Entered, t.epoch = 0, t.epoch+1 }

// Add enters the points of the manifolds that were appended since the last call, each under the name that name
// returns for point k of m.
func (t *Table) Add(manifolds []SurfaceManifold, name func(m *SurfaceManifold, k int32) Feature) {
	t.Reserve(len(manifolds))
	for ; t.Entered < len(manifolds); t.Entered++ {
		m := &manifolds[t.Entered]
		for k := range m.N {
			t.Put(name(m, k), int32(2*t.Entered)+k)
		}
	}
}

// PlaceOf names the square in which p lies, moved by dx and dy squares, by which to find points near p; side is the
// width of a square.
func PlaceOf(p geom.Vec, side, dx, dy float64) Feature {
	const most = 1 << 52
	x, y := math.Floor(p.X/side)+dx, math.Floor(p.Y/side)+dy
	return Feature{X: int64(max(-most, min(most, x))), Y: int64(max(-most, min(most, y)))}
}

// Reserve makes room for the points of n manifolds.
func (t *Table) Reserve(n int) {
	if 4*n > len(t.heads) {
		long := leastTable
		for 4*n > long {
			long *= 2
		}
		t.heads, t.Entered = make([]tableHead, long), 0
	}
	for len(t.next) < 2*n {
		t.next = append(t.next, 0)
	}
}

// Put enters the point with the index at under the feature f.
func (t *Table) Put(f Feature, at int32) {
	h := t.head(f)
	t.next[at] = 0
	if h.epoch == t.epoch {
		t.next[at] = h.at
	}
	*h = tableHead{t.epoch, at + 1}
}

// Next returns 1 + the index of the point after at in its list, or 0; at is a result of First or
// Next.
func (t *Table) Next(at int32) int32 { return t.next[at-1] }

// First returns 1 + the index of the first point that may have the feature f, or 0.
func (t *Table) First(f Feature) int32 {
	if h := t.head(f); h.epoch == t.epoch {
		return h.at
	}
	return 0
}

// head returns the list of the hash of f. (The multipliers are odd and irregular, so that
// the highest bits of the products depend on all of f.)
func (t *Table) head(f Feature) *tableHead {
	h := uint64(f.X)*0x9E3779B97F4A7C15 ^ uint64(f.Y)*0xD413CCCFE7799215 ^ uint64(f.Pair)
	h *= 0x9E3779B97F4A7C15
	return &t.heads[h>>32&uint64(len(t.heads)-1)]
}
