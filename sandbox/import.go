package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
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

// mapped is the ground of a map file.
type mapped struct {
	cells    int // with ground
	grid     func() (*gridseg.Grid, error)
	warnings []string
}

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
	m, err := f.fromMap(name)
	if err != nil {
		return nil, nil, err
	}
	if m.cells > maxMapCells || m.cells == 0 {
		return nil, nil, fmt.Errorf("%s: the map has %d cells of ground: it must have 1 to %d", name, m.cells,
			maxMapCells)
	}
	sc, err := scene.FromGrid(title, m.grid, 0)
	if err != nil {
		return nil, nil, err
	}
	return play.NewOf(title, sc.New().World, sc.View, maxBodies), m.warnings, nil
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

// replace makes w the present world, given its snapshot.
func (s *sim) replace(w *play.World, origin []byte) error {
	if n := w.Own(); n > maxSharedBodies && len(s.clients) > 1 {
		return fmt.Errorf("the world has %d dynamic bodies, the limit is %d while several clients are connected", n,
			maxSharedBodies)
	}
	if s.starts.client != nil || len(s.clients) == 0 {
		return errors.New("another world begins, or nobody watches; try again")
	}
	load := func() ([]byte, error) { return origin, nil }
	s.goOn(s.clients[0], Command{Command: play.Command{Do: "open"}}, load)
	return nil
}
