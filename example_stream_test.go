package quarry_test

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// A world of 10,000 x 10,000 cells begins unloaded, as a whole. A generator makes a place when a body comes near it.
func ExampleGround_UnloadPlace() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	if _, err := ground.UnloadPlace(gridseg.Rect{MaxX: 9999, MaxY: 9999}, gridseg.UnloadedSolid); err != nil {
		fmt.Println(err)
		return
	}

	// The generator makes the tiles in a grid of its own, and takes them out as bytes.
	generate := func(place gridseg.Rect) []byte {
		maker := gridseg.New(ground.Grid().Shapes())
		_ = maker.Fill(gridseg.Rect{MinX: place.MinX, MinY: place.MinY, MaxX: place.MaxX, MaxY: place.MinY + 3},
			gridseg.Tile{Shape: gridseg.Full})
		data, _ := maker.Unload(place, gridseg.UnloadedEmpty)
		return data
	}
	place := gridseg.Rect{MinX: 4992, MinY: 4992, MaxX: 5007, MaxY: 5007} // one chunk
	_, err := ground.LoadPlace(generate(place))
	fmt.Println(err, ground.Solid(geom.V(5000, 4994)), ground.Solid(geom.V(5000, 5000)),
		ground.Solid(geom.V(5020, 5000)))

	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5000, 4998)})
	w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	_, err = ground.UnloadPlace(place, gridseg.UnloadedSolid)
	fmt.Println(errors.Is(err, quarry.ErrOccupied))
	w.RemoveBody(ball)
	data, err := ground.UnloadPlace(place, gridseg.UnloadedSolid)
	fmt.Println(len(data), "bytes", err)
	// Output:
	// <nil> true false true
	// true
	// 711 bytes <nil>
}
