package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"pgregory.net/rapid"
)

// facesOf returns the faces of a line of vertices, solid on the left, each with
// its ghosts; a loop is closed.
func facesOf(loop bool, v ...geom.Vec) []Face {
	n := len(v)
	var fs []Face
	for i := range n {
		if i+1 == n && !loop {
			break
		}
		f := Face{A: v[i], B: v[(i+1)%n], Ghost1: v[(i+n-1)%n], Ghost2: v[(i+2)%n], HasGhost1: true, HasGhost2: true}
		if !loop {
			f.HasGhost1, f.HasGhost2 = i > 0, i+2 < n
		}
		fs = append(fs, f)
	}
	return fs
}

// touch returns the manifolds of h against each face.
func touch(fs []Face, h *Hull, at geom.Transform) []Manifold {
	ms := make([]Manifold, len(fs))
	for i := range fs {
		FaceHull(&ms[i], &fs[i], h, at, margin)
	}
	return ms
}

func normalOf(f *Face) geom.Vec {
	n, _ := f.B.Sub(f.A).Right().Unit()
	return n
}

// drawGround draws a closed convex solid.
func drawGround(t *rapid.T) geom.Polygon {
	pts := make([]geom.Vec, rapid.IntRange(3, 8).Draw(t, "ground.n"))
	for i := range pts {
		pts[i] = drawVec(t, 3, "ground")
	}
	p, err := geom.NewPolygon(pts, 0)
	if err != nil {
		t.Skip(err)
	}
	return p
}

// TestConvexSolid: round a convex solid every normal is in the normal cone of the face or
// of its end: no vertex of the solid is further out along it. A body that overlaps the
// solid, its centroid outside, touches some face.
func TestConvexSolid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGround(t)
		v := p.Vertices[:p.N]
		fs := facesOf(true, v...)
		h, at := drawHull(t, "h"), drawFrame(t, 4, "f")
		core := separation(v, placed(&h, at))
		sep := core - h.Radius
		touched := 0
		for i, m := range touch(fs, &h, at) {
			if m.N == 0 {
				continue
			}
			touched++
			check(t, &m)
			f := &fs[i]
			if c := at.Apply(h.Centroid); h.N == 1 && min(c.Dist(f.A), c.Dist(f.B)) < 0.05 {
				continue // within sideSlop any direction is possible
			}
			reach := max(m.Normal.Dot(f.A), m.Normal.Dot(f.B))
			for _, w := range v {
				if m.Normal.Dot(w) > reach+1e-4 {
					t.Fatalf("face %d: the normal %v leaves the cone: %v is further out", i, m.Normal, w)
				}
			}
			if sep > margin+1e-9 {
				t.Fatalf("touches at distance %v", sep)
			}
			// A contact never claims that less moves h out than does.
			if got := along(v, placed(&h, at), m.Normal) - h.Radius; got > sep+1e-6 {
				t.Fatalf("the normal separates by %v, the best by %v", got, sep)
			}
		}
		p.Radius = 1e-9 // so that in spite of rounding the centroid is in front of some face
		if sep < -1e-6 && !p.Contains(at.Apply(h.Centroid)) && touched == 0 {
			t.Fatalf("nothing holds the hull at depth %v", sep)
		}
	})
}

// TestConvexSolidShallow: at a small overlap the depth is the depth of the deepest point of
// all faces.
func TestConvexSolidShallow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGround(t)
		v := p.Vertices[:p.N]
		h, at := drawHull(t, "h"), drawFrame(t, 4, "f")
		// Move it to just overlapping.
		if d, pa, pb := geom.Distance(v, placed(&h, at)); d > h.Radius {
			at.P = at.P.Add(pa.Sub(pb).Mul((d - h.Radius + 0.01) / d))
		}
		sep := separation(v, placed(&h, at)) - h.Radius
		if sep > -0.001 || sep < -0.02 || p.Contains(at.Apply(h.Centroid)) {
			return
		}
		best := math.MaxFloat64
		for _, m := range touch(facesOf(true, v...), &h, at) {
			best = min(best, deepest(&m))
		}
		if best > sep+4*axisSlop {
			t.Fatalf("deepest point %v, depth %v", best, sep)
		}
	})
}

