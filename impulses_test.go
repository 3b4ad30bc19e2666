package quarry_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func polygon(t worldtest.Failer, points ...geom.Vec) geom.Polygon {
	p, err := geom.NewPolygon(points, 0)
	worldtest.Must(t, err)
	return p
}

// addLanding adds a surface of the kind that is drawn, with its top at y = 0, for bodies to land on. m is its material.
func addLanding(t *rapid.T, w *quarry.World, m quarry.MaterialID) {
	switch rapid.SampledFrom([]string{"ground", "chain", "box", "circle", "moving box", "tiles on a body"}).Draw(t,
		"surface") {
	case "ground":
		g := worldtest.AddGround(t, w, 0)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: -2, MaxX: 9, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
	case "chain":
		_, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(9, 1), geom.V(4, 0), geom.V(-4, 0), geom.V(-9,
			1)}, Material: m})
		worldtest.Must(t, err)
	case "box":
		w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(0, -1)}), geom.NewBox(9, 1), quarry.ShapeDef{Material: m})
	case "circle":
		w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(0, -20)}), geom.Circle{Radius: 20},
			quarry.ShapeDef{Material: m})
	case "moving box":
		w.AddShape(w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, -1), Velocity: geom.V(0.5, 0)}),
			geom.NewBox(9, 1), quarry.ShapeDef{Material: m})
	default:
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, -1), Weightless: true})
		g := worldtest.AddGround(t, w, b)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: 0, MaxX: 8, MaxY: 0},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
	}
}

// TestImpulsesAreTheMomentum: in each step, the impulses of a body's contact points sum up to the change of its
// momentum less that by gravity, and the impulse of a hit is the sum over the points of its contact: for bodies that
// land flat or on a corner, slide, bounce and rest, with any number of sub-steps. They were of the last sub-step, and
// the largest one of a point in a sub-step.
func TestImpulsesAreTheMomentum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gravity := geom.V(rapid.Float64Range(-2, 2).Draw(t, "gx"), -10)
		w := quarry.NewWorld(quarry.Config{
			Gravity: gravity, Workers: 1, NoSleep: true,
			SubSteps: rapid.SampledFrom([]int{1, 2, 4, 7}).Draw(t, "sub-steps"),
		})
		m := w.AddMaterial(quarry.Material{
			Friction: rapid.Float64Range(0, 1).Draw(t, "friction"), Restitution: rapid.SampledFrom([]float64{
				0, 0.5,
				0.8, 1,
			}).Draw(t, "restitution"),
			RestitutionMix: quarry.MixMax, Strength: rapid.SampledFrom([]float64{0, 5}).Draw(t, "strength"),
		})
		addLanding(t, w, m)
		shapes := []geom.Shape{
			geom.Circle{Radius: 0.5},
			geom.NewBox(0.5, 0.5), geom.NewBox(1, 0.2),
			geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.3},
			geom.NewRoundedBox(0.4, 0.4, 0.1), polygon(t, geom.V(-0.6, -0.4), geom.V(0.7, -0.3), geom.V(0, 0.8)),
		}
		var bodies []quarry.Body
		for k := range rapid.IntRange(1, 3).Draw(t, "bodies") {
			bodies = append(bodies, worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(rapid.Float64Range(-2, 2).Draw(t, "x"), 1+2*float64(k)),
				Angle: rapid.SampledFrom([]float64{0, 0, 0.3, math.Pi / 4, 1.1}).Draw(t, "angle"),
				Velocity: geom.V(rapid.Float64Range(-3, 3).Draw(t, "vx"), rapid.Float64Range(-30, 0).Draw(t,
					"vy")),
				AngularVelocity: rapid.Float64Range(-3, 3).Draw(t, "spin"),
			}, rapid.SampledFrom(shapes).Draw(t, "shape"), quarry.ShapeDef{
				Material: m, Density: rapid.SampledFrom([]float64{1, 5}).Draw(t, "density"),
			}))
		}
		for step := range 40 {
			var before, from []geom.Vec
			for _, b := range bodies {
				before, from = append(before, b.Velocity()), append(from, b.CenterOfMass())
			}
			dt := rapid.SampledFrom([]float64{1.0 / 60, 1.0 / 144}).Draw(t, "dt")
			w.Step(dt)
			for k, b := range bodies {
				sum, most := geom.Vec{}, 0.0
				for _, c := range b.AppendContacts(nil) {
					sign := 1.0
					if s, ok := w.Shape(c.ShapeA); ok && s.Body() == b {
						sign = -1
					}
					for _, p := range c.Points[:c.N] {
						sum = sum.Add(c.Normal.Mul(sign * p.NormalImpulse)).Add(
							c.Normal.Right().Mul(sign * p.TangentImpulse))
						most = max(most, p.NormalImpulse)
					}
				}
				fall := gravity.Mul(dt * b.Mass())
				want := b.Velocity().Sub(before[k]).Mul(b.Mass()).Sub(fall)
				// Continuous collision stops a body within a step, which then does not fall for the rest of the step.
				if cut := sum.Sub(want).Dot(fall) / fall.Len2(); cut > 0 && cut <= 1 &&
					(sum == geom.Vec{} || b.CenterOfMass().Dist(from[k]) < 0.999*b.Velocity().Len()*dt) {
					want = want.Add(fall.Mul(cut))
				}
				if d := sum.Sub(want).Len(); d > 1e-5*(1+most) {
					t.Fatalf("step %d, body %d: impulses %v, the change of momentum %v", step, k, sum, want)
				}
			}
			contacts := w.AppendContacts(nil)
			for _, h := range w.Hits() {
				found := false
				for _, c := range contacts {
					sum := 0.0
					for _, p := range c.Points[:c.N] {
						sum += p.NormalImpulse
					}
					found = found || c.ShapeA == h.ShapeA && c.ShapeB == h.ShapeB && c.Ground == h.Ground &&
						c.Chain == h.Chain && c.Normal == h.Normal && math.Abs(sum-h.Impulse) <= 1e-6*sum
				}
				if !found {
					t.Fatalf("step %d: the hit %+v, of the contacts %+v", step, h, contacts)
				}
			}
		}
	})
}

