package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// chainSlider is a body that slides or rolls along a straight chain from its middle
// towards the first point, which is up the x axis before the slope turns it.
type chainSlider struct {
	name  string
	shape geom.Shape
	rest  float64 // height of its origin over the surface
	rolls bool
}

var chainSliders = []chainSlider{
	{"box", geom.NewBox(0.5, 0.5), 0.5, false},
	{"small box", geom.NewBox(0.1, 0.05), 0.05, false},
	{"plank", geom.NewBox(0.5, 0.02), 0.02, false},
	{"thin plank", geom.NewBox(0.5, 0.008), 0.008, false},
	{"large box", geom.NewBox(8, 1), 1, false},
	{"circle", geom.Circle{Radius: 0.25}, 0.25, false},
	{"wheel", geom.Circle{Radius: 0.5}, 0.5, true},
	{"capsule", geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.25}, 0.25, false},
	{"upright capsule", geom.Capsule{A: geom.V(0, -0.2), B: geom.V(0, 0.2), Radius: 0.25}, 0.45, false},
	{"rounded", geom.NewRoundedBox(0.3, 0.3, 0.2), 0.5, false},
}

// slideAlong runs s over a chain of the given points on a body turned by slope. It returns
// position, velocity and spin after each step, in turn, in the slope's frame.
func slideAlong(t *testing.T, s chainSlider, points []geom.Vec, slope, speed float64, bent bool) []geom.Vec {
	t.Helper()
	w := worldtest.New()
	q := geom.NewRot(slope)
	d := quarry.ChainDef{Material: w.AddMaterial(quarry.Material{Friction: 0})}
	if s.rolls {
		d.Material = 0
	}
	body := w.AddBody(quarry.BodyDef{})
	for _, p := range points {
		if bent {
			p = q.Apply(p) // the points themselves are on the slope
		}
		d.Points = append(d.Points, p)
	}
	if !bent {
		b, _ := w.Body(body)
		b.SetTransform(geom.Vec{}, slope)
	}
	worldtest.AddChain(t, w, body, d)
	def := quarry.BodyDef{
		Type: quarry.Dynamic, Position: q.Apply(geom.V(-40.013, s.rest)), Angle: slope,
		Velocity: q.Apply(geom.V(speed, 0)), FixedRotation: s.name == "upright capsule",
	}
	if s.rolls {
		def.AngularVelocity = -speed / s.rest
	}
	id := w.AddBody(def)
	w.AddShape(id, s.shape, quarry.ShapeDef{Material: d.Material})
	b, _ := w.Body(id)
	var way []geom.Vec
	for range 120 {
		w.Step(worldtest.DT)
		if p := q.Inv(b.Position()); math.Abs(p.X) > 45 {
			break
		}
		way = append(way, q.Inv(b.Position()), q.Inv(b.Velocity()), geom.V(b.AngularVelocity(), 0))
	}
	return way
}

// TestChainSeamsAreNotFelt is law 1 of contact for chains: a body moves over a straight
// chain of 200 segments as over one segment, to the last bit, since the segments are one
// face.
func TestChainSeamsAreNotFelt(t *testing.T) {
	even := worldtest.Line(geom.V(60, 0), geom.V(-60, 0), 200)
	uneven := []geom.Vec{geom.V(60, 0)}
	for i := range 199 {
		uneven = append(uneven, geom.V(60-120*float64(i*i)/40000-0.01*float64(i)-0.3, 0))
	}
	uneven = append(uneven, geom.V(-60, 0))
	whole := []geom.Vec{geom.V(60, 0), geom.V(-60, 0)}
	for _, s := range chainSliders {
		for _, slope := range []float64{0, 0.3, -0.6, 1e-3} {
			for _, speed := range []float64{0.7, 10, 40, 150} {
				if s.rolls && slope != 0 {
					continue // it would not roll evenly
				}
				for _, bent := range []bool{false, true} {
					name := fmt.Sprintf("%s at %v on a slope of %v, %v", s.name, speed, slope, bent)
					want := slideAlong(t, s, whole, slope, speed, bent)
					for k, points := range [][]geom.Vec{even, uneven} {
						got := slideAlong(t, s, points, slope, speed, bent)
						if len(got) != len(want) {
							t.Fatalf("%s, %d: %d steps, over one segment %d", name, k, len(got)/3, len(want)/3)
						}
						for i := range got {
							if got[i] != want[i] {
								t.Fatalf("%s, %d: step %d: %v, over one segment %v", name, k, i/3, got[i], want[i])
							}
						}
					}
					for i := 0; i < len(want); i += 3 {
						if math.Abs(want[i].Y-s.rest) > 1.5*geom.LinearSlop || math.Abs(want[i+1].Y) > 0.02 {
							t.Fatalf("%s: step %d at height %v, speed %v", name, i/3, want[i].Y, want[i+1])
						}
						if slope == 0 && math.Abs(want[i+1].X-speed) > 1e-3*speed {
							t.Fatalf("%s: step %d at speed %v", name, i/3, want[i+1])
						}
					}
				}
			}
		}
	}
}

