package surfaces_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// mostClaimed is the depth that a contact of two grounds may claim that do not overlap, in units of length: a lattice
// step for rounded outlines.
const mostClaimed = 0.002

// TestApartGroundsClaimNoOverlap: two grounds of bodies of any types that do not overlap, but are near, in a notch,
// a ring or a spiral of each other, have no contact that claims an overlap. The oracle has only the outlines that were
// drawn: it compares each edge of one with each of the other, and counts how often an outline winds about a vertex.
func TestApartGroundsClaimNoOverlap(t *testing.T) {
	cases, near := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		far := rapid.SampledFrom([]float64{0, 0, 1e4, -1e6}).Draw(t, "far")
		var points [2][][2]float64
		var poses [2]geom.Transform
		size := 0.0
		for k := range points {
			points[k] = rapid.SampledFrom(outlinesOfGrounds).Draw(t, "outline").points(t)
			for _, p := range points[k] {
				size = max(size, math.Hypot(p[0], p[1]))
			}
			angle := rapid.SampledFrom([]float64{0, math.Pi / 2, 1}).Draw(t, "turn")
			if angle == 1 {
				angle = rapid.Float64Range(0, 6.28).Draw(t, "angle")
			}
			poses[k] = geom.Transform{P: geom.V(far, -far), Q: geom.NewRot(angle)}
		}
		from := geom.NewRot(rapid.Float64Range(0, 6.28).Draw(t, "direction")).Apply(geom.V(1, 0))
		poses[1].P = poses[1].P.MulAdd(rapid.Float64Range(0, 2.2*size).Draw(t, "distance"), from)
		target := math.Pow(10, rapid.Float64Range(-2.9, 0).Draw(t, "gap"))
		a, b := edgesAt(points[0], poses[0]), edgesAt(points[1], poses[1])
		gap := gapOf(a, b)
		if gap < target/2 || windsAbout(a, b[0][0]) || windsAbout(b, a[0][0]) {
			return // they overlap, or the lattice may make them
		}
		for range 12 { // move them closer, but not past each other
			poses[1].P = poses[1].P.MulAdd(-max(0, gap-target), from)
			b = edgesAt(points[1], poses[1])
			gap = gapOf(a, b)
		}
		w := quarry.NewWorld(quarry.Config{})
		kinds := rapid.SampledFrom([][2]quarry.BodyType{
			{quarry.Dynamic, quarry.Dynamic}, {quarry.Static, quarry.Dynamic}, {quarry.Dynamic, quarry.Kinematic},
		}).Draw(t, "kinds")
		for k, pose := range poses {
			body := w.AddBody(quarry.BodyDef{Type: kinds[k], Position: pose.P, Angle: pose.Q.Angle()})
			grid := gridseg.New(nil)
			loops, err := gridseg.Polygon(points[k])
			worldtest.Must(t, err)
			worldtest.Must(t, grid.Unite(loops, gridseg.Attr{}))
			_, err = w.AddGround(body, quarry.GroundDef{Grid: grid})
			worldtest.Must(t, err)
		}
		if cases++; gap < 0.1 {
			near++
		}
		w.Step(1e-6)
		for _, c := range w.AppendContacts(nil) {
			for _, p := range c.Points[:c.N] {
				if p.Separation < -mostClaimed {
					t.Fatalf("a gap of %v, and a contact claims a depth of %v at %v", gap, -p.Separation, p.Point)
				}
			}
		}
	})
	t.Logf("%d pairs apart, %d by less than 0.1", cases, near)
}

