package grid

import (
	"testing"

	"github.com/tidwall/rtree"
)

func BenchmarkPeerFrame(b *testing.B) {
	for _, most := range []float64{4, 1000} {
		b.Run("", func(b *testing.B) {
			c := newCrowd(100_000, most, 1.0/3)
			t := newTree(c)
			var pairs [][2]int32
			for range 2 {
				c.move()
				t.update(c)
			}
			b.ReportAllocs()
			for b.Loop() {
				c.move()
				t.update(c)
				pairs = t.pairs(pairs[:0])
			}
			perObject(b, len(c.boxes))
			b.ReportMetric(float64(len(pairs)), "pairs")
		})
	}
}

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
