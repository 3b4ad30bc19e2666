package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// The broad phase is one grid of boxes, the proxies: one for each shape, each ground that
// has tiles, and each chain. A proxy's box is the AABB of its owner, grown by aabbMargin. Its
// category tells the kinds apart, so that a query visits only those that it asks for.

// proxy names the owner of a box in the broad phase: its kind in the high half, its slot in
// the low half. A shape's proxy is its slot.
type proxy uint64

const (
	shapeProxy proxy = iota << 32
	groundProxy
	chainProxy
	noProxy = proxy(math.MaxUint64)
)

func (p proxy) kind() proxy { return p &^ math.MaxUint32 }
func (p proxy) slot() int32 { return int32(uint32(p)) }

// The categories of the broad phase.
const (
	inDynamic = 1 << iota // shapes of dynamic bodies
	inFixed               // shapes of static and kinematic bodies
	inSensors
	inGrounds
	inChains

	inShapes    = inDynamic | inFixed | inSensors
	inObstacles = inFixed | inGrounds | inChains // which continuous collision stops bodies at
)

// categoryOf returns the category of a shape's proxy.
func (w *World) categoryOf(s *shape) uint64 {
	switch {
	case s.sensor:
		return inSensors
	case w.bodies.items[s.body].kind == Dynamic:
		return inDynamic
	}
	return inFixed
}

// addProxy adds a proxy with the box fat to the broad phase.
func (w *World) addProxy(p proxy, fat geom.AABB, category uint64) (grid.ID, error) {
	id, err := w.broad.Add(fat, uint64(p))
	if err == nil {
		w.broad.SetCategory(id, category)
	}
	return id, err
}

// near returns the proxies of a category whose boxes overlap box, in scratch.near.
func (w *World) near(box geom.AABB, category uint64) []grid.ID {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], box, category)
	return w.scratch.near
}

// proxyAt returns the owner of a box in the broad phase.
func (w *World) proxyAt(id grid.ID) proxy { return proxy(w.broad.Data(id)) }

// noteMoved lists a proxy for findPairs, because its box is new or has moved.
func (w *World) noteMoved(p proxy) {
	var moved *bool
	switch p.kind() {
	case shapeProxy:
		moved = &w.shapes.items[p.slot()].moved
	case groundProxy:
		moved = &w.grounds.items[p.slot()].moved
	case chainProxy:
		moved = &w.chains.items[p.slot()].moved
	}
	if !*moved {
		*moved = true
		w.scratch.moved = append(w.scratch.moved, p)
	}
}

// dropMoved takes a proxy that is removed off the list of findPairs.
func (w *World) dropMoved(p proxy) {
	for k, m := range w.scratch.moved {
		if m == p {
			w.scratch.moved[k] = noProxy
		}
	}
}

// updateProxies updates the broad phase for a body whose shapes, grounds and chains may have left
// their boxes. The boxes of a body that is not dynamic hold all of its motion through the
// step, way; nil: it does not move.
func (w *World) updateProxies(bi int32, motion *bodyMotion) {
	b := &w.bodies.items[bi]
	t := b.transform()
	for i := b.firstShape; i >= 0; i = w.shapes.items[i].next {
		s := &w.shapes.items[i]
		box := s.bounds(t)
		if motion != nil {
			box = s.sweptBox(motion, b)
		}
		if s.fat.Contains(box) {
			continue
		}
		s.fat = box.Expand(aabbMargin)
		if err := w.broad.Update(s.proxy, s.fat); err != nil {
			// Beyond what the broad phase holds: the body is lost to the
			// world, so it stops where it is rather than fly on.
			w.markLost(bi)
			return
		}
		if s.sensor {
			_ = w.sensorBoxes.Update(s.sensed, s.fat) // the broad phase has taken the box: so does this grid
		}
		w.noteMoved(shapeProxy | proxy(i))
	}
	for i := b.firstGround; i >= 0; i = w.grounds.items[i].next {
		g := &w.grounds.items[i]
		if !w.updateSurfaceProxy(groundProxy|proxy(i), g.proxy, &g.fat, g.box, b, t, motion) {
			w.markLost(bi)
			return
		}
	}
	for i := b.firstChain; i >= 0; i = w.chains.items[i].next {
		c := &w.chains.items[i]
		if !w.updateSurfaceProxy(chainProxy|proxy(i), c.proxy, &c.fat, c.box, b, t, motion) {
			w.markLost(bi)
			return
		}
	}
}

// updateSurfaceProxy is refit for a ground or chain, whose box in the body's frame is local. It
// returns false if the new box is beyond what the broad phase holds.
func (w *World) updateSurfaceProxy(p proxy, id grid.ID, fat *geom.AABB, local geom.AABB, b *body, t geom.Transform, motion *bodyMotion) bool {
	if local.IsEmpty() {
		return true
	}
	box := boundsOf(local, t)
	if motion != nil {
		far := max(b.localCenter.Dist(local.Min), b.localCenter.Dist(local.Max), b.localCenter.Dist(geom.V(local.Min.X, local.Max.Y)), b.localCenter.Dist(geom.V(local.Max.X, local.Min.Y)))
		box = box.Union(boundsOf(local, motion.from)).Expand(motion.sagitta(far))
	}
	if fat.Contains(box) {
		return true
	}
	*fat = box.Expand(aabbMargin)
	if err := w.broad.Update(id, *fat); err != nil {
		return false
	}
	w.noteMoved(p)
	return true
}

// markLost stops a body that has left the world's bounds, for good, and reports it.
func (w *World) markLost(bi int32) {
	b := &w.bodies.items[bi]
	if id := BodyID(w.bodies.id(bi)); w.stepping {
		w.events.lost = append(w.events.lost, id)
	} else {
		w.events.lostLater = append(w.events.lostLater, id)
	}
	b.sleep()
	b.kind, b.invMass, b.invInertia, b.awake = Static, 0, 0, true // as static bodies are
	for i := b.firstShape; i >= 0; i = w.shapes.items[i].next {
		s := &w.shapes.items[i]
		w.broad.SetCategory(s.proxy, w.categoryOf(s))
	}
}
