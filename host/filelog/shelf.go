package filelog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quarry2d/quarry/host"
)

// Shelf is a host.Shelf in the folder of that path, which is made when it is first needed.
type Shelf string

// Shelf returns the shelf of a world: the folder "kept" beside its log.
func (f *Folder) Shelf(world string) host.Shelf { return Shelf(filepath.Join(f.path, world, "kept")) }

// path returns the path of a file.
func (s Shelf) path(name string) (string, error) {
	if err := host.CheckItem(name); err != nil {
		return "", fmt.Errorf("filelog: %w", err)
	}
	return filepath.Join(string(s), name), nil
}

// Put implements host.Shelf.
func (s Shelf) Put(_ context.Context, name string, b []byte) error {
	path, err := s.path(name)
	if err == nil {
		err = os.MkdirAll(string(s), 0o777)
	}
	if err == nil {
		err = realDisk{}.Replace(path, b)
	}
	return err
}

// Get implements host.Shelf.
func (s Shelf) Get(_ context.Context, name string) ([]byte, error) {
	path, err := s.path(name)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	return b, none(err)
}

// Drop implements host.Shelf.
func (s Shelf) Drop(_ context.Context, name string) error {
	path, err := s.path(name)
	if err != nil {
		return err
	}
	return none(os.Remove(path))
}

// none replaces the error of a file that is missing.
func none(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return host.ErrNone
	}
	return err
}

// List implements host.Shelf. A file that was not written as a whole is not in it.
func (s Shelf) List(context.Context) (list []host.Item, err error) {
	entries, err := os.ReadDir(string(s))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && e.Type().IsRegular() && !strings.HasSuffix(e.Name(), beside) {
			list = append(list, host.Item{Name: e.Name(), Bytes: info.Size(), Time: info.ModTime()})
		}
	}
	return list, err
}
