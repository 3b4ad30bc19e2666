package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/ccd"
)

// The broad phase is one grid of boxes, the proxies: one for each shape, each ground that
// has tiles, and each chain. A proxy's box is the AABB of its owner, grown by aabbMargin.
// Its category tells the kinds apart, so that a query visits only the kinds that it needs.

// proxy names the owner of a box in the broad phase: the high half is its kind, the low half
// its slot. The kind of shapes is 0.
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
	inObstacles = inFixed | inGrounds | inChains // continuous collision stops bodies at these
)

// categoryOf returns the category of a shape's proxy.
func (w *World) categoryOf(s *shape) uint64 {
	switch {
	case s.sensor:
		return inSensors
	case w.bodies.At(s.body).kind == Dynamic:
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

// near returns the proxies of the categories whose boxes overlap box, in scratch.near.
func (w *World) near(box geom.AABB, category uint64) []grid.ID {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], box, category)
	return w.scratch.near
}

// proxyAt returns the owner of a box in the broad phase.
func (w *World) proxyAt(id grid.ID) proxy { return proxy(w.broad.Data(id)) }

// noteMoved lists a proxy for findPairs: its box is new or has changed.
func (w *World) noteMoved(p proxy) {
	var moved *bool
	switch p.kind() {
	case shapeProxy:
		moved = &w.shapes.At(p.slot()).moved
	case groundProxy:
		moved = &w.grounds.At(p.slot()).moved
	case chainProxy:
		moved = &w.chains.At(p.slot()).moved
	}
	if !*moved {
		*moved = true
		w.scratch.moved = append(w.scratch.moved, p)
	}
}

// dropMoved removes a proxy from the list of findPairs.
func (w *World) dropMoved(p proxy) {
	for k, m := range w.scratch.moved {
		if m == p {
			w.scratch.moved[k] = noProxy
		}
	}
}

// updateProxies updates the boxes of the body's shapes, grounds and chains in the broad
// phase. The boxes of a moving body that is not dynamic hold all of its motion through the
// step; motion is nil for other bodies.
func (w *World) updateProxies(bi int32, motion *ccd.Motion) {
	b := w.bodies.At(bi)
	t := b.transform()
	for i := b.firstShape; i >= 0; i = w.shapes.At(i).next {
		s := w.shapes.At(i)
		box := s.bounds(t)
		if motion != nil {
			box = s.sweptBox(motion, b)
		}
		if s.fat.Contains(box) {
			continue
		}
		s.fat = box.Expand(aabbMargin)
		if err := w.broad.Update(s.proxy, s.fat); err != nil {
			// The box is beyond the bounds of the broad phase: the body stops for good.
			w.markLost(bi)
			return
		}
		if s.sensor {
			_ = w.sensorBoxes.Update(s.sensed, s.fat) // cannot fail: the broad phase accepted the box
		}
		w.noteMoved(shapeProxy | proxy(i))
	}
	for i := b.firstGround; i >= 0; i = w.grounds.At(i).next {
		g := w.grounds.At(i)
		if !w.updateSurfaceProxy(groundProxy|proxy(i), g.proxy, &g.fat, g.box, b, t, motion) {
			w.markLost(bi)
			return
		}
	}
	for i := b.firstChain; i >= 0; i = w.chains.At(i).next {
		c := w.chains.At(i)
		if !w.updateSurfaceProxy(chainProxy|proxy(i), c.proxy, &c.fat, c.box, b, t, motion) {
			w.markLost(bi)
			return
		}
	}
}

// updateSurfaceProxy is updateProxies for a ground or chain with the box local in the body's
// frame. It returns false if the new box is beyond the bounds of the broad phase.
func (w *World) updateSurfaceProxy(p proxy, id grid.ID, fat *geom.AABB, local geom.AABB, b *body, t geom.Transform, motion *ccd.Motion) bool {
	if local.IsEmpty() {
		return true
	}
	box := local.In(t)
	if motion != nil {
		far := max(b.localCenter.Dist(local.Min), b.localCenter.Dist(local.Max), b.localCenter.Dist(geom.V(local.Min.X, local.Max.Y)), b.localCenter.Dist(geom.V(local.Max.X, local.Min.Y)))
		box = box.Union(local.In(motion.From)).Expand(motion.Sagitta(far))
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

// markLost makes a body that has left the world's bounds static, and reports it as lost.
func (w *World) markLost(bi int32) {
	b := w.bodies.At(bi)
	if id := BodyID(w.bodies.ID(bi)); w.stepping {
		w.events.lost = append(w.events.lost, id)
	} else {
		w.events.lostLater = append(w.events.lostLater, id)
	}
	b.sleep()
	b.kind, b.invMass, b.invInertia, b.awake = Static, 0, 0, true // static bodies count as awake
	for i := b.firstShape; i >= 0; i = w.shapes.At(i).next {
		s := w.shapes.At(i)
		w.broad.SetCategory(s.proxy, w.categoryOf(s))
	}
}
