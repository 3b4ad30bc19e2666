package gridseg

import "iter"

// View reads a Grid and cannot edit it: it has the methods of Grid that change no tile, no polygon
// and no segment. It is a single pointer, to be passed by value, and always shows the present state
// of the grid. Make one with Grid.View; the zero View is not valid.
//
// Shapes returns the registry of the grid, to which shapes may be added; that changes no tile.
type View struct{ g *Grid }

// View returns a read-only view of g.
func (g *Grid) View() View { return View{g} }

// Shapes is Grid.Shapes.
func (v View) Shapes() *Shapes { return v.g.Shapes() }

// Count is Grid.Count.
func (v View) Count() (tiles, segments int) { return v.g.Count() }

// Bounds is Grid.Bounds.
func (v View) Bounds() (Rect, bool) { return v.g.Bounds() }

// BoundsIn is Grid.BoundsIn.
func (v View) BoundsIn(r Rect) (Rect, bool) { return v.g.BoundsIn(r) }

// AppendBinary is Grid.AppendBinary.
func (v View) AppendBinary(dst []byte) []byte { return v.g.AppendBinary(dst) }

// AppendTiles is Grid.AppendTiles.
func (v View) AppendTiles(dst []byte, r Rect) []byte { return v.g.AppendTiles(dst, r) }

// AppendWithoutTiles is Grid.AppendWithoutTiles.
func (v View) AppendWithoutTiles(dst []byte) []byte { return v.g.AppendWithoutTiles(dst) }

// ChunkSum is Grid.ChunkSum.
func (v View) ChunkSum(x, y int32) uint64 { return v.g.ChunkSum(x, y) }

// Hash is Grid.Hash.
func (v View) Hash() uint64 { return v.g.Hash() }

// Edited is Grid.Edited.
func (v View) Edited() bool { return v.g.Edited() }

// EditedCells is Grid.EditedCells.
func (v View) EditedCells() Rect { return v.g.EditedCells() }

// Loaded is Grid.Loaded.
func (v View) Loaded(x, y int32) bool { return v.g.Loaded(x, y) }

// AppendLoaded is Grid.AppendLoaded.
func (v View) AppendLoaded(dst []Cell) []Cell { return v.g.AppendLoaded(dst) }

// EachReverted is Grid.EachReverted. It changes only that list.
func (v View) EachReverted(done func(place Rect, data []byte) bool) { v.g.EachReverted(done) }

// Owned is Grid.Owned.
func (v View) Owned() bool { return v.g.Owned() }

// AppendLoadedAgain is Grid.AppendLoadedAgain.
func (v View) AppendLoadedAgain(dst []Cell) []Cell { return v.g.AppendLoadedAgain(dst) }

// LoadedVersion is Grid.LoadedVersion.
func (v View) LoadedVersion() uint64 { return v.g.LoadedVersion() }

// UnloadedWalls is Grid.UnloadedWalls.
func (v View) UnloadedWalls() (Rect, bool) { return v.g.UnloadedWalls() }

// Tile is Grid.Tile.
func (v View) Tile(x, y int32) Tile { return v.g.Tile(x, y) }

// Tiles is Grid.Tiles.
func (v View) Tiles(r Rect) iter.Seq2[Cell, Tile] { return v.g.Tiles(r) }

// Polygons is Grid.Polygons.
func (v View) Polygons(x, y int32) iter.Seq2[Tile, [][]Point] { return v.g.Polygons(x, y) }

// Copy is Grid.Copy.
func (v View) Copy(r Rect) (*Stamp, error) { return v.g.Copy(r) }

// Preserves is Grid.Preserves.
func (v View) Preserves() bool { return v.g.Preserves() }

// AppendPreserved is Grid.AppendPreserved.
func (v View) AppendPreserved(dst [][2]uint8) [][2]uint8 { return v.g.AppendPreserved(dst) }

// Segment is Grid.Segment.
func (v View) Segment(id SegmentID) (Segment, bool) { return v.g.Segment(id) }

// AppendSegments is Grid.AppendSegments.
func (v View) AppendSegments(dst []Segment, r Rect) []Segment { return v.g.AppendSegments(dst, r) }

// Outlines is Grid.Outlines.
func (v View) Outlines(r Rect) []Outline { return v.g.Outlines(r) }

// RowsAlong is Grid.RowsAlong.
func (v View) RowsAlong(ax, ay, bx, by, distance float64, r Rect, do func(Rect) bool) bool {
	return v.g.RowsAlong(ax, ay, bx, by, distance, r, do)
}

// RayCast is Grid.RayCast.
func (v View) RayCast(x, y, dx, dy float64) (RayHit, bool) { return v.g.RayCast(x, y, dx, dy) }

// AppendRayHits is Grid.AppendRayHits.
func (v View) AppendRayHits(dst []RayHit, x, y, dx, dy float64) []RayHit {
	return v.g.AppendRayHits(dst, x, y, dx, dy)
}

// Nearest is Grid.Nearest.
func (v View) Nearest(x, y, maxDist float64) (Nearest, bool) { return v.g.Nearest(x, y, maxDist) }

// Solid is Grid.Solid.
func (v View) Solid(x, y float64) bool { return v.g.Solid(x, y) }

// SolidAt is Grid.SolidAt.
func (v View) SolidAt(p Point) bool { return v.g.SolidAt(p) }

// SolidArea is Grid.SolidArea.
func (v View) SolidArea(r Rect) Area { return v.g.SolidArea(r) }

// AppendMoments is Grid.AppendMoments.
func (v View) AppendMoments(dst []Moments) []Moments { return v.g.AppendMoments(dst) }

// AppendBlockRows is Grid.AppendBlockRows.
func (v View) AppendBlockRows(rows []Rect, cells []Cell, r Rect) ([]Rect, []Cell) {
	return v.g.AppendBlockRows(rows, cells, r)
}

// AnySolid is Grid.AnySolid.
func (v View) AnySolid(r Rect) bool { return v.g.AnySolid(r) }

// AllSolid is Grid.AllSolid.
func (v View) AllSolid(r Rect) bool { return v.g.AllSolid(r) }
