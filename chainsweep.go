package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// sweepChains sweeps the core of s, whose path has the given box, against the
// chains that do not move in this step.
func (w *World) sweepChains(s *shape, sw *sweep, path geom.AABB) {
	w.scratch.near = w.chainBoxes.AppendOverlaps(w.scratch.near[:0], path, grid.All)
	for _, id := range w.scratch.near {
		ci := int32(w.chainBoxes.Data(id))
		bi := w.chains.items[ci].body
		if w.bodies.items[bi].solver != 0 {
			continue
		}
		way := w.still(bi)
		origin, step := way.seen(sw.from, sw.d)
		w.sweepChain(ci, s, sw, &way, origin, step)
	}
}

// sweepChain sweeps the core of s against the faces of the chain in slot ci.
func (w *World) sweepChain(ci int32, s *shape, sw *sweep, way *passage, origin, step geom.Vec) {
	ch, cf := &w.chains.items[ci], &w.scratch.faces
	if !w.mayMeetChain(ch, s) {
		return
	}
	path := geom.Box(geom.Vec{}, step).Expand(sw.r).Translate(origin)
	cf.near = ch.appendNear(cf.near[:0], path)
	for _, k := range cf.near {
		a, b := ch.ends(int(k))
		sw.meet(way, origin, step, sweepFace(a.Sub(origin), b.Sub(origin), step, sw.r))
	}
}
