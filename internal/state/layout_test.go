package state

import (
	"testing"
	"unsafe"
)

// TestBodyLayout holds the size of a body, and the cache lines that the loops of a step read.
// The size is for a 64-bit machine.
func TestBodyLayout(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("pointers of 32 bits: the layout is a bound on machines of 64 bits, which games run on")
	}
	var b Body
	for _, f := range []struct {
		name     string
		at, want uintptr
	}{
		{"velocity", unsafe.Offsetof(b.Velocity), 64},
		{"force", unsafe.Offsetof(b.Force), 128},
		{"step", unsafe.Offsetof(b.Step), 192},
		{"the end", unsafe.Sizeof(b), 256},
	} {
		if f.at != f.want {
			t.Errorf("%s is at byte %d of a body, not %d", f.name, f.at, f.want)
		}
	}
}

// TestShapeLayout holds the size of a shape, and the cache lines that the loops of a step read.
func TestShapeLayout(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
	}
	var s Shape
	for _, f := range []struct {
		name     string
		at, want uintptr
	}{
		{"vertex 0", unsafe.Offsetof(s.Hull) + unsafe.Offsetof(s.Hull.V), 64},
		{"the filter", unsafe.Offsetof(s.Filter), 320},
		{"the end", unsafe.Sizeof(s), 384},
	} {
		if f.at != f.want {
			t.Errorf("%s is at byte %d of a shape, not %d", f.name, f.at, f.want)
		}
	}
}

// TestContactLayout holds the size of a contact, by which a step reads pairs of shapes that stay apart.
func TestContactLayout(t *testing.T) {
	if size := unsafe.Sizeof(Contact{}); size != 64 {
		t.Errorf("a contact has %d bytes, not 64", size)
	}
}
