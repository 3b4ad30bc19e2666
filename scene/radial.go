package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// The vertices of the two cases, in cells.
var (
	radialA = gridseg.Cell{X: 0, Y: 0}
	radialB = gridseg.Cell{X: 10, Y: 0}
)

// radialMatch is figure 6 of "An Algorithm for Local Grid Segmentation". The three segments
// of its worked example meet in one vertex, in case A (left) and in case B (right). Here they
// are sides of blocks and ramps, which have a fourth side at the vertex. Balls hit each of
// the four.
var radialMatch = Scene{
	Name: "radial_match",
	Doc: "The radial match's worked example in tiles, case A left and case B right: balls touch each segment at " +
		"the vertex (show the ghost vertices).",
	Steps:  300,
	View:   geom.AABB{Min: geom.V(-5, -3), Max: geom.V(15, 5)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		rock := w.AddMaterial(quarry.Material{Friction: 0.4, Color: 0x7d7f86})
		sand := w.AddMaterial(quarry.Material{Friction: 0.4, Color: 0xc9ad77})
		g := ground(w)
		fill := func(x0, y0, x1, y1 int32, s gridseg.ShapeID, turn gridseg.Turn, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: s, Turn: turn, Material: uint16(m)}))
		}
		fill(-4, -2, 13, -2, gridseg.Full, 0, rock)
		for _, x := range []int32{-4, 4, 13} {
			fill(x, -1, x, 1, gridseg.Full, 0, rock)
		}
		// Case A: seg1 is the ramp's wall, seg2 the block's top, seg3 the ramp's lower side.
		a := radialA
		fill(a.X, a.Y-1, a.X, a.Y-1, gridseg.Full, 0, sand)
		fill(a.X-1, a.Y, a.X-1, a.Y, gridseg.Ramp, 1, sand)
		// Case B: seg1 is the block's left side, seg2 its lower side, seg3 the ramp.
		b := radialB
		fill(b.X, b.Y, b.X, b.Y, gridseg.Full, 0, sand)
		fill(b.X-1, b.Y, b.X-1, b.Y, gridseg.Ramp, 3, sand)

		for _, ball := range []struct{ x, y, vx, vy, r float64 }{
			{0.7, 0.3, -1, 0, 0.3},    // A: over seg2 against seg1
			{-2.5, -0.7, 2, 0, 0.3},   // A: under seg3 against the fourth
			{-0.7, 1.4, 0, 0, 0.3},    // on the hanging ramp's flat top
			{9.4, 1.4, 0, 0, 0.3},     // B: down seg3 against seg1
			{9.6, -0.75, 2.5, 5, 0.2}, // B: along the fourth and seg2, which are one line
			{11.5, -0.7, -3, 0, 0.3},  // B: on the floor below
			{10.5, 1.4, 0.2, 0, 0.3},  // on the block's top
			{2.5, -0.7, 0, 0, 0.2},    // beside case A
		} {
			id := put(w, geom.V(ball.x, ball.y), geom.Circle{Radius: ball.r}, rock)
			v, _ := w.Body(id)
			v.SetVelocity(geom.V(ball.vx, ball.vy))
		}
		return &Instance{World: w, DT: dt}
	},
}
