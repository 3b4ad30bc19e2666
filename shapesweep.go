package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
)

// The second form of continuous collision is the sweep of a whole shape, as it moves and
// turns. The first form sweeps a disc about the centroid. The swept shape is shrunk on all
// sides by the margin that the first form leaves of the core, so that a surface on which the
// shape slides does not stop it. At an impact the unshrunk shape is stopped one slop short
// of the obstacle, unless it was nearer from the start: so it does not sink in. A shape is
// swept only if some part of it may move, in the step, by more than that margin.
//
// If a body touches an obstacle at the start of the step, its contact stops most of it: only
// the corners of its shape that are apart from the obstacle are swept against it, and the
// whole shape as slide.go describes.

// shapeSweep is the motion of a body through a step: its centre of mass moves on a straight
// line at constant velocity, and its spin is constant.
type shapeSweep struct {
	center   geom.Vec // of mass, at the start
	d        geom.Vec
	rot, end geom.Rot   // at the start and at the end
	turn     float64    // radians between these; may exceed a full turn
	fraction float64    // of the motion, up to the first impact
	hit      bodyMotion // of the body hit; undefined while fraction is 1
	lifted   bool       // d and the body's position have been corrected; see hitCentroid

	// Of the shape in work:
	box                  geom.AABB // bounds of its path
	coresSet             bool      // the cores below are set
	innerCore, shellCore geom.Core // the shrunk shape, in its body's frame; see relativeSweep
}

// turnOf returns the angle from rot to end that is nearest to turnGuess.
func turnOf(rot, end geom.Rot, turnGuess float64) float64 {
	if rot == end && math.Abs(turnGuess) < math.Pi {
		return 0
	}
	turn := rot.InvMul(end).Angle()
	return turn + float64(2*math.Pi*math.Floor(float64((turnGuess-turn)/(2*math.Pi))+0.5))
}

// sweepShapes sweeps the shapes of body i, which began at center with the rotation rot and
// turned by about turnGuess, along its motion to its present pose, and stops it at the first
// impact. It returns the fraction of the motion up to the impact, and whether the obstacle
// moves, and carried the body along.
func (w *World) sweepShapes(i int32, center geom.Vec, rot geom.Rot, turnGuess float64, stopped, dynamic, movers bool) (fraction float64, carried bool) {
	b := w.bodies.At(i)
	if stopped || b.maxTravel(center, rot, turnGuess) > w.leastSweepGate(b) || movers || dynamic && w.touchesDynamic(b) {
		return w.sweepShapesFar(b, center, rot, turnGuess, stopped, dynamic, movers)
	}
	return 1, false
}

// sweepShapesFar is sweepShapes for a body of which some part may move far.
func (w *World) sweepShapesFar(b *body, center geom.Vec, rot geom.Rot, turnGuess float64, stopped, dynamic, movers bool) (fraction float64, carried bool) {
	f := shapeSweep{center: center, d: b.center.Sub(center), rot: rot, end: b.rot, fraction: 1}
	f.turn = turnOf(rot, f.end, turnGuess)
	far := f.d.Len() + float64(math.Abs(f.turn)*b.extent)
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		s := w.shapes.At(si)
		fast := stopped || far > s.sweepGate()
		if s.sensor || !fast && !dynamic && !movers {
			continue
		}
		f.coresSet = false
		f.setShape(s, b)
		if fast || movers {
			w.sweepObstacles(s, b, &f, fast, movers, stopped)
		}
		if dynamic {
			w.sweepBullet(s, b, &f, fast)
		}
	}
	if f.fraction == 1 {
		return 1, f.lifted
	}
	center, rot = f.stopAtHit(b)
	if dynamic && f.hit.moves && w.bodies.At(f.hit.body).kind == Dynamic {
		// The body that carried it may carry it into a wall.
		w.sweepShapesFar(b, center, rot, 0, true, false, len(w.scratch.movers) > 0)
	}
	return f.fraction, f.hit.moves || f.lifted
}

// sweepGate is the distance that some part of a shape must move in a step for the shape to
// be swept.
func (s *shape) sweepGate() float64 { return max(coreFraction*s.core, geom.LinearSlop) }

