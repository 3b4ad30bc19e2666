package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/surface"
)

// Sensor overlaps are computed after all bodies have moved, so that the sensor events of a step
// describe its end. A fast body may pass a sensor, or a sensor may pass a shape, without an overlap
// at either end of the step: such bodies are swept, and the step reports both the begin and the end
// event. SetTransform is no motion: the sweep begins at the pose that SetTransform set.

// sense computes the overlaps of sensors at the end of a step.
func (w *World) sense() {
	if !w.broad.HasSensors() {
		return
	}
	// findPairs runs at the start of a step, so it would pair the shapes whose boxes came to overlap in this
	// step one step late.
	w.scratch.pairs = w.broad.SensorPairs(w.scratch.pairs[:0])
	w.addPairs(w.scratch.pairs)
	w.crossSensors()
	for i := range w.active.All() {
		c := w.contacts.At(i)
		if !c.sensor || w.bodies.At(c.bodyA).solverIndex == 0 && w.bodies.At(c.bodyB).solverIndex == 0 && !c.stale {
			continue
		}
		c.stale = false
		if !w.boxesOverlap(c) {
			w.removeContact(i, false)
			continue
		}
		overlaps, at := w.overlap(w.sideA(c), w.shapes.At(c.shapeB))
		w.setTouching(c, overlaps && !c.filtered, &at)
	}
}

// overlap reports whether o, a shape or ground, and a shape overlap at their present poses, and the first tile of a ground that does.
func (w *World) overlap(o broad.Owner, sb *shape) (overlaps bool, at contact.Source) {
	if o.Kind() == broad.Shape {
		sa := w.shapes.At(o.Slot())
		return ccd.Overlap(&sa.hull, &sb.hull, w.bodies.At(sa.body).transform(), w.bodies.At(sb.body).transform()), at
	}
	g, a := w.grounds.At(o.Slot()), w.ask(&QueryFilter{})
	a.probe.Hull = sb.hull
	a.probe.Place(w.bodies.At(g.body).transform(), w.bodies.At(sb.body).transform(), geom.Vec{})
	a.hits = a.GroundOverlaps(a.hits[:0], &a.probe, &g.tiles, g.bounds(), true)
	if overlaps = len(a.hits) > 0; overlaps {
		at.Cell, at.Tile, at.Material = a.hits[0].Cell, a.hits[0].Tile, a.hits[0].Material
	}
	a.done()
	return overlaps, at
}

// staleSensors marks the contacts of sensors of body i: they are computed at the end of the next step though nothing moves.
func (w *World) staleSensors(i int32) {
	for l, c := range w.contactsOf(i) {
		c.stale = c.sensor
		w.active.Add(l >> 1)
	}
}

// recordFastMotion records the motion of body i for crossSensors, if one of its shapes may pass a
// sensor within the step. The motion began at center with the rotation was; turnGuess is the angle
// of the turn in radians, to within half a turn.
func (k *worker) recordFastMotion(i int32, center geom.Vec, was geom.Rot, turnGuess float64) {
	w := k.w
	b := w.bodies.At(i)
	motion := ccd.Motion{Body: i, Moves: true, Center: center, D: b.center.Sub(center)}
	motion.Turn = ccd.TurnOf(was, b.rot, turnGuess)
	if !w.mayPass(&motion) {
		return
	}
	motion.From = geom.Transform{P: center.Sub(was.Apply(b.localCenter)), Q: was}
	motion.To = b.transform()
	*w.scratch.passing.Add(k.number, k.part) = motion
}

// leastTile is the radius, in cells, of a disc: a tile that holds none may pass a sensor within a step, unless it is part of a
// larger solid.
const leastTile = 1.0 / 16

// mayPass reports whether a shape or tile of the body of m may pass a sensor, or a sensor of it a shape, within m.
func (w *World) mayPass(m *ccd.Motion) bool {
	b := w.bodies.At(m.Body)
	extent, gate := b.extent, w.rare(m.Body).gate
	for g := b.firstGround; g >= 0; g = w.grounds.At(g).next {
		extent, gate = max(extent, mass.Extent(w.grounds.At(g).box, b.localCenter)), min(gate, ccd.Gate(leastTile))
	}
	return m.MayPass(extent, gate)
}

// sweptBox returns a box around the path of o, a shape or ground of the body of m.
func (w *World) sweptBox(o broad.Owner, m *ccd.Motion) geom.AABB {
	b := w.bodies.At(m.Body)
	if o.Kind() == broad.Shape {
		return m.SweptBox(&w.shapes.At(o.Slot()).hull, b.extent)
	}
	return m.BoundsOf(w.grounds.At(o.Slot()).bounds(), m.To, b.localCenter)
}

