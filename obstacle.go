package quarry

import "github.com/quarry2d/quarry/geom"

// Obstacles are the proxies that continuous collision stops bodies at: the shapes of static
// and kinematic bodies, grounds and chains. The broad phase finds the obstacles near the
// path of a shape, and the shape is swept against each in the frame of the obstacle's body.
// The boxes of moving kinematic bodies hold all of their motion, and these bodies mark the
// dynamic bodies near them, so that no other body is swept against them.

// bodyMotion is the motion of a body through the step: of an obstacle's body, or, for
// bullets and sensors, of a dynamic body.
type bodyMotion struct {
	from, to  geom.Transform
	center, d geom.Vec // the centre of mass at the start, and its displacement
	turn      float64  // radians, counter-clockwise
	body      int32
	moves     bool
}

// relative returns the motion from p along d, in the frame of the body of m.
func (m *bodyMotion) relative(p, d geom.Vec) (origin, step geom.Vec) {
	origin = m.from.Inv(p)
	if !m.moves {
		return origin, m.to.Q.Inv(d)
	}
	return origin, m.to.Inv(p.Add(d)).Sub(origin)
}

// between returns the motion from the fraction t0 to the fraction t1 of the step.
func (m *bodyMotion) between(t0, t1 float64) bodyMotion {
	out := *m
	at := func(t float64) geom.Transform {
		q := geom.NewRot(t * m.turn).Mul(m.from.Q).Norm()
		local := m.from.Inv(m.center) // the centre of mass
		return geom.Transform{P: m.center.MulAdd(t, m.d).Sub(q.Apply(local)), Q: q}
	}
	if t0 > 0 {
		out.from = at(t0)
	}
	if t1 < 1 {
		out.to = at(t1)
	}
	return out
}

// sagitta returns a bound on the distance of the arc of a point, at the given distance from
// the centre of mass, from its chord.
func (m *bodyMotion) sagitta(reach float64) float64 {
	return min(0.125*reach*m.turn*m.turn, 2*reach)
}

// relativeCore returns the motion of sw in the frame of the body of m, which does not move.
func (m *bodyMotion) relativeCore(sw *coreSweep) (origin, step geom.Vec) {
	sw.toStart = m.from.Q.Inv(sw.start.Sub(sw.from))
	return m.relative(sw.from, sw.d)
}

// motionAtRest returns the motion of a body that does not move in this step.
func (w *World) motionAtRest(i int32) bodyMotion {
	t := w.bodies.At(i).transform()
	return bodyMotion{from: t, to: t, body: i}
}

// nearMover reports whether b may meet a moving kinematic body, on its way from center and
// the rotation was.
func (w *World) nearMover(b *body, center geom.Vec, was geom.Rot, turnGuess float64) bool {
	return len(w.scratch.movers) > 0 && (b.nearMoverAt == w.steps+1 || b.maxTravel(center, was, turnGuess) > aabbMargin)
}

// markNearMovers marks the dynamic bodies that the moving kinematic bodies may meet in this
// step, if they move no farther than aabbMargin.
func (w *World) markNearMovers() {
	const room = aabbMargin + touchSlop + geom.LinearSlop
	for k := range w.scratch.movers {
		o := w.bodies.At(w.scratch.movers[k].body)
		for i := o.firstShape; i >= 0; i = w.shapes.At(i).next {
			if s := w.shapes.At(i); !s.sensor {
				w.markIn(s.fat.Expand(room))
			}
		}
		for i := o.firstGround; i >= 0; i = w.grounds.At(i).next {
			w.markIn(w.grounds.At(i).fat.Expand(room))
		}
		for i := o.firstChain; i >= 0; i = w.chains.At(i).next {
			w.markIn(w.chains.At(i).fat.Expand(room))
		}
	}
}

// markIn marks the dynamic bodies whose boxes overlap box.
func (w *World) markIn(box geom.AABB) {
	for _, id := range w.near(box, inDynamic) {
		w.bodies.At(w.shapes.At(w.proxyAt(id).slot()).body).nearMoverAt = w.steps + 1
	}
}

// sweepCoreStill sweeps the core of s against p, of the body bi, which does not move.
func (w *World) sweepCoreStill(p proxy, bi int32, s *shape, sw *coreSweep) {
	motion := w.motionAtRest(bi)
	origin, step := motion.relativeCore(sw)
	w.sweepCoreProxy(p, s, sw, &motion, origin, step)
}

// sweepCoreMover sweeps the core of s, from the fraction t0 to t1 of the step, against p, of
// a moving kinematic body with the motion whole, unless the core hardly moves relative to
// that body.
func (w *World) sweepCoreMover(p proxy, s *shape, sw *coreSweep, whole *bodyMotion, t0, t1 float64) {
	motion := whole
	if t0 > 0 || t1 < 1 {
		part := whole.between(t0, t1)
		motion = &part
	}
	origin, step := motion.relative(sw.from, sw.d)
	sw.toStart = whole.from.Inv(sw.start).Sub(origin)
	if sw.all || step.Len2() > sw.r*sw.r {
		w.sweepCoreProxy(p, s, sw, motion, origin, step)
	}
}

// sweepCoreProxy sweeps the core of s against p.
func (w *World) sweepCoreProxy(p proxy, s *shape, sw *coreSweep, motion *bodyMotion, origin, step geom.Vec) {
	switch p.kind() {
	case groundProxy:
		w.sweepCoreGround(p.slot(), s, sw, motion, origin, step)
	case chainProxy:
		w.sweepCoreChain(p.slot(), s, sw, motion, origin, step)
	default:
		w.sweepCoreShape(w.shapes.At(p.slot()), s, sw, motion, origin, step)
	}
}

// sweepObstacles sweeps s against the obstacles near its path: with still, against obstacles
// that do not move in this step; with movers, against moving kinematic bodies, if some part
// of s moves far enough relative to them, or with all.
func (w *World) sweepObstacles(s *shape, b *body, f *shapeSweep, still, movers, all bool) {
	for _, id := range w.near(f.box, inObstacles) {
		p := w.proxyAt(id)
		bi := w.bodyOf(p)
		o := w.bodies.At(bi)
		if o.solverIndex == 0 {
			if still {
				motion := w.motionAtRest(bi)
				w.sweepProxy(p, s, b, &motion, f)
			}
			continue
		}
		if !movers || o.kind == Dynamic {
			continue
		}
		if motion := &w.scratch.movers[o.moverIndex]; all || f.maxRelativeTravel(motion, b) > s.sweepGate() {
			w.sweepProxy(p, s, b, motion, f)
		}
	}
}

// sweepProxy sweeps s against p.
func (w *World) sweepProxy(p proxy, s *shape, b *body, motion *bodyMotion, f *shapeSweep) {
	if p.kind() == shapeProxy {
		if t := w.shapes.At(p.slot()); t.sensor || !w.mayCollide(s, t) {
			return
		}
	} else if !w.mayMeet(p, s) {
		return
	}
	if p.kind() == groundProxy && !motion.moves {
		w.sweepGround(p.slot(), s, b, motion, boundsOf(f.box, motion.from.InvMul(geom.At(geom.Vec{}))), f)
		return
	}
	v := f.relativeTo(s, b, motion)
	switch p.kind() {
	case groundProxy:
		w.sweepGround(p.slot(), s, b, motion, v.box.Translate(v.origin), f)
	case chainProxy:
		w.sweepChain(p.slot(), &v, f, b)
	default:
		v.hitShape(w.shapes.At(p.slot()), f, b)
	}
}