// stopAtHit moves b to the impact, and from there along with the body hit until the step
// ends. It returns the pose of b at the impact.
func (f *shapeSweep) stopAtHit(b *body) (center geom.Vec, rot geom.Rot) {
	center = f.center.MulAdd(f.fraction, f.d)
	rot = geom.NewRot(f.fraction * f.turn).Mul(f.rot).Norm()
	b.center, b.rot = center, rot
	if m := &f.hit; m.moves {
		q := geom.NewRot(f.fraction * m.turn).Mul(m.from.Q)
		at := q.Inv(center.Sub(m.center.MulAdd(f.fraction, m.d)))
		b.center = m.center.Add(m.d).Add(m.to.Q.Apply(at))
		b.rot = m.to.Q.Mul(q.InvMul(rot)).Norm()
	}
	return center, rot
}

// setShape makes s, of b, the shape in work.
func (f *shapeSweep) setShape(s *shape, b *body) {
	from := geom.Transform{P: f.center.Sub(f.rot.Apply(b.localCenter)), Q: f.rot}
	to := geom.Transform{P: f.center.Add(f.d).Sub(f.end.Apply(b.localCenter)), Q: f.end}
	f.box = s.bounds(from).Union(s.bounds(to)).Expand(float64(0.125*b.extent*f.turn*f.turn) + touchSlop)
}

// maxRelativeTravel returns a bound on the distance that a point of b moves in the frame of
// motion.
func (f *shapeSweep) maxRelativeTravel(motion *bodyMotion, b *body) float64 {
	_, step := motion.relative(f.center, f.d)
	far := step.Len()
	switch turn := math.Abs(motion.turn); {
	case turn > math.Pi:
		far = f.d.Len() + motion.d.Len() + float64(turn*(f.center.Dist(motion.center)+f.d.Len()))
	case turn > 0:
		far *= 0.5 * math.Pi // the arc of which far is the chord
	}
	return far + float64(math.Abs(f.turn-motion.turn)*b.extent)
}

// sweepGround sweeps s, which is within box in the frame of motion, against the surfaces of
// the ground in slot gi.
func (w *World) sweepGround(gi int32, s *shape, b *body, motion *bodyMotion, box geom.AABB, f *shapeSweep) {
	cs, ok := surface.Cells(box)
	if !ok {
		return
	}
	middle := motion.from.Inv(f.center.Add(f.rot.Apply(s.hull.Centroid.Sub(b.localCenter))))
	runs := w.sweepRuns(gi, s, cs, middle)
	if len(runs) == 0 {
		return
	}
	v := f.relativeTo(s, b, motion)
	var face collide.Face
	for i := range runs {
		surface.SetFace(&face, &runs[i], v.origin)
		v.hitFace(&face, f, b)
	}
}

// relativeSweep is the motion of a shape through a step relative to an obstacle: in the
// obstacle's frame at the start of the step, with the body's centre of mass at the origin.
type relativeSweep struct {
	obstacle      *bodyMotion
	origin        geom.Vec  // the centre of mass at the start, in the frame of obstacle
	inner         geom.Core // the shape shrunk by coreFraction of its core, at the start of the step
	shell         geom.Core // the shape shrunk by shellDepth at most, at the start of the step
	shellEnd      geom.Core // shell at the end of the step
	thin          bool      // inner and shell are equal
	outer         geom.Core // the unshrunk shape, at the start of the step
	centroid      geom.Vec  // of the shape, at the start of the step
	centroidEnd   geom.Vec  // of the shape, at the end of the step
	shape         *shape
	at            geom.Transform // frame of the shape's body at the start of the step
	sweep         geom.Sweep     // motion of the shape
	obstacleSweep geom.Sweep     // motion of the obstacle
	arcError      float64        // largest distance of a point's path from the straight line between its ends
	box           geom.AABB      // bounds of the path of inner
}

