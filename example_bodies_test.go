package quarry_test

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

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
