package grid

import (
	"runtime"
	"syscall"
	"time"
)

// cpuTime runs f and returns the processor time that it took on this thread, on which
// other processes have little effect.
func cpuTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const thread = 1 // RUSAGE_THREAD
	var a, b syscall.Rusage
	if syscall.Getrusage(thread, &a) != nil {
		panic("no rusage")
	}
	f()
	if syscall.Getrusage(thread, &b) != nil {
		panic("no rusage")
	}
	return time.Duration(b.Utime.Nano() - a.Utime.Nano() + b.Stime.Nano() - a.Stime.Nano())
}
