package quarry

import (
	"math"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/store"
)

// Hash returns a sum of the world's state: steps, configuration, materials, every body's
// pose, motion and sleep, every shape, every contact's points and impulses, every joint,
// every tile and every chain. Two worlds made by the same calls have the same hash, on every machine; two
// worlds that will evolve differently have different hashes, but for chance. It visits the
// whole world: call it to compare worlds, not in each step.
//
// Rare properties are left out where they are zero, so that adding one does not change the
// hashes of worlds without it.
func (w *World) Hash() uint64 {
	var h store.Hasher
	h.Word(w.steps)
	h.Floats(w.config.Gravity.X, w.config.Gravity.Y)
	h.Word(uint64(w.config.SubSteps))
	h.Float(w.config.CellSize)
	h.Flag(w.config.NoSleep)
	usual := usualConfig.tunables()
	for k, f := range w.config.tunables() {
		if *f.value != *usual[k].value && f.value != &w.config.CellSize {
			h.Rare(rune(k)+1, math.Float64bits(*f.value))
		}
	}
	for i := range w.materials {
		w.surfaces.At(i).Hash(&h, uint8(w.materials[i].OneWay))
	}
	for i, b := range w.bodies.All() {
		h.Word(w.bodies.ID(i))
		b.hash(&h, w.rare(i))
		if w.oneWays.Any() {
			last := w.lastPose(i, false)
			h.Floats(last.P.X, last.P.Y, last.Q.C, last.Q.S)
		}
	}
	for i, s := range w.shapes.All() {
		h.Word(w.shapes.ID(i))
		s.hash(&h)
	}
	for i, c := range w.contacts.All() {
		w.hashContact(&h, i, c)
	}
	for i, g := range w.grounds.All() {
		h.Words(w.grounds.ID(i), uint64(uint32(g.body)), g.Category, g.Mask)
		h.Rare('g', uint64(uint32(g.Group)))
		g.tiles.Hash(&h)
	}
	for i, c := range w.chains.All() {
		h.Words(w.chains.ID(i), uint64(uint32(c.body)), c.sum)
		h.Rare('g', uint64(uint32(c.Group)))
	}
	for i, j := range w.joints.All() {
		h.Words(w.joints.ID(i), uint64(uint32(j.bodyA))<<32|uint64(uint32(j.bodyB)))
		h.Flag(j.collide)
		j.Hash(&h)
	}
	return uint64(h)
}

// hash adds the state of a body that affects later steps; r is its rare state.
func (b *body) hash(h *store.Hasher, r *bodyRare) {
	flags := uint64(b.kind)
	for k, on := range [...]bool{b.awake, b.weightless, b.fixedRot, b.noSleep, b.bullet} {
		if on {
			flags |= 1 << (8 + k)
		}
	}
	h.Word(flags)
	h.Floats(b.center.X, b.center.Y, b.rot.C, b.rot.S, b.velocity.X, b.velocity.Y, b.spin,
		b.force.X, b.force.Y, b.torque, b.mass, b.inertia, b.idle, b.damping, b.spinDamping,
		b.localCenter.X, b.localCenter.Y)
	if b.dropping != 0 {
		h.Float(b.dropping)
	}
	r.place.Hash(h)
	h.Rare('g', math.Float64bits(r.gravityScale))
	h.Rare('s', math.Float64bits(r.sleepSpeed))
	h.Rare('f', uint64(b.flags&disabled))
	for k, x := range [...]float64{r.mass.Mass, r.mass.Inertia, r.mass.Center.X, r.mass.Center.Y} {
		h.Rare(rune(k)+1, math.Float64bits(x))
	}
}

// hashContact adds contact i, which is c: its shapes, its drop state, and its points.
func (w *World) hashContact(h *store.Hasher, i int32, c *contactState) {
	h.Word(uint64(uint32(c.shapeA))<<32 | uint64(uint32(c.shapeB)))
	if c.filtered {
		h.Rare('f', 1)
	}
	if o := w.sideA(c); o.Kind() == broad.Chain {
		h.Word(uint64(o.Slot()))
	} else if o.Kind() == broad.Ground && w.surfaceOf(c).OneWay.Drops() {
		h.Word(uint64(w.surfaceOf(c).OneWay.Drop))
	}
	for m := range w.manifoldsOf(i, c) {
		m.Hash(h)
	}
	if c.ofShapes() && c.touching {
		w.bases[i].Hash(h, &c.last)
	}
}

// hash adds the state of a shape that affects later steps.
func (s *shape) hash(h *store.Hasher) {
	h.Words(uint64(uint32(s.body))<<32|uint64(s.material)<<16|uint64(s.hull.N), s.Category, s.Mask)
	h.Rare('g', uint64(uint32(s.Group)))
	h.Flag(s.sensor)
	h.Rare('f', uint64(s.flags&(AskFilter|AskPreSolve)))
	h.Floats(s.density, s.hull.Radius)
	for _, v := range s.hull.V[:s.hull.N] {
		h.Floats(v.X, v.Y)
	}
}
