package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/visit"
)

// One function for each record lists its fields, for Hash, AppendSnapshot and Restore alike: see store.Codec.
// Fields after a test of Hashing are in snapshots alone: they follow from the calls made, or only decide an order.
// A field that follows from others, or lasts for a step only, is in neither; snapshot_test.go has the list of those.

// Hash returns a sum of the world's state: steps, configuration, materials, every body's
// pose, motion and sleep, every shape, every contact's points and impulses, every tile and
// every chain. Two worlds made by the same calls have the same hash, on every machine; two
// worlds that will evolve differently have different hashes, but for chance. It visits the
// whole world: call it to compare worlds, not in each step.
//
// Rare properties are left out where they are zero, so that adding one does not change the
// hashes of worlds without it.
func (w *World) Hash() uint64 {
	c := store.Hashing()
	w.visit(c)
	return c.Sum()
}

// visit visits the state of w. A reader fills an empty world, and refuses one that no calls could make as far as
// a step would notice.
func (w *World) visit(c *store.Codec) {
	c.In("the configuration", -1)
	c.Word(&w.steps)
	if w.config.visit(c); c.Reading() {
		w.makeBroad(c)
	}
	n := len(w.materials)
	if !c.Hashing() {
		n = c.Length(n, 1)
	}
	for i := range n {
		w.visitMaterial(c, i)
	}
	w.bodies.Visit(c, "body", true, func(i int32, b *body) {
		if c.Reading() {
			store.Clear(&w.bodiesRare, &w.bodies, i)
		}
		b.visit(c, w.rare(i))
		if !c.Hashing() {
			name := w.names[i]
			if c.Text(&name); c.Reading() && name != "" {
				w.setName(i, name)
			}
		}
		if c.Hashing() && w.oneWays.Any() {
			last := w.lastPose(i, false)
			visit.Transform(c, &last)
		}
	})
	w.shapes.Visit(c, "shape", true, func(_ int32, s *shape) { s.visit(c) })
	w.contacts.Visit(c, "contact", false, func(i int32, s *contactState) { w.visitContact(c, i, s) })
	w.visitGrounds(c)
	w.chains.Visit(c, "chain", true, func(_ int32, s *chain) { s.visit(c) })
	w.joints.Visit(c, "joint", true, func(i int32, s *jointState) { w.visitJoint(c, i, s) })
	if c.Hashing() {
		return
	}
	c.In("the clock", -1)
	c.Positive(&w.time)
	id := uint64(w.worldBody)
	c.Word(&id)
	w.worldBody = BodyID(id)
	w.scratch.islands.Visit(c)
	w.moving.Visit(c, "the list of moving bodies", w.bodies.Slots(), func(int32) bool { return true }) // some may be gone
	w.joints.active.Visit(c, "the list of active joints", w.joints.Slots(), w.joints.Used)
	w.active.Visit(c, "the list of active contacts", w.contacts.Slots(), w.contacts.Used)
	w.events.ends.Visit(c, "an end of contact", 9, func(e *ContactEvent) { e.visit(c) })
	w.events.sensorEnds.Visit(c, "an end of a sensor's overlap", 9, func(e *ContactEvent) { e.visit(c) })
	w.events.materialEnds.Visit(c, "an end of a material", 9, func(e *MaterialEvent) {
		e.visit(c)
		store.Up(c, &e.Material, math.MaxUint16)
	})
	w.events.lost.Visit(c, "a lost body", 1, func(id *BodyID) { store.Up(c, id, math.MaxUint64) })
	if c.Reading() && c.Err() == nil {
		w.derive(c)
	}
	if c.Err() != nil {
		return
	}
	w.broad.Visit(c, func(o broad.Owner, id broad.ID) (broad.Entry, bool) { return w.entryRead(o, id) })
	if c.Reading() && c.Err() == nil {
		w.check(c)
	}
}

func (s *Config) visit(c *store.Codec) {
	visit.Vecs(c, &s.Gravity)
	store.Up(c, &s.SubSteps, maxSubSteps)
	c.Float(&s.CellSize)
	c.Flag(&s.NoSleep)
	usual := usualConfig.tunables()
	for k, f := range s.tunables() {
		if !c.Hashing() {
			c.Float(f.value)
			c.Need(*f.value >= f.lo && *f.value <= f.hi, "%s is %v: it must be %v to %v", f.name, *f.value, f.lo, f.hi)
		} else if *f.value != *usual[k].value && f.value != &s.CellSize {
			c.Hasher().Rare(rune(k)+1, math.Float64bits(*f.value))
		}
	}
}

// dense, strong and named are set in the word of a material's rules if it has a density, a strength, a name.
const dense, strong, named = 1 << 24, 1 << 25, 1 << 26

