package query

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// floors are a ground and a chain with the same surface: y = 0, from x = -30 to 30, solid below. Cell x of the ground
// and segment 29-x of the chain are under the same unit of the surface.
func floors() map[string]*Target {
	grid := gridseg.New(nil)
	_ = grid.Fill(gridseg.Rect{MinX: -30, MinY: -3, MaxX: 29, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	grid.Resolve()
	chain := &surface.Chain{}
	for x := 30; x >= -30; x-- {
		chain.Points = append(chain.Points, geom.V(float64(x), 0))
	}
	chain.Build()
	return map[string]*Target{
		"ground": {Tiles: &surface.Tiles{Grid: grid}, Box: geom.Box(geom.V(-30, -3), geom.V(30, 0))},
		"chain":  {Chain: chain, Box: chain.Bounds()},
	}
}

// onFloor reports whether place is under x on a floor, or beside it within slop.
func onFloor(place Place, t *Target, x float64) bool { return underBox(place, t, geom.V(x, x)) }

// underBox reports whether place is on a floor, under a part of the interval x.
func underBox(place Place, t *Target, x geom.Vec) bool {
	at := place.Cell.X
	if t.Chain != nil {
		at = int32(29 - place.Segment)
	} else if place.Cell.Y != -1 {
		return false
	}
	return float64(at)-1e-6 <= x.Y && x.X <= float64(at)+1+1e-6
}

func hullFor(t *rapid.T) collide.Hull {
	r := rapid.Float64Range(0.1, 2).Draw(t, "size")
	return collide.NewHull(rapid.SampledFrom([]geom.Shape{
		geom.Circle{Radius: r}, geom.Capsule{A: geom.V(-r, 0), B: geom.V(r, 0), Radius: r / 2}, geom.NewBox(r, r/3),
	}).Draw(t, "shape"))
}

// lowestOf returns the y of the lowest point of a hull at a pose.
func lowestOf(h *collide.Hull, at geom.Transform) float64 {
	low := math.MaxFloat64
	for _, v := range h.V[:h.N] {
		low = min(low, at.Apply(v).Y)
	}
	return low - h.Radius
}

// TestCastToFloor: a shape or ray that falls on a floor, of tiles or a chain, meets it where its lowest point reaches
// y = 0, and names the cell or segment there. From below, a ray meets no chain, and a shape that moves away meets
// nothing.
func TestCastToFloor(t *testing.T) {
	all := floors()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ground", "chain"}).Draw(t, "floor")
		to := all[name]
		p, s := Probe{Hull: PointHull, Ray: rapid.Bool().Draw(t, "ray")}, Scratch{}
		at := geom.At(geom.V(rapid.Float64Range(-15, 15).Draw(t, "x"), rapid.Float64Range(0.001, 8).Draw(t, "gap")))
		if !p.Ray {
			p.Hull, at.Q = hullFor(t), geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle"))
			at.P.Y -= lowestOf(&p.Hull, geom.Transform{Q: at.Q})
		}
		if rapid.Bool().Draw(t, "judged") {
			s.Judge = everywhere{}
		}
		gap := lowestOf(&p.Hull, at)
		d := geom.V(rapid.Float64Range(-10, 10).Draw(t, "dx"), -rapid.Float64Range(0.01, 20).Draw(t, "dy"))
		p.Place(geom.At(geom.Vec{}), at, d)
		want := gap / -d.Y
		hit, ok := s.Cast(&p, to, Beyond)
		if ok != (want <= 1) {
			t.Fatalf("%s: hit %v at %v, want a hit at %v", name, ok, hit.Fraction, want)
		}
		if hits := s.Hits(nil, &p, to); len(hits) != map[bool]int{true: 1}[ok] || ok && hits[0] != hit {
			t.Fatalf("%s: Hits %+v, Cast %+v", name, hits, hit)
		}
		if ok && (math.Abs(hit.Fraction-want) > 1e-9 || hit.Normal.Dist(geom.V(0, 1)) > 1e-9 || hit.Overlap) {
			t.Fatalf("%s: %+v, want fraction %v", name, hit, want)
		}
		if ok && !onFloor(hit.Place, to, p.Origin.X+hit.Point.X) {
			t.Fatalf("%s: %+v is not the place under %v", name, hit, p.Origin.X+hit.Point.X)
		}
		p.Place(geom.At(geom.Vec{}), at, d.Neg())
		if hit, ok := s.Cast(&p, to, Beyond); ok {
			t.Fatalf("%s: upwards it meets %+v", name, hit)
		}
	})
	var s Scratch
	p := Probe{Hull: PointHull, Ray: true}
	p.Place(geom.At(geom.Vec{}), geom.At(geom.V(0.5, -1)), geom.V(0, 3))
	if _, ok := s.Cast(&p, all["chain"], Beyond); ok {
		t.Error("a ray meets a chain from behind")
	}
	if p.Solid = true; true {
		if hit, ok := s.Cast(&p, all["ground"], Beyond); !ok || !hit.Overlap || hit.Cell.X != 0 {
			t.Errorf("a ray that starts in solid ground: %+v", hit)
		}
	}
}

