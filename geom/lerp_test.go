package geom_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestLerpTurnsTheShortWay: Rot.Lerp divides the shorter turn in proportion, from any angle to any other, and has its
// ends exactly.
func TestLerpTurnsTheShortWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, turn := rapid.Float64Range(-10, 10).Draw(t, "from"), rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "turn")
		f := rapid.Float64Range(-1, 2).Draw(t, "fraction")
		q, p := geom.NewRot(from), geom.NewRot(from+turn)
		if q.Lerp(p, 0) != q || q.Lerp(p, 1) != p || q.Lerp(q, f) != q {
			t.Fatalf("ends: %v %v", q.Lerp(p, 0), q.Lerp(p, 1))
		}
		if math.Abs(turn) > 3.1415 {
			return // either way
		}
		if got, want := q.Lerp(p, f), geom.NewRot(from+float64(f*turn)); math.Abs(got.C-want.C)+
			math.Abs(got.S-want.S) > 1e-6 {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
	if q := geom.NewRot(3).Lerp(geom.NewRot(-3), 0.5); math.Abs(math.Abs(q.Angle())-math.Pi) > 1e-9 {
		t.Errorf("from 3 to -3 radians over %v", q.Angle())
	}
	// Half a turn has two short ways.
	if q := geom.Identity.Lerp(geom.Rot{C: -1}, 0.5); math.Abs(q.S-1) > 1e-9 {
		t.Errorf("half of half a turn: %v", q)
	}
}

// TestInverse: a frame, its inverse and points agree; Lerp moves the origin in a straight line.
func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() geom.Transform {
			f := func() float64 { return rapid.Float64Range(-9, 9).Draw(t, "x") }
			return geom.Transform{P: geom.V(f(), f()), Q: geom.NewRot(f())}
		}
		a, b, v := draw(), draw(), draw().P
		near := func(what string, got, want geom.Vec) {
			if got.Dist(want) > 1e-9 {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		near("Inv", a.Inverse().Apply(v), a.Inv(v))
		near("there and back", a.Inverse().Apply(a.Apply(v)), v)
		near("InvMul", a.Inverse().Mul(b).Apply(v), a.InvMul(b).Apply(v))
		near("rotation", a.Q.Inverse().Apply(v), a.Q.Inv(v))
		if a.Lerp(b, 0) != a || a.Lerp(b, 1) != b {
			t.Fatal("the ends of Lerp")
		}
		near("the middle", a.Lerp(b, 0.25).P, a.P.Lerp(b.P, 0.25))
	})
}
