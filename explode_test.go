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

// TestExplosion: the impulse is the length of the shadow times the falloff, along the line from the
// centre; by hand, with the outline of each shape in small parts.
func TestExplosion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		g := worldtest.DrawShape(t, rapid.Float64Range(0.2, 2).Draw(t, "size"))
		far := rapid.SampledFrom([]float64{0, 1e6}).Draw(t, "far")
		at := drawPoint(t, "at", 6).Add(geom.V(far, far))
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: rapid.Float64Range(-3,
			3).Draw(t, "angle"), Asleep: true}, g, quarry.ShapeDef{})
		if b.CenterOfMass().Dist(geom.V(far, far)) < 1e-6 {
			return // it has no direction
		}
		d := quarry.ExplosionDef{Center: geom.V(far, far), Radius: 2, Falloff: 3, ImpulsePerLength: 1.5}
		w.Explode(d)
		p := pieceOf(g, b.Transform())
		gap := signedGap(p, piece{v: []geom.Vec{d.Center}})
		j := b.Velocity().Mul(b.Mass())
		if beyond := gap - (d.Radius + d.Falloff); math.Abs(beyond) < 1e-6 { // at the edge, where roundings decide
			if j.Len() > 1e-5 {
				t.Fatalf("%v away: impulse %v", gap, j)
			}
			return
		} else if beyond > 0 {
			if j != (geom.Vec{}) || b.Awake() {
				t.Fatalf("%v away: impulse %v", gap, j)
			}
			return
		}
		u, l := j.Unit()
		if l == 0 {
			t.Fatalf("%v away: no impulse", gap)
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range p.v {
			x := u.Left().Dot(v.Sub(d.Center))
			lo, hi = min(lo, x-p.r), max(hi, x+p.r)
		}
		want := 1.5 * (hi - lo) * min(1, 1-(gap-d.Radius)/d.Falloff)
		if math.Abs(l-want) > 1e-6 {
			t.Fatalf("impulse %v, by hand %v, %v away", l, want, gap)
		}
		if gap > 1e-6 { // along u, at the distance of the gap, the shape begins
			if d := math.Abs(signedGap(p, piece{v: []geom.Vec{d.Center.MulAdd(gap, u)}})); d > 1e-5 {
				t.Fatalf("the direction %v misses the nearest point by %v", u, d)
			}
		}
		// The torque is the impulse's at the nearest point.
		if spin := d.Center.MulAdd(max(gap, 0), u).Sub(b.CenterOfMass()).Cross(j) / b.Inertia(); gap > 1e-6 &&
			math.Abs(b.AngularVelocity()-spin) > 1e-4*(1+math.Abs(spin)) {
			t.Fatalf("spin %v, by hand %v", b.AngularVelocity(), spin)
		}
	})
}

// TestExplosionChoice: filters, walls, implosions, and bodies that do not move.
func TestExplosionChoice(t *testing.T) {
	w := worldtest.New()
	g := worldtest.AddGround(t, w, 0)
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 2, MinY: -5, MaxX: 2, MaxY: 5}, gridseg.Tile{Shape: gridseg.Full}))
	near := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-2, 0)},
		geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	behind := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(3.5, 0)},
		geom.NewBox(0.5, 0.5), quarry.ShapeDef{Category: 2})
	fixed := worldtest.AddBody(w, quarry.BodyDef{Position: geom.V(0, 3)}, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	moved := func(d quarry.ExplosionDef) (out [2]bool) {
		near.SetVelocity(geom.Vec{})
		behind.SetVelocity(geom.Vec{})
		w.Explode(d)
		if fixed.Velocity() != (geom.Vec{}) {
			t.Error("a static body moves")
		}
		return [2]bool{near.Velocity().X != 0, behind.Velocity().X != 0}
	}
	all := quarry.ExplosionDef{Radius: 9, ImpulsePerLength: 2}
	if got := moved(all); got != [2]bool{true, true} {
		t.Errorf("all: %v", got)
	}
	all.Shielded = true
	if got := moved(all); got != [2]bool{true, false} {
		t.Errorf("shielded: %v", got)
	}
	all.Shielded, all.Filter.Mask = false, 2
	if got := moved(all); got != [2]bool{false, true} {
		t.Errorf("masked: %v", got)
	}
	if got := moved(quarry.ExplosionDef{Radius: 1, ImpulsePerLength: 2}); got != [2]bool{} {
		t.Errorf("small: %v", got)
	}
	moved(quarry.ExplosionDef{Radius: 9, ImpulsePerLength: -2})
	if v := near.Velocity(); !(v.X > 0) || math.Abs(v.X*near.Mass()-2) > 1e-12 {
		t.Errorf("an implosion gives %v", v)
	}
	for name, d := range map[string]quarry.ExplosionDef{
		"Center": {Center: geom.V(math.NaN(), 0)}, "Radius": {Radius: -1}, "Falloff": {Falloff: math.Inf(1)},
		"ImpulsePerLength": {ImpulsePerLength: 1e300},
	} {
		if !panics(func() { w.Explode(d) }) {
			t.Errorf("%s is not refused", name)
		}
	}
	w.Explode(quarry.ExplosionDef{Center: near.CenterOfMass(), Radius: 1, ImpulsePerLength: 1}) // has no direction
	if !near.Velocity().IsFinite() {
		t.Error("an explosion at the centroid")
	}
}

