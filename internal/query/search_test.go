package query

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// discs are the discs of a search, each about the origin of its own frame.
type discs struct {
	*Search
	at  []geom.Transform
	r   []float64
	off map[grid.ID]bool // left out
}

func (d *discs) Begin(id grid.ID) bool {
	k := d.Grid.Data(id)
	disc := geom.Circle{Radius: d.r[k]}
	h := collide.NewHull(disc)
	d.Of, d.Frame = Target{Shape: disc, Hull: &h}, d.at[k]
	return !d.off[id]
}

// drawDiscs draws discs within 20 units of the origin.
func drawDiscs(t *rapid.T) *discs {
	d := &discs{Search: &Search{Grid: grid.NewHierarchical(1), Kinds: math.MaxUint64}, off: map[grid.ID]bool{}}
	for k := range rapid.IntRange(1, 12).Draw(t, "discs") {
		at := geom.Transform{P: drawPoint(t, 20), Q: geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "turn"))}
		r := rapid.Float64Range(0.1, 3).Draw(t, "radius")
		id, err := d.Grid.Add(geom.Box(at.P, at.P).Expand(r), uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		d.off[id] = rapid.IntRange(0, 4).Draw(t, "left out") == 0
		d.at, d.r = append(d.at, at), append(d.r, r)
	}
	d.Source = d
	return d
}

// each yields the discs that are not left out.
func (d *discs) each(do func(center geom.Vec, r float64)) {
	for _, id := range d.Grid.AppendOverlaps(nil, geom.Box(geom.Vec{}, geom.Vec{}).Expand(1e3), d.Kinds) {
		if k := d.Grid.Data(id); !d.off[id] {
			do(d.at[k].P, d.r[k])
		}
	}
}

func drawPoint(t *rapid.T, most float64) geom.Vec {
	f := rapid.Float64Range(-most, most)
	return geom.V(f.Draw(t, "x"), f.Draw(t, "y"))
}

// probeDisc draws a ray, or a disc whose centre is not the origin of its frame, and its pose.
func probeDisc(t *rapid.T) (h *collide.Hull, at geom.Transform, r float64) {
	at = geom.Transform{P: drawPoint(t, 20), Q: geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle"))}
	if rapid.Bool().Draw(t, "point") {
		return &PointHull, at, 0
	}
	r = rapid.Float64Range(0.05, 2).Draw(t, "own radius")
	hull := collide.NewHull(geom.Circle{Center: drawPoint(t, 1), Radius: r})
	return &hull, at, r
}

// TestSearchCasts: a cast of a ray or a disc hits each disc in its way where the distance of the centres is the sum of
// the radii, with the normal towards the probe and the point on the target, in the world. Closest ends with the first
// of them. A disc that touches at the start stops a motion deeper into it; a ray ignores it.
func TestSearchCasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDiscs(t)
		h, at, r := probeDisc(t)
		d, from := drawPoint(t, 40), at.Apply(h.Centroid)
		if rapid.IntRange(0, 9).Draw(t, "vast") == 0 {
			d = d.Mul(1e20)
		}
		if d.Len() < 0.01 {
			return
		}
		want, first, start := 0, math.Inf(1), false
		s.each(func(c geom.Vec, of float64) {
			to, sum := from.Sub(c), r+of
			if math.Abs(to.Len()-sum) < 1e-6 || to.Len() < 0.01 {
				t.Skip("touches to within rounding, or has no normal")
			}
			if to.Len() < sum {
				if math.Abs(to.Dot(d)) < 1e-6*d.Len() {
					t.Skip("slides along")
				}
				if r > 0 && to.Dot(d) < 0 {
					want, first, start = want+1, 0, true
				}
				return
			}
			u, l := d.Unit()
			b := to.Dot(u)
			root := b*b - (to.Len2() - sum*sum)
			if math.Abs(root) < 1e-5 {
				t.Skip("grazes")
			}
			if x := -b - math.Sqrt(max(0, root)); root > 0 && x >= 0 && x <= l {
				if l-x < 1e-6 {
					t.Skip("ends at the touch")
				}
				want, first = want+1, min(first, x/l)
			}
		})
		slack := 1e-6 + 1e-15*min(MostCast, d.Len()) // the rounding of a fraction
		n, best := 0, math.Inf(1)
		for hit := range s.All(at, h, d) {
			n, best = n+1, min(best, hit.Fraction)
			where := from.MulAdd(hit.Fraction, d)
			on := math.Inf(1)
			s.each(func(c geom.Vec, of float64) {
				on = min(on, math.Abs(hit.Point.Dist(c)-of)+c.MulAdd(of, hit.Normal).Dist(hit.Point))
			})
			if !hit.Overlap && (on > slack || math.Abs(hit.Point.Dist(where)-r) > slack) {
				t.Fatalf("the hit %+v is %v from a disc, and %v from the centre", hit, on, hit.Point.Dist(where))
			}
		}
		if n != want || n > 0 && math.Abs(best-first)*d.Len() > 10*slack*max(1, d.Len()/MostCast) {
			t.Fatalf("%d hits from %v on, want %d from %v on", n, best, want, first)
		}
		last := math.Inf(1)
		for hit := range s.Closest(at, h, d, false) {
			if hit.Fraction >= last {
				t.Fatalf("a hit at %v after one at %v", hit.Fraction, last)
			}
			if last = hit.Fraction; hit.Overlap != (start && last == 0) {
				t.Fatalf("overlap %v at %v", hit.Overlap, last)
			}
		}
		if last != best {
			t.Fatalf("the closest hit is at %v, the first of all at %v", last, best)
		}
		some := 0
		for range s.Closest(at, h, d, true) {
			some++
		}
		if some != min(1, want) {
			t.Fatalf("%d of any one hit of %d", some, want)
		}
	})
}

