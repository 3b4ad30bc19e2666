package render

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/canvas"
)

// terrain draws a ground. The clip is the union of all tiles and polygons. Inside, the most common
// colour fills everything, then each other colour is drawn one pixel wider, then the rims. So the
// silhouette is exact, and the background never shows between two tiles.
func (d *drawing) terrain(w *quarry.World, g quarry.Ground, name string) {
	l := d.cam.Lens(g.Transform())
	bounds, ok := g.Grid().Bounds()
	if !ok {
		return
	}
	cells := meet(bounds, cellsIn(l.Visible()))
	if cells.Empty() {
		return
	}
	t := terrain{l: l, grid: g.Grid()}
	colour := func(tile gridseg.Tile) canvas.Ink {
		id := g.Material(tile)
		return d.theme.ground(id, w.Material(id))
	}
	t.collect(cells, colour)
	if t.all.Empty() {
		return
	}
	d.c.Group(name)
	d.c.Clip(&t.all)
	base := t.commonest()
	d.c.Fill(d.everything(), t.parts[base].ink)
	for i := range t.parts {
		if i != base {
			d.c.Fill(&t.parts[i].area, t.parts[i].ink)
			d.c.Stroke(&t.parts[i].area, 1, t.parts[i].ink)
		}
	}
	d.rims(&t, cells, colour)
	d.signs(w, g, &t, cells)
	d.c.Unclip()
}

// terrain is a ground's visible tiles as paths, by colour.
type terrain struct {
	l     canvas.Lens
	grid  gridseg.View
	all   canvas.Path
	parts []part // in order of first appearance
	open  []run  // runs that the next row may extend, by column
	row   []run
}

// part is the part of a ground that has one colour.
type part struct {
	ink   canvas.Ink
	cells int // tiles and polygons
	area  canvas.Path
}

// run is a rectangle of full blocks of one colour. It has fewer corners than its tiles, and no
// seams.
type run struct {
	x0, x1, y0, y1 int32 // closed
	part           int
}

func (t *terrain) part(c canvas.Ink) int {
	for i := range t.parts {
		if t.parts[i].ink == c {
			return i
		}
	}
	t.parts = append(t.parts, part{ink: c})
	return len(t.parts) - 1
}

// commonest returns the part with the most cells, the first of equals.
func (t *terrain) commonest() int {
	best := 0
	for i := range t.parts {
		if t.parts[i].cells > t.parts[best].cells {
			best = i
		}
	}
	return best
}

// collect makes the paths of the tiles and polygons in cells.
func (t *terrain) collect(cells gridseg.Rect, colour func(gridseg.Tile) canvas.Ink) {
	shapes := t.grid.Shapes()
	var poly []geom.Vec
	y := cells.MinY
	for c, tile := range t.grid.Tiles(cells) {
		if c.Y != y {
			t.endRow(y)
			y = c.Y
		}
		if tile.Shape == gridseg.Patch {
			// Holes have the opposite direction. Edges shared with the next cell cancel in the
			// coverage.
			for attr, loops := range t.grid.Polygons(c.X, c.Y) {
				i := t.count(colour(attr))
				for _, pts := range loops {
					poly = t.outline(poly[:0], c, pts)
					t.add(i, poly)
				}
			}
			continue
		}
		i := t.count(colour(tile))
		if tile.Shape == gridseg.Full {
			if n := len(t.row); n > 0 && t.row[n-1].part == i && t.row[n-1].x1 == c.X-1 {
				t.row[n-1].x1 = c.X
			} else {
				t.row = append(t.row, run{c.X, c.X, c.Y, c.Y, i})
			}
			continue
		}
		for _, pts := range shapes.Polygons(tile.Shape, tile.Turn) {
			poly = t.outline(poly[:0], c, pts)
			t.add(i, poly)
		}
	}
	t.endRow(y)
	t.flush(t.open)
}

// count returns the part of colour c and adds a cell to it.
func (t *terrain) count(c canvas.Ink) int {
	i := t.part(c)
	t.parts[i].cells++
	return i
}

// outline appends the pixels of a loop of cell c.
func (t *terrain) outline(dst []geom.Vec, c gridseg.Cell, loop []gridseg.Point) []geom.Vec {
	for _, p := range loop {
		dst = append(dst, t.l.Point(geom.V(float64(c.X)+float64(p.X)/gridseg.Unit,
			float64(c.Y)+float64(p.Y)/gridseg.Unit)))
	}
	return dst
}

// endRow joins each run of row y to a run of the row below of equal columns and colour. Runs of the
// row below that are not joined are finished.
func (t *terrain) endRow(y int32) {
	k := 0
	done := t.open[:0]
	for _, o := range t.open {
		for k < len(t.row) && t.row[k].x0 < o.x0 {
			k++
		}
		if o.y1 == y-1 && k < len(t.row) && t.row[k].x0 == o.x0 && t.row[k].x1 == o.x1 && t.row[k].part == o.part {
			t.row[k].y0 = o.y0
		} else {
			done = append(done, o)
		}
	}
	t.flush(done)
	t.open, t.row = t.row, t.open[:0]
}