func panics(f func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	f()
	return false
}

// TestWind: a falling circle reaches the speed at which drag balances gravity; a wing rises; a paddle's
// spin decays; and still air moves nothing at rest.
func TestWind(t *testing.T) {
	step := func(w *quarry.World, n int, wind geom.Vec, drag, lift float64) {
		for range n {
			for b := range w.Bodies() {
				for s := range b.Shapes() {
					s.ApplyWind(wind, drag, lift)
				}
			}
			w.Step(1.0 / 240)
		}
	}
	w := worldtest.New()
	ball := worldtest.Add(w, geom.V(0, 0), geom.Circle{Radius: 0.5})
	step(w, 2000, geom.Vec{}, 0.2, 0)
	// m g = drag * 2r * v^2
	if want := math.Sqrt(ball.Mass() * 10 / 0.2); math.Abs(-ball.Velocity().Y-want) > 0.01*want {
		t.Errorf("falls at %v, want %v", -ball.Velocity().Y, want)
	}

	w = quarry.NewWorld(quarry.Config{})
	box := worldtest.Add(w, geom.V(0, 0), geom.NewBox(0.5, 0.25))
	step(w, 1, geom.V(3, 0), 0.1, 0)
	if want := 0.1 * 0.5 * 9 / box.Mass() / 240; math.Abs(box.Velocity().X-want) > 1e-3*want ||
		math.Abs(box.Velocity().Y) > 1e-12 {
		t.Errorf("a box in the wind: %v, want %v", box.Velocity(), want)
	}

	w = quarry.NewWorld(quarry.Config{})
	// its nose, at -x, is up
	wing := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Angle: -0.3}, geom.NewBox(1, 0.02),
		quarry.ShapeDef{})
	step(w, 1, geom.V(5, 0), 0, 1)
	if v := wing.Velocity(); !(v.Y > 0) || math.Abs(v.X) > 1e-3*v.Y {
		t.Errorf("a wing: %v", v)
	}

	w = quarry.NewWorld(quarry.Config{})
	paddle := worldtest.Add(w, geom.V(0, 0), geom.NewBox(1, 0.05))
	paddle.SetAngularVelocity(9)
	was := paddle.AngularVelocity()
	for range 20 {
		step(w, 20, geom.Vec{}, 0.05, 0.05)
		if now := paddle.AngularVelocity(); !(now < was && now > 0) {
			t.Fatalf("spin %v after %v", now, was)
		} else {
			was = now
		}
	}

	w = quarry.NewWorld(quarry.Config{})
	still := worldtest.Add(w, geom.V(0, 0), geom.NewRoundedBox(1, 0.5, 0.1))
	step(w, 5, geom.Vec{}, 5, 5)
	if still.Velocity() != (geom.Vec{}) || still.AngularVelocity() != 0 {
		t.Error("still air moves a body")
	}
	for s := range still.Shapes() {
		for _, x := range [][3]float64{{math.NaN(), 1, 1}, {1, -1, 0}, {1, 0, math.Inf(1)}} {
			if !panics(func() { s.ApplyWind(geom.V(x[0], 0), x[1], x[2]) }) {
				t.Errorf("%v is not refused", x)
			}
		}
		s.ApplyWind(geom.V(1e15, 1e15), 1e15, 1e15)
	}
	w.Step(1.0 / 60)
	if !still.Velocity().IsFinite() {
		t.Error("a storm")
	}
}

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
		raft := worldtest.Raft(t, w, at.Sub(geom.NewRot(turn).Apply(half)), turn, wide, high)
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
			raft := worldtest.Raft(t, w, geom.V(-float64(long)/2, -2), 0, long, 2)
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
	raft := worldtest.Raft(t, w, geom.V(-2, -2), 0, 4, 2)
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
