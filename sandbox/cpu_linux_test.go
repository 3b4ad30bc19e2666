package sandbox

import (
	"runtime"
	"testing"
	"time"
)

// A stopwatch measures the work between its two readings, and no work before. (A command of microseconds was counted as
// up to 4 ms, the time of the step before it, and its client then waited for its next answer for up to 14 ticks.)
func TestProcessorTimeIsExact(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	most := time.Duration(0)
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		wall, cpu := time.Now(), processorTime()
		for time.Since(wall) < 50*time.Microsecond { // work
		}
		used := processorTime() - cpu
		if used == 0 {
			t.Fatal("50 us of work took no processor time")
		}
		most = max(most, used-time.Since(wall))
	}
	if most > 500*time.Microsecond {
		t.Errorf("work took %v more processor time than time", most)
	}
}
