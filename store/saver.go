package store

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// Saver saves a world to a store again and again: each Save puts the chunks that have changed since the one before, and the rest of
// the world.
type Saver struct {
	// Progress, if not nil, is called during Save with the number of the grids' chunks that are done.
	Progress func(done, all int)

	s *Store
	w *quarry.World

	seed   maphash.Seed
	sums   map[Key]uint64 // of the chunks that s holds; 0: not known, or unloaded
	record []byte         // the last record of the world
	last   time.Time
	now    func() time.Time

	snapshot, tiles, value []byte // memory kept for the next Save
}

// NewSaver returns a Saver of w to s. A world that s already holds is replaced by the first Save; where chunks are equal, they
// are not written again.
func NewSaver(s *Store, w *quarry.World) *Saver {
	return &Saver{s: s, w: w, seed: maphash.MakeSeed(), now: time.Now}
}

// Save puts the world into the store, commits, and returns the number of chunks that were put or deleted. The values of chunks that a ground has
// unloaded stay as they are. Its time grows with the number of bodies,
// and of tiles that are loaded. It fails only if the store's keys or values cannot be read.
func (v *Saver) Save() (changed int, err error) {
	if v.sums == nil {
		if err := v.know(); err != nil {
			return 0, err
		}
	}
	v.last = v.now()
	v.s.watch(func(k Key) { // a Streamer has put the bytes of an Unload, and may have loaded the chunk again since
		if v.sums[k] != 0 {
			v.sums[k] = 0
		}
	})
	defer v.s.watch(func(Key) {}) // the changes of this Save
	gone := maps.Clone(v.sums)
	v.snapshot = v.w.AppendSnapshot(v.snapshot[:0])
	var record []byte
	record, v.tiles = cutWorld(v.w, v.snapshot, v.tiles, func(ground string, all []piece) {
		// Chunks of a store, by row, then column, each with the grid's chunks by row, then column.
		slices.SortStableFunc(all, func(a, b piece) int {
			return cmp.Or(cmp.Compare(a.cy>>perSide, b.cy>>perSide), cmp.Compare(a.cx>>perSide, b.cx>>perSide))
		})
		total := len(all)
		for len(all) > 0 && err == nil {
			if v.Progress != nil {
				v.Progress(total-len(all), total)
			}
			k := Chunk(ground, all[0].cx>>perSide, all[0].cy>>perSide)
			n := 1
			for n < len(all) && all[n].cx>>perSide == k.X && all[n].cy>>perSide == k.Y {
				n++
			}
			v.value = appendTiles(v.value[:0], all[:n])
			all = all[n:]
			delete(gone, k)
			var put bool
			if put, err = v.put(k); put {
				changed++
			}
		}
	})
	if err != nil {
		return changed, err
	}
	grids := map[string]gridseg.View{}
	for g := range v.w.Grounds() {
		grids[GroundName(g.ID())] = g.Grid()
	}
	for k := range gone { // the order has no effect: deletions of different keys
		if g, ok := grids[k.Ground]; ok && !g.Loaded(k.X<<sideBits, k.Y<<sideBits) {
			v.sums[k] = 0 // its value is what Unload gave
			continue
		}
		v.s.Delete(k)
		delete(v.sums, k)
		changed++
	}
	if !bytes.Equal(record, v.record) {
		v.s.Put(Record(RecordWorld), record)
		v.record = record
	}
	v.s.Commit()
	return changed, nil
}

// put puts v.value as the chunk k, unless s holds it.
func (v *Saver) put(k Key) (bool, error) {
	sum := max(1, maphash.Bytes(v.seed, v.value))
	switch old, known := v.sums[k]; {
	case known && old == sum:
		return false, nil
	case known && old == 0:
		data, _, err := v.s.Get(k)
		if err == nil && bytes.Equal(data, v.value) { // a damaged one is replaced
			v.sums[k] = sum
			return false, nil
		}
	}
	v.s.Put(k, v.value)
	v.sums[k] = sum
	return true, nil
}

// know lists the chunks that s holds.
func (v *Saver) know() error {
	sums := map[Key]uint64{}
	for k, err := range v.s.Keys() {
		if err != nil {
			return err
		}
		if k.Ground != "" {
			sums[k] = 0
		}
	}
	v.sums = sums
	return nil
}

// SaveEach is Save, if the time since the last Save is at least interval, such as half a second; otherwise it does nothing. Call it after each Step.
// While the store cannot be written it returns the store's Err and queues no more: the moment that failed is tried again.
func (v *Saver) SaveEach(interval time.Duration) (changed int, err error) {
	if !v.last.IsZero() && v.now().Sub(v.last) < interval {
		return 0, nil
	}
	if err := v.s.Err(); err != nil {
		return 0, err
	}
	return v.Save()
}
