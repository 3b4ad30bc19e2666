package quarry

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/surface"
)

// wideGround is ground of about n tiles for bodies far larger than a cell. Material 1 is
// one-way upwards.
func wideGround(tb testing.TB, name string, n int32) *gridseg.Grid {
	g := gridseg.New(nil)
	r := rand.New(rand.NewPCG(1, 2))
	set := func(x, y int32, material uint16) {
		if err := g.Set(x, y, gridseg.Tile{Shape: gridseg.Full, Material: material}); err != nil {
			tb.Fatal(err)
		}
	}
	const far = 100000
	anywhere := func() (x, y int32) { return r.Int32N(2*far) - far, r.Int32N(2*far) - far }
	for i := range n {
		x, y := anywhere()
		switch name {
		case "scattered":
			set(x, y, 0)
		case "one-way, scattered":
			set(x, y, 1)
		case "mixed, scattered":
			set(x, y, uint16(i&1))
		case "mixed, in a row": // one-way tiles between solid ones
			set(i-n/2, -1, uint16(i&1))
		case "planks":
			set(i/2-n/4, -2+i&1, uint16(i&1))
		case "corners": // concave ones, which may hide points from the shape's middle
			if i%4 == 0 {
				set(x, y, 0)
				set(x+1, y, 0)
				set(x, y+1, 0)
				set(x+3, y, uint16(i/4&1))
			}
		case "rough": // one-way tops, each a little higher or lower than the next, and sloped
			a, b := gridseg.Unit-r.Int64N(40), gridseg.Unit-r.Int64N(40)
			loop := []gridseg.Point{{}, {X: gridseg.Unit}, {X: gridseg.Unit, Y: a}, {Y: b}}
			if err := g.Add(3*(i-n/2), -1, [][]gridseg.Point{loop}, gridseg.Attr{Material: 1}); err != nil {
				tb.Fatal(err)
			}
		default:
			tb.Fatal("no ground ", name)
		}
	}
	return g
}

// wideWorld returns a world with a body of n equal boxes of a half-size, at p, over a ground
// whose material 1 is of the given way.
func wideWorld(tb testing.TB, g *gridseg.Grid, way OneWay, p geom.Vec, angle, half float64, n int) (*World, Body) {
	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	w.AddMaterial(Material{OneWay: way})
	if _, err := w.AddGround(0, GroundDef{Grid: g}); err != nil {
		tb.Fatal(err)
	}
	id := w.AddBody(BodyDef{Type: Dynamic, Position: p, Angle: angle})
	for range n {
		w.AddShape(id, geom.NewBox(half, half), ShapeDef{})
	}
	b, _ := w.Body(id)
	return w, b
}

