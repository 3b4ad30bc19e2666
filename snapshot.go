package quarry

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
)

// snapshotVersion is the version of the snapshots that AppendSnapshot makes. It grows with each change of the format
// that an older program could not read, and Restore reads all versions before (pool.Codec.Has):
//
//	2: contacts of two grounds have narrow.Last, of kept points
//	3: bodies have state.Drift; the world has state.StepLength; begin events of changes of flags between steps; the
//	   impulses of the step (contact.Totals), which are 0 in a world of an older snapshot until its next step; removed
//	   materials
//	4: bodies have a load (solve.Motion.Load), which is 0 in a world of an older snapshot until its next step, and may
//	   have hung in place
const snapshotVersion = 4

// AppendSnapshot appends a snapshot of the world to dst and returns the extended slice. A world that Restore makes of
// it goes on as this one would, with the same bits, on any machine and with any number of workers.
//
// A snapshot has the bodies, shapes, joints, contacts with their impulses, grounds with the shapes of their tiles,
// chains, materials, ids, the time, and the configuration without Workers and Profile. It does not have functions
// that the game has set, nor the events of the last step and GroundEdits. It has the events that the next step will
// report, of changes since the last step. Its length is a multiple of 8 bytes: some 500 for each body and each
// contact, and 2 to 10 for each tile, or fewer for large areas of one tile. See docs/snapshots.md for its format.
func (w *World) AppendSnapshot(dst []byte) []byte {
	return w.appendSnapshot(dst, false)
}

// AppendSnapshotWithoutTiles is AppendSnapshot without the tiles of grounds. Its time and length do not depend on
// the number of tiles. It is for a program that stores tiles by themselves and writes only those that have changed,
// as package store does. The tiles of a ground are gridseg.View.AppendTiles of all cells. RestoreWithTiles reads
// both.
func (w *World) AppendSnapshotWithoutTiles(dst []byte) []byte { return w.appendSnapshot(dst, true) }

func (w *World) appendSnapshot(dst []byte, bare bool) []byte {
	w.mustNotStep()
	c := pool.Writing(dst, snapshotVersion, bare)
	w.visit(c)
	return c.Finish()
}

// Restore sets the world to a snapshot's. Workers, Profile, and functions that the game has set stay. Views
// of bodies, shapes and so on that are in the snapshot remain valid; event slices become empty. A Ground may have
// an older Version afterwards: make copies of its tiles, such as meshes, again.
//
// Restore returns an error, and changes nothing, if data is no snapshot, was damaged, was made by a later version
// of this package, or describes no world; the error names the record, and the place in data. Memory is at most 600
// times the length of data, and seldom more than ten times. The checksum detects damage, not malice: a world of a
// made-up snapshot may behave strangely, but its steps and queries end.
func (w *World) Restore(data []byte) error {
	replay.Call1(w.recorder(w), "World.Restore", replay.OfWorld, data)
	c, err := pool.Reading(data, snapshotVersion, false)
	if err != nil {
		return err
	}
	return w.restore(c)
}

