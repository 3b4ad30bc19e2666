package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// drawChain draws a chain with vertices on a coarse lattice, so that straight
// runs, knife edges, crossings and points met again are common.
func drawChain(t *rapid.T, steps int) quarry.ChainDef {
	d := quarry.ChainDef{Loop: rapid.Bool().Draw(t, "loop")}
	at := [2]int{}
	for range rapid.IntRange(3, steps).Draw(t, "points") {
		d.Points = append(d.Points, geom.V(float64(at[0])/4, float64(at[1])/4))
		for at0 := at; at == at0; {
			at[0] += rapid.IntRange(-4, 4).Draw(t, "dx")
			at[1] += rapid.IntRange(-3, 3).Draw(t, "dy")
		}
	}
	if d.Loop && d.Points[0] == d.Points[len(d.Points)-1] {
		d.Points = append(d.Points, geom.V(100, 100))
	}
	if !d.Loop {
		d.HasGhost1, d.Ghost1 = rapid.Bool().Draw(t, "ghost 1"), d.Points[0].Add(geom.V(1, -0.5))
		d.HasGhost2, d.Ghost2 = rapid.Bool().Draw(t, "ghost 2"), d.Points[len(d.Points)-1].Add(geom.V(-1, 0.75))
	}
	return d
}

// wholeFaces returns every straight run of d as a face, by looking at all segments. The
// lattice makes all products exact.
func wholeFaces(d quarry.ChainDef) []collide.Face {
	n := len(d.Points)
	goesOn := func(i int) bool { // whether point i is within a straight run
		if !d.Loop && (i == 0 || i == n-1) {
			return false
		}
		u, v := d.Points[i].Sub(d.Points[(i+n-1)%n]), d.Points[(i+1)%n].Sub(d.Points[i])
		return u.Cross(v) == 0 && u.Dot(v) > 0
	}
	var corners []geom.Vec
	for i := range n {
		if !goesOn(i) {
			corners = append(corners, d.Points[i])
		}
	}
	var out []collide.Face
	for k := range corners {
		m := len(corners)
		f := collide.Face{
			A: corners[k], B: corners[(k+1)%m], Ghost1: corners[(k+m-1)%m], HasGhost1: true,
			Ghost2: corners[(k+2)%m], HasGhost2: true,
		}
		if !d.Loop {
			if k == m-1 {
				break
			}
			if k == 0 {
				f.Ghost1, f.HasGhost1 = d.Ghost1, d.HasGhost1
			}
			if k == m-2 {
				f.Ghost2, f.HasGhost2 = d.Ghost2, d.HasGhost2
			}
		}
		out = append(out, f)
	}
	return out
}

// met is a contact point, for comparison.
type met struct{ p, n geom.Vec }

// meet returns all contact points of a hull at t with the faces. A point that two faces
// share counts once; a point that the front of another face hides from the hull's
// centroid does not count.
func meet(faces []collide.Face, loop bool, h *collide.Hull, t geom.Transform) (out []met) {
	type corner struct {
		k int // of a face's end, counted on round a loop
		f uint32
	}
	seen := map[corner]geom.Vec{}
	c := t.Apply(h.Centroid)
	box := geom.Empty
	for _, v := range h.V[:h.N] {
		box = box.Union(geom.Box(t.Apply(v), t.Apply(v)))
	}
	box = box.Expand(h.Radius + 4*geom.LinearSlop)
	var near []collide.Face // only faces near the shape can be in the way
	for _, f := range faces {
		if geom.Box(f.A, f.B).Overlaps(box) {
			near = append(near, f)
		}
	}
	for i := range faces {
		f := &faces[i]
		var m collide.Manifold
		collide.FaceHull(&m, f, h, t, 4*geom.LinearSlop)
		along, _ := f.B.Sub(f.A).Unit()
		if m.N > 0 && along.Right().Dot(m.Normal) < -math.Sqrt(0.5) && !(f.HasGhost1 && f.HasGhost2) {
			// It would go out of the back: so the surface counts as continued.
			g := *f
			if !f.HasGhost1 {
				g.Ghost1, g.HasGhost1 = f.A.Sub(along), true
			}
			if !f.HasGhost2 {
				g.Ghost2, g.HasGhost2 = f.B.Add(along), true
			}
			collide.FaceHull(&m, &g, h, t, 4*geom.LinearSlop)
		}
		for _, p := range m.Points[:m.N] {
			n := m.Normal
			foot := p.Anchor.Sub(n.Mul(p.Separation / 2)) // on the chain's surface
			if blocked(near, c, foot) {
				continue
			}
			if p.ID.CornerA() || p.ID.CornerB() {
				at := corner{i, p.ID.HullFeature()}
				if p.ID.CornerB() {
					at.k++
				}
				if loop && at.k == len(faces) {
					at.k = 0
				}
				if was, ok := seen[at]; ok && was.Dot(n) >= 0.95 {
					continue
				}
				seen[at] = n
			}
			out = append(out, met{p.Anchor, n})
		}
	}
	return out
}

