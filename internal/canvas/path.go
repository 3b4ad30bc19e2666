package canvas

import "github.com/quarry2d/quarry/geom"

// Path is a list of contours in pixels, y down. Filling closes every contour; contours of the same
// direction unite, and a contour of the opposite direction is a hole.
type Path struct {
	Steps []Step
}

// Step is an element of a path.
type Step struct {
	Verb   Verb
	P      geom.Vec // end of the step
	Centre geom.Vec // of an arc
}

type Verb uint8

const (
	MoveTo Verb = iota
	LineTo
	ArcTo // about centre, counter-clockwise on the screen, by at most a whole turn
	Closed
)

func (p *Path) Reset()           { p.Steps = p.Steps[:0] }
func (p *Path) Empty() bool      { return len(p.Steps) == 0 }
func (p *Path) Move(to geom.Vec) { p.Steps = append(p.Steps, Step{Verb: MoveTo, P: to}) }
func (p *Path) Line(to geom.Vec) { p.Steps = append(p.Steps, Step{Verb: LineTo, P: to}) }
func (p *Path) Close()           { p.Steps = append(p.Steps, Step{Verb: Closed}) }

func (p *Path) Arc(centre, to geom.Vec) {
	p.Steps = append(p.Steps, Step{Verb: ArcTo, P: to, Centre: centre})
}

// Polygon adds the closed contour of the points.
func (p *Path) Polygon(pts ...geom.Vec) {
	for i, v := range pts {
		if i == 0 {
			p.Move(v)
		} else {
			p.Line(v)
		}
	}
	p.Close()
}

// Segment adds the open contour from a to b.
func (p *Path) Segment(a, b geom.Vec) {
	p.Move(a)
	p.Line(b)
}

// Circle adds a circle as two half turns, because SVG draws nothing for an arc that ends at its
// start.
func (p *Path) Circle(c geom.Vec, r float64) {
	a, b := geom.V(c.X+r, c.Y), geom.V(c.X-r, c.Y)
	p.Move(a)
	p.Arc(c, b)
	p.Arc(c, a)
	p.Close()
}

// Rounded adds the outline of convex points, counter-clockwise on the screen, expanded by r. One
// point gives a circle, two give a capsule.
func (p *Path) Rounded(pts []geom.Vec, r float64) {
	if len(pts) == 1 {
		p.Circle(pts[0], r)
		return
	}
	if r <= 0 {
		p.Polygon(pts...)
		return
	}
	n := len(pts)
	before := Outward(pts[n-1], pts[0])
	p.Move(pts[0].MulAdd(r, before))
	for i, v := range pts {
		after := Outward(v, pts[(i+1)%n])
		if i > 0 {
			p.Line(v.MulAdd(r, before))
		}
		p.Arc(v, v.MulAdd(r, after))
		before = after
	}
	p.Close()
}

// Outward returns the unit normal of the edge a-b of a contour that is counter-clockwise on the
// screen. With y down, it is the left-hand perpendicular in coordinates.
func Outward(a, b geom.Vec) geom.Vec {
	u, _ := b.Sub(a).Unit()
	return u.Left()
}
