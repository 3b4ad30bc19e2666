// Package draw lists the parts of a debug draw: points, lines, arrows, frames and convex hulls, each with
// the slots of the body and shape, ground or chain that it describes. It does not know World: it gets
// poses, hulls, boxes and contact points, and the world turns slots into ids.
package draw

import (
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// Form is the meaning of the points of a part.
type Form uint8

// The forms; see quarry.DrawForm.
const (
	Point Form = iota
	Line
	Arrow
	Hull
	Frame
)

// NoOwner and NoBody stand for no shape, ground or chain, and for no body.
const (
	NoOwner = ^broad.Owner(0)
	NoBody  = -1
)

// Tag names the owner of a part.
type Tag struct {
	Layer    Layers
	Body     int32          // slot, or NoBody
	Owners   [2]broad.Owner // a shape, ground or chain, and side A of a contact; or NoOwner
	Material uint16
	Cell     gridseg.Cell
	Segment  int
	Joint    int32 // slot, of the layer Joints
	Value    float64
}

// Part is one element.
type Part struct {
	Tag
	Form   Form
	N      int
	Points [geom.MaxVertices]geom.Vec // relative to the origin
	Radius float64
}

// List is a list of parts, with the memory to make them.
type List struct {
	Parts  []Part
	View   geom.AABB // in the world; parts outside of it are left out
	Origin geom.Vec
	Bodies []int32 // of Find

	near     []broad.ID
	segments []gridseg.Segment
	faces    []int32
}

// add adds a part. The points are relative to the origin.
func (l *List) add(tag Tag, form Form, pts ...geom.Vec) *Part {
	l.Parts = append(l.Parts, Part{Tag: tag, Form: form, N: len(pts)})
	p := &l.Parts[len(l.Parts)-1]
	copy(p.Points[:], pts)
	return p
}

// rel returns a frame relative to the origin.
func (l *List) rel(t geom.Transform) geom.Transform {
	t.P = t.P.Sub(l.Origin)
	return t
}

// The methods below add the parts of the layer of the tag, and none of other layers.

// Hull adds a shape in the frame t.
func (l *List) Hull(tag Tag, h *collide.Hull, t geom.Transform) {
	if tag.Layer != Shapes || !h.Bounds(t).Overlaps(l.View) {
		return
	}
	at := l.rel(t)
	p := l.add(tag, Hull)
	for k := range h.N {
		p.Points[k] = at.Apply(h.V[k])
	}
	if p.N, p.Radius = h.N, h.Radius; h.N == 2 && h.Radius == 0 {
		p.Form = Line
	}
}

// Box adds the box of a proxy in the broad phase, or the AABB inside of it.
func (l *List) Box(tag Tag, proxy, tight geom.AABB) {
	switch tag.Layer {
	case Proxies:
		l.box(tag, proxy)
	case Boxes:
		l.box(tag, tight)
	}
}

func (l *List) box(tag Tag, box geom.AABB) {
	if !box.IsEmpty() && box.Overlaps(l.View) {
		a, c := box.Min.Sub(l.Origin), box.Max.Sub(l.Origin)
		l.add(tag, Hull, a, geom.V(c.X, a.Y), c, geom.V(a.X, c.Y))
	}
}

// Find adds the bodies with a box in the View to Bodies, and sorts them. A tight box is within the box of the broad
// phase.
func (l *List) Find(p *broad.Phase) {
	l.near = p.Grid.AppendOverlaps(l.near[:0], l.View, broad.Shapes|broad.Grounds|broad.Chains)
	for _, id := range l.near {
		l.Bodies = append(l.Bodies, p.At(id).Body)
	}
	slices.Sort(l.Bodies)
	l.Bodies = slices.Compact(l.Bodies)
}

// Center adds the frame of a centre of mass, or its velocity, with the spin as Value.
func (l *List) Center(tag Tag, t geom.Transform, velocity geom.Vec, spin float64) {
	if !l.View.ContainsPoint(t.P) {
		return
	}
	switch at := l.rel(t); {
	case tag.Layer == Centers:
		l.add(tag, Frame, at.P, at.Apply(geom.V(1, 0)), at.Apply(geom.V(0, 1)))
	case tag.Layer == Velocities && (velocity != geom.Vec{} || spin != 0):
		tag.Value = spin
		l.add(tag, Arrow, at.P, at.P.Add(velocity))
	}
}

// Contact adds a contact point and its normal, with the separation as Value, or its impulse on B along the normal and
// the tangent.
func (l *List) Contact(tag Tag, at, normal geom.Vec, p *contact.Point, on *[2]float32) {
	if !l.View.ContainsPoint(at) {
		return
	}
	at, tag.Value = at.Sub(l.Origin), p.Separation
	impulse := normal.Mul(float64(on[0])).MulAdd(float64(on[1]), normal.Right())
	switch {
	case tag.Layer == Contacts:
		l.add(tag, Point, at)
		l.add(tag, Arrow, at, at.Add(normal))
	case tag.Layer == Impulses && impulse != geom.Vec{}:
		l.add(tag, Arrow, at, at.Add(impulse))
	}
}

// Ground adds the segments of a ground in the frame t.
func (l *List) Ground(tag Tag, g *surface.Tiles, t geom.Transform) {
	r, ok := surface.Cells(l.viewIn(t))
	if !ok || tag.Layer&ofSegments == 0 {
		return
	}
	t = l.rel(t)
	at := func(p gridseg.Point) geom.Vec {
		return t.Apply(geom.V(float64(p.X)/gridseg.Unit, float64(p.Y)/gridseg.Unit))
	}
	l.segments = g.Grid.AppendSegments(l.segments[:0], r)
	for k := range l.segments {
		s := &l.segments[k]
		tag.Cell, tag.Material = s.ID.Cell, g.Material(s.Tile.Material)
		l.segment(tag, at(s.A), at(s.B), [2]geom.Vec{at(s.Ghost1), at(s.Ghost2)}, [2]bool{s.HasGhost1, s.HasGhost2})
	}
}

// Chain adds the segments of the faces of a chain in the frame t whose boxes the view overlaps.
func (l *List) Chain(tag Tag, c *surface.Chain, t geom.Transform) {
	if tag.Layer&ofSegments == 0 {
		return
	}
	l.faces = c.AppendNear(l.faces[:0], l.viewIn(t))
	t = l.rel(t)
	for _, face := range l.faces {
		for k := range c.Count(int(face)) {
			tag.Segment = (c.First(int(face)) + k) % c.Segments()
			tag.Material = c.MaterialOf(tag.Segment)
			s := c.Segment(tag.Segment)
			ghosts, has := c.Ghosts(tag.Segment)
			l.segment(tag, t.Apply(s.A), t.Apply(s.B), [2]geom.Vec{t.Apply(ghosts[0]), t.Apply(ghosts[1])}, has)
		}
	}
}

// viewIn returns a box around the view in the frame t.
func (l *List) viewIn(t geom.Transform) geom.AABB {
	return l.View.In(t.InvMul(geom.At(geom.Vec{})))
}

// ofSegments are the layers of segments.
const ofSegments = Surfaces | Normals | Ghosts

// segment adds the parts of the segment a-b of the layer of the tag. Its points are relative to the
// origin.
func (l *List) segment(tag Tag, a, b geom.Vec, ghosts [2]geom.Vec, has [2]bool) {
	middle := a.Lerp(b, 0.5)
	switch tag.Layer {
	case Surfaces:
		l.add(tag, Line, a, b)
	case Normals:
		n, _ := b.Sub(a).Right().Unit()
		l.add(tag, Arrow, middle, middle.Add(n))
	default:
		for k, ghost := range ghosts {
			if has[k] {
				l.add(tag, Point, ghost, middle)
			}
		}
	}
}

// Joined begins n boxes around groups of boxes. No part may be added before End.
func (l *List) Joined(tag Tag, n int) Joined {
	j := Joined{l, len(l.Parts)}
	for range n {
		l.add(tag, Hull, geom.Empty.Min, geom.Empty.Max)
	}
	return j
}

// Joined are boxes that are being extended. Their memory is the list's.
type Joined struct {
	l    *List
	from int
}

// Extend extends the box of a group, from 1 on, and counts.
func (j Joined) Extend(group int32, box geom.AABB) {
	p := &j.l.Parts[j.from+int(group)-1]
	p.Points[0], p.Points[1] = p.Points[0].Min(box.Min), p.Points[1].Max(box.Max)
	p.Value++
}

// End makes the boxes parts of the list, but for those that are empty or outside of the view.
func (j Joined) End() {
	parts := j.l.Parts[j.from:]
	j.l.Parts = j.l.Parts[:j.from]
	for _, p := range parts { // Box overwrites the parts before p at most
		j.l.box(p.Tag, geom.AABB{Min: p.Points[0], Max: p.Points[1]})
	}
}
