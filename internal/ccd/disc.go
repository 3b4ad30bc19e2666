package ccd

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// The disc sweep. A shape that moves, in one step, by more than half its inner radius (of the largest
// disc about its centroid in it) could pass a surface between two steps. So a disc of half the inner
// radius, the swept disc, moves along the path of the centroid, against surfaces and the shapes of
// static and kinematic bodies, in the frame of each. The body stops at the first impact from the
// front; the next step makes the contact. A shape that slides or rolls along a surface stays half
// an inner radius away from the swept disc, so the surface does not stop it.
//
// A shape that is deeper in a surface than the unswept half of its inner radius is swept however short its path is.
// Otherwise a load, or a turn that brought a corner in, would take it through the surface in several short steps.
// From an open surface such a shape keeps its distance; along other surfaces it slides (liftOff).
//
// A shape away from the centre of mass follows an arc as its body turns. The arc is cut into
// chords whose distance from the arc is at most chordFraction of the disc's radius: along one
// chord the disc would hit surfaces that the arc misses, and miss surfaces that the arc hits.

// discFraction is the radius of the swept disc as a fraction of the inner radius. A shape with an inner
// radius of 0, such as a segment, is swept as a disc of one slop, so that it stops short of the
// surface. (Thin shapes use the fraction, too: a disc of one slop would be stopped, as the shape slides, by the tips of
// faces that end at the surface from below.)
const discFraction = 0.5

// PressedDepth returns the depth in an obstacle beyond which a shape with the given inner radius
// counts as Mover.Deep: the part of the radius beyond the swept disc.
func PressedDepth(innerRadius float64) float64 { return (1 - discFraction) * innerRadius }

// SunkDepth returns the depth in an open surface beyond which a shape with the given inner
// radius counts as Mover.Sunk: the part of the radius beyond the swept disc, and more than the depth
// of any resting shape.
func SunkDepth(innerRadius float64) float64 { return max(2*geom.LinearSlop, PressedDepth(innerRadius)) }

// discSweep is the motion of one shape's swept disc through a step, or through the part of a step
// that one chord approximates.
type discSweep struct {
	from, d  geom.Vec // of the centroid
	start    geom.Vec // the centroid at the start of the step
	toStart  geom.Vec // from the centroid to its start in the step, in the frame of the obstacle's body
	r        float64
	all      bool     // a short path is swept, too
	pressed  bool     // the shape is deep in an obstacle: it slides on surfaces
	keepsOff bool     // the shape keeps its distance from open surfaces
	fraction float64  // of d, up to the first impact
	normal   geom.Vec // there, from the body hit, in the world; as motion undefined while fraction is 1
	motion   Motion   // of the body hit
	carried  bool     // the body hit moves
	flat     bool     // the shape has no thickness
	lift     geom.Vec // keeps the shape off a surface on which it slides
	// the centroid at the impact, in the frame of the body hit if that moves; undefined while fraction is 1
	to geom.Vec
}

// sweptRadius returns the radius of the disc swept for sh, and whether sh has no thickness.
func (sh *Shape) sweptRadius() (r float64, flat bool) {
	if r = discFraction * sh.InnerRadius; r == 0 {
		return geom.LinearSlop, true
	}
	return r, false
}

// setDisc sets sw, which is zero, to the sweep of the disc of sh along d, from the centroid at from.
func (sw *discSweep) setDisc(sh *Shape, from, d geom.Vec) {
	sw.from, sw.d, sw.start, sw.fraction = from, d, from, 1
	sw.r, sw.flat = sh.sweptRadius()
}

// stopAt records that the disc, which moves from origin by step relative to m, is stopped at the
// fraction f, by a surface of normal n there.
func (sw *discSweep) stopAt(m *Motion, origin, step geom.Vec, f float64, n geom.Vec) {
	if f >= sw.fraction {
		return
	}
	sw.fraction, sw.normal, sw.motion = f, m.From.Q.Apply(n), *m
	if sw.carried = m.Moves; sw.carried {
		sw.to = origin.MulAdd(f, step)
	} else {
		sw.to = sw.from.MulAdd(f, sw.d.Add(sw.lift))
	}
}

// relativeTo returns the motion of the disc in the frame of the body of m, which does not move.
func (sw *discSweep) relativeTo(m *Motion) (origin, step geom.Vec) {
	sw.toStart = m.From.Q.Inv(sw.start.Sub(sw.from))
	return m.relative(sw.from, sw.d)
}

