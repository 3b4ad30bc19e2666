//go:build !linux

package team

import "runtime"

// yield lets other goroutines run.
func yield() { runtime.Gosched() }
