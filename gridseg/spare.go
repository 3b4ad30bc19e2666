package gridseg

// take removes and returns the last of a list of spare objects, or returns a new one.
func take[T any](spare *[]*T) *T {
	if n := len(*spare); n > 0 {
		t := (*spare)[n-1]
		*spare = (*spare)[:n-1]
		return t
	}
	return new(T)
}
