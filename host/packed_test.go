//go:build !js

package host

import "testing"

// TestPackTooLarge: a world that a host could not unpack is refused before it is in the log.
func TestPackTooLarge(t *testing.T) {
	if _, err := Pack(make([]byte, maxUnpacked+1)); err == nil {
		t.Error("a world that is too large is packed")
	}
}
