package collide

import (
	"math"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// The ride of a box on a platform, for 10^4 steps each: the touching features, found from
// the corners alone, give the names of the points.

// ridden returns the expected feature ids of the manifold of the platform p and the box b
// at f, b above p and turned by less than an eighth of a turn: b's two lower corners
// where they are over p, p's two upper corners where they are under b. ok is false within
// fuzz of where that changes.
func ridden(p, b *Hull, f geom.Transform, fuzz float64) (ids []FeatureID, ok bool) {
	const bottom, top = 0, 2 // edges of NewBox
	low := func(i int) geom.Vec { return f.Apply(b.V[i]) }
	r := p.Radius + b.Radius
	ok = true
	least := math.MaxFloat64
	near := func(x, limit float64) bool {
		if math.Abs(x-limit) < fuzz {
			ok = false
		}
		return x < limit
	}
	hx, hy := p.V[2].X, p.V[2].Y
	fuzz += r * math.Abs(f.Q.S) // rounded, a corner meets a corner about the ends
	for i := range 2 {          // b's lower corners, left and right
		v := low(i)
		if near(math.Abs(v.X), hx) {
			least = min(least, v.Y-hy-r)
			ids = append(ids, pair(edge(top), vertex(i)))
		}
	}
	for _, i := range []int{2, 3} { // p's upper corners
		v := f.Inv(p.V[i])
		if near(math.Abs(v.X), b.V[1].X) {
			least = min(least, b.V[0].Y-v.Y-r)
			ids = append(ids, pair(vertex(i), edge(bottom)))
		}
	}
	if !near(least, margin) {
		ids = nil
	}
	slices.Sort(ids)
	return ids, ok
}

func names(m *Manifold) []FeatureID {
	var ids []FeatureID
	for _, p := range m.Points[:m.N] {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestNamesForTenThousandSteps: sliding from end to end, rocking until a
// corner lifts, resting with the noise of a solver; sharp and rounded; the box
// smaller, as wide as the platform, and wider. Exchanged, the names are flipped.
func TestNamesForTenThousandSteps(t *testing.T) {
	const steps = 10_000
	d := newDice(7)
	rides := map[string]func(i int, w float64) (x, depth, tilt float64){
		"slide": func(i int, w float64) (x, depth, tilt float64) {
			return (2*float64(i)/steps - 1) * (3 + w - 0.05), 0.004, 0
		},
		"slide, rocking": func(i int, w float64) (x, depth, tilt float64) {
			return (2*float64(i)/steps - 1) * (3 + w - 0.05), 0.004, 0.002 * math.Sin(float64(i)*0.3)
		},
		"tilt": func(i int, w float64) (x, depth, tilt float64) {
			return 0.3, 0.004, 0.2 * math.Sin(float64(i)*0.01)
		},
		"rest": func(i int, w float64) (x, depth, tilt float64) {
			return 0.4 + d.within(-1, 1)*1e-6, 0.005 + d.within(-1, 1)*1e-5, d.within(-1, 1) * 1e-5
		},
		"rest across the end": func(i int, w float64) (x, depth, tilt float64) {
			return 3 + d.within(-1, 1)*1e-6, 0.005 + d.within(-1, 1)*1e-5, d.within(-1, 1) * 1e-5
		},
	}
	for name, ride := range rides {
		for _, w := range []float64{0.1, 1, 2.9, 3.7, 20} {
			for _, r := range []float64{0, 0.1} {
				p, b := NewHull(geom.NewRoundedBox(3, 0.5, r)), NewHull(geom.NewRoundedBox(w, 1, r))
				changes, checked := 0, 0
				var last []FeatureID
				for i := range steps {
					x, depth, tilt := ride(i, w)
					f := geom.Transform{Q: geom.NewRot(tilt)}
					low := min(f.Apply(b.V[0]).Y, f.Apply(b.V[1]).Y)
					if lever := 3 + x; w > lever && tilt != 0 { // it rocks on the platform's corner
						low = -1
					}
					f.P = geom.V(x, 0.5+2*r-low-depth)
					var m, o Manifold
					Hulls(&m, &p, &b, f, margin)
					got := names(&m)
					if !slices.Equal(got, last) {
						changes++
					}
					last = got
					Hulls(&o, &b, &p, f.InvMul(still), margin)
					o.flip(f)
					// Within axisSlop of an end the slack of the side planes decides.
					want, ok := ridden(&p, &b, f, 2*axisSlop)
					if !ok {
						continue
					}
					checked++
					if !slices.Equal(got, want) || !slices.Equal(names(&o), want) {
						t.Fatalf("%s, half width %v, radius %v, step %d at %v: %x and %x, want %x\n%+v", name, w, r, i,
							f, got, names(&o), want, m)
					}
				}
				t.Logf("%s, half width %v, radius %v: names set %d times, %d steps checked", name, w, r, changes,
					checked)
			}
		}
	}
}

// TestReferenceDoesNotFlicker: in a stack of equal boxes that tremble, either
// one's face separates better by turns, thousands of times; the bias keeps the
// lower one's normal throughout. Rounded boxes had one point, of corner on
// corner, and two by turns.
func TestReferenceDoesNotFlicker(t *testing.T) {
	d := newDice(8)
	for _, r := range []float64{0, 0.1} {
		a := NewHull(geom.NewRoundedBox(0.5, 0.5, r))
		better := 0
		for i := range 10_000 {
			f := geom.Transform{
				P: geom.V(d.within(-1, 1)*1e-3, 0.995+2*r+d.within(-1, 1)*1e-4),
				Q: geom.NewRot(d.within(-1, 1) * 3e-4 * (1 - 5*r)),
			}
			if i < 1000 {
				ea, eb := exactPlaced(&a, still), exactPlaced(&a, f)
				sa, _ := ea.best(&eb)
				if sb, _ := eb.best(&ea); sb > sa {
					better++
				}
			}
			var m Manifold
			Hulls(&m, &a, &a, f, margin)
			if m.Normal != geom.V(0, 1) || m.N != 2 {
				t.Fatalf("step %d at %v: %+v", i, f, m)
			}
		}
		if better < 300 {
			t.Errorf("the other face was better in only %d of 1000 steps: the test does not bite", better)
		}
	}
}

// TestFlushWithALedge: a rounded crate whose side is in line with the side of the
// ledge it rests on keeps two points as it trembles: it had one, of corner on
// corner, and two by turns.
func TestFlushWithALedge(t *testing.T) {
	d := newDice(9)
	b := NewHull(geom.NewRoundedBox(0.4, 0.4, 0.1))
	f := Face{
		A: geom.V(5, 0), B: geom.V(-0.4, 0), Ghost1: geom.V(6, 0), Ghost2: geom.V(-0.4, -1), HasGhost1: true,
		HasGhost2: true,
	}
	for i := range 10_000 {
		at := geom.Transform{
			P: geom.V(d.within(-1, 1)*1e-4, 0.495+d.within(-1, 1)*1e-4),
			Q: geom.NewRot(d.within(-1, 1) * 1e-3),
		}
		var m Manifold
		FaceHull(&m, &f, &b, at, margin)
		if m.N != 2 || m.Normal != geom.V(0, 1) {
			t.Fatalf("step %d at %v: %+v", i, at, m)
		}
	}
}
