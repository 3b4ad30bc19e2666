package main

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

func drawOneSide(s *sheet) {
	fs := surface(geom.V(3, 0), geom.V(1, 0), geom.V(-1, 0), geom.V(-3, 0))
	for _, y := range []float64{.3, 0, -.1} {
		p := s.panel("centre at y = "+num(y), -1.3, -.9, 1.3, 1.1)
		p.solid(under(-2, vertices(fs)...))
		b := circleAt(.4, .2, y)
		p.shape(b.shape, b.at, inkBodyB)
		p.dot(b.at.P, 3, inkBodyB.Mix(canvas.RGB(0), .4))
		p.faces(fs)
		p.gauss(fs[1], geom.V(-.9, .75), 26)
		m := onFace(fs[1], b)
		p.found("face", m, true, inkGiven)
		if y < 0 {
			s.want("behind", &m, 0, geom.Vec{})
		} else {
			s.want("before", &m, 1, geom.V(0, 1))
			s.depth("before", &m, 0, y-.4)
		}
	}
}

// rolling is ground with a convex and a concave corner.
var rolling = surface(geom.V(3.2, .5), geom.V(1.2, .5), geom.V(.4, -.3), geom.V(-.5, -.3), geom.V(-1, .3),
	geom.V(-1.7, .3), geom.V(-2.4, -.5))

// nearestOn returns the distance from a place to the nearest point of the faces, and that.
func nearestOn(fs []collide.Face, at geom.Vec) (dist float64, foot geom.Vec) {
	dist = math.MaxFloat64
	for _, f := range fs {
		e := f.B.Sub(f.A)
		q := f.A.MulAdd(max(0, min(1, at.Sub(f.A).Dot(e)/e.Len2())), e)
		if d := q.Dist(at); d < dist {
			dist, foot = d, q
		}
	}
	return dist, foot
}

// height is the height of a surface without overhangs at x.
func height(fs []collide.Face, x float64) float64 {
	for _, f := range fs {
		if x <= f.A.X && x >= f.B.X {
			return f.A.Lerp(f.B, (x-f.A.X)/(f.B.X-f.A.X)).Y
		}
	}
	return math.Inf(-1)
}

func drawCircles(s *sheet) {
	colours := inks(0x1e6ec8, 0x1f7a34, 0xb0641e, 0x8a50b0, 0xc8281e, 0x2a8a8a)
	for _, c := range []struct {
		head  string
		shape geom.Shape
	}{
		{"a circle of radius 0.6", geom.Circle{Radius: .6}},
		{"a lying capsule, 1.2 by 0.6", geom.Capsule{A: geom.V(-.3, 0), B: geom.V(.3, 0), Radius: .3}},
	} {
		p := s.panel(c.head, -2.2, -.7, 2.6, 2.1)
		p.solid(under(-2, vertices(rolling)...))
		p.faces(rolling)
		total, most := 0, 0
		ticks := make([]canvas.Path, len(rolling))
		for iy := range 24 {
			for ix := range 42 {
				at := geom.V(-2.10371+float64(ix)*.110137, -.60293+float64(iy)*.110137)
				here := 0
				near, foot := nearestOn(rolling, at)
				out, _ := at.Sub(foot).Unit()
				known := c.head[2:4] != "ci" || near >= .62 || near < 1e-6 || at.Y < height(rolling, at.X)
				for i, f := range rolling {
					m := onFace(f, solidBody{c.shape, geom.At(at)})
					if m.N == 0 {
						continue
					}
					here++
					from := p.at(at)
					ticks[i].Segment(from, from.Add(geom.V(m.Normal.X, -m.Normal.Y).Mul(7.03)))
					known = known || m.Normal.Dist(out) < 1e-9 && math.Abs(m.Points[0].Separation-(near-.6)) < 1e-9
					for k := range m.N {
						touched := m.Points[k].Anchor.MulAdd(-.5*m.Points[k].Separation+1e-3, m.Normal)
						s.holds(touched.Y > height(rolling, touched.X)-1e-9, "%s at %v: %v points into the solid",
							c.head, at, m.Normal)
					}
				}
				s.holds(known, "%s at %v: no face gives the way from the nearest point %v", c.head, at, foot)
				total += min(here, 1)
				most = max(most, here)
			}
		}
		for i := range ticks {
			if !ticks[i].Empty() {
				p.v.Stroke(&ticks[i], 1.5, colours[i])
			}
		}
		p.caption("%d places touch, at most %d faces at once", total, most)
		s.holds(total > 100 && most <= 3, "%d places, %d faces", total, most)
	}
}
