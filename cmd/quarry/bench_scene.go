package main

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/internal/step"
	"github.com/quarry2d/quarry/scene"
)

// sceneBenchmark measures the steps of a scene.
type sceneBenchmark struct {
	scene.Scene
	workers int // of a step
	threads int // that run Go code, with more than one worker
}

// sceneFigures are the figures of a scene.
type sceneFigures struct {
	Scene    string  `json:"scene"`
	Steps    int     `json:"steps"`
	Bodies   int     `json:"bodies"`
	Contacts int     `json:"contacts"` // touching pairs at the end
	Runs     int     `json:"runs"`
	MSStep   float64 `json:"ms_step"` // mean of a run without the first step; the shortest of the runs
	MSMax    float64 `json:"ms_max"`  // longest step but the first, of the run in which that is shortest
	Phases   phases  `json:"phases"`  // of the run with the shortest mean
	Workers  int     `json:"workers"`
	Kernel   string  `json:"kernel"`
	Allocs   float64 `json:"allocs_step"` // of a step after the end of the last run
	Body     int     `json:"bytes_body"`
	Contact  int     `json:"bytes_contact"`
	Hash     string  `json:"hash"` // at the end
}

// phases are mean times of the stages of a step in milliseconds.
type phases struct {
	Pairs   float64 `json:"pairs"`
	Narrow  float64 `json:"narrow"`
	List    float64 `json:"list"`
	Solve   float64 `json:"solve"`
	Advance float64 `json:"advance"`
	Sensors float64 `json:"sensors"`
	Sleep   float64 `json:"sleep"`
}

// meanPhases returns the means of the stages of n steps, whose times are added up in p.
func meanPhases(p *quarry.Profile, n int) phases {
	mean := func(d time.Duration) float64 { return micro(d.Seconds() * 1e3 / float64(max(1, n))) }
	return phases{
		Pairs: mean(p.Pairs), Narrow: mean(p.Narrow), List: mean(p.List), Solve: mean(p.Solve),
		Advance: mean(p.Advance), Sensors: mean(p.Sensors), Sleep: mean(p.Sleep),
	}
}

// micro rounds x to a millionth.
func micro(x float64) float64 { return math.Round(1e6*x) / 1e6 }

// warmSteps is the number of steps after the end of a run of which the allocations are counted.
const warmSteps = 20

// measure makes the scene's number of steps in each run. It fails if a run ends in another state
// than the first, because their times cannot be compared.
func (b sceneBenchmark) measure(runs int, s streams) ([]measurement, error) {
	if runs == 0 {
		runs = 3
	}
	if b.workers > 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(b.threads))
	}
	b.Config.Workers, b.Config.Profile = b.workers, true
	bar := progress(s.err, runs*b.Steps, "steps of "+b.Name)
	defer finish(bar)
	f := sceneFigures{
		Scene: b.Name, Steps: b.Steps, Runs: runs, Workers: b.workers, MSStep: math.Inf(1),
		MSMax: math.Inf(1),
	}
	f.Kernel = step.Kernels()
	f.Body, f.Contact = step.Bytes()
	for i := range runs {
		in := b.New()
		sum, err := run(in, b.Steps, &camera{}, bar, nil)
		if err != nil {
			return nil, err
		}
		if i > 0 && sum.Hash != f.Hash {
			return nil, fmt.Errorf("%s: run %d ended with hash %s, run 1 with hash %s", b.Name, i+1, sum.Hash, f.Hash)
		}
		f.Bodies, f.Contacts, f.Hash = sum.Bodies, sum.Contacts, sum.Hash
		if sum.MSStep < f.MSStep {
			f.MSStep, f.Phases = sum.MSStep, meanPhases(&sum.profile, b.Steps-1)
		}
		f.MSMax = min(f.MSMax, sum.MSMax)
		if i == runs-1 {
			f.Allocs = allocsOf(in, warmSteps)
		}
	}
	f.MSStep, f.MSMax = micro(f.MSStep), micro(f.MSMax)
	return []measurement{f}, nil
}

// allocsOf makes n steps and returns the mean number of allocations of a step.
func allocsOf(in *scene.Instance, n int) float64 {
	var h heap
	before := h.mallocs()
	for range n {
		in.Step()
	}
	return float64(h.mallocs()-before) / float64(n)
}

func (sceneFigures) head() string {
	return fmt.Sprintf("%-15s %9s %9s %9s %10s %10s  %s", "scene", "steps", "bodies", "contacts", "ms a step",
		"slowest", "hash")
}

func (f sceneFigures) row() string {
	return fmt.Sprintf("%-15s %9d %9d %9d %10.4f %10.4f  %s", f.Scene, f.Steps, f.Bodies, f.Contacts, f.MSStep, f.MSMax,
		f.Hash)
}
