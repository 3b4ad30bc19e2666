package filelog

import (
	"os"
	"syscall"
)

// syncDir does nothing: a folder of Windows cannot be flushed, and its file system keeps a journal of its entries.
func syncDir(string) error { return nil }

// lockFile opens a file that no other process can open until this one closes it, or ends.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
