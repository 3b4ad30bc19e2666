package store

import (
	"bytes"
	"slices"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// Saver saves a world to a store repeatedly: each Save puts the chunks that have changed since the Save before, and
// the rest of the world.
type Saver struct {
	// Progress, if not nil, is called during Save with the number of changed chunks that are done.
	Progress func(done, all int)

	s *Store
	w *quarry.World

	chunks  map[Key]*savedChunk // that s holds
	grounds []savedGround
	saves   uint64
	record  []byte // the last record of the world
	last    time.Time
	now     func() time.Time

	changed                []Key // memory kept for the next Save
	cells                  []gridseg.Cell
	snapshot, tiles, value []byte
}

// savedChunk is a chunk that the store holds.
type savedChunk struct {
	tiles  uint64 // sum of its tiles (its ChunkSum) as the store has them; 0: not known, or unloaded
	sum    uint64 // of its value; see sumOfValue
	now    uint64 // sum of its tiles in the Save with the number at
	at     uint64
	ground int // in Saver.grounds
}

// savedGround describes the chunks of a ground in the record of a world: their number and the sum of their values.
type savedGround struct {
	name   string
	chunks uint32
	sum    uint64 // of the sums of their values
	grid   gridseg.View
}

// NewSaver returns a Saver of w to s. The first Save replaces a world that s already holds; equal chunks are not
// written again.
func NewSaver(s *Store, w *quarry.World) *Saver {
	s.mu.Lock()
	s.saved = w
	s.mu.Unlock()
	return &Saver{s: s, w: w, now: time.Now}
}

// Save puts the world into the store, commits, and returns the number of chunks that were put or deleted. The
// values of chunks that a ground has unloaded stay. Its time grows with the number of bodies, of chunks, and of
// tiles in chunks that have changed since the last Save; the first Save visits all tiles. It fails only if the
// store's keys or values cannot be read.
func (v *Saver) Save() (changed int, err error) {
	if v.chunks == nil {
		if err := v.know(); err != nil {
			return 0, err
		}
	}
	v.last = v.now()
	v.saves++
	for g := range v.w.Grounds() {
		putReverted(v.s, GroundName(g.ID()), g.Grid(), false) // the next Step of the Streamer takes them off the list
	}
	v.s.watch(func(k Key) { // a Streamer has put the bytes of an Unload, and may have loaded the chunk again since
		if c := v.chunks[k]; c != nil {
			c.tiles = 0
		} else if k.Ground != "" {
			v.chunks[k] = new(savedChunk)
		}
	})
	defer v.s.watch(func(Key) {}) // the changes of this Save
	v.list()
	slices.SortFunc(v.changed, Key.compare)
	for done, k := range v.changed {
		if v.Progress != nil {
			v.Progress(done, len(v.changed))
		}
		if v.put(k) {
			changed++
		}
	}
	for k, c := range v.chunks { // the order has no effect: deletions of different keys, and sums
		switch {
		case c.at == v.saves:
			g := &v.grounds[c.ground]
			g.chunks, g.sum = g.chunks+1, g.sum+c.sum
		case v.unloaded(k):
			c.tiles = 0 // its value is what Unload gave
		default:
			v.s.Delete(k)
			delete(v.chunks, k)
			changed++
		}
	}
	v.snapshot = v.w.AppendSnapshotWithoutTiles(v.snapshot[:0])
	record := appendWorld(nil, v.grounds, v.snapshot)
	if !bytes.Equal(record, v.record) {
		v.s.Put(Record(RecordWorld), record)
		v.record = record
	}
	v.s.Commit()
	return changed, nil
}

// list sums up the tiles of all chunks that are loaded, and lists those that have changed.
func (v *Saver) list() {
	v.grounds, v.changed = v.grounds[:0], v.changed[:0]
	for g := range v.w.Grounds() {
		ground, grid := len(v.grounds), g.Grid()
		v.grounds = append(v.grounds, savedGround{name: GroundName(g.ID()), grid: grid})
		v.cells = grid.Engine(lattice.Key{}).AppendLoaded(v.cells[:0])
		var c *savedChunk
		var last Key
		for _, at := range v.cells {
			if k := Chunk(v.grounds[ground].name, at.X>>sideBits, at.Y>>sideBits); c == nil || k != last {
				if last, c = k, v.chunks[k]; c == nil {
					c = new(savedChunk)
					v.chunks[k] = c
				}
				if c.at != v.saves {
					c.at, c.ground, c.now = v.saves, ground, 0
					v.changed = append(v.changed, k) // so far
				}
			}
			c.now += grid.Engine(lattice.Key{}).ChunkSum(at.X, at.Y)
		}
	}
	v.changed = slices.DeleteFunc(v.changed, func(k Key) bool { return v.chunks[k].now == v.chunks[k].tiles })
}

// unloaded reports whether chunk k is unloaded in its ground.
func (v *Saver) unloaded(k Key) bool {
	for i := range v.grounds {
		if g := &v.grounds[i]; g.name == k.Ground {
			return !g.grid.Loaded(k.X<<sideBits, k.Y<<sideBits)
		}
	}
	return false
}

// put puts the tiles of chunk k, unless s holds them.
func (v *Saver) put(k Key) bool {
	c := v.chunks[k]
	v.tiles = v.grounds[c.ground].grid.Engine(lattice.Key{}).AppendTiles(v.tiles[:0], cellsOf(k.X, k.Y))
	v.value = appendTiles(v.value[:0], v.tiles)
	known := c.tiles != 0
	c.tiles, c.sum = c.now, sumOfValue(k, v.value)
	if !known {
		if data, ok, err := v.s.Get(k); ok && err == nil && bytes.Equal(data, v.value) { // a damaged one is replaced
			return false
		}
	}
	v.s.Put(k, v.value)
	return true
}

// know lists the chunks that s holds.
func (v *Saver) know() error {
	v.s.watch(func(Key) {})
	chunks := map[Key]*savedChunk{}
	for k, err := range v.s.Keys() {
		if err != nil {
			return err
		}
		if k.Ground != "" {
			chunks[k] = new(savedChunk)
		}
	}
	v.chunks = chunks
	return nil
}

// SaveEach calls Save at most once per interval, such as half a second. Call it after each Step. While the store cannot
// be written it returns the store's Err and queues no more: the moment that failed is tried again.
func (v *Saver) SaveEach(interval time.Duration) (changed int, err error) {
	if !v.last.IsZero() && v.now().Sub(v.last) < interval {
		return 0, nil
	}
	if err := v.s.Err(); err != nil {
		return 0, err
	}
	return v.Save()
}
