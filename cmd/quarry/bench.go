package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/quarry2d/quarry/scene"
)

// benchCommand measures the ground and the scenes.
type benchCommand struct {
	Names []string `arg:"" optional:"" name:"name" help:"Benchmarks of the lists above, or scenes (see quarry list). Default: both lists without the heavy benchmarks."`
	Runs  *int     `help:"Number of runs, 1 to 10000, of which the least time counts. Default: 20 for the ground, 10 for the article's table, 3 for a scene." placeholder:"N"`
	JSON  bool     `help:"Print one JSON object per line."`

	Workers *int   `help:"Number of goroutines of a step of a scene, 1 to 64; 0 means the number of processors. Default: 1." placeholder:"N"`
	Report  bool   `help:"Print the scenes as a table in Markdown for bench/RESULTS.md, with the machine, the commit and the date. Default: all scenes."`
	Out     string `help:"Write the table to a file." placeholder:"FILE"`
}

// maxRuns bounds the number of runs.
const maxRuns = 10_000

// maxWorkers is the largest quarry.Config.Workers.
const maxWorkers = 64

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
  algorithm  gridseg; the article's algorithm in Go; a union of all polygons; or
             a row quoted from the article, measured on its machine
  side       side of the grid in cells
  polygons   number of polygons
  segments   number of segments
  polys_ms   time to make the polygons' vertices (buildPolys); 0 for tiles
  build_ms   time to add all one by one and link the segments (initSegs)
  remove_ms  time to remove all one by one, with one compute; 0 if unknown
  edit_ns    time of one removal or addition with its compute; 0 if unknown
  timed      CPU time, where the system tells it, or wall time

The columns of a scene:

  scene     name of the scene
  steps     steps of a run; times exclude the first
  bodies    number of bodies at the end of a run
  contacts  number of touching pairs at the end of a run
  ms_step   mean time of a step
  ms_max    longest time of a step
  hash      hash of the state at the end of a run

With --json, a scene also has:

  runs           number of runs, of which the times are the least
  phases         mean times of the stages of a step in ms, of the run with the least ms_step:
                 pairs (broad phase), narrow (narrow phase), list (contacts and islands),
                 solve, advance (continuous collision, poses), sensors, sleep
  workers        number of goroutines of a step
  kernel         code of the solver's passes: avx2 or neon, or go where the processor has neither
  allocs_step    mean number of allocations in the 20 steps after the end of a run
  bytes_body     memory of a body, in the world and in the solver
  bytes_contact  memory of a contact with one manifold, in the world and in the solver

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
	todo, err := c.benchmarks()
	if err != nil {
		return err
	}
	if c.Report {
		return c.report(todo, runs, s)
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

// report measures the scenes and writes their table.
func (c benchCommand) report(todo []benchmark, runs int, s streams) error {
	write := func(r *report) error { return r.write(s.out) }
	if c.Out != "" {
		file, err := newOutFile("--out", c.Out)
		if err != nil {
			return err
		}
		write = func(r *report) error { return file.write(r.write) }
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	r := report{machine: machine(), build: buildOf(info), date: time.Now().UTC()}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, b := range todo {
		lines, err := b.measure(runs, s)
		if err != nil {
			return err
		}
		for _, m := range lines {
			f := m.(sceneFigures)
			r.runs, r.workers, r.kernel = f.Runs, f.Workers, f.Kernel
			r.measured = append(r.measured, f)
		}
	}
	return write(&r)
}

// benchmarks returns the benchmarks to measure: those named, or all scenes for a report, or all of the
// lists that are not heavy. It fails before anything is measured.
func (c benchCommand) benchmarks() ([]benchmark, error) {
	workers, threads := 1, runtime.GOMAXPROCS(0)
	if c.Workers != nil {
		if workers = *c.Workers; workers < 0 || workers > maxWorkers {
			return nil,
				fmt.Errorf("--workers %d is out of range: it must be 1 to %d, or 0 for the number of processors",
					workers, maxWorkers)
		}
		if workers == 0 {
			workers = min(threads, maxWorkers)
		}
	}
	if !c.Report && c.Out != "" {
		return nil, fmt.Errorf("--out %s needs --report: only a report is written to a file", c.Out)
	}
	if c.Report && c.JSON {
		return nil, errors.New("--json and --report exclude each other")
	}
	names := c.Names
	if c.Report && len(names) == 0 {
		for _, sc := range scene.All() {
			names = append(names, sc.Name)
		}
	}
	todo, err := benchmarks(names)
	if err != nil {
		return nil, err
	}
	scenes := 0
	for i, b := range todo {
		if sc, ok := b.(sceneBenchmark); ok {
			sc.workers, sc.threads = workers, threads
			todo[i] = sc
			scenes++
		} else if c.Report {
			return nil, fmt.Errorf("--report: %s is not a scene; a report has scenes only", names[i])
		}
	}
	if c.Workers != nil && scenes == 0 {
		return nil, fmt.Errorf("--workers %d needs a scene: the ground is measured on one thread", *c.Workers)
	}
	return todo, nil
}

// benchmarks returns the named benchmarks, or without names all of the lists that are not heavy.
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
			todo = append(todo, sceneBenchmark{Scene: sc})
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
