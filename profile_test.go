package quarry_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// pile returns a world with a pile of boxes on a ground.
func pile(t *testing.T, c quarry.Config) *quarry.World {
	c.Gravity = geom.V(0, -10)
	w := quarry.NewWorld(c)
	worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1})
	for i := range 60 {
		worldtest.Add(w, geom.V(float64(i%12)-6, 1+float64(i/12)), geom.NewBox(0.4, 0.4))
	}
	return w
}

// TestProfile: the stages add up to the step, every stage with work has a time, and a world
// without Config.Profile has none.
func TestProfile(t *testing.T) {
	w, plain := pile(t, quarry.Config{Profile: true}), pile(t, quarry.Config{})
	var sum quarry.Profile
	for range 60 {
		w.Step(worldtest.DT)
		plain.Step(worldtest.DT)
		p := w.Profile()
		stages := p.Pairs + p.Narrow + p.List + p.Solve + p.Advance + p.Sensors + p.Sleep
		if p.Step != stages || min(p.Pairs, p.Narrow, p.List, p.Solve, p.Advance, p.Sensors, p.Sleep) < 0 {
			t.Fatalf("%+v: the stages add up to %v", p, stages)
		}
		sum.Pairs += p.Pairs
		sum.Narrow += p.Narrow
		sum.List += p.List
		sum.Solve += p.Solve
		sum.Advance += p.Advance
		sum.Sleep += p.Sleep
	}
	// Sums, because a clock may be too coarse for a stage of one step.
	if min(sum.Pairs, sum.Narrow, sum.List, sum.Solve, sum.Advance, sum.Sleep) == 0 {
		t.Errorf("a stage of 60 steps took no time: %+v", sum)
	}
	if p := plain.Profile(); p != (quarry.Profile{}) {
		t.Errorf("without Config.Profile: %+v", p)
	}
	if w.Hash() != plain.Hash() {
		t.Error("Config.Profile changed the world")
	}
}
