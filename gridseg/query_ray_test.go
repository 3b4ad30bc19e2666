package gridseg

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// exactHit returns whether and at which fraction the ray from o along d enters s from the
// front, by Cramer's rule without rounding.
func exactHit(o, d ratPoint, s Segment) (t *big.Rat, ok bool) {
	a, b := exactPoint(s.A), exactPoint(s.B)
	e, p := b.sub(a), a.sub(o)
	det := d.cross(e)
	if det.Sign() >= 0 {
		return nil, false
	}
	one := big.NewRat(1, 1)
	t = new(big.Rat).Quo(p.cross(e), det)
	u := new(big.Rat).Quo(p.cross(d), det)
	return t, t.Sign() >= 0 && t.Cmp(one) <= 0 && u.Sign() >= 0 && u.Cmp(one) <= 0
}

// checkRay compares a ray with every segment there is. exact says that the coordinates
// are so short that float64 rounds nothing but the quotient.
func checkRay(t rapid.TB, g *Grid, x, y, dx, dy float64, exact bool) {
	t.Helper()
	got, ok := g.RayCast(x, y, dx, dy)
	var all segRef
	best := math.Inf(1)
	for _, c := range g.chunks {
		for i := range chunkCells {
			for k, s := range c.segments(i) {
				l := lineOf(lattice.OriginOf(c.cell(i)), &s, x, y)
				f, _, hit := l.enteredBy(dx, dy)
				if q := (segRef{c, i, k}); hit && f <= 1 && (f < best || f == best && q.before(all)) {
					all, best = q, f
				}
			}
		}
	}
	if ok != (all.c != nil) || ok && (got.Segment != all.segment(&g.reader) || got.Fraction != best) {
		t.Fatalf("(%v, %v) along (%v, %v): %+v, %v\nwant %+v at %v", x, y, dx, dy, got, ok, all, best)
	}
	o, d := ratPoint{rat(x), rat(y)}, ratPoint{rat(dx), rat(dy)}
	if exact {
		var first *big.Rat
		var want Segment
		for _, s := range g.AppendSegments(nil, everywhere) {
			if at, hit := exactHit(o, d, s); hit && (first == nil || at.Cmp(first) < 0) {
				first, want = at, s
			}
		}
		if ok != (first != nil) || ok && got.Segment != want {
			t.Fatalf("(%v, %v) along (%v, %v): %+v, %v\nwant %+v at %v", x, y, dx, dy, got, ok, want, first)
		}
		if ok {
			if f, _ := first.Float64(); got.Fraction != f {
				t.Fatalf("(%v, %v) along (%v, %v): at %v, want %v", x, y, dx, dy, got.Fraction, f)
			}
		}
	}
	if !ok {
		return
	}
	// To the precision of coordinates so far out, the point is on the ray and on the
	// segment.
	e := 1e-15*max(math.Abs(x), math.Abs(y), 1) + 1e-12*(math.Abs(dx)+math.Abs(dy))
	onto, _ := exactDistance2(ratPoint{rat(got.X), rat(got.Y)}, got.Segment).Float64()
	fx, fy := x+float64(got.Fraction*dx), y+float64(got.Fraction*dy)
	if math.Sqrt(onto) > e || math.Abs(fx-got.X) > e+1e-9 || math.Abs(fy-got.Y) > e+1e-9 {
		t.Fatalf("(%v, %v) along (%v, %v): %+v\nis not at (%v, %v)", x, y, dx, dy, got, fx, fy)
	}
	ex, ey := float64(got.Segment.B.X-got.Segment.A.X), float64(got.Segment.B.Y-got.Segment.A.Y)
	if !near(got.NX*got.NX+got.NY*got.NY, 1) || math.Abs(got.NX*ex+got.NY*ey) > 1e-9 || got.NX*dx+got.NY*dy > 0 {
		t.Fatalf("normal (%v, %v) of %+v", got.NX, got.NY, got)
	}
}

