package canvas

import "github.com/quarry2d/quarry/geom"

// Camera maps the world to pixels.
type Camera struct {
	Centre geom.Vec // of the view, in the world
	Scale  float64  // pixels a cell
	Half   geom.Vec // half the picture's size, in pixels
}

// NewCamera returns a camera that shows all of view, centred, in a picture of w by h pixels. A
// picture of another aspect ratio shows more.
func NewCamera(view geom.AABB, w, h int) Camera {
	size := view.Size()
	c := Camera{Centre: view.Center(), Half: geom.V(float64(w)/2, float64(h)/2)}
	switch {
	case size.X == 0:
		c.Scale = float64(h) / size.Y
	case size.Y == 0:
		c.Scale = float64(w) / size.X
	default:
		c.Scale = min(float64(w)/size.X, float64(h)/size.Y)
	}
	return c
}

// View returns the part of the world that the picture shows.
func (c Camera) View() geom.AABB {
	d := c.Half.Mul(1 / c.Scale)
	return geom.AABB{Min: c.Centre.Sub(d), Max: c.Centre.Add(d)}
}

// Point returns the pixel of a point of the world.
func (c Camera) Point(p geom.Vec) geom.Vec { return c.Offset(p.Sub(c.Centre)) }

// Offset returns the pixel of a point relative to the view's centre.
func (c Camera) Offset(d geom.Vec) geom.Vec {
	return geom.V(c.Half.X+d.X*c.Scale, c.Half.Y-d.Y*c.Scale)
}

// Lens maps points of a frame to pixels. The frame's position is first taken relative to the view's
// centre, which keeps float64's digits far from the origin.
type Lens struct {
	Camera
	T geom.Transform // relative to the view's centre
}

// Lens returns the lens of the frame t.
func (c Camera) Lens(t geom.Transform) Lens {
	t.P = t.P.Sub(c.Centre)
	return Lens{c, t}
}

// Point returns the pixel of a point of the frame.
func (l Lens) Point(p geom.Vec) geom.Vec { return l.Offset(l.T.Apply(p)) }

// Visible returns the bounding box, in the frame, of the visible part of the world.
func (l Lens) Visible() geom.AABB {
	d := l.Half.Mul(1 / l.Scale)
	box := geom.Empty
	for _, c := range [...]geom.Vec{{X: -d.X, Y: -d.Y}, {X: d.X, Y: -d.Y}, {X: d.X, Y: d.Y}, {X: -d.X, Y: d.Y}} {
		p := l.T.Inv(c)
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	return box
}
