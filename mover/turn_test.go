package mover_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

// course makes a level turned by an angle about the origin: tiles with steps, ramps, a wall and a ceiling, a platform
// that moves and a crate, and a character on it.
func course(t *rapid.T, angle float64) (*quarry.World, *mover.Character) {
	q := geom.NewRot(angle)
	w := quarry.NewWorld(quarry.Config{Gravity: q.Apply(gravity)})
	id, err := w.AddGround(w.AddBody(quarry.BodyDef{Angle: angle}), quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	block := gridseg.Tile{Shape: gridseg.Full}
	for _, r := range []gridseg.Rect{
		{MinX: -20, MinY: -3, MaxX: 30, MaxY: -1},
		{MinX: 6, MinY: 0, MaxX: 7, MaxY: 0},
		{MinX: 12, MinY: 0, MaxX: 12, MaxY: 5},
		{MinX: -9, MinY: 3, MaxX: -5, MaxY: 3},
		{MinX: -12, MinY: 0, MaxX: -12, MaxY: 4},
	} {
		if err := g.Fill(r, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Set(5, 0, gridseg.Tile{Shape: gridseg.Ramp}); err != nil {
		t.Fatal(err)
	}
	add := func(kind quarry.BodyType, p geom.Vec, s geom.Shape, v geom.Vec) {
		// A crate that is pushed rocks, and so makes ten times as much of a difference in ten steps: it may not turn.
		b := w.AddBody(quarry.BodyDef{
			Type: kind, Position: q.Apply(p), Angle: angle, Velocity: q.Apply(v), FixedRotation: true,
		})
		w.AddShape(b, s, quarry.ShapeDef{})
	}
	add(quarry.Static, geom.V(3, 0.1), geom.NewBox(0.5, 0.1), geom.Vec{})
	add(quarry.Kinematic, geom.V(-2, 0.1), geom.NewBox(1, 0.1), geom.V(0.3, 0))
	add(quarry.Dynamic, geom.V(9.5, 0.4), geom.NewBox(0.4, 0.4), geom.Vec{})
	c := person(q.Apply(geom.V(0.5137, 0.4111)))
	c.Turn, c.Mass, c.MaxForce = angle, 1, 20
	return w, c
}

// TestTurn: in a turned level, a character with the same Turn goes the turned way. What it touches is the same but for
// a step in which a distance is at its threshold.
func TestTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		apart := 0
		angle := rapid.OneOf(rapid.Float64Range(-math.Pi, math.Pi),
			rapid.SampledFrom([]float64{math.Pi / 2, math.Pi, -math.Pi / 2})).Draw(t, "angle")
		q := geom.NewRot(angle)
		w0, c0 := course(t, 0)
		w1, c1 := course(t, angle)
		for range rapid.IntRange(1, 6).Draw(t, "moves") {
			vx, jump := rapid.SampledFrom([]float64{-6.137, -3.291, 0, 2.173, 4.319, 7.071}).Draw(t, "speed"),
				rapid.Bool().Draw(t, "jump")
			for k := range 30 {
				for _, c := range []*mover.Character{c0, c1} {
					turn := geom.NewRot(c.Turn)
					v := turn.Inv(c.Velocity)
					v.X = vx
					if jump && k == 0 && c.OnGround {
						v.Y = 8
					}
					c.Velocity = turn.Apply(v)
				}
				c0.Move(w0, gravity, dt)
				c1.Move(w1, q.Apply(gravity), dt)
				w0.Step(dt)
				w1.Step(dt)
				if apart++; c0.OnGround == c1.OnGround && c0.OnWall == c1.OnWall && c0.OnCeiling == c1.OnCeiling {
					apart = 0
				}
				if d := q.Inv(c1.Position).Dist(c0.Position); d > 1e-4 || apart > 1 {
					t.Fatalf("step %d: at %v, %v, %v, %v from the way of the level that is not turned", k, c0.Position,
						c0.OnGround, c1.OnGround, d)
				}
			}
		}
	})
}
