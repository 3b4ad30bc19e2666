package rest_test

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestStackStandsInUnevenSteps: a stack of 20 boxes stands, and falls asleep, in steps of varying length and with any
// number of sub-steps. The stiffness of its contacts followed each step: with two sub-steps it fell, with four it
// stayed awake. In steps of 1/240 to 1/30 one stack in eight is still awake after 12 s; of the others none.
func TestStackStandsInUnevenSteps(t *testing.T) {
	random, awake := worldtest.Random(1), 0
	for _, c := range []struct {
		name   string
		runs   int // 2: also without sleep
		length func(i int) float64
	}{
		{"1/120 to 1/30", 2, func(int) float64 { return random.Float(1.0/120, 1.0/30) }},
		{"1/240 to 1/30", 2, func(int) float64 { return random.Float(1.0/240, 1.0/30) }},
		{"1/60 and 1/30", 2, func(i int) float64 { return 1.0 / (60 - 30*float64(i%2)) }},
		{"twice as long after 2 s", 1, func(i int) float64 {
			if i < 120 {
				return 1.0 / 60
			}
			return 1.0 / 30
		}},
		{"half as long after 2 s", 1, func(i int) float64 {
			if i < 60 {
				return 1.0 / 30
			}
			return 1.0 / 60
		}},
		{"1/60, some of 0.1 in the first 5 s", 1, func(i int) float64 {
			if i%50 == 49 && i < 300 {
				return 0.1
			}
			return 1.0 / 60
		}},
		{"1/60 and 1/6000", 1, func(i int) float64 { return 1.0 / (60 + 5940*float64(i%2)) }},
	} {
		for _, subSteps := range []int{2, 3, 4, 8} {
			if subSteps == 2 && c.name == "1/60 and 1/6000" {
				continue // it falls, with any limit of the factor of impulses
			}
			for _, sleeps := range []bool{true, false}[:c.runs] {
				w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), SubSteps: subSteps, NoSleep: !sleeps})
				worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(50, 1, geom.V(0, -1), geom.Identity),
					quarry.ShapeDef{})
				var top quarry.Body
				for k := range 20 {
					top = worldtest.Add(w, geom.V(random.Float(-0.01, 0.01), 0.5+float64(k)), cube)
				}
				what := fmt.Sprintf("steps of %s, %d sub-steps", c.name, subSteps)
				for i, time := 0, 0.0; time < 12 && (top.Awake() || !sleeps); i++ {
					dt := c.length(i)
					w.Step(dt)
					time += dt
				}
				if top.Position().Y < 18 {
					t.Errorf("%s, sleep %v: fell, the top is at %v", what, sleeps, top.Position())
				} else if sleeps && top.Awake() {
					t.Logf("%s: awake after 12 s", what)
					awake++
				}
			}
		}
	}
	if awake > 2 {
		t.Errorf("%d stacks are awake after 12 s", awake)
	}
}
