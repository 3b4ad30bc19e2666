package surface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestChainRunsAreStraight: the faces of a chain cover its segments in order, each
// once; every point of a run is within RunSlop of its chord, and passed in order;
// and what is exactly straight, or straight but for rounding, is one run.
func TestChainRunsAreStraight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ch := Chain{Loop: rapid.Bool().Draw(t, "loop")}
		at := geom.V(rapid.SampledFrom([]float64{0, 7, -1e4, 1e9}).Draw(t, "x"),
			rapid.SampledFrom([]float64{0, -3, 1e6}).Draw(t, "y"))
		dir, bend := geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle")), 0.0
		exact := 0 // segments since the last bend
		longest, slight := 0, false
		for range rapid.IntRange(3, 200).Draw(t, "points") {
			ch.Points = append(ch.Points, at)
			if rapid.IntRange(0, 9).Draw(t, "turn") == 0 {
				bend = rapid.SampledFrom([]float64{0, 0, 1e-9, -1e-7, 1e-5, -1e-4, 0.3, 3}).Draw(t, "bend")
			}
			if bend != 0 {
				exact = 0
			}
			slight = slight || bend != 0 && math.Abs(bend) < 0.1
			dir = dir.Mul(geom.NewRot(bend))
			at = at.Add(dir.Apply(geom.V(rapid.SampledFrom([]float64{0.006, 0.1, 1, 30}).Draw(t, "step"), 0)))
			exact++
			longest = max(longest, exact)
		}
		if ch.Points[len(ch.Points)-1].Dist(ch.Points[0]) < geom.LinearSlop {
			ch.Loop = false // AddChain refuses so short a closing segment
		}
		ch.join()
		n, next, most := 0, ch.First(0), 0
		for k := range ch.Faces() {
			a, b := ch.Ends(k)
			first, count := ch.First(k), ch.Count(k)
			if first != next || a != ch.Points[first] || b != ch.Point(first+count) {
				t.Fatalf("face %d begins at %d, not %d", k, first, next)
			}
			next = (first + count) % len(ch.Points)
			n += count
			most = max(most, count)
			u, length := b.Sub(a).Unit()
			was := 0.0
			for i := 1; i <= count; i++ {
				p := ch.Point((first + i) % len(ch.Points)).Sub(a)
				if off := math.Abs(u.Cross(p)); off > RunSlop+4e-16*length {
					t.Fatalf("point %d of the run from %d is off by %v", i, first, off)
				}
				if x := u.Dot(p); x <= was {
					t.Fatalf("point %d of the run from %d goes back", i, first)
				} else {
					was = x
				}
				if s := ch.SegmentAt(k, p.Add(a).Sub(u.Mul(0.001)), geom.Vec{}); s != (first+i-1)%len(ch.Points) {
					t.Fatalf("before point %d of the run from %d: segment %d", i, first, s)
				}
			}
		}
		if n != ch.Segments() {
			t.Fatalf("%d of %d segments are in runs", n, ch.Segments())
		}
		// A run that begins in a slight bend may end within what is straight after it.
		if far := at.Len(); far < 1e6 && !ch.Loop && !slight && most < longest-1 {
			t.Fatalf("%d segments in a line, the longest run has %d", longest, most)
		}
	})
}
