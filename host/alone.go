package host

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Alone is the Leases of a host that has no others beside it, in memory. Make one with NewAlone. Its methods may
// be called from several goroutines.
type Alone struct {
	mu      sync.Mutex
	list    []Entry
	made    uint64
	changed chan struct{}
}

// NewAlone returns leases with the entries of worlds that nobody runs.
func NewAlone(worlds []string) *Alone {
	a := &Alone{changed: make(chan struct{}, 1)}
	for _, name := range worlds {
		a.made++
		a.list = append(a.list, Entry{Key: worldKey + name, Revision: a.made})
	}
	return a
}

// find returns the index of an entry, or -1.
func (a *Alone) find(key string) int {
	return slices.IndexFunc(a.list, func(e Entry) bool { return e.Key == key })
}

// Set implements Leases.
func (a *Alone) Set(_ context.Context, key string, value []byte, revision uint64) (uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := a.find(key)
	if i < 0 && revision != 0 || i >= 0 && a.list[i].Revision != revision {
		return 0, fmt.Errorf("%s: %w", key, ErrRefused)
	}
	if i < 0 {
		a.list = append(a.list, Entry{})
		i = len(a.list) - 1
	}
	a.made++
	a.list[i] = Entry{key, slices.Clone(value), a.made}
	select {
	case a.changed <- struct{}{}:
	default:
	}
	return a.made, nil
}

// Get implements Leases.
func (a *Alone) Get(_ context.Context, key string) (Entry, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := a.find(key); i >= 0 {
		return a.list[i], nil
	}
	return Entry{}, fmt.Errorf("%s: %w", key, ErrNone)
}

// Entries implements Leases.
func (a *Alone) Entries(context.Context) ([]Entry, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list), nil
}

// Changed implements Leases.
func (a *Alone) Changed() <-chan struct{} { return a.changed }
