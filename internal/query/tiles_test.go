package query

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// tilesOf returns a target with the tiles of set.
func tilesOf(set func(g *gridseg.Grid)) *Target {
	g := gridseg.New(nil)
	set(g)
	g.Resolve()
	r, _ := g.Bounds()
	return &Target{Tiles: &surface.Tiles{Grid: g}, Box: geom.Box(geom.V(float64(r.MinX), float64(r.MinY)),
		geom.V(float64(r.MaxX)+1, float64(r.MaxY)+1))}
}

// discAt returns a probe of a disc, or with the radius 0 of a ray, that moves by d.
func discAt(at geom.Vec, r float64, d geom.Vec) *Probe {
	p := &Probe{Hull: PointHull, Ray: r == 0}
	if r > 0 {
		p.Hull = collide.NewHull(geom.Circle{Radius: r})
	}
	p.Place(geom.At(geom.Vec{}), geom.At(at), d)
	return p
}

// TestOneWayRules: to a query that takes one-way tiles as solid, a platform is solid; as bodies, its top stops a disc
// and a ray that come from above, and none from below, and no point is in solid; as none, it is air to all queries.
func TestOneWayRules(t *testing.T) {
	to := tilesOf(func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -4, MaxX: 3}, gridseg.Tile{Shape: gridseg.Full, Material: 1})
	})
	var ways surface.Ways
	ways.Set([]surface.Direction{surface.None, surface.Up})
	to.Tiles.SetWays(&ways)
	to.Tiles.Materials = []uint16{0, 1}
	for way, want := range map[Ways]struct{ down, up, planes, overlaps, near, inside bool }{
		AsSolid:  {true, true, true, true, true, true},
		AsBodies: {true, false, true, false, true, false},
		AsNone:   {},
	} {
		for _, r := range []float64{0, 0.25} {
			for name, c := range map[string]struct {
				from, d geom.Vec
				want    bool
			}{"down": {geom.V(0.5, 3), geom.V(0, -4), want.down}, "up": {geom.V(0.5, -3), geom.V(0, 4), want.up}} {
				var s Scratch
				p := discAt(c.from, r, c.d)
				p.Ways = way
				if hit, ok := s.Cast(p, to, Beyond); ok != c.want || ok && hit.Material != 1 {
					t.Errorf("rule %d, radius %v, %s: %v, %+v", way, r, name, ok, hit)
				}
			}
		}
		var s Scratch
		on, in := discAt(geom.V(0.5, 1.25), 0.25, geom.Vec{}), discAt(geom.V(1.5, 0.5), 0, geom.V(1, 0))
		on.Ways, in.Ways, in.Solid = way, way, true
		if planes := s.Planes(nil, on, to, 0.1); (len(planes) > 0) != want.planes {
			t.Errorf("rule %d: planes %+v", way, planes)
		}
		if o := s.Overlaps(nil, on, to, false); (len(o) > 0) != want.overlaps {
			t.Errorf("rule %d: overlaps %+v", way, o)
		}
		if near, ok := s.Near(on, to, 5); ok != want.near || ok && math.Abs(near.Separation-0.25) > 1e-9 {
			t.Errorf("rule %d: the nearest point is %+v, %v", way, near, ok)
		}
		if hit, ok := s.Cast(in, to, 0.1); ok != want.inside || ok && hit.Cell != (gridseg.Cell{X: 1}) {
			t.Errorf("rule %d: a ray that starts in the platform: %+v, %v", way, hit, ok)
		}
	}
}

