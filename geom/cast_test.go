package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawCore draws the core of any shape, a segment and a point too.
func drawCore(t *rapid.T) Core {
	switch rapid.IntRange(0, 5).Draw(t, "core") {
	case 0:
		return PointCore(drawVec(t, 1, "p"))
	case 1:
		s := Segment{drawVec(t, 2, "a"), drawVec(t, 2, "b")}
		if s.Valid() != nil {
			t.Skip("short")
		}
		return NewCore(s)
	}
	return NewCore(drawShape(t))
}

// gapOf is Gap by the oracle.
func gapOf(a, b *Core, bInA Transform) float64 {
	placed := b.In(bInA)
	d, _, _ := slowDistance(a.vertices(), placed.vertices())
	return d - a.Radius - b.Radius
}

// TestShapeCastAgainstBisection: the distance of convex sets is a convex function
// of a way, so its minimum, and from there the first touch, are found by halving.
func TestShapeCastAgainstBisection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCore(t), drawCore(t)
		f := Transform{drawVec(t, 6, "at"), NewRot(rapid.Float64Range(-4, 4).Draw(t, "angle"))}
		if rapid.Bool().Draw(t, "square") {
			f.Q = Identity
		}
		d := drawVec(t, 12, "d")
		at := func(s float64) float64 {
			g := f
			g.P = g.P.MulAdd(s, d)
			return gapOf(&a, &b, g)
		}
		hit, ok := ShapeCast(&a, &b, f, d)
		if at(0) <= 1e-9 { // in touch, it may be told either way
			if ok && at(0) < -1e-9 {
				t.Fatal("hit although they overlap at the start")
			}
			return
		}
		lo, hi := 0.0, 1.0
		for range 100 {
			x, y := lo+(hi-lo)/3, hi-(hi-lo)/3
			if at(x) < at(y) {
				hi = y
			} else {
				lo = x
			}
		}
		least := at(lo)
		// Cores without an inside, that graze each other or cross in a moment, are
		// left to the cases below.
		if a.Radius+b.Radius == 0 && (a.N < 3 && b.N < 3) {
			if ok && at(hit.Fraction) > toiSlop {
				t.Fatalf("%+v and %+v at %v along %v: hit %+v, %v away", a, b, f, d, hit, at(hit.Fraction))
			}
			return
		}
		if least > 1e-7 {
			if ok {
				t.Fatalf("hit %+v, although never nearer than %v", hit, least)
			}
			return
		}
		if !ok {
			across, _ := d.Left().Unit()
			for _, off := range []float64{-1e-6, 1e-6} { // a graze may be told either way
				g := f
				g.P = g.P.MulAdd(lo, d).MulAdd(off, across)
				if gapOf(&a, &b, g) > -1e-7 && (least < 0 || gapOf(&a, &b, g) > 0) {
					return
				}
			}
			t.Fatalf("%+v and %+v at %v along %v: no hit, although as near as %v", a, b, f, d, least)
		}
		if g := at(hit.Fraction); math.Abs(g) > 1e-9 {
			t.Fatalf("%v away at the hit %+v", g, hit)
		}
		for i := range 50 { // and nothing before
			if s := hit.Fraction * float64(i) / 50; at(s) < -1e-9 {
				t.Fatalf("overlap at %v before the hit %+v", s, hit)
			}
		}
		g := f
		g.P = g.P.MulAdd(hit.Fraction, d)
		moved := b.In(g)
		if math.Abs(hit.Normal.Len()-1) > 1e-9 || hit.Normal.Dot(d) > 1e-9 {
			t.Fatalf("normal %v", hit.Normal)
		}
		for _, v := range a.vertices() {
			if over := hit.Normal.Dot(v.Sub(hit.Point)) + a.Radius; over > 1e-6 {
				t.Fatalf("%v of a is %v beyond the contact %+v", v, over, hit)
			}
		}
		for _, v := range moved.vertices() {
			if over := b.Radius - hit.Normal.Dot(v.Sub(hit.Point)); over > 1e-6 {
				t.Fatalf("%v of b is %v beyond the contact %+v", v, over, hit)
			}
		}
	})
}

