package render

import "github.com/quarry2d/quarry/geom"

// miterLimit bounds the length of a mitred corner, in line widths. It is SVG's default, so that
// raster and SVG are alike.
const miterLimit = 4

// strokeOf adds the area of a line of the given width along every contour of src: a rectangle for
// each side and a wedge for each corner, all of the same direction, so that their coverage adds up.
func (c *contours) strokeOf(src *contours, width float64) {
	for i := range src.ends {
		c.strokeLine(src.at(i), src.shut[i], width/2)
	}
}

func (c *contours) strokeLine(pts []geom.Vec, shut bool, half float64) {
	var last, first geom.Vec // directions of the previous and the first side
	n := len(pts)
	sides := n - 1
	if shut {
		sides = n
	}
	begun := false
	for i := range sides {
		a, b := pts[i], pts[(i+1)%n]
		u, length := b.Sub(a).Unit()
		if length == 0 {
			continue
		}
		if begun {
			c.corner(a, last, u, half)
		} else {
			first, begun = u, true
		}
		w := u.Left().Mul(half)
		c.pts = append(c.pts, a.Sub(w), b.Sub(w), b.Add(w), a.Add(w))
		c.end(true)
		last = u
	}
	if shut && begun {
		c.corner(pts[0], last, first, half)
	}
}

// corner fills the outer side of the turn from direction u to v at p.
func (c *contours) corner(p, u, v geom.Vec, half float64) {
	turn := u.Cross(v)
	if turn == 0 {
		return
	}
	a, b := u.Left().Mul(half), v.Left().Mul(half)
	if turn > 0 { // the outer side is the right one
		a, b = b.Neg(), a.Neg()
	}
	// The tip is at (a+b)/(1+cos). Its square divided by the square of half is 2/(1+cos), the
	// square of the miter ratio.
	c.pts = append(c.pts, p, p.Add(b))
	if cos := u.Dot(v); 2 <= (1+cos)*miterLimit*miterLimit {
		c.pts = append(c.pts, p.Add(a.Add(b).Mul(1/(1+cos))))
	}
	c.pts = append(c.pts, p.Add(a))
	c.end(true)
}
