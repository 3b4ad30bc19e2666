package narrow_test

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/narrow"
)

// TestAside: pairs of slots, in a row and with one slot in common, have directions all around, so that their sum is
// small.
func TestAside(t *testing.T) {
	const n = 100
	all, seen := geom.Vec{}, map[geom.Vec]bool{}
	for a := range int32(n) {
		row := geom.Vec{}
		for b := range int32(n) {
			if a == b {
				continue
			}
			u := narrow.Aside(a, b)
			if l := u.Len(); l < 1-1e-12 || l > 1+1e-12 || u != narrow.Aside(a, b) {
				t.Fatalf("%d %d: %v", a, b, u)
			}
			row, all = row.Add(u), all.Add(u)
			seen[u] = true
		}
		if row.Len() > 0.35*n {
			t.Errorf("slot %d: the mean direction is %v", a, row.Mul(1.0/n))
		}
	}
	if all.Len() > 0.03*n*n || len(seen) < n*(n-1)-10 {
		t.Errorf("the mean direction is %v, and %d directions differ", all.Mul(1.0/(n*n)), len(seen))
	}
}
