package step

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
)

// A body that a force turns round, as at the top of a slope or of a throw, is slow for a moment, and a body on a
// slow belt for ever. So rest is low speed and balance: the forces on a body that stands still would leave it so.
// There are three ways to be out of balance:
//
//   - The velocity changes steadily (state.Drift): the forces on the body do not cancel.
//   - A belt carries the body, or a motor of its joints turns, at 1/20 of its speed or more (Islands.Drive). Held back
//     by an obstacle, a belt or a motor is in balance.
//   - Nothing that stands still holds the island, and a force acts on it (Islands.Falls).

// noteRest advances the time that b, a dynamic body with the rarely read fields r, has been at rest by the length of
// the step, or restarts it, and returns it. from is the velocity before the step, and fromSpin the spin. A body with a
// contact that is too deep must be slower where overlap is pushed apart slowly. by is the motion of the step. Its
// displacement counts, too: a body that is pushed out of an overlap has no speed after the step.
func noteRest(w *state.World, b *state.Body, r *state.BodyRare, by *solve.Motion, from geom.Vec,
	fromSpin float64,
) float64 {
	if b.NoSleep {
		b.Idle = 0
		return state.Restless
	}
	least, dt := b.RestSpeed(r, w.Config.SleepSpeed), w.DT
	if b.Step.Jammed {
		least *= w.Pace
	}
	moved := geom.V(by.DX, by.DY).Len() / dt
	turned := max(math.Abs(b.Spin), math.Abs(by.S)/dt)
	if speed := max(b.Velocity.Len(), moved, turned*b.Extent); speed > least {
		b.Idle, r.Drift = 0, state.Drift{}
		return 0
	}
	if b.Idle == 0 {
		r.Drift.Begin(b.Velocity, b.Spin*b.Extent)
	} else if r.Drift.Note(b.Velocity, from, b.Spin*b.Extent, fromSpin*b.Extent, dt, w.Config.SleepTime, least) {
		b.Idle = min(b.Idle, state.DriftShare*w.Config.SleepTime)
	}
	b.Idle += dt
	return b.Idle
}

// noteSupport notes which islands that are about to fall asleep have a support, and on which of them a force
// acts. awake lists the bodies that the solver moved, and motions are the solver's.
func noteSupport(w *state.World, awake []int32, motions []solve.Motion) {
	w.Islands.BeginSupport()
	for k, i := range awake {
		at := int32(k + 1)
		if !w.Islands.Asleep(at) {
			continue
		}
		if m := &motions[at]; m.AX != 0 || m.AY != 0 || m.AW != 0 {
			w.Islands.Pull(at)
		}
		if supported(w, i) {
			w.Islands.Support(at)
		}
	}
}

// supported reports whether body i touches a body that counts as static for it (solve.Kind), has a joint with
// one, is locked along an axis, or is held in solid ground.
func supported(w *state.World, i int32) bool {
	static := func(a, b int32) bool {
		is, _ := solve.Kind(w.Bodies.At(a).InvMass, w.Bodies.At(b).InvMass)
		return is
	}
	for _, c := range w.ContactsOf(i) {
		if c.Touching && !c.Sensor && static(c.BodyA, c.BodyB) {
			return true
		}
	}
	for _, j := range w.JointsOf(i) {
		if j.Acts() && static(j.BodyA, j.BodyB) {
			return true
		}
	}
	b := w.Bodies.At(i)
	return b.Locks() != 0 || b.Held > 0
}
