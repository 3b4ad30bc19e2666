package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Hills made of a line of points, and a crate on them.
func ExampleWorld_AddChain() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	// Hills, from right to left: solid is on the left of the way from point to
	// point, so below.
	var hills []geom.Vec
	for x := 20.0; x >= -20; x -= 0.5 {
		_, cos := geom.SinCos(x / 3)
		hills = append(hills, geom.V(x, cos))
	}
	id, err := w.AddChain(0, quarry.ChainDef{Points: hills})
	if err != nil {
		fmt.Println(err) // such as two points in one place, with their numbers
	}
	chain, _ := w.Chain(id)

	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(3.75, 0.45)})
	w.AddShape(crate, geom.NewBox(0.1, 0.1), quarry.ShapeDef{})
	for range 120 {
		w.Step(1.0 / 60)
	}
	for _, c := range w.AppendContacts(nil) {
		s := chain.Segment(c.Points[0].Segment)
		fmt.Printf("the crate lies between x = %.1f and %.1f\n", s.B.X, s.A.X)
	}
	hit, _ := w.RayCast(geom.V(0, 9), geom.V(0, -20), quarry.QueryFilter{})
	fmt.Printf("the hill is %.1f high\n", hit.Point.Y)
	// Output:
	// the crate lies between x = 3.5 and 4.0
	// the hill is 1.0 high
}
