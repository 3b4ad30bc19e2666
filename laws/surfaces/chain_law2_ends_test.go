package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// The end of these tests is the left one of a floor from (20, 0) to (0, 0).
var openFloor = worldtest.Line(geom.V(20, 0), geom.V(0, 0), 10)

func endShapes() map[string]geom.Shape {
	return map[string]geom.Shape{
		"circle": geom.Circle{Radius: 0.4}, "box": geom.NewBox(0.4, 0.3), "plank": geom.NewBox(1.2, 0.05),
		"capsule": geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.2},
		"rounded": geom.NewRoundedBox(0.3, 0.2, 0.1), "needle": geom.NewBox(0.02, 1.5),
	}
}

// TestChainEndFromBehind is law 2 of contact at an open end: a body from behind passes as
// if there were no chain, to the last bit, with any of its parts at the end, until its
// centroid is in front.
func TestChainEndFromBehind(t *testing.T) {
	for name, s := range endShapes() {
		for _, ghost := range []bool{false, true} {
			for x := -1.5; x < 3; x += 0.21 {
				for _, v := range []geom.Vec{geom.V(0, 3), geom.V(2, 3), geom.V(-2, 3), geom.V(-3, 0), geom.V(3, 0.1)} {
					run := func(chain bool) (way []geom.Vec) {
						w := quarry.NewWorld(quarry.Config{})
						if chain {
							worldtest.AddChain(t, w, 0, quarry.ChainDef{
								Points: openFloor, HasGhost2: ghost,
								Ghost2: geom.V(-1, -2),
							})
						}
						id := w.AddBody(quarry.BodyDef{
							Type: quarry.Dynamic, Position: geom.V(x, -1), Angle: 0.4,
							Velocity: v,
						})
						w.AddShape(id, s, quarry.ShapeDef{})
						b, _ := w.Body(id)
						for range 60 {
							if b.Position().Y > -1e-9 {
								break
							}
							w.Step(worldtest.DT)
							way = append(way, b.Position(), b.Velocity())
						}
						return way
					}
					if a, b := run(true), run(false); fmt.Sprint(a) != fmt.Sprint(b) {
						t.Fatalf("%s from x = %v at %v, ghost %v: it was touched from behind", name, x, v, ghost)
					}
				}
			}
		}
	}
}

// TestChainEndNeverPulls is law 2 of contact at an open end: any contact of a body thrown
// at the end pushes away from the end or the face, acts only with the centroid in front,
// and adds no speed except to push the body out of an overlap.
func TestChainEndNeverPulls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		w := quarry.NewWorld(quarry.Config{})
		bent := rapid.Bool().Draw(t, "bent")
		points := openFloor
		if bent {
			points = []geom.Vec{geom.V(4, f(-3, 3, "bend")), geom.V(1, 0), geom.V(0, 0)}
		}
		cid, err := w.AddChain(0, quarry.ChainDef{Points: points, Material: w.AddMaterial(quarry.Material{})})
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"circle", "box", "plank", "capsule", "rounded", "needle"}
		s := endShapes()[rapid.SampledFrom(names).Draw(t, "shape")]
		// Clear of the chain, on its way to about the end.
		from := geom.NewRot(f(-3.14, 3.14, "side")).Apply(geom.V(3, 0))
		v := geom.V(f(-1, 1, "x"), f(-1, 1, "y")).Sub(from).Mul(f(0.5, 40, "speed") / 3)
		if from.X > 0 && math.Abs(from.Y) < 2 {
			from.X = -from.X
			v.X = -v.X
		}
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: from, Velocity: v, Angle: f(-3, 3, "angle"),
			AngularVelocity: f(-3, 3, "spin"),
		})
		w.AddShape(id, s, quarry.ShapeDef{Material: 1})
		b, _ := w.Body(id)
		energy := func() float64 {
			return 0.5*b.Mass()*b.Velocity().Len2() + 0.5*b.Inertia()*b.AngularVelocity()*b.AngularVelocity()
		}
		e := energy()
		for range 120 {
			before := b.Transform()
			w.Step(worldtest.DT)
			deep := 0.0
			for _, c := range w.AppendContacts(nil) {
				if c.Chain != cid {
					t.Fatal("another chain")
				}
				ch, _ := w.Chain(cid)
				for _, p := range c.Points[:c.N] {
					seg := ch.Segment(p.Segment)
					n, _ := seg.B.Sub(seg.A).Right().Unit()
					if n.Dot(before.P.Sub(seg.A)) < -3e-6 { // runs are that straight
						t.Fatalf("touched from behind: %v off %v", before.P, seg)
					}
					deep = min(deep, p.Separation)
					if p.NormalImpulse < 0 {
						t.Fatalf("pulled by %v", p.NormalImpulse)
					}
					// Against the face only off an end, and never along the chain inwards.
					if c.Normal.Dot(n) < -1e-6 && (seg.B != geom.Vec{} && p.Segment != 0) {
						t.Fatalf("pushed along %v off segment %d", c.Normal, p.Segment)
					}
				}
			}
			// An overlapping body is pushed out at 3 units a second at most, and may keep
			// this speed.
			gain := 0.02
			if deep < -2*geom.LinearSlop {
				gain += 0.5 * b.Mass() * 9
			}
			if now := energy(); now > e*1.01+gain {
				t.Fatalf("energy %v, before %v, at %v, %v", now, e, b.Position(), b.Velocity())
			} else {
				e = now
			}
		}
	})
}

