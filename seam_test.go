package quarry_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestWheelDoesNotSink: a wheel's anchor was turned with it, so that it seemed
// to rise off the ground and the wheel fell after it, freely for three
// sub-steps of four: a marble of 0.25 sank by 0.05 at 40 units/s.
func TestWheelDoesNotSink(t *testing.T) {
	for _, c := range []struct{ radius, speed float64 }{{0.1, 10}, {0.25, 40}, {0.5, 100}, {2, 100}} {
		w := worldtest.New()
		worldtest.Floor(t, w, gridseg.Rect{MinX: -2, MinY: -1, MaxX: 260, MaxY: -1})
		b := worldtest.Add(w, geom.V(0, c.radius), geom.Circle{Radius: c.radius})
		b.SetVelocity(geom.V(c.speed, 0))
		b.SetAngularVelocity(-c.speed / c.radius)
		for range 120 {
			w.Step(worldtest.DT)
			worldtest.Near(t, fmt.Sprintf("height of %+v", c), b.Position().Y, c.radius, 1e-3)
			worldtest.Near(t, fmt.Sprintf("normal speed of %+v", c), b.Velocity().Y, 0, 1e-3)
		}
		worldtest.Near(t, fmt.Sprintf("speed of %+v", c), b.Velocity().X, c.speed, 1e-3*c.speed)
	}
}

// TestThinTeeth: where the solid under a surface is thin, or two tiles meet in
// a point of it, what slides over it touched the faces below, and stopped.
func TestThinTeeth(t *testing.T) {
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
				w := worldtest.New()
				ice := w.AddMaterial(quarry.Material{})
				id, _ := w.AddGround(0, quarry.GroundDef{})
				g, _ := w.Ground(id)
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
				w.SetGravity(along.Apply(geom.V(0, -10)))
				id2 := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: along.Apply(geom.V(-60.013, s.rest)), Angle: along.Angle(),
					Velocity: along.Apply(geom.V(speed, 0)), FixedRotation: s.fixed,
				})
				w.AddShape(id2, s.shape, quarry.ShapeDef{Material: ice})
				b, _ := w.Body(id2)
				for along.Inv(b.Position()).X < 60 && w.StepCount() < 120 {
					w.Step(worldtest.DT)
					p, v := along.Inv(b.Position()), along.Inv(b.Velocity())
					if math.Abs(p.Y-s.rest) > 1e-3 || v.Sub(geom.V(speed, 0)).Len() > 1e-3 || math.Abs(b.AngularVelocity()) > 0.01 {
						t.Fatalf("%s, %T at %v: at %v, speed %v, spin %v", name, s.shape, speed, p, v, b.AngularVelocity())
					}
				}
			}
		}
	}
}

// TestEditsUnderSliders is law 4 of contact in motion: while a body slides,
// tiles are set and cleared ahead of it, behind it, next to it and deep below,
// and the very tile under it is set anew; it does not notice.
func TestEditsUnderSliders(t *testing.T) {
	for _, s := range []geom.Shape{
		geom.NewBox(0.5, 0.5),
		geom.Circle{Radius: 0.5},
		geom.NewRoundedBox(0.3, 0.3, 0.2),
		geom.NewBox(6, 0.5), geom.NewBox(0.05, 0.5),
	} {
		for _, speed := range []float64{0.7, 9.7, 60} {
			run := func(edits bool) []geom.Vec {
				w := worldtest.New()
				ice := w.AddMaterial(quarry.Material{})
				full := gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}
				g := worldtest.Floor(t, w, gridseg.Rect{MinX: -70, MinY: -3, MaxX: 70, MaxY: -1})
				if err := g.Fill(gridseg.Rect{MinX: -70, MinY: -1, MaxX: 70, MaxY: -1}, full); err != nil {
					t.Fatal(err)
				}
				id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-50, 0.5), Velocity: geom.V(speed, 0)})
				w.AddShape(id, s, quarry.ShapeDef{Material: ice})
				b, _ := w.Body(id)
				var path []geom.Vec
				for i := range 100 {
					if edits {
						box := b.Bounds()
						lo, hi := int32(math.Floor(box.Min.X)), int32(math.Floor(box.Max.X+speed*worldtest.DT))
						mid := int32(math.Floor(b.Position().X))
						other := gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice), User: uint32(i)}
						for _, err := range []error{
							g.Set(mid, -1, other), g.Set(hi, -1, other),
							g.Set(hi+2, -1, gridseg.Tile{}), g.Set(hi+2, -1, full),
							g.Set(lo-2, -1, gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(i % 8)}),
							g.Set(mid, -2, gridseg.Tile{}), g.Set(hi+1, -2, gridseg.Tile{}),
							g.Set(lo-2, 0, full), g.Set(hi+3, 2, full),
						} {
							if err != nil {
								t.Fatal(err)
							}
						}
						if err := g.Set(hi+3, 2, gridseg.Tile{}); err != nil {
							t.Fatal(err)
						}
					}
					w.Step(worldtest.DT)
					path = append(path, b.Position(), b.Velocity(), geom.V(b.AngularVelocity(), 0))
				}
				return path
			}
			a, b := run(false), run(true)
			for i := range a {
				if a[i].Dist(b[i]) > 1e-6 {
					t.Errorf("%T at %v: step %d: %v, without edits %v", s, speed, i/3, b[i], a[i])
					break
				}
			}
		}
	}
}
