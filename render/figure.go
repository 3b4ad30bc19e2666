package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// figure is the outline of a shape: its core points, expanded by a radius. One point is a circle;
// two points are a capsule or, without a radius, a segment.
type figure struct {
	pts    [geom.MaxVertices]geom.Vec
	n      int
	radius float64
}

// outline adds the figure's outline.
func (f *figure) outline(p *path) { p.rounded(f.pts[:f.n], f.radius) }

// inset returns the figure shrunk by d on all sides, or false if that leaves nothing or reverses an
// edge.
func (f *figure) inset(d float64) (figure, bool) {
	if f.radius >= d {
		g := *f
		g.radius -= d
		return g, true
	}
	if f.n < 3 {
		return figure{}, false
	}
	g := figure{n: f.n}
	move := f.radius - d // displacement of the core's edges, outwards
	for i := range f.n {
		before := outward(f.pts[(i+f.n-1)%f.n], f.pts[i])
		after := outward(f.pts[i], f.pts[(i+1)%f.n])
		g.pts[i] = f.pts[i].MulAdd(move/(1+before.Dot(after)), before.Add(after))
	}
	for i := range f.n {
		k := (i + 1) % f.n
		if g.pts[k].Sub(g.pts[i]).Dot(f.pts[k].Sub(f.pts[i])) <= 0 {
			return figure{}, false
		}
	}
	return g, true
}

// outlineWidth is the width of a shape's outline in pixels. The outline is drawn inside of the
// shape, so that touching shapes touch in the picture.
func (d *drawing) outlineWidth() float64 { return min(max(0.04*d.cam.scale, 0.8), 2) }

// bodies draws the shapes of the bodies in view, the static ones first.
func (d *drawing) bodies(w *quarry.World) {
	w.Draw(&d.list, quarry.DrawOptions{Layers: quarry.DrawShapes, View: d.cam.view(), Origin: d.cam.centre})
	for _, name := range [...]string{"static", "bodies"} {
		begun := false
		for i := range d.list.Items {
			it := &d.list.Items[i]
			if (it.Type == quarry.Static) != (name == "static") {
				continue
			}
			if !begun {
				begun = true
				d.c.group(name)
			}
			f := figure{pts: it.Points, n: it.N, radius: it.Radius * d.cam.scale}
			for k := range f.n {
				f.pts[k] = d.cam.offset(f.pts[k])
			}
			d.figure(&f, d.theme.body(it), it.Axis, it.Sensor)
		}
	}
}

// figure draws one shape; axis is the x axis of its body, in the world.
func (d *drawing) figure(f *figure, c ink, axis geom.Vec, sensor bool) {
	p, width := &d.path, d.outlineWidth()
	// On small shapes a full outline would cover most of the fill.
	edge := d.theme.outline(c).fade(min(0.3+d.cam.scale/24, 1))
	p.reset()
	if f.n == 2 && f.radius == 0 {
		p.segment(f.pts[0], f.pts[1])
		d.c.stroke(p, max(width, 1.5), edge)
		return
	}
	f.outline(p)
	inner, ok := f.inset(width / 2)
	switch {
	case sensor:
		d.c.fill(p, c.fade(0.15))
	case !ok: // too small for a fill
		d.c.fill(p, c)
		return
	default:
		d.c.fill(p, c)
	}
	if !ok {
		return
	}
	p.reset()
	inner.outline(p)
	d.c.stroke(p, width, edge)
	if f.n == 1 && f.radius > 2*width {
		// A radius line shows the circle's rotation.
		p.reset()
		p.segment(f.pts[0], f.pts[0].MulAdd(f.radius-width, geom.V(axis.X, -axis.Y)))
		d.c.stroke(p, max(1.2*width, 1.2), d.theme.spoke(c))
	}
}
