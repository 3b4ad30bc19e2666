package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// withFloor returns a world with gravity and a static floor whose top is at height 0.
func withFloor() *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, -0.5)})
	w.AddShape(floor, geom.NewBox(50, 0.5), quarry.ShapeDef{})
	return w
}

// A game plays a sound when a ball begins to touch something.
func ExampleWorld_ContactBegins() {
	w := withFloor()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 2)})
	ball := w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{User: 3})
	for range 60 {
		w.Step(1.0 / 60)
		for _, e := range w.ContactBegins() { // the shape may be A or B
			if e.ShapeA == ball || e.ShapeB == ball {
				s, _ := w.Shape(ball)
				fmt.Println("sound", s.User(), "at step", w.StepCount())
			}
		}
	}
	// Output: sound 3 at step 34
}

// An egg breaks if it falls too fast.
func ExampleWorld_Hits() {
	w := withFloor()
	for _, height := range []float64{1, 5} {
		egg := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(3*height, height), User: uint64(height)})
		w.AddShape(egg, geom.Circle{Radius: 0.2}, quarry.ShapeDef{})
	}
	for range 90 {
		w.Step(1.0 / 60)
		for _, hit := range w.Hits() {
			if hit.Speed < 5 {
				continue
			}
			s, ok := w.Shape(hit.ShapeB) // not ok: removed meanwhile
			if ok && s.Body().Type() != quarry.Dynamic {
				s, ok = w.Shape(hit.ShapeA)
			}
			if ok {
				fmt.Printf("egg %d breaks at %.0f units a second\n", s.Body().User(), hit.Speed)
				w.RemoveBody(s.Body().ID())
			}
		}
	}
	// Output: egg 5 breaks at 10 units a second
}

// What does a crate stand on, and what does it weigh?
func ExampleBody_AppendContacts() {
	w := withFloor()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5)})
	w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: 2})
	crate, _ := w.Body(id)
	for range 60 {
		w.Step(1.0 / 60)
	}
	for _, c := range crate.AppendContacts(nil) {
		force := 0.0
		for _, p := range c.Points[:c.N] {
			force += p.NormalImpulse * 60 // over the time of the step, 1/60 s
		}
		fmt.Printf("%d points, force %.1f\n", c.N, force)
	}
	// Output: 2 points, force 20.0
}

// Players collide with walls, and not with each other's shots.
func ExampleShapeDef_filter() {
	const (
		wall = 1 << iota
		player
		shot
	)
	w := quarry.NewWorld(quarry.Config{})
	w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(10, 0)}), geom.NewBox(1, 5), quarry.ShapeDef{Category: wall})
	add := func(x float64, d quarry.ShapeDef) quarry.Body {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, d)
		b, _ := w.Body(id)
		return b
	}
	hero := add(5, quarry.ShapeDef{Category: player, Mask: wall | player})
	bullet := add(0, quarry.ShapeDef{Category: shot, Mask: wall})
	bullet.SetVelocity(geom.V(20, 0))
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("the hero is at %.0f, the bullet at %.1f\n", hero.Position().X, bullet.Position().X)
	// Output: the hero is at 5, the bullet at 8.5
}

// A rubber ball and one of clay fall on the floor.
func ExampleWorld_AddMaterial() {
	w := withFloor()
	rubber := w.AddMaterial(quarry.Material{Name: "rubber", Friction: 0.9, Restitution: 0.8})
	clay := w.AddMaterial(quarry.Material{Name: "clay", Friction: 0.9, RollingResistance: 0.3})
	for i, m := range []quarry.MaterialID{rubber, clay} {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(3*i), 3.5)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Material: m})
		ball, _ := w.Body(id)
		top := 0.0
		for range 90 {
			w.Step(1.0 / 60)
			if ball.Velocity().Y > 0 {
				top = max(top, ball.Position().Y-0.5)
			}
		}
		fmt.Printf("%s bounces to %.1f of 3\n", w.Material(m).Name, top)
	}
	// Output:
	// rubber bounces to 1.9 of 3
	// clay bounces to 0.0 of 3
}

// A beam that breaks under too great a load.
func ExampleWorld_JointEvents() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	hang := func(p geom.Vec, density float64) {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
		w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: density})
		joint := quarry.RevoluteJoint{JointBase: w.JointAt(0, id, p.Add(geom.V(0, 0.5)))}
		joint.ForceThreshold = 50
		joint.User = uint64(density)
		w.AddJoint(joint)
	}
	hang(geom.V(0, 5), 1)
	hang(geom.V(3, 5), 8)
	for range 60 {
		w.Step(1.0 / 60)
		for _, e := range w.JointEvents() {
			fmt.Printf("the joint of load %d breaks at a force of %.0f\n", e.User, e.Force.Len())
			w.RemoveJoint(e.Joint)
		}
	}
	// Output: the joint of load 8 breaks at a force of 80
}
