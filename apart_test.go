package quarry_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// mixedGround is a ground of tiles in layers that keep both faces, of one-way materials, with a hollow, or of polygons
// with holes.
func mixedGround(t *testing.T, r *rand.Rand, ways bool) *gridseg.Grid {
	g := gridseg.New(nil)
	worldtest.Must(t, g.Preserve(1, 2))
	worldtest.Must(t, g.Preserve(3, 3))
	tile := func() gridseg.Tile {
		a := gridseg.Tile{Shape: gridseg.Full, Layer: uint8(r.IntN(4))}
		if r.IntN(4) == 0 {
			a.Shape = gridseg.Ramp
		}
		if ways {
			a.Material = uint16(r.IntN(6))
		}
		return a
	}
	switch r.IntN(4) {
	case 0: // a bar
		for x := range int32(1 + r.IntN(8)) {
			worldtest.Must(t, g.Set(x, 0, tile()))
		}
	case 1: // a frame with a hollow
		n := int32(3 + r.IntN(5))
		for x := range n {
			for y := range n {
				if x == 0 || y == 0 || x == n-1 || y == n-1 {
					worldtest.Must(t, g.Set(x, y, tile()))
				}
			}
		}
	case 2: // a ring: a polygon with a hole
		a := tile()
		at := gridseg.Attr{Layer: a.Layer, Material: a.Material}
		outer, hole := 1.5+2*r.Float64(), 0.3+r.Float64()
		loops, err := gridseg.Circle(4.3, 4.4, outer)
		worldtest.Must(t, err)
		worldtest.Must(t, g.Unite(loops, at))
		loops, err = gridseg.Circle(4.3, 4.4, hole)
		worldtest.Must(t, err)
		worldtest.Must(t, g.Subtract(loops))
	default: // a blob
		x, y := int32(0), int32(0)
		for range 3 + r.IntN(10) {
			worldtest.Must(t, g.Set(x, y, tile()))
			if r.IntN(2) == 0 {
				x += r.Int32N(3) - 1
			} else {
				y += r.Int32N(3) - 1
			}
		}
	}
	g.Resolve()
	return g
}

// TestMixedGroundsApart: two grounds that do not touch have no contact deeper than the slop. Their layers, materials,
// hollows and holes are random.
func TestMixedGroundsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	apart, near, inside := 0, 0, 0
	for try := range 1200 {
		w := quarry.NewWorld(quarry.Config{Workers: 1})
		ways := r.IntN(2) == 0
		for k := range 5 {
			m := quarry.Material{Friction: 0.6}
			if ways {
				m.OneWay = quarry.OneWay(k)
			}
			w.AddMaterial(m)
		}
		var of [2]quarry.Ground
		var grids [2]*gridseg.Grid
		turn, at := 2*math.Pi*r.Float64(), geom.V(12*r.Float64()-6, 12*r.Float64()-6)
		if r.IntN(2) == 0 { // flush but for a hair
			hair := func() float64 { return float64(r.IntN(13)-6) + 0.06*r.Float64() - 0.03 }
			turn, at = math.Pi*float64(r.IntN(4))/2, geom.V(hair(), hair())
		}
		for k := range of {
			grids[k] = mixedGround(t, r, ways)
			d := quarry.BodyDef{Type: quarry.Dynamic}
			if k == 1 {
				d.Position, d.Angle = at, turn
			}
			id, err := w.AddGround(w.AddBody(d), quarry.GroundDef{Grid: grids[k]})
			worldtest.Must(t, err)
			of[k], _ = w.Ground(id)
		}
		var lists [2][]geom.Segment
		for k, g := range of {
			f := g.Transform()
			all := gridseg.Rect{MinX: -100, MinY: -100, MaxX: 100, MaxY: 100}
			for _, s := range g.AppendSegments(nil, all) {
				v := func(p gridseg.Point) geom.Vec {
					return f.Apply(geom.V(float64(p.X)/gridseg.Unit, float64(p.Y)/gridseg.Unit))
				}
				lists[k] = append(lists[k], geom.Segment{A: v(s.A), B: v(s.B)})
			}
		}
		gap := math.Inf(1)
		for _, a := range lists[0] {
			for _, b := range lists[1] {
				d, _, _ := geom.Distance([]geom.Vec{a.A, a.B}, []geom.Vec{b.A, b.B})
				gap = min(gap, d)
			}
		}
		in := false
		for k, o := range lists {
			for _, s := range o {
				in = in || of[1-k].Solid(s.A.Lerp(s.B, 0.5))
			}
		}
		if gap < 2e-3 || in {
			continue
		}
		apart++
		if gap < 0.1 {
			near++
		}
		if of[0].Body().Bounds().Overlaps(of[1].Body().Bounds()) {
			inside++
		}
		w.Step(1e-6)
		for _, c := range w.AppendContacts(nil) {
			for _, p := range c.Points[:c.N] {
				if p.Separation < -0.002 {
					t.Fatalf("try %d: %v apart (ways %v), and a separation of %v along %v:\n%v\n%v\n%v", try, gap, ways,
						p.Separation, c.Normal, of[1].Transform(), lists[0], lists[1])
				}
			}
		}
	}
	if apart < 700 || near < 15 || inside < 50 {
		t.Errorf("%d are apart, %d of them near, %d with boxes that overlap", apart, near, inside)
	}
}
