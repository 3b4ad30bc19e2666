package solve

import "math"

// contactSpring is the spring of overlapping contacts, as coefficients of an impulse solver. With a gain it is the
// stiffer the more it carries.
//
// For a mass m it has the stiffness m w^2 and the damping m w^2 / rate, so overlap without load
// decays as exp(-rate t), and a load P, a force, sinks in by P / (m w^2): by maxSag at most, up to the largest w.
//
// In sub-steps of h seconds the implicit spring gives, in one velocity step, the impulse
// -m (1 - share) (v + biasRate x) - share * (impulse so far);
// the two coefficients follow by matching terms (E. Catto, Soft Constraints, GDC 2011). The share is 1/stiff, where
// stiff is 1 + (h w)^2 (1 + 1/(h rate)).
type contactSpring struct {
	biasRate        float32
	stiff, stiffest float32 // of a contact without load, and at most
	gain            float32 // what stiff grows by for a unit of load, the change of speed that the impulse so far makes
}

// springOf returns the spring for sub-steps of h seconds. The frequencies of a contact without load and of the stiffest
// one are fractions of the sub-step rate; the rate is that at which overlap decays, 1 a second.
func springOf(rate, hertz, stiffestHertz, h float32) contactSpring {
	damping := 1 + 1/float32(h*rate)
	stiff := func(hertz float32) float32 {
		hw := float32(2*math.Pi) * hertz
		return 1 + float32(float32(hw*hw)*damping)
	}
	return contactSpring{
		biasRate: 1 / (1/rate + h),
		stiff:    stiff(hertz), stiffest: stiff(stiffestHertz),
		gain: h / float32(maxSag) * damping,
	}
}