func TestShapeCastCases(t *testing.T) {
	box, tall := NewCore(NewBox(1, 1)), NewCore(NewBox(0.5, 2))
	needle := NewCore(Segment{V(-1, 0), V(1, 0)})
	disc := NewCore(Circle{Radius: 0.5})
	for _, c := range []struct {
		name string
		a, b Core
		from Transform
		d    Vec
		ok   bool
		want RayHit // but for the point, which may be any of an edge
	}{
		{"face on face", box, box, At(V(4, 0.5)), V(-4, 0), true, RayHit{Fraction: 0.5, Normal: V(1, 0)}},
		{"corner in line with corner", box, box, At(V(4, 2)), V(-4, 0), true, RayHit{Fraction: 0.5, Normal: V(1, 0)}},
		{"just over", box, box, At(V(4, 2.0000001)), V(-4, 0), false, RayHit{}},
		{"short", box, box, At(V(4, 0)), V(-1.9, 0), false, RayHit{}},
		{"away", box, box, At(V(4, 0)), V(4, 0), false, RayHit{}},
		{"still", box, box, At(V(4, 0)), Vec{}, false, RayHit{}},
		{"overlapping", box, tall, At(V(1, 0)), V(-4, 0), false, RayHit{}},
		{"touching", box, tall, At(V(1.5, 0)), V(-4, 0), false, RayHit{}},
		{"needle by its end", needle, needle, At(V(4, 0)), V(-4, 0), true, RayHit{Fraction: 0.5, Normal: V(1, 0)}},
		{"needle from above", needle, needle, At(V(0.5, 2)), V(0, -4), true, RayHit{Fraction: 0.5, Normal: V(0, 1)}},
		{"point on point", PointCore(V(0, 0)), PointCore(V(0, 0)), At(V(3, 0)), V(-6, 0), false, RayHit{}},
		{"disc on point", disc, PointCore(V(0, 0)), At(V(3, 0)), V(-5, 0), true, RayHit{Fraction: 0.5, Normal: V(1,
			0)}},
		{"disc on disc", disc, disc, At(V(0, 5)), V(0, -8), true, RayHit{Fraction: 0.5, Normal: V(0, 1)}},
		{"nothing", Core{}, box, At(V(4, 0)), V(-4, 0), false, RayHit{}},
	} {
		got, ok := ShapeCast(&c.a, &c.b, c.from, c.d)
		got.Point = Vec{}
		if c.name == "needle by its end" && !ok {
			continue // a segment has no width to be met by
		}
		if ok != c.ok || math.Abs(got.Fraction-c.want.Fraction) > 1e-12 || got.Normal.Dist(c.want.Normal) > 1e-12 {
			t.Errorf("%s: %+v %v, want %+v", c.name, got, ok, c.want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { ShapeCast(&box, &tall, At(V(9, 3)), V(-20, -7)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestTimeOfImpactAgainstStepping: never late, by looking at many times before;
// and not early, by the gap then.
func TestTimeOfImpactAgainstStepping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCore(t), drawCore(t)
		sweep := func(label string, at Vec) Sweep {
			s := Sweep{Center: drawVec(t, 1, label), From: drawVec(t, 3, label).Add(at)}
			s.To = s.From.Add(drawVec(t, 8, label))
			s.Angle0 = rapid.Float64Range(-4, 4).Draw(t, label)
			s.Angle1 = s.Angle0 + rapid.SampledFrom([]float64{0, 0, 0.1, -1, 3, -8}).Draw(t, label)
			return s
		}
		sa, sb := sweep("sa", Vec{}), sweep("sb", drawVec(t, 6, "off"))
		target := rapid.SampledFrom([]float64{0, LinearSlop, 0.1}).Draw(t, "target")
		gap := func(s float64) float64 {
			pa := a.In(sa.At(s))
			return gapOf(&pa, &b, sb.At(s))
		}
		got, ok := TimeOfImpact(&a, &sa, &b, &sb, target)
		if !(got >= 0 && got <= 1) {
			t.Fatalf("at %v", got)
		}
		end := 1.0
		if ok {
			end = got
			// One in some thousands of these is given up, at some thousandths of a
			// unit: turning by radians in a step, a corner hovers beside the other.
			if g := gap(got); g > target+0.1 {
				t.Fatalf("given up at %v, %v apart", got, g)
			}
		}
		const n = 400
		for i := range n {
			if s := end * float64(i) / n; gap(s) < target-1e-9 && s < got {
				t.Fatalf("late: %v apart at %v, told %v %v", gap(s), s, got, ok)
			}
		}
		again, okAgain := TimeOfImpact(&b, &sb, &a, &sa, target)
		if ok != okAgain && math.Abs(gap(again)-target) > 2*toiSlop && math.Abs(gap(got)-target) > 2*toiSlop {
			t.Fatalf("exchanged: %v %v, %v %v", got, ok, again, okAgain)
		}
	})
}

func TestTimeOfImpactCases(t *testing.T) {
	box, disc := NewCore(NewBox(0.5, 0.5)), NewCore(Circle{Radius: 0.25})
	blade := NewCore(NewBox(4, 0.01))
	wall := NewCore(Segment{V(0, -5), V(0, 5)})
	still := func(p Vec) Sweep { return Sweep{From: p, To: p} }
	for _, c := range []struct {
		name   string
		a      Core
		sa     Sweep
		b      Core
		sb     Sweep
		target float64
		ok     bool
		lo, hi float64
	}{
		{"a bullet", wall, still(Vec{}), disc, Sweep{From: V(10, 0), To: V(-90, 0)}, 0, true, 0.0975 - 1e-4, 0.0975},
		{
			"a bullet from the middle", disc,
			Sweep{From: V(-1000, 0), To: V(1000, 0)},
			disc, still(Vec{}), 0.5, true,
			0.4994, 0.4996,
		},
		{"past", wall, still(Vec{}), disc, Sweep{From: V(10, 9), To: V(-90, 9)}, 0, false, 1, 1},
		{"along", wall, still(Vec{}), box, Sweep{From: V(0.6, -90), To: V(0.6, 90)}, 0.05, false, 1, 1},
		{"overlapping", box, still(Vec{}), box, still(V(0.3, 0.2)), 0, true, 0, 0},
		{"near at the start", box, still(Vec{}), box, Sweep{From: V(1.004, 0), To: V(9, 0)}, LinearSlop, true, 0, 0},
		{"parting", box, still(Vec{}), box, Sweep{From: V(1.1, 0), To: V(9, 0)}, LinearSlop, false, 1, 1},
		{"both still", box, still(Vec{}), box, still(V(3, 0)), 0, false, 1, 1},
		{
			"carried along", box,
			Sweep{From: V(0, 0), To: V(70, 30)},
			box,
			Sweep{From: V(3, 0), To: V(73, 30)},
			0, false,
			1, 1,
		},
		{"a blade turns through", blade, Sweep{Angle1: math.Pi}, disc, still(V(0, 3)), 0, true, 0.46, 0.475},
		{"turning beside", blade, Sweep{Angle1: 3}, disc, still(V(0, 4.27)), 0, false, 1, 1},
		{"many turns beside: given up", blade, Sweep{Angle1: 100}, disc, still(V(0, 4.27)), 0, true, 0.01, 1},
		{"many turns too near", blade, Sweep{Angle1: 100}, disc, still(V(0, 4.24)), 0, true, 0.01, 0.02},
		{"nothing", Core{}, still(Vec{}), box, still(Vec{}), 0, false, 0, 0},
	} {
		got, ok := TimeOfImpact(&c.a, &c.sa, &c.b, &c.sb, c.target)
		if ok != c.ok || got < c.lo || got > c.hi {
			t.Errorf("%s: %v %v, want %v in [%v, %v]", c.name, got, ok, c.ok, c.lo, c.hi)
		}
	}
	a, b := Sweep{}, Sweep{From: V(5, 1), To: V(-5, 0), Angle1: 3}
	if n := testing.AllocsPerRun(100, func() { TimeOfImpact(&box, &a, &box, &b, LinearSlop) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCasts(b *testing.B) {
	box, other := NewCore(NewBox(0.5, 0.5)), NewCore(NewRoundedBox(0.4, 0.3, 0.1))
	from := Transform{V(5, 1), NewRot(0.3)}
	b.Run("shape", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ShapeCast(&box, &other, from, V(-9, -1))
		}
	})
	still, moving := Sweep{}, Sweep{From: V(5, 1), To: V(-5, 0), Angle1: 3}
	b.Run("impact", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			TimeOfImpact(&box, &still, &other, &moving, LinearSlop)
		}
	})
}
