//go:build !unix

package main

import "time"

// timed is what a clock measures.
const timed = "wall time"

var started = time.Now()

// clock returns the time that has passed: this system does not tell the processor time.
func clock() time.Duration { return time.Since(started) }