// TestGaussMap checks each normal on open terrain, convex and concave, by the angles
// between the normals rather than by edge vectors.
func TestGaussMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := []geom.Vec{{X: 8, Y: 0}}
		for range 6 {
			last := v[len(v)-1]
			v = append(v, last.Add(geom.V(-rapid.Float64Range(0.3, 2).Draw(t, "dx"), rapid.Float64Range(-2, 2).Draw(t,
				"dy"))))
		}
		fs := facesOf(false, v...)
		h, at := drawHull(t, "h"), drawFrame(t, 4, "f")
		at.P = at.P.Add(v[3])
		for i := 1; i+1 < len(fs); i++ {
			f := &fs[i]
			var m Manifold
			FaceHull(&m, f, &h, at, margin)
			if m.N == 0 {
				continue
			}
			check(t, &m)
			if c := at.Apply(h.Centroid); h.N == 1 && min(c.Dist(f.A), c.Dist(f.B)) < 0.05 {
				continue // within sideSlop any direction is possible
			}
			n, before, after := normalOf(f), normalOf(&fs[i-1]), normalOf(&fs[i+1])
			// Angle from n, positive towards B (counter-clockwise).
			angle := func(d geom.Vec) float64 { return geom.Atan2(n.Cross(d), n.Dot(d)) }
			lo, hi := min(0, angle(before)), max(0, angle(after))
			if a := angle(m.Normal); a < lo-1e-4 || a > hi+1e-4 {
				t.Fatalf("face %d: angle %v outside [%v, %v]: %+v", i, a, lo, hi, m)
			}
			if n.Dot(at.Apply(h.Centroid).Sub(f.A)) < 0 {
				t.Fatal("touched from behind")
			}
		}
	})
}

// TestNoGhostDepth lowers a hull on random terrain until it is a slop deep somewhere:
// some face must have a contact, and none may report more depth than there is, which
// would trip a body.
func TestNoGhostDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := []geom.Vec{{X: 6, Y: 0}}
		for range 10 {
			last := v[len(v)-1]
			v = append(v, last.Add(geom.V(-rapid.Float64Range(0.3, 2).Draw(t, "dx"), rapid.Float64Range(-1, 1).Draw(t,
				"dy"))))
		}
		fs := facesOf(false, v...)
		h, at := drawHull(t, "h"), drawFrame(t, 2, "f")
		at.P.X += v[5].X
		if b := placed(&h, at); along([]geom.Vec{v[0]}, b, geom.V(-1, 0)) < 1 || along([]geom.Vec{v[10]}, b,
			geom.V(1, 0)) < 1 {
			return // over an end
		}
		overlaps := func(y float64) bool {
			at.P.Y = y
			b := placed(&h, at)
			for i := range fs {
				down := geom.V(0, -40)
				piece := []geom.Vec{fs[i].A, fs[i].B, fs[i].B.Add(down), fs[i].A.Add(down)}
				if separation(piece, b) < h.Radius {
					return true
				}
			}
			return false
		}
		lo, hi := -15.0, 15.0
		for range 50 {
			if mid := 0.5 * (lo + hi); overlaps(mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		const deep = geom.LinearSlop
		at.P.Y = lo - deep
		touched := 0
		for i, m := range touch(fs, &h, at) {
			touched += m.N
			if m.N > 0 && deepest(&m) < -deep-axisSlop {
				t.Fatalf("face %d %v: %v deep, not %v: %+v", i, fs[i], deepest(&m), deep, m)
			}
		}
		if touched == 0 {
			t.Fatal("nothing holds it")
		}
	})
}

