package step

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/surface"
)

// Obstacles are the proxies that stop bodies: the shapes of static and kinematic bodies, grounds and chains, and
// for bullets the shapes of dynamic bodies (bullets.go).

// AppendNear implements ccd.Obstacles.
func (k *advancer) AppendNear(dst []ccd.Obstacle, box geom.AABB) []ccd.Obstacle {
	w := k.world
	for _, id := range k.find(box, broad.Obstacles) {
		e := w.Broad.At(id)
		b, open := w.Bodies.At(e.Body), e.Owner.Kind() == broad.Chain
		var frame geom.Transform
		var motion *ccd.Motion
		if b.SolverIndex == 0 {
			frame = b.Transform()
			if open && !w.Chains.At(e.Owner.Slot()).MayMeet(box.In(frame.InvMul(geom.At(geom.Vec{})))) {
				continue // true of most bodies in the box of a long chain
			}
		} else if motion = k.motionOf(e.Body); motion == nil {
			continue // a dynamic body that has left the world in this step
		}
		dst = append(dst, ccd.Obstacle{
			ID: uint64(e.Owner), Body: e.Body, Box: e.Box, Open: open, Frame: frame,
			Motion: motion,
		})
		if e.Owner.Kind() == broad.Shape {
			c, t := &dst[len(dst)-1], w.Shapes.At(e.Owner.Slot())
			c.Hull, c.Geometry = &t.Hull, t.Geometry
		}
	}
	return dst
}

// find returns the proxies in the categories whose boxes overlap box, valid until the next find.
func (k *advancer) find(box geom.AABB, categories uint64) []broad.ID {
	k.near = k.world.Broad.Grid.AppendOverlaps(k.near[:0], box, categories)
	return k.near
}

// MayStop implements ccd.Obstacles.
func (k *advancer) MayStop(c *ccd.Obstacle, shape int32) bool {
	w, o := k.world, broad.Owner(c.ID)
	p, q := w.Proxied(o), w.Proxied(broad.OwnerOfB(shape))
	if b := w.Bodies.At(p.Body); shape < 0 && p.Body > q.Body && b.Type == broad.DynamicBody && b.SolverIndex != 0 {
		// of two moving grounds one is not swept: otherwise each would stop short of the other, and they never touch
		return false
	}
	if shape < 0 && o.Kind() == broad.Shape {
		o, shape, p, q = broad.OwnerOfB(shape), o.Slot(), q, p
	}
	return w.Broad.MayCollide(w.Broad.At(p.Proxy), w.Broad.At(q.Proxy)) && !k.ignores(o, shape)
}

// AppendFaces implements ccd.Obstacles. Faces that the pre-solve function leaves out do not stop the shape.
func (k *advancer) AppendFaces(dst []collide.Face, c *ccd.Obstacle, shape int32, r ccd.Region) []collide.Face {
	p := broad.Owner(c.ID)
	asks := shape >= 0 && k.arrive(p, shape)
	if p.Kind() == broad.Chain {
		chain := &k.world.Chains.At(p.Slot()).Chain
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
	var query *surface.WayQuery
	if shape >= 0 {
		query = k.queryOf(p.Slot(), shape)
	}
	keep := k.keep
	if !asks {
		keep = nil
	}
	return k.filter.AppendFaces(dst, &k.world.Grounds.At(p.Slot()).Tiles, query, cells, r.Origin, r.Joined, keep)
}

// queryOf returns the query of the shape in slot si in its motion through a step over the ground in slot gi, nil
// if no tile is one-way. All shapes of a body have the same origin, so that they share the comparisons of
// surface.Filter.
func (k *advancer) queryOf(gi, si int32) *surface.WayQuery {
	w := k.world
	if !w.OneWays.Any() {
		return nil
	}
	mem := &k.noMemory
	if i, ok := w.Broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Ground, gi), si))); ok {
		mem = &w.Contacts.SurfaceOf(w.Contacts.At(i)).Memory
	} else {
		mem.Reset() // the shape was not near the ground at the start of the step
	}
	bi := w.Shapes.At(si).Body
	frame, at, center := w.LastPose(w.Grounds.At(gi).Body, true), w.LastPose(bi, true), w.Bodies.At(bi).LocalCenter
	origin, q := frame.Inv(at.Apply(center)), frame.Q.InvMul(at.Q)
	now := geom.Transform{P: q.Apply(center).Neg(), Q: q}
	return k.query.Set(w, gi, si, mem, now, origin, true)
}

// ignores reports whether continuous collision ignores the pair of o and b (see broad.B): the custom filter
// refuses the pair, or the pre-solve function left out a manifold of its contact in this step, or would leave out
// the manifold of two shapes that meet within the step. For a surface, unless the other side is a ground,
// AppendFaces asks about each face.
func (k *advancer) ignores(o broad.Owner, b int32) bool {
	w := k.world
	if shapes := o.Kind() == broad.Shape; (shapes || b < 0) && k.asks(w.FlagsOf(o, b)) {
		i, ok := w.Broad.Pairs.Get(uint64(broad.KeyOf(o, b)))
		if ok && w.Contacts.At(i).Disabled {
			return true
		}
		if shapes && b >= 0 && (!ok || w.Contacts.Points[i] == 0) {
			if o, b := broad.KeyOf(o, b).Sides(); k.arrive(o, b) && !k.keepsShape() {
				return true
			}
		}
	}
	return w.Refused(o, b)
}
