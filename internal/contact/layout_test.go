package contact

import (
	"testing"
	"unsafe"
)

// TestManifoldLayout holds the sizes of manifolds: the solver reads one of two shapes as two cache lines.
func TestManifoldLayout(t *testing.T) {
	if size := unsafe.Sizeof(Manifold{}); size != 128 {
		t.Errorf("a manifold has %d bytes, not 128", size)
	}
	if size := unsafe.Sizeof(SurfaceManifold{}); size != 248 {
		t.Errorf("a manifold on a surface has %d bytes, not 248", size)
	}
}
