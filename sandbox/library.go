//go:build !js

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/render"
	"github.com/quarry2d/quarry/scene"
)

// Limits of a library.
const (
	maxWorlds     = 100
	maxWorldBytes = 64 << 20         // of one world
	shelfTime     = 10 * time.Second // of one access
)

// pictureWidth and pictureHeight are the size of a picture of a world, in pixels.
const pictureWidth, pictureHeight = 320, 180

// library has worlds by name, each a file of a shelf, with a picture beside it. Its methods may be called on any
// goroutine.
type library struct {
	shelf  host.Shelf
	scenes []scene.Scene
	rev    atomic.Int64 // grows with each change
	busy   atomic.Bool  // a world is being written or removed
	call   func(context.Context, func(*sim)) error
}

// pictureExtension is the extension of the picture of a world.
const pictureExtension = ".png"

// kept is a world in the list of a library.
type kept struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Saved int64  `json:"saved"` // the time, in seconds since 1970
}

// access calls f with a context for one access.
func access(f func(ctx context.Context) error) error {
	ctx, stop := context.WithTimeout(context.Background(), shelfTime)
	defer stop()
	return f(ctx)
}

// list returns the worlds by name.
func (l *library) list() (list []kept, err error) {
	list = []kept{}
	err = access(func(ctx context.Context) error {
		items, err := l.shelf.List(ctx)
		for _, i := range items {
			if name, ok := strings.CutSuffix(i.Name, worldExtension); ok {
				list = append(list, kept{name, i.Bytes, i.Time.Unix()})
			}
		}
		return err
	})
	return list, err
}

// get returns the snapshot of a world.
func (l *library) get(name string) (b []byte, err error) { return l.file(name, worldExtension) }

// file returns the snapshot of a world, or its picture.
func (l *library) file(name, extension string) (b []byte, err error) {
	err = access(func(ctx context.Context) error {
		b, err = l.shelf.Get(ctx, name+extension)
		return err
	})
	return b, noWorld(name, err)
}

// noWorld replaces the error of a world that is missing.
func noWorld(name string, err error) error {
	if errors.Is(err, host.ErrNone) {
		return fmt.Errorf("there is no world %q", name)
	}
	return err
}

// begin begins to write or remove a world by f, on another goroutine. doing is the command of c.
func (l *library) begin(c *client, doing string, f func() error) error {
	if !l.busy.CompareAndSwap(false, true) {
		return fmt.Errorf("%s: another world is being kept or removed; try again", doing)
	}
	go func() {
		err := f()
		if l.busy.Store(false); err != nil {
			err = fmt.Errorf("%s: %w", doing, err)
			_ = l.call(context.Background(), func(*sim) { c.complain(err) }) // unless the world has ended
		}
	}()
	return nil
}

// put writes a world and its picture.
func (l *library) put(name string, b []byte) error {
	if len(b) > maxWorldBytes {
		return fmt.Errorf("the world has %d bytes, the limit is %d", len(b), maxWorldBytes)
	}
	list, err := l.list()
	if err != nil {
		return err
	}
	there := slices.ContainsFunc(list, func(k kept) bool { return k.Name == name })
	if !there && len(list) >= maxWorlds {
		return fmt.Errorf("%d worlds are kept, the limit; forget one", len(list))
	}
	picture, err := pictureOf(b, l.scenes)
	if err != nil {
		return err
	}
	return l.change(func(ctx context.Context) error {
		if err := l.shelf.Put(ctx, name+pictureExtension, picture); err != nil {
			return err
		}
		return l.shelf.Put(ctx, name+worldExtension, b)
	})
}

// remove removes a world.
func (l *library) remove(name string) error {
	return noWorld(name, l.change(func(ctx context.Context) error {
		_ = l.shelf.Drop(ctx, name+pictureExtension) // there may be none
		return l.shelf.Drop(ctx, name+worldExtension)
	}))
}

// change changes the shelf by f.
func (l *library) change(f func(ctx context.Context) error) error {
	err := access(f)
	if err == nil {
		l.rev.Add(1)
	}
	return err
}

// pictureOf returns a PNG of the world of a snapshot.
func pictureOf(b []byte, scenes []scene.Scene) ([]byte, error) {
	w, err := play.Restore(b, func(name string) (scene.Scene, bool) { return find(scenes, name) })
	if err != nil {
		return nil, err
	}
	return picture(w, w.Scene().View)
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
