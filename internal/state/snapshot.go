package state

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
)

// Visit visits w, up to the events that the next step will report; then Finish must be called, unless c hashes.
// A reader fills an empty world, and refuses one that no calls could make as far as a step would notice.
func (w *World) Visit(c *pool.Codec) {
	c.In("the configuration", -1)
	c.Word(&w.Steps)
	if w.Config.visit(c); c.Reading() {
		w.makeBroad(c)
	}
	n := len(w.Materials)
	if !c.Hashing() {
		n = c.Length(n, 1)
	}
	for i := range n {
		if c.In("material", i); c.Reading() {
			w.Materials = append(w.Materials, Material{})
		}
		m := &w.Materials[i]
		if m.Visit(c, MaxSpeed); c.Reading() {
			w.Surfaces.Set(i, m.Surface)
		}
	}
	moves := c.Hashing() && (w.OneWays.Any() || w.hasRafts()) // the last motion decides sides
	w.Bodies.Visit(c, "body", true, func(i int32, b *Body) {
		if c.Reading() {
			pool.Clear(&w.Rares, &w.Bodies, i)
		}
		b.Visit(c, w.Rare(i))
		if !c.Hashing() {
			name := w.Names[i]
			if c.Text(&name); c.Reading() && name != "" {
				w.SetName(i, name)
			}
		}
		if moves {
			last := w.LastPose(i, false)
			c.Transform(&last)
		}
	})
	w.Shapes.Visit(c, "shape", true, func(_ int32, s *Shape) { s.Visit(c) })
	w.Contacts.Visit(c)
	var shared Registries // of the shapes of tiles
	if !c.Hashing() {
		for _, g := range w.Grounds.All() {
			shared.Add(g.Tiles.Grid.Shapes())
		}
		shared.Visit(c)
	}
	w.Grounds.Visit(c, "ground", true, func(i int32, g *Ground) {
		torn := w.Torn.Has(i)
		if g.Visit(c, w.Grounds.ID(i), &torn, &shared); torn && c.Reading() {
			w.Torn.Add(i)
		}
	})
	w.Chains.Visit(c, "chain", true, func(_ int32, s *Chain) { s.Visit(c) })
	w.Joints.Visit(c)
	if c.In("the clock", -1); c.Has(3) {
		w.Length.Visit(c)
	}
	if c.Hashing() {
		return
	}
	c.Positive(&w.Time)
	c.Word(&w.WorldBody)
	w.Islands.Visit(c)
	// some may be gone
	w.Moving.Visit(c, "the list of moving bodies", w.Bodies.Slots(), func(int32) bool { return true })
	w.Joints.Active.Visit(c, "the list of active joints", w.Joints.Slots(), w.Joints.Used)
	w.Contacts.Active.Visit(c, "the list of active contacts", w.Contacts.Slots(), w.Contacts.Used)
}

// hasRafts reports whether a dynamic body has a ground.
func (w *World) hasRafts() bool {
	for _, g := range w.Grounds.All() {
		if w.Bodies.At(g.Body).Type == broad.DynamicBody {
			return true
		}
	}
	return false
}

// Finish ends the visit of a snapshot: it visits the broad phase. A reader derives the fields that follow from others,
// and checks that all parts agree.
func (w *World) Finish(c *pool.Codec) {
	if c.Reading() && c.Err() == nil {
		w.derive(c)
	}
	if c.Err() != nil {
		return
	}
	w.Broad.Visit(c, w.entryRead)
	if c.Reading() && c.Err() == nil {
		w.check(c)
	}
}

// exists reports whether the shape, ground or chain o exists.
func (w *World) exists(o broad.Owner) bool {
	switch o.Kind() {
	case broad.Shape:
		return w.Shapes.Has(o.Slot())
	case broad.Ground:
		return w.Grounds.Has(o.Slot())
	case broad.Chain:
		return w.Chains.Has(o.Slot())
	}
	return false
}

// isDisabled reports whether body i is disabled.
func (w *World) isDisabled(i int32) bool { return w.Bodies.At(i).Flags&Disabled != 0 }

