package geom

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestSinCosAgainstLibrary(t *testing.T) {
	// The library's reduction of |x| <= 1e6 is good to 1e-16; it is not the same
	// on all targets, which is why it is only the oracle.
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e6, 1e6).Draw(t, "x")
		s, c := SinCos(x)
		if math.Abs(s-math.Sin(x)) > 1e-15 || math.Abs(c-math.Cos(x)) > 1e-15 {
			t.Fatalf("SinCos(%v) = %v, %v; want %v, %v", x, s, c, math.Sin(x), math.Cos(x))
		}
		if l := float64(s*s) + float64(c*c); math.Abs(l-1) > 1e-15 {
			t.Fatalf("length %v", l)
		}
		s2, c2 := SinCos(-x)
		if s2 != -s || c2 != c {
			t.Fatal("not odd and even")
		}
	})
}

func TestSinCosDense(t *testing.T) {
	worst := 0.0
	for i := -200000; i <= 200000; i++ {
		x := float64(i) * 0.0001234567
		s, c := SinCos(x)
		worst = max(worst, math.Abs(s-math.Sin(x)), math.Abs(c-math.Cos(x)))
	}
	if worst > 5e-16 {
		t.Errorf("worst error %g", worst)
	}
}

func TestSinCosExact(t *testing.T) {
	for k, want := range [][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 1}} {
		for _, sign := range []float64{1, -1} {
			s, c := SinCos(sign * float64(k) * (math.Pi / 2))
			if s != sign*want[0] || c != want[1] {
				t.Errorf("SinCos(%v quarter turns) = %v, %v", sign*float64(k), s, c)
			}
		}
	}
	if s, _ := SinCos(1e-300); s != 1e-300 {
		t.Error("a tiny angle is lost")
	}
	for _, x := range []float64{1e7, 1e12, 1e15, 1e16, 1e300, math.MaxFloat64} {
		s, c := SinCos(x)
		if l := float64(s*s) + float64(c*c); math.Abs(l-1) > 1e-9 {
			t.Errorf("SinCos(%v) has length %v", x, l)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if s, c := SinCos(x); s == s || c == c {
			t.Errorf("SinCos(%v) = %v, %v", x, s, c)
		}
	}
}

// TestAtanTable checks the constants against their series in big arithmetic.
func TestAtanTable(t *testing.T) {
	for i, got := range atanEighth {
		// Euler's series: sum of 2^2n (n!)^2/(2n+1)! * x^(2n+1)/(1+x^2)^(n+1).
		x := big.NewRat(int64(i), 8)
		x2 := new(big.Rat).Mul(x, x)
		f := new(big.Rat).Quo(x2, new(big.Rat).Add(x2, big.NewRat(1, 1)))
		term, _ := new(big.Float).SetPrec(200).SetRat(new(big.Rat).Quo(x, new(big.Rat).Add(x2, big.NewRat(1, 1)))), 0
		ratio := new(big.Float).SetPrec(200).SetRat(f)
		sum := new(big.Float).SetPrec(200)
		for n := int64(1); n < 300; n++ {
			sum.Add(sum, term)
			term.Mul(term, ratio)
			term.Mul(term, new(big.Float).SetPrec(200).SetRat(big.NewRat(2*n, 2*n+1)))
		}
		if want, _ := sum.Float64(); got != want {
			t.Errorf("atanEighth[%d] = %v, want %v", i, got, want)
		}
	}
}

func TestAtan2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.Float64Range(-1e3, 1e3).Draw(t, "y")
		x := rapid.Float64Range(-1e3, 1e3).Draw(t, "x")
		if x == 0 && y == 0 || y == 0 {
			return // signs of zero differ by design
		}
		if got, want := Atan2(y, x), math.Atan2(y, x); math.Abs(got-want) > 1e-15 {
			t.Fatalf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
		}
	})
	inf := math.Inf(1)
	for _, c := range []struct{ y, x, want float64 }{
		{0, 0, 0},
		{0, 1, 0},
		{0, -1, math.Pi},
		{math.Copysign(0, -1), -1, math.Pi},
		{1, 0, math.Pi / 2},
		{-1, 0, -math.Pi / 2},
		{1, 1, math.Pi / 4},
		{1, -1, 3 * math.Pi / 4},
		{inf, 1, math.Pi / 2},
		{1, inf, 0},
		{inf, inf, math.Pi / 4},
		{-inf, -inf, -3 * math.Pi / 4},
		{1e308, 1e308, math.Pi / 4},
		{5e-324, 5e-324, math.Pi / 4},
	} {
		if got := Atan2(c.y, c.x); got != c.want {
			t.Errorf("Atan2(%v, %v) = %v, want %v", c.y, c.x, got, c.want)
		}
	}
	if a := Atan2(math.NaN(), 1); a == a {
		t.Error("a NaN is lost")
	}
}

func TestRotRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-3.14, 3.14).Draw(t, "a")
		if got := NewRot(a).Angle(); math.Abs(got-a) > 2e-15 {
			t.Fatalf("angle %v became %v", a, got)
		}
	})
}

func BenchmarkSinCos(b *testing.B) {
	x, sum := 0.0, 0.0
	for b.Loop() {
		s, c := SinCos(x)
		sum += s + c
		x += 0.01
	}
	_ = sum
}

func BenchmarkAtan2(b *testing.B) {
	x, sum := 0.0, 0.0
	for b.Loop() {
		sum += Atan2(x, 1.5)
		x += 0.01
	}
	_ = sum
}
