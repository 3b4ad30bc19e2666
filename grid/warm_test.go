package grid

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestWarmAllocatesNothing runs a crowd until the tables have their size, and
// then expects no allocation from changes and queries.
func TestWarmAllocatesNothing(t *testing.T) {
	for _, most := range []float64{4, 1000} {
		c := newCrowd(3000, most, 1.0/3)
		cell := 3.0
		bounds := c.bounds()
		if most > 4 {
			cell = 100 // of the grids with one size
		}
		for _, g := range newGrids(cell, bounds) {
			c.addTo(g)
			var ids []ID
			var hits []Hit
			var pairs [][2]ID
			tracker := NewTracker(NewChunked(cell), 0.1)
			for _, b := range c.boxes {
				if _, err := tracker.Add(b, 0); err != nil {
					t.Fatal(err)
				}
			}
			frame := func() {
				c.move()
				c.update(g)
				for i, b := range c.boxes {
					ids = g.AppendOverlaps(ids[:0], b, All)
					if _, err := tracker.Update(ID(i), b); err != nil {
						t.Fatal(err)
					}
				}
				tracker.Flush()
				hits = g.AppendRay(hits[:0], geom.Vec{}, geom.V(c.side, c.side), 1, All)
				hits = g.AppendBoxCast(hits[:0], geom.Box(geom.Vec{}, geom.Vec{}).Expand(5), geom.V(c.side, c.side), 1,
					All)
				g.Ray(geom.Vec{}, geom.V(c.side, c.side), 1, All)
				g.Nearest(geom.V(-5, -5), 1000, All)
				pairs = g.AppendPairs(pairs[:0])
				pairs = g.AppendPairsWith(pairs[:0], g)
			}
			for range 32 {
				frame()
			}
			if n := testing.AllocsPerRun(32, frame); n != 0 {
				t.Errorf("%v, sizes to %g: %g allocations a frame", g.Kind(), most, n)
			}
			var id ID
			if n := testing.AllocsPerRun(100, func() {
				id, _ = g.Add(c.boxes[7], 0)
				g.Remove(id)
				g.Exclude(5)
				g.Include(5)
			}); n != 0 {
				t.Errorf("%v, sizes to %g: %g allocations for Remove and Add", g.Kind(), most, n)
			}
			if err := g.Build(c.boxes, nil); err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(5, func() { _ = g.Build(c.boxes, nil) }); n != 0 {
				t.Errorf("%v, sizes to %g: %g allocations for Build", g.Kind(), most, n)
			}
			checkInvariants(t, g)
		}
	}
}

// TestMemory: dense objects take under 64 bytes each beyond the box, in any order of
// additions; docs/grid.md has the memory of sparse objects.
func TestMemory(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 20_000
	}
	c := newCrowd(n, 4, 1.0/3)
	for _, g := range newGrids(Tune(c.boxes).CellSize, c.bounds()) {
		for _, how := range []string{"added", "moved", "built"} {
			switch how {
			case "added":
				c.addTo(g)
			case "moved":
				for range 16 {
					c.move()
					c.update(g)
				}
			case "built":
				g = map[Kind]func() *Grid{
					Fixed: func() *Grid { return NewFixed(g.CellSize(), c.bounds()) }, Hashed: func() *Grid {
						return NewHashed(g.CellSize())
					},
					Chunked: func() *Grid { return NewChunked(g.CellSize()) }, Hierarchical: func() *Grid {
						return NewHierarchical(g.CellSize())
					},
				}[g.Kind()]()
				if err := g.Build(c.boxes, nil); err != nil {
					t.Fatal(err)
				}
			}
			s := g.Stats()
			beyond := float64(s.Bytes)/float64(s.Objects) - 32
			t.Logf("%v, %s: %.1f bytes an object beyond its box, %.2f cells each", g.Kind(), how, beyond,
				float64(s.Entries)/float64(s.Objects))
			if beyond >= 64 {
				t.Errorf("%v, %s: %.1f bytes an object beyond its box", g.Kind(), how, beyond)
			}
		}
	}
}

// TestConcurrentQuestions asks from several goroutines at once; the race
// detector watches, and all must hear the same.
func TestConcurrentQuestions(t *testing.T) {
	c := newCrowd(2000, 100, 1.0/3)
	for _, g := range newGrids(20, c.bounds()) {
		c.addTo(g)
		want := g.AppendPairs(nil)
		ray := g.AppendRay(nil, geom.Vec{}, geom.V(c.side, c.side), 1, All)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got := g.AppendPairs(nil); !slices.Equal(got, want) {
					t.Errorf("%v: pairs differ", g.Kind())
				}
				if got := g.AppendRay(nil, geom.Vec{}, geom.V(c.side, c.side), 1, All); !slices.Equal(got, ray) {
					t.Errorf("%v: rays differ", g.Kind())
				}
				var got [][2]ID
				var ids, inner []ID
				for i, b := range c.boxes {
					ids = g.AppendOverlaps(ids[:0], b, All)
					for _, id := range ids {
						// A query in the midst of the answer to another.
						inner = g.AppendPoint(inner[:0], c.boxes[id].Center(), All)
						if !slices.Contains(inner, id) {
							t.Errorf("%v: %d is not at its middle", g.Kind(), id)
						}
						if id > ID(i) {
							got = append(got, [2]ID{ID(i), id})
						}
					}
					g.Nearest(b.Min, 10, All)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%v: overlaps differ from pairs", g.Kind())
				}
			})
		}
		wg.Wait()
	}
}

