package solid_test

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestJammed is law 3 of contact: a body jammed in solid, with no room for it nearby, is
// reported as crushed once, and again only after it has been free. It was held or pushed
// about without a report.
func TestJammed(t *testing.T) {
	for _, pocket := range []gridseg.Rect{{}, {MaxX: 1}, {MaxX: 20}, {MaxY: 20}, {MaxX: 1, MaxY: 1}} {
		for name, s := range map[string]geom.Shape{
			"box": geom.NewBox(0.8, 0.8), "big box": geom.NewBox(3, 3), "circle": geom.Circle{Radius: 0.9},
			"plank": geom.NewBox(2, 0.6), "thin plank": geom.NewBox(2, 0.1),
		} {
			for _, angle := range []float64{0, 0.5} {
				w := worldtest.New()
				g := worldtest.Floor(t, w, gridseg.Rect{MinX: -30, MinY: -30, MaxX: 30, MaxY: 30})
				if err := g.Fill(pocket, gridseg.Tile{}); err != nil {
					t.Fatal(err)
				}
				b := worldtest.Add(w, geom.V(0.5, 0.5), s)
				b.SetTransform(geom.V(0.5, 0.5), angle)
				told := 0
				var last geom.Vec
				for range 300 {
					last = b.Position()
					w.Step(worldtest.DT)
					for _, id := range w.Crushed() {
						if id != b.ID() {
							t.Fatalf("crushed: %v", id)
						}
						told++
					}
				}
				deep := worldtest.Buried(g, b) > 0.01
				moves := b.Position().Dist(last) > 0.2*worldtest.DT // slides along a tunnel that is too narrow for it
				if deep && !moves && told != 1 || !deep && told > 0 || told > 1 {
					t.Errorf("%s at %v in %v: %.3g deep at %v, told of %d times", name, angle, pocket, worldtest.Buried(g, b), b.Position(), told)
				}
				if told == 0 {
					continue
				}
				// It is reported again after it has been free.
				if err := g.Fill(gridseg.Rect{MinX: -25, MinY: -25, MaxX: 25, MaxY: 25}, gridseg.Tile{}); err != nil {
					t.Fatal(err)
				}
				for range 20 {
					w.Step(worldtest.DT)
					if len(w.Crushed()) > 0 {
						t.Errorf("%s at %v in %v: crushed in the open", name, angle, pocket)
					}
				}
				if b.Velocity().Y > -1 {
					t.Errorf("%s at %v in %v: not free: %v", name, angle, pocket, b.Velocity())
				}
				if err := g.Fill(gridseg.Rect{MinX: -45, MinY: -45, MaxX: 45, MaxY: 45}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatal(err)
				}
				again := 0
				for range 60 {
					w.Step(worldtest.DT)
					again += len(w.Crushed())
				}
				if again != 1 {
					t.Errorf("%s at %v in %v: told of %d times when it was buried again", name, angle, pocket, again)
				}
			}
		}
	}
}
