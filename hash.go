package quarry

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
)

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

func (h *hasher) flag(on bool) {
	if on {
		h.word(1)
	} else {
		h.word(0)
	}
}

// Hash returns a sum of the world's state: steps, configuration, materials, every body's
// pose, motion and sleep, every shape, every contact's points and impulses, every tile and
// every chain. Two worlds made by the same calls have the same hash, on every machine; two
// worlds that will evolve differently have different hashes, but for chance. It visits the
// whole world: call it to compare worlds, not in each step.
func (w *World) Hash() uint64 {
	var h hasher
	h.word(w.steps)
	h.float(w.config.Gravity.X)
	h.float(w.config.Gravity.Y)
	h.word(uint64(w.config.SubSteps))
	h.float(w.config.CellSize)
	h.flag(w.config.NoSleep)
	for _, m := range w.materials {
		h.float(m.Friction)
		h.float(m.Restitution)
		h.float(m.TangentSpeed)
		// Rare properties are left out where they are zero, so that adding one does not
		// change the hashes of worlds without it.
		if rules := uint64(m.FrictionMix)<<16 | uint64(m.RestitutionMix)<<8 | uint64(m.OneWay); rules != 0 {
			h.word(rules)
		}
		if m.RollingResistance != 0 {
			h.float(m.RollingResistance)
		}
	}
	for i := range w.bodies.items {
		if w.bodies.used(int32(i)) {
			h.word(w.bodies.id(int32(i)))
			b := &w.bodies.items[i]
			b.hash(&h)
			if w.oneWayMaterials > 0 {
				last := w.lastPose(b, false)
				h.float(last.P.X)
				h.float(last.P.Y)
				h.float(last.Q.C)
				h.float(last.Q.S)
			}
		}
	}
	for i := range w.shapes.items {
		if w.shapes.used(int32(i)) {
			h.word(w.shapes.id(int32(i)))
			w.shapes.items[i].hash(&h)
		}
	}
	for i := range w.contacts.items {
		if w.contacts.used(int32(i)) {
			w.contacts.items[i].hash(&h)
		}
	}
	for i := range w.grounds.items {
		if w.grounds.used(int32(i)) {
			h.word(w.grounds.id(int32(i)))
			w.grounds.items[i].hash(&h)
		}
	}
	for i := range w.chains.items {
		if w.chains.used(int32(i)) {
			h.word(w.chains.id(int32(i)))
			h.word(uint64(uint32(w.chains.items[i].body)))
			h.word(w.chains.items[i].sum)
		}
	}
	return uint64(h)
}

// hash adds the state of a body that affects later steps.
func (b *body) hash(h *hasher) {
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
		b.localCenter.X, b.localCenter.Y,
	} {
		h.float(x)
	}
	if b.dropping != 0 {
		h.float(b.dropping)
	}
	if b.stay.time != 0 {
		for _, x := range [...]float64{b.stay.center.X, b.stay.center.Y, b.stay.rot.C, b.stay.rot.S, b.stay.time} {
			h.float(x)
		}
	}
}

// hash adds a contact: its shapes, its drop state, and its points.
func (c *contact) hash(h *hasher) {
	h.word(uint64(uint32(c.shapeA))<<32 | uint64(uint32(c.shapeB)))
	if c.chain >= 0 {
		h.word(uint64(c.chain))
	}
	if c.drop != notDropping {
		h.word(uint64(c.drop))
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

// hash adds the state of a shape that affects later steps.
func (s *shape) hash(h *hasher) {
	h.word(uint64(uint32(s.body))<<32 | uint64(s.material)<<16 | uint64(s.hull.N))
	h.word(s.category)
	h.word(s.mask)
	h.flag(s.sensor)
	h.float(s.density)
	h.float(s.hull.Radius)
	for _, v := range s.hull.V[:s.hull.N] {
		h.float(v.X)
		h.float(v.Y)
	}
}

// hash adds a ground: its tiles, their custom shapes, its materials and its masks.
func (g *ground) hash(h *hasher) {
	h.word(uint64(uint32(g.body)))
	h.word(g.category)
	h.word(g.mask)
	h.flag(g.materials == nil)
	h.word(uint64(len(g.materials)))
	for _, m := range g.materials {
		h.word(uint64(m))
	}
	h.word(g.grid.Hash())
	shapes := g.grid.Shapes()
	for id := gridseg.SlopeHigh + 1; int(id) <= shapes.Len(); id++ { // the built-in shapes are the same in every grid
		for _, loop := range shapes.Polygons(id, 0) {
			h.word(uint64(len(loop)))
			for _, p := range loop {
				h.word(uint64(p.X)<<32 | uint64(p.Y))
			}
		}
	}
}
