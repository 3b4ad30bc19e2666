package main

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/scene"
)

// sceneBenchmark measures the steps of a scene.
type sceneBenchmark struct{ scene.Scene }

// sceneFigures are the figures of a scene.
type sceneFigures struct {
	Scene    string  `json:"scene"`
	Steps    int     `json:"steps"`
	Bodies   int     `json:"bodies"`
	Contacts int     `json:"contacts"` // touching pairs at the end
	MSStep   float64 `json:"ms_step"`  // mean of a run without the first step; the shortest of the runs
	MSMax    float64 `json:"ms_max"`   // longest step but the first, of the run in which that is shortest
	Hash     string  `json:"hash"`     // at the end
}

// measure makes the scene's number of steps in each run. It fails if a run ends in another state
// than the first, because their times cannot be compared.
func (b sceneBenchmark) measure(runs int, s streams) ([]measurement, error) {
	if runs == 0 {
		runs = 3
	}
	bar := progress(s.err, runs*b.Steps, "steps of "+b.Name)
	defer finish(bar)
	var f sceneFigures
	for i := range runs {
		sum, err := run(b.New(), b.Steps, &camera{}, bar)
		if err != nil {
			return nil, err
		}
		if i > 0 && sum.Hash != f.Hash {
			return nil, fmt.Errorf("%s: run %d ended with hash %s, run 1 with hash %s", b.Name, i+1, sum.Hash, f.Hash)
		}
		if i == 0 {
			f = sceneFigures{b.Name, sum.Steps, sum.Bodies, sum.Contacts, sum.MSStep, sum.MSMax, sum.Hash}
		}
		f.MSStep, f.MSMax = min(f.MSStep, sum.MSStep), min(f.MSMax, sum.MSMax)
	}
	f.MSStep, f.MSMax = math.Round(1e6*f.MSStep)/1e6, math.Round(1e6*f.MSMax)/1e6
	return []measurement{f}, nil
}

func (sceneFigures) head() string {
	return fmt.Sprintf("%-15s %9s %9s %9s %10s %10s  %s", "scene", "steps", "bodies", "contacts", "ms a step", "slowest", "hash")
}

func (f sceneFigures) row() string {
	return fmt.Sprintf("%-15s %9d %9d %9d %10.4f %10.4f  %s", f.Scene, f.Steps, f.Bodies, f.Contacts, f.MSStep, f.MSMax, f.Hash)
}
