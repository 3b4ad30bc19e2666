package quarry

import "math"

// hasher folds 64-bit words into a sum, each by a multiplication and shifts
// that spread every bit (the finaliser of splitmix64: Steele, Lea, Flood,
// "Fast splittable pseudorandom number generators", 2014).
type hasher uint64

func (h *hasher) word(x uint64) {
	z := uint64(*h) ^ x
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	*h = hasher(z ^ z>>31)
}

func (h *hasher) float(x float64) { h.word(math.Float64bits(x)) }

// Hash returns a sum of the world's state: steps, gravity, materials, every
// body's place, motion and sleep, every contact's points and impulses, every
// tile and every chain. Two worlds that were made by the same calls have the same
// hash, on every machine; and if one strays, their hashes differ from then on, but
// for chance. What only calls change is left out as far as it does not show in
// that (the sizes and masks of shapes, their materials, Config), so equal hashes of
// worlds that were made by other calls prove nothing. It goes through all of the
// world: call it to compare, not in each step.
func (w *World) Hash() uint64 {
	var h hasher
	h.word(w.steps)
	h.float(w.config.Gravity.X)
	h.float(w.config.Gravity.Y)
	for _, m := range w.materials {
		h.float(m.Friction)
		h.float(m.Restitution)
		h.float(m.TangentSpeed)
		// What most worlds have none of is left out there, so that what was
		// added later leaves the hashes of worlds without it as they were.
		if rules := uint64(m.FrictionMix)<<16 | uint64(m.RestitutionMix)<<8 | uint64(m.OneWay); rules != 0 {
			h.word(rules)
		}
		if m.RollingResistance != 0 {
			h.float(m.RollingResistance)
		}
	}
	for i := range w.bodies.items {
		if !w.bodies.used(int32(i)) {
			continue
		}
		b := &w.bodies.items[i]
		h.word(w.bodies.id(int32(i)))
		flags := uint64(b.kind)
		for k, on := range [...]bool{b.awake, b.weightless, b.fixedRot, b.noSleep, b.bullet} {
			if on {
				flags |= 1 << (8 + k)
			}
		}
		h.word(flags)
		for _, x := range [...]float64{
			b.center.X, b.center.Y, b.rot.C, b.rot.S, b.velocity.X, b.velocity.Y, b.spin,
			b.force.X, b.force.Y, b.torque, b.mass, b.inertia, b.idle, b.damping, b.spinDamping,
		} {
			h.float(x)
		}
		if b.dropping != 0 {
			h.float(b.dropping)
		}
	}
	for i := range w.contacts.items {
		if !w.contacts.used(int32(i)) {
			continue
		}
		c := &w.contacts.items[i]
		h.word(uint64(uint32(c.shapeA))<<32 | uint64(uint32(c.shapeB)))
		if c.chain >= 0 {
			h.word(uint64(c.chain))
		}
		if c.placed || c.drop != notDropping {
			h.word(uint64(c.drop))
			h.float(c.last.P.X)
			h.float(c.last.P.Y)
			h.float(c.last.Q.C)
			h.float(c.last.Q.S)
		}
		for k := range c.manifolds {
			m := &c.manifolds[k]
			if m.rollImpulse != 0 {
				h.word(uint64(math.Float32bits(m.rollImpulse)))
			}
			h.float(m.normal.X)
			h.float(m.normal.Y)
			for j := range m.n {
				p := &m.points[j]
				h.float(p.separation)
				h.word(uint64(math.Float32bits(p.normalImpulse))<<32 | uint64(math.Float32bits(p.tangentImpulse)))
			}
		}
	}
	for i := range w.grounds.items {
		if w.grounds.used(int32(i)) {
			h.word(w.grounds.items[i].grid.Hash())
		}
	}
	for i := range w.chains.items {
		if w.chains.used(int32(i)) {
			h.word(w.chains.id(int32(i)))
			h.word(w.chains.items[i].sum)
		}
	}
	return uint64(h)
}
