package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// The ways in which a game changes a body. All of them panic during Step, on a
// number that is not finite, and on a body that has been removed.

// change returns the body's state for a change, and wakes it.
func (b Body) change(ok bool) *body {
	st := b.get()
	b.w.mustNotStep()
	if !ok {
		panic("quarry: a body was given a number that is not finite")
	}
	b.w.wake(b.slot)
	return st
}

// maxSpin (radians a second) is the fastest spin that is kept. A step allows less as a rule:
// a quarter turn in a sub-step. This holds in steps so short that they allow more, where
// the corners of a body of 1e8 cells would be too fast for the solver's float32.
const maxSpin = 1e6

// wildest is the greatest speed or acceleration that is kept, in each coordinate.
// What is beyond it, as a push divided by a distance of next to nothing, does no more
// than that: MaxSpeed is far below. But it would not fit the solver's float32, and what
// is made of two such might not be a number.
const wildest = 1e15

// tame keeps what a game gave the body within wildest.
func (b *body) tame() {
	tame(&b.velocity.X, wildest)
	tame(&b.velocity.Y, wildest)
	tame(&b.spin, maxSpin)
	tame(&b.force.X, wildest*b.mass)
	tame(&b.force.Y, wildest*b.mass)
	tame(&b.torque, wildest*b.inertia)
}

func tame(x *float64, most float64) {
	if math.IsNaN(*x) {
		*x = 0 // of two infinities that met
	}
	*x = max(-most, min(most, *x))
}

// SetTransform puts the body's origin at p, turned by angle radians. Contacts
// are found anew in the next step; what it touched wakes, and so does what a
// body that is not dynamic now overlaps. What is put elsewhere has not moved there: it
// carries nothing along, and a lift that is put higher each step may sink into what
// rides it. Such things are moved by SetVelocity.
func (b Body) SetTransform(p geom.Vec, angle float64) {
	st := b.change(p.IsFinite() && isFinite(angle))
	st.rot = geom.NewRot(angle)
	st.center = p.Add(st.rot.Apply(st.localCenter))
	b.w.wakeTouching(b.slot)
	b.w.displace(b.slot)
	b.w.refit(b.slot)
	if st.kind != Dynamic {
		b.w.wakeAround(b.slot)
	}
}

// SetVelocity sets the velocity of the centre of mass, in units a second. A
// static body's stays zero.
func (b Body) SetVelocity(v geom.Vec) {
	if st := b.change(v.IsFinite()); st.kind != Static {
		st.velocity = v
		st.tame()
	}
}

// SetAngularVelocity sets the spin, in radians a second. A static body's stays
// zero. At most 1e6 is kept, and a step keeps it to a quarter turn in a sub-step:
// 377 in steps of 1/60 with four sub-steps.
func (b Body) SetAngularVelocity(spin float64) {
	if st := b.change(isFinite(spin)); st.kind != Static {
		st.spin = spin
		st.tame()
	}
}

// ApplyForce pushes the body with force f at the world point at, during the
// next step only.
func (b Body) ApplyForce(f, at geom.Vec) {
	st := b.change(f.IsFinite() && at.IsFinite())
	st.force = st.force.Add(f)
	st.torque += at.Sub(st.center).Cross(f)
	st.tame()
}

// ApplyTorque turns the body with the given torque, during the next step only.
func (b Body) ApplyTorque(torque float64) {
	st := b.change(isFinite(torque))
	st.torque += torque
	st.tame()
}

// ApplyImpulse changes the velocity at once, by an impulse (mass times speed)
// at the world point at.
func (b Body) ApplyImpulse(j, at geom.Vec) {
	st := b.change(j.IsFinite() && at.IsFinite())
	st.velocity = st.velocity.MulAdd(st.invMass, j)
	st.spin += float64(st.invInertia * at.Sub(st.center).Cross(j))
	st.tame()
}

// Wake wakes the body and all that it touches, directly or through others.
func (b Body) Wake() {
	b.get()
	b.w.mustNotStep()
	b.w.wake(b.slot)
}

// Sleep puts a dynamic body to sleep as it is, until something touches it. Its
// velocity is lost. Others are not changed.
func (b Body) Sleep() {
	st := b.get()
	b.w.mustNotStep()
	if st.kind == Dynamic {
		st.sleep()
	}
}
