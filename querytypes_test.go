package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestQueryTypes: Types and ExceptShape leave out the same as a Test that looks at the body's type and the shape, in
// every query, over shapes, grounds and chains on bodies of each type.
func TestQueryTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		point := func(name string) geom.Vec {
			return geom.V(rapid.Float64Range(-6, 6).Draw(t, name+".x"), rapid.Float64Range(-6, 6).Draw(t, name+".y"))
		}
		shapes := []quarry.ShapeID{0}
		for range rapid.IntRange(1, 12).Draw(t, "bodies") {
			kind := rapid.SampledFrom([]quarry.BodyType{quarry.Static, quarry.Kinematic, quarry.Dynamic}).Draw(t,
				"type")
			b := w.AddBody(quarry.BodyDef{Type: kind, Position: point("at")})
			switch rapid.IntRange(0, 3).Draw(t, "form") {
			case 0:
				id, err := w.AddGround(b, quarry.GroundDef{})
				if err != nil {
					t.Fatal(err)
				}
				g, _ := w.Ground(id)
				if err := g.Fill(gridseg.Rect{MaxX: 1, MaxY: 1}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatal(err)
				}
			case 1:
				if kind != quarry.Dynamic {
					if _, err := w.AddChain(b, quarry.ChainDef{Points: []geom.Vec{{X: 2}, {X: 1}, {}}}); err != nil {
						t.Fatal(err)
					}
				}
			default:
				shapes = append(shapes, w.AddShape(b, geom.NewBox(0.5, 0.8),
					quarry.ShapeDef{Sensor: rapid.Bool().Draw(t, "sensor")}))
			}
		}
		types := quarry.BodyTypes(rapid.IntRange(0, 7).Draw(t, "types"))
		not := rapid.SampledFrom(shapes).Draw(t, "not")
		sensors := rapid.Bool().Draw(t, "sensors")
		fields := quarry.QueryFilter{Types: types, ExceptShape: not, Sensors: sensors}
		tested := quarry.QueryFilter{Sensors: sensors, Test: func(at quarry.Target) bool {
			b, _ := w.Body(at.Body)
			all := types == 0 || b.Type() == quarry.Static && types&quarry.StaticBodies != 0 ||
				b.Type() == quarry.Kinematic && types&quarry.KinematicBodies != 0 ||
				b.Type() == quarry.Dynamic && types&quarry.DynamicBodies != 0
			return all && (not == 0 || at.Shape != not)
		}}
		from, d := point("from"), point("d")
		probe := geom.Circle{Radius: 1}
		// An answer is the ids of all that was found, and the fractions and distances. With a Test, tiles are found in
		// another way: of two points or faces at the same distance it may give the other one, and numbers are rounded
		// in another way.
		ask := func(f quarry.QueryFilter) (found []quarry.Target, closest []float64) {
			add := func(at quarry.Target) {
				found = append(found, quarry.Target{Body: at.Body, Shape: at.Shape, Ground: at.Ground, Chain: at.Chain})
			}
			list := func(hits []quarry.CastHit) {
				for _, hit := range hits {
					add(hit.Target)
				}
				add(quarry.Target{}) // the end of the list
			}
			first := func(distance float64, ok bool) {
				if !ok {
					distance = math.Inf(1)
				}
				closest = append(closest, distance)
			}
			ray, ok := w.RayCast(from, d, f)
			first(ray.Fraction, ok)
			if w.RayBlocked(from, d, f) != ok {
				t.Fatalf("RayBlocked is %v, RayCast %v", !ok, ok)
			}
			list(w.AppendRayHits(nil, from, d, f))
			cast, ok := w.ShapeCast(probe, geom.At(from), d, f)
			first(cast.Fraction, ok)
			list(w.AppendShapeHits(nil, probe, geom.At(from), d, f))
			overlaps := w.AppendOverlaps(nil, probe, geom.At(from), f)
			if w.Overlaps(probe, geom.At(from), f) != (len(overlaps) > 0) {
				t.Fatalf("Overlaps is not true for %d overlaps", len(overlaps))
			}
			for _, at := range overlaps {
				add(at)
			}
			near, ok := w.Nearest(from, 20, f)
			first(near.Distance, ok)
			for _, plane := range w.AppendPlanes(nil, probe, geom.At(from), 0.5, f) {
				add(plane.Target)
			}
			return found, closest
		}
		got, near := ask(fields)
		want, asNear := ask(tested)
		if !slices.Equal(got, want) {
			t.Fatalf("found by fields\n%+v\nby Test\n%+v", got, want)
		}
		for i := range near {
			if near[i] != asNear[i] && !(math.Abs(near[i]-asNear[i]) <= 1e-9) {
				t.Fatalf("closest %v by fields, %v by Test", near, asNear)
			}
		}
	})
}
