package sandbox

import (
	"fmt"
	"sync"
	"time"
)

// refusals logs which connections were refused or cut off, and why. The log has at most
// refusalBurst lines at once and then one a second, however many refusals there are; a line
// tells how many before it were left out.
type refusals struct {
	write func(line string) // nil: nothing is written

	mu     sync.Mutex
	lines  bucket
	missed int
}

const (
	refusalRate  = 1 // lines a second
	refusalBurst = 10
)

// tell logs a refusal: did is "refused" or "cut off".
func (r *refusals) tell(who, did, why string) {
	if r.write == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lines.rate == 0 {
		r.lines = bucket{rate: refusalRate, burst: refusalBurst}
	}
	now := time.Now()
	if r.lines.take(1, now) > 0 {
		r.lines.spent-- // it is not written, and costs nothing
		r.missed++
		return
	}
	line := fmt.Sprintf("%s %s: %.200s", who, did, why)
	if r.missed > 0 {
		line += fmt.Sprintf(" (and %d more)", r.missed)
		r.missed = 0
	}
	r.write(line)
}