func TestRayCast(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		g := anyGround(t, shapes, o)
		for range 6 {
			x, y := float64(o.X)+anyOffset(t, "x"), float64(o.Y)+anyOffset(t, "y")
			var dx, dy float64
			if rapid.Bool().Draw(t, "towards a point") {
				dx, dy = float64(o.X)+anyOffset(t, "to x")-x, float64(o.Y)+anyOffset(t, "to y")-y
			} else {
				dx, dy = anyOffset(t, "dx"), anyOffset(t, "dy")
			}
			short := func(v float64) bool { return v*8 == math.Floor(v*8) }
			checkRay(t, g, x, y, dx, dy, short(x) && short(y) && short(dx) && short(dy))
		}
	})
}

// TestRayCastNoGap sends rays from a point at every vertex of a ring of ramps and
// blocks, and at points next to it: none may pass between two segments.
func TestRayCastNoGap(t *testing.T) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: -3, MinY: -3, MaxX: 3, MaxY: 3}, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	if err := g.Fill(Rect{MinX: -1, MinY: -1, MaxX: 1, MaxY: 1}, Tile{}); err != nil {
		t.Fatal(err)
	}
	for k, c := range []Cell{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		if err := g.Set(c.X, c.Y, Tile{Shape: Ramp, Turn: Turn(k+3) & 3}); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	for _, s := range g.AppendSegments(nil, everywhere) {
		for _, from := range [][2]float64{{.5, .5}, {.1, .3}, {1. / 3, .77}} {
			for _, stretch := range []float64{1.001, 3, 1e3, 1e9, 1e200} {
				dx, dy := inCells(s.A.X)-from[0], inCells(s.A.Y)-from[1]
				for _, turn := range []float64{0, 1e-16, -1e-16, 1e-12, -1e-12} {
					hit, ok := g.RayCast(from[0], from[1], (dx-turn*dy)*stretch, (dy+turn*dx)*stretch)
					if c := hit.Segment.ID.Cell; !ok || max(c.X, -c.X, c.Y, -c.Y) > 2 {
						t.Fatalf("from %v to %v, turned by %v, stretched by %v: %+v", from, s.A, turn, stretch, hit)
					}
				}
			}
		}
	}
}

// TestRayCastFarApart sends rays through chunks with little in them, and none.
func TestRayCastFarApart(t *testing.T) {
	g := scattered(t)
	segs := g.AppendSegments(nil, everywhere)
	r := rand.New(rand.NewPCG(35, 36))
	hits := 0
	for range 1000 {
		x, y := r.Float64()*1000-500, r.Float64()*1000-500
		dx, dy := r.Float64()*800-400, r.Float64()*800-400
		var want Segment
		best := math.Inf(1)
		for _, s := range segs {
			ax, ay, bx, by := inCells(s.A.X)-x, inCells(s.A.Y)-y, inCells(s.B.X)-x, inCells(s.B.Y)-y
			l := line{ax, ay, bx, by}
			if f, _, hit := l.enteredBy(dx, dy); hit && f <= 1 && f < best {
				best, want = f, s
			}
		}
		got, ok := g.RayCast(x, y, dx, dy)
		if ok != (best <= 1) || ok && (got.Segment != want || got.Fraction != best) {
			t.Fatalf("(%v, %v) along (%v, %v): %+v, %v, want %+v at %v", x, y, dx, dy, got, ok, want, best)
		}
		if ok {
			hits++
		}
	}
	if hits < 100 {
		t.Errorf("%d hits", hits)
	}
}

