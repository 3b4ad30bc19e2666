package geom

import (
	"errors"
	"fmt"
)

// MaxVertices is the largest number of vertices of a Polygon.
const MaxVertices = 8

// maxPoints is the largest number of points that NewPolygon accepts: it bounds the work for
// untrusted data.
const maxPoints = 1 << 16

// flatSlop is the distance (units of length) from the line between its neighbours above which
// NewPolygon keeps a vertex. Below it the normals of the two edges are noise.
const flatSlop = 1e-3 * LinearSlop

// Polygon is a convex polygon, counter-clockwise, grown by Radius on all sides (rounded corners; 0
// for sharp ones). Make one with NewPolygon, NewBox or NewRoundedBox, which set Normals; a zero
// Polygon is not valid.
type Polygon struct {
	Vertices [MaxVertices]Vec
	Normals  [MaxVertices]Vec // unit; Normals[i] is of the edge from i to i+1
	N        int              // number of vertices, 3 to MaxVertices
	Radius   float64
	Centroid Vec // centroid of the unrounded polygon
}

// NewPolygon returns the convex hull of the points, grown by radius (>= 0). Points inside the hull,
// or less than a thousandth of LinearSlop outside the line between their neighbours, are left out.
// It returns an error for points that are not finite or beyond MaxCoord, a hull of more than
// MaxVertices vertices, one with neighbours closer than LinearSlop, and one thinner than
// LinearSlop. It allocates memory for the hull of more than MaxVertices points.
func NewPolygon(points []Vec, radius float64) (Polygon, error) {
	if err := validRadius(radius, true); err != nil {
		return Polygon{}, err
	}
	if len(points) > maxPoints {
		return Polygon{}, fmt.Errorf("geom: %d points, at most %d", len(points), maxPoints)
	}
	for i, p := range points {
		if err := validPoint(p); err != nil {
			return Polygon{}, fmt.Errorf("geom: point %d of the polygon: %w", i, err)
		}
	}
	var room [3 * MaxVertices]Vec
	hull := dropCollinear(ConvexHull(room[:0], points))
	if len(hull) < 3 {
		return Polygon{}, errors.New("geom: polygon has no area")
	}
	if len(hull) > MaxVertices {
		return Polygon{}, fmt.Errorf("geom: polygon has %d vertices on its hull, at most %d", len(hull), MaxVertices)
	}
	p := Polygon{N: len(hull), Radius: radius}
	copy(p.Vertices[:], hull)
	p.setNormals()
	if err := p.Valid(); err != nil {
		return Polygon{}, err
	}
	return p, nil
}

// dropCollinear removes, in place, the vertices closer than flatSlop to the line of their
// neighbours.
func dropCollinear(hull []Vec) []Vec {
	for i := 0; i < len(hull) && len(hull) >= 3; {
		a := hull[(i+len(hull)-1)%len(hull)]
		b := hull[(i+1)%len(hull)]
		e, l := b.Sub(a).Unit()
		if l == 0 || hull[i].Sub(a).Cross(e) < flatSlop {
			hull = append(hull[:i], hull[i+1:]...)
			i = max(0, i-1) // the previous vertex has a new neighbour
			continue
		}
		i++
	}
	return hull
}

// NewBox returns the box from (-hx, -hy) to (hx, hy). Half extents that are not positive, or too
// small, give a Polygon that Valid refuses.
func NewBox(hx, hy float64) Polygon { return NewRoundedBox(hx, hy, 0) }

// NewRoundedBox returns NewBox grown by radius; its total width is 2*(hx+radius).
func NewRoundedBox(hx, hy, radius float64) Polygon {
	p := Polygon{N: 4, Radius: radius}
	p.Vertices = [MaxVertices]Vec{{-hx, -hy}, {hx, -hy}, {hx, hy}, {-hx, hy}}
	p.Normals = [MaxVertices]Vec{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}
	return p
}

// NewOffsetBox returns NewBox rotated by q and then moved to center.
func NewOffsetBox(hx, hy float64, center Vec, q Rot) Polygon {
	p := NewBox(hx, hy)
	t := Transform{center, q}
	for i := range p.N {
		p.Vertices[i] = t.Apply(p.Vertices[i])
	}
	p.setNormals() // from the rounded vertices: far from the origin, rotated normals would not match them
	p.Centroid = center
	return p
}

// setNormals sets the normals and the centroid.
func (p *Polygon) setNormals() {
	for i := range p.N {
		p.Normals[i], _ = p.edge(i).Right().Unit()
	}
	o := p.Vertices[0] // sums of differences keep their precision far from the origin
	var area float64
	var c Vec
	for i := 1; i+1 < p.N; i++ {
		e, f := p.Vertices[i].Sub(o), p.Vertices[i+1].Sub(o)
		a := e.Cross(f)
		area += a
		c = c.MulAdd(a, e.Add(f))
	}
	p.Centroid = o
	if area > 0 {
		p.Centroid = o.MulAdd(1/(3*area), c)
	}
}

// edge returns the edge vector from vertex i to the next.
func (p *Polygon) edge(i int) Vec {
	if i+1 < p.N {
		return p.Vertices[i+1].Sub(p.Vertices[i])
	}
	return p.Vertices[0].Sub(p.Vertices[i])
}

