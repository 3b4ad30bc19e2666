package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/quarry2d/quarry/gridseg"
)

// articleBenchmark measures a scene of the article "An Algorithm for Local Grid Segmentation": the
// columns of its table, removal, and one edit. Each run measures in turn the article's algorithm, a
// union of all polygons, and gridseg.
type articleBenchmark struct {
	name, doc string
	field     groundBenchmark // the tiles
	heavy     bool            // measured only when named on the command line
	quoted    []articleFigures
}

var articleBenchmarks = []articleBenchmark{
	{
		name: "article_block", doc: "the article's FullBlock by gridseg, the article's algorithm and a union of all " +
			"polygons, with the article's figures",
		field: groundBenchmark{side: 100, shape: gridseg.Full},
		quoted: []articleFigures{
			{Algorithm: "quoted: TypeScript", PolysMS: 11.73, BuildMS: 29.02},
			{Algorithm: "quoted: baseline C++", PolysMS: 1.26, BuildMS: 5.28},
			{Algorithm: "quoted: optimized C++", PolysMS: 0.91, BuildMS: 3.87},
		},
	},
	{
		name: "article_ramp", doc: "the same for the article's RAMP",
		field: groundBenchmark{side: 100, shape: gridseg.Ramp},
		quoted: []articleFigures{
			{Algorithm: "quoted: TypeScript", PolysMS: 9.57, BuildMS: 43.44},
			{Algorithm: "quoted: baseline C++", PolysMS: 0.85, BuildMS: 23.28},
			{Algorithm: "quoted: optimized C++", PolysMS: 0.68, BuildMS: 18.42},
		},
	},
	{
		name: "article_block_300", doc: "FullBlock on 300 x 300 cells: the cost of an edit in a larger world",
		heavy: true,
		field: groundBenchmark{side: 300, shape: gridseg.Full},
	},
	{
		name: "article_ramp_300", doc: "RAMP on 300 x 300 cells", heavy: true,
		field: groundBenchmark{side: 300, shape: gridseg.Ramp},
	},
}

// articleBenchmarkOf returns the benchmark called name, or false.
func articleBenchmarkOf(name string) (articleBenchmark, bool) {
	for _, b := range articleBenchmarks {
		if b.name == name {
			return b, true
		}
	}
	return articleBenchmark{}, false
}

// articleFigures is the line of one algorithm. Figures that were not measured, or are not in the
// article, are 0.
type articleFigures struct {
	Scene     string  `json:"scene"`
	Algorithm string  `json:"algorithm"`
	Side      int32   `json:"side"` // of the grid, in cells
	Polygons  int     `json:"polygons"`
	Segments  int     `json:"segments"`
	PolysMS   float64 `json:"polys_ms"`  // the polygons' vertices; the article's buildPolys
	BuildMS   float64 `json:"build_ms"`  // from polygons or tiles, one by one, to linked segments; its initSegs
	RemoveMS  float64 `json:"remove_ms"` // all of them one by one, and one compute
	EditNS    float64 `json:"edit_ns"`   // one remove or add with its compute: the mean of a run
	Quoted    bool    `json:"quoted"`    // from the article: another machine
	Timed     string  `json:"timed"`     // "CPU time", or "wall time" on a system without getrusage
}

// entry is a contender, its name and the number of cells edited in a run.
type entry struct {
	name   string
	c      contender
	places int
}

// tiles reports whether the contender takes tiles and needs no polygons.
func (e *entry) tiles() bool { _, ok := e.c.(*gridsegContender); return ok }

// contender is an algorithm with its own world. An edit removes cell i or restores it.
type contender interface {
	build() error
	edit(i int, remove bool) error
	removeAll() error
	segments() int
}

