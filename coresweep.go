package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// Continuous collision has two forms. This is the first, the core sweep. A shape that moves,
// in one step, by more than half the radius of its core (the largest disc about its centroid
// in it) could pass a surface between two steps. So a disc of half the core's radius is
// swept along the path of the centroid, against grounds, chains and the shapes of static and
// kinematic bodies, in the frame of each. The body stops at the first impact from the front;
// the next step makes the contact. A shape that slides or rolls along a surface stays half a
// core's radius away from the disc, so the surface does not stop it.
//
// A shape that is deeper in a surface than the unswept half of its core is swept however
// short its path is, or several short steps would take it through: a load presses it, or a
// corner came in as it turned. From a chain it keeps its distance then: a chain has no
// inside that would tell later that the shape is on the wrong side.
//
// A shape away from the centre of mass follows an arc as its body turns. The arc is cut into
// chords whose distance from the arc is at most chordFraction of the disc's radius: along
// one chord the disc would hit surfaces that the arc misses, and miss surfaces that the arc
// hits.
//
// The second form, in shapesweep.go, sweeps the whole shape; bullet.go adds dynamic
// obstacles. The first holds where the second fails: in any case the centroid of a shape
// stays in front of the surfaces that it was in front of.

// coreFraction is the fraction of the core that is swept. A shape without a core, such as a
// segment, is swept as a disc of one slop, so that it stops short of the surface. (Thin
// cores use the fraction, too: a disc of one slop would be stopped, as the shape slides, by
// the tips of faces that end at the surface from below.)
const coreFraction = 0.5

// coreSweep is the motion of one shape's core through a step, or through the part of a step
// that one chord approximates.
type coreSweep struct {
	from, d  geom.Vec // of the centroid
	start    geom.Vec // the centroid at the start of the step
	toStart  geom.Vec // from the centroid to its start in the step, in the frame of the obstacle's body
	r        float64
	all      bool     // a short path is swept, too
	keepsOff bool     // the shape keeps its distance from chains
	fraction float64  // of d, up to the first impact
	carried  bool     // the body hit moves
	flat     bool     // the shape has no thickness
	lift     geom.Vec // keeps the shape off a surface on which it slides
	to       geom.Vec // the centroid at the impact, in the frame of the body hit if that moves; undefined while fraction is 1
}

// sweptRadius returns the radius of the disc swept for s, and whether s has no thickness.
func (s *shape) sweptRadius() (r float64, flat bool) {
	if r = coreFraction * s.core; r == 0 {
		return geom.LinearSlop, true
	}
	return r, false
}

// coreSweepOf returns the sweep of the core of s along d, from the centroid at from.
func (s *shape) coreSweepOf(from, d geom.Vec) coreSweep {
	r, flat := s.sweptRadius()
	return coreSweep{from: from, d: d, start: from, r: r, flat: flat, fraction: 1}
}

// stopAt records that the core, which moves from origin by step relative to m, is stopped at
// the fraction f.
func (s *coreSweep) stopAt(m *bodyMotion, origin, step geom.Vec, f float64) {
	if f >= s.fraction {
		return
	}
	s.fraction = f
	if s.carried = m.moves; s.carried {
		s.to = origin.MulAdd(f, step)
	} else {
		s.to = s.from.MulAdd(f, s.d.Add(s.lift))
	}
}

// chordFraction is the largest distance of a chord from its arc, as a fraction of the swept
// disc's radius. mostChords bounds the number of chords, for bodies that make several turns
// in a step.
const (
	chordFraction = 0.25
	mostChords    = 32
)

// chordsOf returns the number of chords for the arc of a centroid at the given arm, turned
// by turn radians, along which a disc of radius r is swept.
func chordsOf(arm, turn, r float64) int {
	// A chord of the angle a is at most arm a^2/8 from its arc.
	return 1 + int(min(mostChords-1, math.Abs(turn)*math.Sqrt(arm/(8*chordFraction*r))))
}

