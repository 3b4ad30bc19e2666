package tilemap_test

import (
	"fmt"
	"slices"
	"testing/fstest"

	"github.com/quarry2d/quarry/tilemap"
)

// An LDtk project says no more of a cell than its IntGrid value: the game gives the values their meaning.
func ExampleLoad() {
	const (
		stone = iota + 1
		water
		slope // up to the right
	)
	project := `{"jsonVersion": "1.5.3", "worldLayout": "Free", "levels": [
		{"identifier": "Cave", "worldX": 0, "worldY": -48, "pxWid": 64, "pxHei": 48, "layerInstances": [
			{"__identifier": "Collisions", "__type": "IntGrid", "__cWid": 4, "__cHei": 3, "__gridSize": 16, "visible": true,
				"intGridCsv": [0,0,0,1, 0,0,3,1, 1,2,1,1]}]}]}`
	m, err := tilemap.Load(fstest.MapFS{"world.ldtk": {Data: []byte(project)}}, "world.ldtk", tilemap.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Cells = slices.DeleteFunc(m.Cells, func(c tilemap.Cell) bool { return c.User == water })
	slopes := uint16(len(m.Shapes))
	m.Shapes = append(m.Shapes, tilemap.Shape{Name: "slope", Polygons: [][][2]float64{{{0, 0}, {1, 0}, {1, 1}}}})
	for i := range m.Cells {
		if m.Cells[i].User == slope {
			m.Cells[i].Shape = slopes
		}
	}
	grid, err := m.Grid()
	if err != nil {
		fmt.Println(err)
		return
	}
	tiles, _ := grid.Count()
	fmt.Println("tiles:", tiles)
	fmt.Println("under the slope:", grid.Solid(2.5, 1.4), "above it:", grid.Solid(2.5, 1.6), "water:",
		grid.Solid(1.5, 0.5))
	// Output:
	// tiles: 6
	// under the slope: true above it: false water: false
}
