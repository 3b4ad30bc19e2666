package geom

import "math"

// Sweep is the motion of a body through a step: its centre of mass goes straight
// from From to To and it turns evenly from Angle0 to Angle1 (radians), which may
// be more than a whole turn apart.
type Sweep struct {
	Center         Vec // the centre of mass in the body's frame
	From, To       Vec
	Angle0, Angle1 float64
}

// At returns the body's frame at the share t of the step, from 0 to 1.
func (s *Sweep) At(t float64) Transform {
	q := NewRot(s.Angle0 + float64((s.Angle1-s.Angle0)*t))
	return Transform{P: s.From.Lerp(s.To, t).Sub(q.Apply(s.Center)), Q: q}
}

// impactSlop (units of length) is how much nearer than the distance asked for
// TimeOfImpact calls the same: a tenth of LinearSlop. It is what lets the search
// end, and what leaves sharp shapes a direction to be apart in.
const impactSlop = 0.1 * LinearSlop

// impactRounds bounds the search of TimeOfImpact. A search comes to an end in
// three to ten rounds, or some tens where two shapes turn past each other at a
// hair's breadth.
const impactRounds = 100

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
// search goes on from where the bound meets the target.
func TimeOfImpact(a *Core, sa *Sweep, b *Core, sb *Sweep, target float64) (t float64, ok bool) {
	if len(a.vertices()) == 0 || len(b.vertices()) == 0 {
		return 0, false
	}
	target = max(0, target) + a.Radius + b.Radius
	for range impactRounds {
		pa, pb := a.In(sa.At(t)), b.In(sb.At(t))
		dist, p, q := Distance(pa.vertices(), pb.vertices())
		if dist <= target+impactSlop {
			return t, true
		}
		n := q.Sub(p).Mul(1 / dist)
		ma := follow(&pa, sa, t, n)
		mb := follow(&pb, sb, t, n.Neg())
		// Along n, a reaches up to ma and b down to -mb.
		gap := func(dt float64) float64 { return -(mb.most(dt) + ma.most(dt)) - target }
		dt, met := meet(gap, 1-t)
		if !met {
			return 1, false
		}
		if t+dt <= t {
			return t, true // as near as floats can tell
		}
		t += dt
	}
	return t, true
}

// meet returns a time in (0, end] up to which f, concave and positive at 0, is
// not negative, close to where it becomes so; or false if that is not before
// end.
func meet(f func(float64) float64, end float64) (float64, bool) {
	lo, hi := 0.0, end
	flo, fhi := f(0), f(end)
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
			if fx := f(x); fx >= 0 {
				lo, flo = x, fx
			} else {
				hi, fhi = x, fx
			}
		}
		x := 0.5 * (lo + hi)
		if fx := f(x); fx >= 0 {
			lo, flo = x, fx
		} else {
			hi, fhi = x, fx
		}
	}
	return lo, true
}

// motion is how far the vertices of a core reach along a direction, as time goes
// by.
type motion struct {
	at, speed, bend [MaxVertices]float64
	n               int
}

// follow returns the motion along n of c, placed at the share t of s.
func follow(c *Core, s *Sweep, t float64, n Vec) motion {
	center := s.From.Lerp(s.To, t)
	v := s.To.Sub(s.From).Dot(n)
	w := s.Angle1 - s.Angle0
	m := motion{n: c.N}
	for i, p := range c.vertices() {
		arm := p.Sub(center)
		m.at[i] = n.Dot(p)
		m.speed[i] = v + float64(w*n.Dot(arm.Left()))
		m.bend[i] = 0.5 * w * w * arm.Len()
	}
	return m
}

// most returns how far the core can at most reach dt later.
func (m *motion) most(dt float64) float64 {
	far := -math.MaxFloat64
	for i := range m.n {
		far = max(far, m.at[i]+float64(dt*(m.speed[i]+float64(dt*m.bend[i]))))
	}
	return far
}