// visitMaterial visits material i, the next one of a reader.
func (w *World) visitMaterial(c *store.Codec, i int) {
	if c.In("material", i); c.Reading() {
		w.materials = append(w.materials, Material{})
	}
	m := &w.materials[i]
	c.Floats(&m.Friction, &m.Restitution, &m.TangentSpeed)
	rules := uint64(m.FrictionMix)<<16 | uint64(m.RestitutionMix)<<8 | uint64(m.OneWay)
	if m.Density != 0 {
		rules |= dense
	}
	if m.Strength != 0 {
		rules |= strong
	}
	if m.Name != "" && !c.Hashing() {
		rules |= named
	}
	if rules != 0 || !c.Hashing() {
		c.Word(&rules)
	}
	if rules&dense != 0 {
		c.Positive(&m.Density)
	}
	if rules&strong != 0 {
		c.Positive(&m.Strength)
	}
	c.Rare(&m.RollingResistance)
	if c.Hashing() {
		return
	}
	store.Up(c, &m.Color, math.MaxUint32)
	c.Word(&m.User)
	if rules&named != 0 && !c.Hashing() {
		name := m.Name
		if c.Text(&name); c.Reading() {
			m.Name = name
		}
	}
	if c.Reading() {
		m.FrictionMix, m.RestitutionMix, m.OneWay = Mix(rules>>16), Mix(rules>>8), OneWay(rules)
		s := m.mixes()
		c.Need(s.Valid(MaxSpeed) && m.OneWay <= OneWayRight && m.Density <= mostDensity, "a property is out of range: %+v", *m)
		w.surfaces.Set(i, s)
	}
}

// visit visits a body; r holds its rarely read fields.
func (b *body) visit(c *store.Codec, r *bodyRare) {
	c.Flags((*uint8)(&b.kind), uint8(Dynamic), &b.awake, &b.weightless, &b.fixedRot, &b.noSleep, &b.bullet)
	visit.Vecs(c, &b.center)
	visit.Rot(c, &b.rot)
	visit.Vecs(c, &b.velocity)
	c.Float(&b.spin)
	visit.Vecs(c, &b.force)
	c.Float(&b.torque)
	c.Positive(&b.mass, &b.inertia, &b.idle, &b.damping, &b.spinDamping)
	visit.Vecs(c, &b.localCenter)
	c.Seconds(&b.dropping)
	r.place.Visit(c)
	if c.Hashing() {
		c.Hasher().Rare('g', math.Float64bits(r.gravityScale))
		c.Hasher().Rare('s', math.Float64bits(r.sleepSpeed))
		c.Hasher().Rare('f', uint64(b.flags&(disabled|lockX|lockY)))
		c.Hasher().Rare('l', uint64(math.Float32bits(r.lockImpulse[0]))<<32|uint64(math.Float32bits(r.lockImpulse[1])))
		for k, x := range [...]float64{r.mass.Mass, r.mass.Inertia, r.mass.Center.X, r.mass.Center.Y} {
			c.Hasher().Rare(rune(k)+1, math.Float64bits(x))
		}
		return
	}
	c.Singles(&r.lockImpulse[0], &r.lockImpulse[1])
	c.Positive(&r.mass.Mass, &r.mass.Inertia)
	visit.Vecs(c, &r.mass.Center)
	c.Floats(&r.gravityScale)
	c.Positive(&r.sleepSpeed)
	store.Up(c, &b.flags, math.MaxUint8)
	store.Integer(c, &r.firstJoint)
	c.Positive(&b.invMass, &b.invInertia, &b.extent)
	c.Floats(&b.coreGate, &r.gate)
	c.Pair(&b.firstContact, &b.firstShape)
	c.Pair(&b.firstGround, &b.firstChain)
	store.Up(c, &b.boxes, math.MaxUint32)
	c.Words(&b.displacedAt, &b.user, &r.startedAt, &r.squeezedAt, &r.bornAt)
	visit.Vecs(c, &r.startPose.P)
	c.Floats(&r.startPose.Q.C, &r.startPose.Q.S)
	s := &b.step
	c.Flags(new(uint8), 0, &s.pushedOut, &s.throughGround, &s.sunkInChain, &s.deep, &s.jammed)
	c.Positive(&s.pinchSpeed)
}