// entryRead returns the entry in the broad phase, without its boxes, of o, whose proxy has been read, and sets the
// proxy of o; false if o does not exist, or has another proxy.
func (w *World) entryRead(o broad.Owner, id broad.ID) (broad.Entry, bool) {
	var f broad.Filter
	sensor, slot := false, o.Slot()
	switch {
	case o.Kind() == broad.Shape && w.Shapes.Has(slot):
		f, sensor = w.Shapes.At(slot).Filter, w.Shapes.At(slot).Sensor
	case o.Kind() == broad.Ground && w.Grounds.Has(slot):
		f = w.Grounds.At(slot).Filter
	case o.Kind() == broad.Chain && w.Chains.Has(slot):
		f = w.Chains.At(slot).Filter
	default:
		return broad.Entry{}, false
	}
	p := w.Proxied(o)
	if p.Proxy != broad.None || !w.Bodies.Has(p.Body) || f.Mask == 0 {
		return broad.Entry{}, false
	}
	p.Proxy = id
	return broad.Entry{Filter: f, Owner: o, Body: p.Body, BodyType: w.Bodies.At(p.Body).Type, Sensor: sensor}, true
}

// check refuses the state that was read unless its parts agree: each shape, ground, chain and contact is in the lists
// of its bodies, once, and every slot that a record names is in use.
func (w *World) check(c *pool.Codec) {
	owned := [3]int{w.Shapes.Len(), w.Grounds.Len(), w.Chains.Len()}
	ends, jointEnds := 2*w.Contacts.Len(), 2*w.Joints.Len()
	for i, b := range w.Bodies.All() {
		c.In("body", int(i))
		for kind, first := range [...]int32{b.FirstShape, b.FirstGround, b.FirstChain} {
			prev := int32(-1)
			for k := first; k >= 0; {
				o := broad.OwnerOf(broad.Owner(kind)<<32, k)
				if owned[kind]--; owned[kind] < 0 || !w.exists(o) || w.Proxied(o).Body != i ||
					kind == 0 && w.Shapes.At(k).Prev != prev {
					c.Refuse("its list of shapes, grounds or chains is broken at %d", k)
					return
				}
				*w.prev(o) = prev
				prev, k = k, w.Proxied(o).Next
			}
		}
		c.Need(w.Contacts.CheckEnds(i, b, &ends), "its list of contacts is broken")
		c.Need(w.Joints.CheckEnds(i, w.Rare(i), &jointEnds), "its list of joints is broken")
		c.Need(b.Type == broad.DynamicBody || b.Awake == !w.isDisabled(i) && b.InvMass == 0 && b.InvInertia == 0,
			"a body that is not dynamic is asleep or has a mass")
	}
	c.Need(owned == [3]int{} && ends == 0 && jointEnds == 0, "%v shapes, grounds and chains, %d ends of contacts "+
		"and %d of joints are in no list", owned, ends, jointEnds)
	for i, s := range w.Shapes.All() {
		c.In("shape", int(i))
		c.Need((s.Proxy == broad.None) == w.isDisabled(s.Body) && w.Surfaces.Has("", "", s.Material) == nil,
			"it has no proxy, or a proxy on a disabled body, or its material does not exist")
	}
	for i, g := range w.Grounds.All() {
		c.In("ground", int(i))
		r, any := g.Tiles.Grid.Bounds()
		c.Need(g.Proxy != broad.None || !any || w.isDisabled(g.Body), "it has tiles, and no proxy")
		c.Need(!any || g.Box.Contains(geom.AABB{
			Min: geom.V(float64(r.MinX), float64(r.MinY)),
			Max: geom.V(float64(r.MaxX)+1, float64(r.MaxY)+1),
		}), "its box does not hold its tiles")
		c.Need(w.Surfaces.HasAll("", "", g.Tiles.Materials) == nil, "a material does not exist")
	}
	for i, s := range w.Chains.All() {
		c.In("chain", int(i))
		c.Need((s.Proxy == broad.None) == w.isDisabled(s.Body) && w.Surfaces.Has("", "", s.Chain.Material) == nil &&
			w.Surfaces.HasAll("", "", s.Materials) == nil, "it has no proxy, or a proxy on a disabled body, or a "+
			"material does not exist")
	}
	for i, s := range w.Contacts.All() {
		if c.Err() == nil {
			c.In("contact", int(i))
			w.checkContact(c, i, s)
		}
	}
}

