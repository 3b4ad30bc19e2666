package host

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Memory is a Log in memory, for worlds that end with the process. The zero value has none. Its methods may be called
// from several goroutines.
type Memory struct {
	mu     sync.Mutex
	worlds map[string]*remembered
}

// remembered is the log of a world.
type remembered struct {
	base      uint64 // number of records that were trimmed
	records   [][]byte
	snapshots map[uint64][]byte
}

// world returns the log of a world, with m locked. The caller unlocks it.
func (m *Memory) world(name string) *remembered {
	m.mu.Lock()
	w := m.worlds[name]
	if w == nil {
		if m.worlds == nil {
			m.worlds = map[string]*remembered{}
		}
		w = &remembered{snapshots: map[uint64][]byte{}}
		m.worlds[name] = w
	}
	return w
}

// Append implements Log.
func (m *Memory) Append(_ context.Context, name string, after uint64, record []byte) (uint64, error) {
	w := m.world(name)
	defer m.mu.Unlock()
	if after != w.base+uint64(len(w.records)) {
		return 0, ErrRefused
	}
	w.records = append(w.records, slices.Clone(record))
	return after + 1, nil
}

// Read implements Log.
func (m *Memory) Read(_ context.Context, name string, after uint64, f func(uint64, []byte) error) error {
	w := m.world(name)
	base, list := w.base, slices.Clone(w.records)
	m.mu.Unlock()
	if after > 0 && after <= base {
		return ErrTrimmed
	}
	for i, b := range list {
		if n := base + uint64(i) + 1; n > after {
			if err := f(n, slices.Clone(b)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Keep implements Log.
func (m *Memory) Keep(_ context.Context, name string, number uint64, snapshot []byte) error {
	w := m.world(name)
	defer m.mu.Unlock()
	if w.snapshots[number] == nil {
		w.snapshots[number] = slices.Clone(snapshot)
	}
	return nil
}

// Kept implements Log.
func (m *Memory) Kept(_ context.Context, name string, most uint64) (number uint64, snapshot []byte, err error) {
	w := m.world(name)
	defer m.mu.Unlock()
	for n := range w.snapshots {
		if n <= most {
			number = max(number, n)
		}
	}
	if number == 0 {
		return 0, nil, ErrNone
	}
	return number, w.snapshots[number], nil
}

// Trim implements Log.
func (m *Memory) Trim(_ context.Context, name string, number uint64, whole bool) error {
	w := m.world(name)
	defer m.mu.Unlock()
	if w.snapshots[number] == nil {
		return ErrNone
	}
	maps.DeleteFunc(w.snapshots, func(n uint64, _ []byte) bool { return n < number })
	if !whole && number > w.base+1 {
		w.records = slices.Clone(w.records[number-1-w.base:])
		w.base = number - 1
	}
	return nil
}
