package gridseg

import (
	"iter"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Delta is the change made by a Resolve, compared with the previous Resolve; an edit that was
// undone in between does not appear. Each list is ordered by row, column and N. No id is in two
// lists: a segment whose ends change is a different segment. A Delta is a view of the grid, valid
// until the next Resolve; edits in between do not affect it.
//
// The zero value is the empty change.
type Delta struct {
	Cells Rect // the smallest rectangle with the cells of all listed segments; may be empty

	grid            *Grid
	added, relinked []deltaRef
	removed         []removedSegment
}

// deltaRef refers to a segment until the next Resolve. It takes 8 bytes, a Segment 128; Segments
// are made on demand.
type deltaRef struct {
	chunk int32 // in Grid.chunks
	n     uint16
	i     uint8
}

// removedSegment is a segment that no longer exists.
type removedSegment struct {
	s    seg
	cell Cell
	tile Tile
}

// Added yields the new segments, in their present state.
func (d Delta) Added() iter.Seq[Segment] { return d.each(d.added) }

// Relinked yields the segments whose ends and id are unchanged but whose link, ghost, tile or edge
// number changed, in their present state.
func (d Delta) Relinked() iter.Seq[Segment] { return d.each(d.relinked) }

// Removed yields the removed segments in their last state, links included.
func (d Delta) Removed() iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		for k := range d.removed {
			r := &d.removed[k]
			if !yield(r.s.expand(r.cell, r.tile)) {
				return
			}
		}
	}
}

func (d Delta) each(list []deltaRef) iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		for _, r := range list {
			c := d.grid.chunks[r.chunk]
			s := &c.segments(int(r.i))[r.n]
			if !yield(s.expand(c.cell(int(r.i)), d.grid.tileOf(c.resolvedTile(int(r.i)), s.owner))) {
				return
			}
		}
	}
}

// Empty reports whether nothing changed.
func (d Delta) Empty() bool { return len(d.added)+len(d.removed)+len(d.relinked) == 0 }

// The memory of a list with room for more than largeDelta segments is released after manySmall
// smaller deltas in a row, so that building a world does not double its memory for ever.
const (
	largeDelta = 1 << 14
	manySmall  = 60
)

// reset empties d and keeps its memory. small counts the deltas since the last large one.
func (d *Delta) reset(g *Grid, small *int) {
	d.grid = g
	*small++
	if max(len(d.added), len(d.removed), len(d.relinked)) > largeDelta {
		*small = 0
	}
	again := *small < manySmall
	d.added, d.relinked = emptied(d.added, again), emptied(d.relinked, again)
	d.removed = emptied(d.removed, again)
	d.Cells = lattice.NoCells
}

// coverRemoved extends Cells to the cells of the removed segments.
func (d *Delta) coverRemoved() {
	for k := range d.removed {
		d.Cells = lattice.Grow(d.Cells, d.removed[k].cell)
	}
}

// emptied returns list with length 0, or nil to release a large list if again is false.
func emptied[T any](list []T, again bool) []T {
	if !again && cap(list) > largeDelta {
		return nil
	}
	return list[:0]
}
