package solid_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// marbles returns 2,000 discs on a floor, after so many steps that they lie still.
func marbles(t testing.TB) *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	worldtest.Floor(t, w, gridseg.Rect{MinX: 0, MinY: -3, MaxX: 1199, MaxY: -1})
	for i := range 2000 {
		worldtest.Add(w, geom.V(1+0.59*float64(i), 0.25), geom.Circle{Radius: 0.25})
	}
	for range 60 {
		w.Step(worldtest.DT)
	}
	return w
}

// addFarGrounds adds n grounds of four tiles each, far from the marbles.
func addFarGrounds(t testing.TB, w *quarry.World, n int) {
	for i := range n {
		grid := gridseg.New(nil)
		for x := range int32(4) {
			if err := grid.Set(20*int32(i%50)+x, 1000+10*int32(i/50), gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
			t.Fatal(err)
		}
	}
}

// addFarMovers adds n kinematic boxes that turn, far from the marbles.
func addFarMovers(w *quarry.World, n int) {
	for i := range n {
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Kinematic, Position: geom.V(20*float64(i%50), 1000+10*float64(i/50)), AngularVelocity: 1,
		})
		w.AddShape(id, geom.NewBox(2, 0.5), quarry.ShapeDef{})
	}
}

// TestFarObstacles: grounds and kinematic bodies far from all others make no contacts.
// Each of 1,000 grounds had a contact with each of 2,000 marbles, and a step took 141 ms
// instead of 1.
func TestFarObstacles(t *testing.T) {
	w := marbles(t)
	before := w.Stats().Contacts
	addFarGrounds(t, w, 1000)
	addFarMovers(w, 1000)
	w.Step(worldtest.DT)
	if n := w.Stats().Contacts; n != before {
		t.Errorf("%d contacts, %d before the far grounds and movers", n, before)
	}
}

func BenchmarkFarObstacles(b *testing.B) {
	for _, c := range []struct {
		name string
		add  func(*quarry.World)
	}{
		{"none", func(*quarry.World) {}},
		{"1000 grounds", func(w *quarry.World) { addFarGrounds(b, w, 1000) }},
		{"1000 movers", func(w *quarry.World) { addFarMovers(w, 1000) }},
		{"1000 movers alone", nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
			if c.add == nil {
				addFarMovers(w, 1000)
			} else {
				w = marbles(b)
				c.add(w)
			}
			w.Step(worldtest.DT)
			b.ReportAllocs()
			for b.Loop() {
				w.Step(worldtest.DT)
			}
		})
	}
}
