//go:build js || wasip1 || plan9

package store

import (
	"fmt"
	"runtime"
)

// openFile refuses: bbolt maps files into memory, which these systems cannot do.
func openFile(path string, _ Options) (backend, error) {
	return nil, fmt.Errorf("store: %s: files of worlds are not supported on %s", path, runtime.GOOS)
}
