package store

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// landscape sets the tiles of chunk (x, y) of a made-up landscape: hills with ramps, caves and ores below.
func landscape(t testing.TB, g *gridseg.Grid, x, y int32) {
	noise := func(a, b int32) uint32 {
		h := uint32(a)*0x9e3779b1 ^ uint32(b)*0x85ebca77
		h = (h ^ h>>15) * 0x2c1b3c6d
		return h ^ h>>13
	}
	r := cellsOf(x, y)
	fill := func(r gridseg.Rect, tile gridseg.Tile) {
		if err := g.Fill(r, tile); err != nil {
			t.Fatal(err)
		}
	}
	for cx := r.MinX; cx <= r.MaxX; cx++ {
		top := int32(noise(cx>>4, 0)%24) - 12 + int32(noise(cx, 1)%2)
		if top < r.MinY {
			continue
		}
		fill(gridseg.Rect{MinX: cx, MinY: r.MinY, MaxX: cx, MaxY: min(top, r.MaxY)},
			gridseg.Tile{Shape: gridseg.Full, User: uint32(cx & 3)})
		if top <= r.MaxY {
			fill(gridseg.Rect{MinX: cx, MinY: top, MaxX: cx, MaxY: top}, gridseg.Tile{Shape: gridseg.Ramp})
		}
	}
	for k := range int32(12) {
		n := noise(x*64+k, y)
		cx, cy := r.MinX+int32(n%56), r.MinY+int32(n>>8%56)
		hole := gridseg.Rect{MinX: cx, MinY: cy, MaxX: cx + int32(n>>16%8), MaxY: cy + int32(n>>20%4)}
		if hole.MaxY < -20 {
			ore := gridseg.Tile{Shape: gridseg.Full, User: n}
			if n>>30%2 == 0 {
				ore = gridseg.Tile{} // a cave
			}
			fill(hole, ore)
		}
	}
}

// TestWalk walks over a landscape that is larger than what is loaded, with its chunks in a file, digs on the way and
// saves; what was dug is in the file in the end. With QUARRY_SOAK=1 the landscape has 10^8 cells, and the memory in use
// stays below 200 MB.
func TestWalk(t *testing.T) {
	w, h := int32(48), int32(8)
	soak := os.Getenv("QUARRY_SOAK") != ""
	if soak {
		w, h = 400, 62
	}
	path := filepath.Join(t.TempDir(), "quarry.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	world := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, err := world.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	ground, _ := world.Ground(id)
	name := GroundName(id)
	start := time.Now()
	for y := -h / 2; y < h/2; y++ {
		for x := range w {
			g := gridseg.New(nil)
			landscape(t, g, x, y)
			data, err := g.Unload(cellsOf(x, y), gridseg.UnloadedSolid)
			if err != nil {
				t.Fatal(err)
			}
			s.Put(Chunk(name, x, y), data)
		}
		s.Commit()
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("made in %v", time.Since(start))
	if _, err := ground.UnloadPlace(gridseg.Rect{MinX: 0, MinY: -h / 2 * Side, MaxX: w*Side - 1, MaxY: h/2*Side - 1},
		gridseg.UnloadedSolid); err != nil {
		t.Fatal(err)
	}
	ball := world.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(100, 30)})
	world.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	streamer := NewStreamer(s, ground, name, StreamOptions{
		Radius: 150, Ahead: 1, Memory: 64, Budget: 4,
		As: gridseg.UnloadedSolid,
	})
	saver := NewSaver(s, world)
	dug := map[gridseg.Cell]bool{}
	var most uint64
	var times [3]time.Duration // of streaming, steps and saves
	saves, chunks, slowest := 0, 0, time.Duration(0)
	speed := 4.0
	steps := int((float64(w)*Side - 200) / speed)
	for step := range steps {
		at := geom.V(100+float64(step)*speed, 0)
		b, _ := world.Body(ball)
		t0 := time.Now()
		done, err := streamer.Step([]StreamPoint{{at, geom.V(60*speed, 0)}, {b.Position(), b.Velocity()}})
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Now()
		times[0] += t1.Sub(t0)
		slowest = max(slowest, t1.Sub(t0))
		chunks += done.Loaded + done.Unloaded
		if done.Chunks > 64 {
			t.Fatalf("step %d: %+v", step, done)
		}
		if step%10 == 0 && step > 100 {
			c := gridseg.Cell{X: int32(at.X), Y: -15}
			if err := ground.Clear(c.X, c.Y); err != nil {
				t.Fatalf("step %d: %v: %+v", step, err, done)
			}
			dug[c] = true
		}
		t2 := time.Now()
		world.Step(1. / 60)
		t3 := time.Now()
		times[1] += t3.Sub(t2)
		if step%200 == 0 || step == steps-1 {
			if _, err := saver.Save(); err != nil {
				t.Fatal(err)
			}
			times[2] += time.Since(t3)
			saves++
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse+m.StackInuse)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d x %d cells, %d steps, %d dug: at most %.1f MB in use", w*Side, h*Side, steps, len(dug),
		float64(most)/1e6)
	t.Logf("streaming %v a step, slowest %v, %v a chunk; %v a World.Step; %v a save", times[0]/time.Duration(steps),
		slowest, times[0]/time.Duration(max(1, chunks)), times[1]/time.Duration(steps), times[2]/time.Duration(saves))
	if most > 200e6 {
		t.Errorf("%d bytes in use", most)
	}
	again := quarry.NewWorld(quarry.Config{})
	if s, err = Open(path, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	start = time.Now()
	r, err := s.Verify(nil)
	if err != nil || len(r.Faults) > 0 || r.Grounds[0].Chunks < int(w*h)*9/20 {
		t.Fatal(err, r)
	}
	t.Logf("the file has %.1f MB, its chunks %.1f MB of %.1f; verified in %v", float64(r.FileBytes)/1e6,
		float64(r.Grounds[0].Size)/1e6, float64(r.Grounds[0].Bytes)/1e6, time.Since(start))
	if err := LoadWorld(s, again); err != nil || again.Hash() != world.Hash() {
		t.Fatal("another world in the file", err)
	}
	g, _ := again.Ground(id)
	for c := range dug {
		if !g.Grid().Loaded(c.X, c.Y) {
			data, _, err := s.Get(Chunk(name, c.X>>sideBits, c.Y>>sideBits))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.LoadPlace(data); err != nil {
				t.Fatal(err)
			}
		}
		if g.Tile(c.X, c.Y) != (gridseg.Tile{}) || g.Tile(c.X+1, c.Y) == (gridseg.Tile{}) {
			t.Fatalf("cell %v is not as it was dug", c)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
