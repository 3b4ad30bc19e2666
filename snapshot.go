package quarry

import (
	"math"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/store"
)

// snapshotVersion is the version of the snapshots that AppendSnapshot makes. It grows with each change of the format.
const snapshotVersion = 1

// AppendSnapshot appends a snapshot of the world to dst and returns the extended slice. A world that Restore makes of
// it goes on as this one would, with the same bits, on any machine and with any number of workers.
//
// A snapshot has the bodies, shapes, joints, contacts with their impulses, grounds with the shapes of their tiles,
// chains, materials, ids, the time, and the configuration without Workers and Profile. It does not have functions that
// the game has set, nor the events of the last step and GroundEdits; it has those that the next step will report of the
// changes since. Its length is a multiple of 8 bytes: some 500 for each body and each contact, and 2 to 10 for each tile,
// or fewer for large areas of one tile. See docs/snapshots.md for its format.
func (w *World) AppendSnapshot(dst []byte) []byte {
	return w.appendSnapshot(dst, false)
}

// AppendSnapshotWithoutTiles is AppendSnapshot without the tiles of grounds, for a program that keeps them apart and writes only those that
// have changed, as package store does: its time and length do not depend on the number of tiles. The tiles of a ground are
// gridseg.View.AppendTiles of all cells. RestoreWithTiles reads both.
func (w *World) AppendSnapshotWithoutTiles(dst []byte) []byte { return w.appendSnapshot(dst, true) }

func (w *World) appendSnapshot(dst []byte, bare bool) []byte {
	w.mustNotStep()
	c := store.Writing(dst, snapshotVersion, bare)
	w.visit(c)
	return c.Finish()
}

// Restore makes the world that of a snapshot. Workers and Profile, and functions that the game has set, stay as they are.
// Views of bodies, shapes and so on that are in the snapshot remain valid; event slices become empty. A Ground may have
// an older Version afterwards: make copies of its tiles, such as meshes, anew.
//
// Restore returns an error, and changes nothing, if data is no snapshot, was damaged, was made by a later version of this
// package, or describes no world; the error names the record, and the place in data. Memory is at most 600 times the
// length of data, and seldom more than ten times. The bits of the checksum tell of damage, not of malice: a world of a
// made-up snapshot may behave strangely, but its steps and queries end.
func (w *World) Restore(data []byte) error {
	record.Call1(w.recorder(w), "World.Restore", record.OfWorld, data)
	c, _, err := store.Reading(data, snapshotVersion, false)
	if err != nil {
		return err
	}
	return w.restore(c)
}

// RestoreWithTiles is Restore of a snapshot of AppendSnapshotWithoutTiles. tiles is called for each ground, by its id, and returns the bytes that
// gridseg.View.AppendTiles gave of all its cells when the snapshot was made; an error of tiles ends it, and is wrapped.
func (w *World) RestoreWithTiles(data []byte, tiles func(GroundID) ([]byte, error)) error {
	w.mustNotStep()
	c, _, err := store.Reading(data, snapshotVersion, true)
	if err != nil {
		return err
	}
	c.Tiles = func(id uint64) ([]byte, error) { return tiles(GroundID(id)) }
	if err = w.restore(c); err == nil {
		w.recordRestore()
	}
	return err
}

// restore sets the world to the one that c reads.
func (w *World) restore(c *store.Codec) error {
	var f World
	f.config.Workers, f.config.Profile = w.config.Workers, w.config.Profile
	f.visit(c)
	if err := c.End(); err != nil {
		return err
	}
	f.surfaces.Renew(&w.surfaces)
	w.state, w.events = f.state, f.events
	w.scratch = scratch{islands: f.scratch.islands}
	return nil
}

// makeBroad makes the empty broad phase of a world that is being read.
func (w *World) makeBroad(c *store.Codec) {
	s := &w.config
	c.Need(s.SubSteps > 0 &&
		math.Abs(s.Gravity.X) <= maxInput && math.Abs(s.Gravity.Y) <= maxInput, "a field is out of range: %+v", *s)
	if c.Err() == nil {
		w.broad = broad.NewPhase(s.CellSize)
	}
}

