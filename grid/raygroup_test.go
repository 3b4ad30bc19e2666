package grid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestOutlineTest compares four sub-boxes at once with whole numbers: none that the ray touches is
// left out, and none that is beyond a 256th of a cell is taken in, to the largest width.
func TestOutlineTest(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	const one = int64(1) << fixed
	ids := make([]ID, 16)
	for range 200_000 {
		slope := r.Int64N(2*one+1) - one
		if r.IntN(8) == 0 {
			slope = []int64{-one, 0, one, 1, -1}[r.IntN(5)]
		}
		wide := []int64{1 << 18, 1 << 25, one / 2}[r.IntN(3)]
		steep := r.IntN(2) == 0
		// Where a ray can be in a column that enters the cell.
		lo, hi := min(0, slope)-wide, max(0, slope)+wide
		v := -hi + r.Int64N(one+hi-lo)
		var o [4]subBox
		for i := range o {
			x0, y0 := r.IntN(16), r.IntN(16)
			o[i] = subBox(x0 | y0<<4 | (x0+r.IntN(16-x0))<<8 | (y0+r.IntN(16-y0))<<12)
		}
		ids[4], ids[5] = ID(uint32(o[0])|uint32(o[1])<<16), ID(uint32(o[2])|uint32(o[3])<<16)
		n := 1 + r.IntN(4)
		f := []group{{valid: valid[n], v: int32(v >> (fixed - lineBits)), subBoxesAt: 4}}
		if n == 1 {
			f[0].singleMask, f[0].singleList = ^uint64(0), uint64(single(7, o[0]))
		}
		var line subBoxTest
		line.set(slope, wide, steep)
		line.test(f, ids)
		for i := range o {
			got := f[0].valid>>(16*i+15)&1 == 1
			if i >= n {
				if got {
					t.Fatalf("%d outlines, and %d is near", n, i)
				}
				continue
			}
			touches := func(wide int64) bool {
				u0, v0, u1, v1 := int64(o[i]&15), int64(o[i]>>4&15), int64(o[i]>>8&15), int64(o[i]>>12)
				if steep {
					u0, v0, u1, v1 = v0, u0, v1, u1
				}
				a, b := 16*v+slope*u0, 16*v+slope*(u1+1)
				return min(a, b)-16*wide <= (v1+1)<<fixed && max(a, b)+16*wide >= v0<<fixed
			}
			if touches(wide) && !got || got && !touches(wide+one/256) {
				t.Fatalf("outline %#x, v %d, slope %d, wide %d, steep %v: near %v", o[i], v, slope, wide, steep, got)
			}
		}
		if f[0].valid&^valid[n] != 0 {
			t.Fatalf("%#x", f[0].valid)
		}
	}
}

// TestRaysThroughHeaps: cells of more objects than a ray takes at a time, which come in no
// order along it.
func TestRaysThroughHeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, n := range []int{3, 4, 5, 8, 9, 64, 255, 256, 257, 900} {
		m := newModel(t, 4)
		for range n {
			p := geom.V(4*r.Float64(), 4*r.Float64())
			m.add(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()))})
		}
		for range 40 {
			a := 2 * math.Pi * r.Float64()
			d := geom.V(math.Cos(a), math.Sin(a)).Mul(12)
			p := geom.V(4*r.Float64(), 4*r.Float64())
			m.checkRay(p, d)
			m.checkRay(p.Sub(d.Mul(0.5)), d)
		}
	}
}
