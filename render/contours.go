package render

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

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
func (c *contours) flatten(p *canvas.Path) {
	for _, s := range p.Steps {
		switch s.Verb {
		case canvas.MoveTo:
			c.end(false)
			c.pts = append(c.pts, s.P)
		case canvas.LineTo:
			c.pts = append(c.pts, s.P)
		case canvas.ArcTo:
			c.chords(c.pts[len(c.pts)-1], s.Centre, s.P)
		case canvas.Closed:
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
