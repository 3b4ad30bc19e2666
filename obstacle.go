package quarry

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/flush"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/state"
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
		e := w.state.Broad.At(id)
		b, open := w.state.Bodies.At(e.Body), e.Owner.Kind() == broad.Chain
		var frame geom.Transform
		var motion *ccd.Motion
		if b.SolverIndex == 0 {
			frame = b.Transform()
			if open && !w.state.Chains.At(e.Owner.Slot()).MayMeet(box.In(frame.InvMul(geom.At(geom.Vec{})))) {
				continue // most bodies in the box of a long chain
			}
		} else if motion = w.motionOfMover(e.Body); motion == nil {
			continue // a dynamic body that has left the world in this step
		}
		dst = append(dst, ccd.Obstacle{ID: uint64(e.Owner), Body: e.Body, Box: e.Box, Open: open, Frame: frame, Motion: motion})
		if e.Owner.Kind() == broad.Shape {
			c, t := &dst[len(dst)-1], w.state.Shapes.At(e.Owner.Slot())
			c.Hull, c.Geometry = &t.Hull, t.Geometry
		}
	}
	return dst
}

// find returns the proxies in the categories whose boxes overlap box, valid until the next find.
func (k *worker) find(box geom.AABB, categories uint64) []broad.ID {
	k.near = k.w.state.Broad.Grid.AppendOverlaps(k.near[:0], box, categories)
	return k.near
}

// MayStop implements ccd.Obstacles. The pieces of a ground have the complement of its slot.
func (k *worker) MayStop(c *ccd.Obstacle, shape int32) bool {
	w, o := k.w, broad.Owner(c.ID)
	p, q := w.state.Proxied(o), w.state.Proxied(broad.OwnerOfB(shape))
	if b := w.state.Bodies.At(p.Body); shape < 0 && p.Body > q.Body && b.Type == broad.DynamicBody && b.SolverIndex != 0 {
		return false // of two grounds that move one gives way, or both would stop short of the other, and never touch
	}
	if shape < 0 && o.Kind() == broad.Shape {
		o, shape, p, q = broad.OwnerOfB(shape), o.Slot(), q, p
	}
	return w.state.Broad.MayCollide(w.state.Broad.At(p.Proxy), w.state.Broad.At(q.Proxy)) && !k.passes(o, shape)
}

// AppendDynamic implements ccd.Obstacles.
func (k *worker) AppendDynamic(dst []ccd.Obstacle, shape int32, box geom.AABB) []ccd.Obstacle {
	w := k.w
	if shape < 0 {
		return dst // a ground is no bullet
	}
	for _, id := range k.find(box, broad.Dynamic) {
		dst = k.appendDynamicShape(dst, shape, w.state.Broad.At(id).Owner.Slot())
	}
	// A fast body may have been in the path, and be elsewhere now.
	for _, at := range w.scratch.movedFar {
		o := w.state.Bodies.At(w.scratch.awake[at])
		for ti := o.FirstShape; ti >= 0; ti = w.state.Shapes.At(ti).Next {
			if !w.state.Broad.At(w.state.Shapes.At(ti).Proxy).Box.Overlaps(box) {
				dst = k.appendDynamicShape(dst, shape, ti)
			}
		}
	}
	return dst
}

// appendDynamicShape appends the shape ti, if it may stop the bullet shape si, and belongs to a dynamic
// body that has already moved or does not move.
func (k *worker) appendDynamicShape(dst []ccd.Obstacle, si, ti int32) []ccd.Obstacle {
	w := k.w
	s, t := w.state.Shapes.At(si), w.state.Shapes.At(ti)
	b := w.state.Bodies.At(t.Body)
	if b.Type != broad.DynamicBody || !w.state.Broad.MayCollide(w.state.Broad.At(s.Proxy), w.state.Broad.At(t.Proxy)) || t.Sensor || k.passes(broad.OwnerOf(broad.Shape, ti), si) {
		return dst
	}
	c := ccd.Obstacle{Body: t.Body, Hull: &t.Hull, Geometry: t.Geometry}
	if b.SolverIndex == 0 {
		c.Frame = b.Transform()
	} else if c.Motion = &w.scratch.motions[b.SolverIndex-1]; !c.Motion.Moves {
		return dst // a bullet that comes after this one
	}
	return append(dst, c)
}

// AppendFaces implements ccd.Obstacles. Faces that the pre-solve function leaves out do not stop the shape.
func (k *worker) AppendFaces(dst []collide.Face, c *ccd.Obstacle, shape int32, r ccd.Region) []collide.Face {
	w := k.w
	p := broad.Owner(c.ID)
	asks := shape >= 0 && k.arrive(p, shape)
	if p.Kind() == broad.Chain {
		chain := &w.state.Chains.At(p.Slot()).Chain
		var keep func(int) bool
		if asks {
			keep = func(face int) bool { return k.keepsFace(chain, face) }
		}
		return chain.AppendFaces(dst, &k.chainNear, r.Box, r.Origin, r.Joined, keep)
	}
	cells, ok := surface.Cells(r.Box)
	if !ok {
		return dst
	}
	var query *oneway.Query
	if shape >= 0 {
		query = k.queryOfSweep(p.Slot(), shape, r.Start)
	}
	keep := k.keepsSegment
	if !asks {
		keep = nil
	}
	return k.sweep.AppendFaces(dst, &w.state.Grounds.At(p.Slot()).Tiles, query, cells, r.Origin, r.Joined, keep)
}