// everywhere admits all places.
type everywhere struct{}

func (everywhere) Admits(Place) bool { return true }

// nowhere admits none.
type nowhere struct{}

func (nowhere) Admits(Place) bool { return false }

// TestPlanesAndNearOfFloor: a shape within a margin of a floor has one plane, with its distance as the separation,
// and the nearest point of the floor is below its centroid; the tiles or segments that it overlaps are those under
// it.
func TestPlanesAndNearOfFloor(t *testing.T) {
	all := floors()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ground", "chain"}).Draw(t, "floor")
		to := all[name]
		var s Scratch
		p := Probe{Hull: hullFor(t)}
		at := geom.Transform{Q: geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle"))}
		gap := rapid.Float64Range(-0.02, 0.3).Draw(t, "gap")
		at.P = geom.V(rapid.Float64Range(-15, 15).Draw(t, "x"), gap-lowestOf(&p.Hull, at))
		p.Place(geom.At(geom.Vec{}), at, geom.Vec{})
		const margin = 0.1
		box := p.Hull.Bounds(at)
		under := geom.V(box.Min.X, box.Max.X)
		planes := s.Planes(nil, &p, to, margin)
		if len(planes) != map[bool]int{true: 1}[gap <= margin] {
			t.Fatalf("%s: gap %v: planes %+v", name, gap, planes)
		}
		if len(planes) == 1 && (math.Abs(planes[0].Separation-gap) > 1e-9 ||
			planes[0].Normal.Dist(geom.V(0, 1)) > 1e-9 || !underBox(planes[0].Place, to, under)) {
			t.Fatalf("%s: gap %v: plane %+v", name, gap, planes[0])
		}
		near, ok := s.Near(&p, to, 100)
		if !ok || math.Abs(near.Separation-p.Origin.Y) > 1e-9 || near.Point.Dist(geom.V(0, -p.Origin.Y)) > 1e-6 ||
			!onFloor(near.Place, to, p.Origin.X) {
			t.Fatalf("%s: %v above: near %+v", name, p.Origin.Y, near)
		}
		overlaps := s.Overlaps(nil, &p, to, false)
		if gap > 1e-6 && len(overlaps) > 0 || gap < -1e-6 && len(overlaps) == 0 {
			t.Fatalf("%s: gap %v: overlaps %+v", name, gap, overlaps)
		}
		for _, o := range overlaps {
			if o.Cell.Y >= -1 && !underBox(o.Place, to, under) {
				t.Fatalf("%s: overlaps %+v", name, o)
			}
		}
		if one := s.Overlaps(nil, &p, to, true); len(one) != min(1, len(overlaps)) {
			t.Fatalf("%s: one of %d overlaps: %d", name, len(overlaps), len(one))
		}
		if s.Judge = (nowhere{}); len(s.Planes(nil, &p, to, margin))+len(s.Overlaps(nil, &p, to, false)) > 0 {
			t.Fatalf("%s: found what the Judge does not admit", name)
		}
		if _, ok := s.Near(&p, to, 100); ok {
			t.Fatalf("%s: near what the Judge does not admit", name)
		}
	})
}

