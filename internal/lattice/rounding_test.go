package lattice

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// inPixel is passes the slow way: it tries the ends of the edge, where it meets the
// lines of the pixel, and a point between any two of these.
func inPixel(a, b, p Point) bool {
	half := big.NewRat(1, 2)
	at := func(from, to, c int64, t *big.Rat) *big.Rat { // the coordinate, seen from p
		r := new(big.Rat).Mul(t, big.NewRat(to-from, 1))
		return r.Add(r, big.NewRat(from-c, 1))
	}
	ts := []*big.Rat{big.NewRat(0, 1), big.NewRat(1, 1)}
	for _, c := range [][3]int64{{a.X, b.X, p.X}, {a.Y, b.Y, p.Y}} {
		for _, side := range []int64{-1, 1} {
			if d := c[1] - c[0]; d != 0 {
				if t := big.NewRat(2*(c[2]-c[0])+side, 2*d); t.Sign() >= 0 && t.Cmp(ts[1]) <= 0 {
					ts = append(ts, t)
				}
			}
		}
	}
	slices.SortFunc(ts, func(p, q *big.Rat) int { return p.Cmp(q) })
	for k := range len(ts) - 1 {
		m := new(big.Rat).Add(ts[k], ts[k+1])
		ts = append(ts, m.Mul(m, half))
	}
	low := new(big.Rat).Neg(half)
	return slices.ContainsFunc(ts, func(t *big.Rat) bool {
		x, y := at(a.X, b.X, p.X, t), at(a.Y, b.Y, p.Y, t)
		return x.Cmp(low) >= 0 && x.Cmp(half) < 0 && y.Cmp(low) >= 0 && y.Cmp(half) < 0
	})
}

func TestPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) Point {
			return Point{int64(rapid.IntRange(-7, 7).Draw(t, name+" x")), int64(rapid.IntRange(-7, 7).Draw(t,
				name+" y"))}
		}
		a, b := at("a"), at("b")
		for y := int64(-8); y <= 8; y++ {
			for x := int64(-8); x <= 8; x++ {
				if p := (Point{x, y}); crossesPixel(a, b, p) != inPixel(a, b, p) {
					t.Fatalf("%v-%v through %v: %v", a, b, p, !inPixel(a, b, p))
				}
			}
		}
	})
}

// TestRounding has edges so near to each other that rounding moves nearly all. Afterwards
// they meet only in their ends, none is further than half a step in x and y from its old
// place, and no point has changed sides.
func TestRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.SampledFrom([]int{6, 20, 4096}).Draw(t, "side")
		var loops [][]Point
		for range rapid.IntRange(1, 4).Draw(t, "loops") {
			var loop []Point
			for range rapid.IntRange(3, 8).Draw(t, "vertices") {
				loop = append(loop, Point{
					int64(rapid.IntRange(0, side).Draw(t, "x")),
					int64(rapid.IntRange(0, side).Draw(t, "y")),
				})
			}
			loops = append(loops, loop)
		}
		in := appendLoopEdges(nil, loops, 0)
		out, err := snapRound(in)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range out {
			near := false
			for _, o := range in {
				near = near || crossesPixel(o.a, o.b, s.a) && crossesPixel(o.a, o.b, s.b)
			}
			if !near {
				t.Fatalf("%v is no part of an edge", s)
			}
			for _, o := range out[:i] {
				meet := edgesMeet(s.a, s.b, o.a, o.b)
				if s.a == o.a && s.b == o.b || meet && s.a != o.a && s.a != o.b && s.b != o.a && s.b != o.b ||
					edgesCross(s.a, s.b, o.a, o.b) {
					t.Fatalf("%v and %v meet", s, o)
				}
			}
		}
		turns := func(edges [][2]Point, p Point) (n int) { // winding number of p, which is on none of the edges
			for _, e := range edges {
				n += windingOf(e[0], e[1], p)
			}
			return n
		}
		var before, after [][2]Point
		for _, loop := range loops {
			for i := range loop {
				before = append(before, [2]Point{loop[i], loop[(i+1)%len(loop)]})
			}
		}
		for _, s := range out {
			for range s.count {
				after = append(after, [2]Point{s.a, s.b})
			}
			for range -s.count {
				after = append(after, [2]Point{s.b, s.a})
			}
		}
		for k := range int64(60) {
			p := Point{(k*7919 + 13) % int64(side+1), (k*104729 + 7) % int64(side+1)}
			near := slices.ContainsFunc(before, func(e [2]Point) bool { return passesNear(e[0], e[1], p) })
			if !near && turns(before, p) != turns(after, p) {
				t.Fatalf("%v: winding number %d, %d before", p, turns(after, p), turns(before, p))
			}
		}
	})
}