// entryRead returns the entry in the broad phase, without its boxes, of o, whose proxy has been read, and tells o
// its proxy; false if o does not exist, or has another.
func (w *World) entryRead(o broad.Owner, id broad.ID) (broad.Entry, bool) {
	var f filter
	sensor, slot := false, o.Slot()
	switch {
	case o.Kind() == broad.Shape && w.shapes.Has(slot):
		f, sensor = w.shapes.At(slot).filter, w.shapes.At(slot).sensor
	case o.Kind() == broad.Ground && w.grounds.Has(slot):
		f = w.grounds.At(slot).filter
	case o.Kind() == broad.Chain && w.chains.Has(slot):
		f = w.chains.At(slot).filter
	default:
		return broad.Entry{}, false
	}
	p := w.proxied(o)
	if p.proxy != broad.None || !w.bodies.Has(p.body) || f.Mask == 0 {
		return broad.Entry{}, false
	}
	p.proxy = id
	return broad.Entry{Filter: f, Owner: o, Body: p.body, BodyType: broad.BodyType(w.bodies.At(p.body).kind), Sensor: sensor}, true
}

// check refuses the state that was read unless its parts agree: each shape, ground, chain and contact is in the lists
// of its bodies, once, and what they name exists.
func (w *World) check(c *store.Codec) {
	owned := [3]int{w.shapes.Len(), w.grounds.Len(), w.chains.Len()}
	ends, jointEnds := 2*w.contacts.Len(), 2*w.joints.Len()
	for i, b := range w.bodies.All() {
		c.In("body", int(i))
		for kind, first := range [...]int32{b.firstShape, b.firstGround, b.firstChain} {
			prev := int32(-1)
			for k := first; k >= 0; {
				o := broad.OwnerOf(broad.Owner(kind)<<32, k)
				if owned[kind]--; owned[kind] < 0 || !w.exists(o) || w.proxied(o).body != i || kind == 0 && w.shapes.At(k).prev != prev {
					c.Refuse("its list of shapes, grounds or chains is broken at %d", k)
					return
				}
				prev, k = k, w.proxied(o).next
			}
		}
		good := func(end int32) bool {
			if !w.contacts.Has(end >> 1) {
				return false
			}
			s := w.contacts.At(end >> 1)
			return end&1 == 0 && s.bodyA == i || end&1 == 1 && s.bodyB == i
		}
		c.Need(w.contactEnds.Check(b.firstContact, &ends, good), "its list of contacts is broken")
		goodJoint := func(end int32) bool {
			if !w.joints.Has(end >> 1) {
				return false
			}
			s := w.joints.At(end >> 1)
			return s.bodyA != s.bodyB && (end&1 == 0 && s.bodyA == i || end&1 == 1 && s.bodyB == i)
		}
		c.Need(w.joints.ends.Check(w.rare(i).firstJoint, &jointEnds, goodJoint), "its list of joints is broken")
		c.Need(b.kind == Dynamic || b.awake == !w.isDisabled(i) && b.invMass == 0 && b.invInertia == 0, "it is not dynamic, and asleep or has a mass")
	}
	c.Need(owned == [3]int{} && ends == 0 && jointEnds == 0, "%v shapes, grounds and chains, %d ends of contacts and %d of joints are in no list", owned, ends, jointEnds)
	for i, s := range w.shapes.All() {
		c.In("shape", int(i))
		c.Need((s.proxy == broad.None) == w.isDisabled(s.body) && w.surfaces.Has("", "", uint16(s.material)) == nil, "it has no proxy, or no material")
	}
	for i, g := range w.grounds.All() {
		c.In("ground", int(i))
		r, any := g.tiles.Grid.Bounds()
		c.Need(g.proxy != broad.None || !any || w.isDisabled(g.body), "it has tiles, and no proxy")
		c.Need(!any || g.box.Contains(geom.AABB{Min: geom.V(float64(r.MinX), float64(r.MinY)), Max: geom.V(float64(r.MaxX)+1, float64(r.MaxY)+1)}), "its box does not hold its tiles")
		c.Need(w.surfaces.HasAll("", "", g.tiles.Materials) == nil, "a material does not exist")
	}
	for i, s := range w.chains.All() {
		c.In("chain", int(i))
		c.Need((s.proxy == broad.None) == w.isDisabled(s.body) && w.surfaces.Has("", "", s.Material) == nil && w.surfaces.HasAll("", "", s.Materials) == nil, "it has no proxy, or no material")
	}
	for i, s := range w.contacts.All() {
		if c.Err() == nil {
			c.In("contact", int(i))
			w.checkContact(c, i, s)
		}
	}
}

