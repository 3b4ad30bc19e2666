package render

import "github.com/quarry2d/quarry/geom"

// camera maps the world to pixels.
type camera struct {
	centre geom.Vec // of the view, in the world
	scale  float64  // pixels a cell
	half   geom.Vec // half the picture, in pixels
}

// newCamera shows all of view in a picture of w by h pixels, its middle in the
// middle; where the picture is wider or higher than the view, more is shown.
func newCamera(view geom.AABB, w, h int) camera {
	size := view.Size()
	c := camera{centre: view.Center(), half: geom.V(float64(w)/2, float64(h)/2)}
	switch {
	case size.X == 0:
		c.scale = float64(h) / size.Y
	case size.Y == 0:
		c.scale = float64(w) / size.X
	default:
		c.scale = min(float64(w)/size.X, float64(h)/size.Y)
	}
	return c
}

// view returns the part of the world that the picture shows.
func (c camera) view() geom.AABB {
	d := c.half.Mul(1 / c.scale)
	return geom.AABB{Min: c.centre.Sub(d), Max: c.centre.Add(d)}
}

// point returns the pixel of a point of the world.
func (c camera) point(p geom.Vec) geom.Vec { return c.offset(p.Sub(c.centre)) }

// offset returns the pixel of a point that is given from the view's centre.
func (c camera) offset(d geom.Vec) geom.Vec {
	return geom.V(c.half.X+d.X*c.scale, c.half.Y-d.Y*c.scale)
}

// lens maps points of a frame in the world to pixels. The frame's place is
// taken from the view's centre before anything is added to it: the order that
// keeps all digits far from the origin.
type lens struct {
	camera
	t geom.Transform // from the view's centre
}

func (c camera) lens(t geom.Transform) lens {
	t.P = t.P.Sub(c.centre)
	return lens{c, t}
}

// point returns the pixel of a point of the frame.
func (l lens) point(p geom.Vec) geom.Vec { return l.offset(l.t.Apply(p)) }

// visible returns the box, in the frame, round what the picture shows.
func (l lens) visible() geom.AABB {
	d := l.half.Mul(1 / l.scale)
	box := geom.Empty
	for _, c := range [...]geom.Vec{{X: -d.X, Y: -d.Y}, {X: d.X, Y: -d.Y}, {X: d.X, Y: d.Y}, {X: -d.X, Y: d.Y}} {
		p := l.t.Inv(c)
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	return box
}