// TestRayThroughSteps: a ray over stairs of tiles, or of a chain, has a hit at each riser that it meets, in order.
func TestRayThroughSteps(t *testing.T) {
	grid, chain := gridseg.New(nil), &surface.Chain{}
	for x := int32(0); x < 8; x += 2 { // pillars of one cell, two cells apart
		_ = grid.Set(x, 0, gridseg.Tile{Shape: gridseg.Full})
	}
	grid.Resolve()
	for x := 7.0; x > 0; x -= 2 {
		chain.Points = append(chain.Points, geom.V(x, 0), geom.V(x, 1), geom.V(x-1, 1), geom.V(x-1, 0))
	}
	chain.Build()
	for name, to := range map[string]*Target{
		"ground": {Tiles: &surface.Tiles{Grid: grid}, Box: geom.Box(geom.V(0, 0), geom.V(7, 1))},
		"chain":  {Chain: chain, Box: chain.Bounds()},
	} {
		var s Scratch
		p := Probe{Hull: PointHull, Ray: true}
		p.Place(geom.At(geom.Vec{}), geom.At(geom.V(-1, 0.5)), geom.V(10, 0))
		hits := s.Hits(nil, &p, to)
		if len(hits) != 4 {
			t.Fatalf("%s: %d hits: %+v", name, len(hits), hits)
		}
		for k, h := range hits {
			if want := (1 + 2*float64(k)) / 10; math.Abs(h.Fraction-want) > 1e-12 || h.Normal != geom.V(-1, 0) {
				t.Errorf("%s: hit %d is %+v, want fraction %v", name, k, h, want)
			}
		}
		if first, ok := s.Cast(&p, to, Beyond); !ok || first.Fraction != hits[0].Fraction {
			t.Errorf("%s: the first hit is %+v", name, first)
		}
		if _, ok := s.Cast(&p, to, 0.05); ok {
			t.Errorf("%s: a hit beyond the most fraction", name)
		}
	}
}

// beyondX admits the places of a target whose cell or segment ends beyond an x.
type beyondX struct {
	of *Target
	x  float64
}

func (b beyondX) Admits(at Place) bool {
	if b.of.Chain == nil {
		return float64(at.Cell.X) >= b.x
	}
	g := b.of.Chain.Segment(at.Segment)
	return min(g.A.X, g.B.X) >= b.x
}

// TestLongCast: a disc or a ray that flies over a long way meets the first of a few pillars, and with a Judge the
// first that it admits, of tiles and of a chain.
func TestLongCast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grid, chain := gridseg.New(nil), &surface.Chain{}
		var at []float64
		for x, n := int32(0), rapid.IntRange(1, 5).Draw(t, "pillars"); len(at) < n; {
			x += rapid.Int32Range(4, 200).Draw(t, "apart")
			at = append(at, float64(x))
			_ = grid.Set(x, 0, gridseg.Tile{Shape: gridseg.Full})
		}
		grid.Resolve()
		for k := len(at) - 1; k >= 0; k-- {
			x := at[k]
			chain.Points = append(chain.Points, geom.V(x+1, 0), geom.V(x+1, 1), geom.V(x, 1), geom.V(x, 0))
		}
		chain.Build()
		from := rapid.Float64Range(0, 3).Draw(t, "from")
		r := rapid.SampledFrom([]float64{0, 0.1, 0.7}).Draw(t, "radius")
		for name, to := range map[string]*Target{
			"ground": {Tiles: &surface.Tiles{Grid: grid}, Box: geom.Box(geom.V(at[0], 0), geom.V(at[len(at)-1]+1, 1))},
			"chain":  {Chain: chain, Box: chain.Bounds()},
		} {
			p := Probe{Hull: PointHull, Ray: r == 0}
			if r > 0 {
				p.Hull = collide.NewHull(geom.Circle{Radius: r})
			}
			p.Place(geom.At(geom.Vec{}), geom.At(geom.V(from, 0.75)), geom.V(2000, 0))
			for k, x := range at {
				var s Scratch
				if k > 0 {
					s.Judge = beyondX{to, x}
				}
				hit, ok := s.Cast(&p, to, Beyond)
				if want := (x - r - from) / 2000; !ok || math.Abs(hit.Fraction-want) > 1e-9 {
					t.Fatalf("%s: pillar %d of %v: %+v, want fraction %v", name, k, at, hit, want)
				}
			}
		}
	})
}
