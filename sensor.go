package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// Sensors are looked at when all bodies have moved, so a step tells of the overlaps at
// its own end. A body that moves far in a step may pass a sensor, or be passed by one,
// without overlapping it at either end: it is swept, and the step tells of both the
// beginning and the end. SetTransform is no motion: the sweep begins where it puts a body.
//
// Sensors lie in a grid of their own besides the broad phase, so that other shapes find
// them without looking at each other.

// addSensor puts the sensor in slot si in the grid of sensors.
func (w *World) addSensor(si int32) error {
	if w.sensorBoxes == nil {
		w.sensorBoxes = grid.NewHierarchical(w.config.CellSize)
	}
	s := &w.shapes.items[si]
	id, err := w.sensorBoxes.Add(s.fat, uint64(si))
	s.sensed = id
	return err
}

// senses reports whether there are sensors.
func (w *World) senses() bool { return w.sensorBoxes != nil && w.sensorBoxes.Len() > 0 }

// sense finds the overlaps of sensors at the end of a step.
func (w *World) sense() {
	if !w.senses() {
		return
	}
	w.pairSensors()
	w.crossSensors()
	for i := range w.contacts.items {
		c := &w.contacts.items[i]
		if !c.sensor || !w.contacts.used(int32(i)) {
			continue
		}
		if w.bodies.items[c.bodyA].solver == 0 && w.bodies.items[c.bodyB].solver == 0 && !c.stale {
			continue
		}
		c.stale = false
		sa, sb := &w.shapes.items[c.shapeA], &w.shapes.items[c.shapeB]
		if !sa.fat.Overlaps(sb.fat) {
			w.removeContact(int32(i), false)
			continue
		}
		w.setTouching(c, w.overlap(sa, sb))
	}
}

// overlap reports whether two shapes overlap where they are.
func (w *World) overlap(sa, sb *shape) bool {
	return overlapAt(sa, sb, w.bodies.items[sa.body].transform(), w.bodies.items[sb.body].transform())
}

// overlapAt is overlap for shapes of bodies in the frames ta and tb.
func overlapAt(sa, sb *shape, ta, tb geom.Transform) bool {
	var m collide.Manifold
	collide.Hulls(&m, &sa.hull, &sb.hull, ta.InvMul(tb), 0)
	for k := range m.N {
		if m.Points[k].Separation <= 0 {
			return true
		}
	}
	return false
}

// boxesFor returns the grid that holds what s may overlap: all shapes if it is a sensor,
// else the sensors.
func (w *World) boxesFor(s *shape) *grid.Grid {
	if s.sensor {
		return w.broad
	}
	return w.sensorBoxes
}

// pairSensors makes contacts of the sensors and shapes whose boxes have come to overlap
// in this step. (findPairs would, but only in the next.)
func (w *World) pairSensors() {
	sc := &w.scratch
	sc.pairs = sc.pairs[:0]
	for _, i := range sc.moved {
		if i >= 0 {
			sc.pairs = w.appendSensed(sc.pairs, i, w.shapes.items[i].fat)
		}
	}
	w.addPairs()
}

// appendSensed appends the pairs of the shape in slot i and those in box that it senses,
// or is sensed by, and has no contact with that touches.
func (w *World) appendSensed(dst []pairKey, i int32, box geom.AABB) []pairKey {
	sc, s := &w.scratch, &w.shapes.items[i]
	boxes := w.boxesFor(s)
	sc.near = boxes.AppendOverlaps(sc.near[:0], box, grid.All)
	for _, id := range sc.near {
		k := int32(boxes.Data(id))
		if k == i || !w.mayCollide(s, &w.shapes.items[k]) {
			continue
		}
		dst = append(dst, pairOf(i, k))
	}
	return dst
}

// noteFast keeps the motion of body i, which set out at center turned by was and turned
// by about so many radians, for crossSensors, if any of its shapes may pass a sensor by
// it: a shape that moves by less than its core overlaps all that it passes, at one end of
// the motion or the other.
func (w *World) noteFast(i int32, center geom.Vec, was geom.Rot, about float64) {
	b := &w.bodies.items[i]
	way := passage{body: i, moves: true, center: center, d: b.center.Sub(center)}
	way.turn = turnOf(was, b.rot, about)
	if !w.outruns(b, &way) {
		return
	}
	way.from = geom.Transform{P: center.Sub(was.Apply(b.localCenter)), Q: was}
	way.to = b.transform()
	w.scratch.fast = append(w.scratch.fast, way)
}

// outruns reports whether a shape of b may pass another in a step by moving as way says.
func (w *World) outruns(b *body, way *passage) bool {
	far := way.d.Len() + float64(math.Abs(way.turn)*b.reach)
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		if far > w.shapes.items[si].gate() {
			return true
		}
	}
	return false
}

