package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"pgregory.net/rapid"
)

const margin = 0.02

var still = geom.At(geom.Vec{})

func drawVec(t *rapid.T, r float64, label string) geom.Vec {
	return geom.V(rapid.Float64Range(-r, r).Draw(t, label+".x"), rapid.Float64Range(-r, r).Draw(t, label+".y"))
}

func drawFrame(t *rapid.T, r float64, label string) geom.Transform {
	return geom.Transform{P: drawVec(t, r, label), Q: geom.NewRot(rapid.Float64Range(-4, 4).Draw(t, label+".angle"))}
}

// drawHull draws a hull of about a cell, of any kind.
func drawHull(t *rapid.T, label string) Hull {
	r := rapid.Float64Range(0.05, 0.5).Draw(t, label+".r")
	var s geom.Shape
	switch rapid.IntRange(0, 4).Draw(t, label+".kind") {
	case 0:
		s = geom.Circle{Center: drawVec(t, 1, label), Radius: r}
	case 1:
		s = geom.Capsule{A: drawVec(t, 1, label), B: drawVec(t, 1, label), Radius: r}
	case 2:
		s = geom.NewRoundedBox(r, 2*r, r)
	case 3:
		s = geom.NewBox(3*r, r)
	default:
		pts := make([]geom.Vec, rapid.IntRange(3, 8).Draw(t, label+".n"))
		for i := range pts {
			pts[i] = drawVec(t, 1, label)
		}
		p, err := geom.NewPolygon(pts, 0)
		if err != nil {
			t.Skip(err)
		}
		if p.Mass(1).Mass < 0.05 {
			t.Skip("a needle, which any overlap goes through")
		}
		s = p
	}
	if err := s.Valid(); err != nil {
		t.Skip(err)
	}
	return NewHull(s)
}

// placed returns the vertices of h in the frame t.
func placed(h *Hull, t geom.Transform) []geom.Vec {
	v := make([]geom.Vec, h.N)
	for i := range v {
		v[i] = t.Apply(h.V[i])
	}
	return v
}

// along returns the signed distance of two cores along the unit axis n: how far
// b is beyond a.
func along(a, b []geom.Vec, n geom.Vec) float64 {
	hi, lo := -math.MaxFloat64, math.MaxFloat64
	for _, v := range a {
		hi = max(hi, n.Dot(v))
	}
	for _, v := range b {
		lo = min(lo, n.Dot(v))
	}
	return lo - hi
}

// separation is the oracle: the distance of the cores if they are apart, else
// minus the depth of the origin in their Minkowski difference, whose hull is
// built from all pairs of vertices.
func separation(a, b []geom.Vec) float64 {
	if d, _, _ := geom.Distance(a, b); d > 1e-9 {
		return d
	}
	var diff []geom.Vec
	for _, v := range a {
		for _, w := range b {
			diff = append(diff, w.Sub(v))
		}
	}
	hull := geom.ConvexHull(nil, diff)
	if len(hull) < 3 {
		return 0
	}
	depth := math.MaxFloat64
	for i, v := range hull {
		e, l := hull[(i+1)%len(hull)].Sub(v).Unit()
		if l > 1e-9 {
			depth = min(depth, e.Cross(v.Neg()))
		}
	}
	return -max(depth, 0)
}

func deepest(m *Manifold) float64 {
	s := math.MaxFloat64
	for _, p := range m.Points[:m.N] {
		s = min(s, p.Separation)
	}
	return s
}

// TestHullsAgainstMinkowski: the deepest point has the true depth or distance of any two
// shapes to within the bias of the reference.
func TestHullsAgainstMinkowski(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawHull(t, "a"), drawHull(t, "b")
		f := drawFrame(t, 1.5, "f")
		var m Manifold
		Hulls(&m, &a, &b, f, margin)
		va, vb := placed(&a, still), placed(&b, f)
		core := separation(va, vb)
		want := core - a.Radius - b.Radius
		if m.N == 0 {
			// Sharp cores that are apart corner to corner have no points.
			if want <= margin-1e-9 && (core <= 0 || a.Radius+b.Radius > 0) {
				t.Fatalf("no points, separation %v", want)
			}
			return
		}
		check(t, &m)
		// Between the points' own depth and the axis: a clipped point is never deeper
		// than the axis' separation, and the deepest is included.
		if got := along(va, vb, m.Normal) - a.Radius - b.Radius; got < want-axisSlop-1e-9 ||
			got > want+1e-9 && core <= 0 {
			t.Fatalf("the axis gives %v, the best %v", got, want)
		}
		if got := deepest(&m); core <= 0 && math.Abs(got-want) > axisSlop*12+1e-9 || core > 1e-5 && a.Radius+
			b.Radius > 0 && math.Abs(got-want) > 2*axisSlop {
			t.Fatalf("deepest point %v, want %v (core %v) %+v", got, want, core, m)
		}
		if deepest(&m) > margin {
			t.Fatalf("separation %v above the margin", deepest(&m))
		}
	})
}

