package gridseg

import "slices"

// Owner is the right to edit a Grid that has an owner, such as a ground of a world. Own returns it. Without it
// the grid can only be read: its edits return ErrOwned.
type Owner struct {
	g        *Grid
	layers   *layers  // of g at Release
	reverted [][]byte // the same
}

// Own takes g: from now on edits of g return an *Error of ErrOwned, except between Edit and Done of the Owner. Restore
// and Parts.Extract, which return no error, panic. It returns ErrOwned if g has an owner.
func Own(g *Grid) (*Owner, error) {
	if g.owner != nil {
		return nil, ErrOwned
	}
	g.owner, g.locked = &Owner{g: g}, true
	return g.owner, nil
}

// Owned reports whether g has an owner.
func (g engine) Owned() bool { return g.owner != nil }

// Edit returns the grid, which can be edited until Done. It panics after Release.
func (o *Owner) Edit() *Grid {
	if o.g.owner != o {
		panic("quarry: gridseg: Owner.Edit: the grid was released")
	}
	o.g.locked = false
	return o.g
}

// Done ends the edits that Edit began. On a nil Owner it does nothing.
func (o *Owner) Done() {
	if o != nil && o.g.owner == o {
		o.g.locked = true
	}
}

// Release gives the grid back: everybody may edit it, or own it. On a nil Owner it does nothing.
func (o *Owner) Release() {
	if o == nil || o.g.owner != o {
		return
	}
	if o.g.layers.any {
		l := o.g.layers
		o.layers = &l
	}
	o.g.owner, o.g.locked, o.g.saved, o.g.changes = nil, false, nil, nil
	o.reverted, o.g.reverted = o.g.reverted, nil
}

// Restore sets the grid back to s and returns it. After Release, when the grid may have other tiles and another owner,
// it leaves it alone, and returns a new grid with the tiles of s.
func (o *Owner) Restore(s *Saved) *Grid {
	if o.g.owner == o {
		o.Edit().Restore(s)
		o.Done()
		return o.g
	}
	g := New(s.grid.shapes)
	if o.layers != nil {
		g.layers = *o.layers
	}
	g.reverted = slices.Clone(o.reverted)
	g.restore(s)
	return g
}
