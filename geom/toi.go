package geom

import "math"

// toiSlop (units of length) is how much nearer than the distance asked for
// TimeOfImpact calls the same: a tenth of LinearSlop. It is what lets the search
// end, and what leaves sharp shapes a direction to be apart in.
const toiSlop = 0.1 * LinearSlop

// maxTOIRounds bounds the search of TimeOfImpact. A search comes to an end in
// three to ten rounds, or some tens where two shapes turn past each other at a
// hair's breadth.
const maxTOIRounds = 100

// TimeOfImpact returns the first share of the step, in [0, 1], at which the
// surfaces of a and b are within target (units of length, 0 or more) of each
// other, up to a tenth of LinearSlop more; or false if they are not in this step.
// It returns 0 if they are that near at the start, or overlap.
//
// It is never late: before the time returned they are farther than target
// apart, but for rounding. If it is early it is because the search was given up,
// after many rounds, at a time when they were still apart.
//
// Method: conservative advancement. Along the way between the closest points
// each vertex is followed by its place, its speed and the most that turning can
// bend its path, which bounds from below the distance at any later time; the
// search goes on from where the bound meets the target. The way is held still,
// or carried along with either shape, whichever gets further: past an edge that
// turns, only what is seen from the edge tells how fast it is neared.
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
			ma := boundMotion(&pa, sa, seen, t, n)
			mb := boundMotion(&pb, sb, seen, t, n.Neg())
			dt, met := advance(&ma, &mb, target, 1-t)
			if !met {
				return 1, false
			}
			far = max(far, dt)
		}
		if t+far <= t {
			return t, true // as near as floats can tell
		}
		t += far
	}
	return t, true
}

// advance returns a time in (0, end] up to which what a reaches along a direction
// and b against it leave a gap of target, close to where they no longer do; or
// false if that is not before end. The gap is a concave function of time.
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
		// The chord of a concave function lies below it. Its root is not taken
		// whole, because rounding may put it beyond.
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

// supportBound bounds how far the vertices of a core reach along a direction, as time
// goes by.
type supportBound struct {
	offset, speed, curvature [MaxVertices]float64
	n                        int
}

// boundMotion returns the motion along n of c, which moves by s and is placed at its
// share t, as seen from a frame that moves by f.
func boundMotion(c *Core, s, f *Sweep, t float64, n Vec) supportBound {
	center, eye := s.From.Lerp(s.To, t), f.From.Lerp(f.To, t)
	v := s.To.Sub(s.From).Sub(f.To.Sub(f.From))
	w, wf := s.Angle1-s.Angle0, f.Angle1-f.Angle0
	pace := v.Len()
	m := supportBound{n: c.N}
	for i, p := range c.vertices() {
		m.offset[i] = n.Dot(p)
		if s == f {
			continue // it does not move
		}
		arm, off := p.Sub(center), p.Sub(eye)
		m.speed[i] = n.Dot(v.MulAdd(w, arm.Left()).MulAdd(-wf, off.Left()))
		// The most that its path bends: as it turns itself, and seen from a frame
		// that turns, by twice its speed across and by how far off it is, at most,
		// until the step ends.
		r := arm.Len()
		fast := pace + float64(math.Abs(w)*r)
		m.curvature[i] = float64(0.5*w*w*r) + float64(math.Abs(wf)*(fast+float64(0.5*math.Abs(wf)*(off.Len()+float64(fast*(1-t))))))
	}
	return m
}

// at returns how far the core can at most reach dt later.
func (m *supportBound) at(dt float64) float64 {
	far := -math.MaxFloat64
	for i := range m.n {
		far = max(far, m.offset[i]+float64(dt*(m.speed[i]+float64(dt*m.curvature[i]))))
	}
	return far
}