// TestBallRoundsCorner: over a convex corner the normal turns without a jump and
// the ball always has a contact.
func TestBallRoundsCorner(t *testing.T) {
	fs := facesOf(false, geom.V(3, -3), geom.V(0, 0), geom.V(-3, 0)) // a roof: falls to the right
	h := NewHull(geom.Circle{Radius: 0.5})
	last := geom.V(0, 1)
	for i := range 2001 {
		// The path at distance 0.495: level, an arc, then the slope.
		s := float64(i-1000) * 0.001
		c := geom.V(s, 0.495)
		if s > 0 {
			if a := s / 0.495; a < math.Pi/4 {
				c = geom.NewRot(-a).Apply(geom.V(0, 0.495))
			} else {
				c = geom.NewRot(-math.Pi / 4).Apply(geom.V(s-0.495*math.Pi/4, 0.495))
			}
		}
		n, count := geom.Vec{}, 0
		for _, m := range touch(fs, &h, geom.At(c)) {
			if m.N > 0 {
				count++
				n = m.Normal
				if math.Abs(m.Points[0].Separation+0.005) > 1e-9 {
					t.Fatalf("at %v: %+v", c, m)
				}
			}
		}
		if count == 0 || n.Dist(last) > 0.003 {
			t.Fatalf("at %v: %d contacts, normal %v after %v", c, count, n, last)
		}
		last = n
	}
	if last.Dist(geom.V(math.Sqrt2/2, math.Sqrt2/2)) > 1e-9 {
		t.Errorf("ended with %v", last)
	}
}

// TestPeakHoldsACorner: a corner of a box right on a corner of the ground, where
// both faces would skip the box's own normals.
func TestPeakHoldsACorner(t *testing.T) {
	fs := facesOf(false, geom.V(3, -1), geom.V(0, 0), geom.V(-3, -1))
	for _, s := range []geom.Shape{geom.NewBox(0.5, 0.5), geom.NewRoundedBox(0.4, 0.4, 0.1)} {
		h := NewHull(s)
		for _, x := range []float64{-0.01, -0.001, 0, 0.001, 0.01} {
			for y := 0.5; y < 0.75; y += 0.01 {
				at := geom.Transform{P: geom.V(x, y), Q: geom.NewRot(math.Pi / 4)}
				up := 0.0
				for _, m := range touch(fs, &h, at) {
					if m.N > 0 {
						up = max(up, m.Normal.Y)
					}
				}
				if sep := separation([]geom.Vec{{X: 3, Y: -1}, {}, {X: -3, Y: -1}}, placed(&h, at)) -
					h.Radius; sep < -1e-3 && up < 0.5 {
					t.Fatalf("%T at %v %v, depth %v: pushed up by %v", s, x, y, sep, up)
				}
			}
		}
	}
}

// TestCliff: nothing is pushed from behind a face. A box that overlaps a cliff
// from the low side meets only its wall; one on the plateau only the top.
func TestCliff(t *testing.T) {
	fs := facesOf(false, geom.V(5, 1), geom.V(0, 1), geom.V(0, 0), geom.V(-5, 0)) // top, wall, floor
	box := NewHull(geom.NewBox(0.5, 0.5))
	for _, c := range []struct {
		name string
		at   geom.Vec
		want [3]geom.Vec
	}{
		{"against the wall", geom.V(-0.49, 0.495), [3]geom.Vec{{}, {X: -1}, {Y: 1}}},
		{"above the floor", geom.V(-0.49, 0.7), [3]geom.Vec{{}, {X: -1}, {}}},
		{"over the edge, falling", geom.V(-0.499, 1.2), [3]geom.Vec{{X: -1}, {X: -1}, {}}},
		{"on the plateau", geom.V(1, 1.495), [3]geom.Vec{{Y: 1}, {}, {}}},
		{"half over the edge", geom.V(0.1, 1.495), [3]geom.Vec{{Y: 1}, {}, {}}},
		{"mostly over the edge", geom.V(-0.1, 1.495), [3]geom.Vec{{Y: 1}, {Y: 1}, {}}},
	} {
		for i, m := range touch(fs, &box, geom.At(c.at)) {
			if (m.N > 0) != (c.want[i] != geom.Vec{}) || m.N > 0 && m.Normal.Dist(c.want[i]) > 1e-12 {
				t.Errorf("%s, face %d: %+v, want %v", c.name, i, m, c.want[i])
			}
		}
	}
}