// TestSearchNear: overlaps, planes and the nearest point of a point or disc among discs are those by their centres
// and radii.
func TestSearchNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDiscs(t)
		h, at, r := probeDisc(t)
		from, margin := at.Apply(h.Centroid), rapid.Float64Range(0.01, 3).Draw(t, "margin")
		overlaps, planes, least := 0, 0, math.Inf(1)
		s.each(func(c geom.Vec, of float64) {
			gap := c.Dist(from) - of - r
			if math.Abs(gap) < 1e-6 || math.Abs(gap-margin) < 1e-6 || c.Dist(from) < 1e-3 {
				t.Skip("touches to within rounding")
			}
			if gap < 0 {
				overlaps++
			}
			if gap < margin {
				planes++
			}
			least = min(least, math.Abs(c.Dist(at.P)-of))
		})
		n := 0
		for range s.Overlapping(at, h, false) {
			n++
		}
		if n != overlaps {
			t.Fatalf("%d overlaps, want %d", n, overlaps)
		}
		n = 0
		for p := range s.AllPlanes(at, h, margin) {
			n++
			on := math.Inf(1)
			s.each(func(c geom.Vec, of float64) {
				u, l := from.Sub(c).Unit()
				on = min(on, p.Normal.Dist(u)+math.Abs(p.Separation-(l-of-r))+p.Point.Dist(c.MulAdd(of, u)))
			})
			if on > 1e-6 {
				t.Fatalf("the plane %+v is of no disc: %v", p, on)
			}
		}
		if n != planes {
			t.Fatalf("%d planes, want %d", n, planes)
		}
		most := rapid.SampledFrom([]float64{margin, math.Inf(1)}).Draw(t, "most")
		got := math.Inf(1)
		for hit := range s.Nearest(at.P, most) {
			if got = math.Abs(hit.Separation); math.Abs(hit.Point.Dist(at.P)-got) > 1e-6 {
				t.Fatalf("the point %v is not at the distance %v of %v", hit.Point, got, at.P)
			}
		}
		if least > most {
			least = math.Inf(1)
		}
		if !(got == least || math.Abs(got-least) < 1e-6) {
			t.Fatalf("the nearest of at most %v is at %v, want %v", most, got, least)
		}
	})
}

// TestCornersTouch: of two boxes that touch at a corner, the cast meets the other one at once if it moves into it, and
// not if it moves away; a Solid probe is stopped either way.
func TestCornersTouch(t *testing.T) {
	box := collide.NewHull(geom.NewBox(1, 1))
	p := Probe{Hull: box}
	var s Scratch
	for _, c := range []struct {
		d     geom.Vec
		solid bool
		want  bool
	}{{geom.V(-1, -1), false, true}, {geom.V(1, 1), false, false}, {geom.V(1, 1), true, true}} {
		p.Solid = c.solid
		p.Place(geom.At(geom.Vec{}), geom.At(geom.V(2, 2)), c.d)
		hit, ok := s.Cast(&p, &Target{Hull: &box}, Beyond)
		if ok != c.want || ok && (hit.Fraction != 0 || !hit.Overlap) {
			t.Errorf("moving by %v, solid %v: %v, %+v", c.d, c.solid, ok, hit)
		}
	}
}

// TestHullOf: each shape of geom has a hull; nothing, a shape that is not valid, and a pointer have none.
func TestHullOf(t *testing.T) {
	for _, s := range []geom.Shape{
		geom.Circle{Radius: 1},
		geom.Capsule{B: geom.V(1, 0), Radius: 1},
		geom.Segment{B: geom.V(1, 0)},
		geom.NewBox(1, 2),
	} {
		if h, ok := HullOf(s); !ok || h != collide.NewHull(s) {
			t.Errorf("%T: %v", s, ok)
		}
	}
	for _, s := range []geom.Shape{nil, geom.Circle{Radius: -1}, geom.Polygon{}} {
		if _, ok := HullOf(s); ok {
			t.Errorf("%#v has a hull", s)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a pointer to a shape does not panic")
		}
	}()
	HullOf(&geom.Circle{Radius: 1})
}