// TestOverlapOfForms: a disc overlaps a ramp and a tile of two bars where it reaches the polygon: it may touch an edge,
// or be wholly inside, but not lie in the air of the cell.
func TestOverlapOfForms(t *testing.T) {
	to := tilesOf(func(g *gridseg.Grid) {
		bars, err := g.Shapes().Register("bars", [][2]float64{{0, 0}, {1, 0}, {1, 0.25}, {0, 0.25}},
			[][2]float64{{0, 0.75}, {1, 0.75}, {1, 1}, {0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		_ = g.Set(0, 0, gridseg.Tile{Shape: gridseg.Ramp}) // solid below the diagonal
		_ = g.Set(3, 0, gridseg.Tile{Shape: bars})
	})
	for _, c := range []struct {
		at   geom.Vec
		want bool
	}{
		{geom.V(0.8, 0.3), true},
		{geom.V(0.45, 0.5), true},
		{geom.V(0.3, 0.7), false},
		{geom.V(3.5, 0.5), false},
		{geom.V(3.5, 0.34), true},
		{geom.V(3.5, 0.12), true},
	} {
		var s Scratch
		if got := s.Overlaps(nil, discAt(c.at, 0.1, geom.Vec{}), to, false); (len(got) == 1) != c.want {
			t.Errorf("at %v: %+v", c.at, got)
		}
	}
}

// TestPlaneOutOfSolid: of a disc whose centre is in solid, the plane is of the nearest surface, and its separation is
// the way out. A disc in a crack narrower than itself has a plane, too.
func TestPlaneOutOfSolid(t *testing.T) {
	var s Scratch
	block := tilesOf(func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MaxX: 7, MaxY: 3}, gridseg.Tile{Shape: gridseg.Full})
	})
	in := discAt(geom.V(4.5, 3.2), 0.25, geom.Vec{})
	planes := s.Planes(nil, in, block, 0.1)
	if len(planes) != 1 || planes[0].Normal != geom.V(0, 1) || math.Abs(planes[0].Separation+1.05) > 1e-9 ||
		planes[0].Cell != (gridseg.Cell{X: 4, Y: 3}) || in.Origin.Add(planes[0].Point).Dist(geom.V(4.5, 4)) > 1e-9 {
		t.Errorf("out of the block: %+v", planes)
	}
	crack := tilesOf(func(g *gridseg.Grid) { // a wedge of air with its point at (1, 0)
		_ = g.Set(0, 0, gridseg.Tile{Shape: gridseg.Ramp, Turn: 3})
		_ = g.Set(1, 0, gridseg.Tile{Shape: gridseg.Ramp})
	})
	for _, at := range []geom.Vec{{X: 1, Y: 0.1}, {X: 0.95, Y: 0.05}} {
		planes = s.Planes(nil, discAt(at, 0.5, geom.Vec{}), crack, 0.1)
		if len(planes) == 0 || planes[0].Separation > -0.2 {
			t.Errorf("in the crack at %v: %+v", at, planes)
		}
	}
}

// TestCastToCorners: a disc that flies past the end of a top meets its corner, with a normal from the corner to its
// centre; one in a notch of two faces meets the nearer face, not the corner between them.
func TestCastToCorners(t *testing.T) {
	block := tilesOf(func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MaxX: 3, MaxY: 3}, gridseg.Tile{Shape: gridseg.Full})
	})
	var s Scratch
	hit, ok := s.Cast(discAt(geom.V(4.3, 9), 0.5, geom.V(0, -9)), block, Beyond)
	if want := (9 - 4 - 0.4) / 9; !ok || math.Abs(hit.Fraction-want) > 1e-9 ||
		hit.Normal.Dist(geom.V(0.6, 0.8)) > 1e-9 {
		t.Errorf("at the corner: %+v, want fraction %v", hit, want)
	}
	notch := tilesOf(func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MaxX: 3, MaxY: 0}, gridseg.Tile{Shape: gridseg.Full})
		_ = g.Fill(gridseg.Rect{MinX: 4, MaxX: 6, MaxY: 3}, gridseg.Tile{Shape: gridseg.Full})
	})
	hit, ok = s.Cast(discAt(geom.V(2, 1.6), 0.5, geom.V(4, -0.2)), notch, Beyond)
	if want := 1.5 / 4; !ok || math.Abs(hit.Fraction-want) > 1e-9 || hit.Normal != geom.V(-1, 0) {
		t.Errorf("in the notch: %+v, want fraction %v", hit, want)
	}
	hit, ok = s.Cast(discAt(geom.V(3.45, 1.45), 0.5, geom.V(1, -3)), notch, Beyond)
	if !ok || hit.Fraction != 0 || !hit.Overlap || hit.Normal != geom.V(0, 1) {
		t.Errorf("a disc that starts a little deep in the floor: %+v, %v", hit, ok)
	}
}

// TestSourceOfPlace: the source of a contact at a place has all that the place has.
func TestSourceOfPlace(t *testing.T) {
	p := Place{Cell: gridseg.Cell{X: 3, Y: 4}, Tile: gridseg.Tile{Shape: 2, Material: 5}, Segment: 6, Material: 7}
	if got := p.Source(); got != (contact.Source{Cell: p.Cell, Tile: p.Tile, Segment: 6, Material: 7}) {
		t.Errorf("%+v", got)
	}
}
