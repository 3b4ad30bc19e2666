//go:build !unix

package sandbox

import "time"

// processorTime returns the processor time that this process has used, or 0 if it is not known.
func processorTime() time.Duration { return 0 }
