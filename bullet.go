package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
)

// Bullets are swept against other dynamic bodies, too. Fast bullets move last, one after the
// other: each is swept against the motions of all other bodies and of the bullets before it.

// bullet is the motion of a fast bullet, to be made once the other bodies have moved.
type bullet struct {
	k     int32    // index in scratch.awake
	d     geom.Vec // displacement
	rot   geom.Rot // rotation at the end of it
	about float64  // turn in radians, to within half a turn: rot does not tell full turns
}

// Bullet reports whether the body is swept against other dynamic bodies; see BodyDef.
func (b Body) Bullet() bool { return b.get().bullet }

// SetBullet makes the body a bullet or not; see BodyDef. It does not wake the body.
func (b Body) SetBullet(on bool) {
	st := b.get()
	b.w.mustNotStep()
	if st.bullet != on {
		b.w.countBullet(st.bullet, -1)
		b.w.countBullet(on, 1)
		st.bullet = on
	}
}

func (w *World) countBullet(is bool, by int) {
	if is {
		w.bullets += by
	}
}

// prepareMotions makes room for the motions of all moving bodies, if there are bullets to be
// swept against them.
func (w *World) prepareMotions() {
	sc := &w.scratch
	sc.bullets, sc.movedFar = sc.bullets[:0], sc.movedFar[:0]
	if w.bullets == 0 {
		return
	}
	sc.motions = sc.motions[:0]
	for range sc.awake {
		sc.motions = append(sc.motions, ccd.Motion{})
	}
}

// move moves the dynamic body at k in scratch.awake by d, and turns it to rot, by about
// turnGuess radians. A bullet that is swept moves after all other bodies.
func (w *World) move(k int, d geom.Vec, rot geom.Rot, turnGuess float64) {
	i := w.scratch.awake[k]
	b := w.bodies.At(i)
	if w.bullets == 0 {
		w.advance(i, d, rot, turnGuess)
		w.updateProxies(i, nil)
		return
	}
	far := d.Len() + float64(math.Abs(turnGuess)*b.extent)
	travel := ccd.MaxTravel(ccd.Pose{Center: b.center, Rot: b.rot}, ccd.Pose{Center: b.center.Add(d), Rot: rot}, turnGuess, b.extent)
	if b.bullet && (w.isSwept(b, travel) || w.touchesDynamic(b)) {
		w.scratch.bullets = append(w.scratch.bullets, bullet{k: int32(k), d: d, rot: rot, about: turnGuess})
		return
	}
	w.advanceRecorded(k, d, rot, turnGuess)
	if far > aabbMargin {
		w.scratch.movedFar = append(w.scratch.movedFar, int32(k))
	}
}

// touchesDynamic reports whether a shape of b touches a shape of another dynamic body, or
// nearly: a fast body may then push it, however slow it is.
func (w *World) touchesDynamic(b *body) bool {
	for l := b.firstContact; l >= 0; l = w.contacts.At(l >> 1).next[l&1] {
		c := w.contacts.At(l >> 1)
		o := c.bodyA
		if l&1 == 0 {
			o = c.bodyB
		}
		if c.ofShapes() && !c.sensor && len(c.manifolds) > 0 && w.bodies.At(o).kind == Dynamic {
			return true
		}
	}
	return false
}

// advanceRecorded advances the body at k, and records its motion.
func (w *World) advanceRecorded(k int, d geom.Vec, rot geom.Rot, turnGuess float64) {
	i := w.scratch.awake[k]
	b := w.bodies.At(i)
	motion := ccd.Motion{From: b.transform(), Center: b.center, Body: i, Moves: true}
	was := b.rot
	w.advance(i, d, rot, turnGuess)
	w.updateProxies(i, nil)
	motion.To, motion.D, motion.Turn = b.transform(), b.center.Sub(motion.Center), ccd.TurnOf(was, b.rot, turnGuess)
	w.scratch.motions[k] = motion
}

// moveBullets moves the fast bullets.
func (w *World) moveBullets() {
	for j := range w.scratch.bullets {
		u := &w.scratch.bullets[j]
		w.advanceRecorded(int(u.k), u.d, u.rot, u.about)
		w.scratch.movedFar = append(w.scratch.movedFar, u.k)
		i := w.scratch.awake[u.k]
		w.events.moved[u.k].Transform = w.bodies.At(i).transform()
	}
}
