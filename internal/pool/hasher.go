package pool

import "math"

// Hasher folds 64-bit words into a sum, each by a multiplication and shifts that spread every bit
// (the finaliser of splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", 2014). The zero value is ready for use; its value is the sum.
type Hasher uint64

// Word adds x.
func (h *Hasher) Word(x uint64) {
	z := uint64(*h) ^ x
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	*h = Hasher(z ^ z>>31)
}

// Words adds each x.
func (h *Hasher) Words(xs ...uint64) {
	for _, x := range xs {
		h.Word(x)
	}
}

// Float adds the bits of x.
func (h *Hasher) Float(x float64) { h.Word(math.Float64bits(x)) }

// Rare adds x, and the name of its property, unless x is 0: worlds without the property keep their sums.
func (h *Hasher) Rare(name rune, x uint64) {
	if x != 0 {
		h.Words(uint64(name), x)
	}
}

// Flag adds 1 or 0.
func (h *Hasher) Flag(on bool) {
	if on {
		h.Word(1)
	} else {
		h.Word(0)
	}
}

// Floats adds the bits of each x.
func (h *Hasher) Floats(xs ...float64) {
	for _, x := range xs {
		h.Float(x)
	}
}
