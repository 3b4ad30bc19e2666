package solid_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestPinchKeepsMomentum: the speed of a shape that is pinched deep between two free grounds is limited, and a ground
// takes the momentum beyond the limit. It was lost. (Found by TestFreeGroundsKeepMomentum with other draws.)
func TestPinchKeepsMomentum(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{NoSleep: true})
	worldtest.Raft(t, w, geom.V(-10, -1), 0, 20, 1)
	worldtest.Raft(t, w, geom.V(-4, 0.6), 0, 8, 1)
	b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1, 0.3)}, geom.NewBox(0.4, 0.4),
		quarry.ShapeDef{})
	sums := func() (p geom.Vec, l float64) {
		for o := range w.Bodies() {
			p = p.MulAdd(o.Mass(), o.Velocity())
			l += float64(o.Mass()*o.CenterOfMass().Cross(o.Velocity())) + float64(o.Inertia()*o.AngularVelocity())
		}
		return p, l
	}
	push := geom.V(30*b.Mass()/worldtest.DT, 0)
	b.ApplyForceToCenter(push)
	b.ApplyTorque(500)
	at := b.CenterOfMass().Y
	w.Step(worldtest.DT)
	p, l := sums()
	if v := b.Velocity().Len(); v < 5.9 || v > 6.1 {
		t.Fatalf("a speed of %v: not limited as pinched", v)
	}
	if want := push.Mul(worldtest.DT); p.Dist(want) > 1e-9 {
		t.Errorf("momentum %v, want %v", p, want)
	}
	// The force acts at the height that the body has on its way.
	if want := 500*worldtest.DT - float64(push.X*worldtest.DT*at); math.Abs(l-want) > 0.05*math.Abs(want) {
		t.Errorf("angular momentum %v, want %v", l, want)
	}
}
