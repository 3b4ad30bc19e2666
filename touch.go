package quarry

import (
	"github.com/quarry2d/quarry/internal/narrow"
)

// touch runs the narrow phase for contact c: it computes the manifolds and the outcome, and
// changes nothing else.
func (w *World) touch(out *narrow.Outcome, c *contactState) {
	a, b, sb := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB), w.shapes.At(c.shapeB)
	if c.ofShapes() {
		p := narrow.Pair{
			A: &w.shapes.At(c.shapeA).hull, B: &sb.hull, FrameA: a.transform(), FrameB: b.transform(),
			LocalCenterA: a.localCenter, Apart: a.center.Sub(b.center),
		}
		*out = narrow.Outcome{Deepest: narrow.Shapes(&c.manifolds, &p)}
		out.Touching = len(c.manifolds) > 0
		return
	}
	in := &w.scratch.input
	in.Set(a.transform(), b.center, b.rot, b.localCenter)
	in.Hull, in.Core = &sb.hull, sb.core
	in.Apart = b.center.Sub(a.center)
	in.Velocity = b.velocity.Sub(a.velocityAt(in.Apart))
	mem := narrow.Memory{Manifolds: &c.manifolds, Stuck: &c.stuck}
	if c.chain >= 0 {
		in.Chain = &w.chains.At(c.chain).Chain
		w.scratch.narrow.ChainFaces(out, &mem, in)
		return
	}
	in.Tiles, in.Time, in.OneWay = &w.grounds.At(c.ground).tiles, w.time, nil
	if w.hasOneWays() {
		in.OneWay = &w.scratch.oneWay
		w.oneWayQuery(in.OneWay, c, in.At, in.Origin, false)
	}
	w.scratch.narrow.Ground(out, &mem, in)
}
