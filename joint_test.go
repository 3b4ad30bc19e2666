package quarry_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// jointBob adds a weightless-armed bob: a disc of the radius r and density 1 at p.
func disc(w *quarry.World, p geom.Vec, r float64) quarry.BodyID {
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
	w.AddShape(id, geom.Circle{Radius: r}, quarry.ShapeDef{})
	return id
}

// TestPendulum: the period of a disc on a hinge is that of a physical pendulum of a small amplitude.
func TestPendulum(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	const r, l = 0.5, 2.0
	const amp = 0.1
	id := disc(w, geom.V(l*math.Sin(amp), -l*math.Cos(amp)), r)
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, id, geom.Vec{})})
	b, _ := w.Body(id)
	// Crossings of the lowest point, to the right.
	var last float64
	var crossings []float64
	for step := range 6000 {
		x := b.Position().X
		w.Step(1. / 60)
		if now := b.Position().X; x < 0 && now >= 0 {
			last = (float64(step) + x/(x-now)) / 60
			crossings = append(crossings, last)
		}
	}
	period := (crossings[len(crossings)-1] - crossings[0]) / float64(len(crossings)-1)
	want := 2 * math.Pi * math.Sqrt((l*l+r*r/2)/(10*l)) * (1 + amp*amp/16)
	if math.Abs(period/want-1) > 2e-4 {
		t.Errorf("period %v, want %v", period, want)
	}
}
