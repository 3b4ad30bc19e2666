package sandbox

import (
	"errors"
	"syscall/js"

	"github.com/quarry2d/quarry/gridseg"
)

// fromMap returns the ground of the map name, which may need the other files. The readers of maps are a program of
// their own, sandbox/maps, which few visitors need; the Worker's script loads it before it opens a map.
func (f files) fromMap(name string) (mapped, error) {
	read := js.Global().Get("quarryMap")
	if !read.Truthy() {
		return mapped{}, errors.New("the program that reads maps is not there")
	}
	contents := map[string]any{}
	for name, b := range f {
		contents[name] = bytesToJS(b)
	}
	m := read.Invoke(contents, name)
	if text := m.Get("error"); text.Truthy() {
		return mapped{}, errors.New(text.String())
	}
	cells := m.Get("cells").Int()
	if cells > maxMapCells {
		return mapped{cells: cells}, nil // the caller refuses it, and there is no grid
	}
	shapes, tiles := bytesOf(m.Get("shapes")), bytesOf(m.Get("tiles"))
	grid := func() (*gridseg.Grid, error) {
		s, err := gridseg.ReadShapes(shapes)
		if err != nil {
			return nil, err
		}
		return gridseg.ReadGrid(tiles, s)
	}
	var warnings []string
	for i, list := 0, m.Get("warnings"); i < list.Length(); i++ {
		warnings = append(warnings, list.Index(i).String())
	}
	return mapped{cells, grid, warnings}, nil
}
