package collide

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// bend describes an end of a face: open, or a neighbour at an angle, convex above 0 and
// concave below, in degrees.
type bend struct {
	open  bool
	angle float64
}

func (b bend) String() string {
	switch {
	case b.open:
		return "open"
	case b.angle > 0:
		return fmt.Sprintf("convex %v", b.angle)
	case b.angle < 0:
		return fmt.Sprintf("concave %v", -b.angle)
	}
	return "flat"
}

// bends returns the kinds of ends: the corners of the 1:2, 1:1 and 2:1 pitches and of
// boxes, tiny angles about flat, and a whole turn.
func bends() []bend {
	all := []bend{{open: true}, {}, {angle: 180}}
	for _, a := range []float64{0.1, 26.565, 45, 63.435, 90, 116.565, 135, 161, 179} {
		all = append(all, bend{angle: a}, bend{angle: -a})
	}
	return all
}

// country is a face with its two neighbours, if it has them: the middle one from
// (length, 0) to the origin, solid below.
type country struct {
	a, b   bend
	faces  []Face // those present of: before, the middle, after
	middle int
}

func newCountry(a, b bend, before, length, after float64) (c country, ok bool) {
	c.a, c.b = a, b
	v := []geom.Vec{geom.V(length, 0), {}}
	if !b.open {
		v = append(v, geom.NewRot(b.angle*math.Pi/180).Apply(geom.V(-after, 0)))
	}
	if !a.open {
		v = append([]geom.Vec{v[0].Add(geom.NewRot(-a.angle * math.Pi / 180).Apply(geom.V(before, 0)))}, v...)
		c.middle = 1
	}
	c.faces = facesOf(false, v...)
	if b.angle == 180 && !b.open {
		c.faces[c.middle].Ghost2 = geom.V(after, 0)
	}
	if !a.open && !b.open { // neighbours that cross make no ground
		if d, _, _ := geom.Distance(v[:2], v[2:]); d < 0.01 {
			return c, false
		}
	}
	return c, true
}

// vertexRegion reports whether the way d from the end p of the faces that meet
// there leads where p is the nearest point of them: the Voronoi region of the
// corner, by looking from a little way off.
func vertexRegion(p, d geom.Vec, faces []Face) bool {
	const off = 1e-3
	q := p.MulAdd(off, d)
	for i := range faces {
		if gap, _, _ := geom.Distance([]geom.Vec{q}, []geom.Vec{faces[i].A, faces[i].B}); gap < off*(1-1e-9) {
			return false
		}
	}
	return true
}

// admissible reports whether the middle face may push along d: its own normal,
// or from a convex or open end within its Voronoi region. Half a thousandth of
// a radian aside.
func (c *country) admissible(d geom.Vec) bool {
	f := &c.faces[c.middle]
	for _, turn := range []float64{0, -5e-4, 5e-4} {
		d := geom.NewRot(turn).Apply(d)
		if d.Dist(normalOf(f)) < 1e-12 {
			return true
		}
		if (c.a.open || c.a.angle > 0) && vertexRegion(f.A, d, c.faces[:c.middle+1]) {
			return true
		}
		if (c.b.open || c.b.angle > 0) && vertexRegion(f.B, d, c.faces[c.middle:]) {
			return true
		}
	}
	return false
}

// body returns a body of the size of a cell, much smaller or much larger, a needle, or an
// odd shape.
func (d dice) body() Hull {
	switch d.IntN(7) {
	case 0:
		return NewHull(geom.Circle{Radius: d.size(0.02, 30)})
	case 1:
		l := d.size(0.05, 30)
		return NewHull(geom.Capsule{A: geom.V(-l, 0), B: geom.V(l, 0), Radius: d.size(0.02, 10)})
	case 2:
		return NewHull(geom.NewBox(d.size(0.02, 30), d.size(0.02, 30)))
	case 3:
		return NewHull(geom.NewBox(d.size(1, 20), 0.006)) // a needle
	case 4:
		l := d.size(1, 20) // a thorn
		p, err := geom.NewPolygon([]geom.Vec{{X: -l}, {X: l, Y: 0.02}, {X: l, Y: -0.02}}, 0)
		if err != nil {
			panic(err)
		}
		return NewHull(p)
	case 5:
		return d.polygon(0)
	}
	return d.polygon(d.size(0.02, 5))
}

