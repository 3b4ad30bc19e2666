package quarry

import (
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/record"
	"github.com/quarry2d/quarry/internal/store"
)

// Snapshot is the state of a world at one time, in memory, to go back to within a game: for rollback, or a replay of the last
// seconds. Save fills it and Load goes back to it. The zero value is ready for Save, and keeps its memory: with as many
// bodies and contacts as before, and unchanged grounds, neither allocates. Tiles are shared with the world and with other
// Snapshots, and copied once where they change, in chunks of 16x16 cells. For a file, or another process, see AppendSnapshot.
type Snapshot struct {
	of     *World
	state  state
	broad  broad.Saved
	jammed bool
	events events
	tiles  []*gridseg.Saved // by slot of ground
}

// StepCount returns World.StepCount at the time of Save.
func (s *Snapshot) StepCount() uint64 { return s.state.steps }

// Save makes s the present state of the world.
func (w *World) Save(s *Snapshot) {
	w.mustNotStep()
	s.of, s.jammed = w, w.scratch.islands.Jammed()
	s.state.copy(&w.state)
	s.events.copy(&w.events)
	w.broad.Save(&s.broad)
	s.tiles = s.tiles[:0]
	for i := range w.grounds.Slots() {
		var tiles *gridseg.Saved
		if w.grounds.Used(i) {
			tiles = w.grounds.At(i).tiles.Grid.Save()
		}
		s.tiles = append(s.tiles, tiles)
	}
}

// Load goes back to s, which Save has filled from this world; it panics otherwise. The world then goes on with the same bits
// as it did after Save. Functions that the game has set, Workers and Profile stay as they are, and event slices become empty.
// A Ground may have an older Version afterwards; make copies of its tiles, such as meshes, anew if it was edited since. s
// stays as it is, to be loaded again. Views of bodies, shapes and so on that are in s are valid. After Restore, Snapshots of before cannot be loaded.
func (w *World) Load(s *Snapshot) {
	w.mustNotStep()
	if s.of != w || s.state.broad != w.broad {
		panic("quarry: Load: the Snapshot is empty, of another world, or from before a Restore")
	}
	config := w.config
	w.state.copy(&s.state)
	w.config.Workers, w.config.Profile = config.Workers, config.Profile
	w.events.clear()
	w.events.copy(&s.events)
	w.broad.Load(&s.broad)
	w.scratch.islands.SetJammed(s.jammed)
	for i, tiles := range s.tiles {
		if tiles != nil {
			w.grounds.At(int32(i)).tiles.Grid.Restore(tiles)
		}
	}
	w.recordRestore()
}

// recordRestore records the present state as a Restore.
func (w *World) recordRestore() {
	if w.log != nil {
		record.Call1(w.recorder(w), "World.Restore", record.OfWorld, w.AppendSnapshot(nil))
	}
}

// copy makes s a copy of from, in the room that s has. The broad phase and the tiles of grounds are shared.
func (s *state) copy(from *state) {
	s.config, s.steps, s.time, s.worldBody, s.held = from.config, from.steps, from.time, from.worldBody, from.held
	s.bullets, s.oneWays, s.strengths, s.broad = from.bullets, from.oneWays, from.strengths, from.broad
	store.CopySlice(&s.moving, from.moving)
	store.CopySlice(&s.active, from.active)
	s.bodies.Copy(&from.bodies)
	store.CopySlice(&s.bodiesRare, from.bodiesRare)
	store.CopySlice(&s.locked, from.locked)
	store.CopyMap(&s.names, from.names)
	s.shapes.Copy(&from.shapes)
	store.CopySlice(&s.rowShapes, from.rowShapes)
	s.grounds.Copy(&from.grounds)
	store.CopySlice(&s.torn, from.torn)
	s.chains.Copy(&from.chains)
	s.contacts.Copy(&from.contacts)
	store.CopySlice(&s.manifolds, from.manifolds)
	store.CopySlice(&s.bases, from.bases)
	store.CopySlice(&s.contactEnds, from.contactEnds)
	store.CopySlice(&s.chosenAt, from.chosenAt)
	s.surfaceContacts.CopyDeep(&from.surfaceContacts, (*surfaceContact).copy)
	store.CopySlice(&s.materials, from.materials)
	s.surfaces.Copy(&from.surfaces)
	s.joints.Pool.Copy(&from.joints.Pool)
	store.CopySlice(&s.joints.ends, from.joints.ends)
	store.CopySlice(&s.joints.active, from.joints.active)
}

func (s *surfaceContact) copy(from *surfaceContact) {
	s.Memory.Copy(&from.Memory)
	s.owner, s.updatedAt = from.owner, from.updatedAt
	for k := range s.materials {
		store.CopySlice(&s.materials[k], from.materials[k])
	}
}

// copy makes e the events to come of from.
func (e *events) copy(from *events) {
	e.ends.Copy(&from.ends)
	e.sensorEnds.Copy(&from.sensorEnds)
	e.materialEnds.Copy(&from.materialEnds)
	e.lost.Copy(&from.lost)
}
