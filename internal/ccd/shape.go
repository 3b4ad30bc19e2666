package ccd

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// The shape sweep sweeps a whole shape, as it moves and turns. The disc sweep sweeps a disc about
// the centroid. The swept shape is shrunk on all sides by the margin of the inner disc that the disc
// sweep leaves unswept, so that a surface on which the shape slides does not stop it. At an impact the unshrunk
// shape is stopped one slop short of the obstacle, unless it was nearer from the start: so it does
// not sink in. A shape is swept only if some part of it may move, in the step, by more than that
// margin.
//
// If a body touches an obstacle at the start of the step, its contact stops most of it: only the
// corners of its shape that are apart from the obstacle are swept against it, and the whole shape
// as slide.go describes.

// Gate returns the distance that some part of a shape with the given inner radius must move in
// a step, in units of length, for the whole shape to be swept.
func Gate(innerRadius float64) float64 { return max(discFraction*innerRadius, geom.LinearSlop) }

// DiscGate returns a distance in units of length: if no point of a body moves farther in a step,
// neither the disc of its shape with the given inner radius nor the whole shape is swept, unless the
// body is Deep, Sunk, Pushed or NearMoving. It is negative if the disc is always swept.
func DiscGate(innerRadius float64) float64 {
	// A body's travel bounds the travel of the centroid up to rounding. A shape that turned far
	// enough for two chords would have moved farther than the disc's radius.
	if r := discFraction * innerRadius; r > 0 {
		return (1 - gateSlop) * r
	}
	return -1
}

// gateSlop is a bound on the relative rounding of a distance.
const gateSlop = 1e-6

// shapeSweep is the motion of the mover through a step: its centre of mass moves on a straight
// line at constant velocity, and its spin is constant.
type shapeSweep struct {
	mover    *Mover
	to       *Pose    // the mover's pose at the end of the step, as far as is known
	center   geom.Vec // of mass, at the start
	d        geom.Vec
	rot, end geom.Rot // at the start and at the end
	turn     float64  // radians between these; may exceed a full turn
	fraction float64  // of the motion, up to the first impact
	hit      Motion   // of the body hit; undefined while fraction is 1
	dynamic  bool     // the body hit is dynamic
	lifted   bool     // d and the mover's pose have been corrected; see hitCentroid and slide
	slides   bool     // the shape touches the body hit at the start of the motion, and slides on: see slideOn
	normal   geom.Vec // unit, from the body hit; as arm and speed undefined while fraction is 1
	arm      geom.Vec // from the mover's centre of mass to the point of impact
	speed    float64  // there, relative to the body hit, along the normal, in units of length in the whole motion

	// Of the current shape:
	box          geom.AABB // bounds of its path
	shrunkSet    bool      // inner and shell are set
	inner, shell geom.Core // the shrunk shape, in its body's frame; see relativeSweep
}

// start sets f to a motion from the pose from, by d and the turn in radians.
func (f *shapeSweep) start(from Pose, d geom.Vec, turn float64) {
	f.center, f.d, f.rot, f.end, f.turn = from.Center, d, from.Rot, geom.NewRot(turn).Mul(from.Rot).Norm(), turn
}

// sweepShapes sweeps the mover's shapes along its motion to the pose s.to, and stops the mover at the first impact.
// stopped: the disc sweep has stopped the mover, so all of its shapes are swept, however short their paths are. It
// returns the fraction of the motion up to the impact, 1 without one, and whether the obstacle moves and has carried
// the mover along from there.
func (s *Sweeper) sweepShapes(stopped bool) (fraction float64, carried bool) {
	m := s.mover
	if stopped || m.NearMoving || m.Bullet && m.Pushed || MaxTravel(m.From, s.to, s.turn, m.Extent) > m.leastGate() {
		return s.sweepShapesFrom(m.From, s.turn, stopped, m.Bullet, m.NearMoving)
	}
	return 1, false
}

// leastGate returns the smallest Gate of the mover's shapes.
func (m *Mover) leastGate() float64 {
	least := math.MaxFloat64
	for i := range m.Shapes {
		least = min(least, Gate(m.Shapes[i].InnerRadius))
	}
	return least
}

// sweepShapesFrom is sweepShapes from the pose from, for a mover of which some part may move far. With dynamic, dynamic
// bodies are obstacles, too; with moves, moving obstacles.
func (s *Sweeper) sweepShapesFrom(from Pose, turnGuess float64,
	stopped, dynamic, moves bool,
) (fraction float64, carried bool) {
	f := &s.shapes
	f.mover, f.to = s.mover, &s.to
	f.center, f.d, f.rot, f.end = from.Center, s.to.Center.Sub(from.Center), from.Rot, s.to.Rot
	f.turn = TurnOf(f.rot, f.end, turnGuess)
	f.lifted = false
	s.turn -= f.turn
	for slides := 0; ; slides++ {
		s.sweepMotion(stopped, dynamic, moves)
		s.turn += float64(f.fraction * f.turn)
		if f.fraction == 1 {
			s.since = 0
			return 1, f.lifted
		}
		from = f.stopAtHit()
		s.impacts = append(s.impacts, impactOf(&f.hit, f.normal, from.Center.Add(f.arm), from.Center))
		s.since += float64((1 - s.since) * f.fraction)
		if !f.slides || slides == mostSlides || !f.slideOn(from) {
			break
		}
		f.lifted, stopped = true, true
	}
	fraction, s.since = s.since, 0
	carried = f.hit.Moves || f.lifted
	if dynamic && f.hit.Moves && f.dynamic {
		// The body that carried the mover may carry it into a wall.
		s.sweepShapesFrom(from, 0, true, false, true)
	}
	return fraction, carried
}

