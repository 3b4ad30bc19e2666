package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
	"github.com/quarry2d/quarry/tilemap"
)

// Limits of the files that become a world.
const (
	maxFiles     = 64
	maxFileBytes = 64 << 20 // of all files together
	maxMapCells  = 1 << 20  // with ground
)

// worldExtension is the extension of a world in a file: a snapshot of package play.
const worldExtension = ".world"

// files are files in memory, by name.
type files map[string][]byte

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	b, ok := f[name]
	if !ok {
		b, ok = f[path.Base(name)]
	}
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{bytes.NewReader(b), name, int64(len(b))}, nil
}

type memoryFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Name() string               { return path.Base(f.name) }
func (f *memoryFile) Size() int64                { return f.size }
func (f *memoryFile) Mode() fs.FileMode          { return 0o444 }
func (f *memoryFile) ModTime() time.Time         { return time.Time{} }
func (f *memoryFile) IsDir() bool                { return false }
func (f *memoryFile) Sys() any                   { return nil }

// world returns the world of the files, and warnings: of a world file, or of a map with the files that it needs. Names
// in maps lose their folders, since a browser does not tell the folders of dropped files.
func (f files) world(scenes []scene.Scene, maxBodies int) (w *play.World, warnings []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			w, err = nil, fmt.Errorf("the files make no world: %s", play.PanicText(p))
		}
	}()
	name, err := f.main()
	if err != nil {
		return nil, nil, err
	}
	title := strings.TrimSuffix(path.Base(name), path.Ext(name))
	title = title[:min(len(title), 60)]
	switch strings.ToLower(path.Ext(name)) {
	case worldExtension:
		w, err = play.Restore(f[name], func(name string) (scene.Scene, bool) { return find(scenes, name) })
		if err == nil {
			w.LeaveAll()
		}
		return w, nil, err
	case ".db":
		q, err := fromStore(f[name])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		return play.NewOf(title, q, viewOf(q), maxBodies), nil, nil
	}
	m, err := tilemap.Load(f, name, tilemap.Options{})
	if err != nil {
		return nil, nil, err
	}
	if n := len(m.Cells); n > maxMapCells || n == 0 {
		return nil, nil, fmt.Errorf("%s: the map has %d cells of ground: it must have 1 to %d", name, n, maxMapCells)
	}
	sc, err := scene.FromGrid(title, func() (*gridseg.Grid, error) { return m.Grid() }, 0)
	if err != nil {
		return nil, nil, err
	}
	return play.NewOf(title, sc.New().World, sc.View, maxBodies), m.Warnings, nil
}

// main returns the name of the file that the others belong to.
func (f files) main() (string, error) {
	names := slices.Sorted(maps.Keys(f))
	for _, kinds := range [...][]string{
		{worldExtension},
		{".db"},
		{".tmx", ".tmj", ".ldtk"},
		{".json"},
		{".png"},
	} {
		var found []string
		for _, name := range names {
			if slices.Contains(kinds, strings.ToLower(path.Ext(name))) {
				found = append(found, name)
			}
		}
		if len(found) > 1 {
			return "", fmt.Errorf("%d worlds at once: %.60s and %.60s", len(found), found[0], found[1])
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return "", errors.New("no world: drop a .world, .tmx, .tmj, .ldtk, .png or .db file, with the files that it names")
}

// viewOf returns the box of all grounds and bodies of q, with a margin.
func viewOf(q *quarry.World) geom.AABB {
	box := q.Bounds()
	if box == geom.Empty || !(box.Max.X-box.Min.X < play.MaxCoordinate && box.Max.Y-box.Min.Y < play.MaxCoordinate) {
		return geom.AABB{Min: geom.V(-10, -10), Max: geom.V(10, 10)}
	}
	return box.Expand(2)
}
