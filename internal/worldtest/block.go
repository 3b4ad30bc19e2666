package worldtest

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Blocks returns a grid with full blocks in the cells of rects.
func Blocks(t Failer, rects ...gridseg.Rect) *gridseg.Grid {
	t.Helper()
	g := gridseg.New(nil)
	for _, r := range rects {
		Must(t, g.Fill(r, gridseg.Tile{Shape: gridseg.Full}))
	}
	return g
}

// AddGrid adds a body with a ground.
func AddGrid(t Failer, w *quarry.World, b quarry.BodyDef, d quarry.GroundDef) (quarry.Body, quarry.Ground) {
	t.Helper()
	id := w.AddBody(b)
	gid, err := w.AddGround(id, d)
	Must(t, err)
	body, _ := w.Body(id)
	g, _ := w.Ground(gid)
	return body, g
}

// Block adds a body with wide by high full blocks of a material. Its origin is their lower left corner.
func Block(t Failer, w *quarry.World, d quarry.BodyDef, wide, high int32, m quarry.MaterialID) quarry.Ground {
	t.Helper()
	grid := gridseg.New(nil)
	Must(t, grid.Fill(gridseg.Rect{MaxX: wide - 1, MaxY: high - 1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
	_, g := AddGrid(t, w, d, quarry.GroundDef{Grid: grid})
	return g
}

// BlockOrBox is Block, or adds with box a body with one shape of the same outline.
func BlockOrBox(t Failer, w *quarry.World, box bool, d quarry.BodyDef, wide, high int32, m quarry.MaterialID,
) quarry.Body {
	t.Helper()
	if !box {
		return Block(t, w, d, wide, high, m).Body()
	}
	x, y := float64(wide)/2, float64(high)/2
	return AddBody(w, d, geom.NewOffsetBox(x, y, geom.V(x, y), geom.Identity), quarry.ShapeDef{Material: m})
}

// Raft is Block on a dynamic body at p.
func Raft(t Failer, w *quarry.World, p geom.Vec, angle float64, wide, high int32) quarry.Ground {
	t.Helper()
	return Block(t, w, quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: angle}, wide, high, 0)
}
