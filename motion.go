package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/record"
	"github.com/quarry2d/quarry/internal/solve"
)

// maxSpin (radians a second) bounds the spin of a body. The bound of a step, a quarter turn in a
// sub-step, is usually lower. In very short steps that bound is higher, and the corners of a body
// of 1e8 cells would be too fast for the solver's float32.
const maxSpin = 1e6

// maxInput bounds speeds and accelerations in each coordinate. Larger values, such as a force
// divided by a tiny distance, have no further effect, since MaxSpeed is far below; but they would
// not fit the solver's float32, and sums of two might be NaN.
const maxInput = 1e15

// clampInput clamps the velocity, spin and forces that a game set.
func (b *body) clampInput() {
	if b.flags&disabled != 0 {
		b.force, b.torque = geom.Vec{}, 0
	}
	b.velocity = b.free(b.velocity)
	solve.Clamp(&b.velocity.X, maxInput)
	solve.Clamp(&b.velocity.Y, maxInput)
	solve.Clamp(&b.spin, maxSpin)
	solve.Clamp(&b.force.X, maxInput*b.mass)
	solve.Clamp(&b.force.Y, maxInput*b.mass)
	solve.Clamp(&b.torque, maxInput*b.inertia)
}

// Velocity returns the velocity of the centre of mass, in units of length a second.
func (b Body) Velocity() geom.Vec { return b.get().velocity }

// AngularVelocity returns the spin, in radians a second.
func (b Body) AngularVelocity() float64 { return b.get().spin }

// SetLocks changes BodyDef.LockX, LockY and FixedRotation, and wakes the body with its island. The velocity
// along a locked axis becomes 0; the spin stays.
func (b Body) SetLocks(x, y, rotation bool) {
	record.Call3(b.w.recorder(b.get()), "Body.SetLocks", b.id, x, y, rotation)
	st := b.change()
	st.fixedRot = rotation
	st.lock(x, y)
	b.w.rare(b.slot).lockImpulse = [2]float32{}
	if b.w.locked.Remove(b.slot); st.locks() != 0 {
		b.w.locked.Add(b.slot)
	}
	b.w.updateMass(b.slot)
	st.clampInput()
}

func (b *body) lock(x, y bool) {
	b.flags &^= lockX | lockY
	if x {
		b.flags |= lockX
	}
	if y {
		b.flags |= lockY
	}
}

// locks returns the locked axes of b. They act only while b is dynamic.
func (b *body) locks() bodyFlags { return b.flags & (lockX | lockY) }

// free returns v without its coordinates along locked axes.
func (b *body) free(v geom.Vec) geom.Vec {
	if b.kind == Dynamic {
		if b.flags&lockX != 0 {
			v.X = 0
		}
		if b.flags&lockY != 0 {
			v.Y = 0
		}
	}
	return v
}

// listLocks lists a joint with the world for each awake body with a locked axis. So the solver passes loads
// and impacts on to the lock; commit removes the velocity that is left along a locked axis.
func (w *World) listLocks() {
	w.scratch.locked = w.scratch.locked[:0]
	for i := range w.locked.All() {
		if b := w.bodies.At(i); b.kind == Dynamic && b.moves() && w.solver.Motions[b.solverIndex].Yields() {
			w.scratch.locked = append(w.scratch.locked, i)
			w.solver.JointLinks = append(w.solver.JointLinks, solve.Link{B: b.solverIndex, Pin: b.locks() == lockX|lockY})
		}
	}
}

// fillLock sets out to the rows of the locks of body i: both coordinates, or the one across a line.
func (w *World) fillLock(i int32, out *solve.Joint) {
	b := w.bodies.At(i)
	out.Flags, out.U, out.V = solve.Rigid, w.rare(i).lockImpulse[0], w.rare(i).lockImpulse[1]
	out.DriftX, out.DriftY = float32(b.velocity.X), float32(b.velocity.Y)
	switch b.locks() {
	case lockX:
		out.Shape, out.LineY = solve.Slide, 1
	case lockY:
		out.Shape, out.LineX = solve.Slide, 1
	}
}

