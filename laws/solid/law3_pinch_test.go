package solid_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestPinchKeepsMomentum: the speed of a shape that is pinched deep between two free grounds is limited relative to
// them, also if it is heavier than they are. The grounds take the momentum beyond the limit, which was lost, and the
// limit adds no energy. (Found by TestFreeGroundsKeepMomentum with other draws.)
func TestPinchKeepsMomentum(t *testing.T) {
	for _, density := range []float64{1, 10, 1000} {
		w := quarry.NewWorld(quarry.Config{NoSleep: true})
		worldtest.Raft(t, w, geom.V(-10, -1), 0, 20, 1)
		worldtest.Raft(t, w, geom.V(-4, 0.6), 0, 8, 1)
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1, 0.3)}, geom.NewBox(0.4, 0.4),
			quarry.ShapeDef{Density: density})
		push, turn := geom.V(30*b.Mass()/worldtest.DT, 0), 500*density
		b.ApplyForceToCenter(push)
		b.ApplyTorque(turn)
		at := b.CenterOfMass().Y
		free := float64(b.Mass()*30*30)/2 + turn*turn*worldtest.DT*worldtest.DT/2/b.Inertia() // energy without a pinch
		w.Step(worldtest.DT)
		var p geom.Vec
		var l, e float64
		least := math.Inf(1) // the speed of the box relative to a ground
		for o := range w.Bodies() {
			p = p.MulAdd(o.Mass(), o.Velocity())
			l += float64(o.Mass()*o.CenterOfMass().Cross(o.Velocity())) + float64(o.Inertia()*o.AngularVelocity())
			spin := o.AngularVelocity()
			e += (float64(o.Mass()*o.Velocity().Len2()) + float64(o.Inertia()*spin*spin)) / 2
			if o.ID() != b.ID() {
				least = min(least, b.Velocity().Sub(o.VelocityAt(b.CenterOfMass())).Len())
			}
		}
		t.Logf("density %v: relative speed %.2f, energy %.3f of that without a pinch", density, least, e/free)
		if least > 6.2 {
			t.Errorf("density %v: a relative speed of %v: not limited as pinched", density, least)
		}
		if e > free {
			t.Errorf("density %v: energy %v, without a pinch %v", density, e, free)
		}
		if want := push.Mul(worldtest.DT); p.Dist(want) > 1e-9*density {
			t.Errorf("density %v: momentum %v, want %v", density, p, want)
		}
		// The height at which the force acts changes by up to 0.05 in the step.
		if want := turn*worldtest.DT - float64(push.X*worldtest.DT*at); math.Abs(l-want) > 0.05*p.Len() {
			t.Errorf("density %v: angular momentum %v, want %v", density, l, want)
		}
	}
}
