//go:build !js

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/render"
	"github.com/quarry2d/quarry/scene"
)

// Limits of a library.
const (
	maxWorlds     = 100
	maxWorldBytes = 64 << 20 // of one world
)

// pictureWidth and pictureHeight are the size of a picture of a world, in pixels.
const pictureWidth, pictureHeight = 320, 180

// library has worlds by name, each a file of a folder, with a picture beside it. Its methods may be called on any
// goroutine.
type library struct {
	dir    string
	scenes []scene.Scene
	rev    atomic.Int64 // grows with each change

	mu   sync.Mutex
	busy bool // a world is being written
	told []told
}

// told is the result of begin, for its client.
type told struct {
	c   *client
	err error
}

// kept is a world in the list of a library.
type kept struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Saved int64  `json:"saved"` // the time, in seconds since 1970
}

func (l *library) file(name, extension string) string { return filepath.Join(l.dir, name+extension) }

// list returns the worlds by name.
func (l *library) list() []kept {
	list := []kept{}
	entries, _ := os.ReadDir(l.dir) // no folder has no worlds
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), worldExtension)
		info, err := e.Info()
		if ok && err == nil && e.Type().IsRegular() {
			list = append(list, kept{name, info.Size(), info.ModTime().Unix()})
		}
	}
	return list
}

// get returns the snapshot of a world.
func (l *library) get(name string) ([]byte, error) {
	b, err := os.ReadFile(l.file(name, worldExtension))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no world %q", name)
	}
	return b, err
}

// begin begins to write the snapshot b, and a picture of it, on another goroutine.
func (l *library) begin(c *client, name string, b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy {
		return errors.New("another world is being kept; try again")
	}
	if len(b) > maxWorldBytes {
		return fmt.Errorf("the world has %d bytes, the limit is %d", len(b), maxWorldBytes)
	}
	l.busy = true
	go func() {
		err := l.put(name, b)
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.busy = false; err != nil {
			l.told = append(l.told, told{c, fmt.Errorf("keep: %w", err)})
		}
	}()
	return nil
}

// results passes the errors of worlds that could not be written to their clients. The loop calls it.
func (l *library) results() {
	if l == nil || !l.mu.TryLock() {
		return
	}
	defer l.mu.Unlock()
	for _, t := range l.told {
		t.c.complain(t.err)
	}
	l.told = nil
}

// put writes a world and its picture.
func (l *library) put(name string, b []byte) error {
	list := l.list()
	if _, err := os.Stat(l.file(name, worldExtension)); err != nil && len(list) >= maxWorlds {
		return fmt.Errorf("%d worlds are kept, the limit; forget one", len(list))
	}
	picture, err := pictureOf(b, l.scenes)
	if err != nil {
		return err
	}
	if err := replaceFile(l.file(name, ".png"), picture); err != nil {
		return err
	}
	if err := replaceFile(l.file(name, worldExtension), b); err != nil {
		return err
	}
	l.rev.Add(1)
	return nil
}

// remove removes a world.
func (l *library) remove(name string) error {
	if err := os.Remove(l.file(name, worldExtension)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no world %q", name)
		}
		return err
	}
	l.rev.Add(1)
	_ = os.Remove(l.file(name, ".png")) // there may be none
	return nil
}

// pictureOf returns a PNG of the world of a snapshot.
func pictureOf(b []byte, scenes []scene.Scene) ([]byte, error) {
	r := restored(b, scenes)
	if r.err != nil {
		return nil, r.err
	}
	return picture(r.World, r.Scene().View)
}

// picture returns a PNG of a part of a world.
func picture(w *play.World, view geom.AABB) (b []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no picture: %s", play.PanicText(p))
		}
	}()
	var out bytes.Buffer
	err = render.WritePNG(&out, w.Engine(), render.Options{View: view, Width: pictureWidth, Height: pictureHeight})
	return out.Bytes(), err
}