// checkContact refuses contact i, which is s, unless its sides exist, and enters it in the table of pairs.
func (w *World) checkContact(c *pool.Codec, i int32, s *Contact) {
	b := broad.OwnerOfB(s.ShapeB)
	if !w.Bodies.Has(s.BodyA) || !w.Bodies.Has(s.BodyB) || s.BodyA == s.BodyB || !w.exists(b) ||
		w.Proxied(b).Body != s.BodyB || s.OfGrounds() && s.OfShapes() {
		c.Refuse("body %d, or body %d with shape %d, does not exist", s.BodyA, s.BodyB, s.ShapeB)
		return
	}
	o := w.Contacts.SideA(s)
	if !w.exists(o) || w.Proxied(o).Body != s.BodyA || w.Proxied(o).Proxy == broad.None ||
		w.Proxied(b).Proxy == broad.None || (o.Kind() == broad.Shape) != s.OfShapes() ||
		s.OfShapes() && s.ShapeA >= s.ShapeB {
		c.Refuse("side A, %#x, does not exist", uint64(o))
		return
	}
	key := uint64(broad.KeyOf(o, s.ShapeB))
	_, twice := w.Broad.Pairs.Get(key)
	c.Need(!twice, "the pair has another contact")
	w.Broad.Pairs.Put(key, i)
	if s.Touching && !s.Sensor {
		w.Contacts.Touching.Add(i)
	}
	if s.OfShapes() {
		c.Need(s.Sensor == (w.Shapes.At(s.ShapeA).Sensor || w.Shapes.At(s.ShapeB).Sensor),
			"it is a sensor's contact: %v, although a shape is a sensor: %v", s.Sensor, !s.Sensor)
		return
	}
	t := w.Contacts.SurfaceOf(s)
	if s.Sensor {
		c.Need(s.ShapeB >= 0 && w.Shapes.At(s.ShapeB).Sensor && len(t.Manifolds) == 0,
			"it is a sensor's contact, with %d manifolds, or shape %d is no sensor", len(t.Manifolds), s.ShapeB)
		return
	}
	c.Need(!(s.ShapeB >= 0 && w.Shapes.At(s.ShapeB).Sensor) && s.Touching == (len(t.Manifolds) > 0),
		"touching is %v, with %d manifolds, or shape %d is a sensor", s.Touching, len(t.Manifolds), s.ShapeB)
	for k := range t.Manifolds {
		m := &t.Manifolds[k]
		for j := range m.N {
			f := &m.Features[j]
			if o.Kind() == broad.Chain {
				c.Need(w.Chains.At(o.Slot()).Names(f, m.Sources[j].Segment), "the chain has no such point")
			} else {
				c.Need(f.Kind != contact.Shapes && f.Kind != contact.ChainFace && f.Kind != contact.Corner,
					"the ground has no such point")
			}
		}
	}
	if t.Stuck.State == narrow.Held {
		w.Held++
		w.Bodies.At(s.BodyB).Held++
	}
}

// derive sets the fields that follow from the fields that were read, up to the broad phase.
func (w *World) derive(c *pool.Codec) {
	for i, b := range w.Bodies.All() {
		w.CountBullet(b.Bullet, 1)
		if b.Locks() != 0 {
			w.Locked.Add(i)
		}
	}
	for i, s := range w.Shapes.All() {
		c.In("shape", int(i))
		s.Proxy = broad.None
		pool.Clear(&w.RowShapes, &w.Shapes, i)
		if c.Need(w.Bodies.Has(s.Body), "body %d does not exist", s.Body); c.Err() == nil {
			w.RowShapes[i] = rows.ShapeOf(&s.Hull, s.Material, w.Bodies.At(s.Body).LocalCenter)
		}
	}
	for _, g := range w.Grounds.All() {
		g.Proxy = broad.None
	}
	for _, s := range w.Chains.All() {
		s.Proxy = broad.None
	}
	for i, j := range w.Joints.All() {
		c.In("joint", int(i))
		c.Need(w.Bodies.Has(j.BodyA) && w.Bodies.Has(j.BodyB) && j.BodyA != j.BodyB,
			"body %d or body %d does not exist", j.BodyA, j.BodyB)
		if j.Excludes && c.Err() == nil {
			w.Broad.Exclude(j.BodyA, j.BodyB)
		}
	}
	w.setOneWays()
}

// makeBroad makes the empty broad phase of a world that is being read.
func (w *World) makeBroad(c *pool.Codec) {
	s := &w.Config
	c.Need(s.SubSteps > 0 &&
		math.Abs(s.Gravity.X) <= MaxInput && math.Abs(s.Gravity.Y) <= MaxInput, "a field is out of range: %+v", *s)
	if c.Err() == nil {
		w.Broad = broad.NewPhase(s.CellSize)
	}
}