// check fails if m violates the invariants of all manifolds.
func check(t interface{ Fatalf(string, ...any) }, m *Manifold) {
	if !(math.Abs(m.Normal.Len()-1) < 1e-9) {
		t.Fatalf("normal %v", m.Normal)
	}
	for i, p := range m.Points[:m.N] {
		if !p.Anchor.IsFinite() || math.IsNaN(p.Separation) || p.ID == 0 || p.ID.HullFeature() == 0 {
			t.Fatalf("point %+v", p)
		}
		if i == 1 && p.ID == m.Points[0].ID {
			t.Fatalf("two points with one name: %+v", m)
		}
	}
}

// TestBoxDepthExact compares box against box, without bias between the faces of
// the best axis, with the exact depth to 1e-9.
func TestBoxDepthExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewHull(geom.NewBox(1, 0.5)), NewHull(geom.NewBox(0.4, 0.7))
		f := drawFrame(t, 1.2, "f")
		va, vb := placed(&a, still), placed(&b, f)
		want := separation(va, vb)
		if want >= 0 {
			return
		}
		var m Manifold
		Hulls(&m, &a, &b, f, margin)
		if m.N == 0 {
			t.Fatalf("no contact at depth %v", want)
		}
		got := along(va, vb, m.Normal)
		if math.Abs(got-want) > 1e-9 && !(got >= want-axisSlop && got < want) {
			t.Fatalf("depth %v, want %v", got, want)
		}
	})
}

func TestHullsAnchorIsMidway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawHull(t, "a"), drawHull(t, "b")
		f := drawFrame(t, 1.5, "f")
		var m Manifold
		Hulls(&m, &a, &b, f, margin)
		va, vb := placed(&a, still), placed(&b, f)
		for _, p := range m.Points[:m.N] {
			// Half the separation either way is one surface and the other.
			half := m.Normal.Mul(0.5 * p.Separation)
			pa, pb := p.Anchor.Sub(half), p.Anchor.Add(half)
			da, _, _ := geom.Distance([]geom.Vec{pa}, va)
			db, _, _ := geom.Distance([]geom.Vec{pb}, vb)
			if da > a.Radius+axisSlop*3 || db > b.Radius+axisSlop*3 {
				t.Fatalf("anchor %v: %v from a, %v from b", p.Anchor, da-a.Radius, db-b.Radius)
			}
		}
	})
}

// TestHullsSwap: B against A is A against B, mirrored, unless the bias towards
// the first decides.
func TestHullsSwap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawHull(t, "a"), drawHull(t, "b")
		f := drawFrame(t, 1.5, "f")
		var m, w Manifold
		Hulls(&m, &a, &b, f, margin)
		Hulls(&w, &b, &a, f.InvMul(still), margin)
		w.flip(f)
		if (m.N == 0) != (w.N == 0) {
			if math.Abs(deepest(&m)-margin) > axisSlop && math.Abs(deepest(&w)-margin) > axisSlop {
				t.Fatalf("%+v\n%+v", m, w)
			}
			return
		}
		if m.N > 0 && m.Normal.Dist(w.Normal) < 1e-9 && math.Abs(deepest(&m)-deepest(&w)) > 1e-9 {
			t.Fatalf("%+v\n%+v", m, w)
		}
		if m.N > 0 && math.Abs(deepest(&m)-deepest(&w)) > 12*axisSlop {
			// else the bias decides
			if core := separation(placed(&a, still), placed(&b, f)); math.Abs(core) > 2*axisSlop {
				t.Fatalf("%+v\n%+v", m, w)
			}
		}
	})
}

// TestHullsRigidMotion: turning both shapes by the same frame turns the result.
func TestHullsRigidMotion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawHull(t, "a"), drawHull(t, "b")
		f, g := drawFrame(t, 1.5, "f"), drawFrame(t, 3, "g")
		moved := a
		moved.place(&a, g)
		moved.Centroid = g.Apply(a.Centroid)
		var m, w Manifold
		Hulls(&m, &a, &b, f, margin)
		Hulls(&w, &moved, &b, g.Mul(f), margin)
		if m.N != w.N {
			if math.Abs(deepest(&m)-deepest(&w)) < 1e-9 ||
				m.N+w.N == 1 && math.Abs(min(deepest(&m), deepest(&w))-margin) < 1e-9 {
				return // a point at the margin, or a tie
			}
		}
		if m.N > 0 && w.N > 0 && math.Abs(deepest(&m)-deepest(&w)) > 1e-9 {
			if separation(placed(&a, still), placed(&b, f)) <= 1e-9 {
				return // a tie of two axes, which clip to different points
			}
			t.Fatalf("%+v\n%+v", m, w)
		}
	})
}