// crossSensors tells of the shapes that have passed sensors within the step: that did
// not overlap them as it began, as far as was told, nor do as it ends.
func (w *World) crossSensors() {
	sc := &w.scratch
	for k := range sc.movers {
		if way := &sc.movers[k]; w.outruns(&w.bodies.items[way.body], way) {
			sc.fast = append(sc.fast, *way)
		}
	}
	sc.fastOf = sc.fastOf[:0]
	for range len(sc.awake) + 1 {
		sc.fastOf = append(sc.fastOf, -1)
	}
	for k := range sc.fast {
		sc.fastOf[w.bodies.items[sc.fast[k].body].solver] = int32(k)
	}
	sc.pairs = sc.pairs[:0]
	for k := range sc.fast {
		way := &sc.fast[k]
		b := &w.bodies.items[way.body]
		for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
			s := &w.shapes.items[si]
			box := s.swept(way, b)
			sc.pairs = w.appendSensed(sc.pairs, si, box)
			if s.sensor {
				sc.pairs = w.appendFast(sc.pairs, si, box)
			}
		}
	}
	slices.Sort(sc.pairs)
	sc.pairs = slices.Compact(sc.pairs)
	for _, key := range sc.pairs {
		w.cross(key)
	}
	sc.fast = sc.fast[:0]
}

// swept returns a box round all that s, of b, passes as that moves along way.
func (s *shape) swept(way *passage, b *body) geom.AABB {
	bulge := float64(0.125 * b.reach * way.turn * way.turn)
	return s.bounds(way.from).Union(s.bounds(way.to)).Expand(min(bulge, 2*b.reach))
}

// appendFast appends the pairs of the sensor in slot i and the shapes of fast bodies that
// pass through box: they may be elsewhere as the step ends.
func (w *World) appendFast(dst []pairKey, i int32, box geom.AABB) []pairKey {
	s := &w.shapes.items[i]
	for k := range w.scratch.fast {
		way := &w.scratch.fast[k]
		b := &w.bodies.items[way.body]
		for ti := b.firstShape; ti >= 0; ti = w.shapes.items[ti].next {
			if t := &w.shapes.items[ti]; w.mayCollide(s, t) && t.swept(way, b).Overlaps(box) {
				dst = append(dst, pairOf(i, ti))
			}
		}
	}
	return dst
}

// cross tells of the beginning and the end of the overlap of a sensor and a shape that
// one passed the other within the step.
func (w *World) cross(key pairKey) {
	if ci, ok := w.pairs[key]; ok && w.contacts.items[ci].touching {
		return
	}
	a, b := int32(key>>32), int32(key&0xffffffff)
	sa, sb := &w.shapes.items[a], &w.shapes.items[b]
	if w.overlap(sa, sb) {
		return // it begins, and goes on
	}
	wa, wb := w.motionOf(sa.body), w.motionOf(sb.body)
	// As seen from where the first sets out.
	ca, ma := sa.sweepAlong(&wa, &w.bodies.items[sa.body], wa.center)
	cb, mb := sb.sweepAlong(&wb, &w.bodies.items[sb.body], wa.center)
	t, ok := geom.TimeOfImpact(&ca, &ma, &cb, &mb, 0)
	if !ok || t == 0 && !overlapAt(sa, sb, wa.from, wb.from) {
		return // geom.TimeOfImpact takes what is very near for an overlap
	}
	ev := ContactEvent{ShapeA: ShapeID(w.shapes.id(a)), ShapeB: ShapeID(w.shapes.id(b))}
	w.events.sensorBegins = append(w.events.sensorBegins, ev)
	w.events.sensorEnds = append(w.events.sensorEnds, ev)
}

// motionOf returns the motion of body i in this step, if it is fast; else it counts as
// still, where it is.
func (w *World) motionOf(i int32) passage {
	if k := w.scratch.fastOf[w.bodies.items[i].solver]; k >= 0 {
		return w.scratch.fast[k]
	}
	way := w.still(i)
	way.center = w.bodies.items[i].center
	return way
}

// sweepAlong returns the core of s, of b, and its motion along way, as seen from origin.
func (s *shape) sweepAlong(way *passage, b *body, origin geom.Vec) (geom.Core, geom.Sweep) {
	c := geom.Core{V: s.hull.V, N: s.hull.N, Radius: s.hull.Radius}
	from := way.center.Sub(origin)
	c = c.In(geom.Transform{P: way.from.Q.Apply(b.localCenter).Neg(), Q: way.from.Q})
	return c, geom.Sweep{From: from, To: from.Add(way.d), Angle1: way.turn}
}
