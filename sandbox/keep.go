//go:build !js

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

const (
	// keepEach is the shortest time between two snapshots of the world for its file.
	keepEach = 2 * time.Second
	// keepRest is the time between two snapshots as a multiple of the time that one took.
	keepRest = 100
)

// keeper keeps the world of a sandbox in a file. The loop makes the snapshots; another goroutine writes them. The file
// is replaced at once, so an end at any time leaves the last one or the one before.
type keeper struct {
	path    string
	epoch   uint64
	change  uint64 // of the last snapshot
	due     time.Time
	writing chan error // holds the result of the last write
	failed  bool       // it has been told
}

// open returns the world of the file, or nil if there is no file. A file that cannot be read is put aside.
func (k *keeper) open(scenes []scene.Scene) (w *play.World, b []byte, err error) {
	b, err = os.ReadFile(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err == nil {
		r := restored(b, scenes)
		if err = r.err; err == nil {
			return r.World, b, nil
		}
	}
	aside := k.path + ".bad"
	if moved := os.Rename(k.path, aside); moved != nil {
		return nil, nil, fmt.Errorf("%s: %w", k.path, err)
	}
	return nil, nil, fmt.Errorf("%s: %w; it is %s now", k.path, err, aside)
}

// look makes a snapshot if one is due. With last, it also makes one if the world has changed since the last one, and
// returns when it is written. It returns an error of writing, the first one and the last one.
func (k *keeper) look(s *sim, now time.Time, last bool) error {
	if k == nil || !last && now.Before(k.due) {
		return nil
	}
	if k.writing == nil {
		k.writing = make(chan error, 1)
		k.writing <- nil
	}
	var err error
	if last {
		err = <-k.writing
	} else {
		select {
		case err = <-k.writing:
		default:
			return nil // the one before is not written yet
		}
	}
	if s.Stopped() != "" || k.epoch == s.epoch && k.change == s.Change() {
		k.writing <- err
		return nil
	}
	b, bad := s.AppendSnapshot(nil)
	if bad != nil {
		k.writing <- nil
		return bad
	}
	k.epoch, k.change = s.epoch, s.Change()
	k.due = now.Add(max(keepEach, keepRest*time.Since(now)))
	if last {
		return errors.Join(err, replaceFile(k.path, b))
	}
	go func() { k.writing <- replaceFile(k.path, b) }()
	if k.failed {
		return nil
	}
	k.failed = err != nil
	return err
}

// replaceFile replaces the content of a file at once. It makes missing folders.
func replaceFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
