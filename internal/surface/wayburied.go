package surface

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
)

// Where a one-way tile adjoins a solid one, their common face has vanished from the ground:
// both are tiles. But a body that passes the one-way tile must collide with the solid one.
// So the solid's buried face is computed from the tiles when a body is near: nothing is
// stored, so nothing has to follow an edit. The edges overlap exactly, in whole numbers.

// edge is an edge of a tile's polygon.
type edge struct {
	a, b gridseg.Point
	tile gridseg.Tile
	cell gridseg.Cell
	way  Direction
}

// appendEdges appends the edges of the tile in the cell (x, y).
func (t *Tiles) appendEdges(dst []edge, x, y int32) []edge {
	e := edge{tile: t.Grid.Tile(x, y), cell: gridseg.Cell{X: x, Y: y}}
	if e.tile.Shape != gridseg.Patch {
		e.way = t.Way(e.tile)
		for _, loop := range t.Grid.Shapes().Polygons(e.tile.Shape, e.tile.Turn) {
			dst = e.appendLoop(dst, loop)
		}
		return dst
	}
	for tile, loops := range t.Grid.Polygons(x, y) {
		e.tile, e.way = tile, t.Way(tile)
		for _, loop := range loops {
			dst = e.appendLoop(dst, loop)
		}
	}
	return dst
}

// appendLoop appends the edges of a loop, local to e's cell, with the other fields of e.
func (e edge) appendLoop(dst []edge, loop []gridseg.Point) []edge {
	ox, oy := int64(e.cell.X)*gridseg.Unit, int64(e.cell.Y)*gridseg.Unit
	for i, a := range loop {
		b := loop[0]
		if i+1 < len(loop) {
			b = loop[i+1]
		}
		e.a, e.b = gridseg.Point{X: ox + a.X, Y: oy + a.Y}, gridseg.Point{X: ox + b.X, Y: oy + b.Y}
		dst = append(dst, e)
	}
	return dst
}

// fewCells is the number of cells up to which all are visited; of more, only those with
// tiles are.
const fewCells = 4096

// listOneWay lists the cells of r with one-way tiles.
func (f *Filter) listOneWay(t *Tiles, r gridseg.Rect) {
	f.oneWayCells = f.oneWayCells[:0]
	wide, high := int64(r.MaxX)-int64(r.MinX)+1, int64(r.MaxY)-int64(r.MinY)+1
	if wide > fewCells || high > fewCells || wide*high > fewCells {
		for at, tile := range t.Grid.Tiles(r) {
			f.listIfOneWay(t, at, tile)
		}
		return
	}
	for k := range wide * high {
		at := gridseg.Cell{X: int32(int64(r.MinX) + k%wide), Y: int32(int64(r.MinY) + k/wide)}
		f.listIfOneWay(t, at, t.Grid.Tile(at.X, at.Y))
	}
}

// listIfOneWay lists the cell at, which holds tile, if that is one-way.
func (f *Filter) listIfOneWay(t *Tiles, at gridseg.Cell, tile gridseg.Tile) {
	if tile.Shape == 0 {
		return
	}
	if tile.Shape != gridseg.Patch {
		if t.Way(tile) != None {
			f.oneWayCells = append(f.oneWayCells, at)
		}
		return
	}
	f.edges = t.appendEdges(f.edges[:0], at.X, at.Y)
	for i := range f.edges {
		if f.edges[i].way != None {
			f.oneWayCells = append(f.oneWayCells, at)
			return
		}
	}
}

// collectBuried collects the faces of solid tiles that adjoin the one-way tiles in the
// listed cells.
func (f *Filter) collectBuried(t *Tiles) {
	f.buried = f.buried[:0]
	for _, at := range f.oneWayCells {
		f.edges = f.edges[:0]
		for _, d := range [4][2]int32{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
			if at.X == math.MinInt32 && d[0] < 0 || at.X == math.MaxInt32 && d[0] > 0 ||
				at.Y == math.MinInt32 && d[1] < 0 || at.Y == math.MaxInt32 && d[1] > 0 {
				continue
			}
			tile := t.Grid.Tile(at.X+d[0], at.Y+d[1])
			if tile.Shape == 0 || tile.Shape != gridseg.Patch && t.Way(tile) != None {
				continue // no solid tile there
			}
			from := len(f.edges)
			f.edges = t.appendEdges(f.edges, at.X+d[0], at.Y+d[1])
			f.edges = onBorder(f.edges, from, at)
		}
		if len(f.edges) == 0 && t.Grid.Tile(at.X, at.Y).Shape != gridseg.Patch {
			continue
		}
		own := len(f.edges)
		f.edges = t.appendEdges(f.edges, at.X, at.Y)
		for i := own; i < len(f.edges); i++ {
			if f.edges[i].way == None {
				continue
			}
			for j := range f.edges {
				if solid := &f.edges[j]; solid.way == None {
					f.addBuried(&f.edges[i], solid)
				}
			}
		}
	}
}

// onBorder removes from edges[from:], of a neighbour of the cell at, those that are not on
// the border of that cell.
func onBorder(edges []edge, from int, at gridseg.Cell) []edge {
	x0, y0 := int64(at.X)*gridseg.Unit, int64(at.Y)*gridseg.Unit
	x1, y1 := x0+gridseg.Unit, y0+gridseg.Unit
	n := from
	for _, e := range edges[from:] {
		if e.a.X == e.b.X && (e.a.X == x0 || e.a.X == x1) || e.a.Y == e.b.Y && (e.a.Y == y0 || e.a.Y == y1) {
			edges[n] = e
			n++
		}
	}
	return edges[:n]
}

// addBuried adds the part of the edge solid that the one-way edge e overlaps.
func (f *Filter) addBuried(e, solid *edge) {
	ex, ey, fx, fy := e.b.X-e.a.X, e.b.Y-e.a.Y, solid.b.X-solid.a.X, solid.b.Y-solid.a.Y
	if ex*fy != ey*fx || ex*fx+ey*fy > 0 {
		return
	}
	if fx*(e.a.Y-solid.a.Y) != fy*(e.a.X-solid.a.X) {
		return // parallel, but not on one line
	}
	along := func(p gridseg.Point) int64 { return fx*(p.X-solid.a.X) + fy*(p.Y-solid.a.Y) }
	a, b := solid.a, solid.b
	if along(e.b) > along(a) {
		a = e.b
	}
	if along(e.a) < along(b) {
		b = e.a
	}
	if along(a) < along(b) {
		f.buried = append(f.buried, gridseg.Segment{ID: solid.segment(a, b), A: a, B: b, Tile: solid.tile})
	}
}

// segment returns the id that the ground would give to the part of e from a to b.
func (e *edge) segment(a, b gridseg.Point) gridseg.SegmentID {
	ox, oy := int64(e.cell.X)*gridseg.Unit, int64(e.cell.Y)*gridseg.Unit
	return gridseg.SegmentID{Cell: e.cell, N: uint64((a.Y-oy)<<39 | (a.X-ox)<<26 | (b.Y-oy)<<13 | (b.X - ox))}
}
