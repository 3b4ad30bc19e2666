package quarry

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/store"
)

// Hash returns a sum of the world's state: steps, configuration, materials, every body's
// pose, motion and sleep, every shape, every contact's points and impulses, every tile and
// every chain. Two worlds made by the same calls have the same hash, on every machine; two
// worlds that will evolve differently have different hashes, but for chance. It visits the
// whole world: call it to compare worlds, not in each step.
func (w *World) Hash() uint64 {
	var h store.Hasher
	h.Word(w.steps)
	h.Float(w.config.Gravity.X)
	h.Float(w.config.Gravity.Y)
	h.Word(uint64(w.config.SubSteps))
	h.Float(w.config.CellSize)
	h.Flag(w.config.NoSleep)
	for _, m := range w.materials {
		h.Float(m.Friction)
		h.Float(m.Restitution)
		h.Float(m.TangentSpeed)
		// Rare properties are left out where they are zero, so that adding one does not
		// change the hashes of worlds without it.
		if rules := uint64(m.FrictionMix)<<16 | uint64(m.RestitutionMix)<<8 | uint64(m.OneWay); rules != 0 {
			h.Word(rules)
		}
		if m.RollingResistance != 0 {
			h.Float(m.RollingResistance)
		}
	}
	for i := range w.bodies.Slots() {
		if w.bodies.Used(i) {
			h.Word(w.bodies.ID(i))
			b := w.bodies.At(i)
			b.hash(&h)
			if w.hasOneWays() {
				last := w.lastPose(b, false)
				h.Float(last.P.X)
				h.Float(last.P.Y)
				h.Float(last.Q.C)
				h.Float(last.Q.S)
			}
		}
	}
	for i := range w.shapes.Slots() {
		if w.shapes.Used(i) {
			h.Word(w.shapes.ID(i))
			w.shapes.At(i).hash(&h)
		}
	}
	for i := range w.contacts.Slots() {
		if w.contacts.Used(i) {
			w.contacts.At(i).hash(&h)
		}
	}
	for i := range w.grounds.Slots() {
		if w.grounds.Used(i) {
			h.Word(w.grounds.ID(i))
			w.grounds.At(i).hash(&h)
		}
	}
	for i := range w.chains.Slots() {
		if w.chains.Used(i) {
			h.Word(w.chains.ID(i))
			h.Word(uint64(uint32(w.chains.At(i).body)))
			h.Word(w.chains.At(i).sum)
		}
	}
	return uint64(h)
}

// hash adds the state of a body that affects later steps.
func (b *body) hash(h *store.Hasher) {
	flags := uint64(b.kind)
	for k, on := range [...]bool{b.awake, b.weightless, b.fixedRot, b.noSleep, b.bullet} {
		if on {
			flags |= 1 << (8 + k)
		}
	}
	h.Word(flags)
	for _, x := range [...]float64{
		b.center.X, b.center.Y, b.rot.C, b.rot.S, b.velocity.X, b.velocity.Y, b.spin,
		b.force.X, b.force.Y, b.torque, b.mass, b.inertia, b.idle, b.damping, b.spinDamping,
		b.localCenter.X, b.localCenter.Y,
	} {
		h.Float(x)
	}
	if b.dropping != 0 {
		h.Float(b.dropping)
	}
	if b.stay.time != 0 {
		for _, x := range [...]float64{b.stay.center.X, b.stay.center.Y, b.stay.rot.C, b.stay.rot.S, b.stay.time} {
			h.Float(x)
		}
	}
}

// hash adds a contact: its shapes, its drop state, and its points.
func (c *contactState) hash(h *store.Hasher) {
	h.Word(uint64(uint32(c.shapeA))<<32 | uint64(uint32(c.shapeB)))
	if c.chain >= 0 {
		h.Word(uint64(c.chain))
	}
	if c.drops() {
		h.Word(uint64(c.oneWay.Drop))
	}
	for k := range c.manifolds {
		m := &c.manifolds[k]
		if m.RollImpulse != 0 {
			h.Word(uint64(math.Float32bits(m.RollImpulse)))
		}
		h.Float(m.Normal.X)
		h.Float(m.Normal.Y)
		for j := range m.N {
			p := &m.Points[j]
			h.Float(p.Separation)
			h.Word(uint64(math.Float32bits(p.NormalImpulse))<<32 | uint64(math.Float32bits(p.TangentImpulse)))
		}
	}
}

// hash adds the state of a shape that affects later steps.
func (s *shape) hash(h *store.Hasher) {
	h.Word(uint64(uint32(s.body))<<32 | uint64(s.material)<<16 | uint64(s.hull.N))
	h.Word(s.category)
	h.Word(s.mask)
	h.Flag(s.sensor)
	h.Float(s.density)
	h.Float(s.hull.Radius)
	for _, v := range s.hull.V[:s.hull.N] {
		h.Float(v.X)
		h.Float(v.Y)
	}
}

// hash adds a ground: its tiles, their custom shapes, its materials and its masks.
func (g *ground) hash(h *store.Hasher) {
	h.Word(uint64(uint32(g.body)))
	h.Word(g.category)
	h.Word(g.mask)
	h.Flag(g.tiles.Materials == nil)
	h.Word(uint64(len(g.tiles.Materials)))
	for _, m := range g.tiles.Materials {
		h.Word(uint64(m))
	}
	h.Word(g.tiles.Grid.Hash())
	shapes := g.tiles.Grid.Shapes()
	for id := gridseg.SlopeHigh + 1; int(id) <= shapes.Len(); id++ { // the built-in shapes are the same in every grid
		for _, loop := range shapes.Polygons(id, 0) {
			h.Word(uint64(len(loop)))
			for _, p := range loop {
				h.Word(uint64(p.X)<<32 | uint64(p.Y))
			}
		}
	}
}
