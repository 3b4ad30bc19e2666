package render

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// overlays draws the layers that the options select, in an order in which small marks are on top.
func (d *drawing) overlays(w *quarry.World) {
	for _, layer := range [...]quarry.DrawLayers{
		quarry.DrawBoxes, quarry.DrawProxies, quarry.DrawIslands, quarry.DrawSurfaces,
	} {
		d.layer(w, layer)
	}
	if d.o.Draw&(quarry.DrawNormals|quarry.DrawGhosts) != 0 {
		for g := range w.Grounds() {
			d.surfaces(g)
		}
		for c := range w.Chains() {
			d.chainSurfaces(c)
		}
	}
	for _, layer := range [...]quarry.DrawLayers{
		quarry.DrawJoints, quarry.DrawCenters, quarry.DrawVelocities, quarry.DrawContacts, quarry.DrawImpulses,
	} {
		d.layer(w, layer)
	}
}

// Lengths of arrows: velocities are drawn as the way in arrowTime seconds, impulses in proportion to
// the largest one in the picture, which has arrowMost pixels.
const (
	arrowTime = 0.1
	arrowMost = 60
)

// layer draws a layer of World.Draw, if the options select it.
func (d *drawing) layer(w *quarry.World, layer quarry.DrawLayers) {
	if d.o.Draw&layer == 0 {
		return
	}
	// Arrows and dots near the picture reach into it.
	view := d.cam.View().Expand(1)
	w.Draw(&d.list, quarry.DrawOptions{Layers: layer, View: view, Origin: d.cam.Centre})
	// Marks on bodies of a few pixels are small enough not to hide them.
	unit := min(max(0.3*d.cam.Scale, 2), 14) // pixels of a unit vector
	dot := min(max(0.07*d.cam.Scale, 0.6), 3.2)
	width := min(max(0.08*d.cam.Scale, 0.6), 1.25)
	ink, head := d.theme.contact, 0.0
	switch layer {
	case quarry.DrawBoxes:
		ink, width = d.theme.box.Fade(0.7), 1
	case quarry.DrawProxies:
		ink, width = d.theme.proxy.Fade(0.6), 1
	case quarry.DrawIslands:
		ink, width = d.theme.island, 1.5
	case quarry.DrawSurfaces:
		ink, width = d.theme.normal, 2*width
	case quarry.DrawJoints:
		ink, width, unit = d.theme.joint, 1.2*width, 1.5*unit
	case quarry.DrawVelocities:
		ink, unit, head, width = d.theme.velocity, arrowTime*d.cam.Scale, 4, 1.4*width
	case quarry.DrawImpulses:
		most := 0.0
		for i := range d.list.Items {
			it := &d.list.Items[i]
			most = max(most, it.Points[0].Dist(it.Points[1]))
		}
		ink, unit, head, width = d.theme.impulse, arrowMost/max(most, math.SmallestNonzeroFloat32), 4, 1.4*width
	}
	var lines, dots, axisX, axisY canvas.Path
	for i := range d.list.Items {
		it := &d.list.Items[i]
		p := it.Points
		for k := range it.N {
			p[k] = d.cam.Offset(p[k])
		}
		switch it.Form {
		case quarry.DrawPoint:
			dots.Circle(p[0], dot)
		case quarry.DrawLine:
			lines.Segment(p[0], p[1])
		case quarry.DrawArrow:
			tip := p[0].MulAdd(unit/d.cam.Scale, p[1].Sub(p[0]))
			lines.Segment(p[0], tip)
			if u, length := tip.Sub(p[0]).Unit(); head > 0 && length > head {
				chevron(&lines, tip, u, head)
			}
		case quarry.DrawHull:
			for k := range it.N { // a box may be far larger than the picture
				p[k] = p[k].Max(geom.V(-chainMargin, -chainMargin)).Min(d.cam.Half.Mul(2).Add(geom.V(chainMargin,
					chainMargin)))
			}
			lines.Polygon(p[0], p[1], p[2], p[3])
		case quarry.DrawFrame:
			axisX.Segment(p[0], p[0].MulAdd(unit/d.cam.Scale, p[1].Sub(p[0])))
			axisY.Segment(p[0], p[0].MulAdd(unit/d.cam.Scale, p[2].Sub(p[0])))
		}
	}
	d.c.Group(layer.String())
	if layer == quarry.DrawContacts {
		d.strokeSome(&lines, width, ink.Fade(0.85))
	} else {
		d.strokeSome(&lines, width, ink)
	}
	d.strokeSome(&axisX, 1.5, d.theme.axisX)
	d.strokeSome(&axisY, 1.5, d.theme.axisY)
	d.fillSome(&dots, ink)
}

// surfaces draws the normals and ghost vertices of a ground's segments.
func (d *drawing) surfaces(g quarry.Ground) {
	bounds, ok := g.Grid().Bounds()
	if !ok {
		return
	}
	l := d.cam.Lens(g.Transform())
	d.segments = g.Grid().AppendSegments(d.segments[:0], meet(bounds, cellsIn(l.Visible())))
	var m surfaceMarks
	m.size(d.cam.Scale)
	for i := range d.segments {
		s := &d.segments[i]
		tip := m.tick(latticeIn(l, s.A), latticeIn(l, s.B))
		if s.HasGhost1 {
			m.ghost(tip, latticeIn(l, s.Ghost1))
		}
		if s.HasGhost2 {
			m.ghost(tip, latticeIn(l, s.Ghost2))
		}
	}
	d.marks(&m)
}

// surfaceMarks are the marks of segments: normals, and ghost vertices with lines to them.
type surfaceMarks struct {
	length, radius     float64 // length of a normal and radius of a ghost's dot, in pixels
	ticks, links, dots canvas.Path
}

// size sets the sizes for a scale in pixels a cell.
func (m *surfaceMarks) size(scale float64) {
	m.length, m.radius = min(max(0.25*scale, 4), 12), min(max(0.06*scale, 1.2), 3)
}

// tick adds the normal of a-b and returns its tip.
func (m *surfaceMarks) tick(a, b geom.Vec) geom.Vec {
	middle := a.Lerp(b, 0.5)
	tip := middle.MulAdd(m.length, canvas.Outward(a, b))
	m.ticks.Segment(middle, tip)
	return tip
}

// ghost adds a ghost vertex, the far end of a neighbour. The line to it starts at the tip of the
// normal; from the middle of the segment it would lie on the surface.
func (m *surfaceMarks) ghost(tip, p geom.Vec) {
	m.links.Segment(tip, p)
	m.dots.Circle(p, m.radius)
}

// marks draws the marks of m that the options select.
func (d *drawing) marks(m *surfaceMarks) {
	if d.o.Draw&quarry.DrawGhosts != 0 {
		d.c.Group("ghosts")
		d.strokeSome(&m.links, 1, d.theme.ghost.Fade(0.45))
		d.fillSome(&m.dots, d.theme.ghost)
	}
	if d.o.Draw&quarry.DrawNormals != 0 {
		d.c.Group("normals")
		d.strokeSome(&m.ticks, 1.25, d.theme.normal)
	}
}