func (s *shape) visit(c *store.Codec) {
	of := uint64(uint32(s.body))<<32 | uint64(s.material)<<16 | uint64(s.hull.N)
	c.Word(&of)
	c.Words(&s.Category, &s.Mask)
	c.Rare32('g', &s.Group)
	c.Flag(&s.sensor)
	if c.Hashing() {
		c.Hasher().Rare('f', uint64(s.flags&(AskFilter|AskPreSolve)))
	} else {
		store.Up(c, &s.flags, uint64(allFlags))
	}
	c.Positive(&s.density)
	if c.Hashing() {
		c.Float(&s.hull.Radius)
		for k := range s.hull.N {
			visit.Vecs(c, &s.hull.V[k])
		}
		return
	}
	visit.Geometry(c, &s.geometry)
	c.Word(&s.user)
	c.Pair(&s.prev, &s.next)
	if c.Reading() && c.Err() == nil {
		s.body, s.material, s.hull = int32(of>>32), MaterialID(of>>16), collide.NewHull(s.geometry)
		s.core, s.extent = s.hull.InnerRadius(), s.hull.Extent(s.hull.Centroid)
		c.Need(of&0xffff == uint64(s.hull.N) && s.density <= mostDensity, "%d vertices, density %v", of&0xffff, s.density)
	}
}

// visitContact visits contact i, which is s.
func (w *World) visitContact(c *store.Codec, i int32, s *contactState) {
	if c.Reading() {
		store.Clear(&w.manifolds, &w.contacts, i)
		store.Clear(&w.bases, &w.contacts, i)
		store.Clear(&w.contactEnds, &w.contacts, i)
		store.Clear(&w.chosenAt, &w.contacts, i)
	}
	c.Pair(&s.shapeA, &s.shapeB)
	if !c.Hashing() {
		c.Pair(&s.bodyA, &s.bodyB)
		store.Up(c, &s.boxes, math.MaxUint32)
		c.Flags(new(uint8), 0, &s.sensor, &s.touching, &s.stale, &s.filtered, &s.disabled)
		store.Up(c, &s.flags, uint64(allFlags))
		w.contactEnds.Visit(c, i)
	} else if s.filtered {
		c.Hasher().Rare('f', 1)
	}
	if !s.ofShapes() {
		w.visitSurfaceContact(c, s)
		return
	}
	if s.touching && !s.sensor {
		w.manifolds[i].Visit(c)
		s.points = int8(w.manifolds[i].N)
	}
	s.last.Visit(c, &w.bases[i], s.touching)
}

// visitSurfaceContact visits what s has with a ground or chain. The slot of this is not part of the state.
func (w *World) visitSurfaceContact(c *store.Codec, s *contactState) {
	if c.Reading() {
		s.surface, _, _ = w.surfaceContacts.Add()
	}
	t := w.surfaceOf(s)
	if chain := uint64(t.owner.Slot()); c.Hashing() && t.owner.Kind() == broad.Chain {
		c.Word(&chain)
	} else if !c.Hashing() {
		store.Up(c, &t.owner, math.MaxUint64)
	}
	if t.Memory.Visit(c); s.ofGrounds() && !c.Hashing() {
		t.VisitOthers(c)
	}
	if !c.Hashing() {
		store.List(c, &t.materials[0], 8, func(_ int, s *contact.Source) { s.Visit(c) })
		if s.ofGrounds() && s.flags&MaterialEvents != 0 {
			store.List(c, &t.materials[1], 8, func(_ int, s *contact.Source) { s.Visit(c) })
		}
	}
}

// visitJoint visits joint i, which is s.
func (w *World) visitJoint(c *store.Codec, i int32, s *jointState) {
	if c.Reading() {
		store.Clear(&w.joints.ends, &w.joints.Pool, i)
	}
	c.Pair(&s.bodyA, &s.bodyB)
	c.Flag(&s.collide)
	if s.Joint.Visit(c); c.Hashing() {
		return
	}
	w.joints.ends.Visit(c, i)
	c.Flags(new(uint8), 0, &s.excludes, &s.off)
	c.Word(&s.user)
	joint.VisitReaction(c, &s.reaction)
}