// TestCornerNames: the point at a common corner has CornerB of the face before
// and CornerA of the face after, and one hull feature.
func TestCornerNames(t *testing.T) {
	fs := facesOf(false, geom.V(5, 1), geom.V(0, 1), geom.V(0, 0))
	h := NewHull(geom.NewBox(0.5, 0.5))
	ms := touch(fs, &h, geom.At(geom.V(-0.1, 1.495)))
	var a, b uint32
	for _, p := range ms[0].Points[:ms[0].N] {
		if p.ID.CornerB() {
			b = p.ID.HullFeature()
		}
	}
	for _, p := range ms[1].Points[:ms[1].N] {
		if p.ID.CornerA() {
			a = p.ID.HullFeature()
		}
	}
	if a == 0 || a != b {
		t.Errorf("corner features %x, %x: %+v", a, b, ms)
	}
}

func TestConcaveHasNoVertex(t *testing.T) {
	fs := facesOf(false, geom.V(3, 0), geom.V(0, 0), geom.V(-3, 3)) // a ramp on the left
	for _, s := range []geom.Shape{
		geom.Circle{Radius: 0.5},
		geom.NewBox(0.5, 0.5), geom.NewRoundedBox(0.3, 0.3, 0.2),
		geom.Capsule{A: geom.V(0, 0), B: geom.V(0, 1), Radius: 0.5},
	} {
		h := NewHull(s)
		for x := -1.5; x < 1.5; x += 0.01 {
			for y := 0.1; y < 2; y += 0.05 {
				for i, m := range touch(fs, &h, geom.Transform{P: geom.V(x, y), Q: geom.NewRot(x + y)}) {
					if m.N > 0 && m.Normal.Dist(normalOf(&fs[i])) > 1e-12 && (m.Points[0].ID.CornerA() ||
						m.Points[0].ID.CornerB()) {
						corner := fs[i].A
						if m.Points[0].ID.CornerB() {
							corner = fs[i].B
						}
						if corner == (geom.Vec{}) {
							t.Fatalf("%T at %v %v: %+v", s, x, y, m)
						}
					}
				}
			}
		}
	}
}

// TestKnifeEdge: a surface that turns back on itself is a tip with a half plane
// of normals, and a slide over it ends on neither side of nothing.
func TestKnifeEdge(t *testing.T) {
	fs := facesOf(true, geom.V(0, 0), geom.V(0, 2)) // a blade, tips at both ends
	ball := NewHull(geom.Circle{Radius: 0.5})
	for i := range 361 {
		// Round the upper tip, then straight down the sides.
		a := float64(i-180) * math.Pi / 180
		c := geom.V(0, 2).Add(geom.NewRot(a).Apply(geom.V(0, 0.49)))
		if math.Abs(a) > math.Pi/2 {
			c = geom.V(math.Copysign(0.49, -a), 2-math.Abs(a)+math.Pi/2)
		}
		n := 0
		for _, m := range touch(fs, &ball, geom.At(c)) {
			if n += m.N; m.N > 0 {
				check(t, &m)
				if math.Abs(m.Points[0].Separation+0.01) > 1e-9 {
					t.Fatalf("at %v: %+v", c, m)
				}
			}
		}
		if n == 0 {
			t.Fatalf("nothing at %v", c)
		}
	}
	box := NewHull(geom.NewBox(0.5, 0.5))
	for _, x := range []float64{-0.3, 0, 0.3} {
		up := 0
		for _, m := range touch(fs, &box, geom.At(geom.V(x, 2.49))) {
			if m.N > 0 && m.Normal == geom.V(0, 1) {
				up += m.N
			}
		}
		if up == 0 {
			t.Errorf("a box on the tip at %v falls", x)
		}
	}
}

