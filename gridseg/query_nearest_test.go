package gridseg

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// exactly is a lattice coordinate in cells.
func exactly(x int64) *big.Rat { return big.NewRat(x, Unit) }

func (p ratPoint) dot(q ratPoint) *big.Rat {
	return new(big.Rat).Add(new(big.Rat).Mul(p.x, q.x), new(big.Rat).Mul(p.y, q.y))
}

func (p ratPoint) cross(q ratPoint) *big.Rat {
	return new(big.Rat).Sub(new(big.Rat).Mul(p.x, q.y), new(big.Rat).Mul(p.y, q.x))
}

func (p ratPoint) sub(q ratPoint) ratPoint {
	return ratPoint{new(big.Rat).Sub(p.x, q.x), new(big.Rat).Sub(p.y, q.y)}
}

type ratPoint struct{ x, y *big.Rat }

func exactPoint(p Point) ratPoint { return ratPoint{exactly(p.X), exactly(p.Y)} }

// exactDistance2 is the squared distance of p from a segment, without rounding.
func exactDistance2(p ratPoint, s Segment) *big.Rat {
	a, b := exactPoint(s.A), exactPoint(s.B)
	e, ap, bp := b.sub(a), p.sub(a), p.sub(b)
	switch {
	case e.dot(ap).Sign() <= 0:
		return ap.dot(ap)
	case e.dot(bp).Sign() >= 0:
		return bp.dot(bp)
	}
	c := e.cross(ap)
	return c.Mul(c, c).Quo(c, e.dot(e))
}

// near reports whether two numbers agree but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }

// anyGround returns a resolved world of up to 5x5 cells at o, at times with two
// blocks far off, so that rings end before they meet all chunks.
func anyGround(t *rapid.T, shapes *Shapes, o Cell) *Grid {
	g := New(shapes)
	put := func(x, y int32, tile Tile) {
		if err := g.Set(x, y, tile); err != nil {
			t.Fatal(err)
		}
	}
	for range rapid.IntRange(0, 20).Draw(t, "tiles") {
		x, y := rapid.IntRange(0, worldSide-1).Draw(t, "x"), rapid.IntRange(0, worldSide-1).Draw(t, "y")
		put(o.X+int32(x), o.Y+int32(y), anyTile(shapes).Draw(t, "tile"))
	}
	for k := range int32(rapid.IntRange(0, 40).Draw(t, "far")) {
		// A loose row, to either side.
		put(o.X^(k*21), o.Y^(k*k), Tile{Shape: Full})
	}
	g.Resolve()
	return g
}

// anyOffset draws a coordinate about a world: a multiple of an eighth, or any.
func anyOffset(t *rapid.T, name string) float64 {
	switch rapid.IntRange(0, 5).Draw(t, name+" kind") {
	case 0:
		return rapid.Float64Range(-200, 200).Draw(t, name)
	case 1, 2:
		return rapid.Float64Range(-2, 7).Draw(t, name)
	}
	return float64(rapid.IntRange(-16, 56).Draw(t, name)) / 8
}

