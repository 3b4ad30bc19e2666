package ccd

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// relativeSweep is the motion of a shape through a step relative to an obstacle: in the
// obstacle's frame at the start of the step, with the body's centre of mass at the origin.
type relativeSweep struct {
	obstacle      *Motion
	dynamic       bool      // the obstacle's body is dynamic
	origin        geom.Vec  // the centre of mass at the start, in the frame of obstacle
	inner         geom.Core // the shape shrunk by discFraction of its inner radius, at the start of the step
	shell         geom.Core // the shape shrunk by shellDepth at most, at the start of the step
	shellEnd      geom.Core // shell at the end of the step
	innerEnd      geom.Core // inner at the end of the step
	thin          bool      // inner and shell are equal
	outer         geom.Core // the unshrunk shape, at the start of the step
	centroid      geom.Vec  // of the shape, at the start of the step
	centroidEnd   geom.Vec  // of the shape, at the end of the step
	shape         *Shape
	at            geom.Transform // frame of the shape's body at the start of the step
	sweep         geom.Sweep     // motion of the shape
	obstacleSweep geom.Sweep     // motion of the obstacle
	arcError      float64        // largest distance of a point's path from the straight line between its ends
	box           geom.AABB      // bounds of the path of inner
}

// relativeTo returns the motion of sh relative to the motion of an obstacle's body.
func (f *shapeSweep) relativeTo(sh *Shape, motion *Motion) relativeSweep {
	local, extent := f.mover.LocalCenter, f.mover.Extent
	v := relativeSweep{obstacle: motion, origin: motion.From.Inv(f.center)}
	at := geom.Transform{Q: motion.From.Q.InvMul(f.rot)}
	at.P = at.Q.Apply(local).Neg()
	to := geom.Transform{Q: motion.To.Q.InvMul(f.end)}
	to.P = motion.To.Inv(f.center.Add(f.d)).Sub(v.origin).Sub(to.Q.Apply(local))
	whole := coreOf(sh.Hull)
	if !f.shrunkSet {
		f.shrunkSet = true
		f.inner = shrunk(sh.Hull, discFraction*sh.InnerRadius)
		f.shell = shrunk(sh.Hull, min(shellDepth, discFraction*sh.InnerRadius))
	}
	v.shape, v.at = sh, at
	v.outer, v.inner, v.centroid = whole.In(at), f.inner.In(at), at.Apply(sh.Hull.Centroid)
	v.shell, v.shellEnd, v.centroidEnd = f.shell.In(at), f.shell.In(to), to.Apply(sh.Hull.Centroid)
	v.innerEnd = f.inner.In(to)
	v.thin = discFraction*sh.InnerRadius <= shellDepth
	v.sweep = geom.Sweep{To: motion.From.Q.Inv(f.d), Angle1: f.turn}

	// A point whose acceleration is at most a, in a time of 1, is at most a/8 from the chord of
	// its path.
	bend := float64(extent * f.turn * f.turn)
	if motion.Moves {
		v.obstacleSweep.Center = motion.From.Inv(motion.Center).Sub(v.origin)
		v.obstacleSweep.From = v.obstacleSweep.Center
		v.obstacleSweep.To = v.obstacleSweep.From.Add(motion.From.Q.Inv(motion.D))
		v.obstacleSweep.Angle1 = motion.Turn
		pace := f.d.Sub(motion.D).Len() + float64(extent*math.Abs(f.turn))
		bend += float64(motion.Turn*motion.Turn*(v.obstacleSweep.Center.Len()+pace+extent)) +
			float64(2*math.Abs(motion.Turn)*pace)
	}
	v.arcError = 0.125 * bend
	v.box = geom.Empty
	for k := range v.shell.N {
		v.box = v.box.Union(geom.Box(v.shell.V[k], v.shellEnd.V[k]))
	}
	v.box = v.box.Expand(v.shell.Radius + v.arcError + touchSlop)
	return v
}

// coreOf returns the core of h.
func coreOf(h *collide.Hull) geom.Core { return geom.Core{V: h.V, N: h.N, Radius: h.Radius} }

// shellDepth is how deep, in units of length, a shape that moves straight at a surface may be in
// it at the end of a step: somewhat deeper than a resting shape. A shape that moves along a surface
// may be as deep as inner is, or each corner of a bowl would stop a fast shape for the rest of a
// step.
const shellDepth = 2 * geom.LinearSlop

// steepness is the fraction of a motion along the surface's normal above which the shape moves
// straight at the surface: steeper than 45 degrees.
const steepness = 0.75