// crossSensors reports the shapes and grounds that have passed sensors within the step: pairs that
// neither touched after the step before nor overlap at the end of this one.
func (w *World) crossSensors() {
	sc := &w.scratch
	for k := range sc.movers[:len(sc.kinematic)] {
		if motion := &sc.movers[k]; w.mayPass(motion) {
			sc.fast.List = append(sc.fast.List, *motion)
		}
	}
	sc.fast.Number(len(sc.awake)+1, func(body int32) int32 { return w.bodies.At(body).solverIndex })
	sc.pairs = sc.pairs[:0]
	for k := range sc.fast.List {
		motion := &sc.fast.List[k]
		for o, p := range w.ownersOf(motion.Body) {
			if o.Kind() == broad.Chain || p.proxy == broad.None {
				continue
			}
			box := w.sweptBox(o, motion)
			sc.pairs = w.broad.AppendSensed(sc.pairs, w.broad.At(p.proxy), box)
			if w.broad.At(p.proxy).Sensor {
				sc.pairs = w.appendFast(sc.pairs, o.Slot(), box)
			}
		}
	}
	slices.Sort(sc.pairs)
	sc.pairs = slices.Compact(sc.pairs)
	for _, key := range sc.pairs {
		w.reportCrossing(key)
	}
	sc.fast.List = sc.fast.List[:0]
}

// appendFast appends the pairs of the sensor in slot i and the shapes and grounds of fast bodies that
// pass through box: at the end of the step their boxes may no longer overlap it.
func (w *World) appendFast(dst []broad.Key, i int32, box geom.AABB) []broad.Key {
	s := w.shapes.At(i)
	for k := range w.scratch.fast.List {
		motion := &w.scratch.fast.List[k]
		for o, p := range w.ownersOf(motion.Body) {
			if o.Kind() != broad.Chain && p.proxy != broad.None && broad.MayCollide(w.broad.At(p.proxy), w.broad.At(s.proxy)) && w.sweptBox(o, motion).Overlaps(box) {
				dst = append(dst, broad.KeyOf(o, i))
			}
		}
	}
	return dst
}

// reportCrossing reports the begin and the end of the overlap of a sensor and a shape or ground, if
// one passed the other within the step.
func (w *World) reportCrossing(key broad.Key) {
	if ci, ok := w.broad.Pairs.Get(uint64(key)); ok && w.contacts.At(ci).touching {
		return
	}
	p, b := key.Sides()
	sb := w.shapes.At(b)
	if overlaps, _ := w.overlap(p, sb); overlaps {
		return // sense reports the begin, and the overlap lasts
	}
	if w.flagsOf(p, b)&NoSensorEvents != 0 || w.filters(p, b) {
		return
	}
	if w.crosses(p, sb) {
		ev := ContactEvent{ShapeB: ShapeID(w.shapes.ID(b))}
		ev.ShapeA, ev.Ground, _ = w.idsOf(p)
		w.events.sensorBegins = append(w.events.sensorBegins, ev)
		w.events.sensorEnds.Add(ev, true)
	}
}

// crosses reports whether o, a shape or ground, and a shape overlap within the step. Of a ground it asks the convex pieces of the
// tiles near the path of the shape.
func (w *World) crosses(o broad.Owner, sb *shape) bool {
	body := w.proxied(o).body
	a, b := w.bodies.At(body), w.bodies.At(sb.body)
	wa, wb := w.motionOf(body), w.motionOf(sb.body)
	if o.Kind() == broad.Shape {
		return ccd.Crosses(&w.shapes.At(o.Slot()).hull, &sb.hull, &wa, &wb, a.localCenter, b.localCenter)
	}
	k, g := &w.workers[0], w.grounds.At(o.Slot())
	cells, ok := surface.Cells(wb.PathIn(&wa, &sb.hull, b.extent))
	if !ok {
		return false
	}
	k.pieces.Reset()
	k.pieces.Add(&g.tiles, cells, 0)
	k.mover.Shapes = k.pieces.AppendShapes(k.mover.Shapes[:0])
	for _, s := range k.mover.Shapes {
		if ccd.Crosses(s.Hull, &sb.hull, &wa, &wb, a.localCenter, b.localCenter) {
			return true
		}
	}
	return false
}

// motionOf returns the motion of body i in this step if the body is fast. Any other body
// counts as still, at its pose at the end of the step.
func (w *World) motionOf(i int32) ccd.Motion {
	if m := w.scratch.fast.Of(w.bodies.At(i).solverIndex); m != nil {
		return *m
	}
	b := w.bodies.At(i)
	motion := ccd.AtRest(b.transform(), i)
	motion.Center = b.center
	return motion
}
