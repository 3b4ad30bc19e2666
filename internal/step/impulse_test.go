package step

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestImpulse: the impulse changes the relative velocity at the point to the wanted one, to zero where the wanted one
// would add energy, and is zero between two bodies that no impulse moves.
func TestImpulse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	vec := func() geom.Vec { return geom.V(2*random.Float64()-1, 2*random.Float64()-1) }
	less, zero := 0, 0
	for range 1000 {
		a := side{InvMass: random.Float64(), InvInertia: random.Float64(), Arm: vec()}
		b := side{InvMass: 0.1 + random.Float64(), InvInertia: random.Float64(), Arm: vec()}
		u, end := vec(), vec()
		j := impulse(a, b, u, end)
		after := u
		for _, s := range []side{a, b} { // the velocity of the point of b grows by j, of a it shrinks
			spin := s.InvInertia * s.Arm.Cross(j)
			after = after.Add(j.Mul(s.InvMass)).Add(geom.V(-spin*s.Arm.Y, spin*s.Arm.X))
		}
		gain := j.Dot(u.Add(after)) / 2
		switch {
		case after.Dist(end) < 1e-9:
			less++
		case after.Len() < 1e-9:
			zero++
		default:
			t.Fatalf("%+v and %+v at %v: the velocity becomes %v, want %v or 0", a, b, u, after, end)
		}
		if gain > 1e-12 {
			t.Fatalf("%+v and %+v at %v: %v of energy is added", a, b, u, gain)
		}
	}
	if less < 100 || zero < 100 {
		t.Errorf("%d draws end at the wanted velocity, %d at zero", less, zero)
	}
	if j := impulse(side{}, side{}, geom.V(1, 0), geom.Vec{}); j != (geom.Vec{}) || math.Signbit(j.X) {
		t.Errorf("an impulse %v between two fixed bodies", j)
	}
}
