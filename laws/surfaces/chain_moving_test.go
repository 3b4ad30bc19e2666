package surfaces_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestChainLift: a chain carries the body on it up, down and along. A chain that rises
// under sleepers wakes and carries them.
func TestChainLift(t *testing.T) {
	w := worldtest.New()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic})
	worldtest.AddChain(t, w, id, quarry.ChainDef{Points: worldtest.Line(geom.V(5, 0), geom.V(-5, 0), 9)})
	lift, _ := w.Body(id)
	worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(40, 4), geom.V(20, 4), 9)})
	crate := worldtest.Add(w, geom.V(-1, 0.5), geom.NewBox(0.5, 0.5))
	other := worldtest.Add(w, geom.V(30, 4.5), geom.NewBox(0.5, 0.5)) // stands on the other chain
	for i := range 600 {
		switch {
		case i < 120:
			lift.SetVelocity(geom.V(0, 2*min(1, float64(120-i)/30))) // it brakes more gently than bodies on it fall
		case i < 240:
			lift.SetVelocity(geom.V(3*min(1, float64(i-120)/60), 0))
		default:
			lift.SetVelocity(geom.V(0, -min(1, float64(i-240)/30)))
		}
		w.Step(worldtest.DT)
		if d := crate.Position().Sub(lift.Position()); math.Abs(d.Y-0.5) > 0.03 || i < 120 && math.Abs(d.X+1) > 1e-3 {
			t.Fatalf("step %d: the crate is at %v of the lift", i, d)
		}
	}
	if lift.Position().X < 3.5 || crate.Position().X < 2 {
		t.Errorf("lift at %v, crate at %v", lift.Position(), crate.Position())
	}
	if other.Awake() {
		t.Fatal("the other does not sleep")
	}
	lift.SetVelocity(geom.Vec{})
	lift.SetTransform(geom.V(30, 3.9), 0)
	lift.SetVelocity(geom.V(0, 1))
	for range 120 {
		w.Step(worldtest.DT)
	}
	worldtest.Near(t, "height of the other", other.Position().Y-lift.Position().Y, 0.5, 0.02)
}

// TestChainFarAway: ten million cells from the origin, on a body there or by its own
// points, a chain behaves as at the origin.
func TestChainFarAway(t *testing.T) {
	const far = 10_000_000
	var hills []geom.Vec
	for x := 30.0; x > -30; x -= 0.5 {
		s, _ := geom.SinCos(x)
		hills = append(hills, geom.V(x, 0.5*s))
	}
	run := func(body, points geom.Vec) (way []geom.Vec) {
		w := worldtest.New()
		d := quarry.ChainDef{}
		for _, p := range hills {
			d.Points = append(d.Points, p.Add(points))
		}
		worldtest.AddChain(t, w, w.AddBody(quarry.BodyDef{Position: body}), d)
		at := body.Add(points)
		b := worldtest.Add(w, at.Add(geom.V(1, 2)), geom.NewBox(0.4, 0.2))
		b.SetVelocity(geom.V(3, 0))
		for range 60 {
			w.Step(worldtest.DT)
			way = append(way, b.Position().Sub(at))
		}
		return way
	}
	want := run(geom.Vec{}, geom.Vec{})
	for _, c := range [][2]geom.Vec{{geom.V(far, -far), {}}, {{}, geom.V(-far, far)}, {geom.V(far, far), geom.V(-far,
		3*far)}} {
		got := run(c[0], c[1])
		for i := range got {
			if got[i].Dist(want[i]) > 1e-4 { // coordinates there are 2e-9 apart, and it tumbles
				t.Fatalf("%v: step %d: %v, at the origin %v", c, i, got[i], want[i])
			}
		}
	}
}

// TestChainUnderLoad is law 3 of contact: no load presses a small body through a chain.
func TestChainUnderLoad(t *testing.T) {
	for _, density := range []float64{10, 1e3, 1e5} {
		w := worldtest.New()
		worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: []geom.Vec{
			geom.V(9, 3), geom.V(2, 0), geom.V(1, 0),
			geom.V(0, 0.1), geom.V(-1, 0), geom.V(-2, 0), geom.V(-9, 3),
		}})
		var small []quarry.Body
		for i := range 9 {
			small = append(small, worldtest.Add(w, geom.V(-1.6+0.4*float64(i), 0.3),
				[]geom.Shape{geom.Circle{Radius: 0.1}, geom.NewBox(0.1, 0.1)}[i%2]))
		}
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 3)})
		w.AddShape(id, geom.NewBox(2, 1.5), quarry.ShapeDef{Density: density})
		for range 600 {
			w.Step(worldtest.DT)
			for i, b := range small {
				if b.Position().Y < -1e-3 {
					t.Fatalf("density %v: step %d: body %d is through: %v", density, w.StepCount(), i, b.Position())
				}
			}
		}
	}
}

// TestChainsMany: among hundreds of chains a shape has contacts only with those whose
// boxes are near, and loses them when it leaves.
func TestChainsMany(t *testing.T) {
	w := worldtest.New()
	for i := range 400 {
		at := geom.V(float64(i%20)*10, float64(i/20)*10)
		worldtest.AddChain(t, w, 0, quarry.ChainDef{Loop: true, Points: []geom.Vec{
			at, at.Add(geom.V(4, 0)),
			at.Add(geom.V(4, 1)), at.Add(geom.V(0, 1)),
		}})
		worldtest.Add(w, at.Add(geom.V(2, 1.3)), geom.NewBox(0.3, 0.3))
	}
	worldtest.Steps(w, 60)
	s := w.Stats()
	if s.Contacts != 400 || s.Touching != 400 || s.Points != 800 || s.Chains != 400 || s.ChainSegments != 1600 ||
		s.Awake != 0 {
		t.Errorf("%+v", s)
	}
	// One more box is round each that has been left: contacts end with their boxes.
	for b := range w.Bodies() {
		if b.Type() == quarry.Dynamic {
			b.SetTransform(b.Position().Add(geom.V(5, 0)), 0)
		}
	}
	worldtest.Steps(w, 10)
	if s := w.Stats(); s.Contacts != 0 {
		t.Errorf("%+v", s)
	}
}
