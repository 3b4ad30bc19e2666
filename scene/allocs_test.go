package scene

import (
	"runtime"
	"testing"
)

// TestWarmStepsAllocateNothing: after three seconds of each scene, at least three of four steps allocate
// nothing. The others are steps in which a container grows, because the scene has never had so many of
// something: contacts, pairs, impacts, cells. In dig_under_load every step allocated, since each contact with
// the ground had memory of its own. The edits of a scene between steps are not counted. With -short large
// scenes are left out.
func TestWarmStepsAllocateNothing(t *testing.T) {
	const counted = 60
	for _, s := range All() {
		warm := 180
		switch s.Name {
		case "rain", "asteroid", "islands", "junkyard":
			warm = 400 // they add bodies, break, land, or first meet in their first 320 steps
		case "compounds":
			warm = 600 // its columns land for 500 steps
		}
		s.Config.Workers = 1
		in := s.New()
		if testing.Short() && in.World.Stats().Bodies > 1000 && s.Name != "dig_under_load" ||
			testing.Short() && s.Name == "rain" {
			continue
		}
		for range warm {
			in.Step()
		}
		steps, sum := 0, uint64(0)
		for step := warm; step < warm+counted; step++ {
			if in.BeforeStep != nil {
				in.BeforeStep(step)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			in.World.Step(in.DT)
			runtime.ReadMemStats(&after)
			if n := after.Mallocs - before.Mallocs; n > 0 {
				steps, sum = steps+1, sum+n
			}
		}
		if t.Logf("%s: %d allocations in %d of %d steps", s.Name, sum, steps, counted); steps > counted/4 {
			t.Errorf("%s: %d of %d steps allocate", s.Name, steps, counted)
		}
	}
}
