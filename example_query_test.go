package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

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
