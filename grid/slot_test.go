package grid

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
)

// TestPackedGrid shrinks grids to a few objects, by Remove and by Unload, and grows them again
// beyond their first size. Ids and results are always as in the list of boxes, although the
// slots of the objects are no longer their ids.
func TestPackedGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	most := 3000
	if testing.Short() {
		most = 1000
	}
	m := newModel(t, 1)
	box := func() geom.AABB {
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(120)
		if r.IntN(20) == 0 {
			p = p.Mul(1e6)
		}
		size := []float64{0, 1, 3, 100}[r.IntN(4)]
		return geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64()*size, r.Float64()*size))}
	}
	ask := func() {
		t.Helper()
		m.checkAll()
		for range 20 {
			b := box()
			m.checkOverlaps(b.Expand(10), All)
			m.checkOverlaps(b.Expand(10), 1)
			m.checkNearest(b.Min, math.Inf(1), All)
			m.checkRay(b.Min, b.Max.Sub(b.Min).Mul(100))
			m.checkCast(boxCast(geom.Box(b.Min, b.Min).Expand(3), geom.V(70, -20), 1, All))
		}
		want := m.grids[0].AppendPairsWith(nil, m.grids[1])
		for _, g := range m.grids[1:] {
			if got := g.AppendPairsWith(nil, m.grids[0]); !slices.Equal(got, want) {
				t.Fatalf("%v: %d pairs with another grid, want %d", g.Kind(), len(got), len(want))
			}
		}
	}
	packed := func() bool { return m.grids[0].slots != nil }
	for range 2 {
		for len(m.live) < most {
			m.add(box())
		}
		for k := range 20 {
			m.exclude(m.live[k*7], true)
			m.setCategory(m.live[k*5], uint64(k&3))
		}
		for len(m.live) > most/8-1 {
			m.remove(m.live[r.IntN(len(m.live))])
		}
		if !packed() {
			t.Fatal("a grid of which seven eighths have left is not packed")
		}
		ask()
		for range 30 {
			id := m.live[r.IntN(len(m.live))]
			m.update(id, box())
			m.exclude(m.live[r.IntN(len(m.live))], r.IntN(2) == 0)
			m.stream(m.objects[m.live[r.IntN(len(m.live))]].Box.Min)
		}
		for range 40 {
			m.add(box())
			m.remove(m.live[r.IntN(len(m.live))])
		}
		ask()
		for len(m.live) < most+100 {
			m.add(box())
		}
		if packed() {
			t.Error("a grid whose ids are all in use is still packed")
		}
		ask()
		most += 100
	}
	m.clear()
	m.add(box())
	m.checkAll()
}

// TestRoomIsGivenBack measures the heap after all but a few of 100,000 objects are removed:
// the memory is in proportion to the objects left. Grids once kept nearly all: with 818 of 819
// chunks unloaded a chunked grid went from 13.56 MB to 13.53, and a hashed grid kept 6.5 MB for
// 1,000 objects.
func TestRoomIsGivenBack(t *testing.T) {
	const n = 100_000
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	c := newCrowd(n, 4, 1.0/3)
	side := int64(c.side/(4*ChunkSide)) + 1
	for _, how := range []struct {
		name  string
		leave func(g *Grid)
	}{
		{"all chunks but one unloaded", func(g *Grid) {
			for x := range side + 1 {
				for y := range side + 1 {
					if x != side/2 || y != side/2 {
						g.Unload(nil, x, y)
					}
				}
			}
		}},
		{"the first 99,000 removed", func(g *Grid) {
			for id := range ID(n - 1000) {
				g.Remove(id)
			}
		}},
		{"the last 99,000 removed", func(g *Grid) {
			for id := range ID(n - 1000) {
				g.Remove(id + 1000)
			}
		}},
		{"99 of 100 removed", func(g *Grid) {
			for id := range ID(n) {
				if id%100 != 0 {
					g.Remove(id)
				}
			}
		}},
	} {
		for _, make := range []func() *Grid{
			func() *Grid { return NewChunked(4) }, func() *Grid { return NewHashed(4) }, func() *Grid {
				return NewHierarchical(4)
			},
		} {
			before := heap()
			g := make()
			c.addTo(g)
			full := heap() - before
			how.leave(g)
			left, counted := heap()-before, float64(g.Stats().Bytes)
			t.Logf("%v, %s, %d objects left: %.2f MB of %.2f, %.2f by Stats", g.Kind(), how.name, g.Len(), left/1e6,
				full/1e6, counted/1e6)
			// A thousand objects anywhere are in 300 chunks, of 2 KiB each.
			if most := 1.3e6; left > most || counted > most {
				t.Errorf("%v, %s, %d objects left: %.2f MB of %.2f, %.2f by Stats", g.Kind(), how.name, g.Len(),
					left/1e6, full/1e6, counted/1e6)
			}
			checkInvariants(t, g)
		}
	}
	runtime.KeepAlive(c)
}

// TestUnloadOfObjectsApart: 200,000 oversize or excluded boxes are unloaded chunk by chunk in
// well under a second. Each Unload once searched all of them, which took half a minute.
func TestUnloadOfObjectsApart(t *testing.T) {
	const n, wide = 200_000, 500
	for _, excluded := range []bool{false, true} {
		for _, sameChunk := range []bool{false, true} {
			g := NewChunked(1)
			for i := range n {
				p := geom.V(float64(i%wide)*ChunkSide+1, float64(i/wide)*ChunkSide+1)
				if sameChunk {
					p = geom.V(1, 1)
				}
				size := 60.0
				if excluded {
					size = 1
				}
				id, err := g.Add(geom.AABB{Min: p, Max: p.Add(geom.V(size, size))}, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				if excluded {
					g.Exclude(id)
				}
			}
			var out []Object
			start := time.Now()
			spent := cpuTime(func() {
				for y := range int64(n / wide) {
					for x := range int64(wide) {
						out = g.Unload(out, x, y)
					}
				}
			})
			t.Logf("excluded %v, in one chunk %v: %v", excluded, sameChunk, time.Since(start))
			if len(out) != n || g.Len() != 0 {
				t.Fatalf("%d objects came out, %d are left", len(out), g.Len())
			}
			if spent > 8*time.Second { // 0.1 s, and without the lists of objects by chunk half a minute
				t.Errorf("excluded %v, in one chunk %v: %v", excluded, sameChunk, spent)
			}
			checkInvariants(t, g)
		}
	}
}
