//go:build !js

package sandbox

import "github.com/quarry2d/quarry/tilemap"

// fromMap returns the ground of the map name, which may need the other files.
func (f files) fromMap(name string) (mapped, error) {
	m, err := tilemap.Load(tilemap.Files(f), name, tilemap.Options{})
	if err != nil {
		return mapped{}, err
	}
	return mapped{len(m.Cells), m.Grid, m.Warnings}, nil
}