// advance moves the dynamic body i by d and turns it to rot, or as far as the first
// obstacle; turnGuess is the angle of the turn in radians, to within half a turn.
func (w *World) advance(i int32, d geom.Vec, rot geom.Rot, turnGuess float64) {
	b := w.bodies.At(i)
	was, center := b.rot, b.center
	b.center, b.rot = center.Add(d), rot
	movers := w.nearMover(b, center, was, turnGuess)
	best, pushed := w.sweepCores(b, center, was, turnGuess, movers)
	fraction, carried := w.sweepShapes(i, center, was, best*turnGuess, best < 1, b.bullet, movers)
	if carried {
		// The path is straight in the world, but not in the frame of a turning obstacle. So
		// where the body was stopped, and carried to, its centroid may be behind a surface.
		w.sweepCores(b, center, was, best*fraction*turnGuess, movers)
	}
	if pushed || carried {
		w.squeeze(i, center, was)
	}
	if best = float64(best * fraction); best < 1 {
		// The step was cut at the fraction best, so remove the rest of the gravity gained,
		// unless the speed would then exceed MaxSpeed.
		if v := b.velocity.MulAdd(best-1, b.step.gravityGain); v.Len2() <= max(MaxSpeed*MaxSpeed, b.velocity.Len2()) {
			b.velocity = v
		}
	}
	if len(w.sensors) > 0 {
		w.recordFastMotion(i, center, was, best*turnGuess)
	}
}

// maxTravel returns a bound on the distance that a point of b has moved since b was at
// center with the rotation was; turnGuess is the angle of the turn in radians, to within
// half a turn.
func (b *body) maxTravel(center geom.Vec, was geom.Rot, turnGuess float64) float64 {
	// An arc is at most half of pi times its chord, up to half a turn.
	turned := float64(0.5*math.Pi) * geom.V(b.rot.C-was.C, b.rot.S-was.S).Len()
	if math.Abs(turnGuess) > math.Pi {
		turned = math.Abs(turnGuess)
	}
	return b.center.Sub(center).Len() + float64(turned*b.extent)
}

// sweepCores sweeps the cores of the shapes of b from the step's start, at center with the
// rotation was, to its present pose, and stops b at the first impact; turnGuess is the angle
// of the turn in radians, to within half a turn. With movers, moving kinematic bodies are
// obstacles, too. It returns the fraction of the motion up to the impact, and whether the
// body hit is moving and has carried b along from there.
func (w *World) sweepCores(b *body, center geom.Vec, was geom.Rot, turnGuess float64, movers bool) (best float64, carried bool) {
	d, rot := b.center.Sub(center), b.rot
	best = 1
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		s := w.shapes.At(si)
		if s.sensor {
			continue
		}
		arm := s.hull.Centroid.Sub(b.localCenter)
		a0, a1 := was.Apply(arm), rot.Apply(arm)
		way := d.Add(a1).Sub(a0)
		r, flat := s.sweptRadius()
		turn, n := 0.0, 1
		if off := arm.Len(); off > geom.LinearSlop {
			turn = turnOf(was, rot, turnGuess)
			n = chordsOf(off, turn, r)
		}
		if n == 1 && !flat && way.Len2() <= r*r && !b.step.sunkInChain && !b.step.deep && !movers {
			continue // too slow to pass a surface: most bodies in most steps
		}
		sw := s.coreSweepOf(center.Add(a0), way)
		sw.all, sw.keepsOff = b.step.sunkInChain || b.step.deep, b.step.sunkInChain
		fraction, lift := 1.0, geom.Vec{}
		if n == 1 {
			w.sweepCoreChord(s, &sw, 0, 1, movers)
			fraction, lift = sw.fraction, sw.lift
		} else {
			sw.all = true // each chord is short, but the whole arc is not
			for k := 0; k < n && fraction == 1; k++ {
				t0, t1 := float64(k)/float64(n), float64(k+1)/float64(n)
				p0 := center.MulAdd(t0, d).Add(geom.NewRot(t0 * turn).Mul(was).Apply(arm))
				p1 := center.MulAdd(t1, d).Add(geom.NewRot(t1 * turn).Mul(was).Apply(arm))
				sw.from, sw.d, sw.lift = p0.Add(lift), p1.Sub(p0), geom.Vec{}
				w.sweepCoreChord(s, &sw, t0, t1, movers)
				lift = lift.Add(sw.lift)
				if sw.fraction < 1 {
					fraction = (float64(k) + sw.fraction) / float64(n)
				}
			}
		}
		if fraction >= best {
			b.center = b.center.Add(lift)
			continue
		}
		best, carried = fraction, sw.carried
		// A shape off the centre of mass must not be turned through the obstacle either.
		if n > 1 {
			b.rot = geom.NewRot(best * turn).Mul(was).Norm()
		} else if arm.Len2() > geom.LinearSlop*geom.LinearSlop {
			b.rot = geom.Rot{C: was.C + float64(best*(rot.C-was.C)), S: was.S + float64(best*(rot.S-was.S))}.Norm()
		}
		b.center = sw.to.Sub(b.rot.Apply(arm))
	}
	return best, carried
}

