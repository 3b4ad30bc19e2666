package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// outlineWidth is the width of a shape's outline in pixels. The outline is drawn inside of the
// shape, so that touching shapes touch in the picture.
func (d *drawing) outlineWidth() float64 { return min(max(0.04*d.cam.Scale, 0.8), 2) }

// bodies draws the shapes of the bodies in view, the static ones first.
func (d *drawing) bodies(w *quarry.World) {
	w.Draw(&d.list, quarry.DrawOptions{Layers: quarry.DrawShapes, View: d.cam.View(), Origin: d.cam.Centre})
	for _, name := range [...]string{"static", "bodies"} {
		begun := false
		for i := range d.list.Items {
			it := &d.list.Items[i]
			if (it.Type == quarry.Static) != (name == "static") {
				continue
			}
			if !begun {
				begun = true
				d.c.Group(name)
			}
			f := canvas.Figure{Pts: it.Points, N: it.N, Radius: it.Radius * d.cam.Scale}
			for k := range f.N {
				f.Pts[k] = d.cam.Offset(f.Pts[k])
			}
			d.figure(&f, d.theme.body(it), it.Axis, it.Sensor)
		}
	}
}

// figure draws one shape; axis is the x axis of its body, in the world.
func (d *drawing) figure(f *canvas.Figure, c canvas.Ink, axis geom.Vec, sensor bool) {
	p, width := &d.path, d.outlineWidth()
	// On small shapes a full outline would cover most of the fill.
	edge := d.theme.outline(c).Fade(min(0.3+d.cam.Scale/24, 1))
	p.Reset()
	if f.N == 2 && f.Radius == 0 {
		p.Segment(f.Pts[0], f.Pts[1])
		d.c.Stroke(p, max(width, 1.5), edge)
		return
	}
	f.Outline(p)
	inner, ok := f.Inset(width / 2)
	switch {
	case sensor:
		d.c.Fill(p, c.Fade(0.15))
	case !ok: // too small for a fill
		d.c.Fill(p, c)
		return
	default:
		d.c.Fill(p, c)
	}
	if !ok {
		return
	}
	p.Reset()
	inner.Outline(p)
	d.c.Stroke(p, width, edge)
	if f.N == 1 && f.Radius > 2*width {
		// A radius line shows the circle's rotation.
		p.Reset()
		p.Segment(f.Pts[0], f.Pts[0].MulAdd(f.Radius-width, geom.V(axis.X, -axis.Y)))
		d.c.Stroke(p, max(1.2*width, 1.2), d.theme.spoke(c))
	}
}
