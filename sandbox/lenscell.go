package sandbox

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// cellsAround returns the 3x3 cells about a cell, those that are beyond the ends of int32 left out.
func cellsAround(c gridseg.Cell) gridseg.Rect {
	return gridseg.Rect{
		MinX: max(c.X, math.MinInt32+1) - 1, MinY: max(c.Y, math.MinInt32+1) - 1,
		MaxX: min(c.X, math.MaxInt32-1) + 1, MaxY: min(c.Y, math.MaxInt32-1) + 1,
	}
}

// onGround maps lattice points of a ground to the world.
type onGround struct{ t geom.Transform }

func (o onGround) at(p gridseg.Point) geom.Vec {
	return o.t.Apply(geom.V(float64(p.X)/gridseg.Unit, float64(p.Y)/gridseg.Unit))
}

// lensCell shows the raw faces of the tiles in the cells around the pointer: those that are left as segments, and the
// parts that cancelled against a face of a neighbour.
func (s *sim) lensCell(l lensPlace, p *lensPicture) {
	g, ok := s.groundUnder(l.at)
	if !ok {
		p.say("cell", "no tiles here")
		return
	}
	cell, _ := g.CellAt(l.at)
	on, r := onGround{g.Transform()}, cellsAround(cell)
	segments := g.AppendSegments(nil, r)
	raw, gone := 0, 0
	for y := int64(r.MinY); y <= int64(r.MaxY); y++ { // an int32 never exceeds the last cell
		for x := int64(r.MinX); x <= int64(r.MaxX); x++ {
			at := gridseg.Cell{X: int32(x), Y: int32(y)}
			here := at == cell
			p.drawCell(on, at, here)
			for _, loops := range g.Grid().Polygons(at.X, at.Y) {
				for _, loop := range loops {
					n, cancelled := p.drawLoop(on, at, loop, segments)
					if here {
						raw, gone = raw+n, gone+cancelled
					}
				}
			}
		}
	}
	left := 0
	for i := range segments {
		if segments[i].ID.Cell == cell {
			left++
		}
	}
	tile := g.Tile(cell.X, cell.Y)
	p.say("cell", "%d, %d", cell.X, cell.Y)
	p.say("tile", "%s", tileName(g, tile))
	p.say("raw faces", "%d", raw)
	p.say("cancelled", "%d, wholly or in part", gone)
	p.say("segments left", "%d", left)
}

// tileName describes a tile in words.
func tileName(g quarry.Ground, t gridseg.Tile) string {
	switch t.Shape {
	case 0:
		return "none"
	case gridseg.Patch:
		return "polygons"
	}
	return g.Grid().Shapes().Name(t.Shape)
}

func (p *lensPicture) drawCell(on onGround, c gridseg.Cell, here bool) {
	x, y := int64(c.X)*gridseg.Unit, int64(c.Y)*gridseg.Unit
	role := "cell"
	if here {
		role = "cell here"
	}
	const u = gridseg.Unit
	p.draw("area", role, on.at(gridseg.Point{X: x, Y: y}), on.at(gridseg.Point{X: x + u, Y: y}),
		on.at(gridseg.Point{X: x + u, Y: y + u}), on.at(gridseg.Point{X: x, Y: y + u}))
}

// drawLoop draws the faces of a polygon of a cell, and returns how many there are, and of how many a part cancelled.
func (p *lensPicture) drawLoop(on onGround, c gridseg.Cell, loop []gridseg.Point, segments []gridseg.Segment,
) (faces, cancelled int) {
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		for _, q := range [...]*gridseg.Point{&a, &b} {
			q.X, q.Y = q.X+int64(c.X)*gridseg.Unit, q.Y+int64(c.Y)*gridseg.Unit
		}
		faces++
		at, whole := 0.0, true
		for at < 1 {
			from, to := nextLeft(a, b, at, segments)
			if from > at {
				whole = false
				p.draw("line", "cancelled", part(on, a, b, at), part(on, a, b, min(from, 1)))
			}
			if from < 1 {
				p.draw("arrow", "segment", part(on, a, b, from), part(on, a, b, to))
			}
			at = to
		}
		if !whole {
			cancelled++
		}
	}
	return faces, cancelled
}

// part returns the point at a fraction of the face from a to b.
func part(on onGround, a, b gridseg.Point, f float64) geom.Vec { return on.at(a).Lerp(on.at(b), f) }

// nextLeft returns the next part of the face from a to b at or after a fraction that is left as a segment: from 1 to 1
// if there is none.
func nextLeft(a, b gridseg.Point, after float64, segments []gridseg.Segment) (from, to float64) {
	from, to = 1, 1
	dx, dy := b.X-a.X, b.Y-a.Y
	square := float64(dx*dx + dy*dy)
	along := func(q gridseg.Point) float64 { return float64((q.X-a.X)*dx+(q.Y-a.Y)*dy) / square }
	for i := range segments {
		g := &segments[i]
		if (g.A.X-a.X)*dy != (g.A.Y-a.Y)*dx || (g.B.X-a.X)*dy != (g.B.Y-a.Y)*dx {
			continue // on another line
		}
		if f, t := along(g.A), along(g.B); f < t && t > after && f < 1 && max(f, after) < from {
			from, to = max(f, after), min(t, 1)
		}
	}
	return from, to
}
