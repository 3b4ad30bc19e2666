package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// The setters of Body. All of them panic during Step, on a number that is not finite (which
// changes nothing), and on a body that has been removed. All but Sleep wake a sleeping dynamic
// body with its island: all dynamic bodies that it touches, directly or through others. Static
// and kinematic bodies do not sleep, and a change of one, other than SetTransform, wakes no other
// body at once; once it moves, Step wakes the bodies that it touches.

// change wakes the body and returns its state.
func (b Body) change() *body {
	st := b.get()
	b.w.mustNotStep()
	b.w.wake(b.slot)
	return st
}

// maxSpin (radians a second) bounds the spin of a body. The bound of a step, a quarter turn in a
// sub-step, is usually lower. In very short steps that bound is higher, and the corners of a body
// of 1e8 cells would be too fast for the solver's float32.
const maxSpin = 1e6

// maxInput bounds speeds and accelerations in each coordinate. Larger values, such as a force
// divided by a tiny distance, have no further effect, since MaxSpeed is far below; but they would
// not fit the solver's float32, and sums of two might be NaN.
const maxInput = 1e15

// clampInput clamps the velocity, spin and forces that a game set to wildest.
func (b *body) clampInput() {
	clampTo(&b.velocity.X, maxInput)
	clampTo(&b.velocity.Y, maxInput)
	clampTo(&b.spin, maxSpin)
	clampTo(&b.force.X, maxInput*b.mass)
	clampTo(&b.force.Y, maxInput*b.mass)
	clampTo(&b.torque, maxInput*b.inertia)
}

func clampTo(x *float64, most float64) {
	if math.IsNaN(*x) {
		*x = 0 // the sum of opposite infinities
	}
	*x = max(-most, min(most, *x))
}

// SetTransform moves the body's origin to p, and its rotation to angle radians.
//
// Velocity, spin and the forces of the next step stay as they were, in world axes.
// Contacts stay until the next Step, which computes them at the new pose, ends contacts that no
// longer touch, and warm starts points that keep their feature ids.
//
// The body wakes, and so does every body that it touched. Sleeping bodies at the new pose wake at
// once if it is static or kinematic, and in the next Step if it is dynamic.
//
// SetTransform is no motion: the body carries no other body along and is not swept against
// obstacles between the two poses, and a lift that it moves up in each step may sink into its
// riders. Move such bodies by SetVelocity. A body moved beyond the bounds of the broad phase is
// lost; see World.Lost.
func (b Body) SetTransform(p geom.Vec, angle float64) {
	checkFiniteVec("SetTransform", "p", p)
	checkFinite("SetTransform", "angle", angle)
	st := b.change()
	st.rot = geom.NewRot(angle)
	st.center = p.Add(st.rot.Apply(st.localCenter))
	b.w.wakeTouching(b.slot)
	b.w.displace(b.slot)
	b.w.updateProxies(b.slot, nil)
	if st.kind != Dynamic {
		b.w.wakeAround(b.slot)
	}
}

// SetVelocity sets the velocity of the centre of mass, in units of length a second, and wakes the
// body with its island, even if v is zero. The velocity of a static body stays zero. The next Step
// limits the speed to MaxSpeed.
func (b Body) SetVelocity(v geom.Vec) {
	checkFiniteVec("SetVelocity", "v", v)
	if st := b.change(); st.kind != Static {
		st.velocity = v
		st.clampInput()
	}
}

// SetAngularVelocity sets the spin, in radians a second, and wakes the body with its island, even
// if spin is zero. The spin of a static body stays zero. It is clamped to 1e6, and by a step to a
// quarter turn in a sub-step: 377 in steps of 1/60 with four sub-steps.
func (b Body) SetAngularVelocity(spin float64) {
	checkFinite("SetAngularVelocity", "spin", spin)
	if st := b.change(); st.kind != Static {
		st.spin = spin
		st.clampInput()
	}
}

// ApplyForce applies the force f, in mass times units of length a second squared, at the world
// point at, during the next step only, and wakes the body with its island. Forces add up. Bodies
// that are not dynamic ignore them.
func (b Body) ApplyForce(f, at geom.Vec) {
	checkFiniteVec("ApplyForce", "f", f)
	checkFiniteVec("ApplyForce", "at", at)
	st := b.change()
	st.force = st.force.Add(f)
	st.torque += at.Sub(st.center).Cross(f)
	st.clampInput()
}

// ApplyTorque applies a counter-clockwise torque during the next step only, and wakes the body
// with its island. Torques add up. Bodies that are not dynamic ignore them.
func (b Body) ApplyTorque(torque float64) {
	checkFinite("ApplyTorque", "torque", torque)
	st := b.change()
	st.torque += torque
	st.clampInput()
}

// ApplyImpulse changes the velocity at once by the impulse j (mass times speed) at the world point
// at, and wakes the body with its island. Bodies that are not dynamic ignore it.
func (b Body) ApplyImpulse(j, at geom.Vec) {
	checkFiniteVec("ApplyImpulse", "j", j)
	checkFiniteVec("ApplyImpulse", "at", at)
	st := b.change()
	st.velocity = st.velocity.MulAdd(st.invMass, j)
	st.spin += float64(st.invInertia * at.Sub(st.center).Cross(j))
	st.clampInput()
}

// Wake wakes the body with its island: all dynamic bodies that it touches, directly or
// through others.
func (b Body) Wake() {
	b.get()
	b.w.mustNotStep()
	b.w.wake(b.slot)
}

// Sleep puts a dynamic body to sleep at its present pose, until an awake body touches it. Its
// velocity, and the forces of the next step, become zero; its contacts stay as they are. No other
// body changes: an awake body that touches it wakes it in the next Step. Bodies that are not
// dynamic do not sleep.
func (b Body) Sleep() {
	st := b.get()
	b.w.mustNotStep()
	if st.kind == Dynamic {
		b.w.fallAsleep(b.slot)
	}
}