// TestDeepTriangle: pushed out by the side that its centroid is on, although the
// other way is shorter.
func TestDeepTriangle(t *testing.T) {
	p, err := geom.NewPolygon([]geom.Vec{{X: 0, Y: -1}, {X: 0.8, Y: 0.5}, {X: -0.8, Y: 0.5}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHull(p)
	for _, v := range [][]geom.Vec{
		{{X: 9}, {X: 3}, {X: -3}, {X: -9}},
		{{X: 3, Y: -9}, {X: 3}, {X: -3}, {X: -3, Y: -9}},
	} {
		fs := facesOf(false, v...)
		for _, tilt := range []float64{-0.2, -0.01, 0, 0.01, 0.2} {
			m := touch(fs, &h, geom.Transform{P: geom.V(0.3, 0.001), Q: geom.NewRot(tilt)})[1]
			if m.N == 0 || m.Normal != geom.V(0, 1) {
				t.Errorf("tilt %v: %+v", tilt, m)
			}
		}
	}
}

func TestOpenEnds(t *testing.T) {
	f := Face{A: geom.V(1, 0), B: geom.V(0, 0)}
	ball := NewHull(geom.Circle{Radius: 0.5})
	var m Manifold
	FaceHull(&m, &f, &ball, geom.At(geom.V(1.3, 0.3)), margin)
	if m.N != 1 || m.Normal.Dist(geom.V(math.Sqrt2/2, math.Sqrt2/2)) > 1e-12 || !m.Points[0].ID.CornerA() {
		t.Errorf("%+v", m)
	}
	capsule := NewHull(geom.Capsule{A: geom.V(0, 0), B: geom.V(1, 0), Radius: 0.25})
	FaceHull(&m, &f, &capsule, geom.At(geom.V(1.2, 0)), margin)
	if m.N != 1 || m.Normal.Dist(geom.V(1, 0)) > 1e-12 || math.Abs(m.Points[0].Separation+0.05) > 1e-12 {
		t.Errorf("in line: %+v", m)
	}
	FaceHull(&m, &Face{}, &ball, still, margin)
	if m.N != 0 {
		t.Error("a face of no length touches")
	}
	f.HasGhost1, f.Ghost1 = true, f.A // no direction: taken as flat
	box := NewHull(geom.NewBox(0.5, 0.5))
	FaceHull(&m, &f, &box, geom.Transform{P: geom.V(1.3, 0.4), Q: geom.NewRot(-0.5)}, margin)
	if m.N > 0 && m.Normal != geom.V(0, 1) {
		t.Errorf("%+v", m)
	}
	FaceHull(&m, &f, &ball, geom.At(geom.V(0.5, 0)), margin)
	if m.N != 1 || m.Normal != geom.V(0, 1) || m.Points[0].Separation != -0.5 {
		t.Errorf("centre on the face: %+v", m)
	}
	FaceHull(&m, &f, &ball, geom.At(geom.V(0.5, -1e-9)), margin)
	if m.N != 0 {
		t.Errorf("behind: %+v", m)
	}
}

// TestRodOffThinPost: a rod that touches one corner of a thin post is pushed off that corner,
// by no other face. (The face on the far side of the post, whose line cuts the long rod, gave
// a contact against its normal's back: 0.13 deep for a post 0.02 wide.)
func TestRodOffThinPost(t *testing.T) {
	const hx, hy = 0.01, 0.05
	faces := facesOf(true, geom.V(-hx, -hy), geom.V(hx, -hy), geom.V(hx, hy), geom.V(-hx, hy))
	for _, half := range []float64{0.005, 0.02, 0.1} {
		rod := NewHull(geom.NewBox(1.5, half))
		for k := range 60 {
			out := geom.NewRot(-0.025 * (float64(k) + 1.5)).Apply(geom.V(1, 0)) // off the lower right corner
			for _, along := range []float64{-1.2, -0.7, 0.1, 0.7, 1.2} {
				for _, depth := range []float64{-0.002, 0.002, 0.005} {
					at := geom.Transform{
						P: geom.V(hx, -hy).MulAdd(half-depth, out).MulAdd(along, out.Left()),
						Q: geom.Rot{C: out.Left().X, S: out.Left().Y},
					}
					touched := false
					for i := range faces {
						var m Manifold
						FaceHull(&m, &faces[i], &rod, at, 4*geom.LinearSlop)
						if m.N == 0 {
							continue
						}
						touched = true
						if least := min(m.Points[0].Separation, m.Points[m.N-1].Separation); m.Normal.Dot(out) < 0 ||
							least < -depth-2*hy {
							t.Fatalf("rod %v, out %v, along %v, %v deep, face %d: %+v", half, out, along, depth, i, m)
						}
					}
					if !touched {
						t.Fatalf("rod %v, out %v, along %v, %v deep: no contact", half, out, along, depth)
					}
				}
			}
		}
	}
}
