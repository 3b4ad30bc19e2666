package quarry

import "github.com/quarry2d/quarry/geom"

// Obstacles are the proxies that continuous collision stops bodies at: the shapes of static
// and kinematic bodies, grounds and chains. Each is seen from its own body, whose motion
// through the step is a passage. The broad phase finds the obstacles near the path of a
// shape. Those that move in this step have boxes that hold all of their motion, and mark the
// bodies near them, so that no other body is swept against them.

// passage is the way through a step of a body that moves before those that are
// swept against it, seen from it: of one that is not dynamic, or, for bullets, is.
type passage struct {
	from, to  geom.Transform
	center, d geom.Vec // of the body's mass, as it sets out, and its way
	turn      float64  // radians
	body      int32
	moves     bool
}

// seen returns a way in the world, from p along d, as seen from the passage.
func (g *passage) seen(p, d geom.Vec) (origin, step geom.Vec) {
	origin = g.from.Inv(p)
	if !g.moves {
		return origin, g.to.Q.Inv(d)
	}
	return origin, g.to.Inv(p.Add(d)).Sub(origin)
}

// part returns the passage from the share t0 to t1 of the step.
func (g *passage) part(t0, t1 float64) passage {
	out := *g
	at := func(t float64) geom.Transform {
		q := geom.NewRot(t * g.turn).Mul(g.from.Q).Norm()
		local := g.from.Inv(g.center) // of the centre of mass
		return geom.Transform{P: g.center.MulAdd(t, g.d).Sub(q.Apply(local)), Q: q}
	}
	if t0 > 0 {
		out.from = at(t0)
	}
	if t1 < 1 {
		out.to = at(t1)
	}
	return out
}

// bulge returns how far at most an arc of the passage's turn, at the given distance from the
// centre, is from its chord.
func (g *passage) bulge(reach float64) float64 {
	return min(0.125*reach*g.turn*g.turn, 2*reach)
}

// see returns the motion of sw in the frame of the passage, whose body does not move.
func (g *passage) see(sw *sweep) (origin, step geom.Vec) {
	sw.back = g.from.Q.Inv(sw.began.Sub(sw.from))
	return g.seen(sw.from, sw.d)
}

// still is the passage of a body that does not move in this step.
func (w *World) still(i int32) passage {
	t := w.bodies.items[i].transform()
	return passage{from: t, to: t, body: i}
}

// besideMover reports whether b, on its way from center and the rotation was, may meet a
// moving kinematic body.
func (w *World) besideMover(b *body, center geom.Vec, was geom.Rot, about float64) bool {
	return len(w.scratch.movers) > 0 && (b.beside == w.steps+1 || b.farOf(center, was, about) > aabbMargin)
}

// markBeside marks the dynamic bodies that the moving kinematic bodies may meet in this
// step, if they move no farther than aabbMargin.
func (w *World) markBeside() {
	const room = aabbMargin + touchSlop + geom.LinearSlop
	for k := range w.scratch.movers {
		o := &w.bodies.items[w.scratch.movers[k].body]
		for i := o.firstShape; i >= 0; i = w.shapes.items[i].next {
			if s := &w.shapes.items[i]; !s.sensor {
				w.markIn(s.fat.Expand(room))
			}
		}
		for i := o.firstGround; i >= 0; i = w.grounds.items[i].next {
			w.markIn(w.grounds.items[i].fat.Expand(room))
		}
		for i := o.firstChain; i >= 0; i = w.chains.items[i].next {
			w.markIn(w.chains.items[i].fat.Expand(room))
		}
	}
}

// markIn marks the dynamic bodies whose boxes overlap box.
func (w *World) markIn(box geom.AABB) {
	for _, id := range w.near(box, inDynamic) {
		w.bodies.items[w.shapes.items[w.proxyAt(id).slot()].body].beside = w.steps + 1
	}
}

// bodyOf returns the body that carries p.
func (w *World) bodyOf(p proxy) int32 {
	switch p.kind() {
	case groundProxy:
		return w.grounds.items[p.slot()].body
	case chainProxy:
		return w.chains.items[p.slot()].body
	}
	return w.shapes.items[p.slot()].body
}

// sweepStill sweeps the core of s against p, of the body bi, which does not move.
func (w *World) sweepStill(p proxy, bi int32, s *shape, sw *sweep) {
	way := w.still(bi)
	origin, step := way.see(sw)
	w.sweepProxy(p, s, sw, &way, origin, step)
}

// sweepMover sweeps the core of s, from the share t0 to t1 of the step, against p, of a
// moving kinematic body, unless the core hardly moves relative to that body.
func (w *World) sweepMover(p proxy, s *shape, sw *sweep, full *passage, t0, t1 float64) {
	way := full
	if t0 > 0 || t1 < 1 {
		part := full.part(t0, t1)
		way = &part
	}
	origin, step := way.seen(sw.from, sw.d)
	sw.back = full.from.Inv(sw.began).Sub(origin)
	if sw.all || step.Len2() > sw.r*sw.r {
		w.sweepProxy(p, s, sw, way, origin, step)
	}
}

// sweepProxy sweeps the core of s against p.
func (w *World) sweepProxy(p proxy, s *shape, sw *sweep, way *passage, origin, step geom.Vec) {
	switch p.kind() {
	case groundProxy:
		w.sweepGround(p.slot(), s, sw, way, origin, step)
	case chainProxy:
		w.sweepChain(p.slot(), s, sw, way, origin, step)
	default:
		w.sweepOther(&w.shapes.items[p.slot()], s, sw, way, origin, step)
	}
}

// flyPast sweeps s against the obstacles in its way: with still, those that do not move in
// this step; with movers, the moving kinematic bodies, if as seen from them some part of it
// moves far enough, or with all.
func (w *World) flyPast(s *shape, b *body, f *flight, still, movers, all bool) {
	for _, id := range w.near(f.box, inObstacles) {
		p := w.proxyAt(id)
		bi := w.bodyOf(p)
		o := &w.bodies.items[bi]
		if o.solver == 0 {
			if still {
				way := w.still(bi)
				w.flyPastProxy(p, s, b, &way, f)
			}
			continue
		}
		if !movers || o.kind == Dynamic {
			continue
		}
		if way := &w.scratch.movers[o.mover]; all || f.farFrom(way, b) > s.gate() {
			w.flyPastProxy(p, s, b, way, f)
		}
	}
}

// flyPastProxy sweeps s against p.
func (w *World) flyPastProxy(p proxy, s *shape, b *body, way *passage, f *flight) {
	if p.kind() == shapeProxy {
		if t := &w.shapes.items[p.slot()]; t.sensor || !w.mayCollide(s, t) {
			return
		}
	} else if !w.mayMeet(p, s) {
		return
	}
	if p.kind() == groundProxy && !way.moves {
		w.flyOver(p.slot(), s, b, way, boundsOf(f.box, way.from.InvMul(geom.At(geom.Vec{}))), f)
		return
	}
	v := f.viewOf(s, b, way)
	switch p.kind() {
	case groundProxy:
		w.flyOver(p.slot(), s, b, way, v.box.Translate(v.origin), f)
	case chainProxy:
		w.flyOverChain(p.slot(), &v, f, b)
	default:
		v.pass(&w.shapes.items[p.slot()], f, b)
	}
}