// sweepCoreChord sweeps the core of s along sw, from the fraction t0 to t1 of the step.
func (w *World) sweepCoreChord(s *shape, sw *coreSweep, t0, t1 float64, movers bool) {
	still := sw.all || sw.flat || sw.d.Len2() > sw.r*sw.r
	if !still && !movers {
		return
	}
	hit := int32(-1)
	for _, id := range w.near(geom.Box(sw.from, sw.from.Add(sw.d)).Expand(sw.r), inObstacles) {
		p := w.proxyAt(id)
		bi := w.bodyOf(p)
		o := w.bodies.At(bi)
		if o.solverIndex == 0 {
			if still {
				w.sweepCoreStill(p, bi, s, sw)
			}
			continue
		}
		if !movers || o.kind == Dynamic {
			continue
		}
		fraction := sw.fraction
		w.sweepCoreMover(p, s, sw, &w.scratch.movers[o.moverIndex], t0, t1)
		if sw.fraction < fraction {
			hit = o.moverIndex
		}
	}
	if hit >= 0 && sw.carried {
		sw.to = w.scratch.movers[hit].to.Apply(sw.to) // the body hit carries it along
	}
}

// squeeze keeps body i, which began at center with the rotation was and was carried along by
// another body, in front of obstacles that do not move: it stops at them, squeezed, and is
// reported as crushed when that begins.
func (w *World) squeeze(i int32, center geom.Vec, was geom.Rot) {
	b := w.bodies.At(i)
	d, squeezed := b.center.Sub(center), false
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		s := w.shapes.At(si)
		if s.sensor {
			continue
		}
		arm := s.hull.Centroid.Sub(b.localCenter)
		a0, a1 := was.Apply(arm), b.rot.Apply(arm)
		sw := s.coreSweepOf(center.Add(a0), d.Add(a1).Sub(a0))
		sw.all, sw.keepsOff = true, true
		w.sweepCoreChord(s, &sw, 0, 1, false)
		if sw.fraction < 1 {
			b.center, squeezed = sw.to.Sub(a1), true
			d = b.center.Sub(center)
		}
	}
	if !squeezed {
		return
	}
	if w.rare(i).squeezedAt != w.steps {
		w.reportCrushed(i)
	}
	w.rare(i).squeezedAt = w.steps + 1
}

// sweepCoreShape sweeps the core of s against the shape t.
func (w *World) sweepCoreShape(t, s *shape, sw *coreSweep, motion *bodyMotion, origin, step geom.Vec) {
	if t.sensor || !w.mayCollide(s, t) {
		return
	}
	if !t.coreBoxOverlaps(geom.Box(origin, origin.Add(step)).Expand(sw.r + t.hull.Radius + geom.LinearSlop)) {
		return
	}
	hit, ok := geom.CircleCast(t.geometry, origin, sw.r, step)
	if !ok {
		// The disc may overlap t already. Then the centre alone is swept, and stopped short
		// of the surface, or it would be inside in the next step.
		if hit, ok = t.geometry.RayCast(origin, step); ok {
			hit.Fraction = max(0, hit.Fraction-geom.LinearSlop/step.Len())
		}
	}
	if ok {
		sw.stopAt(motion, origin, step, hit.Fraction)
	}
}

// coreBoxOverlaps reports whether the box of s's core overlaps box, in the body's frame.
func (s *shape) coreBoxOverlaps(box geom.AABB) bool {
	h := &s.hull
	lo, hi := h.V[0], h.V[0]
	for i := 1; i < h.N; i++ {
		p := h.V[i&7]
		lo, hi = geom.V(min(lo.X, p.X), min(lo.Y, p.Y)), geom.V(max(hi.X, p.X), max(hi.Y, p.Y))
	}
	return lo.X <= box.Max.X && hi.X >= box.Min.X && lo.Y <= box.Max.Y && hi.Y >= box.Min.Y
}

