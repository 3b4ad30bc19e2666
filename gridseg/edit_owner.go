package gridseg

import "slices"

// owner is the right to edit a Grid that has an owner, such as a ground of a world: Engine.Own returns it. Without it
// the grid can only be read: its edits return ErrOwned.
type owner struct {
	g        *Grid
	edits    int      // begun and not done
	layers   layers   // of g at Release
	reverted [][]byte // the same
	again    *Grid    // what Restore has made after Release
}

// Own takes the grid: from now on its edits return an *Error of ErrOwned, except between Edit and Done of the owner.
// Restore and Parts.Extract, which return no error, panic. It returns ErrOwned if the grid has an owner.
func (e gridEngine) Own() (*owner, error) {
	g := e.grid
	if g.owner != nil {
		return nil, ErrOwned
	}
	g.owner = &owner{g: g}
	g.lock()
	return g.owner, nil
}

// Owned reports whether g has an owner.
func (g engine) Owned() bool { return g.owner != nil }

// lock makes locked follow owner and asked.
func (g *Grid) lock() { g.locked = g.asked || g.owner != nil && g.owner.edits == 0 }

// Edit returns the grid, which can be edited until Done, which must be called also if the edit panics: it can call a
// function of the game (Keep). It panics after Release.
func (o *owner) Edit() *Grid {
	if o.g.owner != o {
		panic("quarry: gridseg: Owner.Edit: the grid was released")
	}
	o.edits++
	o.g.lock()
	return o.g
}

// Done ends the edit that the last Edit began. On a nil owner it does nothing.
func (o *owner) Done() {
	if o != nil && o.g.owner == o {
		o.edits--
		o.g.lock()
	}
}

// Release gives the grid back: everybody may edit it, or own it. On a nil owner it does nothing.
func (o *owner) Release() {
	if o == nil || o.g.owner != o {
		return
	}
	o.layers = o.g.layers.share()
	o.g.owner, o.g.saved, o.g.changes = nil, nil, nil
	o.g.lock()
	o.reverted, o.g.reverted = o.g.reverted, nil
}

// Restore sets the grid back to s and returns it. After Release, when the grid may have other tiles and another owner,
// it leaves it alone, and returns a new grid with the tiles of s: always the same one, because the list of Loads and
// Unloads goes on in it, and it lists the places that have gone back.
func (o *owner) Restore(s *Saved) *Grid {
	if o.g.owner == o {
		defer o.Done()
		o.Edit().restoreOwn(s)
		return o.g
	}
	if o.again == nil {
		o.again = New(s.grid.shapes)
		o.again.layers = o.layers.share()
		o.again.reverted = slices.Clone(o.reverted)
	}
	o.again.restore(s)
	return o.again
}
