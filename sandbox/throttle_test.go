//go:build !js

package sandbox

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// Frames are counted however the bytes are cut, of each length and with or without a mask.
func TestFramesAreCounted(t *testing.T) {
	var stream []byte
	want := 0
	for _, n := range []int{0, 1, 125, 126, 127, 65535, 65536, 3} {
		for _, mask := range []byte{0, 0x80} {
			stream = append(stream, 0x81)
			switch {
			case n < 126:
				stream = append(stream, mask|byte(n))
			case n < 65536:
				stream = binary.BigEndian.AppendUint16(append(stream, mask|126), uint16(n))
			default:
				stream = binary.BigEndian.AppendUint64(append(stream, mask|127), uint64(n))
			}
			if mask != 0 {
				n += 4
			}
			for range n {
				stream = append(stream, 0x81)
			}
			if mask != 0 {
				n -= 4
			}
			want++
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var f frames
		got := 0
		for rest := stream; len(rest) > 0; {
			n := min(1+rng.IntN(300), len(rest))
			got += f.count(rest[:n])
			rest = rest[n:]
		}
		if got != want {
			t.Fatalf("%d frames, want %d", got, want)
		}
	}
}
