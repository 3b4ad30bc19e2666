package quarry

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/surface"
)

// obstacles is the world as continuous collision sees it (ccd.Obstacles). Obstacles are the
// proxies that stop bodies: the shapes of static and kinematic bodies, grounds and chains, and
// for bullets the shapes of dynamic bodies. The boxes of moving kinematic bodies hold all of
// their motion, and these bodies mark the dynamic bodies near them, so that no other body is
// swept against them.
type obstacles World

// AppendNear implements ccd.Obstacles.
func (o *obstacles) AppendNear(dst []ccd.Obstacle, box geom.AABB) []ccd.Obstacle {
	w := (*World)(o)
	for _, id := range w.broad.Near(box, broad.Obstacles) {
		e := w.broad.At(id)
		c := ccd.Obstacle{ID: uint64(e.Owner), Body: e.Body, Box: e.Box, Open: e.Owner.Kind() == broad.Chain}
		if e.Owner.Kind() == broad.Shape {
			t := w.shapes.At(e.Owner.Slot())
			c.Hull, c.Geometry = &t.hull, t.geometry
		}
		if b := w.bodies.At(c.Body); b.solverIndex == 0 {
			c.Frame = b.transform()
		} else if c.Motion = w.motionOfMover(c.Body); c.Motion == nil {
			continue // a dynamic body that has left the world in this step
		}
		dst = append(dst, c)
	}
	return dst
}

// MayStop implements ccd.Obstacles.
func (o *obstacles) MayStop(c *ccd.Obstacle, shape int32) bool {
	w := (*World)(o)
	a, b := w.proxied(broad.Owner(c.ID)).proxy, w.shapes.At(shape).proxy
	return broad.MayCollide(w.broad.At(a), w.broad.At(b))
}

// AppendDynamic implements ccd.Obstacles.
func (o *obstacles) AppendDynamic(dst []ccd.Obstacle, shape int32, box geom.AABB) []ccd.Obstacle {
	w := (*World)(o)
	s := w.shapes.At(shape)
	for _, id := range w.broad.Near(box, broad.Dynamic) {
		dst = w.appendDynamicShape(dst, s, w.shapes.At(w.broad.At(id).Owner.Slot()))
	}
	// A fast body may have been in the path, and be elsewhere now.
	for _, k := range w.scratch.movedFar {
		o := w.bodies.At(w.scratch.awake[k])
		for ti := o.firstShape; ti >= 0; ti = w.shapes.At(ti).next {
			if t := w.shapes.At(ti); !w.broad.At(t.proxy).Box.Overlaps(box) {
				dst = w.appendDynamicShape(dst, s, t)
			}
		}
	}
	return dst
}

// appendDynamicShape appends t, if it may stop the bullet shape s, and belongs to a dynamic body
// that has already moved or does not move.
func (w *World) appendDynamicShape(dst []ccd.Obstacle, s, t *shape) []ccd.Obstacle {
	b := w.bodies.At(t.body)
	if b.kind != Dynamic || !broad.MayCollide(w.broad.At(s.proxy), w.broad.At(t.proxy)) || t.sensor {
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
func (o *obstacles) AppendFaces(dst []collide.Face, c *ccd.Obstacle, shape int32, r ccd.Region) []collide.Face {
	w := (*World)(o)
	p := broad.Owner(c.ID)
	if p.Kind() == broad.Ground {
		return w.appendTileFaces(dst, p.Slot(), shape, &r)
	}
	return w.appendChainFaces(dst, p.Slot(), &r)
}

// appendTileFaces appends the faces of the ground in slot gi in r that stop the shape in slot si.
func (w *World) appendTileFaces(dst []collide.Face, gi, si int32, r *ccd.Region) []collide.Face {
	cs, ok := surface.Cells(r.Box)
	if !ok {
		return dst
	}
	f, tiles, query := &w.scratch.sweep, &w.grounds.At(gi).tiles, w.sweepQuery(gi, si, r.Start)
	if !r.Joined {
		f.ListSweep(tiles, query, cs)
		for _, e := range f.Segments {
			dst = append(dst, collide.Face{A: surface.Local(e.A, r.Origin), B: surface.Local(e.B, r.Origin)})
		}
		return dst
	}
	f.CollectSweep(tiles, query, cs)
	for i := range f.Runs.List {
		dst = append(dst, collide.Face{})
		surface.SetFace(&dst[len(dst)-1], &f.Runs.List[i], r.Origin)
	}
	return dst
}

// appendChainFaces appends the faces of the chain in slot ci in r.
func (w *World) appendChainFaces(dst []collide.Face, ci int32, r *ccd.Region) []collide.Face {
	ch := w.chains.At(ci)
	w.scratch.chainNear = ch.AppendNear(w.scratch.chainNear[:0], r.Box)
	for _, k := range w.scratch.chainNear {
		if r.Joined {
			dst = append(dst, ch.Face(int(k), r.Origin))
			continue
		}
		a, b := ch.Ends(int(k))
		dst = append(dst, collide.Face{A: a.Sub(r.Origin), B: b.Sub(r.Origin)})
	}
	return dst
}

// motionOfMover returns the motion of body i, which moves and is not dynamic; nil if it was dynamic
// when the step began.
func (w *World) motionOfMover(i int32) *ccd.Motion {
	k := w.bodies.At(i).moverIndex
	if int(k) < len(w.scratch.movers) && w.scratch.movers[k].Body == i {
		return &w.scratch.movers[k]
	}
	return nil
}

// motionAtRest returns the motion of a body that does not move in this step.
func (w *World) motionAtRest(i int32) ccd.Motion {
	return ccd.AtRest(w.bodies.At(i).transform(), i)
}

// nearMover reports whether b, of which no point moves farther than travel, may meet a moving
// kinematic body.
func (w *World) nearMover(b *body, travel float64) bool {
	return len(w.scratch.movers) > 0 && (b.nearMoverAt == w.steps+1 || travel > aabbMargin)
}

// markNearMovers marks the dynamic bodies that the moving kinematic bodies may meet in this
// step, if they move no farther than aabbMargin.
func (w *World) markNearMovers() {
	const room = aabbMargin + ccd.PathSlop
	for k := range w.scratch.movers {
		for e := range w.proxiesOf(w.scratch.movers[k].Body) {
			if e.Sensor {
				continue
			}
			for _, id := range w.broad.Near(e.Box.Expand(room), broad.Dynamic) {
				w.bodies.At(w.broad.At(id).Body).nearMoverAt = w.steps + 1
			}
		}
	}
}
