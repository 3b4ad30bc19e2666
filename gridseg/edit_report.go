package gridseg

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// BrushOption is an option of Unite and Subtract: Keep or ReportTo.
type BrushOption struct {
	keep   func(Cell, Tile) bool
	report *Report
}

// Keep protects the tiles for which f returns true. The brush calls f for each tile of the cells that it covers or
// cuts, and for each polygon there (a Tile without a shape, see Polygons). Subtract does not dig a kept tile; Unite
// adds nothing to a cell with a kept tile. A cell in which all polygons are kept does not change. In a cell that
// Subtract cuts, the outline of a kept polygon may move by rounding, as other outlines do. f must not edit the
// grid, whose edits return ErrOwned meanwhile.
func Keep(f func(Cell, Tile) bool) BrushOption { return BrushOption{keep: f} }

// ReportTo makes a brush set *r, reusing its memory. An edit that is refused does not change *r.
func ReportTo(r *Report) BrushOption { return BrushOption{report: r} }

// Report is the effect of a brush.
type Report struct {
	Cells []Cell         // whose tiles or polygons changed, by row, then column
	Areas []MaterialArea // of the materials whose area changed, ascending
}

// MaterialArea is the area of one material in the cells that an edit changed, before and after the edit. It is
// exact: the areas of the whole grid change by the same amounts.
type MaterialArea struct {
	Material      uint16
	Before, After Area
}

// Removed returns the area that the edit removed, in cells; it is negative if the edit added some. Rounding
// may add a little of one material, far below 1/1000 cell for each cell, where another is removed.
func (a MaterialArea) Removed() float64 { return float64(int64(a.Before-a.After)) / float64(cellArea) }

// at returns the entry of a material, which it adds if there is none.
func (r *Report) at(material uint16) *MaterialArea {
	byMaterial := func(a MaterialArea, m uint16) int { return cmp.Compare(a.Material, m) }
	i, ok := slices.BinarySearchFunc(r.Areas, material, byMaterial)
	if !ok {
		r.Areas = slices.Insert(r.Areas, i, MaterialArea{Material: material})
	}
	return &r.Areas[i]
}

// brushOptions joins options; of two of a kind the later one counts.
func brushOptions(list []BrushOption) (all BrushOption) {
	for _, o := range list {
		if o.keep != nil {
			all.keep = o.keep
		}
		if o.report != nil {
			all.report = o.report
		}
	}
	return all
}

// begin lists the cells that an edit is going to change, with their areas before it.
func (r *Report) begin(g *Grid, todo *plannedEdit, unite bool) {
	r.Cells, r.Areas = r.Cells[:0], r.Areas[:0]
	for _, rect := range todo.whole {
		if !unite {
			for c := range g.Tiles(rect) {
				r.Cells = append(r.Cells, c)
			}
			continue
		}
		for y := int64(rect.MinY); y <= int64(rect.MaxY); y++ {
			for x := int64(rect.MinX); x <= int64(rect.MaxX); x++ {
				if c := (Cell{X: int32(x), Y: int32(y)}); g.rawTile(c.X, c.Y).Shape == 0 {
					r.Cells = append(r.Cells, c)
				}
			}
		}
	}
	for k, c := range todo.cells {
		polys := g.polysOf(todo.now[k].tile)
		if p := todo.now[k].patch; p != nil {
			polys = p.polys
		}
		if !equalPolys(g.polysOf(g.rawTile(c.X, c.Y)), polys) {
			r.Cells = append(r.Cells, c)
		}
	}
	slices.SortFunc(r.Cells, byRow)
	for _, c := range r.Cells {
		for _, p := range g.polysOf(g.rawTile(c.X, c.Y)) {
			r.at(p.tile.Material).Before += lattice.AreaOf(p.loops)
		}
	}
}

// end adds the areas after the edit.
func (r *Report) end(g *Grid) {
	for _, c := range r.Cells {
		for _, p := range g.polysOf(g.rawTile(c.X, c.Y)) {
			r.at(p.tile.Material).After += lattice.AreaOf(p.loops)
		}
	}
	r.Areas = slices.DeleteFunc(r.Areas, func(a MaterialArea) bool { return a.Before == a.After })
}

// plannedEdit collects the changes of a brush, so that nothing changes if a part is refused.
type plannedEdit struct {
	whole []Rect // to fill where empty, or to clear
	cells []Cell
	now   []content // of cells
}
