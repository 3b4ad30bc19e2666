package quarry_test

import (
	"bytes"
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// A box slides over tiles, the ground is dug from under it, and it falls.
func Example() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	block := gridseg.Tile{Shape: gridseg.Full}
	if err := ground.Fill(gridseg.Rect{MinX: 0, MinY: -4, MaxX: 19, MaxY: -1}, block); err != nil {
		fmt.Println(err) // bad edits are refused whole, with the cell and the reason
	}

	box := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(2, 0.4), Velocity: geom.V(5, 0)})
	w.AddShape(box, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
	for range 120 {
		w.Step(1.0 / 60)
	}
	body, _ := w.Body(box)
	fmt.Printf("stopped at x = %.1f\n", body.Position().X)

	cell, _ := ground.CellAt(body.Position())
	_ = ground.Fill(gridseg.Rect{MinX: cell.X - 1, MinY: -3, MaxX: cell.X + 1, MaxY: -1}, gridseg.Tile{})
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("lies at y = %.1f\n", body.Position().Y)
	// Output:
	// stopped at x = 4.1
	// lies at y = -2.6
}

// A game draws its sprites at the bodies that moved.
func ExampleWorld_Moves() {
	w := withFloor()
	for i := range 3 {
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(float64(2*i), 0.5+float64(i)),
			User: uint64(i),
		})
		w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	}
	var sprites [3]geom.Transform // by BodyDef.User
	for range 120 {
		w.Step(1.0 / 60)
		for _, m := range w.Moves() {
			sprites[m.User] = m.Transform
		}
	}
	for _, s := range sprites {
		fmt.Printf("x %.1f, y %.1f\n", s.P.X, s.P.Y)
	}
	fmt.Println(len(w.Moves()), "moved: all are asleep")
	// Output:
	// x 0.0, y 0.5
	// x 2.0, y 0.5
	// x 4.0, y 0.5
	// 0 moved: all are asleep
}

// A body of several shapes: a dumbbell, heavier on the right.
func ExampleWorld_AddShape() {
	w := quarry.NewWorld(quarry.Config{})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(10, 0)})
	w.AddShape(id, geom.NewBox(1, 0.1), quarry.ShapeDef{Massless: true})
	w.AddShape(id, geom.NewOffsetBox(0.5, 0.5, geom.V(-1, 0), geom.NewRot(0)), quarry.ShapeDef{})
	w.AddShape(id, geom.NewOffsetBox(0.5, 0.5, geom.V(1, 0), geom.NewRot(0)), quarry.ShapeDef{Density: 3})
	b, _ := w.Body(id)
	fmt.Println("mass", b.Mass(), "centre", b.CenterOfMass())
	// Output: mass 4 centre {10.5 0}
}

// A rocket burns for a second: a force lasts for one step.
func ExampleBody_ApplyForce() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
	w.AddShape(id, geom.NewBox(0.25, 1), quarry.ShapeDef{})
	rocket, _ := w.Body(id)
	for range 60 {
		thrust := rocket.WorldVector(geom.V(0, 15*rocket.Mass())) // along its axis
		rocket.ApplyForce(thrust, rocket.WorldPoint(geom.V(0, -1)))
		w.Step(1.0 / 60)
	}
	fmt.Printf("rises at %.1f units a second\n", rocket.Velocity().Y)
	// Output: rises at 5.0 units a second
}

// A kick at the top of a ball: an impulse acts at once, and turns the ball.
func ExampleBody_ApplyImpulse() {
	w := quarry.NewWorld(quarry.Config{})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
	w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	ball, _ := w.Body(id)
	ball.ApplyImpulse(geom.V(2*ball.Mass(), 0), ball.WorldPoint(geom.V(0, 0.5)))
	fmt.Printf("velocity %.1f, spin %.1f\n", ball.Velocity().X, ball.AngularVelocity())
	// Output: velocity 2.0, spin -8.0
}

// Ids stay safe to keep: the id of a removed body names nothing, whatever is added later.
func ExampleWorld_RemoveBody() {
	w := quarry.NewWorld(quarry.Config{})
	old := w.AddBody(quarry.BodyDef{Name: "old"})
	fmt.Println(w.RemoveBody(old), w.RemoveBody(old))
	w.AddBody(quarry.BodyDef{Name: "new"})
	_, ok := w.Body(old)
	fmt.Println(ok)
	for b := range w.Bodies() {
		fmt.Println(b.Name())
	}
	// Output:
	// true false
	// false
	// new
}

