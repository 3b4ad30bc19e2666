package gridseg

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

func TestSolid(t *testing.T) {
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Ramp}}, placed{-1, -1, Tile{Shape: Full}})
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x, y float64
		want bool
	}{
		{.5, .5, true},
		{.5, .75, false},
		{.75, .5, true},
		{1, 1, true}, // closed
		{1, .5, true},
		{1.001, .5, false},
		{0, 0, true},
		{-1, -1, true},
		{-.5, -.5, true},
		{-1.0001, -.5, false},
		{-.5, 0, true},
		{math.Copysign(0, -1), math.Copysign(0, -1), true},
		{nan, 0, false},
		{0, nan, false},
		{inf, 0, false},
		{0, -inf, false},
		{1e300, 1e300, false},
		{1e18, 0, false},
	} {
		if got := g.Solid(c.x, c.y); got != c.want {
			t.Errorf("Solid(%v, %v) = %v", c.x, c.y, got)
		}
	}
}

// TestLeftIsSolid compares the segments with SolidAt: just left of the middle of each is
// solid, just right of it is not.
func TestLeftIsSolid(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g := New(shapes)
		for y := range int32(3) {
			for x := range int32(3) {
				tile := anyTile(shapes).Draw(t, "tile")
				if err := g.Set(x, y, tile); err != nil {
					t.Fatal(err)
				}
			}
		}
		g.Resolve()
		for _, s := range g.AppendSegments(nil, everywhere) {
			m := Point{X: (s.A.X + s.B.X) / 2, Y: (s.A.Y + s.B.Y) / 2}
			// Two steps off along the axis nearest to the normal, more than the
			// rounding of the middle.
			n := Point{X: s.B.Y - s.A.Y, Y: s.A.X - s.B.X}
			d := Point{X: 2 * int64(lattice.Sign(n.X)), Y: 0}
			if max(n.Y, -n.Y) > max(n.X, -n.X) {
				d = Point{X: 0, Y: 2 * int64(lattice.Sign(n.Y))}
			}
			if !g.solidAt(Point{X: m.X - d.X, Y: m.Y - d.Y}) || g.solidAt(Point{X: m.X + d.X, Y: m.Y + d.Y}) {
				t.Fatalf("%+v has its solid on the wrong side", s)
			}
		}
	})
}