// toiSlop is the distance, in units of length, at which a swept shape meets an obstacle: above 0, so
// that the direction between them is defined. Two shapes touch at a distance of touchSlop or less,
// which is above the distance at which geom.TimeOfImpact stops for toiSlop.
const (
	toiSlop   = 0.1 * geom.LinearSlop
	touchSlop = 0.25 * geom.LinearSlop
)

// PathSlop is a bound on the distance, in units of length, from the bounds of a shape's straight
// path to an obstacle that stops the shape.
const PathSlop = geom.LinearSlop + touchSlop

// stopAt records that the obstacle of v stops the mover at the impact x, if none does earlier. With sunk, the mover
// slides on there: see slideOn.
func (v *relativeSweep) stopAt(x *impact, sunk bool, f *shapeSweep) {
	if x.fraction >= f.fraction {
		return
	}
	f.fraction, f.hit, f.dynamic, f.slides = x.fraction, *v.obstacle, v.dynamic, sunk
	q := v.obstacle.From.Q
	f.normal = q.Mul(v.obstacleSweep.At(x.fraction).Q).Apply(x.normal)
	f.arm, f.speed = q.Apply(x.arm), x.normal.Dot(x.velocity)
}

// hitFaces stops f at the first impact of the shape with the front of a face.
func (v *relativeSweep) hitFaces(faces []collide.Face, f *shapeSweep) {
	for i := range faces {
		v.hitFace(&faces[i], f)
	}
}

// hitFace stops f at the impact of the shape with the front of a face.
func (v *relativeSweep) hitFace(face *collide.Face, f *shapeSweep) {
	n, l := face.B.Sub(face.A).Right().Unit()
	if l == 0 || !v.box.Overlaps(geom.Box(face.A, face.B)) {
		return
	}
	if max(n.Dot(v.centroid.Sub(face.A)), n.Dot(v.centroidEnd.Sub(face.A))) <= -v.arcError {
		return // the centroid is behind the face throughout
	}
	least := min(heightOf(&v.shell, face, n), heightOf(&v.shellEnd, face, n))
	if least > v.arcError+touchSlop || v.glances(face, n, l, f) {
		return
	}
	o := geom.Core{N: 2}
	o.V[0], o.V[1] = face.A, face.B
	x, sunk := v.toi(&o, nil, face, n, f)
	v.stopAt(&x, sunk, f)
}

// heightOf returns the height of the lowest point of c above the line of a face of normal n.
func heightOf(c *geom.Core, face *collide.Face, n geom.Vec) float64 {
	least := math.MaxFloat64
	for k := range c.N {
		least = min(least, n.Dot(c.V[k].Sub(face.A)))
	}
	return least - c.Radius
}

// glances reports whether the shape at most grazes a face that does not move: inner stays above the face's line
// throughout, and the motion of shell, at an impact that would be the face's own (ownsImpact), is not steep. Then the
// contact stops the shape, even if the shape touches the face and turns. n and l are the face's normal and length.
func (v *relativeSweep) glances(face *collide.Face, n geom.Vec, l float64, f *shapeSweep) bool {
	if v.thin || v.obstacle.Moves || !face.HasGhost1 || !face.HasGhost2 || l < 4*touchSlop {
		return false
	}
	// A normal of the face's own differs from n by at most leanSlop where the neighbours do not fall off.
	d, around := v.sweep.To.Sub(v.sweep.From), float64(math.Abs(f.turn)*f.mover.Extent)
	if around-n.Dot(d) > (steepness-2*leanSlop)*(d.Len()-around) {
		return false
	}
	return rises(face.Ghost1.Sub(face.A), n) && rises(face.Ghost2.Sub(face.B), n) && v.innerAbove(face, n)
}

// rises reports whether the neighbour e of a face of normal n does not fall off from it, beyond rounding.
func rises(e, n geom.Vec) bool { return n.Dot(e) > 1e-9*(math.Abs(e.X)+math.Abs(e.Y)) }

// innerAbove reports whether inner is above the line of a face of normal n throughout.
func (v *relativeSweep) innerAbove(face *collide.Face, n geom.Vec) bool {
	return min(heightOf(&v.inner, face, n), heightOf(&v.innerEnd, face, n)) > v.arcError+touchSlop
}

// hitHull stops f at the impact of the shape with the shape of hull h.
func (v *relativeSweep) hitHull(h *collide.Hull, f *shapeSweep) {
	if !v.box.Overlaps(h.Bounds(geom.At(v.origin.Neg()))) {
		return
	}
	whole := coreOf(h)
	o := whole.In(geom.At(v.origin.Neg()))
	x, sunk := v.toi(&o, h, nil, geom.Vec{}, f)
	v.stopAt(&x, sunk, f)
}

