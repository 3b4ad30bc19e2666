package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Continuous collision has two forms. This is the first. A shape that moves, in
// one step, by more than half the radius of its core (the largest disc about its
// centroid within it) could get past a surface between two steps. So half the core
// is swept along the way of the centroid, against the ground and against the shapes
// of static and kinematic bodies, as seen from those, and the body stops where it
// first meets one from the front; the contact is made in the next step. What
// slides or rolls along a surface keeps half a core's distance, so it is never
// stopped by it.
//
// A shape that is in a surface deeper than by the part of its core that is not
// swept is swept however short its way, or it would be past the surface by several
// short ones: something presses it, or one of its corners came in as it turned. Of
// a chain it keeps its distance then: behind that there is no solid that would tell
// it from what belongs there.
//
// A shape away from the centre of mass follows an arc as its body turns. The arc is
// cut into chords whose distance from the arc is at most a share of the swept disc's
// radius: along one chord the disc would hit surfaces that the arc misses, and miss
// surfaces that the arc hits.
//
// The second form, in shapesweep.go, sees the rest of the shape; bullet.go adds what is
// dynamic. The first is what holds where the second cannot tell: whatever else goes
// wrong, the middle of a shape stays before what it was before.

// coreFraction is the share of the core that is swept; a segment, which has none,
// is swept as a disc of one slop, so that it stops short of the surface. (Not
// more than its share even of a thin core: what is as thin as a slop would, as it
// slides, be stopped by the tips of faces that end at the surface from below.)
const coreFraction = 0.5

// coreSweep is the motion of one shape's core through a step, or through the part of a step
// that one chord approximates.
type coreSweep struct {
	from, d  geom.Vec // of the centroid
	start    geom.Vec // the centroid at the start of the step
	toStart  geom.Vec // from the centroid to its start in the step, in the frame of the obstacle's body
	r        float64
	all      bool     // even a short way is swept
	keepsOff bool     // it keeps its distance of chains
	fraction float64  // of d, up to the first impact
	carried  bool     // the body hit moves
	flat     bool     // the shape has no thickness
	lift     geom.Vec // keeps it off a surface that it slides on
	to       geom.Vec // the centroid at the impact, in the frame of the body hit if that moves; of no meaning while share is 1
}

// sweptRadius returns the radius of the disc that is swept for s, and whether s has no thickness.
func (s *shape) sweptRadius() (r float64, flat bool) {
	if r = coreFraction * s.core; r == 0 {
		return geom.LinearSlop, true
	}
	return r, false
}

// coreSweepOf returns the sweep of the core of s along d, from the given place of its
// centroid.
func (s *shape) coreSweepOf(from, d geom.Vec) coreSweep {
	r, flat := s.sweptRadius()
	return coreSweep{from: from, d: d, start: from, r: r, flat: flat, fraction: 1}
}

// stopAt takes note that the core, seen from g at origin and moving by step, may
// go the share f of it.
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

// chordFraction is the largest distance of a chord from its arc, as a share of the swept
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

// advance moves the dynamic body i by d and turns it to rot, or as far as
// nothing is passed; about is how far it turns, to within half a turn.
func (w *World) advance(i int32, d geom.Vec, rot geom.Rot, turnGuess float64) {
	b := &w.bodies.items[i]
	was, center := b.rot, b.center
	b.center, b.rot = center.Add(d), rot
	movers := w.nearMover(b, center, was, turnGuess)
	best, pushed := w.sweepCores(b, center, was, turnGuess, movers)
	fraction, carried := w.sweepShapes(i, center, was, best*turnGuess, best < 1, b.bullet, movers)
	if carried {
		// It went straight, but not as seen from what turns, so where it was
		// stopped, and carried to, its middle may be past what it was before.
		w.sweepCores(b, center, was, best*fraction*turnGuess, movers)
	}
	if pushed || carried {
		w.squeeze(i, center, was)
	}
	if best = float64(best * fraction); best < 1 {
		// It fell no farther, so it is no faster. (What goes up at full speed would be
		// too fast for it.)
		if v := b.velocity.MulAdd(best-1, b.step.gravityGain); v.Len2() <= max(MaxSpeed*MaxSpeed, b.velocity.Len2()) {
			b.velocity = v
		}
	}
	if w.senses() {
		w.recordFastMotion(i, center, was, best*turnGuess)
	}
}

// maxTravel returns how far at most a part of b has moved since it was at center with the
// rotation was; about is the angle of the turn in radians, to within half a turn.
func (b *body) maxTravel(center geom.Vec, was geom.Rot, turnGuess float64) float64 {
	// An arc is at most half of pi times its chord, up to half a turn.
	turned := float64(0.5*math.Pi) * geom.V(b.rot.C-was.C, b.rot.S-was.S).Len()
	if math.Abs(turnGuess) > math.Pi {
		turned = math.Abs(turnGuess)
	}
	return b.center.Sub(center).Len() + float64(turned*b.extent)
}

// sweepCores sweeps the cores of the shapes of b from the step's start, at center with the
// rotation was, to its present pose, and stops b at the first impact; about is the angle of
// the turn in radians, to within half a turn. With movers, it is swept against moving
// kinematic bodies, too. It returns the share of the motion up to the impact, and whether the
// body hit is moving and has carried b along from there.
func (w *World) sweepCores(b *body, center geom.Vec, was geom.Rot, turnGuess float64, movers bool) (best float64, carried bool) {
	d, rot := b.center.Sub(center), b.rot
	best = 1
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		s := &w.shapes.items[si]
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
			continue // too slow to pass anything: most bodies in most steps
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
		// A shape off the centre is kept from being turned through, too.
		if n > 1 {
			b.rot = geom.NewRot(best * turn).Mul(was).Norm()
		} else if arm.Len2() > geom.LinearSlop*geom.LinearSlop {
			b.rot = geom.Rot{C: was.C + float64(best*(rot.C-was.C)), S: was.S + float64(best*(rot.S-was.S))}.Norm()
		}
		b.center = sw.to.Sub(b.rot.Apply(arm))
	}
	return best, carried
}