// VelocityAt returns the velocity of the point of the body at the world point p.
func (b Body) VelocityAt(p geom.Vec) geom.Vec {
	st := b.get()
	return st.velocityAt(p.Sub(st.center))
}

// SetVelocity sets the velocity of the centre of mass, in units of length a second; even zero wakes
// the body. The velocity of a static body stays zero. The next Step limits the speed to MaxSpeed.
func (b Body) SetVelocity(v geom.Vec) {
	record.Call1(b.w.recorder(b.get()), "Body.SetVelocity", b.id, v)
	check.FiniteVec("SetVelocity", "v", v)
	if st := b.change(); st.kind != Static {
		st.velocity = v
		st.clampInput()
	}
}

// SetAngularVelocity sets the spin, in radians a second; even zero wakes the body. The spin of a
// static body stays zero. It is clamped to 1e6, and by a step to a quarter turn in a sub-step: 377
// in steps of 1/60 with four sub-steps.
func (b Body) SetAngularVelocity(spin float64) {
	record.Call1(b.w.recorder(b.get()), "Body.SetAngularVelocity", b.id, spin)
	check.Finite("SetAngularVelocity", "spin", spin)
	if st := b.change(); st.kind != Static {
		st.spin = spin
		st.clampInput()
	}
}

// ApplyForce applies the force f, in mass times units of length a second squared, at the world
// point at, during the next step only. Forces add up. Bodies that are not dynamic ignore them.
func (b Body) ApplyForce(f, at geom.Vec) {
	record.Call2(b.w.recorder(b.get()), "Body.ApplyForce", b.id, f, at)
	check.FiniteVec("ApplyForce", "f", f)
	check.FiniteVec("ApplyForce", "at", at)
	b.push(f, at.Sub(b.get().center).Cross(f))
}

// push adds a force at the centre of mass and a torque, of the next step.
func (b Body) push(f geom.Vec, torque float64) {
	st := b.change()
	st.force, st.torque = st.force.Add(f), st.torque+torque
	st.clampInput()
}

// ApplyTorque applies a counter-clockwise torque during the next step only. Torques add up. Bodies
// that are not dynamic ignore them.
func (b Body) ApplyTorque(torque float64) {
	record.Call1(b.w.recorder(b.get()), "Body.ApplyTorque", b.id, torque)
	check.Finite("ApplyTorque", "torque", torque)
	b.push(geom.Vec{}, torque)
}

// ApplyImpulse changes the velocity at once by the impulse j (mass times speed) at the world point
// at. Bodies that are not dynamic ignore it.
func (b Body) ApplyImpulse(j, at geom.Vec) {
	record.Call2(b.w.recorder(b.get()), "Body.ApplyImpulse", b.id, j, at)
	check.FiniteVec("ApplyImpulse", "j", j)
	check.FiniteVec("ApplyImpulse", "at", at)
	b.kick(j, at.Sub(b.get().center).Cross(j))
}

// kick changes the velocity and the spin by an impulse at the centre of mass and an angular one.
func (b Body) kick(j geom.Vec, angular float64) {
	st := b.change()
	st.velocity = st.velocity.MulAdd(st.invMass, j)
	st.spin += float64(st.invInertia * angular)
	st.clampInput()
}

// ApplyForceToCenter applies the force f at the centre of mass; see ApplyForce.
func (b Body) ApplyForceToCenter(f geom.Vec) {
	record.Call1(b.w.recorder(b.get()), "Body.ApplyForceToCenter", b.id, f)
	check.FiniteVec("ApplyForceToCenter", "f", f)
	b.push(f, 0)
}

// ApplyImpulseToCenter changes the velocity at once by the impulse j at the centre of mass; see
// ApplyImpulse.
func (b Body) ApplyImpulseToCenter(j geom.Vec) {
	record.Call1(b.w.recorder(b.get()), "Body.ApplyImpulseToCenter", b.id, j)
	check.FiniteVec("ApplyImpulseToCenter", "j", j)
	b.kick(j, 0)
}

