package geom

import "math"

// toiSlop (units of length) is the tolerance of the target distance in TimeOfImpact: a tenth of
// LinearSlop. It lets the search converge, and leaves a gap between sharp shapes that defines a
// direction.
const toiSlop = 0.1 * LinearSlop

// maxTOIRounds bounds the rounds of TimeOfImpact. A search takes three to ten rounds, or some tens
// when two shapes turn past each other with very little clearance.
const maxTOIRounds = 100

// TimeOfImpact returns the first fraction of the step, in [0, 1], at which the gap between a and b
// is at most target (units of length, >= 0), with a tolerance of a tenth of LinearSlop above it; or
// false if there is none in this step. It returns 0 if the gap is that small at the start, or they
// overlap.
//
// The result is never late: before it the gap is larger than target, up to rounding. It is early
// only if the search stopped after 100 rounds, at a time when they were still separate.
//
// Method: conservative advancement. In the direction between the closest points, the path of each
// vertex is bounded by its position, its speed and the largest deviation that rotation can cause.
// This bounds the distance at any later time from below; the search continues where the bound meets
// the target. The direction is fixed in the world, or moves with either shape, whichever advances
// further: past the edge of a turning shape, only the frame of that shape shows how fast the edge
// is approached.
func TimeOfImpact(a *Core, sa *Sweep, b *Core, sb *Sweep, target float64) (t float64, ok bool) {
	if len(a.vertices()) == 0 || len(b.vertices()) == 0 {
		return 0, false
	}
	target = max(0, target) + a.Radius + b.Radius
	var world Sweep
	for range maxTOIRounds {
		pa, pb := a.In(sa.At(t)), b.In(sb.At(t))
		dist, p, q := Distance(pa.vertices(), pb.vertices())
		if dist <= target+toiSlop {
			return t, true
		}
		n := q.Sub(p).Mul(1 / dist)
		far := 0.0
		for _, seen := range [...]*Sweep{&world, sa, sb} {
			if seen == sa && *sa == world {
				continue // the world's frame
			}
			ma := boundMotion(&pa, sa, seen, t, n)
			mb := boundMotion(&pb, sb, seen, t, n.Neg())
			dt, met := advance(&ma, &mb, target, 1-t)
			if !met {
				return 1, false
			}
			far = max(far, dt)
		}
		if t+far <= t {
			return t, true // the limit of float64
		}
		t += far
	}
	return t, true
}

// advance returns a time in (0, end] until which the bounds of a along a direction and of b against
// it leave a gap of target. It is close to the last such time. It returns false if the gap remains
// until end. The gap is a concave function of time.
func advance(a, b *supportBound, target, end float64) (float64, bool) {
	gap := func(dt float64) float64 { return -(a.at(dt) + b.at(dt)) - target }
	lo, hi := 0.0, end
	flo, fhi := gap(0), gap(end)
	if fhi > 0 {
		return end, false
	}
	for range 5 {
		if hi-lo <= 1e-9*hi {
			break
		}
		// The chord of a concave function lies below it. Stay slightly short of its root, because
		// rounding may put the root beyond.
		if x := lo + float64((hi-lo)*((1-1e-9)*flo/(flo-fhi))); x > lo && x < hi {
			if fx := gap(x); fx >= 0 {
				lo, flo = x, fx
			} else {
				hi, fhi = x, fx
			}
		}
		x := 0.5 * (lo + hi)
		if fx := gap(x); fx >= 0 {
			lo, flo = x, fx
		} else {
			hi, fhi = x, fx
		}
	}
	return lo, true
}

// supportBound bounds the reach of a core's vertices along a direction, as a function of time.
type supportBound struct {
	offset, speed, curvature [MaxVertices]float64
	n                        int
}

// boundMotion returns the bound along n for c, which moves by s and is placed at fraction t,
// relative to a frame that moves by f.
func boundMotion(c *Core, s, f *Sweep, t float64, n Vec) supportBound {
	center, eye := s.From.Lerp(s.To, t), f.From.Lerp(f.To, t)
	v := s.To.Sub(s.From).Sub(f.To.Sub(f.From))
	w, wf := s.Angle1-s.Angle0, f.Angle1-f.Angle0
	pace := v.Len()
	m := supportBound{n: c.N}
	still := s == f || *s == *f && *s == Sweep{} // no relative motion
	for i, p := range c.vertices() {
		m.offset[i] = n.Dot(p)
		if still {
			continue
		}
		arm, off := p.Sub(center), p.Sub(eye)
		m.speed[i] = n.Dot(v.MulAdd(w, arm.Left()).MulAdd(-wf, off.Left()))
		// Bound the curvature of the path over the rest of the step: by the shape's own rotation,
		// and, relative to a rotating frame, by twice the speed and by the distance from the
		// frame's centre.
		r := arm.Len()
		fast := pace + float64(math.Abs(w)*r)
		m.curvature[i] = float64(0.5*w*w*r) +
			float64(math.Abs(wf)*(fast+float64(0.5*math.Abs(wf)*(off.Len()+float64(fast*(1-t))))))
	}
	return m
}

// at returns the largest possible reach of the core at time dt.
func (m *supportBound) at(dt float64) float64 {
	far := -math.MaxFloat64
	for i := range m.n {
		far = max(far, m.offset[i]+float64(dt*(m.speed[i]+float64(dt*m.curvature[i]))))
	}
	return far
}
