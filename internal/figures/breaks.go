package main

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/render"
)

// breakPictures draws the pictures of docs/living-ground, of a shelf that is cut off a cliff.
func breakPictures(t *report) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	earth := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0xb08a5a})
	grid := gridseg.New(nil)
	for _, r := range []gridseg.Rect{
		{MinX: -8, MinY: -3, MaxX: 8, MaxY: -1},
		{MinX: -8, MinY: 0, MaxX: -3, MaxY: 5},
		{MinX: -2, MinY: 3, MaxX: 4, MaxY: 5},
	} {
		if err := grid.Fill(r, gridseg.Tile{Shape: gridseg.Full, Material: uint16(earth)}); err != nil {
			t.Fatal(err)
		}
	}
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid, Breaks: true, Anchors: []gridseg.Rect{{
		MinX: -8, MinY: -3,
		MaxX: 8, MaxY: -3,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	dig := func(x0, y0, x1, y1 float64) {
		if err := g.Dig(geom.V(x0, y0), geom.V(x1, y1), 0.3); err != nil {
			t.Fatal(err)
		}
	}
	parts := 0
	step := func(n int) {
		for range n {
			w.Step(1.0 / 60)
			parts += len(w.Breaks())
		}
	}
	for k, frame := range []func(){
		func() {},
		func() { dig(-1.5, 6.5, -1, 3.8); step(20) }, // holds by a neck
		func() { dig(-1, 3.8, -0.8, 2.5); step(1) },  // comes off
		func() { step(40) },
		func() { step(100) },
	} {
		frame()
		if want := map[int]int{2: 1, 3: 1, 4: 1}[k]; parts != want {
			t.Errorf("frame %d: %d parts came off, want %d", k, parts, want)
		}
		t.show("docs/living-ground.md", fmt.Sprintf("docs/living-ground/break-%d.svg", k+1), t.svg(w, render.Options{
			View: view(-6, -2, 8, 7), Width: 280, Height: 180, Light: true,
			Draw: quarry.DrawShapes | quarry.DrawCenters,
		}))
	}
}