// steady reports whether the result is the same at poses very close to t and in t's own
// frame. If not, rounding decides it.
func steady(faces []collide.Face, loop bool, h *collide.Hull, t geom.Transform) bool {
	all := meet(faces, loop, h, t)
	var seen []collide.Face
	for _, f := range faces {
		f.A, f.B, f.Ghost1, f.Ghost2 = f.A.Sub(t.P), f.B.Sub(t.P), f.Ghost1.Sub(t.P), f.Ghost2.Sub(t.P)
		seen = append(seen, f)
	}
	if from := meet(seen, loop, h, geom.Transform{Q: t.Q}); len(from) != len(all) {
		return false
	} else {
		for i := range all {
			if all[i].p.Dist(from[i].p.Add(t.P)) > 1e-6 {
				return false
			}
		}
	}
	for _, d := range []geom.Vec{geom.V(1e-8, 3e-9), geom.V(-3e-9, 1e-8), geom.V(-1e-8, -3e-9), geom.V(3e-9, -1e-8)} {
		near := meet(faces, loop, h, geom.Transform{P: t.P.Add(d), Q: t.Q})
		if len(near) != len(all) {
			return false
		}
		for i := range all {
			if all[i].p.Dist(near[i].p) > 1e-6 || all[i].n.Dist(near[i].n) > 1e-6 {
				return false
			}
		}
	}
	return true
}

// blocked reports whether the line from c to p crosses the surface from front to back by more than a
// tolerance. A line through an end of a face passes a tip if nothing is on one side of it: the point just
// past a tip is visible. So the line must cross on both sides of itself: twice the same face, or that face
// and the one that continues it. (collide gives the point that is just visible past a ghost vertex, and
// then the line always goes through a corner. Where the next face but one goes on to the other side, as in
// the root of a spike, that corner is no tip.)
func blocked(faces []collide.Face, c, p geom.Vec) bool {
	side, _ := p.Sub(c).Left().Unit()
	for i := range faces {
		f := &faces[i]
		hit, goesOn := [2]bool{}, [2]bool{}
		for k, off := range [2]float64{-1e-6, 1e-6} {
			c, p := c.MulAdd(off, side), p.MulAdd(off, side)
			hit[k] = crossesBack(f.A, f.B, c, p)
			goesOn[k] = hit[k] || f.HasGhost1 && crossesBack(f.Ghost1, f.A, c, p) || f.HasGhost2 && crossesBack(f.B,
				f.Ghost2, c, p)
		}
		if hit[0] && goesOn[1] || hit[1] && goesOn[0] {
			return true
		}
	}
	return false
}

// crossesBack reports whether the line from c to p crosses the segment from a to b from its right to more
// than a tolerance on its left.
func crossesBack(a, b, c, p geom.Vec) bool {
	n, _ := b.Sub(a).Right().Unit()
	if n.Dot(c.Sub(a)) <= 0 || n.Dot(p.Sub(a)) >= -1e-6 {
		return false
	}
	d := p.Sub(c)
	return d.Cross(a.Sub(c)) < 0 != (d.Cross(b.Sub(c)) < 0)
}

