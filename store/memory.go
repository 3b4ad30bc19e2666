package store

import (
	"maps"
	"slices"
)

// memory holds encoded entries by encoded key.
type memory map[string][]byte

func (m memory) get(key string) ([]byte, error) { return m[key], nil }

func (m memory) write(changes map[string][]byte) error {
	for k, v := range changes {
		if v == nil {
			delete(m, k)
		} else {
			m[k] = v
		}
	}
	return nil
}

func (m memory) keys() ([]string, error) { return slices.Sorted(maps.Keys(m)), nil }

func (m memory) close() error { return nil }

func (m memory) verify(progress func(done, all int64)) (*Report, error) {
	v := newVerifier("")
	all := slices.Sorted(maps.Keys(m))
	for k, key := range all {
		v.entry(key, m[key])
		progress(int64(k)+1, int64(len(all)))
	}
	return v.report, nil
}
