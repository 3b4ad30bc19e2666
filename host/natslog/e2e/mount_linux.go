package main

import (
	"fmt"
	"syscall"
)

// mountMemory mounts a file system in memory.
func mountMemory(dir string, bytes int) error {
	if err := syscall.Mount("quarry-e2e", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	return nil
}

func unmount(dir string) { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }
