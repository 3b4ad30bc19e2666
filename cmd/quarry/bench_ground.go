package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/quarry2d/quarry/gridseg"
)

// groundBenchmark measures the time to build a square field of tiles, or of an edit in it.
type groundBenchmark struct {
	name, doc string
	side      int32           // cells
	shape     gridseg.ShapeID // of all tiles; ramps are turned at random
	fill      bool            // build by one Fill instead of many Sets
	edits     bool            // measure edits instead of building
	window    int32           // side of the square of cells in the middle to edit; 0 means the whole field
	heavy     bool            // measured only when named
}

// groundBenchmarks are the benchmarks in order of listing. The first are the publication's.
var groundBenchmarks = []groundBenchmark{
	{
		name: "full_block", doc: "100 x 100 blocks, from the empty grid to linked segments, by one Fill", side: 100,
		shape: gridseg.Full, fill: true,
	},
	{name: "full_block_set", doc: "the same, block by block", side: 100, shape: gridseg.Full},
	{name: "full_block_1000", doc: "1000 x 1000 blocks, by one Fill", side: 1000, shape: gridseg.Full, fill: true},
	{name: "ramp", doc: "100 x 100 ramps turned at random, ramp by ramp", side: 100, shape: gridseg.Ramp},
	{
		name: "edit", doc: "an edit among 100 x 100 such ramps: one is removed or put back", side: 100,
		shape: gridseg.Ramp, edits: true,
	},
	{
		name: "edit_block", doc: "an edit among 100 x 100 blocks", side: 100, shape: gridseg.Full, fill: true,
		edits: true,
	},
	{
		name: "edit_4000", doc: "an edit among 4000 x 4000 ramps: 1.4 GB, and up to half a minute", side: 4000,
		shape: gridseg.Ramp, edits: true, heavy: true,
	},
	{
		name: "edit_4000_near", doc: "the same within the middle 100 x 100, as a player digs", side: 4000, window: 100,
		shape: gridseg.Ramp, edits: true, heavy: true,
	},
	{
		name: "edit_block_4000", doc: "an edit among 4000 x 4000 blocks", side: 4000, shape: gridseg.Full, fill: true,
		edits: true,
	},
	{
		name: "edit_block_4000_near", doc: "the same within the middle 100 x 100", side: 4000, window: 100,
		shape: gridseg.Full, fill: true, edits: true,
	},
}

// groundBenchmarkOf returns the benchmark called name, or false.
func groundBenchmarkOf(name string) (groundBenchmark, bool) {
	for _, b := range groundBenchmarks {
		if b.name == name {
			return b, true
		}
	}
	return groundBenchmark{}, false
}

// groundFigures are the figures of a ground. Figures that do not apply are 0.
type groundFigures struct {
	Scene    string  `json:"scene"`
	Cells    int     `json:"cells"` // cells with a tile
	Segments int     `json:"segments"`
	BuildMS  float64 `json:"build_ms"` // the shortest of the runs
	EditNS   float64 `json:"edit_ns"`  // mean of a run; the shortest of the runs
	Allocs   float64 `json:"allocs"`   // of a build; or of an edit, the mean of all runs to a thousandth
	Bytes    int64   `json:"bytes"`    // live after the build, with its delta, or after the edits
	edits    bool
}

// measure builds the field in each run, or builds it once and edits it.
func (b groundBenchmark) measure(runs int, s streams) ([]measurement, error) {
	if runs == 0 {
		runs = 20
	}
	f := groundFigures{Scene: b.name, edits: b.edits}
	shapes, turns := gridseg.NewShapes(), b.turns()
	var rows *progressbar.ProgressBar
	if b.heavy && !b.fill {
		rows = progress(s.err, int(b.side), "rows of "+b.name)
	}
	var h heap
	bytes, mallocs := h.live(), h.mallocs()
	g, err := b.build(shapes, turns, rows)
	mallocs = h.mallocs() - mallocs
	finish(rows)
	if err != nil {
		return nil, err
	}
	bar := progress(s.err, runs, "runs of "+b.name)
	defer finish(bar)
	if b.edits {
		if err := b.timeEdits(&f, g, runs, bar); err != nil {
			return nil, err
		}
	} else {
		f.Allocs = float64(mallocs)
	}
	f.Bytes = max(0, h.live()-bytes)
	f.Cells, f.Segments = g.Count()
	runtime.KeepAlive(turns) // allocated before, so not part of the difference
	if !b.edits {
		err = b.timeBuilds(&f, shapes, turns, runs, bar)
	}
	return []measurement{f}, err
}

