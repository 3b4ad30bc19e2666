package gridseg

import "math/bits"

// int128 is an integer of 128 bits, modulo 2^128.
type int128 struct{ high, low uint64 }

func wide(x int64) int128 { return int128{uint64(x >> 63), uint64(x)} }

func (a int128) add(b int128) int128 {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, _ := bits.Add64(a.high, b.high, carry)
	return int128{high, low}
}

func (a int128) sub(b int128) int128 {
	low, borrow := bits.Sub64(a.low, b.low, 0)
	high, _ := bits.Sub64(a.high, b.high, borrow)
	return int128{high, low}
}

func (a int128) mul(b int128) int128 {
	high, low := bits.Mul64(a.low, b.low)
	return int128{high + a.low*b.high + a.high*b.low, low}
}

// float returns a as a float64, to within one part in 2^52.
func (a int128) float() float64 {
	if int64(a.high) < 0 {
		return -int128{}.sub(a).float()
	}
	return float64(float64(a.high)*(1<<64)) + float64(a.low)
}
