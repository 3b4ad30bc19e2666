package render

import (
	"image/png"
	"io"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/canvas"
)

// Broad adds rays and cell loads to a picture of a broad phase.
type Broad struct {
	// Rays are cast through the grid. Cells that a ray enters are marked, and boxes that it
	// meets are filled.
	Rays []geom.Segment
	// Loads draws a histogram of objects per cell below the view. The leftmost bar counts the
	// cells with one object; ticks mark it and every fifth bar.
	Loads bool
}

// WriteGridPNG writes a picture of a grid as PNG: its occupied cells, stronger with more
// objects, with a colour for each level of a hierarchical grid; the chunks of a fixed or
// chunked grid as thick lines; and the boxes of its objects. It uses only View (zero: all
// objects), Width, Height, Light and Background of o. It returns an error if o is out of
// range, or out's error.
func WriteGridPNG(out io.Writer, g *grid.Grid, b Broad, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	r := newRaster(o.Width, o.Height)
	drawGrid(r, g, b, o)
	return png.Encode(out, r.picture)
}

// WriteGridSVG writes the picture of WriteGridPNG as SVG 1.1.
func WriteGridSVG(out io.Writer, g *grid.Grid, b Broad, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	v := canvas.NewSVG(out, o.Width, o.Height)
	drawGrid(v, g, b, o)
	return v.Finish()
}

func drawGrid(c canvas.Canvas, g *grid.Grid, b Broad, o Options) {
	if o.View == (geom.AABB{}) {
		o.View = geom.AABB{Min: geom.V(-8, -4.5), Max: geom.V(8, 4.5)}
		if all, ok := g.Bounds(); ok {
			o.View = all.Expand(1 + 0.02*max(all.Size().X, all.Size().Y))
		}
	}
	if b.Loads {
		// Reserve the lowest part of the picture for the bars.
		o.View.Min.Y -= o.View.Size().Y * loadsHigh / (1 - loadsHigh)
	}
	d := drawing{c: c, o: o, cam: canvas.NewCamera(o.View, o.Width, o.Height), theme: themeOf(o)}
	c.Group("background")
	c.Fill(d.everything(), d.theme.background)
	loads := g.AppendLoads(nil)
	c.Group("cells")
	d.cells(loads)
	if g.Kind() == grid.Chunked || g.Kind() == grid.Fixed {
		c.Group("chunks")
		d.chunks(g, loads)
	}
	met := map[grid.ID]bool{}
	c.Group("rays")
	for _, r := range b.Rays {
		way := r.B.Sub(r.A)
		d.path.Reset()
		for _, k := range g.AppendRayCells(nil, r.A, way, 1) {
			s := g.CellSize()
			p := geom.V(float64(k.X)*s, float64(k.Y)*s)
			d.rectangle(geom.AABB{Min: p, Max: p.Add(geom.V(s, s))})
		}
		d.fillSome(&d.path, d.theme.contact.Fade(0.30))
		d.strokeSome(&d.path, 1, d.theme.contact.Fade(0.55))
		for _, h := range g.AppendRay(nil, r.A, way, 1, grid.All) {
			met[h.ID] = true
		}
	}
	c.Group("boxes")
	d.gridBoxes(g, met)
	for _, r := range b.Rays {
		d.path.Reset()
		d.path.Segment(d.cam.Point(r.A), d.cam.Point(r.B))
		c.Stroke(&d.path, 2, d.theme.contact)
	}
	if b.Loads {
		c.Group("loads")
		d.loads(loads)
	}
}

// rectangle adds a box to the path.
func (d *drawing) rectangle(b geom.AABB) {
	p, q := d.cam.Point(b.Min), d.cam.Point(b.Max)
	d.path.Polygon(p, geom.V(q.X, p.Y), q, geom.V(p.X, q.Y))
}

// cells shades each cell by its number of objects, coarse levels first.
func (d *drawing) cells(loads []grid.Load) {
	fullest := 1
	for _, l := range loads {
		fullest = max(fullest, l.N)
	}
	for i := len(loads) - 1; i >= 0; i-- {
		l := loads[i]
		c := d.theme.bodies[(3+l.Level)%len(d.theme.bodies)]
		d.path.Reset()
		d.rectangle(l.Box)
		d.c.Fill(&d.path, c.Fade(0.10+0.45*float64(l.N)/float64(fullest)))
		d.c.Stroke(&d.path, 1, c.Fade(0.5))
	}
}

// chunks outlines the chunks of the cells.
func (d *drawing) chunks(g *grid.Grid, loads []grid.Load) {
	const side = grid.ChunkSide
	s := g.CellSize() * side
	seen := map[geom.Vec]bool{} // chunks, by chunk coordinates
	for _, l := range loads {
		at := geom.V(math.Floor(float64(l.Cell.X)/side), math.Floor(float64(l.Cell.Y)/side))
		if seen[at] {
			continue
		}
		seen[at] = true
		p := at.Mul(s)
		d.path.Reset()
		d.rectangle(geom.AABB{Min: p, Max: p.Add(geom.V(s, s))})
		d.c.Stroke(&d.path, 2, d.theme.normal.Fade(0.8))
	}
}

// gridBoxes draws the boxes of the objects, and fills those hit by a ray.
func (d *drawing) gridBoxes(g *grid.Grid, met map[grid.ID]bool) {
	for _, id := range g.AppendOverlaps(nil, d.cam.View(), grid.All) {
		d.path.Reset()
		d.rectangle(g.Box(id))
		if met[id] {
			d.c.Fill(&d.path, d.theme.ghost.Fade(0.5))
			d.c.Stroke(&d.path, 1.5, d.theme.ghost)
		} else {
			d.c.Stroke(&d.path, 1.2, d.theme.edge.Fade(0.75))
		}
	}
}

// loadsHigh is the height of the histogram, as a part of the picture's height.
const loadsHigh = 0.3

// loads draws the histogram of loads.
func (d *drawing) loads(loads []grid.Load) {
	var count []int
	most := 1
	for _, l := range loads {
		for len(count) < l.N {
			count = append(count, 0)
		}
		count[l.N-1]++
		most = max(most, count[l.N-1])
	}
	w, h := 2*d.cam.Half.X, 2*d.cam.Half.Y
	bar := min(24, w/float64(len(count)+1))
	plate := func(x0, y0, x1, y1 float64) {
		d.path.Polygon(geom.V(x0, y1), geom.V(x0, y0), geom.V(x1, y0), geom.V(x1, y1))
	}
	d.path.Reset()
	plate(0, (1-loadsHigh)*h, w, h)
	d.c.Fill(&d.path, d.theme.background)
	base, high := 0.97*h, (loadsHigh-0.06)*h
	d.path.Reset()
	for i, n := range count {
		x := bar * (float64(i) + 0.5)
		plate(x, base-high*float64(n)/float64(most), x+0.8*bar, base)
	}
	d.fillSome(&d.path, d.theme.contact)
	d.path.Reset()
	plate(0.5*bar, base, bar*(float64(len(count))+0.3), base+1)
	for i := range count {
		if n := i + 1; n == 1 || n%5 == 0 {
			x := bar * (float64(i) + 0.9)
			plate(x-0.5, base, x+0.5, base+0.02*h)
		}
	}
	d.fillSome(&d.path, d.theme.edge)
}