// outlinesOfGrounds draw outlines of grounds about the origin, counter-clockwise.
var outlinesOfGrounds = []struct {
	name   string
	points func(t *rapid.T) [][2]float64
}{
	{"star", func(t *rapid.T) (points [][2]float64) { // concave corners of any angle
		n, r := rapid.IntRange(3, 14).Draw(t, "tips"), rapid.Float64Range(0.8, 9).Draw(t, "radius")
		for i := range 2 * n {
			l := r * rapid.Float64Range(0.2, 1).Draw(t, "length")
			a := geom.NewRot(math.Pi * float64(i) / float64(n))
			points = append(points, [2]float64{l * a.C, l * a.S})
		}
		return points
	}},
	{"ring", func(t *rapid.T) (points [][2]float64) { // with a slit
		r, wide := rapid.Float64Range(2, 9).Draw(t, "radius"), rapid.Float64Range(0.05, 1).Draw(t, "wide")
		slit, n := rapid.Float64Range(0.05, 2).Draw(t, "slit"), rapid.IntRange(5, 24).Draw(t, "corners")
		at := func(i int, r float64) [2]float64 {
			a := geom.NewRot(slit/2 + (2*math.Pi-slit)*float64(i)/float64(n))
			return [2]float64{r * a.C, r * a.S}
		}
		for i := range n + 1 {
			points = append(points, at(i, r))
		}
		for i := range n + 1 {
			points = append(points, at(n-i, r-wide))
		}
		return points
	}},
	{"spiral", func(t *rapid.T) (points [][2]float64) {
		n, wide := rapid.IntRange(10, 40).Draw(t, "corners"), rapid.Float64Range(0.1, 0.6).Draw(t, "wide")
		at := func(i int, by float64) [2]float64 {
			a := 0.35 * float64(i)
			q := geom.NewRot(a)
			return [2]float64{(1 + 0.25*a + by) * q.C, (1 + 0.25*a + by) * q.S}
		}
		for i := range n + 1 {
			points = append(points, at(i, wide))
		}
		for i := range n + 1 {
			points = append(points, at(n-i, 0))
		}
		return points
	}},
	{"comb", func(t *rapid.T) (points [][2]float64) {
		n, gap := rapid.IntRange(2, 12).Draw(t, "teeth"), rapid.Float64Range(0.1, 1.5).Draw(t, "gap")
		tooth, high := rapid.Float64Range(0.05, 1).Draw(t, "tooth"), rapid.Float64Range(0.2, 5).Draw(t, "high")
		x0 := -0.5 * (float64(n)*(tooth+gap) - gap)
		points = [][2]float64{{x0, -0.5}, {-x0, -0.5}}
		for i := n - 1; i >= 0; i-- {
			x := x0 + float64(i)*(tooth+gap)
			points = append(points, [2]float64{x + tooth, high}, [2]float64{x, high})
			if i > 0 {
				points = append(points, [2]float64{x, 0}, [2]float64{x - gap, 0})
			}
		}
		return points
	}},
	{"wedge", func(t *rapid.T) [][2]float64 { // slivers
		l, h := rapid.Float64Range(0.5, 12).Draw(t, "long"), rapid.Float64Range(0.05, 1).Draw(t, "high")
		return [][2]float64{{-l / 2, 0}, {l / 2, -h / 2}, {l / 2, h / 2}}
	}},
	{"steps", func(t *rapid.T) (points [][2]float64) {
		n, s := rapid.IntRange(1, 9).Draw(t, "steps"), rapid.Float64Range(0.2, 1.3).Draw(t, "side")
		half := s * float64(n) / 2
		points = [][2]float64{{-half, -half}, {half, -half}}
		for i := n - 1; i >= 0; i-- {
			x, y := s*float64(i)-half, s*float64(n-i)-half
			points = append(points, [2]float64{x + s, y}, [2]float64{x, y})
		}
		return points
	}},
}

// edgesAt returns the edges of an outline at a pose.
func edgesAt(points [][2]float64, at geom.Transform) (edges [][2]geom.Vec) {
	for i, p := range points {
		q := points[(i+1)%len(points)]
		edges = append(edges, [2]geom.Vec{at.Apply(geom.V(p[0], p[1])), at.Apply(geom.V(q[0], q[1]))})
	}
	return edges
}

// gapOf returns the distance of two outlines, 0 if they cross.
func gapOf(a, b [][2]geom.Vec) float64 {
	gap := math.MaxFloat64
	for _, p := range a {
		for _, q := range b {
			side := func(s [2]geom.Vec, v geom.Vec) float64 { return s[1].Sub(s[0]).Cross(v.Sub(s[0])) }
			if side(p, q[0])*side(p, q[1]) <= 0 && side(q, p[0])*side(q, p[1]) <= 0 {
				return 0
			}
			gap = min(gap, toSegment(p[0], q), toSegment(p[1], q), toSegment(q[0], p), toSegment(q[1], p))
		}
	}
	return gap
}

// toSegment returns the distance of v from s.
func toSegment(v geom.Vec, s [2]geom.Vec) float64 {
	d := s[1].Sub(s[0])
	at := max(0, min(1, v.Sub(s[0]).Dot(d)/d.Len2()))
	return v.Dist(s[0].MulAdd(at, d))
}

// windsAbout reports whether an outline winds about v.
func windsAbout(outline [][2]geom.Vec, v geom.Vec) bool {
	n := 0
	for _, s := range outline {
		left := s[1].Sub(s[0]).Cross(v.Sub(s[0])) > 0
		if s[0].Y <= v.Y && s[1].Y > v.Y && left {
			n++
		} else if s[0].Y > v.Y && s[1].Y <= v.Y && !left {
			n--
		}
	}
	return n != 0
}
