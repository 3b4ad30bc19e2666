package store

import (
	"path/filepath"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// BenchmarkChunk times a chunk of 64x64 cells of a landscape: taken out of a grid and encoded for a store, and the way
// back.
func BenchmarkChunk(b *testing.B) {
	g := gridseg.New(nil)
	for x := range int32(3) {
		for y := range int32(3) {
			landscape(b, g, x, y-3)
		}
	}
	g.Resolve()
	s, k := Memory(), Chunk("1", 1, -2)
	b.Run("unload+load", func(b *testing.B) {
		for b.Loop() {
			data, err := g.Unload(cellsOf(1, -2), gridseg.UnloadedSolid)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := g.Load(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("generate", func(b *testing.B) {
		for b.Loop() {
			made := gridseg.New(g.Shapes())
			landscape(b, made, 1, -2)
			if _, err := made.Unload(cellsOf(1, -2), gridseg.UnloadedEmpty); err != nil {
				b.Fatal(err)
			}
		}
	})
	data, err := g.Unload(cellsOf(1, -2), gridseg.UnloadedSolid)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("put", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			s.Put(k, data)
		}
	})
	b.Run("get", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, _, err := s.Get(k); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPlan unloads 2^28 cells, the most of a call, of an empty ground.
func BenchmarkPlan(b *testing.B) {
	for b.Loop() {
		if _, err := gridseg.New(nil).Unload(gridseg.Rect{MinX: -8192, MinY: -8192, MaxX: 8191, MaxY: 8191},
			gridseg.UnloadedSolid); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSave times a Save of 21,000 cells with 20 bodies after a dig, and the write to disk.
func BenchmarkSave(b *testing.B) {
	for _, disk := range []bool{false, true} {
		name := map[bool]string{false: "queued", true: "on disk"}[disk]
		b.Run(name, func(b *testing.B) {
			s := openQuiet(b, filepath.Join(b.TempDir(), "quarry.db"))
			w := digWorld(b)
			v := NewSaver(s, w)
			g := groundOf(b, w)
			k := 0
			for b.Loop() {
				p := geom.V(float64(k%280)-140, -float64(k/280%60))
				k++
				if err := g.Dig(p, p, 0.7); err != nil {
					b.Fatal(err)
				}
				if _, err := v.Save(); err != nil {
					b.Fatal(err)
				}
				if disk {
					if err := s.Flush(); err != nil {
						b.Fatal(err)
					}
				}
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkSaveLarge times a Save of a world of 10^6 loaded tiles, 16x16 chunks of a landscape, after an edit of a
// cell.
func BenchmarkSaveLarge(b *testing.B) {
	const w = 16
	g := gridseg.New(nil)
	for x := range int32(w) {
		for y := range int32(w) {
			landscape(b, g, x, y-w)
		}
	}
	world := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, err := world.AddGround(0, quarry.GroundDef{Grid: g})
	if err != nil {
		b.Fatal(err)
	}
	ground, _ := world.Ground(id)
	s := openQuiet(b, filepath.Join(b.TempDir(), "quarry.db"))
	v := NewSaver(s, world)
	if _, err := v.Save(); err != nil {
		b.Fatal(err)
	}
	n, _ := ground.Grid().Count()
	k := 0
	for b.Loop() {
		if err := ground.Set(int32(k%1000), -int32(k/1000%900)-50,
			gridseg.Tile{Shape: gridseg.Ramp, User: uint32(k)}); err != nil {
			b.Fatal(err)
		}
		k++
		if changed, err := v.Save(); err != nil || changed != 1 {
			b.Fatal(changed, err)
		}
	}
	b.ReportMetric(float64(n), "tiles")
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStreamer times a Streamer.Step that has nothing to do, with 256 chunks loaded: with the same tiles as in the
// Step before, and after an edit that fills or empties a chunk of 16x16 cells.
func BenchmarkStreamer(b *testing.B) {
	const w = 16
	g := gridseg.New(nil)
	for x := range int32(w) {
		for y := range int32(w) {
			landscape(b, g, x, y-w)
		}
	}
	if err := g.Set(0, 1000, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		b.Fatal(err)
	}
	g.Resolve()
	st := NewStreamer(Memory(), alone{g}, "1", StreamOptions{Memory: 300})
	points := []StreamPoint{{Position: geom.V(500, -500), Velocity: geom.V(30, 0)}}
	for _, edit := range []bool{false, true} {
		b.Run(map[bool]string{false: "idle", true: "edited"}[edit], func(b *testing.B) {
			b.ReportAllocs()
			on := true
			for b.Loop() {
				if edit {
					tile := gridseg.Tile{Shape: gridseg.Full}
					if on = !on; !on {
						tile = gridseg.Tile{}
					}
					if err := g.Set(0, 1000, tile); err != nil {
						b.Fatal(err)
					}
					g.Resolve()
				}
				if done, err := st.Step(points); err != nil || done.Loaded+done.Unloaded+done.Waiting > 0 {
					b.Fatal(done, err)
				}
			}
		})
	}
}
