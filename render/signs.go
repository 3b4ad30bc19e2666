package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/canvas"
)

// signsFrom is the size of a cell in pixels from which signs are drawn.
const signsFrom = 7

// signs draws arrows along belts, and arrows on one-way tiles in the direction in which bodies
// pass. d.segments are the segments of cells.
func (d *drawing) signs(w *quarry.World, g quarry.Ground, t *terrain, cells gridseg.Rect) {
	if d.cam.Scale < signsFrom {
		return
	}
	width := min(max(0.07*d.cam.Scale, 1), 3)
	p := &d.path
	p.Reset()
	for i := range d.segments {
		s := &d.segments[i]
		speed := w.Material(g.Material(s.Tile)).TangentSpeed
		if speed == 0 {
			continue
		}
		a, b := latticeIn(t.l, s.A), latticeIn(t.l, s.B)
		if speed > 0 {
			a, b = b, a // clockwise around the solid
		}
		u, length := b.Sub(a).Unit()
		in := canvas.Outward(latticeIn(t.l, s.A), latticeIn(t.l, s.B)).Neg()
		n := max(1, int(length/(0.5*d.cam.Scale)+0.5))
		for k := range n {
			tip := a.MulAdd(length*(float64(k)+0.5)/float64(n)+0.06*d.cam.Scale, u).MulAdd(0.2*d.cam.Scale, in)
			chevron(p, tip, u, 0.12*d.cam.Scale)
		}
	}
	d.strokeSome(p, width, d.theme.sign())
	p.Reset()
	mark := func(c gridseg.Cell, tile gridseg.Tile, loop []gridseg.Point) {
		way := w.Material(g.Material(tile)).OneWay
		if way == quarry.NotOneWay {
			return
		}
		u := headingIn(t.l, way)
		var middle geom.Vec
		for _, v := range loop {
			middle = middle.Add(geom.V(float64(v.X), float64(v.Y)).Mul(1 / (gridseg.Unit * float64(len(loop)))))
		}
		at := t.l.Point(geom.V(float64(c.X), float64(c.Y)).Add(middle))
		chevron(p, at.MulAdd(0.09*d.cam.Scale, u), u, 0.18*d.cam.Scale)
	}
	for c, tile := range g.Grid().Tiles(cells) {
		if tile.Shape == gridseg.Patch {
			for polygon, loops := range g.Grid().Polygons(c.X, c.Y) {
				for _, loop := range loops {
					if !isHole(loop) {
						mark(c, polygon, loop)
					}
				}
			}
			continue
		}
		for _, loop := range g.Grid().Shapes().Polygons(tile.Shape, tile.Turn) {
			mark(c, tile, loop)
		}
	}
	d.strokeSome(p, width, d.theme.sign())
}

// isHole reports whether a loop runs clockwise.
func isHole(loop []gridseg.Point) bool {
	area, last := 0, loop[len(loop)-1]
	for _, v := range loop {
		area += int(last.X)*int(v.Y) - int(last.Y)*int(v.X)
		last = v
	}
	return area < 0
}

// chevron adds an arrowhead with its tip at a pixel, in the direction u.
func chevron(p *canvas.Path, tip, u geom.Vec, size float64) {
	back := tip.MulAdd(-size, u)
	p.Segment(back.MulAdd(size, u.Left()), tip)
	p.Segment(tip, back.MulAdd(-size, u.Left()))
}

// headingIn returns the unit vector, in pixels, of a one-way direction.
func headingIn(l canvas.Lens, way quarry.OneWay) geom.Vec {
	d := [...]geom.Vec{{}, {Y: 1}, {X: -1}, {Y: -1}, {X: 1}}[way]
	u, _ := l.Point(d).Sub(l.Point(geom.Vec{})).Unit()
	return u
}