// liesOnComb reports whether two faces, or one drawn twice, are on one line and face the same way, and a hull
// with edges at t lies on that line.
func liesOnComb(faces []collide.Face, h *collide.Hull, t geom.Transform) bool {
	if h.N < 2 {
		return false
	}
	for i, f := range faces {
		e := f.B.Sub(f.A)
		n, _ := e.Right().Unit()
		low := math.MaxFloat64
		for _, v := range h.V[:h.N] {
			low = min(low, n.Dot(t.Apply(v).Sub(f.A))-h.Radius)
		}
		if low < -2.1*geom.LinearSlop || low > 4.1*geom.LinearSlop {
			continue
		}
		for _, g := range faces[i+1:] {
			if e.Cross(g.A.Sub(f.A)) == 0 && e.Cross(g.B.Sub(f.A)) == 0 && e.Dot(g.B.Sub(g.A)) > 0 {
				return true
			}
		}
	}
	return false
}

// TestChainMeetsAsAllOfIt: the contacts of a shape with a chain, on a body at any pose,
// are those that an oracle finds from all faces one by one.
func TestChainMeetsAsAllOfIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawChain(t, 60)
		odd := func(lo, hi int, name string) float64 { // off any lattice
			return float64(rapid.IntRange(lo, hi).Draw(t, name))*0.01037 + 0.000713
		}
		w := quarry.NewWorld(quarry.Config{})
		frame := geom.Transform{
			P: geom.V(odd(-1000, 1000, "x"), odd(-1000, 1000, "y")),
			Q: geom.NewRot(odd(-300, 300, "angle")),
		}
		body := w.AddBody(quarry.BodyDef{Position: frame.P, Angle: frame.Q.Angle()})
		if _, err := w.AddChain(body, d); err != nil {
			t.Fatal(err)
		}
		size := rapid.SampledFrom([]float64{0.1, 0.4, 1, 3}).Draw(t, "size")
		shape := []geom.Shape{
			geom.Circle{Center: geom.V(0.1*size, 0), Radius: size},
			geom.NewBox(size, 0.6*size), geom.NewBox(3*size, 0.05*size),
			geom.Capsule{A: geom.V(-size, 0), B: geom.V(size, 0.3*size), Radius: 0.3 * size},
			geom.NewRoundedBox(0.7*size, 0.5*size, 0.2*size),
		}[rapid.IntRange(0, 4).Draw(t, "shape")]
		near := d.Points[rapid.IntRange(0, len(d.Points)-1).Draw(t, "at")]
		at := geom.Transform{
			P: near.Add(geom.V(odd(-150, 150, "px"), odd(-150, 150, "py")+0.00031).Mul(size)),
			Q: geom.NewRot(odd(-300, 300, "turn")),
		}
		in := frame.Mul(at)
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: in.P, Angle: in.Q.Angle(), FixedRotation: true})
		w.AddShape(id, shape, quarry.ShapeDef{})
		b, _ := w.Body(id)
		before := b.CenterOfMass()
		w.Step(1e-9)

		h := collide.NewHull(shape)
		want := meet(wholeFaces(d), d.Loop, &h, at)
		if !steady(wholeFaces(d), d.Loop, &h, at) {
			t.Skip("a tie")
		}
		if liesOnComb(wholeFaces(d), &h, at) {
			t.Skip("the tops of a comb are one face: see comb_test.go")
		}
		var got []met
		for _, c := range w.AppendContacts(nil) {
			for _, p := range c.Points[:c.N] {
				got = append(got, met{frame.Inv(p.Point.Sub(b.CenterOfMass().Sub(before))), frame.Q.Inv(c.Normal)})
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%T at %+v on %+v:\n%d points %v\nwant %d %v", shape, at, d, len(got), got, len(want), want)
		}
		for _, g := range got {
			found := false
			for _, x := range want {
				found = found || g.p.Dist(x.p) < 1e-7 && g.n.Dist(x.n) < 1e-7
			}
			if !found {
				t.Fatalf("%T at %+v on %+v:\n%v is not among %v", shape, at, d, g, want)
			}
		}
	})
}