// measure runs the algorithms in turn and returns a line for each, then the article's.
func (b articleBenchmark) measure(runs int, s streams) ([]measurement, error) {
	if runs == 0 {
		runs = 10
	}
	side, turns := b.field.side, b.field.turns()
	n := int(side * side)
	cell := func(i int) gridseg.Cell { return gridseg.Cell{X: int32(i) % side, Y: int32(i) / side} }
	shapes := gridseg.NewShapes()
	var lattice [][]gridseg.Point // the polygons, in lattice steps
	tiles := make([]gridseg.Tile, n)
	for i := range tiles {
		tiles[i].Shape = b.field.shape
		if turns != nil {
			tiles[i].Turn = turns[i]
		}
		c := cell(i)
		var p []gridseg.Point
		for _, v := range shapes.Polygons(tiles[i].Shape, tiles[i].Turn)[0] {
			p = append(p, gridseg.Point{X: int64(c.X)*gridseg.Unit + v.X, Y: int64(c.Y)*gridseg.Unit + v.Y})
		}
		lattice = append(lattice, p)
	}
	pub := &publishedContender{side: side, lattice: lattice}
	all := []entry{
		{"gridseg", &gridsegContender{shapes: shapes, tiles: tiles, side: side}, 4096},
		{"gridseg, by one Fill", &gridsegContender{shapes: shapes, tiles: tiles, side: side, fill: true}, 4096},
		{"published, in Go", pub, 512},
		{"polygon union, in Go", &unionContender{lattice: lattice}, 1},
	}
	if turns != nil {
		all = slices.Delete(all, 1, 2) // Fill sets a single kind of tile
	}
	figures := make([]articleFigures, len(all))
	for k := range figures {
		figures[k] = articleFigures{
			Scene: b.name, Algorithm: all[k].name, Side: side, Polygons: n, Timed: timed,
			PolysMS: math.Inf(1), BuildMS: math.Inf(1), RemoveMS: math.Inf(1), EditNS: math.Inf(1),
		}
	}
	bar := progress(s.err, runs*len(all), "runs of "+b.name)
	defer finish(bar)
	// shortest stores the shortest processor time of f in ms.
	shortest := func(ms *float64, f func() error) error {
		runtime.GC()
		start := clock()
		err := f()
		*ms = min(*ms, float64((clock()-start).Nanoseconds())/1e6)
		return err
	}
	for run := range runs {
		for k := range all {
			c, f := all[k].c, &figures[k]
			if !all[k].tiles() {
				if err := shortest(&f.PolysMS, func() error { pub.buildPolys(); return nil }); err != nil {
					return nil, err
				}
			}
			if err := shortest(&f.BuildMS, c.build); err != nil {
				return nil, err
			}
			if f.Segments = c.segments(); f.Segments != figures[0].Segments {
				return nil, fmt.Errorf("%s: %s has %d segments, gridseg %d", b.name, f.Algorithm, f.Segments,
					figures[0].Segments)
			}
			r := rand.New(rand.NewPCG(3, uint64(run)))
			places := make([]int, all[k].places)
			for j := range places {
				places[j] = r.IntN(n)
			}
			edits := func() error {
				for _, i := range places {
					for _, remove := range [2]bool{true, false} {
						if err := c.edit(i, remove); err != nil {
							return err
						}
					}
				}
				return nil
			}
			if err := edits(); err != nil { // not measured, to warm the memory
				return nil, err
			}
			ms := math.Inf(1)
			if err := shortest(&ms, edits); err != nil {
				return nil, err
			}
			f.EditNS = min(f.EditNS, ms*1e6/float64(2*all[k].places))
			if err := shortest(&f.RemoveMS, c.removeAll); err != nil {
				return nil, err
			}
			if left := c.segments(); left != 0 {
				return nil, fmt.Errorf("%s: %s has %d segments after the removal of all tiles, must be 0", b.name,
					f.Algorithm, left)
			}
			advance(bar)
		}
	}
	var lines []measurement
	for k := range figures {
		f := &figures[k]
		if all[k].tiles() {
			f.PolysMS = 0
		}
		for _, ms := range []*float64{&f.PolysMS, &f.BuildMS, &f.RemoveMS} {
			*ms = math.Round(*ms*1e4) / 1e4
		}
		f.EditNS = math.Round(10*f.EditNS) / 10
		lines = append(lines, *f)
	}
	for _, q := range b.quoted {
		q.Scene, q.Side, q.Polygons, q.Quoted = b.name, side, n, true
		lines = append(lines, q)
	}
	return lines, nil
}

func (articleFigures) head() string {
	return fmt.Sprintf("%-17s %-21s %9s %8s %8s %10s %10s %9s", "article", "algorithm, "+timed, "grid", "polygons",
		"polys", "build", "remove all", "one edit")
}

func (f articleFigures) row() string {
	ms := func(v float64, known bool) string {
		if !known {
			return "-"
		}
		return fmt.Sprintf("%.2f ms", v)
	}
	edit := "-"
	switch {
	case f.EditNS >= 1e5:
		edit = fmt.Sprintf("%.2f ms", f.EditNS/1e6)
	case f.EditNS > 0:
		edit = fmt.Sprintf("%.2f us", f.EditNS/1e3)
	}
	return fmt.Sprintf("%-17s %-21s %9s %8d %8s %10s %10s %9s", f.Scene, f.Algorithm, fmt.Sprintf("%d x %d", f.Side,
		f.Side),
		f.Polygons, ms(f.PolysMS, f.PolysMS > 0), ms(f.BuildMS, true), ms(f.RemoveMS, !f.Quoted), edit)
}
