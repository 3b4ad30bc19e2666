package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"github.com/quarry2d/quarry/scene"
)

// benchCommand measures the ground and the scenes.
type benchCommand struct {
	Names []string `arg:"" optional:"" name:"name" help:"Benchmarks of the lists above, or scenes (see quarry list). Default: both lists without the heavy benchmarks."`
	Runs  *int     `help:"Number of runs, 1 to 10000, of which the least time counts. Default: 20 for the ground, 10 for the article's table, 3 for a scene." placeholder:"N"`
	JSON  bool     `help:"Print one JSON object per line."`
}

// maxRuns bounds the number of runs.
const maxRuns = 10_000

// benchmark is a named measurement.
type benchmark interface {
	// measure returns the shortest times of a number of runs, in one line or more. 0 runs mean the
	// benchmark's own number.
	measure(runs int, s streams) ([]measurement, error)
}

// measurement is a line of output, printed as JSON or as a row of a table with this head.
type measurement interface {
	head() string
	row() string
}

// Help is the text above the flags of bench --help.
func (benchCommand) Help() string {
	var b strings.Builder
	b.WriteString("The ground, measured on one thread:\n\n")
	for _, g := range groundBenchmarks {
		doc := g.doc
		if g.heavy {
			doc += " (heavy)"
		}
		fmt.Fprintf(&b, "  %-20s  %s\n", g.name, doc)
	}
	b.WriteString("\nThe table of the article \"An Algorithm for Local Grid Segmentation\":\n\n")
	for _, a := range articleBenchmarks {
		doc := a.doc
		if a.heavy {
			doc += " (heavy)"
		}
		fmt.Fprintf(&b, "  %-20s  %s\n", a.name, doc)
	}
	b.WriteString(`
The steps of every scene (see quarry list).

The columns of the ground:

  scene     name of the benchmark
  cells     cells with a tile
  segments  segments of the surface
  build_ms  time from the empty grid to linked segments; 0 for edits
  edit_ns   time of one removal or addition with its Resolve; 0 for builds
  allocs    allocations of a build, or of an edit once warm
  bytes     memory held after the build, with its delta, or after the edits

The columns of the article's table:

  scene      name of the benchmark: article_block is the article's FullBlock, article_ramp
             its RAMP with ramps turned at random
  algorithm  gridseg; the article's algorithm in Go; a recompute of the whole world; or
             a row quoted from the article, measured on its machine
  side       side of the grid in cells
  polygons   number of polygons
  segments   number of segments
  polys_ms   time to make the polygons' vertices (buildPolys); 0 for tiles
  build_ms   time to add all one by one and link the segments (initSegs)
  remove_ms  time to remove all one by one, with one compute; 0 if unknown
  edit_ns    time of one removal or addition with its compute; 0 if unknown

The columns of a scene:

  scene     name of the scene
  steps     steps of a run; times exclude the first
  bodies    number of bodies at the end of a run
  contacts  number of touching pairs at the end of a run
  ms_step   mean time of a step
  ms_max    longest time of a step
  hash      hash of the state at the end of a run

Times are the least of all runs. On a shared machine, compare only times measured by
one command.`)
	return b.String()
}

// Run measures the benchmarks in order and prints each line at once.
func (c benchCommand) Run(s streams) error {
	runs := 0
	if c.Runs != nil {
		if runs = *c.Runs; runs < 1 || runs > maxRuns {
			return fmt.Errorf("--runs %d is out of range: it must be 1 to %d", runs, maxRuns)
		}
	}
	todo, err := benchmarks(c.Names)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	head := ""
	for _, b := range todo {
		lines, err := b.measure(runs, s)
		if err != nil {
			return err
		}
		for _, m := range lines {
			if err := c.print(m, &head, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// print writes a line, after the head of its table if the last line had another head.
func (c benchCommand) print(m measurement, head *string, s streams) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(m)
	}
	if h := m.head(); h != *head {
		if *head != "" {
			fmt.Fprintln(s.out)
		}
		fmt.Fprintln(s.out, h)
		*head = h
	}
	_, err := fmt.Fprintln(s.out, m.row())
	return err
}

// benchmarks returns the named benchmarks, or without names all that are not heavy. It fails on an
// unknown name before anything is measured.
func benchmarks(names []string) ([]benchmark, error) {
	var todo []benchmark
	if len(names) == 0 {
		for _, g := range groundBenchmarks {
			if !g.heavy {
				todo = append(todo, g)
			}
		}
		for _, a := range articleBenchmarks {
			if !a.heavy {
				todo = append(todo, a)
			}
		}
		return todo, nil
	}
	for _, name := range names {
		if g, ok := groundBenchmarkOf(name); ok {
			todo = append(todo, g)
		} else if a, ok := articleBenchmarkOf(name); ok {
			todo = append(todo, a)
		} else if sc, ok := scene.Get(name); ok {
			todo = append(todo, sceneBenchmark{sc})
		} else {
			return nil, unknownBenchmark(name)
		}
	}
	return todo, nil
}

// unknownBenchmark returns the error for an unknown name.
func unknownBenchmark(name string) error {
	var known []string
	for _, g := range groundBenchmarks {
		known = append(known, g.name)
	}
	for _, a := range articleBenchmarks {
		known = append(known, a.name)
	}
	return fmt.Errorf("no benchmark is named %q; the benchmarks are %s, and the scenes %s",
		name, strings.Join(known, ", "), sceneNames())
}
