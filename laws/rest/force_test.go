package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// planet is a round static body with boxes that a force pulls to its centre in each step.
type planet struct {
	w     *worldtest.Site
	boxes []quarry.Body
}

func newPlanet(on worldtest.Carrier) *planet {
	p := &planet{w: on.NewSiteOf(quarry.Config{})}
	p.w.AddBody(quarry.BodyDef{}, geom.Circle{Radius: 10}, quarry.ShapeDef{})
	for k := range 12 {
		q := geom.NewRot(0.5 * float64(k))
		p.boxes = append(p.boxes, p.w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: q.Apply(geom.V(11, 0)),
			Angle: q.Angle(),
		}, cube, quarry.ShapeDef{}))
	}
	return p
}

// step makes n steps under the pull of the planet, of the given acceleration.
func (p *planet) step(n int, acceleration float64) {
	for range n {
		for _, b := range p.boxes {
			b.ApplyForceToCenter(p.w.Carrier.WorldVector(p.w.Position(b)).Mul(-acceleration * b.Mass() /
				p.w.Position(b).Len()))
		}
		p.w.Step(worldtest.DT)
	}
}

func (p *planet) awake() (n int) {
	for _, b := range p.boxes {
		if b.Awake() {
			n++
		}
	}
	return n
}

// TestSteadyForceSleeps: boxes on a round planet, whose pull is a force in each step, fall asleep and stay asleep. When
// they wake they stay where they are. Each force restarted the time at rest.
func TestSteadyForceSleeps(t *testing.T) { worldtest.OnStaticCarriers(t, steadyForceSleeps) }

func steadyForceSleeps(t *testing.T, on worldtest.Carrier) {
	for _, pull := range []float64{1, 10, 40} {
		p := newPlanet(on)
		p.step(240, pull)
		if n := p.awake(); n != 0 {
			t.Fatalf("pull %v: %d of 12 boxes are awake after 4 s", pull, n)
		}
		var places []geom.Vec
		for _, b := range p.boxes {
			places = append(places, p.w.Position(b))
			b.Wake()
		}
		p.step(5, pull)
		if p.awake() != 12 {
			t.Errorf("pull %v: %d of 12 boxes are awake after Wake", pull, p.awake())
		}
		p.step(240, pull)
		for k, b := range p.boxes {
			if far := p.w.Position(b).Dist(places[k]); far > 0.001 || b.Awake() {
				t.Errorf("pull %v: box %d moved by %.3g after Wake; awake %v", pull, k, far, b.Awake())
			}
		}
		// A shot wakes one of them in the middle of a step, without the force of that step.
		p.w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(13, 0.2), Velocity: geom.V(-0.5, 0)},
			geom.Circle{Radius: 0.1}, quarry.ShapeDef{Density: 0.01})
		p.step(240, pull)
		if far := p.w.Position(p.boxes[0]).Dist(places[0]); far > 0.01 {
			t.Errorf("pull %v: box 0 moved by %.3g when a light ball touched it", pull, far)
		}
	}
}

// TestForceDoesNotWake: a sleeping body ignores forces and wind, and an impulse wakes it; neither restarts the time for
// which an awake body has been at rest.
func TestForceDoesNotWake(t *testing.T) {
	w := worldtest.New()
	worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(50, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{})
	b := worldtest.Add(w, geom.V(0, 0.5), cube)
	small := geom.V(0, -1e-3)
	for k := range 60 {
		switch k % 4 {
		case 0:
			b.ApplyForce(small, b.Position())
		case 1:
			b.ApplyTorque(1e-9)
		case 2:
			b.ApplyImpulseToCenter(small.Mul(1e-6))
		case 3:
			for s := range b.Shapes() {
				s.ApplyWind(geom.V(0, -1), 1e-3, 0)
			}
		}
		w.Step(worldtest.DT)
		if !b.Awake() {
			if k < 29 {
				t.Fatalf("asleep after %d steps", k)
			}
			break
		}
	}
	if b.Awake() {
		t.Fatal("awake after a second of small forces and impulses")
	}
	at := b.Position()
	for range 30 {
		b.ApplyForceToCenter(geom.V(1e4, 1e4))
		b.ApplyTorque(1e4)
		for s := range b.Shapes() {
			s.ApplyWind(geom.V(100, 100), 1, 1)
		}
		w.Step(worldtest.DT)
	}
	if b.Awake() || b.Position() != at {
		t.Errorf("forces moved a sleeping body from %v to %v", at, b.Position())
	}
	b.Wake()
	w.Step(worldtest.DT)
	if b.Position().Dist(at) > 1e-3 {
		t.Errorf("forces on the sleeping body act after it has woken: it is at %v", b.Position())
	}
	b.Sleep()
	b.ApplyImpulseToCenter(geom.V(1, 0))
	if !b.Awake() || b.Velocity().X != 1/b.Mass() {
		t.Errorf("impulse on a sleeping body: awake %v, velocity %v", b.Awake(), b.Velocity())
	}
}
