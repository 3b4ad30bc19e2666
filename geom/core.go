package geom

// Core is a shape as the convex set of a few vertices, grown by Radius: one
// vertex is a circle, two a capsule or a segment, three and more a polygon,
// counter-clockwise. It is what distances and casts of whole shapes are computed
// from. The zero value is empty.
type Core struct {
	V      [MaxVertices]Vec
	N      int // vertices in use
	Radius float64
}

// NewCore returns the core of s, which must be Valid, in the shape's own frame.
func NewCore(s Shape) Core {
	switch s := s.(type) {
	case Circle:
		return Core{V: [MaxVertices]Vec{s.Center}, N: 1, Radius: s.Radius}
	case Capsule:
		return Core{V: [MaxVertices]Vec{s.A, s.B}, N: 2, Radius: s.Radius}
	case Segment:
		return Core{V: [MaxVertices]Vec{s.A, s.B}, N: 2}
	case Polygon:
		return Core{V: s.Vertices, N: s.N, Radius: s.Radius}
	case *Circle:
		return NewCore(*s)
	case *Capsule:
		return NewCore(*s)
	case *Segment:
		return NewCore(*s)
	case *Polygon:
		return NewCore(*s)
	}
	return Core{}
}

// PointCore is the core of the single point p.
func PointCore(p Vec) Core { return Core{V: [MaxVertices]Vec{p}, N: 1} }

// In returns c as seen from the frame that t is given in.
func (c *Core) In(t Transform) Core {
	out := Core{N: c.N, Radius: c.Radius}
	for i := range c.vertices() {
		out.V[i] = t.Apply(c.V[i])
	}
	return out
}

// vertices returns the vertices in use.
func (c *Core) vertices() []Vec { return c.V[:max(0, min(c.N, MaxVertices))] }

// Gap returns the distance of the surfaces of a and b, bInA being the frame of b
// in a's, and the points, in a's frame, where they are so near to each other. It
// is negative where they overlap: by the depth if only the rounded parts do, and
// minus the sum of the radii if the cores do (see package collide for the depth
// then), with a shared point of the cores. If either is empty it is
// math.MaxFloat64.
func Gap(a, b *Core, bInA Transform) (gap float64, pa, pb Vec) {
	placed := b.In(bInA)
	d, pa, pb := Distance(a.vertices(), placed.vertices())
	if n, l := pb.Sub(pa).Unit(); l > 0 {
		pa, pb = pa.MulAdd(a.Radius, n), pb.MulAdd(-b.Radius, n)
	}
	return d - a.Radius - b.Radius, pa, pb
}
