package quarry_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestApartFromGround: shapes near a ground that they do not touch are compared with it only when they or its tiles
// have moved as far as their distance. So a world takes the same path as one that is restored from a snapshot in each
// step, without kept distances, also during edits, unloading, loading and moves, and among one-way tiles.
func TestApartFromGround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		ground := w.AddBody(quarry.BodyDef{
			Position: geom.V(0.3, 0.1),
			Angle:    rapid.SampledFrom([]float64{0, 0.4}).Draw(t, "angle"),
		})
		id, err := w.AddGround(ground, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		g, _ := w.Ground(id)
		at := func(name string) int32 { return int32(rapid.IntRange(-4, 4).Draw(t, name)) }
		coord := func(name string) float64 { return rapid.Float64Range(-4, 4).Draw(t, name) }
		way := w.AddMaterial(quarry.Material{OneWay: rapid.SampledFrom([]quarry.OneWay{
			quarry.NotOneWay,
			quarry.OneWayUp,
		}).Draw(t, "way")})
		set := func() {
			tile := rapid.SampledFrom([]gridseg.Tile{{}, {Shape: gridseg.Full}, {Shape: gridseg.Ramp, Turn: 1}}).Draw(t,
				"tile")
			if tile.Shape != 0 && rapid.Bool().Draw(t, "one-way") {
				tile.Material = uint16(way)
			}
			_ = g.Set(at("x"), at("y"), tile) // refused in an unloaded place
		}
		for range 12 {
			set()
		}
		var bodies []quarry.Body
		for range 6 {
			v := geom.V(coord("vx"), coord("vy")).Mul(0.2)
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(coord("px"), coord("py")), Velocity: v,
				AngularVelocity: coord("spin"), NoSleep: true,
			})
			w.AddShape(b, rapid.SampledFrom([]geom.Shape{geom.Circle{Radius: 0.25}, geom.NewBox(0.2, 0.1)}).Draw(t,
				"of"), quarry.ShapeDef{})
			body, _ := w.Body(b)
			bodies = append(bodies, body)
		}
		var unloaded [][]byte
		for range 40 {
			switch rapid.IntRange(0, 8).Draw(t, "do") {
			case 0:
				set()
			case 1:
				b := rapid.SampledFrom(bodies).Draw(t, "body")
				was, to := b.Transform(), geom.V(coord("to x"), coord("to y"))
				b.SetTransform(to, 0)
				set()
				if rapid.Bool().Draw(t, "back") {
					b.SetTransform(was.P, was.Q.Angle())
				}
			case 2:
				r := gridseg.Rect{MinX: at("from x"), MinY: at("from y"), MaxX: 4, MaxY: 4}
				if data, err := g.UnloadPlace(r, gridseg.UnloadedEmpty); err == nil {
					unloaded = append(unloaded, data)
				}
			case 3:
				if n := len(unloaded); n > 0 {
					if _, err := g.LoadPlace(unloaded[n-1]); err != nil {
						t.Fatal(err)
					}
					unloaded = unloaded[:n-1]
				}
			case 4:
				body, _ := w.Body(ground)
				body.SetTransform(geom.V(coord("gx"), coord("gy")).Mul(0.02), coord("turn")*0.01)
			case 5:
				rapid.SampledFrom(bodies).Draw(t, "drops").DropThrough(rapid.SampledFrom([]float64{0, 0.05}).Draw(t,
					"for"))
			case 6:
				w.SetMaterial(way,
					quarry.Material{OneWay: rapid.SampledFrom([]quarry.OneWay{
						quarry.NotOneWay, quarry.OneWayUp,
						quarry.OneWayLeft,
					}).Draw(t, "new way")})
			}
			again := quarry.NewWorld(quarry.Config{})
			if err := again.Restore(w.AppendSnapshot(nil)); err != nil {
				t.Fatal(err)
			}
			w.Step(1.0 / 60)
			again.Step(1.0 / 60)
			if w.Hash() != again.Hash() {
				t.Fatal("the world goes another way than one restored from its snapshot")
			}
		}
	})
}