// TestChainQueriesAsAllOfIt: rays and boxes find the segments that a look at every
// segment finds.
func TestChainQueriesAsAllOfIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawChain(t, 100)
		odd := func(lo, hi int, name string) float64 {
			return float64(rapid.IntRange(lo, hi).Draw(t, name))*0.01037 + 0.000713
		}
		w := quarry.NewWorld(quarry.Config{})
		frame := geom.Transform{
			P: geom.V(odd(-1000, 1000, "x"), odd(-1000, 1000, "y")),
			Q: geom.NewRot(odd(-300, 300, "angle")),
		}
		body := w.AddBody(quarry.BodyDef{Position: frame.P, Angle: frame.Q.Angle()})
		id, err := w.AddChain(body, d)
		if err != nil {
			t.Fatal(err)
		}
		c, _ := w.Chain(id)
		near := frame.Apply(d.Points[rapid.IntRange(0, len(d.Points)-1).Draw(t, "at")])
		o := near.Add(geom.V(odd(-500, 500, "ox"), odd(-500, 500, "oy")))
		ray := geom.V(odd(-900, 900, "dx"), odd(-900, 900, "dy"))
		if rapid.Bool().Draw(t, "at a vertex") {
			ray = near.Sub(o).Mul(rapid.SampledFrom([]float64{1.5, 3}).Draw(t, "by"))
		}
		best, on := 2.0, -1
		for i, s := range c.Segments() {
			s = geom.Segment{A: frame.Apply(s.A), B: frame.Apply(s.B)}
			if hit, ok := s.RayCast(o, ray); ok && hit.Fraction < best && s.B.Sub(s.A).Right().Dot(ray) < 0 {
				best, on = hit.Fraction, i
			}
		}
		hit, ok := w.RayCast(o, ray, quarry.QueryFilter{})
		if ok != (on >= 0) {
			// A ray that grazes a vertex may hit or miss.
			at := hit.Point
			if !ok {
				at = o.MulAdd(best, ray)
			}
			if nearestPoint(c, frame, at) > 1e-9 {
				t.Fatalf("ray from %v along %v: %+v, want %v on %d", o, ray, hit, best, on)
			}
		} else if ok && (math.Abs(hit.Fraction-best) > 1e-7 && nearestPoint(c, frame, hit.Point) > 1e-9 &&
			nearestPoint(c, frame, o.MulAdd(best, ray)) > 1e-9 || hit.Chain != id || hit.Normal.Dot(ray) >= 0 ||
			hit.Shape != 0) {
			t.Fatalf("ray from %v along %v: %+v, want %v on %d", o, ray, hit, best, on)
		} else if ok {
			s := c.Segment(hit.Segment)
			p, e := frame.Inv(hit.Point).Sub(s.A), s.B.Sub(s.A)
			if math.Abs(e.Cross(p)) > 1e-6 || e.Dot(p) < -1e-6 || e.Dot(p) > e.Len2()+1e-6 {
				t.Fatalf("hit %+v is not on segment %d, %v", hit, hit.Segment, s)
			}
		}

		box := geom.Box(o, o.Add(geom.V(odd(0, 300, "w"), odd(0, 300, "h"))))
		var want []int
		for i, s := range c.Segments() {
			if sharesPoint(box, frame.Apply(s.A), frame.Apply(s.B)) {
				want = append(want, i)
			}
		}
		got := c.AppendOverlaps([]int{-1}, box)
		if fmt.Sprint(got[1:]) != fmt.Sprint(want) || got[0] != -1 {
			t.Fatalf("in %v: %v, want %v", box, got, want)
		}
		if in := w.AppendChains(nil, box); (len(in) == 1) != (len(want) > 0) {
			t.Fatalf("chains in %v: %v; segments %v", box, in, want)
		}
	})
}

// sharesPoint reports whether a-b and box share a point, by clipping a-b to each side in
// turn.
func sharesPoint(box geom.AABB, a, b geom.Vec) bool {
	lo, hi := 0.0, 1.0
	cut := func(from, to, low, high float64) {
		if from == to {
			if from < low || from > high {
				hi = -1
			}
			return
		}
		s, e := (low-from)/(to-from), (high-from)/(to-from)
		lo, hi = max(lo, min(s, e)), min(hi, max(s, e))
	}
	cut(a.X, b.X, box.Min.X, box.Max.X)
	cut(a.Y, b.Y, box.Min.Y, box.Max.Y)
	return lo <= hi
}

// nearestPoint returns the distance from p to the chain's nearest point.
func nearestPoint(c quarry.Chain, frame geom.Transform, p geom.Vec) float64 {
	least := math.MaxFloat64
	for _, q := range c.Points() {
		least = min(least, frame.Apply(q).Dist(p))
	}
	return least
}
