package quarry_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/store"
)

// side is the width and height of the world of TestWalk, in cells: there are 10^8.
const side = 157 * store.Side

// hills sets the tiles of a place of that world: hills of 1:1 in its middle, with pores in the rock.
func hills(g *gridseg.Grid, place gridseg.Rect) error {
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
			if err := g.Set(x, y, tile); err != nil {
				return err
			}
		}
	}
	return nil
}

// newWalk adds that ground, all unloaded, and a Streamer that loads at most 32 chunks around its points, from s or as
// they are made.
func newWalk(t testing.TB, w *quarry.World, s *store.Store) (quarry.Ground, *store.Streamer) {
	t.Helper()
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	if _, err := g.UnloadPlace(gridseg.Rect{MaxX: side - 1, MaxY: side - 1}, gridseg.UnloadedSolid); err != nil {
		t.Fatal(err)
	}
	return g, store.NewStreamer(s, g, store.GroundName(id), store.StreamOptions{
		Radius: 64, Ahead: 1, Memory: 32, Budget: 32, As: gridseg.UnloadedSolid, Generate: hills,
	})
}

// TestWalk walks through a world of 10^8 cells that is made as it comes near, digs, and finds the holes on the way
// back: 32 chunks are loaded at a time at most. With QUARRY_SOAK=1 the others are in a file, and it goes from end to
// end and back, and then loads and unloads every chunk of the world, with less than 200 MB in use.
func TestWalk(t *testing.T) {
	soak := os.Getenv("QUARRY_SOAK") != ""
	end := 400.0
	if soak {
		end = side - 40
	}
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	s := store.Memory()
	if soak {
		var err error
		if s, err = store.Open(filepath.Join(t.TempDir(), "quarry.db"), store.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	ground, streamer := newWalk(t, w, s)
	made, most, heap := 0, 0, uint64(0)
	stream := func(at, velocity geom.Vec) {
		done, err := streamer.Step([]store.StreamPoint{{Position: at, Velocity: velocity}})
		if err != nil || done.Held > 0 {
			t.Fatal(err, done)
		}
		if done.Unloaded > 0 {
			s.Commit()
		}
		made, most = made+done.Loaded, max(most, done.Chunks)
	}
	measure := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap = max(heap, m.HeapInuse+m.StackInuse)
	}
	start := geom.V(40, side/2+30)
	walker := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: start})
	w.AddShape(walker, geom.Circle{Radius: 0.6}, quarry.ShapeDef{})
	b, _ := w.Body(walker)
	var holes []gridseg.Cell
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
			stream(p, b.Velocity())
			at := gridseg.Cell{X: int32(p.X), Y: side/2 - 3} // below the path
			if way == 0 && step%90 == 45 {
				hole := geom.V(float64(at.X)+0.5, float64(at.Y)+0.5)
				if err := ground.Dig(hole, hole, 1.5); err != nil {
					t.Fatal(err)
				}
				holes = append(holes, at)
			}
			for n := len(holes) - 1; way == 1 && n >= 0 && p.X < float64(holes[n].X); n-- {
				if c := holes[n]; ground.Tile(c.X, c.Y) != (gridseg.Tile{}) {
					t.Fatalf("the hole at %v is closed", c)
				}
				holes = holes[:n]
			}
			if step%500 == 0 {
				measure()
			}
			b.SetVelocity(geom.V(speed, b.Velocity().Y))
			w.Step(1.0 / 60)
		}
	}
	if made < 2*int(end)/store.Side || most > 32 || len(holes) > 0 {
		t.Errorf("%d chunks loaded, %d at a time; holes at %v were not passed", made, most, holes)
	}
	if soak {
		w.RemoveBody(walker)
		for y := int32(store.Side); y < side; y += 2 * store.Side { // the chunks above, below and beside the point
			for x := int32(store.Side / 2); x < side; x += store.Side {
				stream(geom.V(float64(x), float64(y)), geom.Vec{})
			}
			measure()
		}
	}
	measure()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%.0f MB in use at most, %d chunks loaded at a time, %d in all", float64(heap)/1e6, most, made)
	if soak && (heap > 200e6 || made < 157*157) {
		t.Errorf("%d bytes in use, %d chunks made", heap, made)
	}
}

// BenchmarkStreamChunk loads and unloads one chunk of hills beside loaded ones, in a world of 10^8 cells.
func BenchmarkStreamChunk(b *testing.B) {
	w := quarry.NewWorld(quarry.Config{})
	ground, streamer := newWalk(b, w, store.Memory())
	if done, err := streamer.Step([]store.StreamPoint{{Position: geom.V(side/2, side/2)}}); err != nil ||
		done.Waiting > 0 {
		b.Fatal(done, err)
	}
	place := gridseg.Rect{MinX: side/2 - 32, MinY: side / 2, MaxX: side/2 - 17, MaxY: side/2 + 15}
	var data []byte
	b.Run("unload", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var err error
			if data, err = ground.UnloadPlace(place, gridseg.UnloadedSolid); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if _, err := ground.LoadPlace(data); err != nil {
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
			if data, err = ground.UnloadPlace(place, gridseg.UnloadedSolid); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := ground.LoadPlace(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
