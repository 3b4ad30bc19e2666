//go:build !js

package sandbox

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// refusals logs refused and dropped connections with the reason. The log has at most refusalBurst
// lines at once and then one a second; a line gives the number of lines omitted before it.
type refusals struct {
	write func(line string) // nil logs nothing

	mu     sync.Mutex
	lines  bucket
	missed int
}

const (
	refusalRate  = 1 // lines a second
	refusalBurst = 10
)

// Write logs a line of the host.
func (r *refusals) Write(line []byte) (int, error) {
	r.tell("host", "says", strings.TrimSpace(string(line)))
	return len(line), nil
}

// tell logs a refusal; did is "refused" or "dropped".
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
		r.lines.spent-- // an omitted line costs no token
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
