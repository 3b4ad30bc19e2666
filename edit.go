package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// The edits of a ground are the edits of gridseg.Grid, each resolved at once; see Ground.

// change returns the tiles of g, for an edit.
func (g Ground) change() *gridseg.Grid {
	st := g.get()
	g.w.mustNotStep()
	return st.grid
}

// Set puts a tile in a cell, in place of what is there; the zero Tile clears
// it.
func (g Ground) Set(x, y int32, t gridseg.Tile) error {
	return g.edited(g.change().Set(x, y, t))
}

// Clear empties a cell, as Set with the zero Tile.
func (g Ground) Clear(x, y int32) error {
	return g.edited(g.change().Clear(x, y))
}

// Fill puts a tile in every cell of r (closed), as Set does; with the zero
// Tile it clears them. A rectangle whose Max is less than its Min is an error.
func (g Ground) Fill(r gridseg.Rect, t gridseg.Tile) error {
	return g.edited(g.change().Fill(r, t))
}

// Place puts a block of tiles down with its lower left cell at (x, y); see
// gridseg.Stamp.
func (g Ground) Place(x, y int32, s *gridseg.Stamp) error {
	return g.edited(g.change().Place(x, y, s))
}

// Move moves the tiles and polygons of the cells of r by (dx, dy) cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Move(r gridseg.Rect, dx, dy int32) error {
	return g.edited(g.change().Move(r, dx, dy))
}

// Add puts a polygon into a cell beside what it holds; see gridseg.Grid.Add.
func (g Ground) Add(x, y int32, loops [][]gridseg.Point, a gridseg.Attr) error {
	return g.edited(g.change().Add(x, y, loops, a))
}

// Remove takes away a polygon that Add put into a cell.
func (g Ground) Remove(x, y int32, loops [][]gridseg.Point) error {
	return g.edited(g.change().Remove(x, y, loops))
}

// Unite makes what the loops enclose solid, where it is not yet, over any
// number of cells; see gridseg.Grid.Unite, and Build for a round brush.
func (g Ground) Unite(loops [][]gridseg.Point, a gridseg.Attr) error {
	return g.edited(g.change().Unite(loops, a))
}

// Subtract makes what the loops enclose empty; see gridseg.Grid.Subtract, and
// Dig for a round brush.
func (g Ground) Subtract(loops [][]gridseg.Point) error {
	return g.edited(g.change().Subtract(loops))
}

// Dig empties the ground within radius of the line from a to b, which are world
// points and may be one: a crater, or a tunnel. The outline is a polygon that
// strays from the round by at most 1/256 cell. The radius is up to
// gridseg.MaxRadius cells.
func (g Ground) Dig(a, b geom.Vec, radius float64) error {
	loops, err := g.brush(a, b, radius)
	if err != nil {
		return err
	}
	return g.Subtract(loops)
}

// Build makes the ground within radius of the line from a to b solid, where it
// is not yet, as Dig empties it.
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
	if !st.grid.Edited() {
		return nil // the edit changed nothing
	}
	st.version++
	g.w.events.noteEdit(GroundEdit{g.id, st.grid.EditedCells(), st.version})
	delta := st.grid.Resolve()
	if delta.Empty() {
		return nil // the tiles that changed show no surface
	}
	r := delta.Cells
	if err := g.w.growGround(g.slot, r); err != nil {
		g.w.markLost(st.body)
	}
	box := geom.AABB{
		Min: geom.V(float64(r.MinX)-1, float64(r.MinY)-1),
		Max: geom.V(float64(r.MaxX)+2, float64(r.MaxY)+2),
	}
	g.w.wakeUnlessNewIn(boundsOf(box, g.Transform()))
	if g.w.held > 0 {
		g.w.wakeHeld(boundsOf(box.Expand(crushDepth), g.Transform()))
	}
	return nil
}
