package gridseg

// refuse returns an error if the cells of r must not be edited: if g has an owner, or an error that names the first
// unloaded cell by square of chunks, row and column.
func (g *Grid) refuse(op string, r Rect) (err error) {
	if err := g.refuseOwned(op, Cell{X: r.MinX, Y: r.MinY}); err != nil {
		return err
	}
	g.away.within(r, func(cx, cy int32, _ bool) bool {
		err = &Error{op, Cell{X: max(r.MinX, cx<<chunkBits), Y: max(r.MinY, cy<<chunkBits)}, ErrUnloaded}
		return false
	})
	return err
}

// refuseOwned returns an error of op if g has an owner, who has not begun an edit, or if an edit is going on.
func (g *Grid) refuseOwned(op string, at Cell) error {
	if g.locked {
		return &Error{op, at, g.errLocked()}
	}
	return nil
}

// mustNotBeOwned panics where refuseOwned returns an error.
func (g *Grid) mustNotBeOwned(op string) {
	if g.locked {
		panic("quarry: gridseg: " + op + ": " + g.errLocked().Error())
	}
}

func (g *Grid) errLocked() error {
	if g.asked {
		return errAsked
	}
	return ErrOwned
}
