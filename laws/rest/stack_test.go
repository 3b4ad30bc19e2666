package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// column returns a world with n boxes of side 1, one on the other, each off the line by up to the
// given distance.
func column(t testing.TB, c quarry.Config, n int, off float64, seed worldtest.Random) (*quarry.World, []quarry.Body) {
	c.Gravity = geom.V(0, -10)
	w := quarry.NewWorld(c)
	worldtest.Floor(t, w, gridseg.Rect{MinX: -200, MinY: -3, MaxX: 200, MaxY: -1})
	var all []quarry.Body
	for i := range n {
		all = append(all, worldtest.Add(w, geom.V(seed.Float(-off, off), 0.5+float64(i)), geom.NewBox(0.5, 0.5)))
	}
	return w, all
}

// TestTallColumnStands: columns of 100 boxes, exact or with boxes that are off by up to a hundredth,
// stand for a minute and sleep within 20 seconds. They buckled: an exact one fell, once a rounding
// error had moved a box, within 7 seconds, and those that are off by a hundredth within 2.
func TestTallColumnStands(t *testing.T) {
	for _, off := range []float64{0, 1e-6, 1e-4, 0.01} {
		seeds := 10
		if off == 0 {
			seeds = 1
		}
		latest := 0.0
		for seed := range seeds {
			w, all := column(t, quarry.Config{}, 100, off, worldtest.Random(seed))
			asleep := 0
			for range 60 * 60 {
				w.Step(worldtest.DT)
				if asleep == 0 && !all[0].Awake() {
					asleep = int(w.StepCount())
				}
			}
			for i, b := range all {
				if x := b.Position().X; math.Abs(x) > off+0.2 {
					t.Fatalf("off by %v, seed %d: box %d is at %v after %d seconds", off, seed, i, b.Position(), w.StepCount()/60)
				}
			}
			if asleep == 0 || asleep > 20*60 {
				t.Errorf("off by %v, seed %d: asleep at step %d", off, seed, asleep)
			}
			latest = max(latest, float64(asleep)*worldtest.DT)
		}
		t.Logf("off by %v: asleep after at most %.1f seconds", off, latest)
	}
}

// TestSubStepsStiffen: with twice the sub-steps, a column sags a quarter as much under its own weight.
// Springs had 30 Hz at any number of sub-steps.
func TestSubStepsStiffen(t *testing.T) {
	const n = 30
	last := math.Inf(1)
	for _, subSteps := range []int{2, 4, 8, 16} {
		w, all := column(t, quarry.Config{SubSteps: subSteps, NoSleep: true}, n, 0, 1)
		worldtest.Steps(w, 20*60)
		sag := n - 0.5 - all[n-1].Position().Y
		t.Logf("%d sub-steps: %.4f", subSteps, sag)
		if !(sag < 0.3*last) {
			t.Errorf("%d sub-steps: sags by %.4f, and with half of them by %.4f", subSteps, sag, last)
		}
		last = sag
	}
}

// TestOverhang: a box that hangs over the edge of the box under it falls if its centre is beyond the
// edge, and stays if it is not: what is kept of their contact holds nothing up.
func TestOverhang(t *testing.T) {
	for _, off := range []float64{0.45, 0.48, 0.495, 0.505, 0.52, 0.55} {
		w, all := column(t, quarry.Config{}, 2, 0, 1)
		all[0].SetTransform(geom.V(0, 0.5), 0)
		all[1].SetTransform(geom.V(off, 1.5), 0)
		worldtest.Steps(w, 5*60)
		lies, falls := all[1].Position().Y < 1.2, off > 0.5
		if lies != falls {
			t.Errorf("%v over the edge: at %v after 5 seconds", off-0.5, all[1].Position())
		}
	}
}
