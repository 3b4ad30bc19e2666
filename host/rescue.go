package host

import (
	"errors"
	"math"
	"time"
)

// Try returns an error if the host cannot take a world over for what the log has. It appends nothing.
func (h *Host) Try(name string) error {
	t := &takeover{h: h, name: name, most: math.MaxUint64}
	err := t.load()
	if err == nil {
		_, err = t.made()
	}
	return err
}

// Rescue returns the birth of a world that goes on from the newest of some snapshots, the newest first, that this
// version of the engine can read, whichever version made it, and when it was made. It is for a world whose log Try
// refuses.
func Rescue(snapshots [][]byte, find Finder) (birth Record, made time.Time, err error) {
	bad := []error{errors.New("there is no snapshot")}
	for _, b := range snapshots {
		s, err := decodeSnapshot(b, find)
		if err == nil {
			s.state.world.LeaveAll()
			b, err = s.state.world.AppendSnapshot(nil)
		}
		if err == nil {
			b, err = Pack(b)
		}
		if err == nil {
			return Record{World: b, Paused: s.state.paused, MaxBodies: s.state.most}, time.UnixMilli(s.time), nil
		}
		bad = append(bad[:0], err)
	}
	return Record{}, time.Time{}, bad[0]
}
