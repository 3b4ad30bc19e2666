package gridseg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// placesOf returns the chunks of a range in the order of the tree.
func placesOf(g *Grid, r Rect) []Cell {
	in := rangeOf(r)
	var all []Cell
	for _, c := range g.appendIn(nil, g.tree.root, &in) {
		all = append(all, Cell{c.cx, c.cy})
	}
	return all
}

// TestTree: the tree holds the chunks that there are, whatever came and went, and its
// order is a function of them alone.
func TestTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 30 {
		spread := int64(1) << (5 + trial)
		at := func() int32 { return int32(max(math.MinInt32, min(math.MaxInt32, r.Int64N(2*spread)-spread))) }
		g := New(nil)
		kept := map[Cell]bool{}
		for range 300 {
			x, y := at(), at()
			if r.IntN(3) == 0 {
				for c := range kept { // any
					x, y = c.X, c.Y
					break
				}
			}
			if kept[Cell{x, y}] {
				delete(kept, Cell{x, y})
				if err := g.Clear(x, y); err != nil {
					t.Fatal(err)
				}
			} else {
				kept[Cell{x, y}] = true
				if err := g.Set(x, y, Tile{Shape: Full}); err != nil {
					t.Fatal(err)
				}
			}
			if r.IntN(4) == 0 {
				g.Resolve()
			}
		}
		g.Resolve()
		fresh := New(nil)
		for c := range kept {
			if err := fresh.Set(c.X, c.Y, Tile{Shape: Full}); err != nil {
				t.Fatal(err)
			}
		}
		for k := range 20 {
			in := everywhere
			if k > 0 {
				x, y, z, w := at(), at(), at(), at()
				in = Rect{min(x, z), min(y, w), max(x, z), max(y, w)}
			}
			got := placesOf(g, in)
			if !slices.Equal(got, placesOf(fresh, in)) {
				t.Fatalf("trial %d: the order of %v is not that of a grid made at once", trial, in)
			}
			want := 0
			for _, c := range g.chunks {
				if in.MinX>>chunkBits <= c.cx && c.cx <= in.MaxX>>chunkBits && in.MinY>>chunkBits <= c.cy && c.cy <= in.MaxY>>chunkBits {
					want++
					if !slices.Contains(got, Cell{c.cx, c.cy}) {
						t.Fatalf("trial %d: chunk %d, %d is not found in %v", trial, c.cx, c.cy, in)
					}
				}
			}
			if len(got) != want {
				t.Fatalf("trial %d: %d chunks in %v, not %d", trial, len(got), in, want)
			}
		}
		for c := range kept {
			if err := g.Clear(c.X, c.Y); err != nil {
				t.Fatal(err)
			}
		}
		g.Resolve()
		if g.tree.root != 0 {
			t.Fatalf("trial %d: the tree of no chunks has a root", trial)
		}
	}
}

// TestQueriesCostWhatIsInRange: rays and searches of a range 1,000,000 cells long cost
// what exists in it, not the length, nor what lies elsewhere. Over 90,000 chunks, far
// from each other, a ray that missed all of them took 4.6 ms and more, now 24 us.
func TestQueriesCostWhatIsInRange(t *testing.T) {
	const apart = 1000
	world := func(n int32) *Grid {
		g := New(nil)
		for y := range n {
			for x := range n {
				if err := g.Set(x*apart, y*apart, Tile{Shape: Full}); err != nil {
					t.Fatal(err)
				}
			}
		}
		g.Resolve()
		return g
	}
	small, large := world(3), world(300)
	var runs Runs
	var segments []Segment
	long := Rect{-500000, 500, 500000, 504}
	for _, q := range []struct {
		name string
		do   func(*Grid)
	}{
		{"a ray between rows", func(g *Grid) { g.RayCast(-500000, 500.5, 1e6, 0.3) }},
		{"a ray of 1e9", func(g *Grid) { g.RayCast(-5e8, 500.5, 1e9, 0.3) }},
		{"a ray upwards", func(g *Grid) { g.RayCast(500.5, 1e6, 0.3, -2e6) }},
		{"Nearest", func(g *Grid) { g.Nearest(500.5, 500.5, math.Inf(1)) }},
		{"AppendSegments", func(g *Grid) { segments = g.AppendSegments(segments[:0], long) }},
		{"Gather", func(g *Grid) { runs.Gather(g, long) }},
		{"AnySolid", func(g *Grid) { g.AnySolid(long) }},
		{"SolidArea", func(g *Grid) { g.SolidArea(long) }},
		{"Clear by Fill", func(g *Grid) { _ = g.Fill(Rect{-500000, 500, 500000, 515}, Tile{}) }},
	} {
		cost := func(g *Grid) time.Duration {
			least := time.Hour
			for range 20 {
				from := time.Now()
				for range 20 {
					q.do(g)
				}
				least = min(least, time.Since(from))
			}
			return max(least, 20*time.Microsecond) / 20
		}
		a, b := cost(small), cost(large)
		t.Logf("%s: %v over 9 chunks, %v over 90,000", q.name, a, b)
		if b > 100*a {
			t.Errorf("%s takes %.0f times as long over 90,000 chunks as over 9", q.name, float64(b)/float64(a))
		}
	}
}
