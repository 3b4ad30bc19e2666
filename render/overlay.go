package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// overlays draws the marks selected by the options: boxes, normals, ghost vertices, contacts.
func (d *drawing) overlays(w *quarry.World) {
	if d.o.AABBs {
		d.boxes(w)
	}
	if d.o.Normals || d.o.Ghosts {
		for g := range w.Grounds() {
			d.surfaces(g)
		}
		for c := range w.Chains() {
			d.chainSurfaces(c)
		}
	}
	if d.o.Contacts {
		d.contacts(w)
	}
}

// boxes draws the boxes of the shapes and of the chains in view.
func (d *drawing) boxes(w *quarry.World) {
	view := d.cam.view()
	p := &d.path
	p.reset()
	for b := range w.Bodies() {
		for s := range b.Shapes() {
			box := s.Bounds()
			if !box.Overlaps(view) {
				continue
			}
			lo, hi := d.cam.point(box.Min), d.cam.point(box.Max)
			p.polygon(lo, geom.V(hi.X, lo.Y), hi, geom.V(lo.X, hi.Y))
		}
	}
	for c := range w.Chains() {
		if box := c.Bounds(); box.Overlaps(view) {
			lo, hi := d.cam.point(box.Min), d.cam.point(box.Max)
			p.polygon(lo, geom.V(hi.X, lo.Y), hi, geom.V(lo.X, hi.Y))
		}
	}
	d.c.group("aabbs")
	d.strokeSome(p, 1, d.theme.box.fade(0.7))
}

// surfaces draws the normals and ghost vertices of a ground's segments.
func (d *drawing) surfaces(g quarry.Ground) {
	bounds, ok := g.Grid().Bounds()
	if !ok {
		return
	}
	l := d.cam.lens(g.Transform())
	d.segments = g.Grid().AppendSegments(d.segments[:0], meet(bounds, cellsIn(l.visible())))
	var m surfaceMarks
	m.size(d.cam.scale)
	for i := range d.segments {
		s := &d.segments[i]
		tip := m.tick(l.lattice(s.A), l.lattice(s.B))
		if s.HasGhost1 {
			m.ghost(tip, l.lattice(s.Ghost1))
		}
		if s.HasGhost2 {
			m.ghost(tip, l.lattice(s.Ghost2))
		}
	}
	d.marks(&m)
}

// surfaceMarks are the marks of segments: normals, and ghost vertices with lines to them.
type surfaceMarks struct {
	length, radius     float64 // length of a normal and radius of a ghost's dot, in pixels
	ticks, links, dots path
}

// size sets the sizes for a scale in pixels a cell.
func (m *surfaceMarks) size(scale float64) {
	m.length, m.radius = min(max(0.25*scale, 4), 12), min(max(0.06*scale, 1.2), 3)
}

// tick adds the normal of a-b and returns its tip.
func (m *surfaceMarks) tick(a, b geom.Vec) geom.Vec {
	middle := a.Lerp(b, 0.5)
	tip := middle.MulAdd(m.length, outward(a, b))
	m.ticks.segment(middle, tip)
	return tip
}

// ghost adds a ghost vertex, the far end of a neighbour. The line to it starts at the tip of the
// normal; from the middle of the segment it would lie on the surface.
func (m *surfaceMarks) ghost(tip, p geom.Vec) {
	m.links.segment(tip, p)
	m.dots.circle(p, m.radius)
}

// marks draws the marks of m that the options select.
func (d *drawing) marks(m *surfaceMarks) {
	if d.o.Ghosts {
		d.c.group("ghosts")
		d.strokeSome(&m.links, 1, d.theme.ghost.fade(0.45))
		d.fillSome(&m.dots, d.theme.ghost)
	}
	if d.o.Normals {
		d.c.group("normals")
		d.strokeSome(&m.ticks, 1.25, d.theme.normal)
	}
}

// contacts draws the points of the touching contacts and their normals, which
// point from the first shape (or the ground or chain) to the second.
func (d *drawing) contacts(w *quarry.World) {
	d.touching = w.AppendContacts(d.touching[:0])
	view := d.cam.view().Expand(1)
	// Marks on bodies of a few pixels are small enough not to hide them.
	arm := min(max(0.3*d.cam.scale, 2), 14)
	dot := min(max(0.07*d.cam.scale, 0.6), 3.2)
	line := min(max(0.08*d.cam.scale, 0.6), 1.25)
	var arms, dots path
	for i := range d.touching {
		c := &d.touching[i]
		out := geom.V(c.Normal.X, -c.Normal.Y)
		for k := range c.N {
			at := c.Points[k].Point
			if !view.ContainsPoint(at) {
				continue
			}
			p := d.cam.point(at)
			arms.segment(p, p.MulAdd(arm, out))
			dots.circle(p, dot)
		}
	}
	d.c.group("contacts")
	d.strokeSome(&arms, line, d.theme.contact.fade(0.85))
	d.fillSome(&dots, d.theme.contact)
}
