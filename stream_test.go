package quarry_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/store"
)

// hillsOf returns a world with hills of 40 x 6 chunks from x = 0 on, and n bodies that fall on its left part.
func hillsOf(t testing.TB, n int) (*quarry.World, quarry.Ground) {
	t.Helper()
	grid := gridseg.New(nil)
	for x := range int32(640) {
		h := 30 + x*x%11 - x%7
		if err := grid.Fill(gridseg.Rect{MinX: x, MinY: 0, MaxX: x, MaxY: h},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(x % 2)}); err != nil {
			t.Fatal(err)
		}
		_ = grid.Set(x, h+1, gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(x % 2 * 4)})
	}
	for x := int32(20); x < 620; x += 9 {
		loops, err := gridseg.Circle(float64(x), 20, 3.3)
		if err != nil {
			t.Fatal(err)
		}
		if err := grid.Subtract(loops); err != nil {
			t.Fatal(err)
		}
	}
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid, Materials: []quarry.MaterialID{0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(4+float64(k%100), 50+float64(k/100)*1.5)})
		w.AddShape(b, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
	}
	g, _ := w.Ground(id)
	return w, g
}

// TestStreamLaw: a world whose places are unloaded and loaded in random order, while 1,000 bodies move elsewhere, is at
// each step where the world is whose places stay, and has its hash whenever all is loaded.
func TestStreamLaw(t *testing.T) {
	n, steps := 1000, 240
	if testing.Short() {
		n, steps = 200, 100
	}
	w, g := hillsOf(t, n)
	still, _ := hillsOf(t, n)
	// Bodies that sleep in the far right part keep their places, and sleep on beside places that come and go.
	for _, w := range []*quarry.World{w, still} {
		for k := range 20 {
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(250+float64(k)*13.3, 45)})
			w.AddShape(b, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
		}
		for range 200 {
			w.Step(1.0 / 60)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	var places [][]byte
	unloads, solid, occupied, asleep := 0, 0, 0, 0
	for step := range steps {
		for range 8 {
			switch {
			case r.IntN(2) == 0 && len(places) > 0:
				k := r.IntN(len(places))
				if _, err := g.LoadPlace(places[k]); err != nil {
					t.Fatal(err)
				}
				places[k] = places[len(places)-1]
				places = places[:len(places)-1]
			default:
				x, y := 160+r.Int32N(480), -20+r.Int32N(90)
				place, as := gridseg.Rect{MinX: x, MinY: y, MaxX: min(639, x+r.Int32N(40)), MaxY: y + r.Int32N(30)},
					gridseg.UnloadedEmpty
				if y >= 0 && lattice.ChunksOf(place).MaxY < 32 && r.IntN(3) > 0 { // in the box of all tiles
					as = gridseg.UnloadedSolid
					solid++
				}
				data, err := g.UnloadPlace(place, as)
				if errors.Is(err, gridseg.ErrUnloaded) {
					continue
				}
				if errors.Is(err, quarry.ErrOccupied) {
					occupied++
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				unloads++
				places = append(places, data)
			}
		}
		if step%40 == 39 {
			for _, k := range r.Perm(len(places)) {
				if _, err := g.LoadPlace(places[k]); err != nil {
					t.Fatal(err)
				}
			}
			places = places[:0]
			if w.Hash() != still.Hash() {
				t.Fatalf("step %d: all is loaded, but the hash differs", step)
			}
		}
		w.Step(1.0 / 60)
		still.Step(1.0 / 60)
		for b := range still.Bodies() {
			o, ok := w.Body(b.ID())
			if !ok || o.Transform() != b.Transform() || o.Velocity() != b.Velocity() || o.Awake() != b.Awake() {
				t.Fatalf("step %d: body %d is at %v, want %v", step, b.ID(), o.Transform(), b.Transform())
			}
			if !b.Awake() {
				asleep++
			}
		}
	}
	if unloads < steps || solid < steps/4 || occupied == 0 || asleep == 0 {
		t.Errorf("%d unloads, %d as solid, %d places with a body, %d bodies asleep", unloads, solid, occupied, asleep)
	}
}

// TestStreamBodies: a body keeps its place loaded; one that rests on an unloaded place wakes when that turns out to be
// empty.
func TestStreamBodies(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	grid := gridseg.New(nil)
	_ = grid.Fill(gridseg.Rect{MinX: -32, MinY: 0, MaxX: -1, MaxY: 3}, gridseg.Tile{Shape: gridseg.Full})
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	add := func(x, y float64) quarry.Body {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)})
		w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		v, _ := w.Body(b)
		return v
	}
	on := add(-10, 5)
	before := w.Hash()
	if _, err := g.UnloadPlace(gridseg.Rect{MinX: -12, MinY: 0, MaxX: -9, MaxY: 9}, gridseg.UnloadedSolid); !errors.Is(
		err,
		quarry.ErrOccupied,
	) {
		t.Errorf("Unload of an occupied place: %v", err)
	}
	if w.Hash() != before || g.Version() != 1 {
		t.Error("a refused Unload changes the world")
	}
	data, err := g.UnloadPlace(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 31, MaxY: 15}, gridseg.UnloadedSolid) // air
	if err != nil {
		t.Fatal(err)
	}
	if e := w.GroundEdits(); g.Version() != 2 || len(e) != 1 || e[0].Cells != (gridseg.Rect{MaxX: 31, MaxY: 15}) {
		t.Errorf("version %d, edits %v", g.Version(), e)
	}
	if err := g.Set(3, 3, gridseg.Tile{}); !errors.Is(err, gridseg.ErrUnloaded) {
		t.Errorf("an edit of an unloaded cell: %v", err)
	}
	over := add(20, 18) // falls onto it
	for range 300 {
		w.Step(1.0 / 60)
	}
	if on.Awake() || over.Awake() || over.Position().Y < 16.4 || over.Position().Y > 16.6 {
		t.Fatalf("the bodies are at %v and %v", on.Position(), over.Position())
	}
	if _, hit := w.RayCast(geom.V(-3, 10), geom.V(10, 0), quarry.QueryFilter{}); !hit {
		t.Error("a ray passes an unloaded place that counts as solid")
	}
	if r, err := g.LoadPlace(data); err != nil || r != (gridseg.Rect{MaxX: 31, MaxY: 15}) {
		t.Fatal(r, err)
	}
	if on.Awake() || !over.Awake() {
		t.Errorf("awake: %v, %v", on.Awake(), over.Awake())
	}
	for range 60 {
		w.Step(1.0 / 60)
	}
	if over.Position().Y > 14 {
		t.Errorf("the body still floats at %v", over.Position())
	}
}

