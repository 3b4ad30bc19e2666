package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// fill adds n bodies in rows of the given number of columns, 0.9 apart, from (left, low)
// on, each kind of shape in turn.
func fill(w *quarry.World, left, low float64, columns, n int, d quarry.ShapeDef) []quarry.Body {
	var out []quarry.Body
	for i := range n {
		s := []geom.Shape{
			geom.Capsule{A: geom.V(0, -0.25), B: geom.V(0, 0.25), Radius: 0.25},
			geom.Circle{Radius: 0.35},
			geom.NewBox(0.35, 0.35),
		}[i%3]
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(left+0.9*float64(i%columns),
			low+1.1*float64(i/columns))})
		w.AddShape(id, s, d)
		b, _ := w.Body(id)
		out = append(out, b)
	}
	return out
}

// TestChainRingHoldsAll is law 3 of contact for chains: no body gets out of a ring of 360
// points, solid outside, full of bodies that a paddle stirs for 500 steps. (The paddle is
// kinematic and a little short: a body that nothing stops would press bodies between it
// and the ring through the ring.)
func TestChainRingHoldsAll(t *testing.T) {
	w := worldtest.New()
	center, n := geom.V(0, 32), 500
	if worldtest.Soak() {
		n = 2550
	}
	m := w.AddMaterial(quarry.Material{Friction: 0.1})
	worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Ring(center, 40, 360), Loop: true, Material: m})
	paddle := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 12), AngularVelocity: 5})
	w.AddShape(paddle, geom.NewRoundedBox(0.4, 18.5, 0.2), quarry.ShapeDef{Material: w.AddMaterial(quarry.Material{})})
	bodies := fill(w, -23, 2, 51, n,
		quarry.ShapeDef{Density: 0.25, Material: w.AddMaterial(quarry.Material{Friction: 0.1, Restitution: 0.1})})
	for range 500 {
		w.Step(worldtest.DT)
		for i, b := range bodies {
			if d := b.Position().Dist(center); d > 40 {
				t.Fatalf("step %d: body %d is out: %v from the middle at %v, %v", w.StepCount(), i, d, b.Position(),
					b.Velocity())
			}
		}
	}
}

// TestChainRingTurns is law 3 of contact for moving chains: a ring on a kinematic body
// that turns, slowly, fast or about a point far from its middle, keeps its bodies and
// drags them along.
func TestChainRingTurns(t *testing.T) {
	for _, c := range []struct {
		spin float64
		off  geom.Vec
	}{{0.5, geom.Vec{}}, {-3, geom.Vec{}}, {12, geom.Vec{}}, {1, geom.V(6, 0)}, {-2, geom.V(0, 9)}} {
		w := worldtest.New()
		id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, AngularVelocity: c.spin})
		worldtest.AddChain(t, w, id, quarry.ChainDef{Points: worldtest.Ring(c.off, 5, 24), Loop: true})
		body, _ := w.Body(id)
		bodies := fill(w, c.off.X-3, c.off.Y-2, 7, 28, quarry.ShapeDef{})
		turned := 0.0
		for range 500 {
			w.Step(worldtest.DT)
			center := body.Transform().Apply(c.off)
			for i, b := range bodies {
				if d := b.Position().Dist(center); d > 5 {
					t.Fatalf("%+v: step %d: body %d is out: %v from the middle", c, w.StepCount(), i, d)
				}
				turned += b.AngularVelocity()
			}
			if w.StepCount() > 60 && bodies[0].Awake() == false {
				t.Fatalf("%+v: asleep on what turns", c)
			}
		}
		if turned*c.spin <= 0 {
			t.Errorf("%+v: they turn by %v", c, turned)
		}
	}
}

// TestChainRingHoldsWhatIsFast is law 3 of contact for chains at speed: bodies at any
// speed, bouncing in a ring at rest or turning, never pass a segment.
func TestChainRingHoldsWhatIsFast(t *testing.T) {
	for _, spin := range []float64{0, 4} {
		for _, speed := range []float64{30, 100, 399} {
			w := quarry.NewWorld(quarry.Config{})
			m := w.AddMaterial(quarry.Material{Restitution: 1})
			id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, AngularVelocity: spin})
			worldtest.AddChain(t, w, id, quarry.ChainDef{
				Points: worldtest.Ring(geom.Vec{}, 6, 40), Loop: true,
				Material: m,
			})
			var bodies []quarry.Body
			for i := range 24 {
				s := []geom.Shape{geom.Circle{Radius: 0.1}, geom.NewBox(0.2, 0.2), geom.Capsule{
					A: geom.V(-0.2, 0),
					B: geom.V(0.2, 0), Radius: 0.1,
				}}[i%3]
				at := geom.NewRot(float64(i) * 0.2617)
				bid := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: at.Apply(geom.V(3, 0)),
					Velocity: geom.NewRot(float64(i * i)).Apply(geom.V(speed, 0)),
				})
				w.AddShape(bid, s, quarry.ShapeDef{Material: m})
				b, _ := w.Body(bid)
				bodies = append(bodies, b)
			}
			for range 300 {
				w.Step(worldtest.DT)
				for i, b := range bodies {
					if d := b.Position().Len(); d > 6 {
						t.Fatalf("spin %v, speed %v: step %d: body %d is out: %v from the middle, %v", spin, speed,
							w.StepCount(), i, d, b.Velocity())
					}
				}
			}
		}
	}
}

// TestChainLoopFromOutside: a counter-clockwise loop is solid inside: bodies stand on it
// and never enter.
func TestChainLoopFromOutside(t *testing.T) {
	w := worldtest.New()
	points := worldtest.Ring(geom.Vec{}, 5, 64)
	for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
		points[i], points[j] = points[j], points[i]
	}
	worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: points, Loop: true})
	bodies := fill(w, -4.1, 6, 10, 60, quarry.ShapeDef{})
	on := false
	for range 400 {
		w.Step(worldtest.DT)
		for i, b := range bodies {
			if d := b.Position().Len(); d < 5 {
				t.Fatalf("step %d: body %d is in: %v", w.StepCount(), i, b.Position())
			}
		}
		for _, c := range w.AppendContacts(nil) {
			on = on || c.Chain != 0 && math.Abs(c.Normal.X) > 0.3
		}
	}
	if !on {
		t.Error("nothing slid down its side")
	}
}

// TestChainThinSlab: a loop as thin as a plate holds bodies on either side.
func TestChainThinSlab(t *testing.T) {
	for _, thin := range []float64{0.01, 0.1, 0.5} {
		for _, up := range []float64{1, -1} {
			w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10*up)})
			worldtest.AddChain(t, w, 0, quarry.ChainDef{Loop: true, Points: []geom.Vec{
				geom.V(-5, -thin/2), geom.V(5, -thin/2), geom.V(5, thin/2), geom.V(-5, thin/2),
			}})
			var bodies []quarry.Body
			for i := range 8 {
				bodies = append(bodies, worldtest.Add(w, geom.V(-4+float64(i), up*(1+thin)), geom.NewBox(0.2, 0.3)))
			}
			worldtest.Steps(w, 200)
			for _, b := range bodies {
				worldtest.Near(t, fmt.Sprintf("height over %v", thin), up*b.Position().Y, 0.3+thin/2, 2*geom.LinearSlop)
			}
		}
	}
}
