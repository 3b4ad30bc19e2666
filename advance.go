package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/solve"
)

// moveBodies applies the solver's velocities and displacements, sweeps fast bodies against
// obstacles (continuous collision), and updates the broad phase.
func (w *World) moveBodies(dt float64) {
	// Kinematic bodies move first: the dynamic ones are swept against their motions.
	w.scratch.movers = w.scratch.movers[:0]
	for k, i := range w.scratch.awake {
		b, from := w.bodies.At(i), &w.solver.Motions[k+1]
		if b.kind == Dynamic {
			continue
		}
		motion := ccd.Motion{From: b.transform(), Center: b.center, Body: i, Moves: true}
		b.startPose, b.startedAt = motion.From, w.steps+1
		motion.D = geom.V(from.DX, from.DY)
		was := b.rot
		b.rot = turned(b.rot, from)
		motion.Turn = ccd.TurnOf(was, b.rot, from.Turn)
		b.center = b.center.Add(motion.D)
		motion.To = b.transform()
		b.moverIndex = int32(len(w.scratch.movers))
		w.scratch.movers = append(w.scratch.movers, motion)
		w.updateProxies(i, &motion)
	}
	w.markNearMovers()
	w.prepareMotions()
	for k, i := range w.scratch.awake {
		b, from := w.bodies.At(i), &w.solver.Motions[k+1]
		v, spin, d := geom.V(from.VX, from.VY), from.Spin, geom.V(from.DX, from.DY)
		if b.step.pinchSpeed > 0 {
			v, spin, d = b.limitPinched(v, spin, d, dt)
		}
		b.step.gravityGain = w.gravityGain(b, v, dt)
		b.velocity, b.spin = v, spin
		through := b.step.throughGround && d.Len() <= 2*pushSpeed*dt
		b.force, b.torque = geom.Vec{}, 0
		b.dropping = max(0, b.dropping-dt)
		if through {
			// A body that leaves solid ground slowly, through the ground, is not swept.
			b.startPose, b.startedAt = b.transform(), w.steps+1
			b.center, b.rot = b.center.Add(d), turned(b.rot, from)
			w.updateProxies(i, nil)
		} else if b.kind == Dynamic {
			b.startPose, b.startedAt = b.transform(), w.steps+1
			w.move(k, d, turned(b.rot, from), from.Turn)
		}
		w.events.moved = append(w.events.moved, Move{
			Body: BodyID(w.bodies.ID(i)), User: b.user, Transform: b.transform(),
		})
	}
	w.moveBullets()
}

// advance moves the dynamic body i by d and turns it to rot, or as far as the first
// obstacle; turnGuess is the angle of the turn in radians, to within half a turn.
func (w *World) advance(i int32, d geom.Vec, rot geom.Rot, turnGuess float64) {
	b := w.bodies.At(i)
	from, to := ccd.Pose{Center: b.center, Rot: b.rot}, ccd.Pose{Center: b.center.Add(d), Rot: rot}
	fraction := 1.0
	travel := ccd.MaxTravel(from, to, turnGuess, b.extent)
	if w.isSwept(b, travel) || b.bullet && w.touchesDynamic(b) {
		m := &w.scratch.mover
		*m = ccd.Mover{
			From: from, To: to, Turn: turnGuess, LocalCenter: b.localCenter, Extent: b.extent, Shapes: m.Shapes[:0],
			Deep: b.step.deep, Sunk: b.step.sunkInChain, NearMoving: w.nearMover(b, travel),
			Bullet: b.bullet, Pushed: b.bullet && w.touchesDynamic(b),
		}
		for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
			if s := w.shapes.At(si); !s.sensor {
				m.Shapes = append(m.Shapes, ccd.Shape{Hull: &s.hull, Core: s.core, ID: si})
			}
		}
		r := w.scratch.sweeper.Advance(m, (*obstacles)(w))
		to, fraction = r.To, r.Fraction
		if r.Squeezed {
			if b.squeezedAt != w.steps {
				w.reportCrushed(i)
			}
			b.squeezedAt = w.steps + 1
		}
	}
	b.center, b.rot = to.Center, to.Rot
	if fraction < 1 {
		// The step was cut at the fraction, so remove the rest of the gravity gained, unless the
		// speed would then exceed MaxSpeed.
		if v := b.velocity.MulAdd(fraction-1, b.step.gravityGain); v.Len2() <= max(MaxSpeed*MaxSpeed, b.velocity.Len2()) {
			b.velocity = v
		}
	}
	if w.senses() {
		w.recordFastMotion(i, from.Center, from.Rot, fraction*turnGuess)
	}
}

// isSwept reports whether b, of which no point moves farther than travel, is swept against
// obstacles. Most bodies in most steps are not.
func (w *World) isSwept(b *body, travel float64) bool {
	return !(travel <= b.coreGate) || b.step.deep || b.step.sunkInChain || w.nearMover(b, travel)
}

// gravityGain returns the part of this step's gravity impulse that b kept: between 0 and
// g*dt along gravity, where v is the velocity of b after the step. It is zero for a resting
// body.
func (w *World) gravityGain(b *body, v geom.Vec, dt float64) geom.Vec {
	down, g := w.config.Gravity.Unit()
	if g == 0 || b.weightless || b.kind != Dynamic {
		return geom.Vec{}
	}
	return down.Mul(max(0, min(g*dt, v.Sub(b.velocity).Dot(down))))
}

// turned returns rot after the turn that the solver computed.
func turned(rot geom.Rot, by *solve.Motion) geom.Rot {
	if by.C == 1 && by.S == 0 {
		return rot // exactly as it was
	}
	return geom.Rot{C: by.C, S: by.S}.Mul(rot).Norm()
}

// markDeep marks the dynamic bodies of c if their penetration, with a static or kinematic
// body, is deeper than the unswept part of their core.
func (w *World) markDeep(c *contactState, a, b *body, depth float64) {
	if b.kind == Dynamic && depth > ccd.PressedDepth(w.shapes.At(c.shapeB).core) {
		b.step.deep = true
	}
	if a.kind == Dynamic && c.ofShapes() && depth > ccd.PressedDepth(w.shapes.At(c.shapeA).core) {
		a.step.deep = true
	}
}

// sunkDepth returns how deep s must be in a face of a chain to count as pressed into it.
func (s *shape) sunkDepth() float64 { return ccd.SunkDepth(s.core) }

// sweepGate is the distance that some part of a shape must move in a step for the shape to
// be swept.
func (s *shape) sweepGate() float64 { return ccd.Gate(s.core) }