// TestChainTellsTheSegment: each contact point names the segment that it lies beside, and
// that segment's material, although the segments are one face.
func TestChainTellsTheSegment(t *testing.T) {
	for _, loop := range []bool{false, true} {
		w := worldtest.New()
		d := quarry.ChainDef{Points: worldtest.Line(geom.V(10, 0), geom.V(-10, 0), 20), Loop: loop}
		if loop { // a loop that begins in the middle of its top
			d.Points = append(d.Points[7:], geom.V(-10, -5), geom.V(10, -5), geom.V(10, 0))
			d.Points = append(d.Points, worldtest.Line(geom.V(9, 0), geom.V(4, 0), 5)...)
		}
		for range 3 {
			w.AddMaterial(quarry.Material{Friction: 0.5})
		}
		n := len(d.Points) - 1
		if loop {
			n++
		}
		for i := range n {
			d.Materials = append(d.Materials, quarry.MaterialID(i%4))
		}
		c := worldtest.AddChain(t, w, 0, d)
		for x := -9.25; x < 9.5; x += 1.25 {
			worldtest.Add(w, geom.V(x, 0.5), geom.NewBox(0.3, 0.5))
		}
		worldtest.Steps(w, 10)
		points := 0
		for _, k := range w.AppendContacts(nil) {
			for _, p := range k.Points[:k.N] {
				s := c.Segment(p.Segment)
				if p.Point.X > s.A.X || p.Point.X < s.B.X || p.Material != c.Material(p.Segment) || k.Chain != c.ID() ||
					k.ShapeA != 0 {
					t.Errorf("loop %v: point %v is said to be on segment %d, %v, material %d", loop, p.Point, p.Segment,
						s, p.Material)
				}
				points++
			}
		}
		if points != 2*15 {
			t.Errorf("%d points", points)
		}
		for _, e := range w.ContactBegins() {
			t.Errorf("late: %+v", e)
		}
	}
}

// TestChainBeltsAndIce: friction, belts and restitution come from the segment under the
// point.
func TestChainBeltsAndIce(t *testing.T) {
	w := worldtest.New()
	ice := w.AddMaterial(quarry.Material{})
	belt := w.AddMaterial(quarry.Material{Friction: 0.9, TangentSpeed: 3})
	spring := w.AddMaterial(quarry.Material{Friction: 0.6, Restitution: 1})
	c := worldtest.AddChain(t, w, 0, quarry.ChainDef{
		Points:    []geom.Vec{geom.V(30, 0), geom.V(20, 0), geom.V(0, 0), geom.V(-20, 0), geom.V(-40, 0)},
		Materials: []quarry.MaterialID{spring, belt, ice, 0},
	})
	crate := func(x, v float64) quarry.Body {
		b := worldtest.Add(w, geom.V(x, 0.5), geom.NewBox(0.5, 0.5))
		b.SetVelocity(geom.V(v, 0))
		return b
	}
	rough, slides, rides := crate(-30, 4), crate(-19, 4), crate(5, 0)
	bounces := worldtest.Add(w, geom.V(25, 3.5), geom.Circle{Radius: 0.5})
	top, hit := 0.0, 0
	for range 90 {
		w.Step(worldtest.DT)
		for _, h := range w.Hits() {
			if h.Chain == c.ID() && h.Segment == 0 && h.Normal == geom.V(0, 1) && h.Speed > 7 {
				hit++
			}
		}
		if hit > 0 {
			top = max(top, bounces.Position().Y)
		}
	}
	worldtest.Near(t, "on rough ground", rough.Velocity().X, 0, 1e-3)
	worldtest.Near(t, "on ice", slides.Velocity().X, 4, 1e-3)
	worldtest.Near(t, "on a belt", rides.Velocity().X, 3, 1e-2)
	worldtest.Near(t, "of the bounce", top, 3.5, 0.15)
	if hit != 1 {
		t.Errorf("%d hits", hit)
	}
}