func (t *terrain) flush(runs []run) {
	for _, r := range runs {
		x0, x1, y0, y1 := float64(r.x0), float64(r.x1)+1, float64(r.y0), float64(r.y1)+1
		t.add(r.part, []geom.Vec{
			t.l.Point(geom.V(x0, y0)), t.l.Point(geom.V(x1, y0)),
			t.l.Point(geom.V(x1, y1)), t.l.Point(geom.V(x0, y1)),
		})
	}
}

func (t *terrain) add(i int, poly []geom.Vec) {
	t.all.Polygon(poly...)
	t.parts[i].area.Polygon(poly...)
}

// rims draws the surface: a line along the segments, inside of the ground, and a wider, fainter
// line below it.
func (d *drawing) rims(t *terrain, cells gridseg.Rect, colour func(gridseg.Tile) canvas.Ink) {
	if d.cam.Scale < 2 {
		return
	}
	width := min(max(0.09*d.cam.Scale, 1), 4)
	d.segments = t.grid.AppendSegments(d.segments[:0], cells)
	var bands [2]terrain // parts by colour of the tile
	for k, deep := range [...]float64{min(2.6*width, 0.24*d.cam.Scale), width} {
		for i := range d.segments {
			s := &d.segments[i]
			p := &bands[k].parts[bands[k].part(colour(s.Tile))].area
			band(p, t.l, s, deep)
		}
	}
	for i := range bands[0].parts {
		d.c.Fill(&bands[0].parts[i].area, d.theme.soft(bands[0].parts[i].ink))
	}
	for i := range bands[1].parts {
		d.c.Fill(&bands[1].parts[i].area, d.theme.rim(bands[1].parts[i].ink))
	}
}

// band adds the strip along s, from a pixel outside to deep pixels inside; its ends are on the
// bisectors with the neighbours.
func band(p *canvas.Path, l canvas.Lens, s *gridseg.Segment, deep float64) {
	a, b := latticeIn(l, s.A), latticeIn(l, s.B)
	u, length := b.Sub(a).Unit()
	if length == 0 {
		return
	}
	from, to := u, u
	if s.HasGhost1 {
		from, _ = a.Sub(latticeIn(l, s.Ghost1)).Unit()
	}
	if s.HasGhost2 {
		to, _ = latticeIn(l, s.Ghost2).Sub(b).Unit()
	}
	strip(p, a, b, from, to, 1, deep)
}

// strip adds the strip along a-b, from out pixels outside to deep pixels inside. Its ends are on
// the bisectors with the previous line, of direction from, and the next, of direction to.
func strip(p *canvas.Path, a, b, from, to geom.Vec, out, deep float64) {
	u, length := b.Sub(a).Unit()
	atA, atB := bisector(from, u, u), bisector(u, to, u)
	p.Move(b.MulAdd(-out, atB))
	p.Line(a.MulAdd(-out, atA))
	if along := atA.Dot(u) - atB.Dot(u); float64(along*deep) > length {
		// The bisectors cross above this depth: the strip is a wedge.
		p.Line(a.MulAdd(length/along, atA))
	} else {
		p.Line(a.MulAdd(deep, atA))
		p.Line(b.MulAdd(deep, atB))
	}
	p.Close()
}

// bisector returns the displacement of the corner between directions u and v if both sides move
// inwards by one. At a spike, where it would be large, it returns the inset of the end of side alone.
// The solid is on the left of a segment, which with y down is the right-hand side in coordinates.
func bisector(u, v, side geom.Vec) geom.Vec {
	const spike = -0.985 // the cosine of a turn by 170 degrees
	cos := u.Dot(v)
	if cos < spike {
		return side.Right()
	}
	return u.Right().Add(v.Right()).Mul(1 / (1 + cos))
}

// latticeIn returns the pixel of a lattice point. The division, by a power of two, is exact.
func latticeIn(l canvas.Lens, p gridseg.Point) geom.Vec {
	return l.Point(geom.V(float64(p.X)/gridseg.Unit, float64(p.Y)/gridseg.Unit))
}

// cellsIn returns the cells that overlap the box and one more on each side, whose rims and outlines
// may extend into it.
func cellsIn(box geom.AABB) gridseg.Rect {
	floor := func(x float64) int32 {
		return int32(min(max(math.Floor(x), math.MinInt32), math.MaxInt32))
	}
	return gridseg.Rect{
		MinX: floor(box.Min.X - 1), MinY: floor(box.Min.Y - 1),
		MaxX: floor(box.Max.X + 1), MaxY: floor(box.Max.Y + 1),
	}
}

func meet(a, b gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: max(a.MinX, b.MinX), MinY: max(a.MinY, b.MinY),
		MaxX: min(a.MaxX, b.MaxX), MaxY: min(a.MaxY, b.MaxY),
	}
}
