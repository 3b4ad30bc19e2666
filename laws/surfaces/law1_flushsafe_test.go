package surfaces_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
	"pgregory.net/rapid"
)

// sunk returns the most of depth over the points of the body, or how deep it is in the walls at x = -6 and 6.
func sunk(w *worldtest.Site, b quarry.Body, depth func(p geom.Vec) float64) (most float64) {
	for s := range b.Shapes() {
		for _, p := range outlineOf(s.Geometry()) {
			q := w.Pose(b).Apply(p)
			most = max(most, depth(q), math.Abs(q.X)-6)
		}
	}
	return most
}

func outlineOf(s geom.Shape) (out []geom.Vec) {
	core, r := worldtest.Core(s)
	if r == 0 {
		return core
	}
	for _, c := range core {
		for k := range 64 {
			out = append(out, c.MulAdd(r, geom.NewRot(float64(k)*math.Pi/32).Apply(geom.V(1, 0))))
		}
	}
	return out
}

// TestFlushSeamsHoldBodies: walls, curbs and ridges beside a floor of other surfaces are no seams. A body that is
// thrown at them stays out of all of them, as out of a floor of one piece.
func TestFlushSeamsHoldBodies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worldtest.DrawCarrier(t).NewSite()
		w.AddMaterial(quarry.Material{})
		parts := floorParts()
		first := parts[rapid.IntRange(0, len(parts)-1).Draw(t, "first")]
		second := parts[rapid.IntRange(0, len(parts)-1).Draw(t, "second")]
		first.lay(t, w, -6, 0, geom.Vec{})
		// Below the tolerance a curb is a seam, above it a step.
		step := rapid.SampledFrom([]float64{
			0, 1.0 / 8192, 0.001, 0.003, 0.01, 0.03, 0.1, 0.5, -0.002, -0.02,
			-0.2,
		}).Draw(t, "step")
		if thin := min(first.thickness, second.thickness); math.Abs(step) > thin/2 {
			step = 0 // a body could slip between the parts
		}
		second.lay(t, w, 0, 6, geom.V(0, step))
		for _, x := range []float64{-6.5, 6.5} { // the walls end on the floor
			w.AddShape(w.Beside(quarry.Kinematic, geom.V(x, 4)).ID(), geom.NewBox(0.5, 6), quarry.ShapeDef{})
		}
		b := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"),
				2), Angle: rapid.Float64Range(0, 6).Draw(t, "angle"),
		}, worldtest.DrawShape(t, rapid.Float64Range(0.2, 1).Draw(t, "size")), quarry.ShapeDef{})
		w.SetVelocity(b, geom.V(rapid.Float64Range(-12, 12).Draw(t, "vx"), rapid.Float64Range(-5, 0).Draw(t, "vy")))
		// The way out of the higher part is up, or over its side at x = 0 to the top of the lower one.
		low, high := min(0, step), max(0, step)
		depth := func(p geom.Vec) float64 {
			switch {
			case math.Abs(p.X) > 6:
				return -10 - p.Y
			case (p.X > 0) == (step > 0):
				return min(high-p.Y, max(math.Abs(p.X), low-p.Y))
			}
			return low - p.Y
		}
		for range 240 {
			w.Step(worldtest.DT)
			if d := sunk(w, b, depth); d > 0.15+float64(w.Velocity(b).Len()/60) {
				t.Fatalf("%s beside %s, step %v: a body at %v is %.3g deep", first.name, second.name, step,
					w.Position(b), d)
			}
		}
		if p := w.Position(b); p.Y < low || math.Abs(p.X) > 6.05 || sunk(w, b, func(p geom.Vec) float64 {
			return low - p.Y
		}) > 0.05 {
			t.Fatalf("%s beside %s, step %v: a body ends at %v", first.name, second.name, step, p)
		}
	})
}

// TestRidgeOfTwoSurfaces: a disc rolls over the ridge between two boxes that meet at an angle as over the ridge of a
// chain.
func TestRidgeOfTwoSurfaces(t *testing.T) {
	for _, angle := range []float64{0.05, 0.3, 0.75} {
		low := math.Inf(1)
		w := worldtest.New()
		for _, side := range []float64{-1, 1} { // boxes whose upper corners meet in the origin
			q := geom.NewRot(-side * angle)
			worldtest.AddBody(w, quarry.BodyDef{Position: q.Apply(geom.V(side*5, -1)), Angle: -side * angle},
				geom.NewBox(5, 1), quarry.ShapeDef{})
		}
		const r = 0.5
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.NewRot(angle).Apply(geom.V(-2,
			r))}, geom.Circle{Radius: r}, quarry.ShapeDef{})
		b.SetVelocity(geom.NewRot(angle).Apply(geom.V(3+8*angle, 0)))
		for range 120 {
			w.Step(worldtest.DT)
			p := b.Position()
			foot := geom.V(0, 0)
			for _, side := range []float64{-1, 1} {
				q := geom.NewRot(-side * angle).Apply(geom.V(side, 0))
				if l := p.Dot(q); l > 0 && l < 9 && p.Sub(q.Mul(l)).Len() < p.Sub(foot).Len() {
					foot = q.Mul(l)
				}
			}
			if p.Y > -5 {
				low = min(low, p.Sub(foot).Len())
			}
		}
		if b.Position().X < 0.5 || low < r-0.02 {
			t.Errorf("ridge of %v: the disc ends at %v, and came as near as %v", angle, b.Position(), low)
		}
	}
}

// TestCoveredSurfaces: of two surfaces with one top, one inside the other, one holds a body; a lift that passes a
// floor lifts it.
func TestCoveredSurfaces(t *testing.T) {
	w := worldtest.Carriers()[0].NewSite()
	w.AddMaterial(quarry.Material{})
	w.AddBody(quarry.BodyDef{Position: geom.V(0, -2)}, geom.NewBox(5, 2), quarry.ShapeDef{})
	w.AddBody(quarry.BodyDef{Position: geom.V(0, -1)}, geom.NewBox(1, 1), quarry.ShapeDef{})
	floor := floorParts()[0]
	floor.lay(t, w, -3, 3, geom.Vec{})
	b := w.Add(geom.V(0.9, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w.World, 120)
	worldtest.Near(t, "height of a box on three tops", b.Position().Y, 0.5, 2e-3)

	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(1.4, -1)}, geom.NewBox(0.5, 1),
		quarry.ShapeDef{})
	lift.SetVelocity(geom.V(0, 1))
	worldtest.Steps(w.World, 60)
	worldtest.Near(t, "lift's corner above the floor, under the box", b.Transform().Inv(geom.V(0.9, 1)).Y, -0.5, 0.02)
}
