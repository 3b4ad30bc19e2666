package render

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// path is a list of contours in pixels, y down. Filling closes every contour; contours of the same
// direction unite, and a contour of the opposite direction is a hole.
type path struct {
	steps []step
}

// step is an element of a path.
type step struct {
	verb   verb
	p      geom.Vec // end of the step
	centre geom.Vec // of an arc
}

type verb uint8

const (
	moveTo verb = iota
	lineTo
	arcTo // about centre, counter-clockwise on the screen, by at most a whole turn
	closed
)

func (p *path) reset()           { p.steps = p.steps[:0] }
func (p *path) empty() bool      { return len(p.steps) == 0 }
func (p *path) move(to geom.Vec) { p.steps = append(p.steps, step{verb: moveTo, p: to}) }
func (p *path) line(to geom.Vec) { p.steps = append(p.steps, step{verb: lineTo, p: to}) }
func (p *path) close()           { p.steps = append(p.steps, step{verb: closed}) }

func (p *path) arc(centre, to geom.Vec) {
	p.steps = append(p.steps, step{verb: arcTo, p: to, centre: centre})
}

// polygon adds the closed contour of the points.
func (p *path) polygon(pts ...geom.Vec) {
	for i, v := range pts {
		if i == 0 {
			p.move(v)
		} else {
			p.line(v)
		}
	}
	p.close()
}

// segment adds the open contour from a to b.
func (p *path) segment(a, b geom.Vec) {
	p.move(a)
	p.line(b)
}

// circle adds a circle as two half turns, because SVG draws nothing for an arc that ends at its
// start.
func (p *path) circle(c geom.Vec, r float64) {
	a, b := geom.V(c.X+r, c.Y), geom.V(c.X-r, c.Y)
	p.move(a)
	p.arc(c, b)
	p.arc(c, a)
	p.close()
}

// rounded adds the outline of convex points, counter-clockwise on the screen, expanded by r. One
// point gives a circle, two give a capsule.
func (p *path) rounded(pts []geom.Vec, r float64) {
	if len(pts) == 1 {
		p.circle(pts[0], r)
		return
	}
	if r <= 0 {
		p.polygon(pts...)
		return
	}
	n := len(pts)
	before := outward(pts[n-1], pts[0])
	p.move(pts[0].MulAdd(r, before))
	for i, v := range pts {
		after := outward(v, pts[(i+1)%n])
		if i > 0 {
			p.line(v.MulAdd(r, before))
		}
		p.arc(v, v.MulAdd(r, after))
		before = after
	}
	p.close()
}

// outward returns the unit normal of the edge a-b of a contour that is counter-clockwise on the
// screen. With y down, it is the left-hand perpendicular in coordinates.
func outward(a, b geom.Vec) geom.Vec {
	u, _ := b.Sub(a).Unit()
	return u.Left()
}

// arcAngle returns the angle of the arc from a about c to b, in [0, 2 pi).
func arcAngle(a, c, b geom.Vec) float64 {
	u, v := a.Sub(c), b.Sub(c)
	angle := math.Atan2(-u.Cross(v), u.Dot(v))
	if angle < 0 {
		angle += 2 * math.Pi
	}
	// No arc here exceeds half a turn, so nearly a whole turn is an angle of 0 with rounding
	// errors.
	if angle > 1.9*math.Pi {
		return 0
	}
	return angle
}

// flatness bounds the distance of a chord from its arc, in pixels.
const flatness = 0.02

// contours is a list of polylines.
type contours struct {
	pts  []geom.Vec
	ends []int  // contour i is pts[ends[i-1]:ends[i]]
	shut []bool // whether contour i was closed
}

func (c *contours) reset() {
	c.pts, c.ends, c.shut = c.pts[:0], c.ends[:0], c.shut[:0]
}

// end ends the present contour, and drops it if it has no points.
func (c *contours) end(shut bool) {
	if n := len(c.ends); len(c.pts) > c.start(n) {
		c.ends, c.shut = append(c.ends, len(c.pts)), append(c.shut, shut)
	}
}

func (c *contours) start(i int) int {
	if i == 0 {
		return 0
	}
	return c.ends[i-1]
}

// at returns the points of contour i.
func (c *contours) at(i int) []geom.Vec { return c.pts[c.start(i):c.ends[i]] }

// flatten adds the path with its arcs as chords.
func (c *contours) flatten(p *path) {
	for _, s := range p.steps {
		switch s.verb {
		case moveTo:
			c.end(false)
			c.pts = append(c.pts, s.p)
		case lineTo:
			c.pts = append(c.pts, s.p)
		case arcTo:
			c.chords(c.pts[len(c.pts)-1], s.centre, s.p)
		case closed:
			c.end(true)
		}
	}
	c.end(false)
}

// chords adds the arc from a about centre to b, without a.
func (c *contours) chords(a, centre, b geom.Vec) {
	angle, r := arcAngle(a, centre, b), a.Dist(centre)
	if angle > 0 && r > flatness {
		each := 2 * math.Acos(1-flatness/r)
		n := min(math.Ceil(angle/each), 4096)
		s, cos := math.Sincos(-angle / n) // y is down: counter-clockwise is negative
		q := geom.Rot{C: cos, S: s}
		arm := a.Sub(centre)
		for range int(n) - 1 {
			arm = q.Apply(arm)
			c.pts = append(c.pts, centre.Add(arm))
		}
	}
	c.pts = append(c.pts, b)
}
