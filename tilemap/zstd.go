package tilemap

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow bounds the memory window of a zstd frame: the size of a layer of MaxCells.
const maxZstdWindow = 4 * MaxCells

// newZstd returns a reader of the data in src.
func newZstd(src io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxZstdWindow), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}