// motionOfMover returns the motion of body i, which moves and is not dynamic, or has a ground; nil if it was dynamic
// when the step began.
func (w *World) motionOfMover(i int32) *ccd.Motion {
	k := w.state.Bodies.At(i).MoverIndex
	if int(k) < len(w.scratch.movers) && w.scratch.movers[k].Body == i {
		return &w.scratch.movers[k]
	}
	return nil
}

// nearMover reports whether b, of which no point moves farther than travel, may meet a moving kinematic body or a ground of a
// dynamic one: these mark only bodies that are slow, and a ground that hardly moves none.
func (w *World) nearMover(b *state.Body, travel float64) bool {
	return len(w.scratch.movers) > 0 && (b.NearMoverAt == w.state.Steps+1 || travel > min(state.AABBMargin, b.CoreGate))
}

// markNear marks the dynamic bodies with proxies of the categories that the mover, body i, may meet in this step, if they
// move no farther than aabbMargin.
func (w *World) markNear(i int32, categories uint64) {
	const room = state.AABBMargin + ccd.PathSlop
	for e := range w.state.ProxiesOf(i) {
		if e.Sensor {
			continue
		}
		for _, id := range w.state.Broad.Near(e.Box.Expand(room), categories) {
			if o := w.state.Broad.At(id).Body; o != i {
				w.state.Bodies.At(o).NearMoverAt = w.state.Steps + 1
			}
		}
	}
}

// resting is a shape on a surface: a ground or chain, or a shape of a static or kinematic body.
type resting struct {
	contact *state.Contact
	shape   int32 // slot
	body    int32 // of the shape
}

// beginSeam begins the seam of c, of a shape of a and one of b, of which one is not dynamic.
func (k *worker) beginSeam(c *state.Contact, a, b *state.Body) {
	if a.Type == broad.DynamicBody {
		k.resting = resting{c, c.ShapeA, c.BodyA}
		k.seam.Begin(b, b.Transform())
		return
	}
	k.resting = resting{c, c.ShapeB, c.BodyB}
	k.seam.Begin(a, a.Transform())
}

// AppendBeside implements flush.Source. It reads poses, lists of contacts and the one-way tiles that a shape stands on, which the narrow
// phase does not change.
func (k *worker) AppendBeside(dst []flush.Neighbour) []flush.Neighbour {
	w, at := k.w, &k.resting
	for _, o := range w.state.ContactsOf(at.body) {
		if o == at.contact || o.Sensor || o.Filtered || o.ShapeB != at.shape && o.ShapeA != at.shape {
			continue
		}
		body, s := o.BodyA, flush.Surface{}
		switch owner := w.state.Contacts.SideA(o); {
		case o.ShapeA == at.shape:
			body, s.Hull = o.BodyB, &w.state.Shapes.At(o.ShapeB).Hull
		case owner.Kind() == broad.Shape:
			s.Hull = &w.state.Shapes.At(o.ShapeA).Hull
		case owner.Kind() == broad.Ground:
			s.Tiles, s.OneWay = &w.state.Grounds.At(owner.Slot()).Tiles, &w.state.Contacts.SurfaceOf(o).OneWay
		default:
			s.Chain = &w.state.Chains.At(owner.Slot()).Chain
		}
		if b := w.state.Bodies.At(body); b.Type != broad.DynamicBody || s.Tiles != nil {
			dst = append(dst, flush.Neighbour{Surface: s, On: b})
		}
	}
	return dst
}

// queryOfSweep returns the query of the shape in slot si in its motion through a step over the ground
// in slot gi, nil if no tile is one-way. The origin is the start of the motion, in the ground.
func (k *worker) queryOfSweep(gi, si int32, origin geom.Vec) *oneway.Query {
	w := k.w
	if !w.state.OneWays.Any() {
		return nil
	}
	q, mem := &k.sweepQuery, &k.noMemory
	if i, ok := w.state.Broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Ground, gi), si))); ok {
		mem = &w.state.Contacts.SurfaceOf(w.state.Contacts.At(i)).Memory
	} else {
		mem.Reset() // the shape was not near the ground at the start of the step
	}
	now := w.state.LastPose(w.state.Grounds.At(gi).Body, true).InvMul(w.state.LastPose(w.state.Shapes.At(si).Body, true))
	now.P = now.P.Sub(origin)
	w.state.OneWayQuery(q, gi, si, mem, now, origin, true)
	return q
}
