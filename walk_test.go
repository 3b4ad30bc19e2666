package quarry_test

import (
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// side is the width and height of the world of TestWalk, in cells: there are 10^8.
const side = 10_000

// generate returns the tiles of a chunk of that world, as bytes: hills of 1:1 in its middle, with pores in the rock.
func generate(t testing.TB, shapes *gridseg.Shapes, place gridseg.Rect) []byte {
	t.Helper()
	maker := gridseg.New(shapes)
	for x := place.MinX; x <= place.MaxX; x++ {
		top, turn := side/2+x&31, gridseg.Turn(0)
		if x&32 != 0 {
			top, turn = side/2+31-x&31, 4
		}
		for y := place.MinY; y <= min(place.MaxY, top); y++ {
			tile := gridseg.Tile{Shape: gridseg.Full, Material: uint16(y & 1)}
			if y == top {
				tile = gridseg.Tile{Shape: gridseg.Ramp, Turn: turn}
			} else if y < top-2 && (x*31+y*17)%23 == 0 {
				continue
			}
			if err := maker.Set(x, y, tile); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := maker.Unload(place, gridseg.UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// walk is a world of which the chunks near a place are loaded.
type walk struct {
	t      testing.TB
	ground quarry.Ground
	loaded map[gridseg.Cell]bool   // by chunk
	stored map[gridseg.Cell][]byte // chunks that have been loaded before
	most   int                     // chunks that were loaded at a time
	heap   uint64                  // the most in use, in bytes
}

func newWalk(t testing.TB, w *quarry.World) *walk {
	t.Helper()
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	if _, err := g.Unload(gridseg.Rect{MaxX: side - 1, MaxY: side - 1}, gridseg.UnloadedSolid); err != nil {
		t.Fatal(err)
	}
	return &walk{t: t, ground: g, loaded: map[gridseg.Cell]bool{}, stored: map[gridseg.Cell][]byte{}}
}

func placeOf(c gridseg.Cell) gridseg.Rect {
	return gridseg.Rect{MinX: c.X * 16, MinY: c.Y * 16, MaxX: c.X*16 + 15, MaxY: c.Y*16 + 15}
}

// to loads the chunks within 4 columns and 3 rows of p, and unloads all others.
func (k *walk) to(p geom.Vec) {
	k.t.Helper()
	at := gridseg.Cell{X: int32(math.Floor(p.X / 16)), Y: int32(math.Floor(p.Y / 16))}
	for c := range k.loaded {
		if max(c.X-at.X, at.X-c.X) > 4 || max(c.Y-at.Y, at.Y-c.Y) > 3 {
			data, err := k.ground.Unload(placeOf(c), gridseg.UnloadedSolid)
			if err != nil {
				k.t.Fatal(err)
			}
			k.stored[c] = data
			delete(k.loaded, c)
		}
	}
	for y := max(at.Y-3, 0); y <= min(at.Y+3, side/16-1); y++ {
		for x := max(at.X-4, 0); x <= min(at.X+4, side/16-1); x++ {
			c := gridseg.Cell{X: x, Y: y}
			if k.loaded[c] {
				continue
			}
			data := k.stored[c]
			if data == nil {
				data = generate(k.t, k.ground.Grid().Shapes(), placeOf(c))
			}
			if _, err := k.ground.Load(data); err != nil {
				k.t.Fatal(err)
			}
			k.loaded[c] = true
		}
	}
	k.most = max(k.most, len(k.loaded))
}

// measure notes the memory in use.
func (k *walk) measure() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	k.heap = max(k.heap, m.HeapInuse+m.StackInuse)
}

// TestWalk walks through a world of 10^8 cells that is generated as it comes near, and digs: 63 chunks are loaded at a time, and
// the walker is where it would be if all were. With QUARRY_SOAK=1 it goes from end to end and back, and then every
// chunk of the world is loaded and unloaded once, with less than 200 MB in use.
func TestWalk(t *testing.T) {
	soak := os.Getenv("QUARRY_SOAK") != ""
	end := 200.0
	if soak {
		end = side - 40
	}
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	k := newWalk(t, w)
	start := geom.V(40, side/2+30)
	walker := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: start})
	w.AddShape(walker, geom.Circle{Radius: 0.6}, quarry.ShapeDef{})
	b, _ := w.Body(walker)
	dug := 0
	for way, speed := range []float64{20, -20} {
		for step := 0; ; step++ {
			p := b.Position()
			if way == 0 && p.X > end || way == 1 && p.X < start.X {
				break
			}
			if top := float64(side/2 + 80); p.Y < side/2-4 || p.Y > top {
				t.Fatalf("the walker is at %v", p)
			}
			if step > 60*side/15 {
				t.Fatalf("the walker is stuck at %v", p)
			}
			if step%5 == 0 {
				k.to(p)
			}
			if way == 0 && step%90 == 45 { // a hole below the path, to find on the way back
				hole := geom.V(p.X, side/2-3)
				if err := k.ground.Dig(hole, hole, 1.5); err != nil {
					t.Fatal(err)
				}
				dug++
			}
			if step%500 == 0 {
				k.measure()
			}
			b.SetVelocity(geom.V(speed, b.Velocity().Y))
			w.Step(1.0 / 60)
		}
	}
	holes := 0
	for c := range k.loaded { // all but the chunks near the start are stored
		data, err := k.ground.Unload(placeOf(c), gridseg.UnloadedSolid)
		if err == nil {
			k.stored[c] = data
			delete(k.loaded, c)
		}
	}
	for c, data := range k.stored {
		if string(data) != string(generate(t, k.ground.Grid().Shapes(), placeOf(c))) {
			holes++
		}
	}
	if holes < dug || holes > 2*dug || k.most > 63 {
		t.Errorf("%d chunks differ after %d holes; %d chunks were loaded at a time", holes, dug, k.most)
	}
	if soak {
		w.RemoveBody(walker)
		for c := range k.loaded {
			if _, err := k.ground.Unload(placeOf(c), gridseg.UnloadedSolid); err != nil {
				t.Fatal(err)
			}
		}
		for y := range int32(side / 16) {
			for x := range int32(side / 16) {
				if _, err := k.ground.Load(generate(t, k.ground.Grid().Shapes(), placeOf(gridseg.Cell{X: x, Y: y}))); err != nil {
					t.Fatal(err)
				}
				if _, err := k.ground.Unload(placeOf(gridseg.Cell{X: x, Y: y}), gridseg.UnloadedSolid); err != nil {
					t.Fatal(err)
				}
			}
			k.measure()
		}
	}
	k.measure()
	t.Logf("%.0f MB in use at most, %d chunks loaded at a time, %d stored, %d holes", float64(k.heap)/1e6, k.most, len(k.stored), dug)
	if soak && k.heap > 200e6 {
		t.Errorf("%d bytes in use", k.heap)
	}
}

// BenchmarkStreamChunk loads and unloads one chunk of hills beside loaded ones, in a world of 10^8 cells.
func BenchmarkStreamChunk(b *testing.B) {
	w := quarry.NewWorld(quarry.Config{})
	k := newWalk(b, w)
	k.to(geom.V(5000, side/2))
	place := placeOf(gridseg.Cell{X: 312, Y: 313})
	var data []byte
	b.Run("unload", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var err error
			if data, err = k.ground.Unload(place, gridseg.UnloadedSolid); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if _, err := k.ground.Load(data); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		b.ReportMetric(float64(len(data)), "bytes")
	})
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			var err error
			if data, err = k.ground.Unload(place, gridseg.UnloadedSolid); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := k.ground.Load(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