// dotted is ground with one block in four cells, in a square about the origin.
func dotted(tb testing.TB, half int32) *gridseg.Grid {
	grid := gridseg.New(nil)
	for y := -2 * half; y < 2*half; y += 2 {
		for x := -2 * half; x < 2*half; x += 2 {
			if err := grid.Set(x, y, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return grid
}

const wideStep = 1.0 / 60

// work counts the work of all steps, with the points that the matcher compared.
type work struct {
	surface.Tally
	points int
}

func workOf(w *World) work {
	sum, points := w.stages.Narrow.Tally()
	advance := w.stages.Advance.Tally()
	sum.Add(&advance)
	return work{sum, points}
}

// TestWideShapeIsLinear: a point of a large shape in broken ground is compared with a few
// other points, however many there are. Each of 16,000 points, at a half-size of 80, was
// compared with all others, in this step and in the one before: 4.5 s a step.
func TestWideShapeIsLinear(t *testing.T) {
	for _, half := range []int32{20, 80} {
		w, _ := wideWorld(t, dotted(t, half), NotOneWay, geom.V(1.3, 0.6), 0, float64(half), 1)
		w.Step(wideStep)
		for range 3 {
			before := workOf(w)
			w.Step(wideStep)
			points, compared := w.Stats().Points, workOf(w).points-before.points
			if points < int(2*half*half) {
				t.Fatalf("half-size %d: %d points", half, points)
			}
			t.Logf("half-size %d: %d points, %.1f comparisons a point", half, points, float64(compared)/float64(points))
			if compared > 32*points {
				t.Errorf("half-size %d: %d points, %d comparisons", half, points, compared)
			}
		}
	}
}

// TestManyShapesAreLinear: the shapes of a body that lies across the end of a one-way platform are compared with the
// faces of the platform once, in contact and in a sweep, and not all shapes with all faces for each shape: 1.2 s a step
// with 1,000 shapes, and 41 ms if no tile near the body was one-way.
func TestManyShapesAreLinear(t *testing.T) {
	const faces = 8 // of the platform
	for _, n := range []int{100, 400} {
		for _, onWay := range []bool{false, true} {
			w := NewWorld(Config{Gravity: geom.V(0, -10), NoSleep: true, Workers: 1})
			way := gridseg.Tile{Shape: gridseg.Full, Material: uint16(w.AddMaterial(Material{OneWay: OneWayUp}))}
			id, _ := w.AddGround(0, GroundDef{})
			g, _ := w.Ground(id)
			_ = g.Fill(gridseg.Rect{MinX: -20, MinY: -1, MaxX: 100, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
			if onWay {
				_ = g.Fill(gridseg.Rect{MinX: 5, MinY: -1, MaxX: 4 + faces, MaxY: -1}, way)
			}
			b := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0, 3), Velocity: geom.V(0, -60)})
			for k := range n {
				w.AddShape(b, geom.NewOffsetBox(0.05, 0.05, geom.V(0.1*float64(k), 0), geom.Identity), ShapeDef{})
			}
			compared := false
			for range 20 {
				before := workOf(w)
				w.Step(wideStep)
				got := workOf(w).Shapes - before.Shapes
				if compared = compared || got > 0; got > 0 && !onWay || got > 4*faces*n {
					t.Errorf("%d shapes: %d comparisons of shapes and faces", n, got)
				}
			}
			if compared != onWay {
				t.Errorf("%d shapes, compared with one-way faces: %v", n, compared)
			}
		}
	}
}

// TestHugeShapeOverSparseGround: no place is tested for room for a shape of half-size 100,000
// over 400 blocks that are 10,000 apart: the nearest surface tells that there is none. Each of
// a thousand places was tested, through all chunks of the world: 4.3 s a step. Where one-way
// tiles are nearest, each place was tested by searches of a widening range: 0.4 s.
func TestHugeShapeOverSparseGround(t *testing.T) {
	for _, way := range []OneWay{NotOneWay, OneWayUp} {
		w, b := wideWorld(t, sparse(t), way, geom.V(1234, 200000), 0, 1e5, 1)
		for _, v := range []geom.Vec{{}, {Y: -400}, {}} {
			b.SetVelocity(v)
			before := workOf(w)
			w.Step(wideStep)
			after, points := workOf(w), w.Stats().Points
			t.Logf("%v at %v: %d points, %+v", way, v, points, after)
			if n := after.Places - before.Places; n > 10 {
				t.Errorf("%v at %v: %d places tested for room", way, v, n)
			}
			if n := after.Segments - before.Segments; n > 32*400 {
				t.Errorf("%v at %v: %d segments compared", way, v, n)
			}
			if n := after.points - before.points; n > 32*points {
				t.Errorf("%v at %v: %d points, %d comparisons", way, v, points, n)
			}
		}
	}
}

// sparse is ground of blocks that are 10,000 apart, every other one of material 1.
func sparse(tb testing.TB) *gridseg.Grid {
	grid := gridseg.New(nil)
	for x := range int32(100) {
		for y := range int32(100) {
			if err := grid.Set(10000*x, 10000*y,
				gridseg.Tile{Shape: gridseg.Full, Material: uint16((x + y) & 1)}); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return grid
}

// wideCases are steps of bodies of half-size 100,000.
var wideCases = []struct {
	name   string
	ground string
	at     geom.Vec
	angle  float64
	down   float64 // its speed
	shapes int
}{
	{"scattered", "scattered", geom.V(0.3, 0.3), 0.3, 0, 1},
	{"scattered, falling", "scattered", geom.V(0.3, 0.3), 0.3, 300, 1},
	{"one-way", "one-way, scattered", geom.V(0.3, 0.3), 0.3, 0, 1},
	{"one-way, falling", "one-way, scattered", geom.V(0.3, 0.3), 0.3, 300, 1},
	{"mixed", "mixed, scattered", geom.V(0.3, 0.3), 0.3, 0, 1},
	{"mixed, falling", "mixed, scattered", geom.V(0.3, 0.3), 0.3, 300, 1},
	{"mixed, three shapes", "mixed, scattered", geom.V(0.3, 0.3), 0, 0, 3},
	{"on a mixed row", "mixed, in a row", geom.V(0.3, 1e5), 0, 0, 1},
	{"on planks", "planks", geom.V(0.3, 1e5), 0, 0, 1},
	{"on rough tops", "rough", geom.V(0.3, 1e5), 0, 0, 1},
	{"concave corners", "corners", geom.V(0.3, 0.3), 0.3, 0, 1},
}

// TestHugeShapeOverOneWayTiles: the work of a step of a shape of half-size 100,000 is in
// proportion to the tiles, one-way and solid, under it. Each face of a one-way tile was
// compared with all points that the shape had, each hidden face with all one-way faces, and
// each point that may be hidden with all segments: 20,000 tiles took 1 to 6 s a step, and 44 s
// under a body of three shapes.
func TestHugeShapeOverOneWayTiles(t *testing.T) {
	for _, c := range wideCases {
		for _, n := range []int32{500, 4000} {
			w, b := wideWorld(t, wideGround(t, c.ground, n), OneWayUp, c.at, c.angle, 1e5, c.shapes)
			for range 3 {
				b.SetVelocity(geom.V(0, -c.down))
				before := workOf(w)
				w.Step(wideStep)
				after := workOf(w)
				for _, k := range []struct {
					what string
					n    int
					most int // a tile
				}{
					{"points", after.points - before.points, 40},
					{"segments", after.Segments - before.Segments, 40},
					{"rows", after.Rows - before.Rows, 4},
					{"cells", after.Cells - before.Cells, 40},
					{"places", after.Places - before.Places, 1},
				} {
					if k.n > k.most*int(n)*c.shapes {
						t.Errorf("%s, %d tiles: %d %s searched", c.name, n, k.n, k.what)
					}
				}
			}
		}
	}
}

// BenchmarkHugeShape is a step of the same shapes over 20,000 tiles, of one of half-size 1e7
// over 90,000 blocks, and of one of half-size 80 in broken ground.
func BenchmarkHugeShape(b *testing.B) {
	step := func(b *testing.B, tiles int, down float64, w *World, body Body) {
		w.Step(wideStep)
		for b.Loop() {
			body.SetVelocity(geom.V(0, -down))
			w.Step(wideStep)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tiles), "ns/tile")
	}
	const n = 20000
	for _, c := range wideCases {
		b.Run(c.name, func(b *testing.B) {
			w, body := wideWorld(b, wideGround(b, c.ground, n), OneWayUp, c.at, c.angle, 1e5, c.shapes)
			step(b, n, c.down, w, body)
		})
	}
	for _, way := range []OneWay{NotOneWay, OneWayUp} {
		b.Run("half-size 1e7, "+way.String(), func(b *testing.B) {
			w, body := wideWorld(b, wideGround(b, "mixed, scattered", 90000), way, geom.V(0.3, 0.3), 0.3, 1e7, 1)
			step(b, 90000, 0, w, body)
		})
	}
	b.Run("broken ground", func(b *testing.B) {
		w, body := wideWorld(b, dotted(b, 80), NotOneWay, geom.V(1.3, 0.6), 0, 80, 1)
		step(b, 4*80*80, 0, w, body)
	})
	for _, way := range []OneWay{NotOneWay, OneWayUp} {
		b.Run("sparse, "+way.String(), func(b *testing.B) {
			w, body := wideWorld(b, sparse(b), way, geom.V(1234, 200000), 0, 1e5, 1)
			step(b, 400, 0, w, body)
		})
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
				gridtest.Grounds["bumpy"](grid)
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
				w.AddShape(w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0.3, 1)}), geom.NewBox(c.wide/2, 1),
					ShapeDef{})
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
