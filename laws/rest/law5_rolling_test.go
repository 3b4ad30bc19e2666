package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestHeavySpotComesToRest is law 5 of contact: a disc with a heavy spot that rolls to
// and fro on flat ground loses energy in each ten seconds, and falls asleep. The arms of
// its contact were those of the start of the step, so the righting torque lagged behind
// the pose: the swing doubled each minute until the disc rolled over.
func TestHeavySpotComesToRest(t *testing.T) {
	for _, on := range []string{"ground", "box", "chain"} {
		for _, c := range []struct{ angle, density, spin float64 }{{1.2, 5, 0}, {0.3, 20, 0}, {3, 5, 0}, {0, 5, 20}} {
			w := worldtest.New()
			switch on {
			case "ground":
				worldtest.Floor(t, w, gridseg.Rect{MinX: -500, MinY: -1, MaxX: 500, MaxY: -1})
			case "box":
				w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(0, -1)}), geom.NewBox(500, 1), quarry.ShapeDef{})
			case "chain":
				if _, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 500}, {X: -500}}}); err != nil {
					t.Fatal(err)
				}
			}
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5), Angle: c.angle, AngularVelocity: -c.spin, Velocity: geom.V(0.5*c.spin, 0)})
			w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
			w.AddShape(id, geom.Circle{Center: geom.V(0, -0.3), Radius: 0.15}, quarry.ShapeDef{Density: c.density})
			b, _ := w.Body(id)
			energy := energyOf(b)
			asleep := false
			for k := range 40 {
				worldtest.Steps(w, 600)
				if asleep = !b.Awake(); asleep {
					break
				}
				if now := energyOf(b); now >= energy {
					t.Errorf("on %s, %+v: in seconds %d to %d energy goes from %v to %v", on, c, 10*k, 10*k+10, energy, now)
					break
				} else {
					energy = now
				}
				if c.spin != 0 && k == 9 {
					break
				}
			}
			if !asleep && c.spin == 0 { // a disc with a spin may roll to the end of the ground
				t.Errorf("on %s, %+v: awake after 400 seconds, %v of spin at %v", on, c, b.AngularVelocity(), b.Angle())
			}
			t.Logf("on %s, %+v: asleep or left after %d s", on, c, int(float64(w.StepCount())*worldtest.DT))
		}
	}
}