// toi returns the impact of the shape of v with o, of the fraction 1 if there is none, and whether the shape touches o
// at the start and has sunk in there. o is the core of the shape of hull h, or of a face of
// normal n. A face is hit only from its front. (The order in which obstacles stop the full shape may differ from the
// order for inner, so every obstacle on the path of inner is checked.)
func (v *relativeSweep) toi(o *geom.Core, h *collide.Hull, face *collide.Face, n geom.Vec,
	f *shapeSweep,
) (first impact, sunk bool) {
	first, touching := v.firstImpact(o, &v.shell, &v.shellEnd, face, n)
	if !v.thin && (touching || first.fraction < 1) && !(first.fraction < 1 && v.steep(&first)) {
		if face != nil && v.innerAbove(face, n) {
			return impact{fraction: 1}, false
		}
		first, touching = v.firstImpact(o, &v.inner, &v.innerEnd, face, n)
	}
	if touching && v.slide(&first, o, h, face, f) {
		return first, true
	}
	if first.fraction == 1 || face != nil && !v.ownsImpact(&first, face) {
		return impact{fraction: 1}, false
	}
	if gap, _, _ := geom.Gap(o, &v.outer, here); gap > geom.LinearSlop+touchSlop {
		first.takeEarlier(v, o, &v.outer, &v.sweep, geom.LinearSlop)
	}
	return first, false
}

// here is the frame of a core that is given where the step starts.
var here = geom.At(geom.Vec{})

// impact is the first impact of a core with an obstacle.
type impact struct {
	fraction float64  // of the motion, up to the impact
	point    geom.Vec // of the obstacle at the impact, in the obstacle's frame
	normal   geom.Vec // unit, from point to the nearest point of the core
	gap      float64  // the distance of the two, in units of length; negative if the cores overlap
	velocity geom.Vec // of the core there, relative to the obstacle, in units of length a step
	arm      geom.Vec // of the core there, from the mover's centre of mass, in the obstacle's frame at the start
}

// firstImpact returns the first impact of the core c, which ends at end, with o, and whether c touches o at the start
// of the step. If c does, only the corners of c count that are apart from o at the start. The fraction is 1
// if there is no impact. (A corner that stays above the line of a face has none.) A flat shape touches o also at
// flatGap, to which slide moves it.
func (v *relativeSweep) firstImpact(o, c, end *geom.Core, face *collide.Face, n geom.Vec) (best impact, touching bool) {
	best = impact{fraction: 1}
	near, slop := c, touchSlop
	if v.shape.InnerRadius <= flatRadius {
		near, slop = &v.outer, flatGap+touchSlop
	}
	if gap, _, _ := geom.Gap(o, near, here); gap > slop {
		best.takeEarlier(v, o, c, &v.sweep, toiSlop)
		return best, false
	}
	for k := range c.N {
		if face != nil && min(n.Dot(c.V[k].Sub(face.A)), n.Dot(end.V[k].Sub(face.A))) > c.Radius+v.arcError+touchSlop {
			continue
		}
		if face != nil && isBehind(face, n, near.V[k]) || cornerTouches(o, near, k, slop) {
			continue
		}
		if near != c && cornerTouches(o, c, k, touchSlop) {
			continue // a corner of a sliver, shrunk beyond the other side
		}
		p := cornerOf(c, k)
		best.takeEarlier(v, o, &p, &v.sweep, toiSlop)
	}
	return best, true
}

// cornerOf returns the core of corner k of c.
func cornerOf(c *geom.Core, k int) geom.Core {
	p := geom.PointCore(c.V[k])
	p.Radius = c.Radius
	return p
}

// cornerTouches reports whether corner k of c is within slop of o at the start of the step.
func cornerTouches(o, c *geom.Core, k int, slop float64) bool {
	p := cornerOf(c, k)
	gap, _, _ := geom.Gap(o, &p, here)
	return gap <= slop
}

// isBehind reports whether the point p is behind a face of normal n, between its ends.
func isBehind(face *collide.Face, n, p geom.Vec) bool {
	e := n.Left()
	return n.Dot(p.Sub(face.A)) < 0 && e.Dot(p.Sub(face.A)) >= 0 && e.Dot(p.Sub(face.B)) <= 0
}

// takeEarlier sets m to the first impact of the core c, which moves by moves, with o, at a distance of slop, if that
// impact is before m. Cores
// that overlap, or are that near, from the start and do not approach there have none.
func (m *impact) takeEarlier(v *relativeSweep, o, c *geom.Core, moves *geom.Sweep, slop float64) {
	t, ok := geom.TimeOfImpact(o, &v.obstacleSweep, c, moves, slop)
	if !ok || t >= m.fraction {
		return
	}
	g := v.obstacleSweep.At(t)
	placed := o.In(g)
	gap, p, q := geom.Gap(&placed, c, moves.At(t))
	n, _ := q.Sub(p).Unit()
	if gap < 0 { // q is behind p
		n = n.Neg()
	}
	velocity := velocityAtTime(moves, t, q).Sub(velocityAtTime(&v.obstacleSweep, t, p))
	if t == 0 && velocity.Dot(n) >= -toiSlop*velocity.Len() {
		return
	}
	m.fraction, m.gap, m.point, m.normal = t, gap, g.Inv(p), g.Q.Inv(n)
	m.arm, m.velocity = q.Sub(moves.From.Lerp(moves.To, t)), g.Q.Inv(velocity)
}