// A bullet does not pass through a thin crate that may move, however fast it is.
func ExampleBodyDef_bullet() {
	w := quarry.NewWorld(quarry.Config{})
	plate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(10, 0)})
	w.AddShape(plate, geom.NewBox(0.05, 2), quarry.ShapeDef{Density: 100})
	shot := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(300, 0), Bullet: true})
	w.AddShape(shot, geom.Circle{Radius: 0.05}, quarry.ShapeDef{})
	for range 10 {
		w.Step(1.0 / 60)
	}
	b, _ := w.Body(shot)
	fmt.Println("stopped:", b.Position().X < 10)
	// Output: stopped: true
}

// Bodies at rest fall asleep, and wake when something touches them.
func ExampleBody_Awake() {
	w := withFloor()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5)})
	w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	crate, _ := w.Body(id)
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Println(crate.Awake())
	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-2, 0.5), Velocity: geom.V(10, 0)})
	w.AddShape(ball, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
	for range 15 {
		w.Step(1.0 / 60)
	}
	fmt.Println(crate.Awake())
	// Output:
	// false
	// true
}

// Two players who run the same game compare its hash, not its state.
func ExampleWorld_Hash() {
	play := func(workers int, kick float64) uint64 {
		w := withFloor()
		c := w.Config()
		c.Workers = workers
		w.SetConfig(c)
		for i := range 20 {
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, float64(i)+1)})
			w.AddShape(id, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
			b, _ := w.Body(id)
			b.SetAngularVelocity(kick)
		}
		for range 120 {
			w.Step(1.0 / 60)
		}
		return w.Hash()
	}
	fmt.Println(play(1, 3) == play(8, 3), play(1, 3) == play(1, 3.000001))
	// Output: true false
}

// The list of a debug draw.
func ExampleWorld_Draw() {
	w := withFloor()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5), Velocity: geom.V(2, 0)})
	w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})

	var list quarry.DrawList
	w.Draw(&list, quarry.DrawOptions{
		Layers: quarry.DrawShapes | quarry.DrawVelocities,
		View:   geom.AABB{Min: geom.V(-5, -5), Max: geom.V(5, 5)},
	})
	for i := range list.Items {
		switch it := &list.Items[i]; it.Form {
		case quarry.DrawHull:
			fmt.Printf("%v: %v body, %d points, radius %v\n", it.Layer, it.Type, it.N, it.Radius)
		case quarry.DrawArrow:
			fmt.Printf("%v: from %v to %v\n", it.Layer, it.Points[0], it.Points[1])
		}
	}
	// Output:
	// shapes: static body, 4 points, radius 0
	// shapes: dynamic body, 1 points, radius 0.5
	// velocities: from {0 0.5} to {2 0.5}
}

// A recording has the calls of a game; the replay makes them again, and names the first step that differs.
func ExampleWorld_Record() {
	var file bytes.Buffer
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	w.Record(&file, 1) // a hash after each step
	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
	w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	for step := range 60 {
		if step == 30 {
			body, _ := w.Body(ball)
			body.ApplyImpulseToCenter(geom.V(0, 20))
		}
		w.Step(1.0 / 60)
	}
	fmt.Println("recorded:", w.StopRecording())

	again := quarry.NewWorld(quarry.Config{})
	fmt.Println("replayed:", again.Replay(&file), "the same world:", again.Hash() == w.Hash())
	// Output:
	// recorded: <nil>
	// replayed: <nil> the same world: true
}

// A lift follows a path: before each step it gets the place where it is to be after it.
func ExampleBody_SetTarget() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic})
	w.AddShape(id, geom.NewBox(2, 0.25), quarry.ShapeDef{})
	lift, _ := w.Body(id)
	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.75)})
	w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})

	const dt = 1.0 / 60
	for step := range 240 {
		t := float64(step+1) * dt
		lift.SetTarget(geom.V(0, 2-2*math.Cos(math.Pi*t/4)), 0, dt)
		w.Step(dt)
	}
	rider, _ := w.Body(crate)
	fmt.Printf("lift at %.2f, crate at %.1f\n", lift.Position().Y, rider.Position().Y)
	// Output: lift at 4.00, crate at 4.7
}