// turns returns random turns of the tiles by row, or nil for none.
func (b groundBenchmark) turns() []gridseg.Turn {
	if b.shape == gridseg.Full {
		return nil
	}
	turns := make([]gridseg.Turn, int(b.side)*int(b.side))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range turns {
		turns[i] = gridseg.Turn(r.IntN(4))
	}
	return turns
}

// build returns the resolved field. The bar, if any, advances with each row.
func (b groundBenchmark) build(shapes *gridseg.Shapes, turns []gridseg.Turn,
	rows *progressbar.ProgressBar,
) (*gridseg.Grid, error) {
	g := gridseg.New(shapes)
	t := gridseg.Tile{Shape: b.shape}
	if b.fill {
		if err := g.Fill(gridseg.Rect{MaxX: b.side - 1, MaxY: b.side - 1}, t); err != nil {
			return nil, err
		}
		g.Resolve()
		return g, nil
	}
	i := 0
	for y := range b.side {
		for x := range b.side {
			if turns != nil {
				t.Turn = turns[i]
				i++
			}
			if err := g.Set(x, y, t); err != nil {
				return nil, err
			}
		}
		if b.heavy && y%16 == 15 {
			g.Resolve() // bounds the memory of pending edits and their delta
		}
		advance(rows)
	}
	g.Resolve()
	return g, nil
}

// timeBuilds builds the field in each run. It collects the garbage between runs, outside of the
// measured time.
func (b groundBenchmark) timeBuilds(f *groundFigures, shapes *gridseg.Shapes, turns []gridseg.Turn, runs int,
	bar *progressbar.ProgressBar,
) error {
	least := time.Duration(math.MaxInt64)
	for range runs {
		runtime.GC()
		start := time.Now()
		if _, err := b.build(shapes, turns, nil); err != nil {
			return err
		}
		least = min(least, time.Since(start))
		advance(bar)
	}
	f.BuildMS = float64(least.Nanoseconds()) / 1e6
	return nil
}

// timeEdits removes and restores a tile at each of 4096 random cells in each run, with a Resolve
// after each edit: 8192 edits. A first run, to warm the memory, is not counted.
func (b groundBenchmark) timeEdits(f *groundFigures, g *gridseg.Grid, runs int, bar *progressbar.ProgressBar) error {
	r := rand.New(rand.NewPCG(3, 4))
	var places [4096]gridseg.Cell
	var tiles [len(places)]gridseg.Tile
	wide, first := b.side, int32(0)
	if b.window > 0 {
		wide, first = b.window, (b.side-b.window)/2
	}
	for i := range places {
		p := gridseg.Cell{X: first + r.Int32N(wide), Y: first + r.Int32N(wide)}
		places[i], tiles[i] = p, g.Tile(p.X, p.Y)
	}
	tilesBefore, segmentsBefore := g.Count()
	var h heap
	var mallocs uint64
	least := time.Duration(math.MaxInt64)
	for i := range runs + 1 {
		before := h.mallocs()
		start := time.Now()
		for k, p := range places {
			if err := g.Clear(p.X, p.Y); err != nil {
				return err
			}
			g.Resolve()
			if err := g.Set(p.X, p.Y, tiles[k]); err != nil {
				return err
			}
			g.Resolve()
		}
		d := time.Since(start)
		if i > 0 {
			least = min(least, d)
			mallocs += h.mallocs() - before
			advance(bar)
		}
	}
	if n, m := g.Count(); n != tilesBefore || m != segmentsBefore {
		return fmt.Errorf("%s: %d tiles and %d segments before the edits, but %d and %d after them", b.name,
			tilesBefore, segmentsBefore, n, m)
	}
	f.EditNS = math.Round(10*float64(least.Nanoseconds())/float64(2*len(places))) / 10
	f.Allocs = math.Round(1e3*float64(mallocs)/float64(2*len(places)*runs)) / 1e3
	return nil
}

func (groundFigures) head() string {
	return fmt.Sprintf("%-20s %9s %9s %12s %10s %8s %11s %11s", "ground", "cells", "segments", "build", "edit",
		"allocs", "bytes", "bytes/cell")
}

func (f groundFigures) row() string {
	build, edit := fmt.Sprintf("%.3f ms", f.BuildMS), "-"
	if f.edits {
		build, edit = "-", fmt.Sprintf("%.0f ns", f.EditNS)
	}
	return fmt.Sprintf("%-20s %9d %9d %12s %10s %8v %11d %11.1f", f.Scene, f.Cells, f.Segments, build, edit, f.Allocs,
		f.Bytes, float64(f.Bytes)/float64(max(1, f.Cells)))
}
