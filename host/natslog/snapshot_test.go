//go:build !js

package natslog

import (
	"bytes"
	"runtime"
	"testing"
)

// The compressor keeps at most 3 MB, however long a snapshot is, and a packed snapshot is unpacked to the same bytes.
func TestCodersAreSmall(t *testing.T) {
	snapshot := bytes.Repeat([]byte("a body and its contacts, "), 1<<17)
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what pools held is gone after two
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	packed := coders().pack.EncodeAll(snapshot, nil)
	if n := heap() - before; n > 3<<20 {
		t.Errorf("it keeps %d bytes", n)
	}
	if b, err := coders().unpack.DecodeAll(packed, nil); err != nil || !bytes.Equal(b, snapshot) {
		t.Errorf("%d bytes of %d: %v", len(b), len(snapshot), err)
	}
	runtime.KeepAlive(packed)
}
