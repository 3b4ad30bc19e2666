package joints

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// A net of hinges has too many loops to be solved directly: the passes solve it joint by joint. Hung from two corners
// it sinks where they do not hold its hinges together, gains no energy, and comes to rest. (If its warm starts may give
// it as much energy as bodies in contact, it sinks half as far, but takes that energy in each sub-step: it swings more,
// and the scene joint_grid takes 1.17 times as long.)
func TestNetHangs(t *testing.T) {
	const n = 30
	for _, c := range []struct{ heavy, sinks, rest float64 }{{1, 0.8, 20}, {30, 0.8, 20}, {1000, 3.2, 0}} {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		var ids [n][n]quarry.BodyID
		for i := range n {
			for j := range n {
				def := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(i), float64(j))}
				shape := quarry.ShapeDef{Density: 1, Group: -1}
				if j == n-1 && (i == 0 || i == n-1) {
					def.Type = quarry.Static
				}
				if i == n/2 && j == 0 {
					shape.Density = c.heavy
				}
				ids[i][j] = w.AddBody(def)
				w.AddShape(ids[i][j], geom.Circle{Radius: 0.3}, shape)
				if i > 0 {
					at := geom.V(float64(i)-0.5, float64(j))
					w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(ids[i-1][j], ids[i][j], at)})
				}
				if j > 0 {
					at := geom.V(float64(i), float64(j)-0.5)
					w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(ids[i][j-1], ids[i][j], at)})
				}
			}
		}
		mass := 0.0
		for b := range w.Bodies() {
			mass += b.Mass()
		}
		energy := func() (e float64) { // for a unit of mass
			for b := range w.Bodies() {
				if b.Type() == quarry.Dynamic {
					e += b.Mass() * (b.Velocity().Len2()/2 + 10*b.Position().Y)
					e += b.Inertia() * b.AngularVelocity() * b.AngularVelocity() / 2
				}
			}
			return e / mass
		}
		start := energy()
		rest := 0.0
		for i := range 1200 {
			w.Step(1. / 60)
			if e := energy(); e > start {
				t.Fatalf("heavy %g: %.4f more energy after %d steps", c.heavy, e-start, i+1)
			}
			if w.Stats().Awake == 0 {
				rest = float64(i+1) / 60
				break
			}
		}
		sinks := (start - energy()) / 10
		t.Logf("a body of %g: sinks by %.2f in the mean, at rest after %.1f s", c.heavy, sinks, rest)
		if sinks > c.sinks || c.rest > 0 && (rest == 0 || rest > c.rest) {
			t.Errorf("a body of %g: sinks by %.2f in the mean, at most %.2f; at rest after %.1f s, want %g",
				c.heavy, sinks, c.sinks, rest, c.rest)
		}
	}
}