func checkNearest(t rapid.TB, g *Grid, x, y, maxDist float64) {
	t.Helper()
	got, ok := g.Nearest(x, y, maxDist)
	p := ratPoint{rat(x), rat(y)}
	var least *big.Rat
	var all segRef
	bestD2 := math.Inf(1)
	for _, s := range g.AppendSegments(nil, everywhere) {
		if d := exactDistance2(p, s); least == nil || d.Cmp(least) < 0 {
			least = d
		}
	}
	// The same comparison without a search: chunks in no order, but every segment.
	for _, c := range g.chunks {
		for i := range chunkCells {
			for k, s := range c.segments(i) {
				l := lineOf(lattice.OriginOf(c.cell(i)), &s, x, y)
				q := segRef{c, i, k}
				if d2, _ := l.nearOrigin(); d2 < bestD2 || d2 == bestD2 && q.before(all) {
					all, bestD2 = q, d2
				}
			}
		}
	}
	if want := all.c != nil && math.Sqrt(bestD2) <= maxDist; ok != want {
		t.Fatalf("(%v, %v) within %v: %v, the least is %v", x, y, maxDist, ok, bestD2)
	}
	if !ok {
		return
	}
	if want := all.segment(&g.reader); got.Segment != want || got.Distance != math.Sqrt(bestD2) {
		t.Fatalf("(%v, %v): %+v\nwant %+v at %v", x, y, got, want, math.Sqrt(bestD2))
	}
	exact, _ := least.Float64()
	own, _ := exactDistance2(p, got.Segment).Float64()
	if !near(got.Distance*got.Distance, exact) || !near(own, exact) {
		t.Fatalf("(%v, %v): %+v\nis at %v squared, the least is %v", x, y, got, own, exact)
	}
	// The place is on the segment, and that far away, as well as cells so far out
	// can be told apart.
	e := max(math.Abs(x), math.Abs(y), 1)
	onto, _ := exactDistance2(ratPoint{rat(got.X), rat(got.Y)}, got.Segment).Float64()
	dx, dy := got.X-x, got.Y-y
	if math.Sqrt(onto) > e*1e-15 || math.Abs(math.Sqrt(dx*dx+dy*dy)-got.Distance) > e*1e-15+got.Distance*1e-12 {
		t.Fatalf("(%v, %v): %+v\nplace is off by %v", x, y, got, onto)
	}
	if got.Solid != g.Solid(x, y) {
		t.Fatalf("(%v, %v): solid %v", x, y, got.Solid)
	}
}

func TestNearest(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		g := anyGround(t, shapes, o)
		for range 6 {
			x, y := float64(o.X)+anyOffset(t, "x"), float64(o.Y)+anyOffset(t, "y")
			checkNearest(t, g, x, y, rapid.SampledFrom([]float64{
				math.Inf(1), math.Inf(1), 1000, 20, 2.5, 0.5,
				0,
			}).Draw(t, "within"))
		}
	})
}

func TestNearestTies(t *testing.T) {
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Full}}, placed{4, 0, Tile{Shape: Full}},
		placed{4, 4, Tile{Shape: Full}})
	bottomN := idAt(Cell{}, spotAt(0, 0), spotAt(Unit, 0)).N
	rightN := idAt(Cell{}, spotAt(Unit, 0), spotAt(Unit, Unit)).N
	topN := idAt(Cell{}, spotAt(Unit, Unit), spotAt(0, Unit)).N
	for _, c := range []struct {
		x, y float64
		id   SegmentID
		dist float64
		in   bool
	}{
		{.5, .5, SegmentID{Cell{}, bottomN}, .5, true},                 // the middle: all four tie
		{2.5, .5, SegmentID{Cell{}, rightN}, 1.5, false},               // between two blocks: the lower column
		{4.5, 2.5, SegmentID{Cell{X: 4, Y: 0}, topN}, 1.5, false},      // the lower row
		{1.375, 1.5, SegmentID{Cell{}, rightN}, .625, false},           // a corner: the lower N
		{1, 1, SegmentID{Cell{}, rightN}, 0, true},                     // on the corner itself
		{2.5, 2.5, SegmentID{Cell{}, rightN}, 1.5 * math.Sqrt2, false}, // amid three corners
		{-1, -1, SegmentID{Cell{}, bottomN}, math.Sqrt2, false},        // bottom and left tie
	} {
		got, ok := g.Nearest(c.x, c.y, 9)
		if !ok || got.Segment.ID != c.id || !near(got.Distance, c.dist) || got.Solid != c.in {
			t.Errorf("(%v, %v): %+v, %v", c.x, c.y, got, ok)
		}
		if _, ok := g.Nearest(c.x, c.y, got.Distance); !ok {
			t.Errorf("(%v, %v): not within its own distance", c.x, c.y)
		}
		if _, ok := g.Nearest(c.x, c.y, math.Nextafter(got.Distance, -1)); ok {
			t.Errorf("(%v, %v): within less than its distance", c.x, c.y)
		}
	}
}

// Of cells in another row and column the lower row wins, not the lower column.
func TestNearestTiesByRow(t *testing.T) {
	g := build(t, New(nil), placed{4, 0, Tile{Shape: Full}}, placed{0, 4, Tile{Shape: Full}})
	if got, ok := g.Nearest(2.5, 2.5, 9); !ok || got.Segment.ID.Cell != (Cell{X: 4, Y: 0}) {
		t.Errorf("%+v, %v", got, ok)
	}
}