// relativeTo returns the motion of s, of b, relative to the motion of an obstacle's body.
func (f *shapeSweep) relativeTo(s *shape, b *body, motion *bodyMotion) relativeSweep {
	v := relativeSweep{obstacle: motion, origin: motion.from.Inv(f.center)}
	at := geom.Transform{Q: motion.from.Q.InvMul(f.rot)}
	at.P = at.Q.Apply(b.localCenter).Neg()
	to := geom.Transform{Q: motion.to.Q.InvMul(f.end)}
	to.P = motion.to.Inv(f.center.Add(f.d)).Sub(v.origin).Sub(to.Q.Apply(b.localCenter))
	whole := geom.Core{V: s.hull.V, N: s.hull.N, Radius: s.hull.Radius}
	if !f.coresSet {
		f.coresSet = true
		f.innerCore = shrunk(&s.hull, coreFraction*s.core)
		f.shellCore = shrunk(&s.hull, min(shellDepth, coreFraction*s.core))
	}
	v.shape, v.at = s, at
	v.outer, v.inner, v.centroid = whole.In(at), f.innerCore.In(at), at.Apply(s.hull.Centroid)
	v.shell, v.shellEnd, v.centroidEnd = f.shellCore.In(at), f.shellCore.In(to), to.Apply(s.hull.Centroid)
	v.thin = coreFraction*s.core <= shellDepth
	v.sweep = geom.Sweep{To: motion.from.Q.Inv(f.d), Angle1: f.turn}

	// A point whose acceleration is at most a, in a time of 1, is at most a/8 from the chord
	// of its path.
	bend := float64(b.extent * f.turn * f.turn)
	if motion.moves {
		v.obstacleSweep.Center = motion.from.Inv(motion.center).Sub(v.origin)
		v.obstacleSweep.From = v.obstacleSweep.Center
		v.obstacleSweep.To = v.obstacleSweep.From.Add(motion.from.Q.Inv(motion.d))
		v.obstacleSweep.Angle1 = motion.turn
		pace := f.d.Len() + motion.d.Len() + float64(b.extent*math.Abs(f.turn))
		bend += float64(motion.turn*motion.turn*(v.obstacleSweep.Center.Len()+pace+b.extent)) + float64(2*math.Abs(motion.turn)*pace)
	}
	v.arcError = 0.125 * bend
	v.box = geom.Empty
	for k := range v.shell.N {
		v.box = v.box.Union(geom.Box(v.shell.V[k], v.shellEnd.V[k]))
	}
	v.box = v.box.Expand(v.shell.Radius + v.arcError + touchSlop)
	return v
}

// shellDepth is how deep, in units of length, a shape that moves straight at a surface may
// be in it at the end of a step: somewhat deeper than a resting shape. A shape that moves
// along a surface may be as deep as inner is, or each corner of a bowl would stop a fast
// shape for the rest of a step.
const shellDepth = 2 * geom.LinearSlop

// steepness is the fraction of a motion along the surface's normal above which the shape
// moves straight at the surface: steeper than 45 degrees.
const steepness = 0.75

// toiSlop is the distance, in units of length, at which a core meets an obstacle: above 0,
// so that the direction is defined. touchSlop is the distance of touching cores: above the
// distance at which geom.TimeOfImpact stops for toiSlop.
const (
	toiSlop   = 0.1 * geom.LinearSlop
	touchSlop = 0.25 * geom.LinearSlop
)

// hitFace stops f at the impact of the shape with the front of a face.
func (v *relativeSweep) hitFace(face *collide.Face, f *shapeSweep, b *body) {
	n, l := face.B.Sub(face.A).Right().Unit()
	if l == 0 || !v.box.Overlaps(geom.Box(face.A, face.B)) {
		return
	}
	if max(n.Dot(v.centroid.Sub(face.A)), n.Dot(v.centroidEnd.Sub(face.A))) <= -v.arcError {
		return // the centroid is behind the face throughout
	}
	least := math.MaxFloat64
	for k := range v.shell.N {
		least = min(least, n.Dot(v.shell.V[k].Sub(face.A)), n.Dot(v.shellEnd.V[k].Sub(face.A)))
	}
	if least > v.shell.Radius+v.arcError+touchSlop {
		return
	}
	o := geom.Core{N: 2}
	o.V[0], o.V[1] = face.A, face.B
	if fraction := v.toi(&o, nil, face, f, b); fraction < f.fraction {
		f.fraction, f.hit = fraction, *v.obstacle
	}
}

// hitShape stops f at the impact of the shape with the shape t.
func (v *relativeSweep) hitShape(t *shape, f *shapeSweep, b *body) {
	if !v.box.Overlaps(t.bounds(geom.At(v.origin.Neg()))) {
		return
	}
	o := geom.Core{V: t.hull.V, N: t.hull.N, Radius: t.hull.Radius}
	o = o.In(geom.At(v.origin.Neg()))
	if fraction := v.toi(&o, t, nil, f, b); fraction < f.fraction {
		f.fraction, f.hit = fraction, *v.obstacle
	}
}

