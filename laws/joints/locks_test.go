package joints_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// locked adds a box of half sides 0.5 with locks, without friction if the material is ice.
func locked(w *quarry.World, d quarry.BodyDef, density float64, m quarry.MaterialID) quarry.Body {
	d.Type = quarry.Dynamic
	return worldtest.AddBody(w, d, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: density, Material: m})
}

// TestLockHoldsUnderForce: a body that a force presses against one with a locked axis stops there, and sinks in no
// deeper than into a wall but for the slop of the passes; the locked body does not move at all.
func TestLockHoldsUnderForce(t *testing.T) {
	for _, ratio := range []float64{0.1, 1, 10, 100} {
		w := quarry.NewWorld(quarry.Config{NoSleep: true})
		ice := w.AddMaterial(quarry.Material{})
		post := locked(w, quarry.BodyDef{LockX: true}, 1, ice)
		pusher := locked(w, quarry.BodyDef{Position: geom.V(-1.1, 0), FixedRotation: true}, ratio, ice)
		for range 600 {
			pusher.ApplyForceToCenter(geom.V(10*ratio, 0))
			w.Step(worldtest.DT)
		}
		depth := 1 - (post.Position().X - pusher.Position().X)
		if post.Position().X != 0 || math.Abs(pusher.Velocity().X) > 0.01 || depth > 0.02 || depth < -0.01 {
			t.Errorf("ratio %v: the post is at %v, the pusher moves at %v and is %v deep", ratio, post.Position(),
				pusher.Velocity(), depth)
		}
	}
}

// TestLockHoldsOnSlope: a ball that may move only along y stays on a slope without friction: the lock bears the part of
// the slope's force along x.
func TestLockHoldsOnSlope(t *testing.T) {
	w := worldtest.New()
	ice := w.AddMaterial(quarry.Material{})
	_, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(10, 5), geom.V(-10, -5)}, Material: ice})
	worldtest.Must(t, err)
	r := 0.5
	y := r * math.Sqrt(1+0.25)
	ball := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, y), LockX: true},
		geom.Circle{Radius: r}, quarry.ShapeDef{Material: ice})
	free := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(4, y+2)}, geom.Circle{Radius: r},
		quarry.ShapeDef{Material: ice, Mask: 1 << 9})
	free.SetEnabled(false)
	worldtest.Steps(w, 300)
	worldtest.Near(t, "height", ball.Position().Y, y, 0.02)
	if ball.Position().X != 0 || ball.Awake() {
		t.Errorf("at %v, awake %v", ball.Position(), ball.Awake())
	}
}

// TestLockBearsStack: a shelf that is locked along y and against turning bears a stack as a floor does, while it slides
// along x.
func TestLockBearsStack(t *testing.T) {
	w := worldtest.New()
	shelf := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, LockY: true, FixedRotation: true},
		geom.NewBox(3, 0.5), quarry.ShapeDef{})
	var stack []quarry.Body
	for k := range 6 {
		stack = append(stack, locked(w, quarry.BodyDef{Position: geom.V(0, 1+float64(k))}, 1, 0))
	}
	worldtest.Steps(w, 600)
	for k, b := range stack {
		worldtest.Near(t, "height in the stack", b.Position().Y, 1+float64(k), 0.05)
		if b.Awake() {
			t.Errorf("box %d is awake", k)
		}
	}
	if shelf.Position().Y != 0 {
		t.Errorf("the shelf is at %v", shelf.Position())
	}
	shelf.ApplyImpulseToCenter(geom.V(0.5*shelf.Mass(), 100))
	if shelf.Velocity() != geom.V(0.5, 0) {
		t.Errorf("velocity %v", shelf.Velocity())
	}
	worldtest.Steps(w, 240)
	// Momentum along x: the shelf and the boxes come to move as one.
	v := 0.5 * shelf.Mass() / (shelf.Mass() + 6)
	worldtest.Near(t, "velocity of the shelf", shelf.Velocity().X, v, 0.02)
	worldtest.Near(t, "velocity of the top box", stack[5].Velocity().X, v, 0.02)
	if shelf.Position().Y != 0 {
		t.Errorf("the shelf is at %v", shelf.Position())
	}
}

