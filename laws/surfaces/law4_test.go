package surfaces_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestNeighboursKeepImpulses is law 4 of contact: an edit nearby takes no impulse from a
// resting contact.
func TestNeighboursKeepImpulses(t *testing.T) {
	worldtest.OnCarriers(t, neighboursKeepImpulses)
}

func neighboursKeepImpulses(t *testing.T, on worldtest.Carrier) {
	w := on.NewSiteOf(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	g := w.Floor(t, gridseg.Rect{MinX: -5, MinY: -4, MaxX: 5, MaxY: -1})
	b := w.Add(geom.V(0.5, 0.8), geom.NewBox(0.8, 0.8))
	worldtest.Steps(w.World, 120)
	before := w.AppendContacts(nil)
	for _, x := range []int32{2, -2, 3} {
		if err := g.Clear(x, -1); err != nil {
			t.Fatal(err)
		}
		w.Step(worldtest.DT)
		after := w.AppendContacts(nil)
		if len(after) != 1 || after[0].N != 2 {
			t.Fatalf("contacts: %+v", after)
		}
		for k := range 2 {
			worldtest.Near(t, "impulse", after[0].Points[k].NormalImpulse, before[0].Points[k].NormalImpulse, 1e-4)
		}
	}
	worldtest.Near(t, "height", w.Position(b).Y, 0.8, 2*geom.LinearSlop)
	if n := len(w.ContactBegins()) + len(w.ContactEnds()); n != 0 {
		t.Errorf("%d contacts began or ended", n)
	}
}

// TestEditsUnderSliders is law 4 of contact in motion: a sliding body does not feel
// edits. Tiles are set and cleared ahead of it, behind it, beside it and deep below, and
// the tile under it is set again.
func TestEditsUnderSliders(t *testing.T) {
	worldtest.OnFixedCarriers(t, editsUnderSliders) // a dynamic ground breaks where the edits cut it
}

func editsUnderSliders(t *testing.T, on worldtest.Carrier) {
	for _, s := range []geom.Shape{
		geom.NewBox(0.5, 0.5),
		geom.Circle{Radius: 0.5},
		geom.NewRoundedBox(0.3, 0.3, 0.2),
		geom.NewBox(6, 0.5), geom.NewBox(0.05, 0.5),
	} {
		for _, speed := range []float64{0.7, 9.7, 60} {
			run := func(edits bool) []geom.Vec {
				w := on.NewSite()
				ice := w.AddMaterial(quarry.Material{})
				full := gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}
				g := w.Floor(t, gridseg.Rect{MinX: -70, MinY: -3, MaxX: 70, MaxY: -1})
				if err := g.Fill(gridseg.Rect{MinX: -70, MinY: -1, MaxX: 70, MaxY: -1}, full); err != nil {
					t.Fatal(err)
				}
				b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-50, 0.5), Velocity: geom.V(speed,
					0)}, s, quarry.ShapeDef{Material: ice})
				var path []geom.Vec
				for i := range 100 {
					if edits {
						box := w.Bounds(b)
						lo, hi := int32(math.Floor(box.Min.X)), int32(math.Floor(box.Max.X+speed*worldtest.DT))
						mid := int32(math.Floor(w.Position(b).X))
						other := gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice), User: uint32(i)}
						for _, err := range []error{
							g.Set(mid, -1, other), g.Set(hi, -1, other),
							g.Set(hi+2, -1, gridseg.Tile{}), g.Set(hi+2, -1, full),
							g.Set(lo-2, -1, gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(i % 8)}),
							g.Set(mid, -2, gridseg.Tile{}), g.Set(hi+1, -2, gridseg.Tile{}),
							g.Set(lo-2, 0, full), g.Set(hi+3, 2, full),
						} {
							if err != nil {
								t.Fatal(err)
							}
						}
						if err := g.Set(hi+3, 2, gridseg.Tile{}); err != nil {
							t.Fatal(err)
						}
					}
					w.Step(worldtest.DT)
					path = append(path, w.Position(b), w.Velocity(b), geom.V(b.AngularVelocity(), 0))
				}
				return path
			}
			a, b := run(false), run(true)
			for i := range a {
				if a[i].Dist(b[i]) > 1e-6 {
					t.Errorf("%T at %v: step %d: %v, without edits %v", s, speed, i/3, b[i], a[i])
					break
				}
			}
		}
	}
}
