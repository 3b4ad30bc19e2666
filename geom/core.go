package geom

// Core is a convex shape as a few vertices and a radius: one vertex is a circle, two a capsule or a
// segment, three and more a polygon, counter-clockwise. Distances and casts between shapes work on
// cores. The zero value is empty.
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

// In returns c transformed by t: from its own frame to the frame in which t is given.
func (c *Core) In(t Transform) Core {
	out := Core{N: c.N, Radius: c.Radius}
	for i := range c.vertices() {
		out.V[i] = t.Apply(c.V[i])
	}
	return out
}

// vertices returns the vertices in use.
func (c *Core) vertices() []Vec { return c.V[:max(0, min(c.N, MaxVertices))] }

// Gap returns the distance between the surfaces of a and b (units of length), and the closest
// points pa of a and pb of b, in a's frame; bInA is the frame of b in a's. The gap is negative if
// they overlap: minus the depth if only the rounded parts overlap, and minus the sum of the radii
// if the vertices' hulls do, with a common point of these (package collide computes the depth then). If
// either is empty the gap is math.MaxFloat64.
func Gap(a, b *Core, bInA Transform) (gap float64, pa, pb Vec) {
	placed := b.In(bInA)
	d, pa, pb := Distance(a.vertices(), placed.vertices())
	if n, l := pb.Sub(pa).Unit(); l > 0 {
		pa, pb = pa.MulAdd(a.Radius, n), pb.MulAdd(-b.Radius, n)
	}
	return d - a.Radius - b.Radius, pa, pb
}