// A piston moves up and down only: its rails hold it, whatever pushes from the side.
func ExampleBody_SetLocks() {
	w := quarry.NewWorld(quarry.Config{})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, LockX: true, FixedRotation: true})
	w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	piston, _ := w.Body(id)
	piston.ApplyImpulse(geom.V(5, 2), geom.V(0, 0.5))
	fmt.Println("on its rails:", piston.Velocity(), piston.AngularVelocity())

	piston.SetLocks(false, false, false)
	piston.ApplyImpulseToCenter(geom.V(5, 0))
	fmt.Println("without them:", piston.Velocity())
	// Output:
	// on its rails: {0 2} 0
	// without them: {5 2}
}

// A toy that rights itself has its centre of mass below its middle.
func ExampleBody_SetMass() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	floor := w.AddBody(quarry.BodyDef{})
	w.AddShape(floor, geom.NewBox(10, 0.5), quarry.ShapeDef{})

	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1), Angle: 1, AngularDamping: 1})
	w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	toy, _ := w.Body(id)
	toy.SetMass(geom.Mass{Mass: 1, Inertia: 0.1, Center: geom.V(0, -0.3)})
	for range 900 {
		w.Step(1.0 / 60)
	}
	fmt.Println("upright:", math.Abs(toy.Angle()) < 0.1)

	toy.ResetMass()
	fmt.Printf("mass of the shape: %.2f\n", toy.Mass())
	// Output:
	// upright: true
	// mass of the shape: 0.79
}

// A door is switched off while it is open: nothing touches or sees it.
func ExampleBody_SetEnabled() {
	w := quarry.NewWorld(quarry.Config{})
	id := w.AddBody(quarry.BodyDef{Position: geom.V(2, 0)})
	w.AddShape(id, geom.NewBox(0.1, 1), quarry.ShapeDef{})
	door, _ := w.Body(id)
	for _, closed := range []bool{true, false, true} {
		door.SetEnabled(closed)
		_, hit := w.RayCast(geom.V(0, 0), geom.V(5, 0), quarry.QueryFilter{})
		fmt.Println("closed:", closed, "seen:", hit)
	}
	// Output:
	// closed: true seen: true
	// closed: false seen: false
	// closed: true seen: true
}

// queryWorld is a floor of tiles with a wall, a crate before the wall, and a chain above.
func queryWorld() (*quarry.World, quarry.Ground) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: -10, MinY: -2, MaxX: 10, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	_ = ground.Fill(gridseg.Rect{MinX: 8, MinY: 0, MaxX: 8, MaxY: 4}, gridseg.Tile{Shape: gridseg.Full})
	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(4, 0.5)})
	w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{User: 7})
	_, _ = w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 3, Y: 5}, {X: -3, Y: 5}}})
	return w, ground
}

// A shot hits the nearest thing.
func ExampleWorld_RayCast_filter() {
	w, _ := queryWorld()
	hit, ok := w.RayCast(geom.V(0, 0.5), geom.V(20, 0), quarry.QueryFilter{})
	shape, isShape := w.Shape(hit.Shape)
	fmt.Println(ok, isShape, shape.User(), hit.Point, hit.Normal)

	hit, _ = w.RayCast(geom.V(0, 0.5), geom.V(20, 0), quarry.QueryFilter{Except: hit.Body})
	fmt.Println(hit.Ground != 0, hit.Cell, hit.Point)
	// Output:
	// true true 7 {3.5 0.5} {-1 0}
	// true {8 0} {8 0.5}
}

// A hook goes through walls and catches only bodies that move freely.
func ExampleQueryFilter() {
	w := quarry.NewWorld(quarry.Config{})
	wall := w.AddBody(quarry.BodyDef{Position: geom.V(3, 0)})
	w.AddShape(wall, geom.NewBox(0.5, 2), quarry.ShapeDef{})
	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(6, 0)})
	w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	hit, ok := w.RayCast(geom.V(0, 0), geom.V(10, 0), quarry.QueryFilter{Types: quarry.DynamicBodies})
	fmt.Println(ok, hit.Body == crate, hit.Point)
	// Output: true true {5.5 0}
}

