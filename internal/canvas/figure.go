package canvas

import "github.com/quarry2d/quarry/geom"

// Figure is the outline of a shape: its core points, expanded by a radius. One point is a circle;
// two points are a capsule or, without a radius, a segment.
type Figure struct {
	Pts    [geom.MaxVertices]geom.Vec
	N      int
	Radius float64
}

// Outline adds the figure's outline.
func (f *Figure) Outline(p *Path) { p.Rounded(f.Pts[:f.N], f.Radius) }

// Inset returns the figure shrunk by d on all sides, or false if that leaves nothing or reverses an
// edge.
func (f *Figure) Inset(d float64) (Figure, bool) {
	if f.Radius >= d {
		g := *f
		g.Radius -= d
		return g, true
	}
	if f.N < 3 {
		return Figure{}, false
	}
	g := Figure{N: f.N}
	move := f.Radius - d // displacement of the core's edges, outwards
	for i := range f.N {
		before := Outward(f.Pts[(i+f.N-1)%f.N], f.Pts[i])
		after := Outward(f.Pts[i], f.Pts[(i+1)%f.N])
		g.Pts[i] = f.Pts[i].MulAdd(move/(1+before.Dot(after)), before.Add(after))
	}
	for i := range f.N {
		k := (i + 1) % f.N
		if g.Pts[k].Sub(g.Pts[i]).Dot(f.Pts[k].Sub(f.Pts[i])) <= 0 {
			return Figure{}, false
		}
	}
	return g, true
}

// FigureOf returns s in the pixels of l.
func FigureOf(s geom.Shape, l Lens) Figure {
	var f Figure
	switch s := s.(type) {
	case geom.Circle:
		f.Pts[0], f.N, f.Radius = s.Center, 1, s.Radius
	case geom.Capsule:
		f.Pts[0], f.Pts[1], f.N, f.Radius = s.A, s.B, 2, s.Radius
	case geom.Segment:
		f.Pts[0], f.Pts[1], f.N = s.A, s.B, 2
	case geom.Polygon:
		f.Pts, f.N, f.Radius = s.Vertices, s.N, s.Radius
	}
	for i := range f.N {
		f.Pts[i] = l.Point(f.Pts[i])
	}
	f.Radius *= l.Scale
	return f
}
