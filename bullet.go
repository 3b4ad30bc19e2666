package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Bullets are swept against other dynamic bodies, too. Those that go fast move
// last of all, one after the other, so that each sees how all the others, and the
// bullets before it, move in the step, and is swept against them as seen from them.

// bullet is what a fast one is to do, once the others have moved.
type bullet struct {
	k     int32    // index in scratch.awake
	d     geom.Vec // its way
	rot   geom.Rot // how it is turned at the end of that
	about float64  // radians that it turns, to within half a turn: rot does not tell whole turns
}

// Bullet reports whether the body is swept against other dynamic bodies; see
// BodyDef.
func (b Body) Bullet() bool { return b.get().bullet }

// SetBullet makes the body a bullet or not; see BodyDef. It does not wake it.
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

// prepareMotions makes room for the ways of all that moves, if there are bullets to
// look at them.
func (w *World) prepareMotions() {
	sc := &w.scratch
	sc.bullets, sc.movedFar = sc.bullets[:0], sc.movedFar[:0]
	if w.bullets == 0 {
		return
	}
	sc.motions = sc.motions[:0]
	for range sc.awake {
		sc.motions = append(sc.motions, bodyMotion{})
	}
}

// move moves the dynamic body at k in scratch.awake by d, and turns it to rot, which
// is about so many radians on; a fast bullet only when the others have moved.
func (w *World) move(k int, d geom.Vec, rot geom.Rot, turnGuess float64) {
	i := w.scratch.awake[k]
	b := &w.bodies.items[i]
	if w.bullets == 0 {
		w.advance(i, d, rot, turnGuess)
		w.updateProxies(i, nil)
		return
	}
	far := d.Len() + float64(math.Abs(turnGuess)*b.extent)
	if b.bullet && (far > w.leastSweepGate(b) || w.touchesDynamic(b)) {
		w.scratch.bullets = append(w.scratch.bullets, bullet{k: int32(k), d: d, rot: rot, about: turnGuess})
		return
	}
	w.advanceRecorded(k, d, rot, turnGuess)
	if far > aabbMargin {
		w.scratch.movedFar = append(w.scratch.movedFar, int32(k))
	}
}

// touchesDynamic reports whether a shape of b touches one of another dynamic body,
// or nearly. What is fast itself may push it on then, however slow it is.
func (w *World) touchesDynamic(b *body) bool {
	for l := b.firstContact; l >= 0; l = w.contacts.items[l>>1].next[l&1] {
		c := &w.contacts.items[l>>1]
		o := c.bodyA
		if l&1 == 0 {
			o = c.bodyB
		}
		if c.ofShapes() && !c.sensor && len(c.manifolds) > 0 && w.bodies.items[o].kind == Dynamic {
			return true
		}
	}
	return false
}

// advanceRecorded advances the body at k, and keeps the way that it took.
func (w *World) advanceRecorded(k int, d geom.Vec, rot geom.Rot, turnGuess float64) {
	i := w.scratch.awake[k]
	b := &w.bodies.items[i]
	motion := bodyMotion{from: b.transform(), center: b.center, body: i, moves: true}
	was := b.rot
	w.advance(i, d, rot, turnGuess)
	w.updateProxies(i, nil)
	motion.to, motion.d, motion.turn = b.transform(), b.center.Sub(motion.center), turnOf(was, b.rot, turnGuess)
	w.scratch.motions[k] = motion
}

// leastSweepGate returns how far a part of b must move for any of its shapes to be
// swept.
func (w *World) leastSweepGate(b *body) float64 {
	least := math.MaxFloat64
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		if s := &w.shapes.items[si]; !s.sensor {
			least = min(least, s.sweepGate())
		}
	}
	return least
}

// moveBullets moves the fast bullets.
func (w *World) moveBullets() {
	for j := range w.scratch.bullets {
		u := &w.scratch.bullets[j]
		w.advanceRecorded(int(u.k), u.d, u.rot, u.about)
		w.scratch.movedFar = append(w.scratch.movedFar, u.k)
		i := w.scratch.awake[u.k]
		w.events.moved[u.k].Transform = w.bodies.items[i].transform()
	}
}

// sweepBullet sweeps s, of a bullet, against what is dynamic; the whole of it if it is
// fast, or as seen from there.
func (w *World) sweepBullet(s *shape, b *body, f *shapeSweep, fast bool) {
	for _, id := range w.near(f.box, inDynamic) {
		w.sweepBulletShape(&w.shapes.items[w.proxyAt(id).slot()], s, b, f, fast)
	}
	// What is fast may have been in the way and be elsewhere now.
	for _, k := range w.scratch.movedFar {
		o := &w.bodies.items[w.scratch.awake[k]]
		for ti := o.firstShape; ti >= 0; ti = w.shapes.items[ti].next {
			if t := &w.shapes.items[ti]; !t.fat.Overlaps(f.box) {
				w.sweepBulletShape(t, s, b, f, fast)
			}
		}
	}
}

// sweepBulletShape sweeps s, of a bullet, against the shape t if that is of a dynamic body
// which has moved already, or sleeps.
func (w *World) sweepBulletShape(t, s *shape, b *body, f *shapeSweep, fast bool) {
	o := &w.bodies.items[t.body]
	if o.kind != Dynamic || t.sensor || !w.mayCollide(s, t) {
		return
	}
	var motion bodyMotion
	if o.solverIndex == 0 {
		motion = w.motionAtRest(t.body)
	} else if motion = w.scratch.motions[o.solverIndex-1]; !motion.moves {
		return // a bullet that comes after this one
	}
	v := f.relativeTo(s, b, &motion)
	if !v.box.Overlaps(t.bounds(geom.At(v.origin.Neg()))) {
		return
	}
	v.thin = true // or what is turned by what it hits aslant ends deep in it
	if fast || f.maxRelativeTravel(&motion, b) > s.sweepGate() {
		v.hitShape(t, f, b)
		v.hitCentroid(t, coreFraction*s.core, b, f)
	}
}

// hitCentroid notes how far the middle of what v sees, which is of b, may go before it is
// past the surface of the shape t, however it came so near: what is pressed or turned
// into something thin, by several steps, would be pushed out behind. It is a disc of
// radius r that is swept, or one of half the distance.
func (v *relativeSweep) hitCentroid(t *shape, r float64, b *body, f *shapeSweep) {
	o := geom.Core{V: t.hull.V, N: t.hull.N, Radius: t.hull.Radius}
	o = o.In(geom.At(v.origin.Neg()))
	p := geom.PointCore(v.centroid)
	gap, on, at := geom.Gap(&o, &p, here)
	switch {
	case gap <= 0: // it was put there, or came slowly
	case gap <= 2*touchSlop:
		// Nearer than geom.TimeOfImpact can tell: it is lifted to be before t when
		// the step ends, and slides. Stopped it would stick, for the contact may
		// push it another way.
		n := at.Sub(on).Mul(1 / gap)
		end := v.obstacleSweep.At(1).Inv(v.sweep.At(1).Apply(v.centroid)).Sub(on)
		if by := touchSlop - end.Dot(n); by > 0 {
			lift := v.obstacle.to.Q.Apply(n).Mul(by)
			f.d, f.lifted = f.d.Add(lift), true
			b.center = b.center.Add(lift)
		}
	default:
		p.Radius = min(r, 0.5*gap)
		if fraction, ok := geom.TimeOfImpact(&o, &v.obstacleSweep, &p, &v.sweep, toiSlop); ok && fraction < f.fraction {
			f.fraction, f.hit = fraction, *v.obstacle
		}
	}
}