// A piercing shot hits everything in its way; the second wall is not seen from here.
func ExampleWorld_AppendRayHits() {
	w, ground := queryWorld()
	_ = ground.Set(10, 0, gridseg.Tile{Shape: gridseg.Full})
	for _, hit := range w.AppendRayHits(nil, geom.V(0, 0.5), geom.V(20, 0), quarry.QueryFilter{}) {
		fmt.Println(hit.Shape != 0, hit.Cell, hit.Point.X)
	}
	fmt.Println(w.RayBlocked(geom.V(0, 0.5), geom.V(20, 0), quarry.QueryFilter{}))
	// Output:
	// true {0 0} 3.5
	// false {8 0} 8
	// false {10 0} 10
	// true
}

// How far can a character walk, and what stops it?
func ExampleWorld_ShapeCast() {
	w, _ := queryWorld()
	capsule := geom.Capsule{A: geom.V(0, 0.5), B: geom.V(0, 1.3), Radius: 0.5}
	hit, ok := w.ShapeCast(capsule, geom.At(geom.V(0, 0)), geom.V(10, 0), quarry.QueryFilter{})
	fmt.Printf("%v, after %.1f, normal %v\n", ok, 10*hit.Fraction, hit.Normal)

	hit, _ = w.ShapeCast(geom.Circle{Radius: 0.5}, geom.At(geom.V(6.5, 3)), geom.V(0, -10), quarry.QueryFilter{})
	fmt.Println("lands on the cell", hit.Cell, "at", hit.Point)
	// Output:
	// true, after 3.0, normal {-1 0}
	// lands on the cell {6 -1} at {6.5 0}
}

// What is in the blast? Tiles count, too.
func ExampleWorld_AppendOverlaps() {
	w, _ := queryWorld()
	tiles, shapes := 0, 0
	for _, to := range w.AppendOverlaps(nil, geom.Circle{Radius: 1.2}, geom.At(geom.V(4.5, 0.25)),
		quarry.QueryFilter{}) {
		if to.Shape != 0 {
			shapes++
		} else if to.Ground != 0 {
			tiles++
		}
	}
	fmt.Println(shapes, "shape,", tiles, "tiles")
	fmt.Println("room to stand up:", !w.Overlaps(geom.NewBox(0.4, 0.9), geom.At(geom.V(6, 0.91)), quarry.QueryFilter{}))
	// Output:
	// 1 shape, 3 tiles
	// room to stand up: true
}

// The surface nearest to a point, such as for a grappling hook.
func ExampleWorld_Nearest() {
	w, _ := queryWorld()
	hit, ok := w.Nearest(geom.V(0, 4), 3, quarry.QueryFilter{})
	fmt.Println(ok, hit.Chain != 0, hit.Segment, hit.Point, hit.Distance)
	// Output: true true 0 {0 5} 1
}

// The planes that a character stands on and leans against.
func ExampleWorld_AppendPlanes() {
	w, _ := queryWorld()
	capsule := geom.Capsule{A: geom.V(0, 0.5), B: geom.V(0, 1.3), Radius: 0.5}
	for _, p := range w.AppendPlanes(nil, capsule, geom.At(geom.V(7.495, 0)), 0.01, quarry.QueryFilter{}) {
		fmt.Printf("%v %.3f %v\n", p.Normal, p.Separation, p.Cell.X)
	}
	// Output:
	// {0 1} 0.000 7
	// {-1 0} 0.005 8
}

// A grenade: a crater, and a push.
func ExampleWorld_Explode() {
	w, ground := queryWorld()
	center := geom.V(2.5, 0)
	_ = ground.Dig(center, center, 1)
	w.Explode(quarry.ExplosionDef{Center: center, Radius: 2, Falloff: 2, ImpulsePerLength: 3, Shielded: true})
	for b := range w.Bodies() {
		if b.Type() == quarry.Dynamic {
			fmt.Printf("%.1f %.1f\n", b.Velocity().X, b.Velocity().Y)
		}
	}
	// Output: 3.0 0.0
}

// Wind on a kite.
func ExampleShape_ApplyWind() {
	w := quarry.NewWorld(quarry.Config{})
	kite := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Angle: -0.5})
	id := w.AddShape(kite, geom.NewBox(1, 0.05), quarry.ShapeDef{})
	shape, _ := w.Shape(id)
	for range 10 {
		shape.ApplyWind(geom.V(5, 0), 0.02, 0.1)
		w.Step(1.0 / 60)
	}
	b, _ := w.Body(kite)
	fmt.Println("rises:", b.Velocity().Y > 0)
	// Output: rises: true
}