// Bounds returns the smallest box around the polygon in the frame t.
func (p Polygon) Bounds(t Transform) AABB {
	b := Empty
	for i := range min(p.N, MaxVertices) {
		v := t.Apply(p.Vertices[i])
		b.Min, b.Max = b.Min.Min(v), b.Max.Max(v)
	}
	return b.Expand(p.Radius)
}

// Mass returns the exact mass of the rounded polygon: the polygon, a rectangle along each edge and
// a sector around each vertex (Steiner's decomposition of a parallel body).
func (p Polygon) Mass(density float64) Mass {
	if p.N < 3 || p.N > MaxVertices {
		return Mass{}
	}
	// Sums over the parts, about vertex 0: area, first moment, polar second moment.
	o := p.Vertices[0]
	r := p.Radius
	var area, polar float64
	var first Vec
	for i := 1; i+1 < p.N; i++ {
		e, f := p.Vertices[i].Sub(o), p.Vertices[i+1].Sub(o)
		d := e.Cross(f)
		area += float64(0.5 * d)
		first = first.MulAdd(d/6, e.Add(f))
		polar += float64(d * (e.Len2() + e.Dot(f) + f.Len2()) / 12)
	}
	if r > 0 {
		prev := p.Normals[p.N-1]
		for i := range p.N {
			n := p.Normals[i]
			v := p.Vertices[i].Sub(o)

			e := p.edge(i)
			l := e.Len()
			a := float64(l * r)
			c := v.MulAdd(0.5, e).MulAdd(0.5*r, n)
			area += a
			first = first.MulAdd(a, c)
			polar += float64(a * (c.Len2() + float64((float64(l*l)+float64(r*r))/12)))

			// The sector from prev to n. Its first moment about the vertex is r^3/3 times the
			// integral of the direction, which is the chord between the normals rotated by a
			// quarter turn.
			turn := Atan2(prev.Cross(n), prev.Dot(n))
			a = float64(0.5 * turn * r * r)
			m := n.Sub(prev).Right().Mul(r * r * r / 3)
			area += a
			first = first.MulAdd(a, v).Add(m)
			polar += float64(a*(v.Len2()+float64(0.5*r*r))) + float64(2*v.Dot(m))
			prev = n
		}
	}
	if !(area > 0) {
		return Mass{}
	}
	c := first.Mul(1 / area)
	return Mass{
		Mass:    density * area,
		Center:  o.Add(c),
		Inertia: density * (polar - float64(area*c.Len2())),
	}
}

// Contains reports whether q lies in the closed rounded polygon.
func (p Polygon) Contains(q Vec) bool {
	n := max(0, min(p.N, MaxVertices))
	return n > 0 && containsCore(p.Vertices[:n], p.Normals[:n], p.Radius, q)
}

// RayCast returns where the ray from origin along d enters the polygon.
func (p Polygon) RayCast(origin, d Vec) (RayHit, bool) { return p.circleCast(origin, 0, d) }

func (p Polygon) circleCast(center Vec, radius float64, d Vec) (RayHit, bool) {
	if p.N < 3 || p.N > MaxVertices {
		return RayHit{}, false
	}
	return castCore(p.Vertices[:p.N], p.Normals[:p.N], p.Radius, center, radius, d)
}

// Valid returns an error if p is not valid, see Shape.
func (p Polygon) Valid() error {
	if p.N < 3 || p.N > MaxVertices {
		return fmt.Errorf("geom: polygon has %d vertices, not 3 to %d", p.N, MaxVertices)
	}
	if err := validRadius(p.Radius, true); err != nil {
		return err
	}
	if err := validPoint(p.Centroid); err != nil {
		return err
	}
	for i := range p.N {
		if err := validPoint(p.Vertices[i]); err != nil {
			return fmt.Errorf("geom: vertex %d of the polygon: %w", i, err)
		}
	}
	for i := range p.N {
		e, l := p.edge(i).Unit()
		if l < LinearSlop {
			return fmt.Errorf("geom: vertex %d of the polygon is %v from the next, less than %v", i, l, LinearSlop)
		}
		if !(p.Normals[i].Dist(e.Right()) <= 1e-6) {
			return fmt.Errorf("geom: Normals[%d] of the polygon is %v, and the normal of its edge is %v: NewPolygon "+
				"computes the normals", i, p.Normals[i], e.Right())
		}
		// If every other vertex lies strictly behind every edge, the polygon is convex, simple and
		// counter-clockwise.
		deep := 0.0
		for j := range p.N {
			if j == i || j == (i+1)%p.N {
				continue
			}
			out := p.Normals[i].Dot(p.Vertices[j].Sub(p.Vertices[i]))
			if !(out < 0) {
				return fmt.Errorf("geom: polygon is not convex and counter-clockwise at edge %d", i)
			}
			deep = max(deep, -out)
		}
		if deep < LinearSlop {
			return fmt.Errorf("geom: polygon is %v thin, less than %v", deep, LinearSlop)
		}
	}
	return nil
}
