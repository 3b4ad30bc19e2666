//go:build !unix

package main

import "time"

// timed names the kind of time that clock returns.
const timed = "wall time"

var started = time.Now()

// clock returns the time that has passed: this system does not tell the processor time.
func clock() time.Duration { return time.Since(started) }
