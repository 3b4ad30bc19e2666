package gridseg

import (
	"runtime"
	"testing"
)

// TestMemory compares the bytes a cell of large fields with the figures in the package
// documentation.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large fields")
	}
	const n = 400
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, c := range []struct {
		name  string
		build func(*Grid)
		most  float64
	}{
		{"full", func(g *Grid) {
			if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: n - 1, MaxY: n - 1}, Tile{Shape: Full}); err != nil {
				t.Fatal(err)
			}
		}, 8},
		{"ramp", func(g *Grid) { fillRamps(t, g, n) }, 150},
	} {
		before := live()
		g := New(nil)
		c.build(g)
		g.Resolve()
		for x := range int32(manySmall + 1) { // then the delta of the build goes
			if err := g.Set(-1, x, Tile{Shape: Full}); err != nil {
				t.Fatal(err)
			}
			g.Resolve()
		}
		cell := float64(live()-before) / (n * n)
		_, segments := g.Count()
		t.Logf("%s: %.1f bytes a cell, %.2f segments a cell", c.name, cell, float64(segments)/(n*n))
		if cell > c.most {
			t.Errorf("%s: %.1f bytes a cell, want at most %v", c.name, cell, c.most)
		}
		runtime.KeepAlive(g)
	}
}
