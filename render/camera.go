package render

import "github.com/quarry2d/quarry/geom"

// camera maps the world to pixels.
type camera struct {
	centre geom.Vec // of the view, in the world
	scale  float64  // pixels a cell
	half   geom.Vec // half the picture's size, in pixels
}

// newCamera returns a camera that shows all of view, centred, in a picture of w by h pixels. A
// picture of another aspect ratio shows more.
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

// offset returns the pixel of a point relative to the view's centre.
func (c camera) offset(d geom.Vec) geom.Vec {
	return geom.V(c.half.X+d.X*c.scale, c.half.Y-d.Y*c.scale)
}

// lens maps points of a frame to pixels. The frame's position is first taken relative to the view's
// centre, which keeps float64's digits far from the origin.
type lens struct {
	camera
	t geom.Transform // relative to the view's centre
}

func (c camera) lens(t geom.Transform) lens {
	t.P = t.P.Sub(c.centre)
	return lens{c, t}
}

// point returns the pixel of a point of the frame.
func (l lens) point(p geom.Vec) geom.Vec { return l.offset(l.t.Apply(p)) }

// visible returns the bounding box, in the frame, of the visible part of the world.
func (l lens) visible() geom.AABB {
	d := l.half.Mul(1 / l.scale)
	box := geom.Empty
	for _, c := range [...]geom.Vec{{X: -d.X, Y: -d.Y}, {X: d.X, Y: -d.Y}, {X: d.X, Y: d.Y}, {X: -d.X, Y: d.Y}} {
		p := l.t.Inv(c)
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	return box
}
