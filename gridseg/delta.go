package gridseg

import "iter"

// Delta is what a Resolve changed, compared with the Resolve before: nothing that
// came back to what it was is listed. Each list is ordered by row, column and N.
// It is a view of the grid, valid until the next Resolve; edits before that do not
// disturb it. No id is in two lists: a segment whose ends change is another segment.
//
// The zero value is of no change.
type Delta struct {
	Cells Rect // the smallest that holds the cells of all that is listed; may be empty

	grid            *Grid
	added, relinked []deltaRef
	removed         []removedSegment
}

// deltaRef names a segment until the next Resolve: 8 bytes in the place of a Segment's 128,
// which are made when they are asked for.
type deltaRef struct {
	chunk int32 // in Grid.chunks
	n     uint16
	i     uint8
}

// removedSegment is a segment that is no more.
type removedSegment struct {
	s    seg
	cell Cell
	tile Tile
}

// Added yields the segments that are new, as they are now.
func (d Delta) Added() iter.Seq[Segment] { return d.each(d.added) }

// Relinked yields the segments of the same id and ends of which a link, ghost, tile or edge
// number is new, as they are now.
func (d Delta) Relinked() iter.Seq[Segment] { return d.each(d.relinked) }

// Removed yields the segments that are no more, as they were, links included.
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

// Count returns the lengths of the lists.
func (d Delta) Count() (added, removed, relinked int) {
	return len(d.added), len(d.removed), len(d.relinked)
}

// Empty reports whether nothing changed.
func (d Delta) Empty() bool { return len(d.added)+len(d.removed)+len(d.relinked) == 0 }

// A list with room for more than largeDelta segments is given up after manySmall
// deltas in a row that did not need it: building a world must not cost its memory
// twice for ever.
const (
	largeDelta = 1 << 14
	manySmall  = 60
)

// reset empties d, of g, and keeps its memory. small is the number of deltas since the last
// large one.
func (d *Delta) reset(g *Grid, small *int) {
	d.grid = g
	*small++
	if max(len(d.added), len(d.removed), len(d.relinked)) > largeDelta {
		*small = 0
	}
	again := *small < manySmall
	d.added, d.relinked = emptied(d.added, again), emptied(d.relinked, again)
	d.removed = emptied(d.removed, again)
	d.Cells = noCells
}

// coverRemoved makes Cells hold the cells of the removed segments.
func (d *Delta) coverRemoved() {
	for k := range d.removed {
		d.Cells = d.Cells.grow(d.removed[k].cell)
	}
}

// emptied returns list without its elements; without its memory too if that is large and not
// wanted again.
func emptied[T any](list []T, again bool) []T {
	if !again && cap(list) > largeDelta {
		return nil
	}
	return list[:0]
}
