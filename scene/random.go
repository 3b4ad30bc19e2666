package scene

// random is the generator xorshift64* (S. Vigna, 2016), so that scenes do not depend on the
// standard library's generators.
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
