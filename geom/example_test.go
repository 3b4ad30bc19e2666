package geom_test

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
)

// A crate is pushed towards a pillar: how far may it go?
func ExampleShapeCast() {
	pillar := geom.NewCore(geom.Circle{Center: geom.V(10, 0.3), Radius: 1})
	crate := geom.NewCore(geom.NewBox(0.5, 0.5))
	at, way := geom.At(geom.V(2, 0)), geom.V(12, 0)

	gap, _, _ := geom.Gap(&pillar, &crate, at)
	fmt.Printf("%.2f apart\n", gap)
	if hit, ok := geom.ShapeCast(&pillar, &crate, at, way); ok {
		fmt.Printf("it stops at x = %.2f and touches the pillar at (%.2f, %.2f)\n",
			at.P.X+hit.Fraction*way.X, hit.Point.X, hit.Point.Y)
	}
	// Output:
	// 6.50 apart
	// it stops at x = 8.50 and touches the pillar at (9.00, 0.30)
}

// Points in any order make the convex polygon round them.
func ExampleNewPolygon() {
	rock, err := geom.NewPolygon([]geom.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {X: 0.2, Y: 0.1}}, 0)
	if err != nil {
		fmt.Println(err) // too many corners, too thin, or not finite
		return
	}
	fmt.Println(rock.N, "corners, a mass of", rock.Mass(3).Mass)
	// Output: 4 corners, a mass of 6
}
