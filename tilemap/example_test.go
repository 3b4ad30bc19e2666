package tilemap_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/tilemap"
)

// A Tiled map becomes the ground of a world.
func ExampleLoadFile() {
	m, err := tilemap.LoadFile("testdata/hills.tmx", tilemap.Options{Layers: []string{"level/ground"}})
	if err != nil {
		fmt.Println(err) // names the file, the place in it and the fault
		return
	}
	for _, w := range m.Warnings {
		fmt.Println("warning:", w)
	}
	fmt.Printf("%s: %d x %d cells, %d of them ground, of %d shapes\n", m.Name, m.Width, m.Height, len(m.Cells),
		len(m.Shapes))

	grid, err := m.Grid()
	if err != nil {
		fmt.Println(err) // never of a map as it was loaded
		return
	}
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{Grid: grid}) // tile materials: see GroundDef.Materials
	ground, _ := w.Ground(id)
	fmt.Println("solid at (30, 1):", ground.Solid(geom.V(30, 1)))
	// Output:
	// hills: 64 x 28 cells, 702 of them ground, of 4 shapes
	// solid at (30, 1): true
}
