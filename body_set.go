package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// The ways in which a game changes a body. All of them panic during Step, on a
// number that is not finite (which changes nothing), and on a body that has been
// removed. All but Sleep wake a dynamic body that sleeps, with its island: all
// dynamic bodies that it touches, directly or through others. A static or kinematic
// body does not sleep, and a change of it other than SetTransform wakes nothing at once;
// once it moves, Step wakes the bodies that it touches.

// change returns the body's state for a change, and wakes it.
func (b Body) change() *body {
	st := b.get()
	b.w.mustNotStep()
	b.w.wake(b.slot)
	return st
}

// maxSpin (radians a second) bounds the spin of a body. The limit of a step, a quarter turn
// in a sub-step, is lower as a rule. maxSpin is for steps so short that their limit is
// higher: the corners of a body of 1e8 cells would be too fast for the solver's float32.
const maxSpin = 1e6

// maxInput bounds speeds and accelerations in each coordinate.
// What is beyond it, as a push divided by a distance of next to nothing, does no more
// than that: MaxSpeed is far below. But it would not fit the solver's float32, and what
// is made of two such might not be a number.
const maxInput = 1e15

// clampInput keeps what a game gave the body within wildest.
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
		*x = 0 // of two infinities that met
	}
	*x = max(-most, min(most, *x))
}

// SetTransform puts the body's origin at p, turned by angle radians.
//
// Velocity, spin and the forces of the next step stay as they were, in world axes.
// Contacts stay until the next Step, which computes them at the new place, ends
// those that no longer touch, and takes over the impulses of points with the same
// feature ids.
//
// The body wakes, and so does every body that it touched. Sleeping bodies at its new
// place wake at once when it is static or kinematic, and in the next Step when it is
// dynamic.
//
// SetTransform is no motion: the body carries no other along, is not swept against
// obstacles between the two places, and a lift moved up by it in each step may sink into
// its riders. Move such bodies by SetVelocity. A place beyond the bounds of the broad
// phase loses the body; see World.Lost.
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

// SetVelocity sets the velocity of the centre of mass, in units a second, and wakes
// the body with its island, also when v is zero. A static body's stays zero. The next
// Step limits the speed to MaxSpeed.
func (b Body) SetVelocity(v geom.Vec) {
	checkFiniteVec("SetVelocity", "v", v)
	if st := b.change(); st.kind != Static {
		st.velocity = v
		st.clampInput()
	}
}

// SetAngularVelocity sets the spin, in radians a second, and wakes the body with its
// island, also when spin is zero. A static body's stays zero. At most 1e6 is kept, and a
// step limits it to a quarter turn in a sub-step: 377 in steps of 1/60 with four sub-steps.
func (b Body) SetAngularVelocity(spin float64) {
	checkFinite("SetAngularVelocity", "spin", spin)
	if st := b.change(); st.kind != Static {
		st.spin = spin
		st.clampInput()
	}
}

// ApplyForce pushes the body with force f, in mass times units a second squared, at
// the world point at, during the next step only, and wakes it with its island.
// Forces add up. Bodies that are not dynamic do not feel them.
func (b Body) ApplyForce(f, at geom.Vec) {
	checkFiniteVec("ApplyForce", "f", f)
	checkFiniteVec("ApplyForce", "at", at)
	st := b.change()
	st.force = st.force.Add(f)
	st.torque += at.Sub(st.center).Cross(f)
	st.clampInput()
}

// ApplyTorque turns the body with the given torque, counter-clockwise, during the
// next step only, and wakes it with its island. Torques add up. Bodies that are not
// dynamic do not feel them.
func (b Body) ApplyTorque(torque float64) {
	checkFinite("ApplyTorque", "torque", torque)
	st := b.change()
	st.torque += torque
	st.clampInput()
}

// ApplyImpulse changes the velocity at once, by an impulse j (mass times speed) at
// the world point at, and wakes the body with its island. Bodies that are not dynamic
// do not feel it.
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

// Sleep puts a dynamic body to sleep where it is, until an awake body touches it. Its
// velocity, and the forces of the next step, are lost; its contacts stay as they are.
// No other body is changed: an awake body that touches it wakes it in the next Step.
// Bodies that are not dynamic do not sleep.
func (b Body) Sleep() {
	st := b.get()
	b.w.mustNotStep()
	if st.kind == Dynamic {
		st.sleep()
	}
}
