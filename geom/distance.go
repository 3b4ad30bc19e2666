package geom

import "math"

// Distance returns the distance between the convex sets a and b and a pair of closest points, pa of
// a and pb of b. Each set is given as the vertices of a polygon, the two ends of a segment, or one
// point; coincident and collinear vertices are allowed, in any order. The distance of sets that
// share a point is 0, and pa and pb are a common point, up to rounding. Subtract the radii for the
// distance of rounded shapes (see Gap). If a or b is empty the distance is math.MaxFloat64.
//
// The error of the distance is at most 1e-14 of the size of the coordinates; sets closer than that
// may be reported to share a point. Between long edges that are nearer than a hundredth of that size and nearly
// parallel, the direction is rounded, and the error is up to 1e-15 of the size squared, divided by the distance, and at
// most 1e-7 of the size: 1e-10 units at a distance of 1e-5 and a size of 1.
//
// Method: the algorithm of Gilbert, Johnson and Keerthi (A fast procedure for computing the
// distance between complex objects in three-dimensional space, 1988). It looks for the point of the
// Minkowski difference b - a closest to the origin on a simplex of its vertices (point, line or
// triangle), and replaces the simplex by a closer one until no vertex is closer to the origin in
// that direction.
func Distance(a, b []Vec) (dist float64, pa, pb Vec) {
	if len(a) == 0 || len(b) == 0 {
		return math.MaxFloat64, Vec{}, Vec{}
	}
	var s simplex
	s.add(a, b, 0, 0)
	v := s.p[0].w
	size := 0.0
	for _, p := range a {
		size = max(size, math.Abs(p.X), math.Abs(p.Y))
	}
	for _, p := range b {
		size = max(size, math.Abs(p.X), math.Abs(p.Y))
	}
	noise := size * 1e-15
	for range 4 * MaxVertices {
		l := v.Len2()
		if l <= noise*noise {
			break
		}
		i, j := farthest(a, v), farthest(b, v.Neg())
		if s.has(i, j) {
			break
		}
		w := b[j].Sub(a[i])
		if gain := v.Dot(v.Sub(w)); !(gain > 1e-15*l) {
			break // no vertex is closer
		}
		last := s
		s.add(a, b, i, j)
		next := s.reduce()
		if s.n == 3 {
			v = Vec{} // the origin is inside
			break
		}
		if !(next.Len2() < l) {
			s = last // no closer, because of rounding
			break
		}
		v = next
	}
	pa, pb = s.points()
	return v.Len(), pa, pb
}

// farthest returns the index of the point farthest along d, the first of equals.
func farthest(points []Vec, d Vec) int {
	at, most := 0, d.Dot(points[0])
	for i := 1; i < len(points); i++ {
		if s := d.Dot(points[i]); s > most {
			at, most = i, s
		}
	}
	return at
}

// simplexVertex is a vertex of the Minkowski difference of two sets, and the vertices of the sets
// that it comes from.
type simplexVertex struct {
	w, pa, pb Vec
	i, j      int
	weight    float64 // barycentric weight of the simplex's point closest to the origin
}

// simplex is up to three vertices of a Minkowski difference.
type simplex struct {
	p [3]simplexVertex
	n int
}

func (s *simplex) add(a, b []Vec, i, j int) {
	s.p[s.n] = simplexVertex{w: b[j].Sub(a[i]), pa: a[i], pb: b[j], i: i, j: j, weight: 1}
	s.n++
}

// has reports whether a vertex of the simplex comes from i and j.
func (s *simplex) has(i, j int) bool {
	for k := range s.n {
		if s.p[k].i == i && s.p[k].j == j {
			return true
		}
	}
	return false
}

// points returns the simplex's point closest to the origin, as the points of the two sets whose
// difference it is.
func (s *simplex) points() (pa, pb Vec) {
	for k := range s.n {
		pa = pa.MulAdd(s.p[k].weight, s.p[k].pa)
		pb = pb.MulAdd(s.p[k].weight, s.p[k].pb)
	}
	return pa, pb
}

// reduce drops the vertices that the point closest to the origin does not depend on, sets the
// weights of the others, and returns that point. Three are left if the origin is inside.
func (s *simplex) reduce() Vec {
	if s.n == 3 {
		a, b, c := s.p[0].w, s.p[1].w, s.p[2].w
		u, v, w := b.Cross(c), c.Cross(a), a.Cross(b)
		if area := b.Sub(a).Cross(c.Sub(a)); area < 0 {
			u, v, w = -u, -v, -w
		}
		if u > 0 && v > 0 && w > 0 {
			sum := u + v + w
			s.p[0].weight, s.p[1].weight, s.p[2].weight = u/sum, v/sum, w/sum
			return Vec{}
		}
		// The closest of the three sides.
		var best simplex
		var at Vec
		for k := range 3 {
			side := simplex{n: 2}
			side.p[0], side.p[1] = s.p[k], s.p[(k+1)%3]
			if q := side.reduceLine(); k == 0 || q.Len2() < at.Len2() {
				best, at = side, q
			}
		}
		*s = best
		return at
	}
	return s.reduceLine()
}

// reduceLine is reduce for two vertices.
func (s *simplex) reduceLine() Vec {
	a, b := s.p[0].w, s.p[1].w
	e := b.Sub(a)
	t := -a.Dot(e)
	l := e.Len2()
	switch {
	case !(t > 0):
		s.n = 1
	case t >= l:
		s.p[0], s.n = s.p[1], 1
	default:
		t /= l
		s.p[0].weight, s.p[1].weight = 1-t, t
		return a.MulAdd(t, e)
	}
	s.p[0].weight = 1
	return s.p[0].w
}

// closestOnSegment returns the point of the closed segment a-b closest to p.
func closestOnSegment(p, a, b Vec) Vec {
	e := b.Sub(a)
	t := p.Sub(a).Dot(e)
	if !(t > 0) {
		return a
	}
	l := e.Len2()
	if t >= l {
		return b
	}
	return a.MulAdd(t/l, e)
}
