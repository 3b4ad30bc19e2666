//go:build quarrypage

package tilemap

import (
	"errors"
	"fmt"
	"io"
)

// newZstd refuses: the program of a page without a server leaves zstd out, a twentieth of its size.
func newZstd(io.Reader) (io.ReadCloser, error) {
	return nil, fmt.Errorf("%w: zstd in a page without a server: save the map with zlib", errors.ErrUnsupported)
}
