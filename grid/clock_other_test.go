//go:build !linux

package grid

import "time"

// cpuTime runs f and returns the time that it took.
func cpuTime(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
