package surfaces_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// jaws returns the points of two surfaces that face each other about the origin, gap apart there,
// at the angle open to the y axis each, and of the given length: the one on the left, and the one
// on the right.
func jaws(gap, open, length float64) (left, right []geom.Vec) {
	s, c := geom.SinCos(open)
	up := geom.V(s, c).Mul(length / 2)
	p := geom.V(gap/2, 0)
	right = []geom.Vec{p.Sub(up), p.Add(up)}
	for _, q := range right {
		left = append(left, geom.V(-q.X, q.Y))
	}
	// Solid is on the left of each segment: right of the right jaw, and left of the left one.
	right[0], right[1] = right[1], right[0]
	return left, right
}

// notch is a V of one chain, with the jaws joined far below.
func notch(gap, open, length float64) []geom.Vec {
	left, right := jaws(gap, open, length)
	return []geom.Vec{right[0], right[1], left[0], left[1]}
}

// TestPinchedShapeIsCrushed: a shape deep between opposed faces, of one chain or of two, that stays
// there is reported as crushed, once.
func TestPinchedShapeIsCrushed(t *testing.T) {
	for _, gap := range []float64{0.3, 0.6, 0.8} {
		for name, chains := range map[string]func() [][]geom.Vec{
			"one chain": func() [][]geom.Vec { return [][]geom.Vec{notch(gap, 0, 40)} },
			"two chains": func() [][]geom.Vec {
				left, right := jaws(gap, 0, 40)
				return [][]geom.Vec{left, right}
			},
		} {
			t.Run(fmt.Sprint(name, ", ", gap), func(t *testing.T) {
				w := quarry.NewWorld(quarry.Config{})
				for _, points := range chains() {
					worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: points})
				}
				b := worldtest.Add(w, geom.V(0.01, 0), geom.Circle{Radius: 0.5})
				crushed := 0
				for range 120 {
					w.Step(worldtest.DT)
					crushed += len(w.Crushed())
				}
				if crushed != 1 {
					t.Errorf("reported as crushed %d times, at %v", crushed, b.Position())
				}
			})
		}
	}
}

// TestPinchedShapeLeavesSlowly: two surfaces at a sharp angle push a shape out of the wedge no
// faster than at twice the speed at which overlap is pushed apart, whether they are of one chain
// or of two; and friction does not hold it.
func TestPinchedShapeLeavesSlowly(t *testing.T) {
	const fastest = 6.0
	rapid.Check(t, func(t *rapid.T) {
		open := rapid.Float64Range(0.03, 0.5).Draw(t, "open")
		two := rapid.Bool().Draw(t, "two chains")
		w := quarry.NewWorld(quarry.Config{})
		m := w.AddMaterial(quarry.Material{Friction: 1})
		left, right := jaws(0.7, open, 12)
		defs := [][]geom.Vec{{right[0], right[1], left[0], left[1]}}
		if low := right[1].X; two || low < 0.05 {
			defs = [][]geom.Vec{left, right}
		}
		for _, points := range defs {
			if _, err := w.AddChain(0, quarry.ChainDef{Points: points, Material: m}); err != nil {
				t.Fatal(err)
			}
		}
		b := worldtest.Add(w, geom.V(0, 0), geom.Circle{Radius: 0.5})
		fast := 0.0
		for range 240 {
			w.Step(worldtest.DT)
			fast = max(fast, b.Velocity().Len())
		}
		if fast > fastest+1e-6 {
			t.Errorf("it left at %v units/s", fast)
		}
		if b.Position().Y < 0.1 {
			t.Errorf("it is held at %v", b.Position())
		}
	})
}

// TestRestingShapesAreNotPinched: under loads that a floor bears, a shape in a sharp notch is
// neither crushed nor without friction.
func TestRestingShapesAreNotPinched(t *testing.T) {
	w := worldtest.New()
	m := w.AddMaterial(quarry.Material{Friction: 1})
	points := notch(1.2, 0.4, 6)
	if _, err := w.AddChain(0, quarry.ChainDef{Points: points, Material: m}); err != nil {
		t.Fatal(err)
	}
	b := worldtest.Add(w, geom.V(0, 1), geom.Circle{Radius: 0.5})
	for i := range 5 {
		worldtest.Add(w, geom.V(0, 2.2+1.1*float64(i)), geom.Circle{Radius: 0.5})
	}
	for range 600 {
		w.Step(worldtest.DT)
		if c := w.Crushed(); len(c) > 0 {
			t.Fatalf("%v is crushed; the lowest is at %v", c, b.Position())
		}
	}
}
