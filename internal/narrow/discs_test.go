package narrow_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
)

// Discs gives the bits of Shapes, which computes the same two discs as hulls in the frames of their bodies, with
// the impulses of the step before.
func TestDiscsAreShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		radius := rapid.SampledFrom([]float64{0.1, 0.25, 1.0 / 3, 2})
		ra, rb := radius.Draw(t, "ra"), radius.Draw(t, "rb")
		a, b := collide.NewHull(geom.Circle{Radius: ra}), collide.NewHull(geom.Circle{Radius: rb})
		far := geom.V(rapid.SampledFrom([]float64{0, 0.1, 1e3, 1e7}).Draw(t, "far"), 1.0/7)
		side := rapid.SampledFrom([]float64{0, 1e-9, ra, ra + rb + contact.SpeculativeDistance, 2 * (ra + rb)}).Draw(t,
			"side")
		coordinate, angle := rapid.Float64Range(-side, side), rapid.Float64Range(-4, 4)
		var lastShapes, lastDiscs narrow.Last
		var shapes, discs contact.Manifold
		had := false
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			frames := [2]geom.Transform{
				{P: far, Q: geom.NewRot(angle.Draw(t, "a turned"))},
				{
					P: far.Add(geom.V(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"))),
					Q: geom.NewRot(angle.Draw(t, "b turned")),
				},
			}
			var pose narrow.Pose
			pose.Set(frames[0].Q, frames[1].Q, frames[1].P.Sub(frames[0].P))
			p := narrow.Pair{
				SlotB: 1, A: &a, B: &b, FrameA: frames[0], FrameB: frames[1],
				Apart: frames[0].P.Sub(frames[1].P), ExtentB: b.Extent(b.Centroid),
			}
			touching, deepest := narrow.Shapes(&shapes, had, &lastShapes, &pose, &p)
			got, depth := narrow.Discs(&discs, had, &lastDiscs, frames[0].Q, frames[1].Q, frames[0].P, frames[1].P, ra,
				rb, 0, 1)
			if got != touching || depth != deepest || discs != shapes || lastDiscs != lastShapes {
				t.Fatalf("Discs gives %v, %v, %+v, %+v; Shapes %v, %v, %+v, %+v", got, depth, discs, lastDiscs,
					touching, deepest, shapes, lastShapes)
			}
			if had = touching; had {
				q := &shapes.Points[0]
				q.NormalImpulse, q.TangentImpulse, shapes.RollImpulse = rapid.Float32().Draw(t, "pn"), 1, 2
				discs.Points[0], discs.RollImpulse = *q, 2
			}
		}
	})
}