// TestIDsDoNotDependOnReference forces either hull of two parallel faces to be
// the reference by a tilt above the bias, with the same features touching.
func TestIDsDoNotDependOnReference(t *testing.T) {
	a, b := NewHull(geom.NewBox(1, 0.5)), NewHull(geom.NewBox(1, 0.5))
	up := geom.Transform{P: geom.V(0.4, 0.99), Q: geom.Identity}
	va, vb := a, b
	vb.place(&b, up)
	var m, w Manifold
	clipHulls(&m, &va, 2, &vb, margin, sideSlop, false)
	clipHulls(&w, &vb, 0, &va, margin, sideSlop, true)
	if m.N != 2 || w.N != 2 || m.Normal != w.Normal {
		t.Fatalf("%+v\n%+v", m, w)
	}
	for i := range 2 {
		if m.Points[i].ID != w.Points[i].ID || m.Points[i].Anchor.Dist(w.Points[i].Anchor) > 1e-12 {
			t.Errorf("point %d: %+v, %+v", i, m.Points[i], w.Points[i])
		}
	}
	if id := m.Points[0].ID; id.Flip().Flip() != id || id.Flip() == id {
		t.Errorf("flip of %x", id)
	}
}

// TestIDsHoldWhileSliding: a box that slides over another and rocks keeps the
// names of its points until a corner passes a corner.
func TestIDsHoldWhileSliding(t *testing.T) {
	for _, r := range []float64{0, 0.1} {
		a, b := NewHull(geom.NewRoundedBox(3, 0.5, r)), NewHull(geom.NewRoundedBox(0.5, 0.5, r))
		var want [2]FeatureID
		for i := range 400 {
			f := geom.Transform{
				P: geom.V(-2+float64(i)*0.01, 0.997+2*r),
				Q: geom.NewRot(0.004 * math.Sin(float64(i)*0.3)),
			}
			var m Manifold
			Hulls(&m, &a, &b, f, margin)
			if m.N != 2 {
				t.Fatalf("radius %v step %d: %+v", r, i, m)
			}
			got := [2]FeatureID{m.Points[0].ID, m.Points[1].ID}
			if i == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("radius %v step %d: names %x became %x", r, i, want, got)
			}
		}
	}
}

// TestIDsHoldInAStack: equal boxes, exactly above each other but for rounding.
func TestIDsHoldInAStack(t *testing.T) {
	a := NewHull(geom.NewBox(0.5, 0.5))
	var want FeatureID
	for i := range 100 {
		f := geom.Transform{
			P: geom.V(1e-9*math.Sin(float64(i)), 0.995),
			Q: geom.NewRot(1e-9 * math.Cos(2*float64(i))),
		}
		var m Manifold
		Hulls(&m, &a, &a, f, margin)
		if m.N != 2 {
			t.Fatalf("step %d: %+v", i, m)
		}
		if id := m.Points[0].ID<<16 | m.Points[1].ID; i == 0 {
			want = id
		} else if id != want {
			t.Fatalf("step %d: %x became %x", i, want, id)
		}
	}
}

func TestCoincident(t *testing.T) {
	capsule := geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0), Radius: 0.5}
	for _, a := range []geom.Shape{geom.Circle{Radius: 0.5}, capsule, geom.NewBox(1, 1), geom.Segment{
		A: geom.V(-1, 0),
		B: geom.V(1, 0),
	}} {
		for _, b := range []geom.Shape{geom.Circle{Radius: 0.5}, capsule, geom.NewBox(1, 1)} {
			ha, hb := NewHull(a), NewHull(b)
			var m Manifold
			Hulls(&m, &ha, &hb, still, margin)
			if m.N == 0 {
				t.Errorf("%T on %T: no contact", a, b)
			}
			check(t, &m)
		}
	}
	c := NewHull(geom.Circle{Radius: 0.5})
	var m Manifold
	Hulls(&m, &c, &c, still, margin)
	if m.Normal != geom.V(0, 1) || m.Points[0].Separation != -1 {
		t.Errorf("%+v", m)
	}
	Hulls(&m, &c, &Hull{}, still, margin)
	if m.N != 0 {
		t.Error("an empty hull touches")
	}
}

// TestSegmentsEndToEnd: two cores without faces at their ends.
func TestSegmentsEndToEnd(t *testing.T) {
	s := NewHull(geom.Segment{A: geom.V(0, 0), B: geom.V(1, 0)})
	var m Manifold
	Hulls(&m, &s, &s, geom.At(geom.V(1.01, 0)), margin)
	if m.N != 1 || m.Normal != geom.V(1, 0) || math.Abs(m.Points[0].Separation-0.01) > 1e-12 {
		t.Errorf("%+v", m)
	}
	c := NewHull(geom.Capsule{A: geom.V(0, 0), B: geom.V(1, 0), Radius: 0.5})
	up := geom.Transform{P: geom.V(0, 0.9), Q: geom.NewRot(math.Pi / 2)} // exactly over the end
	Hulls(&m, &c, &c, up, margin)
	if m.N != 2 || math.Abs(deepest(&m)+0.1) > 1e-9 { // the second point is the other end of the upper core
		t.Errorf("%+v", m)
	}
}
