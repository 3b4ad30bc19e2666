package worldtest

import (
	"os"
	"strconv"
	"sync"
)

// Random is a small generator whose value is its seed (splitmix: G. Steele and others,
// 2014). The same seed gives the same numbers on every machine, unless QUARRY_DRAWS, a number, is added to all seeds:
// then tests draw other cases; see .ci/soak.
type Random uint64

// draws is read when a test runs: go test then knows that the result depends on it.
var draws = sync.OnceValue(func() uint64 {
	text := os.Getenv("QUARRY_DRAWS")
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil && text != "" {
		panic("QUARRY_DRAWS: " + err.Error())
	}
	return n
})

// Next returns 64 random bits.
func (r *Random) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r) + draws()
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float returns a number in [lo, hi).
func (r *Random) Float(lo, hi float64) float64 {
	return lo + (hi-lo)*float64(r.Next()>>11)/(1<<53)
}
