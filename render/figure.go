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

// figureOf returns s in the pixels of l.
func figureOf(s geom.Shape, l lens) figure {
	var f figure
	switch s := s.(type) {
	case geom.Circle:
		f.pts[0], f.n, f.radius = s.Center, 1, s.Radius
	case geom.Capsule:
		f.pts[0], f.pts[1], f.n, f.radius = s.A, s.B, 2, s.Radius
	case geom.Segment:
		f.pts[0], f.pts[1], f.n = s.A, s.B, 2
	case geom.Polygon:
		f.pts, f.n, f.radius = s.Vertices, s.N, s.Radius
	}
	for i := range f.n {
		f.pts[i] = l.point(f.pts[i])
	}
	f.radius *= l.scale
	return f
}

// kind returns the number of the kind of shape, for the choice of colour.
func (f *figure) kind() uint32 { return uint32(min(f.n, 3)) }

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
	view := d.cam.view()
	for _, name := range [...]string{"static", "bodies"} {
		begun := false
		for b := range w.Bodies() {
			if (b.Type() == quarry.Static) != (name == "static") {
				continue
			}
			l := d.cam.lens(b.Transform())
			for s := range b.Shapes() {
				if !s.Bounds().Overlaps(view) {
					continue
				}
				if !begun {
					begun = true
					d.c.group(name)
				}
				f := figureOf(s.Geometry(), l)
				d.figure(&f, d.theme.body(b, f.kind(), w.Material(s.Material())), l, s.Sensor())
			}
		}
	}
}

// figure draws one shape.
func (d *drawing) figure(f *figure, c ink, l lens, sensor bool) {
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
		p.segment(f.pts[0], f.pts[0].Add(d.spoke(l, f.radius-width)))
		d.c.stroke(p, max(1.2*width, 1.2), d.theme.spoke(c))
	}
}

// spoke adds a line of r pixels along the frame's x axis.
func (d *drawing) spoke(l lens, r float64) geom.Vec {
	return geom.V(l.t.Q.C*r, -l.t.Q.S*r)
}
