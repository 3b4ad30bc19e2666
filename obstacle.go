package quarry

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/surface"
)

// A worker is the world as continuous collision sees it (ccd.Obstacles). Obstacles are the proxies
// that stop bodies: the shapes of static and kinematic bodies, grounds and chains, and for bullets
// the shapes of dynamic bodies. The boxes of moving kinematic bodies hold all of their motion, and
// these bodies mark the dynamic bodies near them, so that no other body is swept against them.

// AppendNear implements ccd.Obstacles.
func (k *worker) AppendNear(dst []ccd.Obstacle, box geom.AABB) []ccd.Obstacle {
	w := k.w
	for _, id := range k.find(box, broad.Obstacles) {
		e := w.broad.At(id)
		c := ccd.Obstacle{ID: uint64(e.Owner), Body: e.Body, Box: e.Box, Open: e.Owner.Kind() == broad.Chain}
		if e.Owner.Kind() == broad.Shape {
			t := w.shapes.At(e.Owner.Slot())
			c.Hull, c.Geometry = &t.hull, t.geometry
		}
		if b := w.bodies.At(c.Body); b.solverIndex == 0 {
			c.Frame = b.transform()
			if c.Open && !w.chains.At(e.Owner.Slot()).MayMeet(box.In(c.Frame.InvMul(geom.At(geom.Vec{})))) {
				continue // most bodies in the box of a long chain
			}
		} else if c.Motion = w.motionOfMover(c.Body); c.Motion == nil {
			continue // a dynamic body that has left the world in this step
		}
		dst = append(dst, c)
	}
	return dst
}

// find returns the proxies in the categories whose boxes overlap box, valid until the next find.
func (k *worker) find(box geom.AABB, categories uint64) []broad.ID {
	k.near = k.w.broad.Grid.AppendOverlaps(k.near[:0], box, categories)
	return k.near
}

// MayStop implements ccd.Obstacles. The pieces of a ground have the complement of its slot.
func (k *worker) MayStop(c *ccd.Obstacle, shape int32) bool {
	w, o := k.w, broad.Owner(c.ID)
	p, q := w.proxied(o), w.proxied(broad.OwnerOfB(shape))
	if b := w.bodies.At(p.body); shape < 0 && p.body > q.body && b.kind == Dynamic && b.solverIndex != 0 {
		return false // of two grounds that move one gives way, or both would stop short of the other, and never touch
	}
	if shape < 0 && o.Kind() == broad.Shape {
		o, shape, p, q = broad.OwnerOfB(shape), o.Slot(), q, p
	}
	return w.broad.MayCollide(w.broad.At(p.proxy), w.broad.At(q.proxy)) && !w.passes(o, shape)
}

// AppendDynamic implements ccd.Obstacles.
func (k *worker) AppendDynamic(dst []ccd.Obstacle, shape int32, box geom.AABB) []ccd.Obstacle {
	w := k.w
	if shape < 0 {
		return dst // a ground is no bullet
	}
	for _, id := range k.find(box, broad.Dynamic) {
		dst = w.appendDynamicShape(dst, shape, w.broad.At(id).Owner.Slot())
	}
	// A fast body may have been in the path, and be elsewhere now.
	for _, k := range w.scratch.movedFar {
		o := w.bodies.At(w.scratch.awake[k])
		for ti := o.firstShape; ti >= 0; ti = w.shapes.At(ti).next {
			if !w.broad.At(w.shapes.At(ti).proxy).Box.Overlaps(box) {
				dst = w.appendDynamicShape(dst, shape, ti)
			}
		}
	}
	return dst
}

// appendDynamicShape appends the shape ti, if it may stop the bullet shape si, and belongs to a dynamic
// body that has already moved or does not move.
func (w *World) appendDynamicShape(dst []ccd.Obstacle, si, ti int32) []ccd.Obstacle {
	s, t := w.shapes.At(si), w.shapes.At(ti)
	b := w.bodies.At(t.body)
	if b.kind != Dynamic || !w.broad.MayCollide(w.broad.At(s.proxy), w.broad.At(t.proxy)) || t.sensor || w.passes(broad.OwnerOf(broad.Shape, ti), si) {
		return dst
	}
	c := ccd.Obstacle{Body: t.body, Hull: &t.hull, Geometry: t.geometry}
	if b.solverIndex == 0 {
		c.Frame = b.transform()
	} else if c.Motion = &w.scratch.motions[b.solverIndex-1]; !c.Motion.Moves {
		return dst // a bullet that comes after this one
	}
	return append(dst, c)
}

// AppendFaces implements ccd.Obstacles.
func (k *worker) AppendFaces(dst []collide.Face, c *ccd.Obstacle, shape int32, r ccd.Region) []collide.Face {
	w := k.w
	p := broad.Owner(c.ID)
	if p.Kind() == broad.Chain {
		return w.chains.At(p.Slot()).AppendFaces(dst, &k.chainNear, r.Box, r.Origin, r.Joined)
	}
	cells, ok := surface.Cells(r.Box)
	if !ok {
		return dst
	}
	var query *oneway.Query
	if shape >= 0 {
		query = k.queryOfSweep(p.Slot(), shape, r.Start)
	}
	return k.sweep.AppendFaces(dst, &w.grounds.At(p.Slot()).tiles, query, cells, r.Origin, r.Joined)
}

// motionOfMover returns the motion of body i, which moves and is not dynamic, or has a ground; nil if it was dynamic
// when the step began.
func (w *World) motionOfMover(i int32) *ccd.Motion {
	k := w.bodies.At(i).moverIndex
	if int(k) < len(w.scratch.movers) && w.scratch.movers[k].Body == i {
		return &w.scratch.movers[k]
	}
	return nil
}

// nearMover reports whether b, of which no point moves farther than travel, may meet a moving
// kinematic body.
func (w *World) nearMover(b *body, travel float64) bool {
	return len(w.scratch.movers) > 0 && (b.nearMoverAt == w.steps+1 || travel > aabbMargin)
}

// markNear marks the dynamic bodies with proxies of the categories that the mover, body i, may meet in this step, if they
// move no farther than aabbMargin.
func (w *World) markNear(i int32, categories uint64) {
	const room = aabbMargin + ccd.PathSlop
	for e := range w.proxiesOf(i) {
		if e.Sensor {
			continue
		}
		for _, id := range w.broad.Near(e.Box.Expand(room), categories) {
			if o := w.broad.At(id).Body; o != i {
				w.bodies.At(o).nearMoverAt = w.steps + 1
			}
		}
	}
}
