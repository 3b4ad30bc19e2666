package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestHeavySpotComesToRest is law 5 of contact: a disc with a heavy spot that rolls to
// and fro on flat ground loses energy in each ten seconds, and falls asleep, or hardly moves if the ground moves. The
// arms of its contact were of the start of the step, so the righting torque lagged behind the pose: the swing doubled
// each minute until the disc rolled over.
func TestHeavySpotComesToRest(t *testing.T) { worldtest.OnCarriers(t, heavySpotRests) }

func heavySpotRests(t *testing.T, on worldtest.Carrier) {
	for _, kind := range []string{"ground", "box", "chain"} {
		if kind == "chain" && on.Body.Type == quarry.Dynamic {
			continue
		}
		for _, c := range []struct{ angle, density, spin float64 }{{1.2, 5, 0}, {0.3, 20, 0}, {3, 5, 0}, {0, 5, 20}} {
			w := on.NewSite()
			switch kind {
			case "ground":
				w.Floor(t, gridseg.Rect{MinX: -500, MinY: -1, MaxX: 500, MaxY: -1})
			case "box":
				w.AddShape(w.Carrier.ID(), geom.NewOffsetBox(500, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{})
			case "chain":
				worldtest.AddChain(t, w.World, w.Carrier.ID(), quarry.ChainDef{Points: []geom.Vec{{X: 500}, {X: -500}}})
			}
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(0, 0.5), Angle: c.angle,
				AngularVelocity: -c.spin, Velocity: geom.V(0.5*c.spin, 0),
			},
				geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
			w.AddShape(b.ID(), geom.Circle{Center: geom.V(0, -0.3), Radius: 0.15}, quarry.ShapeDef{Density: c.density})
			energy, rests := w.Energy(b), false
			for k := range 40 {
				fastest := 0.0
				for range 600 {
					w.Step(worldtest.DT)
					fastest = max(fastest, w.Velocity(b).Len(), 0.5*math.Abs(b.AngularVelocity()))
				}
				if rests = !b.Awake() || fastest < 0.06; rests {
					break
				}
				if now := w.Energy(b); now >= energy {
					t.Errorf("on %s, %+v: in seconds %d to %d energy goes from %v to %v", kind, c, 10*k, 10*k+10,
						energy, now)
					break
				} else {
					energy = now
				}
				if c.spin != 0 && k == 9 {
					break
				}
			}
			if !rests && c.spin == 0 { // a disc with a spin may roll to the end of the ground
				t.Errorf("on %s, %+v: awake after 400 seconds, %v of spin at %v", kind, c, b.AngularVelocity(),
					b.Angle())
			}
			t.Logf("on %s, %+v: at rest or left after %d s", kind, c, int(float64(w.StepCount())*worldtest.DT))
		}
	}
}
