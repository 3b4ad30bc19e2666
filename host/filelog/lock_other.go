//go:build !windows && (!unix || solaris || aix)

package filelog

import (
	"errors"
	"os"
)

// syncDir does nothing.
func syncDir(string) error { return nil }

// lockFile returns an error: this system has no locks of files that end with the process.
func lockFile(string) (*os.File, error) {
	return nil, errors.ErrUnsupported
}