// sweepCoreGround sweeps the core of s against the surfaces of the ground in slot gi.
func (w *World) sweepCoreGround(gi int32, s *shape, sw *coreSweep, motion *bodyMotion, origin, step geom.Vec) {
	if !w.mayMeet(groundProxy|proxy(gi), s) {
		return
	}
	cs, ok := surface.Cells(geom.Box(geom.Vec{}, step).Expand(sw.r).Translate(origin))
	if !ok {
		return
	}
	segments := w.sweepSegments(gi, s, cs, origin)
	fraction := 1.0
	if sw.r <= geom.LinearSlop {
		up := sw.liftOver(segments, origin, step)
		step = step.Add(up)
		sw.lift = sw.lift.Add(motion.to.Q.Apply(up))
		fraction -= liftSlop
	}
	for i := range segments {
		if f := sw.fractionToSegment(&segments[i], origin, step); f < fraction {
			sw.stopAt(motion, origin, step, f)
		}
	}
}

// liftRounds bounds the passes over the surfaces that lift a core off them: one lift may
// bring the core to the next surface, as in a corner. liftSlop is the rounding of a
// fraction: above 1-liftSlop it counts as 1.
const (
	liftRounds = 4
	liftSlop   = 1e-6
)

// liftOver returns the lift that takes a motion by d off all surfaces on which the core
// slides.
func (sw *coreSweep) liftOver(segments []gridseg.Segment, origin, d geom.Vec) (lift geom.Vec) {
	for range liftRounds {
		more := false
		for i := range segments {
			s := &segments[i]
			if sw.fractionToSegment(s, origin, d) >= 1-liftSlop {
				continue
			}
			if up, ok := sw.liftOff(s, origin, d); ok {
				d, lift, more = d.Add(up), lift.Add(up), true
			}
		}
		if !more {
			break
		}
	}
	return lift
}

// liftOff returns the lift that ends a motion by d at half its initial height above s; ok is
// false if the lift is larger than half a slop. The centroid of a sliding shape thinner than
// the slop is on the surface: rounding would stop it there, and must not let it pass either,
// so it hovers.
func (sw *coreSweep) liftOff(s *gridseg.Segment, origin, d geom.Vec) (up geom.Vec, ok bool) {
	a, b := surface.Local(s.A, origin), surface.Local(s.B, origin)
	n, _ := b.Sub(a).Right().Unit()
	end := max(-float64(0.5*a.Dot(n)), hover)
	by := end + a.Dot(n) - d.Dot(n)
	return n.Mul(by), by <= 0.5*geom.LinearSlop
}

// hover is the least height above a surface, in units of length, of the centroid of a thin
// shape that is pressed into it. Otherwise the height would halve step by step until
// rounding put the centroid behind the surface.
const hover = 0.02 * geom.LinearSlop

// fractionToSegment returns the fraction of d at which a disc at origin meets the front of
// s, or 1. A disc that starts behind s, or moves away, does not meet it.
func (sw *coreSweep) fractionToSegment(s *gridseg.Segment, origin, d geom.Vec) float64 {
	return sw.fractionToFace(surface.Local(s.A, origin), surface.Local(s.B, origin), d)
}

// fractionToFace is fractionToSegment for the face a-b relative to the disc's centre.
func (sw *coreSweep) fractionToFace(a, b, d geom.Vec) float64 {
	n, _ := b.Sub(a).Right().Unit()
	h := -a.Dot(n)
	if d.Dot(n) >= 0 || h < 0 {
		return 1
	}
	// If the surface is nearer than r, a smaller disc is swept, so that the centre stays in
	// front while the contact pushes the shape out. The height above the line counts, not
	// the distance from the segment: otherwise a sliding shape thinner than the slop is
	// stopped by the segments ahead. It is the height at the start of the step: halved at
	// each chord of an arc, the radius would shrink to zero.
	r := min(sw.r, 0.5*h)
	if h0 := h + sw.toStart.Dot(n); sw.toStart != (geom.Vec{}) && h0 > h {
		r = min(sw.r, 0.5*h0, (1-liftSlop)*h)
	}
	hit, ok := geom.CircleCast(geom.Segment{A: a, B: b}, geom.Vec{}, r, d)
	if !ok {
		return 1
	}
	if r < hover {
		return min(hit.Fraction, max(0, (h-hover)/-d.Dot(n)))
	}
	return hit.Fraction
}