// TestStreamSaved: snapshots, Capture and records have the unloaded places.
func TestStreamSaved(t *testing.T) {
	w, g := hillsOf(t, 30)
	var log bytes.Buffer
	w.Record(&log, 1)
	var checkpoint quarry.Snapshot
	w.Capture(&checkpoint)
	start := w.Hash()
	right, err := g.UnloadPlace(gridseg.Rect{MinX: 200, MinY: 0, MaxX: 639, MaxY: 60}, gridseg.UnloadedSolid)
	if err != nil {
		t.Fatal(err)
	}
	middle, err := g.UnloadPlace(gridseg.Rect{MinX: 130, MinY: 0, MaxX: 170, MaxY: 60}, gridseg.UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	a, b := geom.V(124, 26), geom.V(126, 26)
	if err := g.Dig(a, b, 1.5); err != nil {
		t.Fatal(err)
	}
	if err := g.Dig(a, geom.V(190, 26), 1.5); !errors.Is(err, gridseg.ErrUnloaded) {
		t.Fatalf("a tunnel through unloaded ground: %v", err)
	}
	for range 40 {
		w.Step(1.0 / 60)
	}
	data, half := w.AppendSnapshot(nil), w.Hash()
	other := quarry.NewWorld(quarry.Config{})
	if err := other.Restore(data); err != nil {
		t.Fatal(err)
	}
	var saved quarry.Snapshot
	w.Capture(&saved)
	finish := func(w *quarry.World) uint64 {
		t.Helper()
		g, _ := w.Ground(g.ID())
		for _, data := range [][]byte{middle, right} {
			if _, err := g.LoadPlace(data); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			w.Step(1.0 / 60)
		}
		return w.Hash()
	}
	end := finish(w)
	if other.Hash() != half || finish(other) != end {
		t.Error("a restored world goes on otherwise")
	}
	if err := w.StopRecording(); err != nil {
		t.Fatal(err)
	}
	again := quarry.NewWorld(quarry.Config{})
	if err := again.Replay(&log); err != nil || again.Hash() != end {
		t.Errorf("Replay: %v", err)
	}
	if w.Rewind(&saved); w.Hash() != half || finish(w) != end {
		t.Error("a world that went back goes on otherwise")
	}
	if w.Rewind(&checkpoint); w.Hash() != start {
		t.Error("a world does not go back to before the first Unload")
	}
}

// TestUnloadOfMovingGround: a ground on a dynamic body is not unloaded, even in part, since its mass is the mass of all
// its tiles; once the body is static it is.
func TestUnloadOfMovingGround(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	grid := gridseg.New(nil)
	if err := grid.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 40, MaxY: 3},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
	id, err := w.AddGround(body, quarry.GroundDef{Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	b, _ := w.Body(body)
	hash := w.Hash()
	if _, err := g.UnloadPlace(gridseg.Rect{MaxX: 15, MaxY: 15}, gridseg.UnloadedSolid); err == nil ||
		err.Error() != fmt.Sprintf(
			"quarry: Ground.UnloadPlace: ground %d is on the dynamic body %d, whose mass is that "+
				"of all its tiles",
			id,
			body,
		) {
		t.Error(err)
	}
	if w.Hash() != hash || b.Mass() != 41*4 {
		t.Error("a refused Unload changed the world")
	}
	b.SetType(quarry.Static)
	if _, err := g.UnloadPlace(gridseg.Rect{MaxX: 15, MaxY: 15}, gridseg.UnloadedSolid); err != nil {
		t.Error(err)
	}
}

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