// passesNear reports whether the edge passes a pixel at most two steps from p in x and y.
func passesNear(a, b, p Point) bool {
	for dy := int64(-2); dy <= 2; dy++ {
		for dx := int64(-2); dx <= 2; dx++ {
			if crossesPixel(a, b, Point{p.X + dx, p.Y + dy}) {
				return true
			}
		}
	}
	return false
}

// windingOf returns the part of an edge in the winding number of p: 1 if the edge crosses the ray from p along x
// upwards, -1 if downwards.
func windingOf(a, b, p Point) int {
	left := (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) > 0
	switch {
	case a.Y <= p.Y && b.Y > p.Y && left:
		return 1
	case b.Y <= p.Y && a.Y > p.Y && !left:
		return -1
	}
	return 0
}

// The crossing of an edge with a grid line is the same whichever way the edge runs.
func TestCutsEitherWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) Point {
			return Point{int64(rapid.IntRange(0, 5*Unit).Draw(t, name+" x")), int64(rapid.IntRange(0, 5*Unit).Draw(t,
				name+" y"))}
		}
		a, b := at("a"), at("b")
		forth := append(appendCuts(nil, a, b), b)
		back := append(appendCuts(nil, b, a), a)
		slices.Reverse(back)
		if !slices.Equal(forth, back) {
			t.Fatalf("forth %v, back %v", forth, back)
		}
		for i := range len(forth) - 1 {
			p, q := forth[i], forth[i+1]
			lo, hi := Point{min(p.X, q.X), min(p.Y, q.Y)}, Point{max(p.X, q.X), max(p.Y, q.Y)}
			if hi.X > (lo.X>>12+1)*Unit || hi.Y > (lo.Y>>12+1)*Unit {
				t.Fatalf("%v-%v is not in one cell", p, q)
			}
		}
	})
}

// The crossing of an edge with a grid line is led through the nearest lattice point on it,
// a half upwards: the same for all cells, and no other point.
func TestCutsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) Point {
			return Point{rapid.Int64Range(0, 5*Unit).Draw(t, name+" x"), rapid.Int64Range(0, 5*Unit).Draw(t, name+" y")}
		}
		a, b := at("a"), at("b")
		want := map[Point]bool{a: true}
		half := big.NewRat(1, 2)
		nearest := func(from, to, n, d int64) int64 { // of from + (to-from)*n/d
			r := new(big.Rat).Mul(big.NewRat(to-from, 1), big.NewRat(n, d))
			r.Add(r, big.NewRat(from, 1)).Add(r, half)
			return new(big.Int).Div(r.Num(), r.Denom()).Int64() // rounds down, as all is positive
		}
		for k := int64(0); k <= 5*Unit; k += Unit {
			if (a.X-k)*(b.X-k) < 0 {
				want[Point{k, nearest(a.Y, b.Y, k-a.X, b.X-a.X)}] = true
			}
			if (a.Y-k)*(b.Y-k) < 0 {
				want[Point{nearest(a.X, b.X, k-a.Y, b.Y-a.Y), k}] = true
			}
		}
		got := appendCuts(nil, a, b)
		for _, p := range got {
			if !want[p] {
				t.Fatalf("%v-%v is cut at %v, want %v", a, b, p, want)
			}
		}
		for p := range want {
			found := false
			for _, q := range got {
				found = found || p == q
			}
			if !found {
				t.Fatalf("%v-%v is not cut at %v: %v", a, b, p, got)
			}
		}
	})
}
