package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/depenetrate"
)

// The edits of a ground are the edits of gridseg.Grid, each resolved at once; see Ground.

// change returns the tiles of g, for an edit.
func (g Ground) change() *gridseg.Grid {
	st := g.get()
	g.w.mustNotStep()
	return st.tiles.Grid
}

// Set replaces the content of a cell by a tile; the zero Tile clears the cell.
func (g Ground) Set(x, y int32, t gridseg.Tile) error {
	return g.edited(g.change().Set(x, y, t))
}

// Clear empties a cell, like Set with the zero Tile.
func (g Ground) Clear(x, y int32) error {
	return g.edited(g.change().Clear(x, y))
}

// Fill sets every cell of r (closed) to a tile; the zero Tile clears the cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Fill(r gridseg.Rect, t gridseg.Tile) error {
	return g.edited(g.change().Fill(r, t))
}

// Place copies a block of tiles to the ground, with its lower left cell at (x, y); see
// gridseg.Stamp.
func (g Ground) Place(x, y int32, s *gridseg.Stamp) error {
	return g.edited(g.change().Place(x, y, s))
}

// Move moves the tiles and polygons of the cells of r by (dx, dy) cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Move(r gridseg.Rect, dx, dy int32) error {
	return g.edited(g.change().Move(r, dx, dy))
}

// Add adds a polygon to the content of a cell; see gridseg.Grid.Add.
func (g Ground) Add(x, y int32, loops [][]gridseg.Point, a gridseg.Attr) error {
	return g.edited(g.change().Add(x, y, loops, a))
}

// Remove removes a polygon that Add added to a cell.
func (g Ground) Remove(x, y int32, loops [][]gridseg.Point) error {
	return g.edited(g.change().Remove(x, y, loops))
}

// Unite makes the inside of the loops solid, over any number of cells; ground that is solid
// already stays. See gridseg.Grid.Unite, and Build for a round brush.
func (g Ground) Unite(loops [][]gridseg.Point, a gridseg.Attr) error {
	return g.edited(g.change().Unite(loops, a))
}

// Subtract makes the inside of the loops empty; see gridseg.Grid.Subtract, and Dig for a round
// brush.
func (g Ground) Subtract(loops [][]gridseg.Point) error {
	return g.edited(g.change().Subtract(loops))
}

// Dig empties the ground within radius of the line from a to b: a tunnel, or a crater if both
// are one point. a and b are in world coordinates; radius is at most gridseg.MaxRadius cells. The
// outline is a polygon at most 1/256 cell from the true circle.
func (g Ground) Dig(a, b geom.Vec, radius float64) error {
	loops, err := g.brush(a, b, radius)
	if err != nil {
		return err
	}
	return g.Subtract(loops)
}

// Build makes the ground within radius of the line from a to b solid; ground that is solid already
// stays. Arguments and accuracy are those of Dig.
func (g Ground) Build(a, b geom.Vec, radius float64, attr gridseg.Attr) error {
	loops, err := g.brush(a, b, radius)
	if err != nil {
		return err
	}
	return g.Unite(loops, attr)
}

// brush returns the outline of a round stroke, in the ground's lattice.
func (g Ground) brush(a, b geom.Vec, radius float64) ([][]gridseg.Point, error) {
	t := g.Transform()
	a, b = t.Inv(a), t.Inv(b)
	if a == b {
		return gridseg.Circle(a.X, a.Y, radius)
	}
	return gridseg.Capsule(a.X, a.Y, b.X, b.Y, radius)
}

// edited resolves an edit, lists it in GroundEdits and wakes the bodies near a changed segment.
func (g Ground) edited(err error) error {
	if err != nil {
		return err
	}
	st := g.get()
	if !st.tiles.Grid.Edited() {
		return nil // no tile changed
	}
	st.tiles.Version++
	g.w.events.noteEdit(GroundEdit{g.id, st.tiles.Grid.EditedCells(), st.tiles.Version})
	delta := st.tiles.Grid.Resolve()
	if delta.Empty() {
		return nil // no segment changed
	}
	r := delta.Cells
	if err := g.w.growGround(g.slot, r); err != nil {
		g.w.markLost(st.body)
	}
	box := geom.AABB{
		Min: geom.V(float64(r.MinX)-1, float64(r.MinY)-1),
		Max: geom.V(float64(r.MaxX)+2, float64(r.MaxY)+2),
	}
	g.w.wakeUnlessNewIn(box.In(g.Transform()))
	if g.w.held > 0 {
		g.w.wakeHeld(box.Expand(depenetrate.SearchDepth).In(g.Transform()))
	}
	return nil
}
