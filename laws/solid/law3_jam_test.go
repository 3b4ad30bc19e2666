package solid_test

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// jam is a shape in a pocket of solid ground.
type jam struct {
	name   string
	shape  geom.Shape
	angle  float64
	pocket gridseg.Rect

	pushSpeed float64 // Config.PushSpeed
}

// jams returns shapes without a pocket.
func jams() []jam {
	return []jam{
		{name: "box", shape: geom.NewBox(0.8, 0.8)},
		{name: "big box", shape: geom.NewBox(3, 3)},
		{name: "circle", shape: geom.Circle{Radius: 0.9}},
		{name: "plank", shape: geom.NewBox(2, 0.6)},
		{name: "thin plank", shape: geom.NewBox(2, 0.1)},
	}
}

// TestJammed is law 3 of contact: a body jammed in solid, with no room for it nearby, is
// reported as crushed once, and again only after it has been free. It was held or pushed
// about without a report.
func TestJammed(t *testing.T) {
	i := 0
	for _, pocket := range []gridseg.Rect{{}, {MaxX: 1}, {MaxX: 20}, {MaxY: 20}, {MaxX: 1, MaxY: 1}} {
		for _, j := range jams() {
			for _, j.angle = range []float64{0, 0.5} {
				j.pocket = pocket
				for _, on := range worldtest.InTurn(i) {
					j.run(t, on)
				}
				i++
			}
		}
	}
}

func (j jam) run(t *testing.T, on worldtest.Carrier) {
	w := on.NewSiteOf(quarry.Config{Gravity: geom.V(0, -10), PushSpeed: j.pushSpeed})
	name := fmt.Sprintf("%s: %s at %v in %v, PushSpeed %v", on.Name, j.name, j.angle, j.pocket, j.pushSpeed)
	slow, free := 1.0, 0.01 // it takes so many times as long as usual; a body is free at this depth
	if j.pushSpeed != 0 {
		slow = max(1, 3/j.pushSpeed)
		if j.pushSpeed <= 0.05 {
			free = mostOverlap
		}
	}
	g := w.Floor(t, gridseg.Rect{MinX: -30, MinY: -30, MaxX: 30, MaxY: 30})
	worldtest.Must(t, g.Fill(j.pocket, gridseg.Tile{}))
	b := w.Add(geom.V(0.5, 0.5), j.shape)
	w.SetTransform(b, geom.V(0.5, 0.5), j.angle)
	told := 0
	var last geom.Vec
	for range 280 + int(20*slow) {
		last = w.Position(b)
		w.Step(worldtest.DT)
		for _, id := range w.Crushed() {
			if id != b.ID() {
				t.Fatalf("crushed: %v", id)
			}
			told++
		}
	}
	deep := worldtest.Buried(g, b)
	moves := w.Position(b).Dist(last) > 0.2/slow*worldtest.DT // slides along a tunnel that is too narrow for it
	if deep > free && !moves && told != 1 || deep <= free && told > 0 || told > 1 {
		t.Errorf("%s: %.3g deep at %v, told of %d times", name, deep, w.Position(b), told)
	}
	if told == 0 {
		return
	}
	// It is reported again after it has been free.
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -25, MinY: -25, MaxX: 25, MaxY: 25}, gridseg.Tile{}))
	for range 20 {
		w.Step(worldtest.DT)
		if len(w.Crushed()) > 0 {
			t.Errorf("%s: crushed in the open", name)
		}
	}
	if w.Velocity(b).Y > -1 {
		t.Errorf("%s: not free: %v", name, w.Velocity(b))
	}
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -45, MinY: -45, MaxX: 45, MaxY: 45}, gridseg.Tile{Shape: gridseg.Full}))
	again := 0
	for range 60 {
		w.Step(worldtest.DT)
		again += len(w.Crushed())
	}
	if again != 1 {
		t.Errorf("%s: told of %d times when it was buried again", name, again)
	}
}

// TestLeavesThroughGround is law 3 of contact: a ball in a slit that is too narrow for it leaves through the solid
// beside it, however fast the ground moves. The motion of a fast ground was taken for one of the ball in it, and the
// ball was stopped at the wall of the slit.
func TestLeavesThroughGround(t *testing.T) {
	worldtest.OnCarriers(t, func(t *testing.T, on worldtest.Carrier) {
		w := on.NewSite()
		g := w.Floor(t, gridseg.Rect{MinX: -9, MinY: -9, MaxX: 9, MaxY: 9})
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -1, MinY: 0, MaxX: 1, MaxY: 0}, gridseg.Tile{Shape: gridseg.Slab}))
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 3, MinY: -2, MaxX: 6, MaxY: 2}, gridseg.Tile{}))
		b := w.Add(geom.V(0.5, 0.75), geom.Circle{Radius: 0.4})
		w.Steps(300)
		if p := w.Position(b); p.Dist(geom.V(p.X, -1.6)) > 2*geom.LinearSlop || p.X < 3 {
			t.Errorf("at %v, want on the floor of the room", p)
		}
	})
}