// ApplyAngularImpulse changes the spin at once by the counter-clockwise angular impulse j (inertia times
// radians a second). Bodies that are not dynamic ignore it.
func (b Body) ApplyAngularImpulse(j float64) {
	record.Call1(b.w.recorder(b.get()), "Body.ApplyAngularImpulse", b.id, j)
	check.Finite("ApplyAngularImpulse", "j", j)
	b.kick(geom.Vec{}, j)
}

// SetTarget gives the body the velocity and spin that bring its origin to p and its rotation to angle
// radians, the shorter way round, in one Step of dt seconds. A kinematic body reaches the target but for
// rounding, unless it is farther than Config.MaxSpeed or a quarter turn in a sub-step allows: call
// SetTarget before each Step, because the velocity stays after it. A dynamic body may be held up by
// contacts, damping and gravity. Static bodies ignore it. SetTarget panics if dt is not in (0, 1].
//
// Unlike SetTransform, it is a motion: the body carries others along, pushes them and passes none.
func (b Body) SetTarget(p geom.Vec, angle, dt float64) {
	record.Call3(b.w.recorder(b.get()), "Body.SetTarget", b.id, p, angle, dt)
	check.FiniteVec("SetTarget", "p", p)
	check.Finite("SetTarget", "angle", angle)
	if !(dt > 0 && dt <= 1) {
		check.Refuse("SetTarget", "dt", dt, "more than 0 and at most 1 second")
	}
	st := b.change()
	if st.kind == Static {
		return
	}
	rot := geom.NewRot(angle)
	st.velocity = p.Add(rot.Apply(st.localCenter)).Sub(st.center).Mul(1 / dt)
	st.spin = st.rot.InvMul(rot).Angle() / dt
	st.clampInput()
}

// SetDamping changes BodyDef.LinearDamping and AngularDamping. It panics if one is negative.
func (b Body) SetDamping(linear, angular float64) {
	record.Call2(b.w.recorder(b.get()), "Body.SetDamping", b.id, linear, angular)
	check.Positive("SetDamping", "linear", linear)
	check.Positive("SetDamping", "angular", angular)
	st := b.change()
	st.damping, st.spinDamping = linear, angular
}

// mostScale bounds BodyDef.GravityScale, on either side of 0.
const mostScale = 1e6

// SetGravityScale changes BodyDef.GravityScale. Here 0 means 0: gravity no longer acts on the body, as with
// BodyDef.Weightless.
func (b Body) SetGravityScale(scale float64) {
	record.Call1(b.w.recorder(b.get()), "Body.SetGravityScale", b.id, scale)
	check.Within("SetGravityScale", "scale", scale, -mostScale, mostScale, "")
	b.change().setGravityScale(b.w.rare(b.slot), scale)
}

func (b *body) setGravityScale(r *bodyRare, scale float64) {
	b.flags &^= scaledGravity
	r.gravityScale, b.weightless = 0, scale == 0
	if scale != 0 && scale != 1 {
		b.flags, r.gravityScale = b.flags|scaledGravity, scale
	}
}

// gravityOf returns the acceleration of body i, which is b, by gravity, if it is not weightless.
func (w *World) gravityOf(i int32, b *body) geom.Vec {
	if b.flags&scaledGravity != 0 {
		return w.config.Gravity.Mul(w.rare(i).gravityScale)
	}
	return w.config.Gravity
}

// LocalPoint returns the world point p in the body's frame, WorldPoint the world point of p in that
// frame. LocalVector and WorldVector turn directions: the frame's place does not matter to them.
func (b Body) LocalPoint(p geom.Vec) geom.Vec { return b.get().transform().Inv(p) }

// WorldPoint is the inverse of LocalPoint.
func (b Body) WorldPoint(p geom.Vec) geom.Vec { return b.get().transform().Apply(p) }

// LocalVector returns the world vector v in the axes of the body's frame.
func (b Body) LocalVector(v geom.Vec) geom.Vec { return b.get().rot.Inv(v) }

// WorldVector is the inverse of LocalVector.
func (b Body) WorldVector(v geom.Vec) geom.Vec { return b.get().rot.Apply(v) }
