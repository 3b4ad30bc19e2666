package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/surface"
)

// TestFits compares the search for room among one-way tiles with a search of all surfaces in
// reach.
func TestFits(t *testing.T) {
	worlds, fit, tight := 40, 0, 0
	if testing.Short() {
		worlds = 10
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 6))
		o := gridseg.Cell{X: -gridtest.Size / 2, Y: -gridtest.Size / 2}
		g := surface.Tiles{Grid: gridtest.Ground(t, r, o, seed%2 == 1)}
		var ways surface.Ways
		ways.Set([]surface.Direction{0, 0, surface.Up, surface.Left})
		g.SetWays(&ways)
		var sc exitScratch
		for range 300 {
			p := geom.V(gridtest.Size*(r.Float64()-0.5), gridtest.Size*(r.Float64()-0.5))
			if r.IntN(4) == 0 {
				p = geom.V(float64(r.IntN(gridtest.Size))/2, float64(r.IntN(gridtest.Size))/2)
			}
			radius := 8 * r.Float64() * r.Float64()
			want := !sc.Solid(&g, p)
			if want {
				in := (1 - freeSpotSlack) * radius
				near, _ := surface.Cells(geom.AABB{Min: p, Max: p}.Expand(in))
				sc.ListSolid(&g, near)
				for i := range sc.Segments {
					s := &sc.Segments[i]
					want = want && distToSegment(geom.Vec{}, surface.Local(s.A, p), surface.Local(s.B, p)) > in
				}
			}
			if is := sc.fits(&g, p, radius); is != want {
				t.Fatalf("world %d: a disc of radius %v at %v fits: %v", seed, radius, p, is)
			}
			if want {
				fit++
			} else {
				tight++
			}
		}
	}
	if fit < 10*worlds || tight < 10*worlds {
		t.Errorf("%d fit, %d do not", fit, tight)
	}
}

// TestFreeSpot compares the search for the nearest free spot, with one-way tiles and without, for
// small shapes and for shapes far larger than the ground, with a test of each place.
func TestFreeSpot(t *testing.T) {
	worlds, found, none := 16, 0, 0
	if testing.Short() {
		worlds = 4
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 7))
		o := gridseg.Cell{X: -gridtest.Size / 2, Y: -gridtest.Size / 2}
		g := surface.Tiles{Grid: gridtest.Ground(t, r, o, seed%4 > 1)}
		if seed%2 == 1 {
			var ways surface.Ways
			ways.Set([]surface.Direction{0, 0, surface.Up, surface.Left})
			g.SetWays(&ways)
		}
		var sc exitScratch
		for range 20 {
			p := geom.V(gridtest.Size*(r.Float64()-0.5), gridtest.Size*(r.Float64()-0.5))
			radius := 4 * r.Float64()
			if r.IntN(2) == 0 { // from afar, where a few places have room
				far, a := 1000*r.Float64(), 7*r.Float64()
				rot := geom.NewRot(a)
				p = p.Add(rot.Apply(geom.V(far, 0)))
				n, _ := g.Grid.Nearest(p.X, p.Y, math.Inf(1))
				radius = n.Distance + 32*r.Float64() - 4
			}
			if radius < 0 {
				continue
			}
			best, want, ok := math.MaxFloat64, geom.Vec{}, false
			cx, cy := math.Floor(p.X/freeSpotStep), math.Floor(p.Y/freeSpotStep)
			for i := -freeSpotReach / freeSpotStep; i <= freeSpotReach/freeSpotStep; i++ {
				for j := -freeSpotReach / freeSpotStep; j <= freeSpotReach/freeSpotStep; j++ {
					q := geom.V((cx+i)*freeSpotStep, (cy+j)*freeSpotStep)
					if d := q.Dist(p); d < best && sc.fits(&g, q, radius) {
						best, want, ok = d, q, true
					}
				}
			}
			var empty uint8
			for range 2 { // the second search knows what the first has seen
				at, is := sc.freeSpot(&g, p, radius, 0, &empty)
				if is != ok || at.Dist(p) != want.Dist(p) {
					t.Fatalf("world %d: room for a disc of radius %v near %v at %v, %v; want %v, %v", seed, radius, p,
						at, is, want, ok)
				}
			}
			if ok {
				found++
			} else {
				none++
			}
		}
	}
	if found < 4*worlds || none < 2*worlds {
		t.Errorf("%d found, %d not", found, none)
	}
}
