package solve

import "math"

// contactSpring is the spring of overlapping contacts, as coefficients of an impulse solver.
//
// For a mass m it has the stiffness m w^2 and the damping m w^2 / rate, so overlap without load decays as exp(-rate t),
// and a load P, a force, sinks in by P / (m w^2).
//
// In sub-steps of h seconds the implicit spring gives, in one velocity step, the impulse
// -m (1 - share) (v + biasRate x) - share * (impulse so far);
// the two coefficients follow by matching terms (E. Catto, Soft Constraints, GDC 2011).
type contactSpring struct{ biasRate, share float32 }

// springOf returns the spring for sub-steps of h seconds. Its frequency is a fraction of the sub-step rate; the rate is
// that at which overlap decays, 1 a second.
func springOf(rate, hertz, h float32) contactSpring {
	hw := float32(2*math.Pi) * hertz
	return contactSpring{
		biasRate: 1 / (1/rate + h),
		share:    1 / (1 + float32(float32(hw*hw)*(1+1/float32(h*rate)))),
	}
}
