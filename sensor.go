package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
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
		sa, sb := w.shapes.At(c.shapeA), w.shapes.At(c.shapeB)
		if !w.broad.At(sa.proxy).Box.Overlaps(w.broad.At(sb.proxy).Box) {
			w.removeContact(i, false)
			continue
		}
		w.setTouching(c, !c.filtered && w.overlap(sa, sb), nil)
	}
}

// overlap reports whether two shapes overlap at their present poses.
func (w *World) overlap(sa, sb *shape) bool {
	return ccd.Overlap(&sa.hull, &sb.hull, w.bodies.At(sa.body).transform(), w.bodies.At(sb.body).transform())
}

// recordFastMotion records the motion of body i for crossSensors, if one of its shapes may pass a
// sensor within the step. The motion began at center with the rotation was; turnGuess is the angle
// of the turn in radians, to within half a turn.
func (w *World) recordFastMotion(i int32, center geom.Vec, was geom.Rot, turnGuess float64) {
	b := w.bodies.At(i)
	motion := ccd.Motion{Body: i, Moves: true, Center: center, D: b.center.Sub(center)}
	motion.Turn = ccd.TurnOf(was, b.rot, turnGuess)
	if !motion.MayPass(b.extent, w.rare(i).gate) {
		return
	}
	motion.From = geom.Transform{P: center.Sub(was.Apply(b.localCenter)), Q: was}
	motion.To = b.transform()
	w.scratch.fast.List = append(w.scratch.fast.List, motion)
}

// crossSensors reports the shapes that have passed sensors within the step: pairs that
// neither touched after the step before nor overlap at the end of this one.
func (w *World) crossSensors() {
	sc := &w.scratch
	for k := range sc.movers {
		if motion := &sc.movers[k]; motion.MayPass(w.bodies.At(motion.Body).extent, w.rare(motion.Body).gate) {
			sc.fast.List = append(sc.fast.List, *motion)
		}
	}
	sc.fast.Number(len(sc.awake)+1, func(body int32) int32 { return w.bodies.At(body).solverIndex })
	sc.pairs = sc.pairs[:0]
	for k := range sc.fast.List {
		motion := &sc.fast.List[k]
		b := w.bodies.At(motion.Body)
		for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
			s := w.shapes.At(si)
			box := motion.SweptBox(&s.hull, b.extent)
			sc.pairs = w.broad.AppendSensed(sc.pairs, w.broad.At(s.proxy), box)
			if s.sensor {
				sc.pairs = w.appendFast(sc.pairs, si, box)
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

// appendFast appends the pairs of the sensor in slot i and the shapes of fast bodies that
// pass through box: at the end of the step their boxes may no longer overlap it.
func (w *World) appendFast(dst []broad.Key, i int32, box geom.AABB) []broad.Key {
	s := w.shapes.At(i)
	for k := range w.scratch.fast.List {
		motion := &w.scratch.fast.List[k]
		b := w.bodies.At(motion.Body)
		for ti := b.firstShape; ti >= 0; ti = w.shapes.At(ti).next {
			if t := w.shapes.At(ti); broad.MayCollide(w.broad.At(s.proxy), w.broad.At(t.proxy)) && motion.SweptBox(&t.hull, b.extent).Overlaps(box) {
				dst = append(dst, broad.KeyOf(broad.OwnerOf(broad.Shape, i), ti))
			}
		}
	}
	return dst
}

// reportCrossing reports the begin and the end of the overlap of a sensor and a shape, if
// one passed the other within the step.
func (w *World) reportCrossing(key broad.Key) {
	if ci, ok := w.broad.Pairs.Get(uint64(key)); ok && w.contacts.At(ci).touching {
		return
	}
	p, b := key.Sides()
	sa, sb := w.shapes.At(p.Slot()), w.shapes.At(b)
	if w.overlap(sa, sb) {
		return // sense reports the begin, and the overlap lasts
	}
	if w.flagsOf(p, b)&NoSensorEvents != 0 || w.filters(p, b) {
		return
	}
	wa, wb := w.motionOf(sa.body), w.motionOf(sb.body)
	if ccd.Crosses(&sa.hull, &sb.hull, &wa, &wb, w.bodies.At(sa.body).localCenter, w.bodies.At(sb.body).localCenter) {
		ev := ContactEvent{ShapeA: ShapeID(w.shapes.ID(p.Slot())), ShapeB: ShapeID(w.shapes.ID(b))}
		w.events.sensorBegins = append(w.events.sensorBegins, ev)
		w.events.sensorEnds.Add(ev, true)
	}
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
