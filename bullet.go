package quarry

import (
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/record"
)

// Bullets are swept against other dynamic bodies, too. The bullets that are swept in a step move
// last, one after the other: each is swept against the motions of all other bodies and of the
// bullets before it. So a bullet is advanced and committed before the next one is advanced.

// Bullet reports whether the body is swept against other dynamic bodies; see BodyDef.
func (b Body) Bullet() bool { return b.get().bullet }

// SetBullet makes the body a bullet or not; see BodyDef. It does not wake the body.
func (b Body) SetBullet(on bool) {
	record.Call1(b.w.recorder(b.get()), "Body.SetBullet", b.id, on)
	st := b.get()
	b.w.countBullet(st.bullet, -1)
	b.w.countBullet(on, 1)
	st.bullet = on
}

func (w *World) countBullet(is bool, by int) {
	if is {
		w.bullets += by
	}
}

// recordMotion records the motion that the body at at in scratch.awake has made from the pose from,
// for the bullets. With far, the body may have left the box that the broad phase had of it.
func (k *worker) recordMotion(at int, from ccd.Pose, far bool) {
	w := k.w
	i := w.scratch.awake[at]
	b, by := w.bodies.At(i), &w.solver.Motions[at+1]
	w.scratch.motions[at] = ccd.Motion{
		From: w.rare(i).startPose, To: b.transform(), Center: from.Center, D: b.center.Sub(from.Center),
		Turn: ccd.TurnOf(from.Rot, b.rot, by.Turn), Body: i, Moves: true,
	}
	if far {
		k.list(wentFar, i, at)
	}
}

// touchesDynamic reports whether a shape of body i touches a shape of another dynamic body, or
// nearly: a fast body may then push it, however slow it is.
func (w *World) touchesDynamic(i int32) bool {
	for l, c := range w.contactsOf(i) {
		o := c.bodyA
		if l&1 == 0 {
			o = c.bodyB
		}
		if c.ofShapes() && !c.sensor && c.touching && w.bodies.At(o).kind == Dynamic {
			return true
		}
	}
	return false
}

// commitBullets advances and commits the bullets that are swept.
func (w *World) commitBullets(dt float64) {
	if w.bullets == 0 {
		return
	}
	for k, i := range w.scratch.awake {
		out := &w.scratch.advanced[k]
		if !out.last {
			continue
		}
		w.workers[0].advanceBody(out, i, k, dt)
		w.alone(func(first *worker) { first.commitBody(out, i, k, dt) })
		w.events.moved[k].Transform = w.bodies.At(i).transform()
	}
}
