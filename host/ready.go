package host

import "github.com/quarry2d/quarry/play"

// Ready is an input Start or Begin whose world was built before it is given, so that no world stands still meanwhile.
// It is given once, by World.DoReady.
type Ready struct {
	input Input
	built built
}

// built is a world that was built for an input Start or Begin.
type built struct {
	world *play.World
	err   error
	// saved is a state of the present world to go back to, so that the page is sent the differences only. It is not
	// used if another world has begun, or if it has been filled again.
	saved  *play.Saved
	filled uint64
}

// Ready builds the world of an input Start with a scene, or Begin. It may be called from any goroutine.
func (w *World) Ready(in Input) (*Ready, error) {
	b := w.state.prepare(&in, in.Scene)
	return &Ready{in, *b}, b.err
}

// ReadyBack returns an input Begin with a state of the present world, and its snapshot, from play.World.AppendPast.
// filled is s.Filled then. It may be called from any goroutine.
func (w *World) ReadyBack(s *play.Saved, filled uint64, snapshot []byte) (*Ready, error) {
	b, err := Pack(snapshot)
	return &Ready{Input{Op: Begin, World: b}, built{saved: s, filled: filled}}, err
}

// World returns the world; nil: it is the present one.
func (r *Ready) World() *play.World { return r.built.world }

// goesBack reports whether the input is a state of world w.
func (b *built) goesBack(w *play.World) bool {
	return b != nil && b.saved != nil && w.Has(b.saved) && b.saved.Filled() == b.filled
}
