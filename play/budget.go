package play

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Limits of a world. They bound the memory of the server and the time of a step. Each sums up all grounds and bodies,
// and holds beside the scene's own: a large scene leaves as much room as a small one. Commands that would exceed one
// are refused.
const (
	// MaxTiles is the number of tiles that clients may add.
	MaxTiles = 1 << 18
	// MaxSegments is the number of segments of surfaces that clients may add. Digging stops there, too.
	MaxSegments = 1 << 18
	// MaxChunks is the number of chunks that clients may add. A chunk that once held a tile counts, because one of a
	// single tile takes kilobytes.
	MaxChunks = 1 << 12
	// maxContacts is the number of contacts that bodies of clients may add. A contact costs about a microsecond a
	// step.
	maxContacts = 1 << 14
	// segmentsPerContact is the number of segments in a body's box that cost as much as one contact.
	segmentsPerContact = 16
	// maxTouched is the number of bodies beside which clients may change the ground between two steps, each counted
	// with every change. A body that comes to be in ground, or between its pieces, costs the next step a search for a
	// way out of up to half a millisecond.
	maxTouched = 256
	// contactMargin is the distance in cells below which two shapes' boxes make a contact: the sum of their margins.
	contactMargin = 0.2
)

// budget is the size of a scene's own world, beside which the limits hold, and of the additions since the last step.
type budget struct {
	tiles, segments, chunks int
	contacts                int // most contacts of a step before the first body was added
	added                   bool
	// fresh estimates the contacts of the bodies added since the last step, which has made the contacts of all others.
	fresh int
	// touched is the number of bodies beside changes of the ground since the last step.
	touched int
	// last is the number of contacts after the last step.
	last int
}

// stepped counts the contacts of a step.
func (b *budget) stepped(contacts int) {
	b.last, b.fresh, b.touched = contacts, 0, 0
	if !b.added {
		b.contacts = max(b.contacts, contacts)
	}
}

// add counts a new body whose box overlaps the boxes of that many shapes and that many segments. It
// returns an error, and counts nothing, if the body would exceed the limit of contacts.
func (b *budget) add(shapes, segments int) error {
	n := shapes + segments/segmentsPerContact
	if have := b.last + b.fresh; have+n > b.contacts+maxContacts {
		return fmt.Errorf("add: the body would make %d contacts here, and added bodies have %d already; the limit "+
			"is %d: "+
			"remove some or reset the scene", n, max(0, have-b.contacts), maxContacts)
	}
	b.added = true
	b.fresh += n
	return nil
}

// Full reports whether commands that change the ground are refused until the next step.
func (w *World) Full() bool { return w.budget.touched >= maxTouched }

// touch counts the bodies in a box in which a ground was changed.
func (w *World) touch(box geom.AABB) {
	w.near = w.in.World.AppendShapesIn(w.near[:0], box)
	for _, id := range w.near {
		if sh, ok := w.in.World.Shape(id); ok && sh.Body().Type() == quarry.Dynamic {
			w.budget.touched++
		}
	}
}

// groundSize sums up the tiles, segments and chunks of all grounds.
func (w *World) groundSize() (tiles, segments, chunks int) {
	for _, t := range w.grounds {
		if g, ok := w.in.World.Ground(t.id); ok {
			n, of := g.Grid().Count()
			tiles, segments, chunks = tiles+n, segments+of, chunks+len(t.list)
		}
	}
	return tiles, segments, chunks
}

// room returns an error if that many more tiles or chunks would exceed a limit, or if the segments exceed theirs.
func (w *World) room(do string, tiles, chunks int) error {
	b := &w.budget
	haveTiles, segments, haveChunks := w.groundSize()
	switch {
	case tiles > 0 && haveTiles+tiles > b.tiles+MaxTiles:
		return fmt.Errorf("%s: all grounds together have %d tiles, the limit is %d; erase some",
			do, haveTiles, b.tiles+MaxTiles)
	case chunks > 0 && haveChunks+chunks > b.chunks+MaxChunks:
		return fmt.Errorf("%s: all grounds together have tiles in %d chunks, the limit is %d; "+
			"edit near existing tiles or reset the scene", do, haveChunks, b.chunks+MaxChunks)
	case segments > b.segments+MaxSegments:
		return fmt.Errorf("%s: all grounds together have %d segments, the limit is %d; erase some of them",
			do, segments, b.segments+MaxSegments)
	}
	return nil
}
