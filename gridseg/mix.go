package gridseg

// mix spreads every bit of x over the whole word; it is a bijection.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>32) * 0xD6E8FEB86659FD93
	x = (x ^ x>>29) * 0xA0761D6478BD642F
	return x ^ x>>32
}
