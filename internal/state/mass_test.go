package state

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestCombineIsAssociative: the mass of parts is the mass of the mass of some and the mass of the
// others, and the mass of two discs is known.
func TestCombineIsAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := make([]geom.Mass, rapid.IntRange(1, 8).Draw(t, "parts"))
		f := rapid.Float64Range(-3, 3)
		for i := range parts {
			parts[i] = geom.Mass{
				Mass: rapid.Float64Range(0.1, 5).Draw(t, "mass"), Center: geom.V(f.Draw(t, "x"), f.Draw(t, "y")),
				Inertia: rapid.Float64Range(0, 5).Draw(t, "inertia"),
			}
		}
		k := rapid.IntRange(0, len(parts)).Draw(t, "some")
		a, b := combineMasses(parts), combineMasses([]geom.Mass{combineMasses(parts[:k]), combineMasses(parts[k:])})
		if math.Abs(a.Mass-b.Mass)+a.Center.Dist(b.Center)+math.Abs(a.Inertia-b.Inertia) > 1e-9*(1+a.Inertia) {
			t.Fatalf("%v, and %v in two halves", a, b)
		}
	})
	two := combineMasses([]geom.Mass{{Mass: 1, Inertia: 0.5, Center: geom.V(-1, 0)}, {
		Mass: 1, Inertia: 0.5,
		Center: geom.V(1, 0),
	}})
	if two != (geom.Mass{Mass: 2, Inertia: 3}) {
		t.Fatalf("two discs: %v", two)
	}
}

// TestInversesFitTheSolver: the inverses are within the range of the solver's float32.
func TestInversesFitTheSolver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := func(name string) float64 { return math.Pow(10, rapid.Float64Range(-300, 300).Draw(t, name)) }
		m, i := inverseMasses(x("mass"), x("inertia"), false)
		if !(float32(m) > 0 && m <= mostInverse && i >= 0 && !math.IsInf(float64(float32(i)), 0)) {
			t.Fatalf("%v, %v", m, i)
		}
	})
	if m, i := inverseMasses(4, 0, false); m != 0.25 || i != 0 {
		t.Fatalf("%v, %v", m, i)
	}
}

// TestFalling: a dynamic body without mass falls as if it had the mass 1, and a body with a fixed
// rotation has no inverse of its inertia.
func TestFalling(t *testing.T) {
	if m, i := fallingMass(geom.Mass{Inertia: 3}); m != 1 || i != 0 {
		t.Errorf("without mass: %v, %v", m, i)
	}
	if m, i := fallingMass(geom.Mass{Mass: 2, Inertia: 3}); m != 2 || i != 3 {
		t.Errorf("%v, %v", m, i)
	}
	if m, i := inverseMasses(2, 4, true); m != 0.5 || i != 0 {
		t.Errorf("fixed rotation: %v, %v", m, i)
	}
}

// TestSharesAreTheWhole: the shares of a mass that a game has set, joined rigidly, are that mass.
func TestSharesAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-20, 20)
		power := func(name string, low, high float64) float64 {
			return math.Pow(10, rapid.Float64Range(low, high).Draw(t, name))
		}
		parts := make([]geom.Mass, rapid.IntRange(1, 6).Draw(t, "parts"))
		for i := range parts {
			parts[i] = geom.Mass{
				Mass: power("part", -3, 3), Center: geom.V(f.Draw(t, "x"), f.Draw(t, "y")),
				Inertia: power("inertia", -3, 3),
			}
		}
		whole := combineMasses(parts)
		own := geom.Mass{Mass: power("own", -6, 6), Center: geom.V(f.Draw(t, "X"), f.Draw(t, "Y"))}
		if rapid.Bool().Draw(t, "turns") {
			own.Inertia = own.Mass / whole.Mass * whole.Inertia * power("times", -6, 6)
		}
		shares := make([]geom.Mass, len(parts))
		for i, p := range parts {
			if shares[i] = shareOfMass(own, whole, p); !(shares[i].Mass > 0 && shares[i].Inertia >= 0) {
				t.Fatalf("part %d has the share %v", i, shares[i])
			}
		}
		got, scale := combineMasses(shares), own.Inertia+own.Mass*1e3
		if math.Abs(got.Mass-own.Mass) > 1e-9*own.Mass || got.Center.Dist(own.Center) > 1e-9 ||
			math.Abs(got.Inertia-own.Inertia) > 1e-9*scale {
			t.Fatalf("the shares of %v are %v together", own, got)
		}
	})
}

// TestTree: the mass of a tree is the mass of its shapes, with the same bits for a tree made in another order.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, shapes, tree := rapid.Float64Range(-9, 9), map[int32]geom.Mass{}, massTree{}
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			slot := rapid.Int32Range(0, 20).Draw(t, "slot")
			if slot > 16 {
				slot <<= rapid.IntRange(0, 26).Draw(t, "shift")
			}
			if _, has := shapes[slot]; has && rapid.Bool().Draw(t, "remove") {
				tree.Remove(slot)
				delete(shapes, slot)
				continue
			}
			m := geom.Mass{Mass: rapid.Float64Range(0.1, 5).Draw(t, "mass"), Center: geom.V(f.Draw(t, "x"),
				f.Draw(t, "y")), Inertia: rapid.Float64Range(0, 5).Draw(t, "inertia")}
			if rapid.IntRange(0, 5).Draw(t, "massless") == 0 {
				m = geom.Mass{}
			}
			tree.Set(slot, m)
			shapes[slot] = m
		}
		again, all := massTree{}, []geom.Mass{}
		for slot, m := range shapes { // in any order
			again.Set(slot, m)
			all = append(all, m)
		}
		got, want := tree.Mass(), combineMasses(all)
		if tree.Len() != len(shapes) || got != again.Mass() {
			t.Fatalf("%d of %d shapes, %v and %v", tree.Len(), len(shapes), got, again.Mass())
		}
		if math.Abs(got.Mass-want.Mass)+got.Center.Dist(want.Center)+
			math.Abs(got.Inertia-want.Inertia) > 1e-9*(1+want.Inertia) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
