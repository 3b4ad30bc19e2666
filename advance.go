package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/solve"
)

// advanced is the outcome of the stage advance for an awake body. The stage commit applies it.
type advanced struct {
	ccd.Result
	travel  float64 // no point moves farther
	unswept bool    // the body leaves solid ground, through the ground
	last    bool    // a bullet, which moves after all other bodies
}

// moveKinematic moves the kinematic bodies, and marks the dynamic bodies that they may meet: these
// are swept against their motions.
func (w *World) moveKinematic() {
	w.scratch.movers = w.scratch.movers[:0]
	for _, k := range w.scratch.kinematic {
		i := w.scratch.awake[k]
		b, from := w.bodies.At(i), &w.solver.Motions[k+1]
		motion := ccd.Motion{From: b.transform(), Center: b.center, Body: i, Moves: true}
		r := w.rare(i)
		r.startPose, r.startedAt = motion.From, w.steps+1
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
}

// advance computes the pose of each awake dynamic body at the end of the step: its displacement
// by the solver, or as much of it as passes no obstacle. It changes no body.
func (w *World) advance(dt float64) {
	w.scratch.advanced = w.scratch.advanced[:0]
	for k, i := range w.scratch.awake {
		w.scratch.advanced = append(w.scratch.advanced, advanced{})
		if b := w.bodies.At(i); b.kind == Dynamic {
			w.advanceBody(&w.scratch.advanced[k], i, k, dt)
		}
	}
}

// advanceBody sets out to the outcome for body i, at k in scratch.awake. A bullet that is swept is
// left to commitBullets.
func (w *World) advanceBody(out *advanced, i int32, k int, dt float64) {
	b, by := w.bodies.At(i), &w.solver.Motions[k+1]
	_, _, d := b.solved(by, dt)
	out.travel = math.Inf(1)
	out.To, out.Fraction = ccd.Pose{Center: b.center.Add(d), Rot: turned(b.rot, by)}, 1
	if out.unswept = b.step.throughGround && d.Len() <= 2*pushSpeed*dt; out.unswept {
		return
	}
	from := ccd.Pose{Center: b.center, Rot: b.rot}
	travel := ccd.MaxTravel(from, out.To, by.Turn, b.extent)
	pushed := b.bullet && w.touchesDynamic(b)
	near := w.nearMover(b, travel)
	if travel <= b.coreGate && !pushed && !near && !b.step.deep && !b.step.sunkInChain { // most bodies in most steps
		out.travel = travel
		return
	}
	if b.bullet && !out.last {
		out.last = true
		return
	}
	m := &w.scratch.mover
	*m = ccd.Mover{
		From: from, To: out.To, Turn: by.Turn, LocalCenter: b.localCenter, Extent: b.extent, Shapes: m.Shapes[:0],
		Deep: b.step.deep, Sunk: b.step.sunkInChain, NearMoving: near,
		Bullet: b.bullet, Pushed: pushed,
	}
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		if s := w.shapes.At(si); !s.sensor {
			m.Shapes = append(m.Shapes, ccd.Shape{Hull: &s.hull, Core: s.core, ID: si})
		}
	}
	out.Result = w.scratch.sweeper.Advance(m, (*obstacles)(w))
}

// solved returns the velocity, the spin and the displacement that the solver found for b.
func (b *body) solved(by *solve.Motion, dt float64) (v geom.Vec, spin float64, d geom.Vec) {
	v, spin, d = geom.V(by.VX, by.VY), by.Spin, geom.V(by.DX, by.DY)
	if b.step.pinchSpeed > 0 {
		return b.limitPinched(v, spin, d, dt)
	}
	return v, spin, d
}

// commit sets the velocities and poses of the awake bodies, and updates their proxies. It lists the
// move events, in the order of scratch.awake.
func (w *World) commit(dt float64) {
	sc := &w.scratch
	sc.movedFar = sc.movedFar[:0]
	if w.bullets > 0 {
		sc.motions = append(sc.motions[:0], make([]ccd.Motion, len(sc.awake))...)
	}
	for k, i := range w.scratch.awake {
		b := w.bodies.At(i)
		if out := &w.scratch.advanced[k]; b.kind != Dynamic {
			by := &w.solver.Motions[k+1]
			b.velocity, b.spin = geom.V(by.VX, by.VY), by.Spin
			b.force, b.torque = geom.Vec{}, 0
			b.step = bodyStep{}
		} else if !out.last {
			w.commitBody(out, i, k, dt)
		}
		w.events.moved = append(w.events.moved, Move{
			Body: BodyID(w.bodies.ID(i)), User: b.user, Transform: b.transform(),
		})
	}
	w.commitBullets(dt)
}

// commitBody applies the outcome of the dynamic body i, at k in scratch.awake.
func (w *World) commitBody(out *advanced, i int32, k int, dt float64) {
	b, by := w.bodies.At(i), &w.solver.Motions[k+1]
	v, spin, d := b.solved(by, dt)
	if out.Fraction < 1 {
		// The step was cut at the fraction, so remove the rest of the gravity gained, unless the
		// speed would then exceed MaxSpeed.
		if cut := v.MulAdd(out.Fraction-1, w.gravityGain(b, v, dt)); cut.Len2() <= max(MaxSpeed*MaxSpeed, v.Len2()) {
			v = cut
		}
	}
	from := ccd.Pose{Center: b.center, Rot: b.rot}
	r := w.rare(i)
	r.startPose, r.startedAt = b.transform(), w.steps+1
	b.velocity, b.spin = v, spin
	b.force, b.torque = geom.Vec{}, 0
	b.center, b.rot = out.To.Center, out.To.Rot
	if out.Squeezed {
		if r.squeezedAt != w.steps {
			w.reportCrushed(i)
		}
		r.squeezedAt = w.steps + 1
	}
	if !out.unswept && len(w.sensors) > 0 {
		w.recordFastMotion(i, from.Center, from.Rot, out.Fraction*by.Turn)
	}
	// Rounding of a box is far below 1e-12 of its coordinates.
	if r.room -= out.travel; !(r.room > 1e-12*(math.Abs(b.center.X)+math.Abs(b.center.Y)+b.extent)) {
		w.updateProxies(i, nil)
	}
	if w.bullets > 0 && !out.unswept {
		w.recordMotion(k, from, out.last || d.Len()+float64(math.Abs(by.Turn)*b.extent) > aabbMargin)
	}
	w.noteRest(b, k, dt)
}

// gravityGain returns the part of this step's gravity impulse that b kept: between 0 and
// g*dt along gravity, where v is the velocity of b after the step. It is zero for a resting
// body.
func (w *World) gravityGain(b *body, v geom.Vec, dt float64) geom.Vec {
	down, g := w.config.Gravity.Unit()
	if g == 0 || b.weightless {
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

// sunkDepth returns how deep s must be in a face of a chain to count as pressed into it.
func (s *shape) sunkDepth() float64 { return ccd.SunkDepth(s.core) }
