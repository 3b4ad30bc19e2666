package gridseg

import (
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestClasses checks that classes order directions as the turns of the radial match do
// wherever no two of them share an odd class.
func TestClasses(t *testing.T) {
	type direction struct {
		vec
		class int
	}
	var all []direction
	for y := -3; y <= 3; y++ {
		for x := -3; x <= 3; x++ {
			if x != 0 || y != 0 {
				d := cornerStub{x: int16(x), y: int16(y)}
				all = append(all, direction{vec{X: int64(x), Y: int64(y)}, int(d.class())})
			}
		}
	}
	share := func(a, b direction) bool { return a.class == b.class && a.class&1 != 0 }
	// turn is how far it is clockwise, 1 to 16.
	turn := func(from, to direction) int { return (from.class-to.class+15)&15 + 1 }
	for _, from := range all {
		for _, p := range all {
			for _, q := range all {
				if share(from, p) || share(from, q) || share(p, q) {
					continue
				}
				if got, want := turn(from, p) < turn(from, q), lattice.Nearer(from.vec, p.vec, q.vec, -1); got != want {
					t.Fatalf("from %v, is %v before %v: %v", from, p, q, got)
				}
			}
		}
	}
}