// TestLocksOfAWheel: a body that may only turn, turns by its torque; one of fixed rotation that is locked does not
// move.
func TestLocksOfAWheel(t *testing.T) {
	w := worldtest.New()
	wheel := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, LockX: true, LockY: true},
		geom.Circle{Radius: 1}, quarry.ShapeDef{})
	rock := locked(w, quarry.BodyDef{Position: geom.V(10, 0), LockX: true, LockY: true, FixedRotation: true}, 1, 0)
	for range 60 {
		wheel.ApplyTorque(3)
		wheel.ApplyForce(geom.V(2, 5), geom.V(0.5, 0)) // a torque of 2.5
		rock.ApplyForce(geom.V(200, 500), geom.V(10.5, 0))
		w.Step(worldtest.DT)
	}
	worldtest.Near(t, "spin", wheel.AngularVelocity(), 5.5/wheel.Inertia(), 1e-4)
	if wheel.Position() != (geom.Vec{}) || rock.Position() != geom.V(10, 0) || rock.Angle() != 0 {
		t.Errorf("at %v and %v, %v", wheel.Position(), rock.Position(), rock.Angle())
	}
	// Unlocked, they fall.
	wheel.SetLocks(false, false, false)
	rock.SetLocks(true, false, true)
	worldtest.Steps(w, 30)
	worldtest.Near(t, "velocity of the wheel", wheel.Velocity().Y, -5, 1e-4)
	worldtest.Near(t, "velocity of the rock", rock.Velocity().Y, -5, 1e-4)
}

// TestLockStopsImpact: a heavy body that flies into a light one with a locked axis is stopped, and throws nothing.
func TestLockStopsImpact(t *testing.T) {
	for _, ratio := range []float64{1, 10, 100} {
		w := quarry.NewWorld(quarry.Config{NoSleep: true})
		ice := w.AddMaterial(quarry.Material{})
		post := locked(w, quarry.BodyDef{LockX: true}, 1, ice)
		shot := locked(w, quarry.BodyDef{Position: geom.V(-3, 0), Velocity: geom.V(40, 0), FixedRotation: true}, ratio,
			ice)
		fastest := 0.0
		deepest := 0.0
		for k := range 120 {
			w.Step(worldtest.DT)
			deepest = max(deepest, 1-(post.Position().X-shot.Position().X))
			if k > 10 {
				fastest = max(fastest, math.Abs(shot.Velocity().X))
			}
		}
		if post.Position().X != 0 || fastest > 1 || deepest > 0.3 {
			t.Errorf("ratio %v: post at %v, the shot moves at %v after the impact, was %v deep", ratio, post.Position(),
				fastest, deepest)
		}
	}
}

// TestLockedBounce: a ball that bounces off a locked body leaves it as a wall, with its restitution. When locks took
// their share of the bounce at the end of the step, a ball of mass m left a locked body of mass M with M/(M+m) of the
// speed.
func TestLockedBounce(t *testing.T) {
	for _, ratio := range []float64{0.01, 1, 100, 1000} {
		for _, e := range []float64{0.5, 1} {
			for _, shape := range []geom.Shape{geom.Circle{Radius: 0.5}, geom.NewBox(0.5, 0.5)} {
				w := quarry.NewWorld(quarry.Config{NoSleep: true})
				rubber := w.AddMaterial(quarry.Material{Restitution: e, RestitutionMix: quarry.MixMax})
				post := locked(w, quarry.BodyDef{LockX: true, LockY: true, FixedRotation: true}, 1, rubber)
				ball := worldtest.AddBody(w, quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(-2, 0), Velocity: geom.V(10, 0),
				}, shape, quarry.ShapeDef{Density: ratio, Material: rubber})
				worldtest.Steps(w, 30)
				worldtest.Near(t, "velocity", ball.Velocity().X, -10*e, 0.01)
				if post.Velocity() != (geom.Vec{}) || math.Abs(ball.Velocity().Y)+
					math.Abs(ball.AngularVelocity()) > 1e-4 {
					t.Errorf("ratio %v: post %v, ball %v, spin %v", ratio, post.Velocity(), ball.Velocity(),
						ball.AngularVelocity())
				}
			}
		}
	}
}

