package gridseg

// Then returns the turn that combines t and then u: a shape in turn t.Then(u) looks like the shape
// in turn t, turned by u about the middle of its cell.
func (t Turn) Then(u Turn) Turn {
	quarters := t
	if u&4 != 0 {
		quarters = -t // a mirroring reverses turns
	}
	return (quarters+u)&3 | (t^u)&4
}
