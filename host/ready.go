package host

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/play"
)

// built is a world that was built for an input Start or Begin before it is given, so that no world stands still
// meanwhile.
type built struct {
	world *play.World
	err   error
	// saved is a state of the present world to go back to, so that the page is sent the differences only. It is not
	// used if another world has begun, or if it has been filled again.
	saved  *play.Saved
	filled uint64
}

// Built returns the world that Ready has built; nil: it is the present one.
func (in *Input) Built() *play.World { return in.built.world }

// goesBack reports whether the input is a state of world w.
func (b *built) goesBack(w *play.World) bool {
	return b != nil && b.saved != nil && w.Has(b.saved) && b.saved.Filled() == b.filled
}

// unpack returns the world of a packed snapshot, in which at most most bodies may be added, and nobody holds anything.
func unpack(b []byte, find Finder, most int) (*play.World, error) {
	snapshot, err := unpacked(b)
	if err != nil {
		return nil, fmt.Errorf("begin: the packed world: %w", err)
	}
	w, err := play.Restore(snapshot, find)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	w.SetMaxBodies(most)
	w.LeaveAll()
	if why := w.Stopped(); why != "" {
		return nil, errors.New(why)
	}
	return w, nil
}
