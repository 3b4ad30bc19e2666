package solid_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestNothingFallsThrough is law 3 of contact: any shape, thrown at any ground at up to
// MaxSpeed, stays out of the ground, and its state stays finite.
func TestNothingFallsThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		on := worldtest.DrawFixedCarrier(t) // shapes strewn at random hold to no others
		w := on.NewSite()
		g := w.AddGround(t)
		const wide = 12
		// A closed room, one cell thick, with shapes strewn on its floor.
		full := gridseg.Tile{Shape: gridseg.Full}
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -1, MinY: -1, MaxX: wide, MaxY: -1}, full))
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -1, MinY: wide, MaxX: wide, MaxY: wide}, full))
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -1, MinY: 0, MaxX: -1, MaxY: wide - 1}, full))
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: wide, MinY: 0, MaxX: wide, MaxY: wide - 1}, full))
		for x := range int32(wide) {
			shape := gridseg.ShapeID(rapid.IntRange(0, int(gridseg.SlopeHigh)).Draw(t, "shape"))
			turn := gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn"))
			if shape != 0 {
				worldtest.Must(t, g.Set(x, int32(rapid.IntRange(0, 3).Draw(t, "y")),
					gridseg.Tile{Shape: shape, Turn: turn}))
			}
		}
		var all []quarry.Body
		for range rapid.IntRange(1, 6).Draw(t, "bodies") {
			size := rapid.Float64Range(0.1, 0.6).Draw(t, "size")
			p := geom.V(rapid.Float64Range(1, wide-1).Draw(t, "px"), rapid.Float64Range(5, wide-1).Draw(t, "py"))
			b := worldtest.AddAny(t, w, p, size)
			all = append(all, b)
		}
		for range 240 {
			w.Step(worldtest.DT)
			for _, b := range all {
				p := w.Position(b)
				if !p.IsFinite() || p.X < -0.2 || p.X > wide+0.2 || p.Y < -0.2 || p.Y > wide+0.2 {
					t.Fatalf("left the room at step %d: %v, velocity %v", w.StepCount(), p, w.Velocity(b))
				}
				// MaxSpeed is a speed in the world; this one is relative to the carrier.
				if v := w.Velocity(b).Len(); !(v <= quarry.MaxSpeed*1.01+on.Body.Velocity.Len()) {
					t.Fatalf("exploded at step %d: speed %v", w.StepCount(), v)
				}
			}
		}
		for _, b := range all {
			if v := w.Velocity(b).Len(); v > 20 {
				t.Fatalf("still at speed %v after four seconds", v)
			}
		}
	})
}