// chordFraction is the largest distance of a chord from its arc, as a fraction of the swept disc's
// radius. mostChords bounds the number of chords, for bodies that make several turns in a step.
const (
	chordFraction = 0.25
	mostChords    = 32
)

// chordsOf returns the number of chords for the arc of a centroid at the given arm, turned by turn
// radians, along which a disc of radius r is swept.
func chordsOf(arm, turn, r float64) int {
	// A chord of the angle a is at most arm a^2/8 from its arc.
	return 1 + int(min(mostChords-1, math.Abs(turn)*math.Sqrt(arm/(8*chordFraction*r))))
}

// sweepDiscs sweeps the discs of the mover's shapes from the start of the step to the pose s.to,
// and stops the mover at the first impact. A mover that is pressed into an obstacle goes on turning: its contacts
// turn it out. With moves, moving obstacles count, too. It returns the fraction of the
// motion up to the impact, 1 without one, and whether the body hit moves and has carried the
// mover along from there.
func (s *Sweeper) sweepDiscs(moves bool) (best float64, carried bool) {
	m := s.mover
	center, was := m.From.Center, m.From.Rot
	d, rot := s.to.Center.Sub(center), s.to.Rot
	pressed, turnGuess := m.Sunk || m.Deep, s.turn
	var of kinds
	if moves {
		of = moving
	}
	best = 1
	var hit Impact
	for i := range m.Shapes {
		sh := &m.Shapes[i]
		arm := sh.Hull.Centroid.Sub(m.LocalCenter)
		a0, a1 := was.Apply(arm), rot.Apply(arm)
		way := d.Add(a1).Sub(a0)
		r, flat := sh.sweptRadius()
		turn, n := 0.0, 1
		if off := arm.Len(); off > geom.LinearSlop {
			turn = TurnOf(was, rot, turnGuess)
			n = chordsOf(off, turn, r)
		}
		if n == 1 && !flat && way.Len2() <= r*r && !pressed && !moves {
			continue // too slow to pass a surface
		}
		var sw discSweep
		sw.setDisc(sh, center.Add(a0), way)
		sw.all, sw.pressed, sw.keepsOff = pressed, pressed, m.Sunk
		fraction, lift := 1.0, geom.Vec{}
		if n == 1 {
			s.sweepChord(sh, &sw, 0, 1, of)
			fraction, lift = sw.fraction, sw.lift
		} else {
			sw.all = true // each chord is short, but the whole arc is not
			for k := 0; k < n && fraction == 1; k++ {
				t0, t1 := float64(k)/float64(n), float64(k+1)/float64(n)
				p0 := center.MulAdd(t0, d).Add(geom.NewRot(t0 * turn).Mul(was).Apply(arm))
				p1 := center.MulAdd(t1, d).Add(geom.NewRot(t1 * turn).Mul(was).Apply(arm))
				sw.from, sw.d, sw.lift = p0.Add(lift), p1.Sub(p0), geom.Vec{}
				s.sweepChord(sh, &sw, t0, t1, of)
				lift = lift.Add(sw.lift)
				if sw.fraction < 1 {
					fraction = (float64(k) + sw.fraction) / float64(n)
				}
			}
		}
		if fraction >= best {
			s.to.Center = s.to.Center.Add(lift)
			continue
		}
		best, carried = fraction, sw.carried
		hit = impactOf(&sw.motion, sw.normal, center.Add(a0), center)
		if !pressed {
			// The turn stops as the path does: otherwise the sweep of the whole shape would follow another motion.
			s.turn = best * TurnOf(was, rot, turnGuess)
			s.to.Rot = geom.NewRot(s.turn).Mul(was).Norm()
		}
		s.to.Center = sw.to.Sub(s.to.Rot.Apply(arm))
	}
	if best < 1 {
		s.impacts = append(s.impacts, hit)
	}
	return best, carried
}