// velocityAtTime returns the velocity, at the time t, of the point p of a body with the motion s.
func velocityAtTime(s *geom.Sweep, t float64, p geom.Vec) geom.Vec {
	return s.To.Sub(s.From).MulAdd(s.Angle1-s.Angle0, p.Sub(s.From.Lerp(s.To, t)).Left())
}

// steep reports whether, at the impact, the shape moves towards the obstacle rather than
// along it.
func (v *relativeSweep) steep(first *impact) bool {
	return first.normal.Dot(first.velocity) < -steepness*first.velocity.Len()
}

// ownsImpact reports whether the centroid is in front of the face at the impact, and the
// impact belongs to the face and not to its neighbour: at a convex corner the normal is
// within the corner's Voronoi region or along the face's own; at a concave corner it is
// along the face's own, and the shape is not behind the neighbour.
func (v *relativeSweep) ownsImpact(first *impact, face *collide.Face) bool {
	e, l := face.B.Sub(face.A).Unit()
	n := e.Right()
	g := v.obstacleSweep.At(first.fraction)
	c := g.Inv(v.sweep.At(first.fraction).Apply(v.centroid))
	if n.Dot(first.normal) < 0 || n.Dot(c.Sub(face.A)) <= 0 {
		return false
	}
	switch x, along := e.Dot(first.point.Sub(face.A)), e.Dot(first.normal); {
	case x < touchSlop && face.HasGhost1:
		u := face.Ghost1.Sub(face.A)
		return (along >= -leanSlop || roundsCorner(first.normal, n, u)) &&
			!(n.Dot(u) > 0 && first.behind(c, face.A, u.Left()))
	case x > l-touchSlop && face.HasGhost2:
		u := face.Ghost2.Sub(face.B)
		return (along <= leanSlop || roundsCorner(first.normal, n, u)) &&
			!(n.Dot(u) > 0 && first.behind(c, face.B, u.Right()))
	}
	return true
}

// behind reports whether both the point of the core that meets the face and the centroid c are behind the neighbour of
// normal n at the corner p. Then the shape has come to the corner through the neighbour: the tip of a sliver on two
// tiles that meet in a point is a little below the surface, where the sides of the gap under the tiles begin.
func (m *impact) behind(c, p, n geom.Vec) bool {
	return n.Dot(c.Sub(p)) < 0 && n.Dot(m.point.Sub(p).MulAdd(m.gap, m.normal)) < 0
}

// roundsCorner reports whether the normal m, which leans over the end of a face of normal n,
// belongs to the corner there; e leads from the corner along the neighbour.
func roundsCorner(m, n, e geom.Vec) bool {
	u, _ := e.Unit()
	return n.Dot(u) < 0 && m.Dot(u) <= leanSlop
}

// leanSlop is how far, as a fraction of its length, a normal may lean by rounding: the error
// of the gap that geom.TimeOfImpact leaves.
const leanSlop = 0.02

// shrunk returns h with its surface moved in by the distance by, at most half of its inner
// radius. A sharp corner moves in by at most sharpest times that: otherwise the tip of a
// sliver, which is nowhere so thick, would pass obstacles. The vertices are in no order.
func shrunk(h *collide.Hull, by float64) geom.Core {
	c := geom.Core{V: h.V, N: h.N, Radius: h.Radius}
	if by <= c.Radius {
		c.Radius -= by
		return c
	}
	by -= c.Radius
	c.Radius = 0
	if h.N < 3 {
		return c
	}
	for i := range h.N {
		m, n := h.Nrm[(i+h.N-1)%h.N], h.Nrm[i]
		// The sum of two unit normals is twice the cosine of half the angle between them
		// long, which is twice the sine of half the corner's angle.
		out, l := m.Add(n).Unit()
		c.V[i] = h.V[i].MulAdd(-by*min(sharpest, 2/l), out)
		for k := range h.N {
			if h.Nrm[k].Dot(c.V[i].Sub(h.V[k])) > 0 {
				c.V[i] = h.Centroid // beyond another edge, which is short
				break
			}
		}
	}
	return c
}

// sharpest bounds how much farther than the surface a corner moves in: as far as a corner of
// 60 degrees.
const sharpest = 2
