package gridseg

// Delta is what a Resolve changed, compared with the Resolve before: nothing that
// came back to what it was is listed. Each list is ordered by row, column and N.
// It belongs to the grid and is valid until the next Resolve. No id is in two lists:
// a segment whose ends change is another segment.
type Delta struct {
	Added    []Segment // as they are now
	Removed  []Segment // as they were, links included
	Relinked []Segment // same id and ends; a link, ghost, tile or edge number is new
	Cells    Rect      // the smallest that holds the cells of all these; may be empty

	small int // deltas since the last large one
}

// Empty reports whether nothing changed.
func (d *Delta) Empty() bool { return len(d.Added)+len(d.Removed)+len(d.Relinked) == 0 }

// A list with room for more than largeDelta segments is given up after manySmall
// deltas in a row that did not need it: building a world must not cost its memory
// twice for ever.
const (
	largeDelta = 1 << 12
	manySmall  = 60
)

// reset empties d and keeps its memory.
func (d *Delta) reset() {
	d.small++
	for _, list := range []*[]Segment{&d.Added, &d.Removed, &d.Relinked} {
		if len(*list) > largeDelta {
			d.small = 0
		}
	}
	for _, list := range []*[]Segment{&d.Added, &d.Removed, &d.Relinked} {
		if d.small >= manySmall && cap(*list) > largeDelta {
			*list = nil
		}
		*list = (*list)[:0]
	}
	d.Cells = noCells
}

func (d *Delta) add(list *[]Segment, s *seg, cell Cell, t Tile) {
	*list = appendSegment(*list, s, cell, t)
	d.Cells = d.Cells.grow(cell)
}
