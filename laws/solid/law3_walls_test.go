package solid_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestFastBodiesStayIn is law 3 of contact: bodies with no shape at their centre of mass
// (a dumbbell, an L, a segment), and bodies with a sensor there, stay within walls one
// cell thick, static, kinematic or, of tiles, dynamic. They flew through, and every body flew through
// kinematic walls.
func TestFastBodiesStayIn(t *testing.T) {
	lift := worldtest.Carrier{Name: "kinematic", Body: quarry.BodyDef{Type: quarry.Kinematic}}
	i := 0
	for _, c := range []compound{
		{"marble", []geom.Shape{geom.Circle{Radius: 0.1}}},
		{"dumbbell", []geom.Shape{geom.Circle{Center: geom.V(0, 1), Radius: 0.2}, geom.Circle{
			Center: geom.V(0, -1),
			Radius: 0.2,
		}}},
		{"segment", []geom.Shape{geom.Segment{A: geom.V(0, -0.5), B: geom.V(0, 0.5)}}},
		{"needle", []geom.Shape{geom.NewBox(1, 0.02)}},
		{"L", []geom.Shape{
			geom.NewOffsetBox(0.1, 1, geom.V(-1, 0), geom.Identity),
			geom.NewOffsetBox(1, 0.1, geom.V(0, -1), geom.Identity),
		}},
	} {
		for _, speed := range []float64{20, 60, 150, 210, 400} {
			for k := range 6 {
				for _, tiled := range []bool{true, false} {
					for _, on := range append(worldtest.InTurn(i), lift) {
						// only bullets are swept against shapes of dynamic bodies
						if tiled || on.Body.Type != quarry.Dynamic {
							c.stayIn(t, on, tiled, speed, float64(k))
						}
					}
					i++
				}
			}
		}
	}
}

// compound is a body of several shapes.
type compound struct {
	name   string
	shapes []geom.Shape
}

// stayIn shoots the body about between four walls.
func (c compound) stayIn(t *testing.T, on worldtest.Carrier, tiled bool, speed, k float64) {
	w := on.NewSiteOf(quarry.Config{})
	if tiled {
		g := w.Floor(t, gridseg.Rect{MinX: -11, MinY: -11, MaxX: 10, MaxY: 10})
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -10, MinY: -10, MaxX: 9, MaxY: 9}, gridseg.Tile{}))
	} else {
		for _, at := range []geom.Vec{{X: 10.5}, {X: -10.5}, {Y: 10.5}, {Y: -10.5}} {
			half := geom.V(0.5, 11)
			if at.X == 0 {
				half = geom.V(11, 0.5)
			}
			w.AddShape(w.Carrier.ID(), geom.NewOffsetBox(half.X, half.Y, at, geom.Identity), quarry.ShapeDef{})
		}
	}
	b, _ := w.Body(w.World.AddBody(w.Def(quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(0.31*k, 0.5), Velocity: geom.V(speed, 0.01*speed*k), AngularVelocity: k -
			3,
	})))
	for _, s := range c.shapes {
		w.AddShape(b.ID(), s, quarry.ShapeDef{})
	}
	w.AddShape(b.ID(), geom.Circle{Radius: 8}, quarry.ShapeDef{Sensor: true, Massless: true})
	for range 60 {
		w.Step(worldtest.DT)
		for s := range b.Shapes() {
			box := s.Geometry().Bounds(w.Pose(b))
			if c := box.Min.Lerp(box.Max, 0.5); !s.Sensor() && max(math.Abs(c.X), math.Abs(c.Y)) > 10.1 {
				t.Errorf("%s: at %v, tiled %v: out at %v", on.Name, speed, tiled, c)
				return
			}
		}
	}
}

// TestFastLift is law 3 of contact: a body that falls on a fast lift one cell thick lands
// on it. It fell through.
func TestFastLift(t *testing.T) {
	i := 0
	for _, s := range []geom.Shape{geom.Circle{Radius: 0.25}, geom.NewBox(0.5, 0.5), geom.NewBox(3, 0.05)} {
		for _, speed := range []float64{5, 20, 40} {
			for k := range 10 {
				i++
				for _, on := range worldtest.InTurn(i) {
					w := on.NewSite()
					lift := quarry.Kinematic
					if on.Body.Type == quarry.Dynamic {
						lift = quarry.Dynamic
					}
					body := w.Beside(lift, geom.Vec{})
					w.SetVelocity(body, geom.V(0, speed))
					g := worldtest.AddGround(t, w.World, body.ID())
					worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -10, MinY: -1, MaxX: 10, MaxY: -1},
						gridseg.Tile{Shape: gridseg.Full}))
					b := w.Add(geom.V(0.3, 10+0.13*float64(k)), s)
					w.SetVelocity(b, geom.V(0, -speed))
					w.Steps(90)
					if y := g.Transform().Inv(b.Position()).Y; y < 0 {
						t.Errorf("%s: %T on a lift at %v: %v above it", on.Name, s, speed, y)
					}
				}
			}
		}
	}
}