// sweepChord sweeps the disc of sh along sw, from the fraction t0 to t1 of the step, against obstacles of the given
// kinds, and, if the path is long enough, against those that do not move.
func (s *Sweeper) sweepChord(sh *Shape, sw *discSweep, t0, t1 float64, of kinds) {
	if sw.all || sw.flat || sw.d.Len2() > sw.r*sw.r {
		of |= still
	}
	if of == 0 {
		return
	}
	var hit *Obstacle
	box := geom.Box(sw.from, sw.from.Add(sw.d)).Expand(sw.r)
	near := s.nearby(box)
	for i := range near {
		o := &near[i]
		if !s.isObstacle(o, sh, box, of) {
			continue
		}
		if o.Motion == nil {
			motion := AtRest(o.Frame, o.Body)
			origin, step := sw.relativeTo(&motion)
			s.sweepDisc(o, sh, sw, &motion, origin, step)
			continue
		}
		fraction := sw.fraction
		s.sweepDiscMoving(o, sh, sw, t0, t1)
		if sw.fraction < fraction {
			hit = o
		}
	}
	if sw.pressed && sw.lift != (geom.Vec{}) {
		// The lift may lead into another obstacle: there the disc is stopped.
		lift := sw.lift
		sw.d, sw.lift, sw.fraction, sw.pressed = sw.d.Add(lift), geom.Vec{}, 1, false
		s.sweepChord(sh, sw, t0, t1, of)
		sw.lift = sw.lift.Add(lift)
		return
	}
	if hit != nil && sw.carried {
		if s.mover.Jointed {
			sw.to = sw.from.MulAdd(sw.fraction, sw.d)
		} else {
			sw.to = hit.Motion.To.Apply(sw.to) // the body hit carries it along
		}
		s.carried = min(s.carried, hit.firmness())
	}
}

// sweepDiscMoving sweeps the disc of sh, from the fraction t0 to t1 of the step, against o, of a
// moving body, unless the disc hardly moves relative to that body.
func (s *Sweeper) sweepDiscMoving(o *Obstacle, sh *Shape, sw *discSweep, t0, t1 float64) {
	motion := o.Motion
	if t0 > 0 || t1 < 1 {
		part := o.Motion.between(t0, t1)
		motion = &part
	}
	origin, step := motion.relative(sw.from, sw.d)
	sw.toStart = o.Motion.From.Inv(sw.start).Sub(origin)
	if sw.all || step.Len2() > sw.r*sw.r {
		s.sweepDisc(o, sh, sw, motion, origin, step)
	}
}

// sweepDisc sweeps the disc of sh against o.
func (s *Sweeper) sweepDisc(o *Obstacle, sh *Shape, sw *discSweep, motion *Motion, origin, step geom.Vec) {
	if o.Hull != nil {
		sw.sweepHull(o, motion, origin, step)
		return
	}
	box := geom.Box(geom.Vec{}, step).Expand(sw.r).Translate(origin)
	faces := s.facesIn(o, sh, Region{Box: box, Origin: origin})
	sw.sweepFaces(faces, o.Open, motion, origin, step)
}

// sweepHull sweeps the disc against the shape o.
func (sw *discSweep) sweepHull(o *Obstacle, motion *Motion, origin, step geom.Vec) {
	if !verticesMeet(o.Hull, geom.Box(origin, origin.Add(step)).Expand(sw.r+o.Hull.Radius+geom.LinearSlop)) {
		return
	}
	hit, ok := geom.CircleCast(o.Geometry, origin, sw.r, step)
	if !ok {
		// The disc may overlap o already. Then the centre alone is swept, and stopped short of the
		// surface, or it would be inside in the next step.
		if hit, ok = o.Geometry.RayCast(origin, step); ok {
			if up, slides := sw.liftOff(float64(-hit.Fraction*step.Dot(hit.Normal)), hit.Normal,
				step); slides && sw.slides() &&
				// a press stops the shape, and may crush it
				(!motion.Moves || -step.Dot(hit.Normal) < alongness*step.Len()) {
				sw.lift = sw.lift.Add(motion.To.Q.Apply(up))
				return
			}
			hit.Fraction = max(0, hit.Fraction-geom.LinearSlop/step.Len())
		}
	}
	if ok {
		sw.stopAt(motion, origin, step, hit.Fraction, hit.Normal)
	}
}

// verticesMeet reports whether the box of h's vertices overlaps box, in the body's frame.
func verticesMeet(h *collide.Hull, box geom.AABB) bool {
	lo, hi := h.V[0], h.V[0]
	for i := 1; i < h.N; i++ {
		p := h.V[i&7]
		lo, hi = geom.V(min(lo.X, p.X), min(lo.Y, p.Y)), geom.V(max(hi.X, p.X), max(hi.Y, p.Y))
	}
	return lo.X <= box.Max.X && hi.X >= box.Min.X && lo.Y <= box.Max.Y && hi.Y >= box.Min.Y
}