// TestBounceKeepsEnergy: a ball with a restitution of 1 that hits a body anywhere, which is locked in any way, or held
// by a joint of any kind, leaves the energy as it was, to 3%. (A body on a hinge turns during the step.)
func TestBounceKeepsEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{NoSleep: true, Workers: 1})
		rubber := w.AddMaterial(quarry.Material{
			Restitution: 1, RestitutionMix: quarry.MixMax,
			FrictionMix: quarry.MixMin,
		})
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
		mass := func(name string) float64 { return math.Pow(10, f(-1, 1, name)) }
		d := quarry.BodyDef{Type: quarry.Dynamic, Angle: f(-1, 1, "angle"), FixedRotation: flag("rotation")}
		joint := rapid.IntRange(0, 4).Draw(t, "joint")
		if joint == 0 {
			d.LockX, d.LockY = flag("x"), flag("y")
		}
		plate := worldtest.AddBody(w, d, geom.NewBox(2, 0.3), quarry.ShapeDef{Density: mass("plate"), Material: rubber})
		base := w.JointAlong(0, plate.ID(), geom.V(f(-1, 1, "anchor x"), f(-1, 1, "anchor y")),
			geom.NewRot(f(-3, 3, "line")).Apply(geom.V(1, 0)))
		switch joint {
		case 1:
			w.AddJoint(quarry.RevoluteJoint{JointBase: base})
		case 2:
			w.AddJoint(quarry.PrismaticJoint{JointBase: base})
		case 3:
			w.AddJoint(quarry.WeldJoint{JointBase: base})
		case 4:
			base.FrameA.Position = base.FrameA.Position.Add(geom.V(3, 0))
			w.AddJoint(quarry.DistanceJoint{JointBase: base})
		}
		ball := worldtest.AddBody(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(f(-1.5, 1.5, "ball x"), 4), Velocity: geom.V(0, -10),
		}, geom.Circle{Radius: 0.3}, quarry.ShapeDef{Density: mass("ball"), Material: rubber})
		energy := func() (e float64) {
			for _, b := range []quarry.Body{plate, ball} {
				e += 0.5*b.Mass()*b.Velocity().Len2() + 0.5*b.Inertia()*b.AngularVelocity()*b.AngularVelocity()
			}
			return e
		}
		first := energy()
		for range 60 {
			w.Step(worldtest.DT)
			if len(w.Hits()) > 0 {
				if e := energy(); e > 1.03*first || e < 0.97*first || joint == 0 && e < 0.999*first {
					t.Fatalf("energy %v, was %v", e, first)
				}
				return
			}
		}
	})
}

// TestWeldBouncesAsOneBody: a bar that is welded of two halves bounces off a ball with a restitution of 1 as one body
// does.
func TestWeldBouncesAsOneBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		angle, density := f(-0.7, 0.7, "angle"), math.Pow(10, f(-1, 1, "density"))
		// not at the weld, where it hits both
		x := f(0.5, 3.5, "ball") * rapid.SampledFrom([]float64{-1, 1}).Draw(t, "half")
		var got [2][3]float64
		for k := range got {
			w := quarry.NewWorld(quarry.Config{NoSleep: true, Workers: 1})
			rubber := w.AddMaterial(quarry.Material{
				Restitution: 1, RestitutionMix: quarry.MixMax,
				FrictionMix: quarry.MixMin,
			})
			q, d := geom.NewRot(angle), quarry.ShapeDef{Material: rubber}
			if k == 0 {
				worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Angle: angle}, geom.NewBox(4, 0.3), d)
			} else {
				var halves [2]quarry.BodyID
				for i, at := range []float64{-2, 2} {
					halves[i] = worldtest.AddBody(w, quarry.BodyDef{
						Type:     quarry.Dynamic,
						Position: q.Apply(geom.V(at, 0)), Angle: angle,
					}, geom.NewBox(2, 0.3), d).ID()
				}
				w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(halves[0], halves[1], geom.Vec{})})
			}
			ball := worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: q.Apply(geom.V(x, 2)), Velocity: q.Apply(geom.V(0, -10)),
			}, geom.Circle{Radius: 0.3}, quarry.ShapeDef{Density: density, Material: rubber})
			for range 30 {
				w.Step(worldtest.DT)
			}
			v := q.Inv(ball.Velocity())
			var energy float64
			for b := range w.Bodies() {
				energy += 0.5*b.Mass()*b.Velocity().Len2() + 0.5*b.Inertia()*b.AngularVelocity()*b.AngularVelocity()
			}
			got[k] = [3]float64{v.X, v.Y, energy / (50 * ball.Mass())}
		}
		for k, most := range []float64{0.02, 0.03, 0.005} {
			if math.Abs(got[1][k]-got[0][k]) > most {
				t.Fatalf("the ball leaves with velocity and share of the energy %v, and off one body %v", got[1],
					got[0])
			}
		}
	})
}

