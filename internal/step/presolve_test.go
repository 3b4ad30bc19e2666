package step

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/state"
)

// TestPreSolveOfTiles: a manifold with tiles that the pre-solve function leaves out neither holds the body nor
// counts as a touch.
func TestPreSolveOfTiles(t *testing.T) {
	for _, disables := range []bool{false, true} {
		r := newRig(state.Config{Gravity: geom.V(0, -10)}, 1)
		r.disables = disables
		r.tiles(r.body(broad.StaticBody, geom.Vec{}), gridseg.Rect{MinX: -5, MinY: -20, MaxX: 5, MaxY: -1})
		b := r.body(broad.DynamicBody, geom.V(0.25, 0.495))
		r.shape(b, geom.NewBox(0.5, 0.5), false, state.AskPreSolve)
		for range 16 {
			r.step()
		}
		fell := r.at(b).Velocity.Y < -10*15*stepTime
		if c := r.w.Contacts.At(0); fell != disables || c.Touching == disables || (r.touched > 0) == disables {
			t.Errorf("left out %v: velocity %v, touching %v, %d begins", disables, r.at(b).Velocity, c.Touching,
				r.touched)
		}
	}
}