// sweepMotion sweeps the mover's shapes along the motion of s.shapes, up to the first impact.
func (s *Sweeper) sweepMotion(stopped, dynamic, moves bool) {
	m, f := s.mover, &s.shapes
	f.fraction, f.dynamic, f.slides = 1, false, false
	far := f.d.Len() + float64(math.Abs(f.turn)*m.Extent)
	for i := range m.Shapes {
		sh := &m.Shapes[i]
		fast := stopped || far > Gate(sh.InnerRadius)
		if !fast && !dynamic && !moves {
			continue
		}
		f.shrunkSet = false
		f.box = m.shapePathBox(sh, f.center, f.d, f.rot, f.end, f.turn)
		var of kinds
		if fast {
			of = still
		}
		if moves {
			of |= moving
		}
		if of != 0 {
			s.sweepObstacles(sh, f, of, stopped)
		}
		if dynamic {
			s.sweepBullet(sh, f, fast)
		}
	}
}

// stopAtHit moves the mover to the impact, and from there along with the body hit until the step ends, unless a joint
// holds the mover: it would be torn off. It returns the pose at the impact.
func (f *shapeSweep) stopAtHit() (at Pose) {
	at.Center = f.center.MulAdd(f.fraction, f.d)
	at.Rot = geom.NewRot(f.fraction * f.turn).Mul(f.rot).Norm()
	*f.to = at
	if m := &f.hit; m.Moves && !f.mover.Jointed {
		q := geom.NewRot(f.fraction * m.Turn).Mul(m.From.Q)
		local := q.Inv(at.Center.Sub(m.Center.MulAdd(f.fraction, m.D)))
		f.to.Center = m.Center.Add(m.D).Add(m.To.Q.Apply(local))
		f.to.Rot = m.To.Q.Mul(q.InvMul(at.Rot)).Norm()
	}
	return at
}

// maxRelativeTravel returns a bound on the distance that a point of the mover moves in the
// frame of motion.
func (f *shapeSweep) maxRelativeTravel(motion *Motion) float64 {
	_, step := motion.relative(f.center, f.d)
	turn, apart, pace := math.Abs(motion.Turn), f.center.Dist(motion.Center), f.d.Sub(motion.D).Len()
	far := step.Len() // the chord of the path of the centre
	if turn > math.Pi {
		far = pace + float64(turn*(apart+pace))
	} else {
		// In the turning frame the centre's acceleration, of Coriolis and centrifugal, is at most a = turn*(2*pace +
		// turn*(apart+pace)). So its velocity differs from the mean, the chord, by at most a/2.
		far += float64(0.5 * turn * (float64(2*pace) + float64(turn*(apart+pace))))
	}
	return far + float64(math.Abs(f.turn-motion.Turn)*f.mover.Extent)
}

// sweepObstacles sweeps sh against the obstacles of the kinds near its path: against a moving one
// only if some part of sh moves far enough relative to it, or with all.
func (s *Sweeper) sweepObstacles(sh *Shape, f *shapeSweep, of kinds, all bool) {
	near := s.nearby(f.box)
	for i := range near {
		o := &near[i]
		if !s.isObstacle(o, sh, f.box, of) {
			continue
		}
		if o.Motion == nil {
			motion := AtRest(o.Frame, o.Body)
			s.sweepObstacle(o, sh, &motion, f)
		} else if motion := o.Motion.after(s.since); all || f.maxRelativeTravel(&motion) > Gate(sh.InnerRadius) {
			fraction := f.fraction
			if s.sweepObstacle(o, sh, &motion, f); f.fraction < fraction {
				s.carried = min(s.carried, o.firmness())
			}
		}
	}
}

// sweepObstacle sweeps sh against o, of a body with the given motion.
func (s *Sweeper) sweepObstacle(o *Obstacle, sh *Shape, motion *Motion, f *shapeSweep) {
	if o.Hull != nil {
		v := f.relativeTo(sh, motion)
		v.hitHull(o.Hull, f)
		return
	}
	r := Region{Origin: motion.From.Inv(f.center), Joined: true}
	if !motion.Moves {
		// Most shapes have no surface near: so find the faces before the relative motion.
		r.Box = f.box.In(motion.From.InvMul(geom.At(geom.Vec{})))
		if faces := s.facesIn(o, sh, r); len(faces) > 0 {
			v := f.relativeTo(sh, motion)
			v.hitFaces(faces, f)
		}
		return
	}
	v := f.relativeTo(sh, motion)
	r.Box = v.box.Translate(v.origin)
	v.hitFaces(s.facesIn(o, sh, r), f)
}
