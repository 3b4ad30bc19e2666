package gridseg

// Then returns the turn that is t, then u: a shape laid by it lies as one that was
// laid by t and then turned by u about the middle of its cell.
func (t Turn) Then(u Turn) Turn {
	quarters := t
	if u&4 != 0 {
		quarters = -t // in the mirror a turn runs the other way
	}
	return (quarters+u)&3 | (t^u)&4
}

// Inverse returns the turn that undoes t: either one Then the other is 0.
func (t Turn) Inverse() Turn {
	if t&4 != 0 {
		return t & 7 // a mirror image in some line, which undoes itself
	}
	return -t & 3
}
