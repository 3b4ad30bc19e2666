package collide

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// poses returns how many random poses a test looks at: soak if QUARRY_SOAK=1.
func poses(soak int) int {
	switch {
	case os.Getenv("QUARRY_SOAK") == "1":
		return soak
	case testing.Short():
		return soak / 1000
	}
	return soak / 100
}

// dice draws shapes and poses, the same every time.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))} }

func (d dice) within(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

// size draws a length, as likely small as large.
func (d dice) size(lo, hi float64) float64 { return lo * math.Exp(d.Float64()*math.Log(hi/lo)) }

func (d dice) vec(r float64) geom.Vec { return geom.V(d.within(-r, r), d.within(-r, r)) }

// angle draws an angle: any, or near a quarter turn, or one exactly.
func (d dice) angle() float64 {
	switch d.IntN(8) {
	case 0:
		return math.Pi / 2 * float64(d.IntN(4))
	case 1:
		return math.Pi/2*float64(d.IntN(4)) + math.Copysign(d.size(1e-12, 0.1), d.Float64()-0.5)
	}
	return d.within(-4, 4)
}

func (d dice) box() Hull { return NewHull(geom.NewBox(d.size(0.05, 10), d.size(0.05, 10))) }

// polygon draws one of n vertices, of which the hull may have fewer.
func (d dice) polygon(radius float64) Hull {
	for {
		n := 3 + d.IntN(6)
		pts := make([]geom.Vec, n)
		size, flat := d.size(0.1, 10), d.size(0.1, 1)
		turn := geom.NewRot(d.within(-4, 4))
		for i := range pts { // about a circle, so that most are vertices
			s, c := geom.SinCos((float64(i) + d.within(-0.4, 0.4)) * 2 * math.Pi / float64(n))
			pts[i] = turn.Apply(geom.V(c*size, s*size*flat))
		}
		if p, err := geom.NewPolygon(pts, radius); err == nil {
			return NewHull(p)
		}
	}
}

// kinds are the shapes that meet each other in the tests.
var kinds = []string{"circle", "capsule", "segment", "polygon", "rounded"}

func (d dice) hull(kind string) Hull {
	r := d.size(0.02, 5)
	switch kind {
	case "circle":
		return NewHull(geom.Circle{Center: d.vec(0.5), Radius: r})
	case "capsule":
		a := d.vec(0.5)
		return NewHull(geom.Capsule{
			A: a, B: a.Add(geom.NewRot(d.angle()).Apply(geom.V(d.size(0.05, 10), 0))),
			Radius: r,
		})
	case "segment":
		a := d.vec(0.5)
		return NewHull(geom.Segment{A: a, B: a.Add(geom.NewRot(d.angle()).Apply(geom.V(d.size(0.05, 10), 0)))})
	case "box":
		return d.box()
	case "polygon":
		return d.polygon(0)
	}
	return d.polygon(r)
}

// beside returns a frame that puts b against a, by a random overlap: deep,
// shallow, or a gap about the margin.
func (d dice) beside(a, b *Hull) geom.Transform {
	f := geom.Transform{Q: geom.NewRot(d.angle())}
	way := geom.NewRot(d.angle()).Apply(geom.V(1, 0))
	va, vb := placed(a, still), placed(b, f)
	gap := along(va, vb, way) - a.Radius - b.Radius
	var want float64
	switch d.IntN(4) {
	case 0:
		want = d.within(-1, 1) * 2 * margin
	case 1:
		want = -d.size(1e-9, 0.1)
	default:
		want = d.within(gap, 2*margin) // anything from centre in centre
	}
	f.P = way.Mul(want - gap)
	if d.IntN(2) == 0 { // and past each other
		f.P = f.P.MulAdd(d.within(-1, 1)*0.4*(a.reach()+b.reach()), way.Left())
	}
	return f
}

// reach is the largest distance of a point of h from its centroid.
func (h *Hull) reach() float64 {
	r := 0.0
	for _, v := range h.V[:h.N] {
		r = max(r, v.Dist(h.Centroid))
	}
	return r + h.Radius
}

// sampledAxis returns the most that any direction separates two cores, found by
// looking at directions all round and again, closer, where they were best.
func sampledAxis(a, b []geom.Vec) float64 {
	at := func(angle float64) float64 {
		s, c := geom.SinCos(angle)
		return along(a, b, geom.V(c, s))
	}
	const n, keep = 720, 8
	var tops [keep]struct{ angle, s float64 }
	for i := range tops {
		tops[i].s = -math.MaxFloat64
	}
	for i := range n {
		angle := 2 * math.Pi * float64(i) / n
		s := at(angle)
		for k := range tops {
			if s > tops[k].s {
				copy(tops[k+1:], tops[k:])
				tops[k].angle, tops[k].s = angle, s
				break
			}
		}
	}
	best := -math.MaxFloat64
	for _, top := range tops {
		mid, half := top.angle, 2*math.Pi/n
		for half > 1e-12 {
			angle, s := mid, at(mid)
			for i := range 33 {
				x := mid + half*(float64(i)-16)/16
				if f := at(x); f > s {
					angle, s = x, f
				}
			}
			mid, half = angle, half/8
			best = max(best, s)
		}
	}
	return best
}

// tally counts the outcomes of comparisons with the oracle.
type tally struct{ poses, touching, deep, ties, preferred int }

func (c *tally) log(t *testing.T, name string) {
	t.Logf("%s: %d poses, %d touching, %d by overlapping cores; %d ties, %d where only A being preferred decides",
		name, c.poses, c.touching, c.deep, c.ties, c.preferred)
}

// meet compares one pose with the oracle: the manifold is the permitted one, or one of
// axes of a tie.
func (c *tally) meet(t *testing.T, d dice, a, b *Hull, f geom.Transform) (m Manifold) {
	t.Helper()
	Hulls(&m, a, b, f, margin)
	ea, eb := exactPlaced(a, still), exactPlaced(b, f)
	all := permitted(&ea, &eb, margin)
	got := contactOf(&m)
	c.poses++
	if len(all) > 1 {
		c.ties++
	}
	if m.N > 0 {
		c.touching++
		check(t, &m)
		if along(placed(a, still), placed(b, f), m.Normal) <= 0 {
			c.deep++
		}
	}
	if !isOneOf(got, all, 1e-9) {
		t.Fatalf("a %+v\nb %+v\nat %v\ngot %+v\nwant one of %+v", a, b, f, m, all)
	}

	// Exchanged, the manifold is permitted for B and A, and the same mirrored unless the
	// preference for A decides.
	var w Manifold
	Hulls(&w, b, a, f.InvMul(still), margin)
	w.flip(f)
	swapped := permitted(&eb, &ea, margin)
	for i := range swapped {
		swapped[i] = swapped[i].mirrored()
	}
	if !isOneOf(contactOf(&w), swapped, 1e-9) {
		t.Fatalf("exchanged:\na %+v\nb %+v\nat %v\ngot %+v\nwant one of %+v", a, b, f, w, swapped)
	}
	if len(all) == 1 && len(swapped) == 1 && !isOneOf(got, []contact{contactOf(&w)}, 1e-9) {
		c.preferred++
		sa, _ := ea.best(&eb)
		sb, _ := eb.best(&ea)
		if a.N == 1 || b.N == 1 || math.Abs(sa-sb) > axisBias(max(sa, sb), a.Radius+b.Radius)+tie {
			t.Fatalf("exchanged, not mirrored:\na %+v\nb %+v\nat %v\n%+v\n%+v", a, b, f, m, w)
		}
	}

	// Moved, both by one frame, it is moved too.
	g := geom.Transform{P: d.vec(20), Q: geom.NewRot(d.within(-4, 4))}
	moved := *a
	moved.place(a, g)
	Hulls(&w, &moved, b, g.Mul(f), margin)
	back := contactOf(&w).seen(g)
	if !isOneOf(back, all, 1e-9) || len(all) == 1 && !isOneOf(back, []contact{got}, 1e-9) {
		t.Fatalf("moved by %v:\na %+v\nb %+v\nat %v\ngot %+v\nwant one of %+v", g, a, b, f, back, all)
	}
	return m
}

// TestBoxesAgainstOracle: normal, points, depth and names of box against box, at
// 10^5 poses if QUARRY_SOAK=1, and that no direction at all separates better
// than the one chosen does but for the bias.
func TestBoxesAgainstOracle(t *testing.T) {
	d := newDice(1)
	var c tally
	for range poses(100_000) {
		a, b := d.box(), d.box()
		c.axis(t, &a, &b, d)
	}
	c.log(t, "boxes")
}

// axis is meet at a random pose, and looks at the axis.
func (c *tally) axis(t *testing.T, a, b *Hull, d dice) {
	t.Helper()
	f := d.beside(a, b)
	m := c.meet(t, d, a, b, f)
	va, vb := placed(a, still), placed(b, f)
	best := sampledAxis(va, vb)
	if m.N == 0 {
		if best < -tie {
			t.Fatalf("no contact at depth %v: %+v %+v %v", best, a, b, f)
		}
		return
	}
	if best > 0 {
		return // apart: the best direction may be the way between two corners
	}
	if chosen := along(va, vb, m.Normal); chosen > best+1e-9 || chosen < best-axisSlop-1e-9 {
		t.Fatalf("chosen %v, best %v: %+v %+v %v", chosen, best, a, b, f)
	}
	ea, eb := exactPlaced(a, still), exactPlaced(b, f)
	sa, _ := ea.best(&eb)
	sb, _ := eb.best(&ea)
	if math.Abs(max(sa, sb)-best) > 1e-9 {
		t.Fatalf("faces %v, directions %v: %+v %+v %v", max(sa, sb), best, a, b, f)
	}
}

// TestPolygonsAgainstOracle: the same of three to eight vertices.
func TestPolygonsAgainstOracle(t *testing.T) {
	d := newDice(2)
	var c tally
	for range poses(40_000) {
		a, b := d.polygon(0), d.polygon(0)
		c.axis(t, &a, &b, d)
	}
	c.log(t, "polygons")
}

// TestHullsAgainstOracle: every kind against every kind.
func TestHullsAgainstOracle(t *testing.T) {
	for i, ka := range kinds {
		for j, kb := range kinds {
			d := newDice(uint64(100 + 10*i + j))
			var c tally
			for range poses(20_000) {
				a, b := d.hull(ka), d.hull(kb)
				c.meet(t, d, &a, &b, d.beside(&a, &b))
			}
			c.log(t, ka+" and "+kb)
		}
	}
}
