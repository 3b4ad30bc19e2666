package team

import (
	"runtime"
	"syscall"
)

// yield lets other goroutines and other threads run. Where threads share a core, those that poll would
// otherwise use up the time that others need to finish what they have claimed.
func yield() {
	runtime.Gosched()
	_, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) // it cannot fail
}
