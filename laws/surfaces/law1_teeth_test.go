package surfaces_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestThinTeeth is law 1 of contact where the solid under the surface is thin, or two
// tiles share only a point of the surface. Sliding bodies touched the faces below the
// surface, and stopped.
func TestThinTeeth(t *testing.T) {
	worldtest.OnFixedCarriers(t, thinTeeth) // a dynamic ground breaks where teeth share only a point
}

func thinTeeth(t *testing.T, on worldtest.Carrier) {
	teeth := []gridseg.Tile{
		{Shape: gridseg.SlopeLow, Turn: 2},
		{Shape: gridseg.SlopeHigh, Turn: 2},
		{Shape: gridseg.Ramp, Turn: 2},
		{Shape: gridseg.Ramp, Turn: 6},
		{Shape: gridseg.SlopeHigh, Turn: 6},
	}
	for name, rising := range map[string]int32{"flat teeth": 0, "bare ramps": 1} {
		for _, s := range []struct {
			shape geom.Shape
			rest  float64
			fixed bool
		}{
			{geom.NewBox(0.5, 0.5), 0.5, false},
			{geom.NewBox(0.2, 0.01), 0.01, false},
			{geom.NewBox(9, 0.4), 0.4, false},
			{geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.02}, 0.02, false},
			{geom.Circle{Radius: 0.05}, 0.05, false},
			{geom.NewOffsetBox(0.2, 0.2, geom.Vec{}, geom.NewRot(math.Pi/4)), 0.2 * math.Sqrt2, true},
		} {
			for _, speed := range []float64{9.7, 40, 200} {
				w := on.NewSite()
				ice := w.AddMaterial(quarry.Material{})
				g := w.AddGround(t)
				for x := int32(-110); x < 110; x++ {
					tile := teeth[(x+110)%5]
					if rising == 1 {
						tile = gridseg.Tile{Shape: gridseg.Ramp}
					}
					tile.Material = uint16(ice)
					if err := g.Set(x, rising*x-1+rising, tile); err != nil {
						t.Fatal(err)
					}
				}
				along := geom.NewRot(float64(rising) * math.Pi / 4)
				w.SetGravity(w.Carrier.WorldVector(along.Apply(geom.V(0, -10))))
				b := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: along.Apply(geom.V(-60.013, s.rest)), Angle: along.Angle(),
					Velocity: along.Apply(geom.V(speed, 0)), FixedRotation: s.fixed,
				}, s.shape, quarry.ShapeDef{Material: ice})
				for along.Inv(w.Position(b)).X < 60 && w.StepCount() < 120 {
					w.Step(worldtest.DT)
					p, v := along.Inv(w.Position(b)), along.Inv(w.Velocity(b))
					if math.Abs(p.Y-s.rest) > 1e-3 || v.Sub(geom.V(speed, 0)).Len() > 1e-3 ||
						math.Abs(b.AngularVelocity()) > 0.01 {
						t.Fatalf("%s, %T at %v: at %v, speed %v, spin %v", name, s.shape, speed, p, v,
							b.AngularVelocity())
					}
				}
			}
		}
	}
}

// TestSliverSlidesOverPoints: the tip of a thin triangle, which is a little below the surface, is not stopped by the
// upright side of a tile that meets its neighbour in one point. Continuous collision stopped it there in the first
// steps after it was placed.
func TestSliverSlidesOverPoints(t *testing.T) {
	const size = 0.10863095403573049
	p, err := geom.NewPolygon([]geom.Vec{{X: -size / 2}, {X: size / 2}, {X: size / 16, Y: 0.05 * size}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range tracks() {
		for _, speed := range []float64{200, -200, 40} {
			s := slide{shape: "sliver", size: size, speed: speed, at: -49 * speed / 200, steps: 20}
			if f := s.over(t, newRide(t, tr, false, false), newRide(t, tr, true, false), p, 0); s.judge(tr, f) != "" {
				t.Errorf("%s, %+v: %v", tr.name, s, f)
			}
		}
	}
}
