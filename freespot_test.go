package quarry

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// oneWayGround returns a world whose materials have the first n one-way directions, and its
// one ground of random tiles round the origin.
func oneWayGround(t *testing.T, r *rand.Rand, n OneWay, preserve bool) (*World, *ground) {
	w := NewWorld(Config{})
	for way := range n {
		w.AddMaterial(Material{OneWay: way})
	}
	o := gridseg.Cell{X: -oracleSize / 2, Y: -oracleSize / 2}
	id, err := w.AddGround(0, GroundDef{Grid: oracleGround(t, r, o, preserve)})
	if err != nil {
		t.Fatal(err)
	}
	slot, _ := w.grounds.Find(uint64(id))
	return w, w.grounds.At(slot)
}

// TestFits compares fits, among one-way tiles, with the distances to all surfaces in reach.
func TestFits(t *testing.T) {
	worlds, fit, tight := 40, 0, 0
	if testing.Short() {
		worlds = 10
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 6))
		w, g := oneWayGround(t, r, 3, seed%2 == 1)
		sq := &w.scratch.surface
		for range 300 {
			p := geom.V(oracleSize*(r.Float64()-0.5), oracleSize*(r.Float64()-0.5))
			if r.IntN(4) == 0 {
				p = geom.V(float64(r.IntN(oracleSize))/2, float64(r.IntN(oracleSize))/2)
			}
			radius := 8 * r.Float64() * r.Float64()
			want := !w.inSolid(g, p)
			if want {
				in := (1 - freeSpotSlack) * radius
				near, _ := cells(geom.AABB{Min: p, Max: p}.Expand(in))
				w.collectSolid(sq, g, near)
				for i := range sq.Segments {
					s := &sq.Segments[i]
					want = want && distToSegment(geom.Vec{}, surface.Local(s.A, p), surface.Local(s.B, p)) > in
				}
			}
			if is := w.fits(g, p, radius); is != want {
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
		w, g := oneWayGround(t, r, OneWay(1+2*(seed%2)), seed%4 > 1)
		for range 20 {
			p := geom.V(oracleSize*(r.Float64()-0.5), oracleSize*(r.Float64()-0.5))
			radius := 4 * r.Float64()
			if r.IntN(2) == 0 { // from afar, where a few places have room
				far, a := 1000*r.Float64(), 7*r.Float64()
				rot := geom.NewRot(a)
				p = p.Add(rot.Apply(geom.V(far, 0)))
				n, _ := g.grid.Nearest(p.X, p.Y, math.Inf(1))
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
					if d := q.Dist(p); d < best && w.fits(g, q, radius) {
						best, want, ok = d, q, true
					}
				}
			}
			at, is := w.freeSpot(g, p, radius)
			if is != ok || at.Dist(p) != want.Dist(p) {
				t.Fatalf("world %d: room for a disc of radius %v near %v at %v, %v; want %v, %v", seed, radius, p, at, is, want, ok)
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

// BenchmarkPinched is a step of a body with a ceiling and a block placed in it, while it is pushed
// to a free spot.
func BenchmarkPinched(b *testing.B) {
	for _, c := range []struct {
		name   string
		wide   float64
		oneWay bool
	}{
		{"3", 3, false},
		{"300", 300, false},
		{"3 one-way", 3, true},
		{"300 one-way", 300, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			var steps, spent time.Duration
			for b.Loop() {
				grid := gridseg.New(nil)
				benchGrounds["bumpy"](grid)
				w := NewWorld(Config{Gravity: geom.V(0, -10)})
				if c.oneWay {
					m := w.AddMaterial(Material{OneWay: OneWayUp})
					_ = grid.Set(2, 6, gridseg.Tile{Shape: gridseg.Slab, Material: uint16(m)})
				}
				id, err := w.AddGround(0, GroundDef{Grid: grid})
				if err != nil {
					b.Fatal(err)
				}
				g, _ := w.Ground(id)
				w.AddShape(w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0.3, 1)}), geom.NewBox(c.wide/2, 1), ShapeDef{})
				_ = g.Fill(gridseg.Rect{MinX: -1, MinY: 0, MaxX: 1, MaxY: 0}, gridseg.Tile{Shape: gridseg.Full})
				_ = g.Fill(gridseg.Rect{MinX: -400, MinY: 2, MaxX: 400, MaxY: 4}, gridseg.Tile{Shape: gridseg.Full})
				from := time.Now()
				for range 60 {
					w.Step(1.0 / 60)
				}
				spent += time.Since(from)
				steps += 60
			}
			b.ReportMetric(float64(spent)/float64(steps), "ns/step")
		})
	}
}