// TestMaxSpeed: no contact makes a body faster than MaxSpeed. Light bodies reached twice
// that.
func TestMaxSpeed(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	heavy := worldtest.Add(w, geom.V(0, 0), geom.NewBox(1, 1))
	rubber := w.AddMaterial(quarry.Material{Restitution: 1})
	heavy.SetVelocity(geom.V(quarry.MaxSpeed, 0))
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1.11, 0)})
	w.AddShape(id, geom.Circle{Radius: 0.1}, quarry.ShapeDef{Material: rubber})
	b, _ := w.Body(id)
	fastest := 0.0
	for range 30 {
		was := b.Position()
		w.Step(worldtest.DT)
		fastest = max(fastest, b.Velocity().Len(), b.Position().Dist(was)/worldtest.DT)
	}
	if fastest > quarry.MaxSpeed*1.00001 || fastest < 300 {
		t.Errorf("as fast as %v", fastest)
	}
}

// TestSegmentSlides: a body of one segment slides down a slope on its whole length. Its
// centroid lies on the surface, so the sweep of the disc stopped it in each step: it had
// the speed of a slide and hardly moved.
func TestSegmentSlides(t *testing.T) {
	i := 0
	for _, slope := range []bool{false, true} {
		for k := range 8 {
			i++
			for _, on := range worldtest.InTurn(i) {
				w := on.NewSite()
				smooth := w.AddMaterial(quarry.Material{})
				id, _ := w.World.AddGround(w.Carrier.ID(), quarry.GroundDef{Materials: []quarry.MaterialID{smooth}})
				g, _ := w.Ground(id)
				angle, along := 0.0, geom.V(1, 0)
				if slope {
					angle = -math.Pi / 4
					along = geom.V(math.Sqrt2/2, -math.Sqrt2/2)
				}
				for x := int32(-3); x < 60; x++ {
					top := int32(-1)
					if slope {
						top = -x - 2
						if err := g.Set(x, top+1, gridseg.Tile{Shape: gridseg.Ramp, Turn: 4}); err != nil {
							t.Fatal(err)
						}
					}
					if err := g.Fill(gridseg.Rect{MinX: x, MinY: top - 3, MaxX: x, MaxY: top},
						gridseg.Tile{Shape: gridseg.Full}); err != nil {
						t.Fatal(err)
					}
				}
				at := along.Mul(0.13 * float64(k)).Add(geom.V(0, 0.001*float64(k)))
				b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: angle},
					geom.Segment{A: geom.V(-1, 0), B: geom.V(1, 0)}, quarry.ShapeDef{Material: smooth})
				w.Steps(10)
				from := w.Position(b)
				w.SetVelocity(b, along.Mul(10))
				want := 0.0
				for range 60 {
					want += w.Velocity(b).Dot(along) * worldtest.DT
					w.Step(worldtest.DT)
				}
				if got := w.Position(b).Sub(from).Dot(along); math.Abs(got-want) > 0.02*want {
					t.Errorf("%s: slope %v, from %v: slid %v, want %v", on.Name, slope, at, got, want)
				}
			}
		}
	}
}

// TestThinShapesLieOnTheSurface: a shape that is thinner than the slop, and lies on the surface or in it by less, is
// pushed out by that much, and slides. The place just outside counted as solid, since it was on the surface: the shape
// was stuck, and pushed to a free spot a cell above.
func TestThinShapesLieOnTheSurface(t *testing.T) { worldtest.OnCarriers(t, thinShapesLieOnTheSurface) }

func thinShapesLieOnTheSurface(t *testing.T, on worldtest.Carrier) {
	for _, shape := range []geom.Shape{
		geom.Segment{A: geom.V(-1, 0), B: geom.V(1, 0)},
		geom.Segment{A: geom.V(-1.5, 0), B: geom.V(1.5, 0)},
		geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0), Radius: 1e-4},
		geom.NewBox(1, 0.003),
	} {
		for _, at := range []geom.Vec{
			geom.V(0, 0), geom.V(0.1, 0), geom.V(0, -1e-17), geom.V(0, -1e-9), geom.V(0.1, -2e-5), geom.V(0, -1e-3),
		} {
			w := on.NewSite()
			w.Floor(t, gridseg.Rect{MinX: -9, MinY: -4, MaxX: 9, MaxY: -1})
			smooth := w.AddMaterial(quarry.Material{})
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at}, shape, quarry.ShapeDef{Material: smooth})
			w.SetVelocity(b, geom.V(3, 0))
			for step := range 30 {
				w.Step(worldtest.DT)
				p := w.Position(b)
				if math.Abs(p.Y) > 2*geom.LinearSlop || math.Abs(p.X-at.X-0.05*float64(step+1)) > 0.01 {
					t.Fatalf("%T from %v is at %v after %d steps", shape, at, p, step+1)
				}
			}
		}
	}
}
