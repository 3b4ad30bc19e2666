package scene

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// TestWorkers: every scene runs, and has the same hash with any number of workers, after 60 steps. With
// -short the numbers are 1 and 8 only, under the race detector 8; with QUARRY_SOAK=1 the scenes run to their ends.
// Under the race detector (.ci/run) a large scene makes a few steps.
func TestWorkers(t *testing.T) {
	// With one processor no helper would run.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	counts := []int{1, 2, 3, 8}
	switch {
	case underRace: // which finds nothing where one works alone; without it the hashes are compared
		counts = []int{8}
	case testing.Short():
		counts = []int{1, 8}
	}
	const every = 10 // steps between two hashes, which tell about when two runs part
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			var want []string
			for _, n := range counts {
				s.Config.Workers = n
				in := s.New()
				bodies := in.World.Stats().Bodies
				if bodies == 0 {
					t.Fatal("no bodies")
				}
				var got []string
				for step := range stepsOf(s.Steps, bodies) {
					if in.Step(); (step+1)%every == 0 {
						got = append(got, fmt.Sprintf("step %d: hash %016x", step+1, in.World.Hash()))
					}
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%d workers, %s; with one worker %s", n, got[i], want[i])
					}
				}
				want = got
			}
		})
	}
}

// stepsOf returns the number of steps of a scene's run in TestWorkers.
func stepsOf(all, bodies int) int {
	switch {
	case os.Getenv("QUARRY_SOAK") == "1":
		return all - all%10
	case underRace && bodies > 1000:
		return 10
	}
	return 60
}
