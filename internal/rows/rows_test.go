package rows

import (
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/solve"
)

// TestManifoldIsTheSolvers: Fill gives the solver pointers to manifolds as solve.Manifold, so both have one layout.
func TestManifoldIsTheSolvers(t *testing.T) {
	var m contact.Manifold
	var s solve.Manifold
	var p contact.Point
	var q solve.ManifoldPoint
	for _, x := range []struct {
		name       string
		ours, want uintptr
	}{
		{"manifold", unsafe.Sizeof(m), unsafe.Sizeof(s)},
		{"normal", unsafe.Offsetof(m.Normal), unsafe.Offsetof(s.NX)},
		{"points", unsafe.Offsetof(m.Points), unsafe.Offsetof(s.Points)},
		{"point", unsafe.Sizeof(p), unsafe.Sizeof(q)},
		{"anchor A", unsafe.Offsetof(p.AnchorA), unsafe.Offsetof(q.AX)},
		{"anchor B", unsafe.Offsetof(p.AnchorB), unsafe.Offsetof(q.BX)},
		{"separation", unsafe.Offsetof(p.Separation), unsafe.Offsetof(q.Separation)},
		{"normal impulse", unsafe.Offsetof(p.NormalImpulse), unsafe.Offsetof(q.Normal)},
		{"rolling", unsafe.Offsetof(m.RollImpulse), unsafe.Offsetof(s.Roll)},
		{"tangent impulse", unsafe.Offsetof(p.TangentImpulse), unsafe.Offsetof(q.Tangent)},
	} {
		if x.ours != x.want {
			t.Errorf("%s: %d in package contact, %d in package solve", x.name, x.ours, x.want)
		}
	}
}
