package quarry_test

import (
	"bytes"
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

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
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Angle: 0})
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