// toi returns the fraction of the motion at which the shape of v hits o, the core of the
// shape t or of a face; 1 if it does not. A face is hit only from its front. (The order in
// which obstacles stop the full shape may differ from the order for inner, so every obstacle
// on the path of inner is checked.)
func (v *relativeSweep) toi(o *geom.Core, t *shape, face *collide.Face, f *shapeSweep, b *body) float64 {
	first, touching := v.firstImpact(o, &v.shell)
	if !v.thin && (touching || first.fraction < 1) && !(first.fraction < 1 && v.steep(&first)) {
		first, touching = v.firstImpact(o, &v.inner)
	}
	own := touching && v.slide(&first, o, t, face, f, b)
	if first.fraction == 1 || face != nil && !own && !v.ownsImpact(&first, face) {
		return 1
	}
	if gap, _, _ := geom.Gap(o, &v.outer, here); gap > geom.LinearSlop+touchSlop {
		if t, ok := geom.TimeOfImpact(o, &v.obstacleSweep, &v.outer, &v.sweep, geom.LinearSlop); ok {
			return min(first.fraction, t)
		}
	}
	return first.fraction
}

// here is the transform of a core that is given at its start.
var here = geom.At(geom.Vec{})

// impact is the first impact of a core with an obstacle.
type impact struct {
	fraction float64
	point    geom.Vec // of the impact on the obstacle, in its frame
	normal   geom.Vec // from there to the core
	velocity geom.Vec // of the core there, relative to the obstacle, per step
}

// firstImpact returns the first impact of the core c with o, and whether c touches o at the
// start of the step. If it does, the impact is that of the corners of c that are apart from
// o at the start. The fraction is 1 if there is no impact.
func (v *relativeSweep) firstImpact(o, c *geom.Core) (best impact, touching bool) {
	best = impact{fraction: 1}
	if gap, _, _ := geom.Gap(o, c, here); gap > touchSlop {
		best.takeEarlier(v, o, c, &v.sweep)
		return best, false
	}
	for k := range c.N {
		p := geom.PointCore(c.V[k])
		p.Radius = c.Radius
		if gap, _, _ := geom.Gap(o, &p, here); gap > touchSlop {
			best.takeEarlier(v, o, &p, &v.sweep)
		}
	}
	return best, true
}

// takeEarlier sets m to the first impact of c, with the motion moves, with o, if it is
// before m.
func (m *impact) takeEarlier(v *relativeSweep, o, c *geom.Core, moves *geom.Sweep) {
	t, ok := geom.TimeOfImpact(o, &v.obstacleSweep, c, moves, toiSlop)
	if !ok || t >= m.fraction {
		return
	}
	m.fraction = t
	g := v.obstacleSweep.At(t)
	placed := o.In(g)
	_, p, q := geom.Gap(&placed, c, moves.At(t))
	n, _ := q.Sub(p).Unit()
	m.point, m.normal = g.Inv(p), g.Q.Inv(n)
	m.velocity = g.Q.Inv(velocityAtTime(moves, t, q).Sub(velocityAtTime(&v.obstacleSweep, t, p)))
}

// velocityAtTime returns the velocity of the point p of a core with the motion s, at the
// time t.
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
// along the face's own.
func (v *relativeSweep) ownsImpact(first *impact, face *collide.Face) bool {
	e, l := face.B.Sub(face.A).Unit()
	n := e.Right()
	g := v.obstacleSweep.At(first.fraction)
	if n.Dot(first.normal) < 0 || n.Dot(g.Inv(v.sweep.At(first.fraction).Apply(v.centroid)).Sub(face.A)) <= 0 {
		return false
	}
	switch x, along := e.Dot(first.point.Sub(face.A)), e.Dot(first.normal); {
	case x < touchSlop && along < -leanSlop && face.HasGhost1:
		return roundsCorner(first.normal, n, face.Ghost1.Sub(face.A))
	case x > l-touchSlop && along > leanSlop && face.HasGhost2:
		return roundsCorner(first.normal, n, face.Ghost2.Sub(face.B))
	}
	return true
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

// shrunk returns h with its surface moved in by the distance by, at most half of the core's
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