func TestRayCastCases(t *testing.T) {
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Full}}, placed{1, 1, Tile{Shape: Full}},
		placed{5, 0, Tile{Shape: Ramp}})
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name         string
		x, y, dx, dy float64
		hit          bool
		at           float64
		n            [2]float64
		cell         Cell
	}{
		{"down", .25, 3, 0, -4, true, .5, [2]float64{0, 1}, Cell{X: 0, Y: 0}},
		{"short", .25, 3, 0, -1.999, false, 0, [2]float64{}, Cell{}},
		{"just there", .25, 3, 0, -2, true, 1, [2]float64{0, 1}, Cell{X: 0, Y: 0}},
		{"on the face", .25, 1, 0, -1, true, 0, [2]float64{0, 1}, Cell{X: 0, Y: 0}},
		{"off the face", .25, 1, 0, 1, false, 0, [2]float64{}, Cell{}},
		{"along the face", -1, 1, 1.5, 0, true, 2. / 3, [2]float64{-1, 0}, Cell{X: 0, Y: 0}},
		{"from inside", .5, .5, -3, 0, false, 0, [2]float64{}, Cell{}},
		{
			"from inside into the next", .5, .5, 9, 0, true, 5. / 9,
			[2]float64{-math.Sqrt(.5), math.Sqrt(.5)},
			Cell{X: 5, Y: 0},
		},
		{"between the corners", 0, 2, 2, -2, true, .5, [2]float64{0, 1}, Cell{X: 0, Y: 0}},
		{
			"endless", .25, 1e9, 0, -math.MaxFloat64, true, (1e9 - 1) / math.MaxFloat64,
			[2]float64{0, 1},
			Cell{X: 0, Y: 0},
		},
		{
			"endless, slanted", .5 - 1000, 1001, 0x1p1017, -0x1p1017, true, 1000 * 0x1p-1017,
			[2]float64{0, 1},
			Cell{X: 0, Y: 0},
		},
		{"tiny", .25, 1, 0, -5e-324, true, 0, [2]float64{0, 1}, Cell{X: 0, Y: 0}},
		{"no length", .25, 1, 0, 0, false, 0, [2]float64{}, Cell{}},
		{"nan", nan, 1, 0, -1, false, 0, [2]float64{}, Cell{}},
		{"nan along", 0, 1, 0, nan, false, 0, [2]float64{}, Cell{}},
		{"infinite", .25, 3, 0, -inf, false, 0, [2]float64{}, Cell{}},
		{"far out", 1e300, .5, -1e300, 0, false, 0, [2]float64{}, Cell{}},
	} {
		got, ok := g.RayCast(c.x, c.y, c.dx, c.dy)
		if ok != c.hit || got.Fraction != c.at || !near(got.NX, c.n[0]) || !near(got.NY, c.n[1]) ||
			got.Segment.ID.Cell != c.cell {
			t.Errorf("%s: %+v, %v", c.name, got, ok)
		}
		if x, y := c.x+float64(c.at*c.dx), c.y+float64(c.at*c.dy); ok && !(near(x, got.X) && near(y, got.Y)) {
			t.Errorf("%s: hit at (%v, %v), want (%v, %v)", c.name, got.X, got.Y, x, y)
		}
	}
}

func TestSearchAllocates(t *testing.T) {
	g := New(nil)
	fillRamps(t, g, 100)
	g.Resolve()
	if n := testing.AllocsPerRun(100, func() {
		g.RayCast(-3, 70, 200, -31)
		g.Nearest(-40, 300, math.Inf(1))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRayCast(b *testing.B) {
	small, ramps, cave := New(nil), New(nil), New(nil)
	fillRamps(b, small, 100)
	fillRamps(b, ramps, 1000)
	if err := cave.Fill(Rect{MinX: -16, MinY: -16, MaxX: 1015, MaxY: 1015}, Tile{Shape: Full}); err != nil {
		b.Fatal(err)
	}
	if err := cave.Fill(Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999}, Tile{}); err != nil {
		b.Fatal(err)
	}
	for k := range int32(1000) { // pillars that a ray may meet
		if err := cave.Set(k*37%1000, k*91%1000, Tile{Shape: Full}); err != nil {
			b.Fatal(err)
		}
	}
	small.Resolve()
	ramps.Resolve()
	cave.Resolve()
	at, to := somewhere(1), somewhere(2)
	for _, c := range []struct {
		name   string
		g      *Grid
		size   float64
		length float64
	}{{"ramps/100", small, 100, 10}, {"ramps/1000", ramps, 1000, 10}, {"cave/10", cave, 1000, 10}, {
		"cave/1000", cave,
		1000, 1000,
	}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			k, hits := 0, 0
			for b.Loop() {
				p, d := at[k&4095], to[k*7&4095]
				if _, ok := c.g.RayCast(p[0]*c.size, p[1]*c.size, (d[0]-1)*c.length, (d[1]-1)*c.length); ok {
					hits++
				}
				k++
			}
			b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
		})
	}
}