// scattered is a world of many chunks with a few tiles each, or none, so that
// searches go by rings and slabs and not over all chunks.
func scattered(t testing.TB) *Grid {
	g := New(nil)
	r := rand.New(rand.NewPCG(31, 32))
	for range 700 {
		tile := Tile{Shape: ShapeID(1 + r.IntN(5)), Turn: Turn(r.IntN(turns))}
		if err := g.Set(r.Int32N(900)-450, r.Int32N(900)-450, tile); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	return g
}

// TestNearestFarApart searches through rings without anything in them. A brute
// force over the segments is oracle enough for the search.
func TestNearestFarApart(t *testing.T) {
	g := scattered(t)
	segs := g.AppendSegments(nil, everywhere)
	r := rand.New(rand.NewPCG(33, 34))
	for range 1000 {
		x, y := r.Float64()*1000-500, r.Float64()*1000-500
		var want Segment
		best := math.Inf(1)
		for _, s := range segs {
			ax, ay, bx, by := inCells(s.A.X)-x, inCells(s.A.Y)-y, inCells(s.B.X)-x, inCells(s.B.Y)-y
			l := line{ax, ay, bx, by}
			if d, _ := l.nearOrigin(); d < best {
				best, want = d, s
			}
		}
		if got, ok := g.Nearest(x, y, math.Inf(1)); !ok || got.Segment != want {
			t.Fatalf("(%v, %v): %+v, want %+v at %v", x, y, got, want, math.Sqrt(best))
		}
		d := math.Sqrt(best)
		if _, ok := g.Nearest(x, y, d*.999); ok {
			t.Fatalf("(%v, %v): nearer than %v", x, y, d)
		}
		if _, ok := g.Nearest(x, y, d*1.001); !ok {
			t.Fatalf("(%v, %v): not within %v", x, y, d)
		}
	}
}

func TestNearestRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Full}})
	for _, c := range [][3]float64{
		{nan, 0, 1},
		{0, nan, 1},
		{0, 0, nan},
		{0, 0, -1},
		{inf, 0, inf},
		{0, -inf, inf},
		{1e300, 0, inf},
		{0, 5, 3.99},
	} {
		if n, ok := g.Nearest(c[0], c[1], c[2]); ok {
			t.Errorf("%v: %+v", c, n)
		}
	}
	if n, ok := g.Nearest(farOut, -farOut, inf); !ok || n.X != 1 || n.Y != 0 {
		t.Errorf("from far out: %+v, %v", n, ok)
	}
	if n, ok := New(nil).Nearest(0, 0, inf); ok {
		t.Errorf("in nothing: %+v", n)
	}
}

// somewhere returns points over a field of n cells, and about it.
func somewhere(n int) [][2]float64 {
	r := rand.New(rand.NewPCG(11, 12))
	out := make([][2]float64, 4096)
	for i := range out {
		out[i] = [2]float64{r.Float64() * float64(n), r.Float64() * float64(n)}
	}
	return out
}

func BenchmarkNearest(b *testing.B) {
	small, ramps, flat := New(nil), New(nil), New(nil)
	fillRamps(b, small, 100)
	fillRamps(b, ramps, 1000)
	if err := flat.Fill(Rect{MinX: 0, MinY: -64, MaxX: 999, MaxY: -1}, Tile{Shape: Full}); err != nil {
		b.Fatal(err)
	}
	small.Resolve()
	ramps.Resolve()
	flat.Resolve()
	at := somewhere(1000)
	for _, c := range []struct {
		name  string
		g     *Grid
		above func(k int) (x, y float64)
	}{
		{"ramps/100", small, func(k int) (x, y float64) { return at[k][0] / 10, at[k][1] / 10 }},
		{"ramps/1000", ramps, func(k int) (x, y float64) { return at[k][0], at[k][1] }},
		{"flat/1", flat, func(k int) (x, y float64) { return at[k][0], 1 }},
		{"flat/100", flat, func(k int) (x, y float64) { return at[k][0], 100 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			k := 0
			for b.Loop() {
				x, y := c.above(k & 4095)
				if _, ok := c.g.Nearest(x, y, math.Inf(1)); !ok {
					b.Fatal("nothing near")
				}
				k++
			}
		})
	}
}