// RestoreWithTiles is Restore of a snapshot of AppendSnapshotWithoutTiles. tiles is called for each ground, by its id,
// and returns the bytes that gridseg.View.AppendTiles gave of all of the ground's cells when the snapshot was made.
// RestoreWithTiles also returns an error, which wraps the one of tiles, and changes nothing, if tiles returns one.
func (w *World) RestoreWithTiles(data []byte, tiles func(GroundID) ([]byte, error)) error {
	w.mustNotStep()
	c, err := pool.Reading(data, snapshotVersion, true)
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
func (w *World) restore(c *pool.Codec) error {
	var f World
	f.state.Config.Workers, f.state.Config.Profile = w.state.Config.Workers, w.state.Config.Profile
	f.visit(c)
	if err := c.End(); err != nil {
		return err
	}
	for _, g := range w.state.Grounds.All() {
		g.Release()
	}
	w.state, w.events = f.state, f.events
	w.stages.Forget()
	w.state.Game = (*game)(w)
	return nil
}

// Snapshot is the state of a world at one time, in memory: for rollback, or a replay of the last seconds. Save
// fills it, and Rewind sets the world back to it. The zero value is ready for Capture. A Snapshot keeps its memory:
// with as many bodies and contacts as before, and unchanged grounds, neither Capture nor Rewind allocates. Tiles are
// shared with the world and with other Snapshots, and copied once where they change, in chunks of 16x16 cells. A
// Snapshot of a large world is packed: see docs/snapshots.md for the memory. For a file, or another process, see
// AppendSnapshot.
type Snapshot struct {
	of     *World
	state  state.Saved
	broad  broad.Saved
	events events
	tiles  []*gridseg.Saved // by slot of ground
}

// StepCount returns World.StepCount at the time of Capture.
func (s *Snapshot) StepCount() uint64 { return s.state.Steps() }

// Capture makes s the present state of the world.
func (w *World) Capture(s *Snapshot) {
	w.mustNotStep()
	check.NotNil("Capture", "s", s == nil)
	s.of = w
	w.state.MeasureAll()
	w.state.Save(&s.state)
	s.events.copy(&w.events)
	w.state.Broad.Save(&s.broad, w.state.Packing())
	s.tiles = s.tiles[:0]
	for i := range w.state.Grounds.Slots() {
		var tiles *gridseg.Saved
		if w.state.Grounds.Used(i) {
			tiles = w.state.Grounds.At(i).Tiles.Grid.Engine(lattice.Key{}).Save()
		}
		s.tiles = append(s.tiles, tiles)
	}
}

// Rewind sets the world back to s; it panics if Capture has not filled s from this world, or the world was restored
// since. The world then goes on with the same bits as after Capture. Functions that the game has set, Workers and
// Profile stay, and event slices become empty. A Ground may have an older Version afterwards; if it was edited since,
// make copies of its tiles, such as meshes, again. Rewind does not change s, which can be used again. Views of
// bodies, shapes and so on that are in s are valid. A game that keeps the bytes of unloaded places asks for those
// whose tiles have gone back: gridseg.View.EachReverted.
func (w *World) Rewind(s *Snapshot) {
	w.mustNotStep()
	if s == nil || s.of != w || s.state.Broad() != w.state.Broad {
		panic("quarry: Rewind: the Snapshot is nil, empty, of another world, or from before a Restore")
	}
	config := w.state.Config
	w.state.Load(&s.state)
	w.state.Config.Workers, w.state.Config.Profile = config.Workers, config.Profile
	w.events.clear()
	w.events.copy(&s.events)
	w.state.Broad.Load(&s.broad)
	w.stages.Forget()
	for i, tiles := range s.tiles {
		if tiles != nil {
			w.state.Grounds.At(int32(i)).Restore(tiles)
		}
	}
	w.recordRestore()
}

// recordRestore records the present state as a Restore.
func (w *World) recordRestore() {
	if w.log != nil {
		replay.Call1(w.recorder(w), "World.Restore", replay.OfWorld, w.AppendSnapshot(nil))
	}
}

// copy makes e the events to come of from.
func (e *events) copy(from *events) {
	e.contacts.copy(&from.contacts)
	e.sensors.copy(&from.sensors)
	e.materials.copy(&from.materials)
	e.lost.Copy(&from.lost)
}

// The method Visit of each record lists its fields, for Hash, AppendSnapshot and Restore alike: see pool.Codec.
// Fields after a test of Hashing are only in snapshots: they follow from the calls made, or only decide an order. A
// field that follows from others, or lasts for only one step, is in neither; fields_test.go lists these.

// Hash returns a sum of the world's state: steps, configuration, materials, every body's
// pose, motion and sleep, every shape, every contact's points and impulses, every tile and
// every chain. Two worlds made by the same calls have the same hash, on every machine; two
// worlds that will evolve differently have different hashes, but for chance. It visits the
// whole world: call it to compare worlds, not in each step.
//
// Rare properties are left out if they are zero, so that a new property does not change the hashes of worlds
// without it.
func (w *World) Hash() uint64 {
	c := pool.Hashing()
	w.visit(c)
	return c.Sum()
}

// visit visits the state of w. A reader fills an empty world, and refuses one that no calls could make as far as
// a step would notice.
func (w *World) visit(c *pool.Codec) {
	w.state.MeasureAll()
	w.state.Visit(c)
	if !c.Hashing() {
		w.events.visit(c)
		w.state.Finish(c)
	}
}

// visit visits the events that the next step will report.
func (e *events) visit(c *pool.Codec) {
	visitContact := func(e *ContactEvent) { e.visit(c) }
	visitMaterial := func(e *MaterialEvent) {
		e.visit(c)
		pool.Up(c, &e.Material, math.MaxUint16)
	}
	e.contacts.ends.Visit(c, "an end of contact", 9, visitContact)
	e.sensors.ends.Visit(c, "an end of a sensor's overlap", 9, visitContact)
	e.materials.ends.Visit(c, "an end of a material", 9, visitMaterial)
	if c.Has(3) {
		e.contacts.begins.Visit(c, "a begin of contact", 9, visitContact)
		e.sensors.begins.Visit(c, "a begin of a sensor's overlap", 9, visitContact)
		e.materials.begins.Visit(c, "a begin of a material", 9, visitMaterial)
	}
	e.lost.Visit(c, "a lost body", 1, func(id *BodyID) { pool.Up(c, id, math.MaxUint64) })
}

func (e *ContactEvent) visit(c *pool.Codec) {
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
	pool.Integer(c, &e.Segment)
	if e.ShapeB = ShapeID(b); b&ofGround != 0 {
		e.ShapeB, e.GroundB = 0, GroundID(b&^ofGround)
		c.Pair(&e.CellB.X, &e.CellB.Y)
		contact.VisitTile(c, &e.TileB)
	}
}
