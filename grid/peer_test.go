package grid

import (
	"math"
	"slices"

	"github.com/tidwall/rtree"

	"github.com/quarry2d/quarry/geom"
)

// tree is the peer: an R-tree of the crowd's boxes.
type tree struct {
	t     rtree.RTreeG[int32]
	boxes [][2][2]float64 // as they are in the tree
}

func newTree(c *crowd) *tree {
	t := &tree{boxes: make([][2][2]float64, len(c.boxes))}
	for i, b := range c.boxes {
		t.boxes[i] = [2][2]float64{{b.Min.X, b.Min.Y}, {b.Max.X, b.Max.Y}}
		t.t.Insert(t.boxes[i][0], t.boxes[i][1], int32(i))
	}
	return t
}

func (t *tree) update(c *crowd) {
	for i, b := range c.boxes {
		old := &t.boxes[i]
		lo, hi := [2]float64{b.Min.X, b.Min.Y}, [2]float64{b.Max.X, b.Max.Y}
		t.t.Replace(old[0], old[1], int32(i), lo, hi, int32(i))
		*old = [2][2]float64{lo, hi}
	}
}

func (t *tree) pairs(dst [][2]int32) [][2]int32 {
	for i := range t.boxes {
		a := int32(i)
		t.t.Search(t.boxes[i][0], t.boxes[i][1], func(_, _ [2]float64, b int32) bool {
			if a < b {
				dst = append(dst, [2]int32{a, b})
			}
			return true
		})
	}
	return dst
}

// ray finds the hits of a ray by searching the boxes of its parts, each object once.
func (t *tree) ray(dst []Hit, o, d geom.Vec, parts int) []Hit {
	start := len(dst)
	c := cast{o: o, d: d, maxT: 1, mask: All}
	for i := range parts {
		a, b := o.Add(d.Mul(float64(i)/float64(parts))), o.Add(d.Mul(float64(i+1)/float64(parts)))
		x := geom.Box(a, b)
		t.t.Search([2]float64{x.Min.X, x.Min.Y}, [2]float64{x.Max.X, x.Max.Y}, func(lo, hi [2]float64, id int32) bool {
			box := geom.AABB{Min: geom.V(lo[0], lo[1]), Max: geom.V(hi[0], hi[1])}
			if at, ok := c.meets(&box); ok {
				dst = append(dst, Hit{ID(id), at})
			}
			return true
		})
	}
	slices.SortFunc(dst[start:], compareHits)
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// first finds the first that a ray meets, part by part.
func (t *tree) first(o, d geom.Vec, parts int) (Hit, bool) {
	best := Hit{ID: none, T: math.Inf(1)}
	c := cast{o: o, d: d, maxT: 1, mask: All}
	for i := range parts {
		a, b := o.Add(d.Mul(float64(i)/float64(parts))), o.Add(d.Mul(float64(i+1)/float64(parts)))
		x := geom.Box(a, b)
		t.t.Search([2]float64{x.Min.X, x.Min.Y}, [2]float64{x.Max.X, x.Max.Y}, func(lo, hi [2]float64, id int32) bool {
			box := geom.AABB{Min: geom.V(lo[0], lo[1]), Max: geom.V(hi[0], hi[1])}
			if at, ok := c.meets(&box); ok && (at < best.T || at == best.T && ID(id) < best.ID) {
				best = Hit{ID(id), at}
			}
			return true
		})
		if best.T <= float64(i+1)/float64(parts) {
			break
		}
	}
	return best, best.ID != none
}