// TestGaussMapEveryCorner: every two ends, every body, any overlap. The normal is the
// face's own or in its corner's range; each point lies on the face with its true
// separation; and a body behind the face has no contact.
func TestGaussMapEveryCorner(t *testing.T) {
	d := newDice(20)
	snapped, admitted := 0, 0
	for _, a := range bends() {
		for _, b := range bends() {
			for range max(20, poses(40_000)/20) {
				length := d.size(0.1, 10)
				c, ok := newCountry(a, b, d.size(0.1, 10), length, d.size(0.1, 10))
				if !ok {
					continue
				}
				f := &c.faces[c.middle]
				face := NewHull(geom.Segment{A: f.A, B: f.B})
				h := d.body()
				at := d.beside(&face, &h)
				if y := at.Apply(h.Centroid).Y; y < 0 {
					at.P.Y -= 2 * y
				}
				var m Manifold
				FaceHull(&m, f, &h, at, margin)
				if m.N == 0 {
					continue
				}
				check(t, &m)
				if at.Apply(h.Centroid).Y < 0 {
					t.Fatalf("%v, %v: pushed from behind", a, b)
				}
				if !c.admissible(m.Normal) {
					t.Fatalf("%v, %v, length %v: %v at %v is pushed along %v: %+v", a, b, length, h, at, m.Normal, m)
				}
				if m.Normal == geom.V(0, 1) {
					snapped++
				} else {
					admitted++
				}
				core := placed(&h, at)
				for _, p := range m.Points[:m.N] {
					ground := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
					skin := p.Anchor.MulAdd(0.5*p.Separation, m.Normal)
					if gap, _, _ := geom.Distance([]geom.Vec{ground}, []geom.Vec{f.A, f.B}); gap > 2*sideSlop {
						t.Fatalf("%v, %v: the point %v is %v off the face of %v: %+v", a, b, ground, gap, length, m)
					}
					if gap, _, _ := geom.Distance([]geom.Vec{skin}, core); gap > h.Radius+2*sideSlop {
						t.Fatalf("%v, %v: the point %v is %v off the hull %v at %v: %+v", a, b, skin, gap-h.Radius, h,
							at, m)
					}
				}
			}
		}
	}
	t.Logf("%d along the face's own normal, %d at a corner", snapped, admitted)
}

// TestCircleAgainstVoronoi: a circle meets a face where the nearest point of the
// face, with its neighbours, is on it: exactly then, and exactly there.
func TestCircleAgainstVoronoi(t *testing.T) {
	d := newDice(21)
	met := 0
	for _, a := range bends() {
		for _, b := range bends() {
			for range max(20, poses(40_000)/20) {
				c, ok := newCountry(a, b, d.size(0.1, 10), d.size(0.1, 10), d.size(0.1, 10))
				if !ok {
					continue
				}
				f := &c.faces[c.middle]
				h := NewHull(geom.Circle{Radius: d.size(0.02, 30)})
				p := geom.V(d.within(-0.5, 1.5)*f.A.X, d.within(0, 1.2)*min(h.Radius, 12))
				if d.IntN(2) == 0 { // about an end
					p = geom.NewRot(d.within(-1, 4)).Apply(geom.V(h.Radius*d.within(0, 1.05), 0)).Add([]geom.Vec{
						f.A,
						f.B,
					}[d.IntN(2)])
				}
				if p.Y < 1e-9 {
					continue
				}
				var m Manifold
				FaceHull(&m, f, &h, geom.At(p), margin)
				dist, on, _ := geom.Distance([]geom.Vec{f.A, f.B}, []geom.Vec{p})
				want, sure := true, true
				over := p.X >= 0 && p.X <= f.A.X
				if !over {
					end, near := c.b, c.faces[c.middle:]
					if p.X > 0 {
						end, near = c.a, c.faces[:c.middle+1]
					}
					switch {
					case end.open:
					case end.angle <= 0.06: // the flatSine and less
						want = false
					default:
						way, _ := p.Sub(on).Unit()
						want = vertexRegion(on, way, near)
						for _, turn := range []float64{-1e-4, 1e-4} {
							sure = sure && vertexRegion(on, geom.NewRot(turn).Apply(way), near) == want
						}
					}
				}
				want = want && dist <= h.Radius+margin
				if !sure || math.Abs(dist-h.Radius-margin) < 1e-6 || math.Abs(p.X) < 1e-5 ||
					math.Abs(p.X-f.A.X) < 1e-5 {
					continue
				}
				if want && m.N == 0 && c.hidden(p, on) {
					continue
				}
				if want != (m.N > 0) {
					t.Fatalf("%v, %v: circle of %v at %v before %v: met %v", a, b, h.Radius, p, f, m.N > 0)
				}
				if m.N == 0 {
					continue
				}
				met++
				way, _ := p.Sub(on).Unit()
				if m.Normal.Dist(way) > 1e-9 || math.Abs(m.Points[0].Separation-(dist-h.Radius)) > 1e-9 {
					t.Fatalf("%v, %v: circle of %v at %v, nearest %v: %+v", a, b, h.Radius, p, on, m)
				}
			}
		}
	}
	t.Logf("%d met", met)
}

// hidden reports whether a neighbour lies between the point p and the face's
// point on.
func (c *country) hidden(p, on geom.Vec) bool {
	for i := range c.faces {
		if i == c.middle {
			continue
		}
		f := &c.faces[i]
		if gap, _, _ := geom.Distance([]geom.Vec{p, p.Lerp(on, 1-1e-9)}, []geom.Vec{f.A, f.B}); gap < 1e-9 {
			return true
		}
	}
	return false
}

// TestDeepCircleBesideAWedge: a circle deep on a convex corner, by a wedge of air
// one degree open at the face's other end. The wedge's far side hid the middle of
// the overlap, and so the corner, from the circle's centre.
func TestDeepCircleBesideAWedge(t *testing.T) {
	c, ok := newCountry(bend{angle: 26.565}, bend{angle: -179}, 5.24, 1.18, 1)
	if !ok {
		t.Fatal("no ground")
	}
	h := NewHull(geom.Circle{Radius: 2.6})
	var m Manifold
	FaceHull(&m, &c.faces[c.middle], &h, geom.At(geom.V(1.518, 0.956)), margin)
	if want, _ := geom.V(0.338, 0.956).Unit(); m.N != 1 || m.Normal.Dist(want) > 1e-9 {
		t.Errorf("%+v, want along %v", m, want)
	}
}