// visitGrounds visits the grounds, and before these, in a snapshot, the registries of shapes that they share.
func (w *World) visitGrounds(c *store.Codec) {
	var shared []*gridseg.Shapes
	number := func(of *gridseg.Shapes) int {
		for k, s := range shared {
			if s == of {
				return k
			}
		}
		shared = append(shared, of)
		return len(shared) - 1
	}
	if !c.Hashing() {
		for _, g := range w.grounds.All() {
			number(g.tiles.Grid.Shapes())
		}
		c.In("the shapes of tiles", -1)
		store.List(c, &shared, 1, func(_ int, s **gridseg.Shapes) { *s = visitShapes(c, *s) })
	}
	w.grounds.Visit(c, "ground", true, func(i int32, g *ground) {
		of := uint64(uint32(g.body))
		if c.Reading() {
			g.least = DefaultMinFragment
		}
		if g.breaks || len(g.anchors) > 0 || g.bits != 0 || g.least != DefaultMinFragment {
			of |= 1 << 32
		}
		if !c.Hashing() && w.torn.Has(i) { // without parts that have come off it changes nothing
			of |= 1 << 33
		}
		if g.flags != 0 && (!c.Hashing() || g.flags&(AskFilter|AskPreSolve) != 0) {
			of |= 1 << 34
		}
		c.Word(&of)
		if of>>32&1 != 0 {
			g.fracture.visit(c)
		}
		if of>>34&1 != 0 && c.Hashing() {
			c.Hasher().Rare('f', uint64(g.flags&(AskFilter|AskPreSolve)))
		} else if of>>34&1 != 0 {
			store.Up(c, &g.flags, uint64(allFlags))
		}
		if of>>33&1 != 0 {
			w.torn.Add(i)
		}
		c.Words(&g.Category, &g.Mask)
		c.Rare32('g', &g.Group)
		g.body = int32(of)
		var shapes *gridseg.Shapes
		if !c.Hashing() {
			k := 0
			if !c.Reading() {
				k = number(g.tiles.Grid.Shapes())
			}
			if store.Up(c, &k, uint64(max(1, len(shared))-1)); k < len(shared) {
				shapes = shared[k]
			}
			c.Need(shapes != nil, "it has no shapes of tiles")
			store.Integer(c, &g.next)
			visit.Box(c, &g.box)
		}
		g.tiles.Visit(c, shapes, w.grounds.ID(i))
	})
}

// visitShapes visits s, and returns it, or the registry that was read.
func visitShapes(c *store.Codec, s *gridseg.Shapes) *gridseg.Shapes {
	var data []byte
	if !c.Reading() {
		data = s.AppendBinary(nil)
	}
	if c.Bytes(&data); c.Reading() && c.Err() == nil {
		var err error
		if s, err = gridseg.ReadShapes(data); err != nil {
			c.Refuse("%v", err)
		}
	}
	return s
}

func (s *chain) visit(c *store.Codec) {
	of := uint64(uint32(s.body))
	c.Word(&of)
	if c.Hashing() {
		c.Word(&s.sum)
		c.Rare32('g', &s.Group)
		return
	}
	c.Words(&s.Category, &s.Mask, &s.user)
	c.Rare32('g', &s.Group)
	store.Integer(c, &s.next)
	s.Chain.Visit(c)
	if c.Reading() && c.Err() == nil {
		s.body, s.box, s.sum = int32(of), s.Chain.Bounds(), s.Sum(s.Category, s.Mask)
	}
}

func (e *ContactEvent) visit(c *store.Codec) {
	const ofGround = 1 << 63 // in the word of side B; ids are below it
	b := uint64(e.ShapeB)
	if e.GroundB != 0 {
		b = uint64(e.GroundB) | ofGround
	}
	for _, id := range [...]*uint64{(*uint64)(&e.ShapeA), (*uint64)(&e.Ground), (*uint64)(&e.Chain), &b} {
		c.Word(id)
	}
	c.Pair(&e.Cell.X, &e.Cell.Y)
	contact.VisitTile(c, &e.Tile)
	store.Integer(c, &e.Segment)
	if e.ShapeB = ShapeID(b); b&ofGround != 0 {
		e.ShapeB, e.GroundB = 0, GroundID(b&^ofGround)
		c.Pair(&e.CellB.X, &e.CellB.Y)
		contact.VisitTile(c, &e.TileB)
	}
}

// derive sets the fields that follow from those that were read, up to those of the broad phase.
func (w *World) derive(c *store.Codec) {
	for i, b := range w.bodies.All() {
		w.countBullet(b.bullet, 1)
		if b.locks() != 0 {
			w.locked.Add(i)
		}
	}
	for i, s := range w.shapes.All() {
		c.In("shape", int(i))
		s.proxy = broad.None
		store.Clear(&w.rowShapes, &w.shapes, i)
		if c.Need(w.bodies.Has(s.body), "body %d does not exist", s.body); c.Err() == nil {
			w.rowShapes[i] = rows.ShapeOf(&s.hull, uint16(s.material), w.bodies.At(s.body).localCenter)
		}
	}
	for _, g := range w.grounds.All() {
		g.proxy = broad.None
	}
	for _, s := range w.chains.All() {
		s.proxy = broad.None
	}
	for i, j := range w.joints.All() {
		c.In("joint", int(i))
		c.Need(w.bodies.Has(j.bodyA) && w.bodies.Has(j.bodyB) && j.bodyA != j.bodyB, "body %d or body %d does not exist", j.bodyA, j.bodyB)
		if j.excludes && c.Err() == nil {
			w.broad.Exclude(j.bodyA, j.bodyB)
		}
	}
	w.setOneWays()
}