// TestLocksAddNoEnergy: whatever is locked in a heap that falls, the energy does not rise, and no body moves along a
// locked axis by a bit.
func TestLocksAddNoEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true, Workers: 1})
		worldtest.Floor(t, w, gridseg.Rect{MinX: -8, MinY: -1, MaxX: 12, MaxY: -1})
		n := rapid.IntRange(1, 8).Draw(t, "bodies")
		var all []quarry.Body
		var at []geom.Vec
		for i := range n {
			b := worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(1.3*float64(i%3), 1+1.5*float64(i/3)),
				Angle:    rapid.Float64Range(-1, 1).Draw(t, "angle"),
				Velocity: worldtest.DrawVec(t, "v", 5),
				LockX:    rapid.Bool().Draw(t, "x"), LockY: rapid.Bool().Draw(t, "y"),
			}, geom.NewBox(0.5, 0.4), quarry.ShapeDef{Density: math.Pow(10, rapid.Float64Range(-1, 1).Draw(t,
				"density"))})
			all, at = append(all, b), append(at, b.CenterOfMass())
		}
		energy := func() (e float64) {
			for _, b := range all {
				e += b.Mass()*(0.5*b.Velocity().Len2()+10*b.CenterOfMass().Y) +
					0.5*b.Inertia()*b.AngularVelocity()*b.AngularVelocity()
			}
			return e
		}
		first := energy()
		for step := range 240 {
			w.Step(worldtest.DT)
			if e := energy(); e > first+0.02*math.Abs(first) {
				t.Fatalf("step %d: the energy is %v, and was %v", step, e, first)
			}
			for i, b := range all {
				d := b.Def()
				if c := b.CenterOfMass(); d.LockX && (c.X != at[i].X || b.Velocity().X != 0) ||
					d.LockY && (c.Y != at[i].Y || b.Velocity().Y != 0) {
					t.Fatalf("step %d: body %d has moved to %v, and moves at %v", step, i, c, b.Velocity())
				}
			}
		}
	})
}

// TestSnapshotOfLocks: a world with locks and a disabled body goes on from its snapshot with the same bits.
func TestSnapshotOfLocks(t *testing.T) {
	w, z := worldtest.New(), worldtest.New()
	worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, LockY: true, FixedRotation: true, SleepSpeed: 0.01},
		geom.NewBox(3, 0.5), quarry.ShapeDef{})
	for k := range 4 {
		locked(w, quarry.BodyDef{Position: geom.V(0.1*float64(k), 1+float64(k)), LockX: k == 2, GravityScale: 2}, 1,
			0).SetName("box")
	}
	locked(w, quarry.BodyDef{Position: geom.V(0, 20), Disabled: true}, 1, 0)
	worldtest.Steps(w, 50)
	worldtest.Must(t, z.Restore(w.AppendSnapshot(nil)))
	for step := range 100 {
		if w.Hash() != z.Hash() {
			t.Fatalf("step %d: other hashes", step)
		}
		w.Step(worldtest.DT)
		z.Step(worldtest.DT)
	}
}

// TestLockedVelocity: a body has no velocity along a locked axis, also right after its centre of mass has moved while
// it spins.
func TestLockedVelocity(t *testing.T) {
	for name, change := range map[string]func(w *quarry.World, b quarry.Body){
		"mass": func(_ *quarry.World, b quarry.Body) {
			b.SetMass(geom.Mass{Mass: 2, Inertia: 1, Center: geom.V(1, 1)})
		},
		"shape": func(w *quarry.World, b quarry.Body) {
			w.AddShape(b.ID(), geom.Circle{Center: geom.V(2, 1), Radius: 1}, quarry.ShapeDef{})
		},
	} {
		w := worldtest.New()
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, LockX: true, AngularVelocity: 3},
			geom.Circle{Radius: 1}, quarry.ShapeDef{})
		if change(w, b); b.Velocity().X != 0 || b.Velocity().Y == 0 {
			t.Errorf("%s: the velocity is %v", name, b.Velocity())
		}
	}
}
