package quarry

// dropState is how far a shape is in dropping through what it stands on.
type dropState uint8

const (
	notDropping dropState = iota
	toDrop                // asked for since the last step
	dropping              // until it is clear of what it stood on
)

// DropThrough lets the body fall through the one-way tiles that it touches now,
// until it is clear of them, and through any others that it meets in the next
// seconds of its waking time: 0 for none, an infinity for good. It takes the
// place of the time set before, and wakes the body with its island. It panics
// when seconds is negative or NaN.
func (b Body) DropThrough(seconds float64) {
	if !(seconds >= 0) {
		panic(outOfRange("DropThrough", "seconds", seconds, "at least 0"))
	}
	st := b.change()
	st.dropping = seconds
	if b.w.oneWayMaterials == 0 {
		return
	}
	for l := st.firstContact; l >= 0; {
		c := &b.w.contacts.items[l>>1]
		if c.ground >= 0 && l&1 == 1 {
			c.drop = toDrop
		}
		l = c.next[l&1]
	}
}

// Dropping reports whether a DropThrough of the body is still going on.
func (b Body) Dropping() bool {
	st := b.get()
	for l := st.firstContact; l >= 0; {
		c := &b.w.contacts.items[l>>1]
		if c.drop != notDropping && l&1 == 1 {
			return true
		}
		l = c.next[l&1]
	}
	return st.dropping > 0
}
