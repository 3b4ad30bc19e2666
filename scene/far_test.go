package scene

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestFarAway: for a second, in which bodies land and roll on each other, ten million cells
// from the origin all goes as at the origin. (Coordinates there have steps of 2e-9, which
// collisions of bodies make larger and larger: about tenfold in ten steps.)
func TestFarAway(t *testing.T) {
	near, away := valley.New(), farAway.New()
	worst := 0.0
	for range 60 {
		near.Step()
		away.Step()
		var at []geom.Vec
		for b := range near.World.Bodies() {
			at = append(at, b.Position())
		}
		i := 0
		for b := range away.World.Bodies() {
			if b.Type() == quarry.Dynamic {
				worst = max(worst, b.Position().Sub(geom.V(far, 0)).Dist(at[i]))
			}
			i++
		}
	}
	t.Logf("apart by %.2g", worst)
	if worst > 1e-7 {
		t.Errorf("apart by %v", worst)
	}
}