// sweepCoreChord sweeps the core of s along sw, from the share t0 to t1 of the step.
func (w *World) sweepCoreChord(s *shape, sw *coreSweep, t0, t1 float64, movers bool) {
	still := sw.all || sw.flat || sw.d.Len2() > sw.r*sw.r
	if !still && !movers {
		return
	}
	hit := int32(-1)
	for _, id := range w.near(geom.Box(sw.from, sw.from.Add(sw.d)).Expand(sw.r), inObstacles) {
		p := w.proxyAt(id)
		bi := w.bodyOf(p)
		o := &w.bodies.items[bi]
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

// squeeze sees to it that body i, which set out at center turned by was and was
// carried along by something, has not been carried past what does not move: it stays
// before that, squeezed, and is told of as crushed when that begins.
func (w *World) squeeze(i int32, center geom.Vec, was geom.Rot) {
	b := &w.bodies.items[i]
	d, squeezed := b.center.Sub(center), false
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		s := &w.shapes.items[si]
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
	if b.squeezedAt != w.steps {
		w.reportCrushed(i)
	}
	b.squeezedAt = w.steps + 1
}

// markDeep takes note of how deep a dynamic one of the two bodies of c is in the
// other, which does not yield.
func (w *World) markDeep(c *contact, a, b *body, depth float64) {
	if b.kind == Dynamic && depth > (1-coreFraction)*w.shapes.items[c.shapeB].core {
		b.step.deep = true
	}
	if a.kind == Dynamic && c.ofShapes() && depth > (1-coreFraction)*w.shapes.items[c.shapeA].core {
		a.step.deep = true
	}
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
		// Perhaps because the disc already overlaps it: then the centre
		// alone, which must not get past either, and is stopped short of the
		// surface lest it be inside the next time.
		if hit, ok = t.geometry.RayCast(origin, step); ok {
			hit.Fraction = max(0, hit.Fraction-geom.LinearSlop/step.Len())
		}
	}
	if ok {
		sw.stopAt(motion, origin, step, hit.Fraction)
	}
}

// coreBoxOverlaps reports whether the box of s's core overlaps a box in the body's frame.
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
	sq, g := &w.scratch.surface, &w.grounds.items[gi]
	if !w.mayMeet(groundProxy|proxy(gi), s) {
		return
	}
	cs, ok := cells(geom.Box(geom.Vec{}, step).Expand(sw.r).Translate(origin))
	if !ok {
		return
	}
	if w.oneWayMaterials == 0 || !w.filterSweep(sq, gi, s, cs, origin, false) {
		sq.segments = g.grid.AppendSegments(sq.segments[:0], cs)
	}
	fraction := 1.0
	if sw.r <= geom.LinearSlop {
		up := sw.liftOver(sq.segments, origin, step)
		step = step.Add(up)
		sw.lift = sw.lift.Add(motion.to.Q.Apply(up))
		fraction -= liftSlop
	}
	for i := range sq.segments {
		if f := sw.fractionToSegment(&sq.segments[i], origin, step); f < fraction {
			sw.stopAt(motion, origin, step, f)
		}
	}
}

// liftRounds is how often at most surfaces are asked for what lifts a core off them:
// what one does may bring it to the next, as where two meet in a corner. liftSlop is
// the share of a way, rounded, from which on it is all of it.
const (
	liftRounds = 4
	liftSlop   = 1e-6
)

// liftOver returns by how much what moves by d is to be lifted off all surfaces that it
// slides on.
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

// liftOff returns by how much what moves by d is to be lifted off s to end half as
// high above it as it began, if that is next to nothing. What is as thin as a slop
// and slides has its middle on the surface: it would be stopped by a rounding, and
// yet must not get past by one: it hovers.
func (sw *coreSweep) liftOff(s *gridseg.Segment, origin, d geom.Vec) (up geom.Vec, ok bool) {
	a, b := local(s.A, origin), local(s.B, origin)
	n, _ := b.Sub(a).Right().Unit()
	end := max(-float64(0.5*a.Dot(n)), hover)
	by := end + a.Dot(n) - d.Dot(n)
	return n.Mul(by), by <= 0.5*geom.LinearSlop
}

// hover is how high above a surface, in units of length, the middle of a shape is
// kept that something presses in, so that it is before it beyond doubt: else it
// would halve its height step by step until rounding had it behind.
const hover = 0.02 * geom.LinearSlop

// fractionToSegment returns the share of d that a disc at origin may go before it meets the
// front of s, or 1. One that starts behind it, or is moving away, does not meet it.
func (sw *coreSweep) fractionToSegment(s *gridseg.Segment, origin, d geom.Vec) float64 {
	return sw.fractionToFace(local(s.A, origin), local(s.B, origin), d)
}

// fractionToFace is segment for the face a-b as seen from the disc.
func (sw *coreSweep) fractionToFace(a, b, d geom.Vec) float64 {
	n, _ := b.Sub(a).Right().Unit()
	h := -a.Dot(n)
	if d.Dot(n) >= 0 || h < 0 {
		return 1
	}
	// What is already nearer than r may still not get past: a smaller disc is
	// swept, so the centre stays in front while the contact pushes it out. It is
	// the height over the line that counts, not over the segment: else what is
	// as thin as a slop, and slides, is stopped by the segments ahead of it. The height
	// is that at the start of the step: halved at each chord of an arc, the radius would
	// shrink to nothing.
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
