package scene

// random is a small generator of its own (xorshift64*: S. Vigna, 2016), so that
// scenes do not depend on how the standard library draws.
type random uint64

func (r *random) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	return x * 0x2545f4914f6cdd1d
}

// between returns a number in [lo, hi).
func (r *random) between(lo, hi float64) float64 {
	return lo + float64((hi-lo)*float64(float64(r.next()>>11)/(1<<53)))
}
