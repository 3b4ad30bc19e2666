package contact

import (
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Two points of a line name it the same wherever they are on it, and differently in the other
// direction or on a parallel line.
func TestLineOf(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a := gridseg.Point{X: r.Int64N(1<<34) - 1<<33, Y: r.Int64N(1<<34) - 1<<33}
		d := gridseg.Point{X: r.Int64N(40) - 20, Y: r.Int64N(40) - 20}
		if d == (gridseg.Point{}) {
			continue
		}
		on := func(k int64) gridseg.Point { return gridseg.Point{X: a.X + k*d.X, Y: a.Y + k*d.Y} }
		i, j := r.Int64N(100), 100+r.Int64N(100)
		f := LineOf(a, on(1))
		if g := LineOf(on(i), on(j)); g != f {
			t.Fatalf("from %v along %v: %v, farther along %v", a, d, f, g)
		}
		if LineOf(on(j), on(i)) == f {
			t.Fatalf("from %v along %v: the same name in both directions", a, d)
		}
		if x, y := f.Direction(); x*d.Y != y*d.X || x*a.Y-y*a.X != -f.X && y*a.X-x*a.Y != f.X {
			t.Fatalf("from %v along %v: direction (%d, %d), offset %d", a, d, x, y, f.X)
		}
		b := gridseg.Point{X: a.X - d.Y, Y: a.Y + d.X} // off the line
		if LineOf(b, gridseg.Point{X: b.X + d.X, Y: b.Y + d.Y}) == f {
			t.Fatalf("from %v along %v: the same name beside it", a, d)
		}
	}
}

// randomManifolds returns n manifolds with features and places of which some are equal.
func randomManifolds(r *rand.Rand, n int) []SurfaceManifold {
	out := make([]SurfaceManifold, n)
	for i := range out {
		m := &out[i]
		m.Normal, m.N = geom.NewRot(float64(r.IntN(8))).Apply(geom.V(1, 0)), 1+r.Int32N(2)
		for k := range m.N {
			m.Points[k] = Point{
				AnchorA:       geom.V(float64(r.IntN(40))*0.015, float64(r.IntN(40))*0.015),
				NormalImpulse: r.Float32(), TangentImpulse: r.Float32(),
			}
			m.Features[k] = Feature{
				X: r.Int64N(int64(2 * n)), Kind: Kind(r.IntN(3)),
				Pair: collide.FeatureID(r.IntN(2)),
			}
		}
	}
	return out
}

// Inherit takes the impulses of a point with the same feature if there is one, else those that the
// first manifold with a like normal and a point near gives; with many manifolds as with few.
func TestMatcherInherits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var mt Matcher
	for _, n := range []int{1, 3, Few, Few + 1, 30, someManifolds + 1, 300} {
		for range 50 {
			old, now := randomManifolds(r, n), randomManifolds(r, n)
			mt.Begin(old)
			mt.Cold = 0
			cold := 0
			for i := range now {
				for k := range now[i].N {
					p, f := now[i].Points[k], &now[i].Features[k]
					p.NormalImpulse, p.TangentImpulse = 0, 0
					same := map[float32]bool{}
					for j := range old {
						q := p
						if q.Inherit(f, &old[j]) {
							same[q.NormalImpulse] = true
						}
					}
					near := p
					for j := range old {
						if near.InheritNear(&old[j].Manifold, now[i].Normal) {
							break
						}
					}
					mt.Inherit(&p, f, now[i].Normal)
					switch {
					case len(same) > 0:
						if !same[p.NormalImpulse] {
							t.Fatalf("%d manifolds: a point of the feature %v has an impulse of another", n, *f)
						}
					case p != near:
						t.Fatalf("%d manifolds: %v, want the near point's %v", n, p, near)
					case near.NormalImpulse == 0:
						cold++
					}
				}
			}
			if mt.Cold != cold {
				t.Errorf("%d manifolds: %d cold points, want %d", n, mt.Cold, cold)
			}
		}
	}
}

// Find sees all points of the manifolds that it is given, with many manifolds as with few.
func TestMatcherFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var mt Matcher
	for _, n := range []int{2, Few, Few + 2, 100} {
		all := randomManifolds(r, n)
		mt.Begin(nil)
		for have := range all {
			m := &all[have]
			for k := range m.N {
				f := m.Features[k]
				met, same := false, false
				for i := range all[:have] {
					for j := range all[i].N {
						if all[i].Features[j] == f {
							met = true
							same = same || all[i].Normal.Dot(m.Normal) >= SameNormal
						}
					}
				}
				if gotMet, gotSame := mt.Find(all[:have], f, m.Normal); gotMet != met || gotSame != same {
					t.Fatalf("%d of %d manifolds: %v, %v, want %v, %v", have, n, gotMet, gotSame, met, same)
				}
			}
		}
	}
}
