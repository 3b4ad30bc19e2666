//go:build !js

package host

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
)

// maxUnpacked bounds the length of a snapshot that Pack is given.
const maxUnpacked = 128 << 20

// Pack compresses a snapshot of play.World.AppendSnapshot, for Input.World. It takes a millisecond for 60 bodies, and
// 130 for 8,000: call it beside the steps.
func Pack(snapshot []byte) ([]byte, error) {
	if len(snapshot) > maxUnpacked {
		return nil, fmt.Errorf("the world has %d bytes, the limit is %d", len(snapshot), maxUnpacked)
	}
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		_, err = z.Write(snapshot)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil && b.Len() > MaxWorld {
		err = fmt.Errorf("the world has %d bytes compressed, the limit is %d", b.Len(), MaxWorld)
	}
	return b.Bytes(), err
}

// unpacked returns the snapshot that Pack was given.
func unpacked(b []byte) ([]byte, error) {
	snapshot, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxUnpacked+1))
	if err == nil && len(snapshot) > maxUnpacked {
		err = fmt.Errorf("it has more than %d bytes", maxUnpacked)
	}
	return snapshot, err
}