// sweepFaces sweeps the disc against faces relative to origin.
func (sw *discSweep) sweepFaces(faces []collide.Face, open bool, motion *Motion, origin, step geom.Vec) {
	fraction := 1.0
	if sw.slides() && !open {
		up := sw.liftOver(faces, step)
		step = step.Add(up)
		sw.lift = sw.lift.Add(motion.To.Q.Apply(up))
		fraction -= liftSlop
	}
	for i := range faces {
		face := &faces[i]
		f, n := sw.fractionToFace(face, step)
		if open && sw.keepsOff {
			if sunk, up := fractionToSink(face, step); sunk < f {
				f, n = sunk, up
			}
		}
		if f >= fraction {
			continue
		}
		if _, past := pastEnd(faces, face, step, f); past && sw.slides() {
			continue
		}
		sw.stopAt(motion, origin, step, f, n)
	}
}

// liftRounds bounds the passes over the surfaces that lift a disc off them: one lift may bring the
// disc to the next surface, as in a corner. liftSlop is the rounding of a fraction: above
// 1-liftSlop it counts as 1.
const (
	liftRounds = 4
	liftSlop   = 1e-6
)

// liftOver returns the lift that takes a motion by d off all faces on which the disc slides.
func (sw *discSweep) liftOver(faces []collide.Face, d geom.Vec) (lift geom.Vec) {
	for range liftRounds {
		more := false
		for i := range faces {
			face := &faces[i]
			f, _ := sw.fractionToFace(face, d)
			if f >= 1-liftSlop {
				continue
			}
			if up, past := pastEnd(faces, face, d, f); past {
				d, lift, more = d.Add(up), lift.Add(up), more || up != geom.Vec{}
				continue
			}
			n, _ := face.B.Sub(face.A).Right().Unit()
			if up, ok := sw.liftOff(-face.A.Dot(n), n, d); ok {
				d, lift, more = d.Add(up), lift.Add(up), true
			}
		}
		if !more {
			break
		}
	}
	return lift
}

// pastEnd reports whether a centroid that meets the face at the fraction f of the motion d slides past its end: it
// moves along the surface beyond, which falls off from the face, and is less than a slop above or below. up is the lift
// that ends the motion above that surface. (The centroid of a segment that lies on the tops of pillars sinks a
// little between them; the side of the next pillar does not stop it.)
func pastEnd(faces []collide.Face, face *collide.Face, d geom.Vec, f float64) (up geom.Vec, ok bool) {
	e, l := face.B.Sub(face.A).Unit()
	x := e.Dot(d.Mul(f).Sub(face.A))
	for i := range faces {
		o := &faces[i]
		along := o.B.Sub(o.A)
		switch {
		case o.A == face.B && x > l-geom.LinearSlop:
		case o.B == face.A && x < geom.LinearSlop:
			along = along.Neg()
		default:
			continue
		}
		n, _ := o.B.Sub(o.A).Right().Unit()
		height := -o.A.Dot(n)
		ok = e.Right().Dot(along) < 0 && d.Dot(along) > 0 && math.Abs(d.Dot(n)) < alongness*d.Len() &&
			math.Abs(height) < geom.LinearSlop
		return n.Mul(max(0, hover-height-d.Dot(n))), ok
	}
	return geom.Vec{}, false
}

// alongness is the fraction of a motion along the surface's normal below which a disc moves along the surface.
const alongness = 0.25

// slides reports whether the disc slides on surfaces, lifted, rather than being stopped.
func (sw *discSweep) slides() bool { return sw.pressed || sw.r <= geom.LinearSlop }

// liftOff returns the lift that ends a motion by d at half its initial height above the surface of normal n. The
// centroid of a sliding shape thinner than the slop is on the surface: rounding would stop it there, and must not let
// it pass either, so it hovers. ok is false, and the motion ends in an impact, if the lift is larger than half a slop;
// a pressed shape slides if the lift is no larger than the disc's radius, or the motion is along the surface.
func (sw *discSweep) liftOff(height float64, n, d geom.Vec) (up geom.Vec, ok bool) {
	by := max(float64(0.5*height), hover) - height - d.Dot(n)
	ok = by <= 0.5*geom.LinearSlop || sw.pressed && (by <= sw.r || -d.Dot(n) < alongness*d.Len())
	return n.Mul(by), ok
}