// TestChainEndIsNotADoor: a plank that lies along an open end, deep in the face and with
// its centroid hardly in front, is pushed off the front, though the way out of the back
// is shorter and collide admits it, as any normal over an open end.
func TestChainEndIsNotADoor(t *testing.T) {
	for _, ghost := range []bool{false, true} {
		for x := -0.4; x < 1; x += 0.1 {
			for _, lean := range []float64{-0.02, 0, 0.02} {
				w := quarry.NewWorld(quarry.Config{})
				worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: openFloor, HasGhost2: ghost, Ghost2: geom.V(0, -1)})
				id := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(x, 0.001+math.Abs(0.4*lean)),
					Angle: lean,
				})
				w.AddShape(id, geom.NewBox(1.2, 0.05), quarry.ShapeDef{})
				b, _ := w.Body(id)
				worldtest.Steps(w, 60)
				if b.Position().Y < 0.03 {
					t.Errorf("ghost %v: the plank from x = %v, leaning %v, went out of the back, to %v", ghost, x, lean,
						b.Position())
				}
			}
		}
	}
}

// TestChainEndRoundedOrNot: a ball rolls off an end round its tip. A ghost vertex makes
// the end the corner that it describes: down the far side, or up a wall that begins
// there.
func TestChainEndRoundedOrNot(t *testing.T) {
	off := func(d quarry.ChainDef) (turned bool, low float64) {
		w := worldtest.New()
		d.Points = openFloor
		worldtest.AddChain(t, w, 0, d)
		b := worldtest.Add(w, geom.V(0.6, 0.4), geom.Circle{Radius: 0.4})
		b.SetVelocity(geom.V(-1, 0))
		for range 240 {
			w.Step(worldtest.DT)
			for _, c := range w.AppendContacts(nil) {
				turned = turned || c.Normal.X < -0.1
				if c.Normal.X > 1e-9 || c.Normal.Y < 0 {
					t.Errorf("%+v: pushed along %v", d, c.Normal)
				}
			}
			// Round the tip: never nearer than it is.
			if p := b.Position(); d.Ghost2.X == 0 && p.X < 0 && p.Y > 0 && p.Len() < 0.4-2*geom.LinearSlop {
				t.Errorf("%+v: %v from the tip", d, p.Len())
			}
		}
		return turned, b.Position().Y
	}
	if turned, y := off(quarry.ChainDef{}); !turned || y > -3 {
		t.Errorf("a true end: %v, %v", turned, y)
	}
	if turned, y := off(quarry.ChainDef{HasGhost2: true, Ghost2: geom.V(0, -1)}); !turned || y > -3 {
		t.Errorf("an edge: %v, %v", turned, y)
	}
	// A ghost vertex continues the ground: the box may not lean over the end, so it falls
	// straight.
	if turned, y := off(quarry.ChainDef{HasGhost2: true, Ghost2: geom.V(-5, 0)}); turned || y > -3 {
		t.Errorf("going on: %v, %v", turned, y)
	}
}

// TestChainsThatMeet is law 1 of contact for two chains that have each other's points as
// ghost vertices: a body slides over both as over one surface.
func TestChainsThatMeet(t *testing.T) {
	for _, s := range chainSliders {
		for _, speed := range []float64{1, 10, 60} {
			w := worldtest.New()
			ice := w.AddMaterial(quarry.Material{})
			for x := 60.0; x > -60; x -= 6 {
				worldtest.AddChain(t, w, 0, quarry.ChainDef{
					Points: worldtest.Line(geom.V(x, 0), geom.V(x-6, 0), 3), Material: ice,
					HasGhost1: true, Ghost1: geom.V(x+2, 0), HasGhost2: true, Ghost2: geom.V(x-8, 0),
				})
			}
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(-40, s.rest), Velocity: geom.V(speed,
					0), FixedRotation: s.name == "upright capsule",
			})
			w.AddShape(id, s.shape, quarry.ShapeDef{Material: ice})
			b, _ := w.Body(id)
			for b.Position().X < 40 && w.StepCount() < 200 {
				w.Step(worldtest.DT)
				if v := b.Velocity(); math.Abs(v.Y) > 0.02 || math.Abs(v.X-speed) > 1e-3 ||
					math.Abs(b.AngularVelocity()) > 0.02 {
					t.Fatalf("%s at %v: %v, spin %v at %v", s.name, speed, v, b.AngularVelocity(), b.Position())
				}
			}
		}
	}
}