// TestImpulseOfALanding: a box, a circle and a polygon of one mass that land at one speed have the same hit, which is
// the mass times the change of speed, with the bounce. A box had half of it, and a bounce no more than no bounce.
func TestImpulseOfALanding(t *testing.T) {
	const dt, gravity, speed = 1.0 / 60, 10, 20.0
	for _, c := range []struct {
		name        string
		shape       geom.Shape
		restitution float64
	}{
		{"box", geom.NewBox(0.5, 0.5), 0},
		{"circle", geom.Circle{Radius: 0.5}, 0},
		{"triangle", polygon(t, geom.V(-1, -0.5), geom.V(1, -0.5), geom.V(0, 0.8)), 0},
		{"box that bounces", geom.NewBox(0.5, 0.5), 0.8},
		{"circle that bounces", geom.Circle{Radius: 0.5}, 0.8},
	} {
		w := worldtest.New()
		worldtest.Floor(t, w, gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1})
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.5, 0.501), Velocity: geom.V(0,
			-speed)}, c.shape, quarry.ShapeDef{
			Material: w.AddMaterial(quarry.Material{Restitution: c.restitution, RestitutionMix: quarry.MixMax}),
			Massless: true,
		})
		b.SetMass(geom.Mass{Mass: 1, Inertia: 1})
		var hits []quarry.HitEvent
		for step := 0; len(hits) == 0 && step < 5; step++ {
			w.Step(dt)
			hits = w.Hits()
		}
		if len(hits) != 1 {
			t.Fatalf("%s: %d hits", c.name, len(hits))
		}
		worldtest.Near(t, c.name, hits[0].Impulse, speed*(1+c.restitution), 0.5)
		worldtest.Near(t, c.name+", the momentum", hits[0].Impulse, b.Velocity().Y+speed+gravity*dt, 1e-4)
	}
}