// hover is the smallest height above a surface, in units of length, of the centroid of a thin shape
// that is pressed into it. Otherwise the height would halve step by step until rounding put the
// centroid behind the surface.
const hover = 0.02 * geom.LinearSlop

// fractionToFace returns the fraction of d at which the disc meets the front of the face, given
// relative to the disc's centre, or 1, and the normal there. A disc that starts behind the face, or moves away, does
// not meet it.
func (sw *discSweep) fractionToFace(face *collide.Face, d geom.Vec) (fraction float64, n geom.Vec) {
	a, b := face.A, face.B
	n, _ = b.Sub(a).Right().Unit()
	h := -a.Dot(n)
	if d.Dot(n) >= 0 || h < 0 {
		return 1, n
	}
	// If the surface is nearer than r, a smaller disc is swept, so that the centre stays in front
	// while the contact pushes the shape out. The height above the line counts, not the distance
	// from the segment: otherwise a sliding shape thinner than the slop is stopped by the faces
	// ahead. It is the height at the start of the step: halved at each chord of an arc, the radius
	// would shrink to zero.
	r := min(sw.r, 0.5*h)
	if h0 := h + sw.toStart.Dot(n); sw.toStart != (geom.Vec{}) && h0 > h {
		r = min(sw.r, 0.5*h0, (1-liftSlop)*h)
	}
	hit, ok := geom.CircleCast(geom.Segment{A: a, B: b}, geom.Vec{}, r, d)
	if !ok {
		return 1, n
	}
	if r < hover {
		return min(hit.Fraction, max(fractionToReach(face, d), (h-hover)/-d.Dot(n))), n
	}
	return hit.Fraction, hit.Normal
}

// fractionToReach returns the fraction of d, between 0 and 1, at which the centroid comes beside the face, given
// relative to it, from beyond an end. A centroid that moves along the line of a face ahead is near the line, but far
// from the face.
func fractionToReach(face *collide.Face, d geom.Vec) float64 {
	t, length := face.B.Sub(face.A).Unit()
	x, by := -face.A.Dot(t), d.Dot(t)
	switch {
	case x < 0 && by > 0:
		return min(1, -x/by)
	case x > length && by < 0:
		return min(1, (length-x)/by)
	}
	return 0
}

// fractionToSink returns the fraction of d at which the centroid of a sunk shape is
// geom.LinearSlop from the front of the face, given relative to the centroid, or 1. The distance
// is fixed: under a lasting load a disc that halves in each step would shrink to nothing.
func fractionToSink(face *collide.Face, d geom.Vec) (f float64, n geom.Vec) {
	t, length := face.B.Sub(face.A).Unit()
	n = t.Right()
	h, speed := -face.A.Dot(n), -d.Dot(n)
	if speed <= liftSlop*d.Len() || h < 0 { // a motion along the face approaches it by rounding
		return 1, n
	}
	f = max(0, h-geom.LinearSlop) / speed
	x := d.Mul(f).Sub(face.A).Dot(t)
	if f >= 1 || x < -geom.LinearSlop || x > length+geom.LinearSlop {
		return 1, n
	}
	return f, n
}

// squeeze keeps the mover, which was carried along by another body, in front of the firmer
// obstacles and of those that do not move: it stops at them. It reports whether there was one.
func (s *Sweeper) squeeze() (squeezed bool) {
	m := s.mover
	center := m.From.Center
	d := s.to.Center.Sub(center)
	for i := range m.Shapes {
		sh := &m.Shapes[i]
		arm := sh.Hull.Centroid.Sub(m.LocalCenter)
		a0, a1 := m.From.Rot.Apply(arm), s.to.Rot.Apply(arm)
		var sw discSweep
		sw.setDisc(sh, center.Add(a0), d.Add(a1).Sub(a0))
		sw.all, sw.keepsOff = true, true
		s.sweepChord(sh, &sw, 0, 1, walls)
		if sw.fraction < 1 {
			s.to.Center, squeezed = sw.to.Sub(a1), true
			d = s.to.Center.Sub(center)
		}
	}
	return squeezed
}