// isDisabled reports whether body i is disabled.
func (w *World) isDisabled(i int32) bool { return w.bodies.At(i).flags&disabled != 0 }

// exists reports whether o does.
func (w *World) exists(o broad.Owner) bool {
	switch o.Kind() {
	case broad.Shape:
		return w.shapes.Has(o.Slot())
	case broad.Ground:
		return w.grounds.Has(o.Slot())
	case broad.Chain:
		return w.chains.Has(o.Slot())
	}
	return false
}

// checkContact refuses contact i, which is s, unless its sides exist, and enters it where contacts are found by pair.
func (w *World) checkContact(c *store.Codec, i int32, s *contactState) {
	b := broad.OwnerOfB(s.shapeB)
	if !w.bodies.Has(s.bodyA) || !w.bodies.Has(s.bodyB) || s.bodyA == s.bodyB || !w.exists(b) || w.proxied(b).body != s.bodyB || s.ofGrounds() && s.ofShapes() {
		c.Refuse("body %d, or body %d with shape %d, does not exist", s.bodyA, s.bodyB, s.shapeB)
		return
	}
	o := w.sideA(s)
	if !w.exists(o) || w.proxied(o).body != s.bodyA || w.proxied(o).proxy == broad.None || w.proxied(b).proxy == broad.None || (o.Kind() == broad.Shape) != s.ofShapes() || s.ofShapes() && s.shapeA >= s.shapeB {
		c.Refuse("side A, %#x, does not exist", uint64(o))
		return
	}
	key := uint64(broad.KeyOf(o, s.shapeB))
	_, twice := w.broad.Pairs.Get(key)
	c.Need(!twice, "the pair has another contact")
	w.broad.Pairs.Put(key, i)
	if s.ofShapes() {
		c.Need(s.sensor == (w.shapes.At(s.shapeA).sensor || w.shapes.At(s.shapeB).sensor), "it is a sensor's, or is not")
		return
	}
	t := w.surfaceOf(s)
	if s.sensor {
		c.Need(o.Kind() == broad.Ground && s.shapeB >= 0 && w.shapes.At(s.shapeB).sensor && len(t.Manifolds) == 0, "it is a sensor's")
		return
	}
	c.Need(!(s.shapeB >= 0 && w.shapes.At(s.shapeB).sensor) && s.touching == (len(t.Manifolds) > 0), "touching, and %d manifolds", len(t.Manifolds))
	for k := range t.Manifolds {
		m := &t.Manifolds[k]
		for j := range m.N {
			f := &m.Features[j]
			if o.Kind() == broad.Chain {
				c.Need(w.chains.At(o.Slot()).Names(f, m.Sources[j].Segment), "the chain has no such point")
			} else {
				c.Need(f.Kind != contact.Shapes && f.Kind != contact.ChainFace && f.Kind != contact.Corner, "the ground has no such point")
			}
		}
	}
	if t.Held {
		w.held++
		w.bodies.At(s.bodyB).held++
	}
}
