package quarry_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestBlastOfTilesAsOfBox: an explosion, and wind, push a block of tiles that is in reach as a whole as they push a box
// of the same outline, to 1e-6 (geom.Distance finds the nearest point on a face that is nearly square to the direction
// to 1e-7 of the size): from outside and inside, near and in the falloff, turned, moving and far away.
func TestBlastOfTilesAsOfBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		far := rapid.SampledFrom([]float64{0, 1e5}).Draw(t, "far")
		origin := geom.V(far, -far)
		turn := rapid.Float64Range(-3, 3).Draw(t, "angle")
		wide, high := rapid.Int32Range(1, 6).Draw(t, "wide"), rapid.Int32Range(1, 6).Draw(t, "high")
		half := geom.V(float64(wide), float64(high)).Mul(0.5)
		at := origin.Add(drawPoint(t, "at", 6))
		raft := addRaft(t, w, at.Sub(geom.NewRot(turn).Apply(half)), turn, wide, high)
		box := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: turn},
			geom.NewBox(half.X, half.Y), quarry.ShapeDef{})
		v, spin := drawPoint(t, "velocity", 5), rapid.Float64Range(-5, 5).Draw(t, "spin")
		bodies := [2]quarry.Body{raft.Body(), box}
		for _, b := range bodies {
			b.SetVelocity(v)
			b.SetAngularVelocity(spin)
		}
		tolerance := 1e-6
		same := func(what string) {
			t.Helper()
			a, b := bodies[0], bodies[1]
			if a.Velocity().Dist(b.Velocity()) > tolerance ||
				math.Abs(a.AngularVelocity()-b.AngularVelocity()) > tolerance {
				t.Fatalf("%s: tiles have %v, %v, the box %v, %v", what, a.Velocity(), a.AngularVelocity(), b.Velocity(),
					b.AngularVelocity())
			}
		}
		in := geom.NewRot(turn).Inv(origin.Sub(at))
		outside := max(math.Abs(in.X)-half.X, math.Abs(in.Y)-half.Y)
		if at.Dist(origin) > 1e-3 && math.Abs(outside) > 0.01 { // it has a direction, and is clearly in or out
			w.Explode(quarry.ExplosionDef{
				Center: origin, Radius: rapid.Float64Range(0, 8).Draw(t, "radius"),
				Falloff: 20, ImpulsePerLength: 1.5,
			})
			same("explosion")
		}
		wind, drag, lift := drawPoint(t, "wind", 9), rapid.Float64Range(0, 2).Draw(t, "drag"), rapid.Float64Range(0,
			2).Draw(t, "lift")
		raft.ApplyWind(wind, drag, lift)
		for s := range box.Shapes() {
			s.ApplyWind(wind, drag, lift)
		}
		before := bodies[0].Velocity()
		box.SetTransform(at.Add(geom.V(50, 0)), turn) // apart, or the two collide
		w.Step(worldtest.DT)
		if drag > 0.01 && wind.Len() > 0.1 && bodies[0].Velocity() == before && v.Dist(wind) > 0.1 {
			t.Fatal("the wind does nothing")
		}
		same("wind")
	})
}

// TestBlastFollowsReach: of a long raft, the part of the outline counts that is within reach and faces the centre: the
// chord of the disc, less gaps; tiles out of reach and behind the others change nothing.
func TestBlastFollowsReach(t *testing.T) {
	for _, long := range []int32{40, 400} {
		for _, c := range []struct {
			name string
			dig  gridseg.Rect
			want float64 // of the chord
		}{
			{"whole", gridseg.Rect{MinX: 1, MaxX: 0}, 6}, // radius 5, 4 above: a chord of 6
			{"a gap", gridseg.Rect{MinX: long/2 + 1, MaxX: long/2 + 1, MaxY: 1}, 5},
			// its bottom is 5.1 away
			{"a groove", gridseg.Rect{MinX: long/2 + 1, MaxX: long/2 + 1, MinY: 1, MaxY: 1}, 5},
			{"behind", gridseg.Rect{MinX: long / 2, MaxX: long / 2, MinY: 0, MaxY: 0}, 6},
		} {
			w := quarry.NewWorld(quarry.Config{})
			raft := addRaft(t, w, geom.V(-float64(long)/2, -2), 0, long, 2)
			if !c.dig.Empty() {
				worldtest.Must(t, raft.Fill(c.dig, gridseg.Tile{}))
			}
			if c.name == "a gap" {
				worldtest.Must(t, raft.Fill(gridseg.Rect{MinX: c.dig.MinX, MaxX: c.dig.MinX, MinY: 0, MaxY: 0},
					gridseg.Tile{}))
			}
			b := raft.Body()
			w.Explode(quarry.ExplosionDef{Center: geom.V(0, 4), Radius: 5, ImpulsePerLength: 2})
			want := -2 * c.want
			if got := b.Velocity().Y * b.Mass(); math.Abs(got-want) > 1e-9 || math.Abs(b.Velocity().X) > 1e-12 {
				t.Errorf("%s of %d: impulse %v, %v, want %v", c.name, long, b.Velocity().X*b.Mass(), got, want)
			}
		}
	}
	w := quarry.NewWorld(quarry.Config{})
	raft := addRaft(t, w, geom.V(-2, -2), 0, 4, 2)
	w.Explode(quarry.ExplosionDef{Center: geom.V(0, 9), Radius: 5, ImpulsePerLength: 2})
	if raft.Body().Velocity() != (geom.Vec{}) {
		t.Error("out of reach")
	}
	wall := worldtest.AddGround(t, w, 0)
	worldtest.Must(t, wall.Fill(gridseg.Rect{MinX: -5, MinY: 2, MaxX: 5, MaxY: 2}, gridseg.Tile{Shape: gridseg.Full}))
	w.Explode(quarry.ExplosionDef{Center: geom.V(0, 4), Radius: 9, ImpulsePerLength: 2, Shielded: true})
	if raft.Body().Velocity() != (geom.Vec{}) {
		t.Error("behind a wall")
	}
	w.Explode(quarry.ExplosionDef{
		Center: geom.V(0, 4), Radius: 9, ImpulsePerLength: 2,
		Filter: quarry.QueryFilter{Except: raft.Body().ID()},
	})
	if raft.Body().Velocity() != (geom.Vec{}) {
		t.Error("left out by the filter")
	}
}