// TestTablesDoNotRot moves a crowd through a long stretch of the world: the
// tables must neither grow with the way gone nor keep bounds of it.
func TestTablesDoNotRot(t *testing.T) {
	for _, g := range []*Grid{NewHashed(8), NewChunked(8), NewHierarchical(1)} {
		c := newCrowd(200, 8, 1.0/3)
		c.addTo(g)
		before := 0
		for step := range 2000 {
			for i := range c.boxes {
				c.boxes[i] = c.boxes[i].Translate(geom.V(1.5, -2.25))
			}
			c.update(g)
			if step == 20 {
				before = g.Stats().Bytes
			}
		}
		if after := g.Stats().Bytes; after > 2*before {
			t.Errorf("%v: %d bytes, after %d early on", g.Kind(), after, before)
		}
		for at := range g.levels {
			for _, r := range g.levels[at].regions {
				if b := r.cellBounds(); float64(b.x1-b.x0)*r.size > 3000 {
					t.Errorf("%v: level %d keeps bounds %v", g.Kind(), at, b)
				}
			}
		}
		checkInvariants(t, g)
		for i := len(c.boxes) - 1; i > 0; i-- {
			g.Remove(ID(i))
		}
		for at := range g.levels {
			for _, r := range g.levels[at].regions {
				if n := len(r.cells.slots); n > 2*minSlots {
					t.Errorf("%v: %d slots for one object", g.Kind(), n)
				}
			}
		}
		if b, ok := g.Bounds(); !ok || b != c.boxes[0] {
			t.Errorf("%v: Bounds = %v, %v, want the one box left", g.Kind(), b, ok)
		}
	}
}

// TestUpdateTouchesOnlyCellsLeftAndEntered: an object that stays in its cells changes no
// list, and a move by a cell leaves the lists of the cells that it keeps.
func TestUpdateTouchesOnlyCellsLeftAndEntered(t *testing.T) {
	for _, g := range newGrids(1, box(0, 0, 100, 100)) {
		id, _ := g.Add(box(0.5, 0.5, 3.5, 3.5), 0)
		if g.Kind() == Hierarchical {
			if err := g.Update(id, box(0.5, 0.5, 1.5, 1.5)); err != nil {
				t.Fatal(err)
			}
		}
		b := g.Box(id)
		before := g.AppendLoads(nil)
		pool := slices.Clone(g.pool.ids)
		if err := g.Update(id, b.Translate(geom.V(0.25, -0.25))); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.AppendLoads(nil), before) || !slices.Equal(g.pool.ids, pool) {
			t.Errorf("%v: a move within cells changed them", g.Kind())
		}
		kept := g.levels[0].regions[0].cell(1, 1)
		if err := g.Update(id, b.Translate(geom.V(0.75, 0))); err != nil {
			t.Fatal(err)
		}
		if g.levels[0].regions[0].cell(1, 1) != kept || slices.Equal(g.AppendLoads(nil), before) {
			t.Errorf("%v: a step to the side touched a cell that it kept, or none", g.Kind())
		}
	}
}

// TestLargeQueryAmongSmall: boxes that cover 10^4 to 10^14 cells, of which few
// are in use, must find them through every tier of blocks. (Each once looked
// through all cells in use, and a frame of such boxes took 40 seconds.)
func TestLargeQueryAmongSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	m := newModel(t, 1)
	for i := range 3000 {
		reach := []float64{30, 300, 3000, 3e6}[i&3]
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(reach)
		m.add(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()))})
	}
	for i := range 200 {
		size := []float64{5, 50, 100, 500, 4000, 1e7}[i%6]
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(size)
		m.checkOverlaps(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()).Mul(size))}, All)
		m.checkNearest(p, 1e9, All)
	}
	m.checkInside()
}

// TestStaleIDs: using an id that is not in the grid is the caller's mistake.
func TestStaleIDs(t *testing.T) {
	g := NewHierarchical(1)
	a, _ := g.Add(box(0, 0, 1, 1), 42)
	b, _ := g.Add(box(0, 0, 1, 1), 43)
	if g.Data(a) != 42 || g.Data(b) != 43 {
		t.Error("Data is mixed up")
	}
	g.Remove(a)
	for name, f := range map[string]func(){
		"Remove":           func() { g.Remove(a) },
		"Update":           func() { _ = g.Update(a, box(0, 0, 1, 1)) },
		"Box":              func() { g.Box(-1) },
		"Data":             func() { g.Data(2) },
		"Exclude":          func() { g.Exclude(a) },
		"Include":          func() { g.Include(a) },
		"SetCategory":      func() { g.SetCategory(a, 1) },
		"NewHashed(0)":     func() { NewHashed(0) },
		"NewChunked(inf)":  func() { NewChunked(1e101) },
		"NewFixed(empty)":  func() { NewFixed(1, geom.Empty) },
		"NewFixed(huge)":   func() { NewFixed(1, box(0, 0, 1e6, 1e6)) },
		"NewFixed(far)":    func() { NewFixed(1, box(1e16, 0, 1e16+4, 1)) },
		"NewTracker(full)": func() { NewTracker(g, 0) },
		"NewTracker(-1)":   func() { NewTracker(NewHashed(1), -1) },
		"Build":            func() { _ = g.Build([]geom.AABB{box(0, 0, 1, 1)}, []uint64{1, 2}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			f()
		}()
	}
	if c, _ := g.Add(box(5, 5, 6, 6), 44); c != a || g.Data(c) != 44 {
		t.Errorf("got id %d, want %d again", c, a)
	}
}
