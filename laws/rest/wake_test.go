package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestWokenIsWhereItIs: the solver gets contact points of a woken body's present pose.
// They were of the start of the step in which it fell asleep, and it had crept a little
// in that step.
func TestWokenIsWhereItIs(t *testing.T) { worldtest.OnStillCarriers(t, wokenIsWhereItIs) }

func wokenIsWhereItIs(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -20, MinY: -1, MaxX: 20, MaxY: -1})
	var row [5]geom.Vec // of boxes, each leaning on the one before
	for i := range row {
		b := w.Add(geom.V(0.99*float64(i), 0.5), geom.NewBox(0.5, 0.5))
		w.SetVelocity(b, geom.V(-0.3, 0))
	}
	for range 600 {
		w.Step(worldtest.DT)
	}
	if w.Stats().Awake != 0 {
		t.Fatal("awake")
	}
	w.Add(geom.V(2, 1.495), geom.NewBox(0.3, 0.5)) // touches one of them
	where := map[uint64]geom.Transform{}
	for b := range w.Bodies() {
		where[uint64(b.ID())] = w.Pose(b)
	}
	w.Step(worldtest.DT)
	asleep := 1
	if on.Body.Type == quarry.Dynamic { // the carrier wakes, too
		asleep = 0
	}
	if s := w.Stats(); s.Awake != s.Bodies-asleep {
		t.Fatalf("%d of %d awake", s.Awake, s.Bodies)
	}
	for _, c := range w.AppendContacts(nil) {
		if c.Ground == 0 {
			continue
		}
		s, _ := w.Shape(c.ShapeB)
		at := where[uint64(s.Body().ID())]
		for _, p := range c.Points[:c.N] {
			lowest := math.MaxFloat64 // corner near the point
			for _, v := range []geom.Vec{{X: -0.5, Y: -0.5}, {X: 0.5, Y: -0.5}} {
				if q := at.Apply(v); math.Abs(q.X-w.Carrier.LocalPoint(p.Point).X) < 0.1 {
					lowest = q.Y
				}
			}
			if math.Abs(p.Separation-lowest) > 1e-12+on.Slop() {
				t.Errorf("%v: separation %v, its corner is at %v", at.P, p.Separation, lowest)
			}
		}
	}
}
