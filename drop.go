package quarry

import "github.com/quarry2d/quarry/internal/oneway"

// DropThrough lets the body fall through the one-way tiles that it touches now, until it is
// clear of them, and through any others that it meets in the next seconds of simulated time
// while it is awake: 0 for none, an infinity for all. The new time replaces the old one. It
// wakes the body with its island, and panics if seconds is negative or NaN.
func (b Body) DropThrough(seconds float64) {
	if !(seconds >= 0) {
		panic(outOfRange("DropThrough", "seconds", seconds, "at least 0"))
	}
	st := b.change()
	st.dropping = seconds
	if !b.w.hasOneWays() {
		return
	}
	for l := st.firstContact; l >= 0; {
		c := b.w.contacts.At(l >> 1)
		if c.ground >= 0 && l&1 == 1 {
			c.oneWay.Drop = oneway.ToDrop
		}
		l = c.next[l&1]
	}
}

// Dropping reports whether a DropThrough of the body is in progress.
func (b Body) Dropping() bool {
	st := b.get()
	for l := st.firstContact; l >= 0; {
		c := b.w.contacts.At(l >> 1)
		if c.oneWay.Drop != oneway.NotDropping && l&1 == 1 {
			return true
		}
		l = c.next[l&1]
	}
	return st.dropping > 0
}
