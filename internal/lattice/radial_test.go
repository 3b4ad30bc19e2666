package lattice

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// turnOf is the oracle's angle from one direction to another, in (0, 360] degrees: a
// number of quarter turns and the tangent of the rest, in the frame of the first
// direction, without a bound on the coordinates.
func turnOf(from, to Edge, clockwise bool) (quarters int, tangent *big.Rat) {
	diff := func(e Edge) (x, y *big.Int) {
		x = new(big.Int).Sub(big.NewInt(e.B.X), big.NewInt(e.A.X))
		y = new(big.Int).Sub(big.NewInt(e.B.Y), big.NewInt(e.A.Y))
		return x, y
	}
	mul := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	fx, fy := diff(from)
	tx, ty := diff(to)
	x := new(big.Int).Add(mul(fx, tx), mul(fy, ty))
	y := new(big.Int).Sub(mul(fx, ty), mul(fy, tx))
	if clockwise {
		y.Neg(y)
	}
	// Quarter by quarter, turn the frame until the direction lies in its first
	// quadrant, the axis that it begins with excluded and the other included.
	for x.Sign() < 0 || y.Sign() <= 0 {
		x, y = y, x.Neg(x)
		quarters++
	}
	if x.Sign() == 0 {
		return quarters + 1, new(big.Rat)
	}
	return quarters, new(big.Rat).SetFrac(y, x)
}

// slowMatch is RadialMatch by looking at all pairs.
func slowMatch(edges []Edge) (prev, next []int) {
	back := func(e Edge) Edge { return Edge{e.B, e.A} }
	for _, e := range edges {
		p, n := -1, -1
		var pq, nq int
		var pt, nt *big.Rat
		for k, f := range edges {
			if f.B == e.A {
				q, t := turnOf(e, back(f), true)
				if p < 0 || q < pq || q == pq && t.Cmp(pt) < 0 {
					p, pq, pt = k, q, t
				}
			}
			if f.A == e.B {
				q, t := turnOf(back(e), f, false)
				if n < 0 || q < nq || q == nq && t.Cmp(nt) < 0 {
					n, nq, nt = k, q, t
				}
			}
		}
		prev, next = append(prev, p), append(next, n)
	}
	return prev, next
}

func checkMatch(t rapid.TB, edges []Edge) {
	t.Helper()
	prev, next, err := RadialMatch(edges)
	if err != nil {
		t.Fatal(err)
	}
	wantPrev, wantNext := slowMatch(edges)
	if !slices.Equal(prev, wantPrev) || !slices.Equal(next, wantNext) {
		t.Fatalf("edges %v\nprev %v\nwant %v\nnext %v\nwant %v", edges, prev, wantPrev, next, wantNext)
	}
}

func TestRadialMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]int64{1, 7, MaxEdge / 4}).Draw(t, "scale")
		shift := rapid.SampledFrom([]int64{0, 1<<63 - 1 - 2*MaxEdge, -1<<63 + 2*MaxEdge}).Draw(t, "shift")
		point := rapid.Custom(func(t *rapid.T) Point {
			c := rapid.Int64Range(-2, 2)
			return Point{c.Draw(t, "x")*scale + shift, c.Draw(t, "y")*scale + shift}
		})
		edge := rapid.Custom(func(t *rapid.T) Edge {
			return Edge{point.Draw(t, "a"), point.Draw(t, "b")}
		}).Filter(func(e Edge) bool { return e.A != e.B })
		checkMatch(t, rapid.SliceOfN(edge, 0, 24).Draw(t, "edges"))
	})
}

// TestRadialMatchPublished compares the match with the example of the publication,
// section 3.2.
func TestRadialMatchPublished(t *testing.T) {
	o := Point{}
	up, left, downRight := Edge{o, Point{0, 1}}, Edge{Point{1, 0}, o}, Edge{Point{-1, 1}, o}
	prev, _, err := RadialMatch([]Edge{up, left, downRight})
	if err != nil || prev[0] != 1 {
		t.Errorf("case A: prev %v, %v", prev, err)
	}
	flip := func(e Edge) Edge { return Edge{e.B, e.A} }
	_, next, err := RadialMatch([]Edge{flip(up), flip(left), flip(downRight)})
	if err != nil || next[0] != 2 {
		t.Errorf("case B: next %v, %v", next, err)
	}
}

func TestRadialMatchTurnOfNothing(t *testing.T) {
	a, b, c := Point{0, 0}, Point{5, 5}, Point{5, 4}
	there, back, other := Edge{a, b}, Edge{b, a}, Edge{b, c}
	_, next, _ := RadialMatch([]Edge{there, back})
	if next[0] != 1 {
		t.Errorf("the only way on is back, got %v", next)
	}
	_, next, _ = RadialMatch([]Edge{there, back, other})
	if next[0] != 2 {
		t.Errorf("back is the last choice, got %v", next)
	}
	// The lower index of two edges alike.
	_, next, _ = RadialMatch([]Edge{there, other, other, back, back})
	if next[0] != 1 {
		t.Errorf("of two alike the first, got %v", next)
	}
}

func TestRadialMatchRefuses(t *testing.T) {
	ok := Edge{Point{}, Point{MaxEdge, -MaxEdge}}
	for _, c := range []struct {
		e    Edge
		kind error
	}{
		{Edge{Point{3, 4}, Point{3, 4}}, ErrDegenerate},
		{Edge{Point{}, Point{MaxEdge + 1, 0}}, ErrTooLarge},
		{Edge{Point{}, Point{0, -MaxEdge - 1}}, ErrTooLarge},
		{Edge{Point{-1 << 63, 0}, Point{1<<63 - 1, 0}}, ErrTooLarge}, // wraps to -1
		{Edge{Point{0, 1<<63 - 1}, Point{0, -1 << 63}}, ErrTooLarge},
	} {
		prev, next, err := RadialMatch([]Edge{ok, c.e})
		var e *EdgeError
		if !errors.Is(err, c.kind) || !errors.As(err, &e) || e.Index != 1 || prev != nil || next != nil {
			t.Errorf("%v: %v", c.e, err)
		}
	}
	_, _, err := RadialMatch([]Edge{ok, {Point{3, 4}, Point{3, 4}}})
	if want := "lattice: edge 1: " + ErrDegenerate.Error() + ": both ends at (3, 4)"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if p, n, err := RadialMatch(nil); err != nil || len(p)+len(n) != 0 {
		t.Errorf("nothing: %v", err)
	}
}

func BenchmarkRadialMatch(b *testing.B) {
	// The surface of a field of ramps, 100 in a row: each a slope, a rise to the next and its floor.
	var field []Edge
	for x := range int64(100) {
		for y := range int64(100) {
			at := func(dx, dy int64) Point { return Point{(x + dx) * Unit, (2*y + dy) * Unit} }
			for _, e := range [][2]Point{{at(1, 1), at(0, 0)}, {at(1, 0), at(1, 1)}, {at(0, 0), at(1, 0)}} {
				field = append(field, Edge{e[0], e[1]})
			}
		}
	}
	var fan []Edge
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 10000 {
		e := Edge{B: Point{r.Int64N(1<<20) - 1<<19, 1 + r.Int64N(1<<20)}}
		if k&1 != 0 {
			e.A, e.B = e.B, e.A
		}
		fan = append(fan, e)
	}
	for _, c := range []struct {
		name  string
		edges []Edge
	}{{"ramps", field}, {"fan", fan}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := RadialMatch(c.edges); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.edges)), "ns/edge")
		})
	}
}
