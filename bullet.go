package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
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
		sc.motions = append(sc.motions, bodyMotion{})
	}
}

// move moves the dynamic body at k in scratch.awake by d, and turns it to rot, by about
// turnGuess radians. A fast bullet moves after all other bodies.
func (w *World) move(k int, d geom.Vec, rot geom.Rot, turnGuess float64) {
	i := w.scratch.awake[k]
	b := w.bodies.At(i)
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
	motion := bodyMotion{from: b.transform(), center: b.center, body: i, moves: true}
	was := b.rot
	w.advance(i, d, rot, turnGuess)
	w.updateProxies(i, nil)
	motion.to, motion.d, motion.turn = b.transform(), b.center.Sub(motion.center), turnOf(was, b.rot, turnGuess)
	w.scratch.motions[k] = motion
}

// leastSweepGate returns the least sweepGate of b's shapes.
func (w *World) leastSweepGate(b *body) float64 {
	least := math.MaxFloat64
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		if s := w.shapes.At(si); !s.sensor {
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
		w.events.moved[u.k].Transform = w.bodies.At(i).transform()
	}
}

// sweepBullet sweeps s, of a bullet, against dynamic bodies: the whole shape if it is fast,
// or moves fast relative to one.
func (w *World) sweepBullet(s *shape, b *body, f *shapeSweep, fast bool) {
	for _, id := range w.near(f.box, inDynamic) {
		w.sweepBulletShape(w.shapes.At(w.proxyAt(id).slot()), s, b, f, fast)
	}
	// A fast body may have been in the path, and be elsewhere now.
	for _, k := range w.scratch.movedFar {
		o := w.bodies.At(w.scratch.awake[k])
		for ti := o.firstShape; ti >= 0; ti = w.shapes.At(ti).next {
			if t := w.shapes.At(ti); !t.fat.Overlaps(f.box) {
				w.sweepBulletShape(t, s, b, f, fast)
			}
		}
	}
}

// sweepBulletShape sweeps s, of a bullet, against the shape t, if t belongs to a dynamic
// body that has already moved or does not move.
func (w *World) sweepBulletShape(t, s *shape, b *body, f *shapeSweep, fast bool) {
	o := w.bodies.At(t.body)
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
	v.thin = true // otherwise a body turned by an oblique impact ends deep in the obstacle
	if fast || f.maxRelativeTravel(&motion, b) > s.sweepGate() {
		v.hitShape(t, f, b)
		v.hitCentroid(t, coreFraction*s.core, b, f)
	}
}

// hitCentroid stops f before the centroid of the shape, of b, passes the surface of the
// shape t, however it came so near: a shape pressed or turned into a thin one by several
// steps would be pushed out behind it. A disc of radius r is swept, or of half the distance
// if that is less.
func (v *relativeSweep) hitCentroid(t *shape, r float64, b *body, f *shapeSweep) {
	o := geom.Core{V: t.hull.V, N: t.hull.N, Radius: t.hull.Radius}
	o = o.In(geom.At(v.origin.Neg()))
	p := geom.PointCore(v.centroid)
	gap, on, at := geom.Gap(&o, &p, here)
	switch {
	case gap <= 0: // the body was placed there, or came slowly
	case gap <= 2*touchSlop:
		// Nearer than geom.TimeOfImpact can resolve: the shape is lifted in front of t at
		// the end of the step, and slides. If it were stopped it would stick, for the
		// contact may push it another way.
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
