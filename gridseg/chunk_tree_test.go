package gridseg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// placesOf returns the chunks of a range in the order of the tree.
func placesOf(g *Grid, r Rect) []Cell {
	in := rangeOf(r)
	var all []Cell
	g.eachIn(g.tree.root, &in, func(c *chunk) bool {
		all = append(all, Cell{X: c.cx, Y: c.cy})
		return true
	})
	return all
}

// TestTree: after any insertions and removals the tree holds the present chunks, and its
// order is a function of these alone.
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
			if kept[Cell{X: x, Y: y}] {
				delete(kept, Cell{X: x, Y: y})
				if err := g.Clear(x, y); err != nil {
					t.Fatal(err)
				}
			} else {
				kept[Cell{X: x, Y: y}] = true
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
				in = Rect{MinX: min(x, z), MinY: min(y, w), MaxX: max(x, z), MaxY: max(y, w)}
			}
			got := placesOf(g, in)
			if !slices.Equal(got, placesOf(fresh, in)) {
				t.Fatalf("trial %d: the order of %v differs from a grid made at once", trial, in)
			}
			want := 0
			for _, c := range g.chunks {
				if in.MinX>>chunkBits <= c.cx && c.cx <= in.MaxX>>chunkBits && in.MinY>>chunkBits <= c.cy &&
					c.cy <= in.MaxY>>chunkBits {
					want++
					if !slices.Contains(got, Cell{X: c.cx, Y: c.cy}) {
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

// farWorld returns n x n full tiles, each in a chunk of its own, far from the others.
func farWorld(t testing.TB, n int32) *Grid {
	const apart = 1000
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

// farQueries are rays and searches through farWorld that meet none of its tiles but, for
// Nearest, the first four.
func farQueries() []farQuery {
	var runs Runs
	var segments []Segment
	long := Rect{MinX: -500000, MinY: 500, MaxX: 500000, MaxY: 504}
	row, column := Rect{MinX: math.MinInt32, MinY: 496, MaxX: math.MaxInt32, MaxY: 511}, Rect{
		MinX: 496,
		MinY: math.MinInt32, MaxX: 511, MaxY: math.MaxInt32,
	}
	return []farQuery{
		{"a ray between rows", row, func(g *Grid) { g.RayCast(-500000, 500.5, 1e6, 0.3) }},
		{"a ray of 1e9", row, func(g *Grid) { g.RayCast(-5e8, 500.5, 1e9, 0.3) }},
		{"a ray upwards", column, func(g *Grid) { g.RayCast(500.5, 1e6, 0.3, -2e6) }},
		{"Nearest", Rect{MinX: -1000, MinY: -1000, MaxX: 2000, MaxY: 2000}, func(g *Grid) {
			g.Nearest(500.5, 500.5, math.Inf(1))
		}},
		{"AppendSegments", row, func(g *Grid) { segments = g.AppendSegments(segments[:0], long) }},
		{"Gather", row, func(g *Grid) { runs.Gather(g, long) }},
		{"AnySolid", row, func(g *Grid) { g.Engine(lattice.Key{}).AnySolid(long) }},
		{"SolidArea", row, func(g *Grid) { g.SolidArea(long) }},
		{"Clear by Fill", row, func(g *Grid) {
			_ = g.Fill(Rect{MinX: -500000, MinY: 500, MaxX: 500000, MaxY: 515}, Tile{})
		}},
	}
}

type farQuery struct {
	name string
	in   Rect // contains all cells that the query has to look at
	do   func(*Grid)
}

// hideUnder removes the chunks under r that no walk over in needs, which are in squares
// that do not meet in. It returns how many remain.
func hideUnder(g *Grid, r branch, in *chunkRange, needed bool) int {
	if r < 0 {
		if needed {
			return 1
		}
		g.chunks[^r] = nil
		return 0
	}
	s := &g.tree.squares[r-1]
	far := s.x + 1<<s.bits - 1
	top := s.y + 1<<s.bits - 1
	needed = needed && s.x <= in.x1 && far >= in.x0 && s.y <= in.y1 && top >= in.y0
	n := 0
	for _, k := range s.children {
		if k != 0 {
			n += hideUnder(g, k, in, needed)
		}
	}
	return n
}

// TestQueriesLookOnlyInRange: rays and searches of a range 1,000,000 cells long visit the
// chunks in the range and their neighbours in the tree, not the others. The others are
// removed here, so that a query that visits one panics. Over 90,000 chunks far from each
// other a ray that missed all of them took 4.6 ms and more, now 24 us
// (BenchmarkFarQueries).
func TestQueriesLookOnlyInRange(t *testing.T) {
	for _, q := range farQueries() {
		g := farWorld(t, 100)
		in := rangeOf(q.in)
		left := hideUnder(g, g.tree.root, &in, true)
		t.Logf("%s: %d of 10,000 chunks can be looked at", q.name, left)
		if left > 1000 {
			t.Errorf("%s: the tree offers %d chunks of 10,000", q.name, left)
		}
		q.do(g)
	}
}

func BenchmarkFarQueries(b *testing.B) {
	g := farWorld(b, 300)
	for _, q := range farQueries() {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q.do(g)
			}
		})
	}
}
