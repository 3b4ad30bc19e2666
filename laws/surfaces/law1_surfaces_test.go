package surfaces_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSeamBetweenSurfaces: law 1 of contact holds between two surfaces that meet flush, too. Before it did, a box
// with fixed rotation lost all of its speed at such a seam, and a capsule hopped 0.09 units.
func TestSeamBetweenSurfaces(t *testing.T) {
	half := func(w *quarry.World, body quarry.BodyID, x0, x1 int32) {
		t.Helper()
		g := worldtest.AddGround(t, w, body)
		if err := g.Fill(gridseg.Rect{MinX: x0, MinY: -2, MaxX: x1, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	box := func(w *quarry.World, kind quarry.BodyType) {
		id := w.AddBody(quarry.BodyDef{Type: kind, Position: geom.V(10, -1)})
		w.AddShape(id, geom.NewBox(10, 1), quarry.ShapeDef{})
	}
	// slide returns the loss of speed, of 5 units/s, of a body with fixed rotation that slides
	// without friction over the seam at x = 0, and the height of its hop.
	slide := func(floor func(*quarry.World), s geom.Shape) (lost, hop float64) {
		const speed = 5.0
		w := worldtest.New()
		ice := w.AddMaterial(quarry.Material{FrictionMix: quarry.MixMin})
		floor(w)
		start := geom.V(-3, -s.Bounds(geom.At(geom.Vec{})).Min.Y)
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: start, FixedRotation: true})
		w.AddShape(id, s, quarry.ShapeDef{Material: ice})
		b, _ := w.Body(id)
		worldtest.Steps(w, 20)
		rest := b.Position().Y
		b.SetVelocity(geom.V(speed, 0))
		for range 72 {
			w.Step(worldtest.DT)
			hop = max(hop, b.Position().Y-rest)
		}
		return speed - b.Velocity().X, hop
	}
	square := geom.NewBox(0.5, 0.5)
	standing := geom.Capsule{A: geom.V(0, -0.3), B: geom.V(0, 0.3), Radius: 0.3}
	for _, c := range []struct {
		name  string
		floor func(*quarry.World)
	}{
		{"one ground", func(w *quarry.World) { half(w, 0, -10, 19) }},
		{"two grounds", func(w *quarry.World) { half(w, 0, -10, -1); half(w, 0, 0, 19) }},
		{"a ground and a static box", func(w *quarry.World) { half(w, 0, -10, -1); box(w, quarry.Static) }},
		{"a ground and a resting lift", func(w *quarry.World) { half(w, 0, -10, -1); box(w, quarry.Kinematic) }},
		{"a ground and a lift of tiles", func(w *quarry.World) {
			half(w, 0, -10, -1)
			half(w, w.AddBody(quarry.BodyDef{Type: quarry.Kinematic}), 0, 19)
		}},
	} {
		stopped, _ := slide(c.floor, square)
		slowed, hop := slide(c.floor, standing)
		worldtest.Near(t, c.name+": speed that the box loses", stopped, 0, 1e-6)
		worldtest.Near(t, c.name+": speed that the capsule loses", slowed, 0, 1e-6)
		worldtest.Near(t, c.name+": hop of the capsule", hop, 0, 2e-5)
	}
}
