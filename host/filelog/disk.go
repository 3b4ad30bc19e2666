package filelog

import (
	"io"
	"os"
	"path/filepath"
)

// disk is the part of a file system that a Folder needs. Tests have one that fails and crashes.
type disk interface {
	MakeDir(path string) error
	// Open opens a file that exists, to read and write.
	Open(path string) (file, error)
	// Replace writes a file at once: after a crash it has the old content or the new one.
	Replace(path string, b []byte) error
	Read(path string) ([]byte, error)
	Remove(path string) error
	List(dir string) (names []string, err error)
	// SyncDir makes the entries of a folder safe.
	SyncDir(path string) error
}

// file is an open file.
type file interface {
	ReadAll() ([]byte, error)
	// ReadAt reads all of b.
	ReadAt(b []byte, at int64) error
	WriteAt(b []byte, at int64) error
	Sync() error
	Truncate(size int64) error
	Close() error
}

// beside ends the name of a file that is being written, until it replaces another.
const beside = ".new"

// realDisk is the file system.
type realDisk struct{}

// MakeDir makes a folder in a folder that exists.
func (realDisk) MakeDir(path string) error {
	if err := os.Mkdir(path, 0o777); err != nil && !os.IsExist(err) {
		return err
	}
	return nil
}

// Open opens a file.
func (realDisk) Open(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return realFile{f}, nil
}

// Replace writes a file beside, and renames it.
func (realDisk) Replace(path string, b []byte) error {
	next := path + beside
	f, err := os.Create(next)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		os.Remove(next)
		return err
	}
	return syncDir(filepath.Dir(path))
}

func (realDisk) Read(path string) ([]byte, error) { return os.ReadFile(path) }

func (realDisk) Remove(path string) error { return os.Remove(path) }

// List returns the names in a folder.
func (realDisk) List(dir string) (names []string, err error) {
	list, err := os.ReadDir(dir)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names, err
}

func (realDisk) SyncDir(path string) error { return syncDir(path) }

// realFile is a file of the file system.
type realFile struct{ f *os.File }

func (r realFile) ReadAll() ([]byte, error) {
	i, err := r.f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, i.Size())
	return b, r.ReadAt(b, 0)
}

func (r realFile) ReadAt(b []byte, at int64) error {
	n, err := r.f.ReadAt(b, at)
	if n == len(b) || err == nil {
		return nil
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r realFile) WriteAt(b []byte, at int64) error {
	_, err := r.f.WriteAt(b, at)
	return err
}

func (r realFile) Sync() error               { return r.f.Sync() }
func (r realFile) Truncate(size int64) error { return r.f.Truncate(size) }
func (r realFile) Close() error              { return r.f.Close() }
