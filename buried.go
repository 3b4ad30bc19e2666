package quarry

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
	way  OneWay
}

// appendEdges appends the edges of the tile in the cell (x, y) of g.
func (w *World) appendEdges(dst []edge, g *ground, x, y int32) []edge {
	e := edge{tile: g.grid.Tile(x, y), cell: gridseg.Cell{X: x, Y: y}}
	if e.tile.Shape != gridseg.Patch {
		e.way = w.oneWayOf(g, e.tile)
		for _, loop := range g.grid.Shapes().Polygons(e.tile.Shape, e.tile.Turn) {
			dst = e.appendLoop(dst, loop)
		}
		return dst
	}
	for tile, loops := range g.grid.Polygons(x, y) {
		e.tile, e.way = tile, w.oneWayOf(g, tile)
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
func (w *World) listOneWay(sq *surfaceQuery, g *ground, r gridseg.Rect) {
	sq.oneWayCells = sq.oneWayCells[:0]
	wide, high := int64(r.MaxX)-int64(r.MinX)+1, int64(r.MaxY)-int64(r.MinY)+1
	if wide > fewCells || high > fewCells || wide*high > fewCells {
		for at, t := range g.grid.Tiles(r) {
			w.listIfOneWay(sq, g, at, t)
		}
		return
	}
	for k := range wide * high {
		at := gridseg.Cell{X: int32(int64(r.MinX) + k%wide), Y: int32(int64(r.MinY) + k/wide)}
		w.listIfOneWay(sq, g, at, g.grid.Tile(at.X, at.Y))
	}
}

// listIfOneWay lists the cell at, which holds t, if t is one-way.
func (w *World) listIfOneWay(sq *surfaceQuery, g *ground, at gridseg.Cell, t gridseg.Tile) {
	if t.Shape == 0 {
		return
	}
	if t.Shape != gridseg.Patch {
		if w.oneWayOf(g, t) != NotOneWay {
			sq.oneWayCells = append(sq.oneWayCells, at)
		}
		return
	}
	sq.edges = w.appendEdges(sq.edges[:0], g, at.X, at.Y)
	for i := range sq.edges {
		if sq.edges[i].way != NotOneWay {
			sq.oneWayCells = append(sq.oneWayCells, at)
			return
		}
	}
}

// collectBuried collects the faces of solid tiles that adjoin the one-way tiles in the
// listed cells.
func (w *World) collectBuried(sq *surfaceQuery, g *ground) {
	sq.buried = sq.buried[:0]
	for _, at := range sq.oneWayCells {
		sq.edges = sq.edges[:0]
		for _, d := range [4][2]int32{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
			if at.X == math.MinInt32 && d[0] < 0 || at.X == math.MaxInt32 && d[0] > 0 ||
				at.Y == math.MinInt32 && d[1] < 0 || at.Y == math.MaxInt32 && d[1] > 0 {
				continue
			}
			t := g.grid.Tile(at.X+d[0], at.Y+d[1])
			if t.Shape == 0 || t.Shape != gridseg.Patch && w.oneWayOf(g, t) != NotOneWay {
				continue // no solid tile there
			}
			from := len(sq.edges)
			sq.edges = w.appendEdges(sq.edges, g, at.X+d[0], at.Y+d[1])
			sq.edges = onBorder(sq.edges, from, at)
		}
		if len(sq.edges) == 0 && g.grid.Tile(at.X, at.Y).Shape != gridseg.Patch {
			continue
		}
		own := len(sq.edges)
		sq.edges = w.appendEdges(sq.edges, g, at.X, at.Y)
		for i := own; i < len(sq.edges); i++ {
			if sq.edges[i].way == NotOneWay {
				continue
			}
			for j := range sq.edges {
				if f := &sq.edges[j]; f.way == NotOneWay {
					sq.addBuried(&sq.edges[i], f)
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

// addBuried adds the part of the solid's edge f that the one-way edge e overlaps.
func (sq *surfaceQuery) addBuried(e, f *edge) {
	ex, ey, fx, fy := e.b.X-e.a.X, e.b.Y-e.a.Y, f.b.X-f.a.X, f.b.Y-f.a.Y
	if ex*fy != ey*fx || ex*fx+ey*fy > 0 {
		return
	}
	if fx*(e.a.Y-f.a.Y) != fy*(e.a.X-f.a.X) {
		return // parallel, but not on one line
	}
	along := func(p gridseg.Point) int64 { return fx*(p.X-f.a.X) + fy*(p.Y-f.a.Y) }
	a, b := f.a, f.b
	if along(e.b) > along(a) {
		a = e.b
	}
	if along(e.a) < along(b) {
		b = e.a
	}
	if along(a) < along(b) {
		sq.buried = append(sq.buried, gridseg.Segment{ID: f.segment(a, b), A: a, B: b, Tile: f.tile})
	}
}

// segment returns the id that the ground would give to the part of e from a to b.
func (e *edge) segment(a, b gridseg.Point) gridseg.SegmentID {
	ox, oy := int64(e.cell.X)*gridseg.Unit, int64(e.cell.Y)*gridseg.Unit
	return gridseg.SegmentID{Cell: e.cell, N: uint64((a.Y-oy)<<39 | (a.X-ox)<<26 | (b.Y-oy)<<13 | (b.X - ox))}
}
