package geom

// ShapeCast moves b from the frame bInA along d, both in a's frame, without rotation, and returns
// where it first touches a: the fraction of d, the touched point of a, and the normal of a there.
// It returns false if the shapes overlap or touch at the start, b does not move, or either is
// empty: call Gap first.
//
// Method: b touches a when the translation enters the Minkowski difference of the two cores, so
// this is a ray cast against the convex polygon made of a's edges and the reversed edges of b,
// grown by both radii. It needs no iteration.
func ShapeCast(a, b *Core, bInA Transform, d Vec) (RayHit, bool) {
	placed := b.In(bInA)
	if len(a.vertices()) == 0 || len(placed.vertices()) == 0 {
		return RayHit{}, false
	}
	var diff, normals [2 * MaxVertices]Vec
	n := minkowskiDifference(&diff, a.vertices(), placed.vertices())
	nn := n
	if n == 1 {
		nn = 0
	}
	for i := range nn {
		j := i + 1
		if j == n {
			j = 0
		}
		normals[i], _ = diff[j].Sub(diff[i]).Right().Unit()
	}
	hit, ok := castCore(diff[:n], normals[:nn], a.Radius+b.Radius, Vec{}, 0, d)
	if !ok {
		return RayHit{}, false
	}
	move := d.Mul(hit.Fraction)
	for i := range placed.vertices() {
		placed.V[i] = placed.V[i].Add(move)
	}
	dist, pa, _ := Distance(a.vertices(), placed.vertices())
	if dist > a.Radius+b.Radius+toiSlop {
		return RayHit{}, false // two parallel segments have a difference without area, whose sides may be hit anywhere
	}
	hit.Point = pa.MulAdd(a.Radius, hit.Normal)
	return hit, true
}

// minkowskiDifference sets out to the vertices of the convex set of all p - q, p in a and q in b,
// counter-clockwise, and returns their number. Its edges are a's and the reversed edges of
// b, sorted by direction.
func minkowskiDifference(out *[2 * MaxVertices]Vec, a, b []Vec) int {
	i0, j0 := lowestVertex(a, 1), lowestVertex(b, -1)
	at := a[i0].Sub(b[j0])
	n, i, j := 0, 0, 0
	ea, eb := len(a), len(b)
	if ea == 1 {
		ea = 0
	}
	if eb == 1 {
		eb = 0
	}
	out[0] = at
	n = 1
	for i < ea || j < eb {
		p := a[(i0+i)%len(a)]
		q := b[(j0+j)%len(b)]
		u := a[(i0+i+1)%len(a)].Sub(p)
		v := q.Sub(b[(j0+j+1)%len(b)])
		var e Vec
		turn := 1.0
		switch {
		case i == ea:
			turn = -1
		case j < eb:
			turn = compareDirections(u, v)
		}
		if turn >= 0 {
			e = u
			i++
		}
		if turn <= 0 {
			e = e.Add(v)
			j++
		}
		at = at.Add(e)
		if i == ea && j == eb {
			break // back at the start
		}
		if e != (Vec{}) {
			out[n] = at
			n++
		}
	}
	return n
}

// lowestVertex returns the index of the vertex with the smallest y, then the smallest x, after all
// coordinates are multiplied by sign.
func lowestVertex(v []Vec, sign float64) int {
	at := 0
	for i, p := range v {
		q := v[at]
		if dy := sign * (p.Y - q.Y); dy < 0 || dy == 0 && sign*(p.X-q.X) < 0 {
			at = i
		}
	}
	return at
}

// compareDirections returns a positive number if direction u comes before v, a negative one if it
// comes after, and 0 if they are equal, counter-clockwise from +x.
func compareDirections(u, v Vec) float64 {
	if hu, hv := inUpperHalf(u), inUpperHalf(v); hu != hv {
		if hu {
			return 1
		}
		return -1
	}
	return u.Cross(v)
}

// inUpperHalf reports whether the direction of v is in [0, pi).
func inUpperHalf(v Vec) bool { return v.Y > 0 || v.Y == 0 && v.X > 0 }
