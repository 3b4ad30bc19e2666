//go:build js && wasm

// Command page is the page without a server with scenes of the tests instead of the registry's: the scenes of the
// same names in the tests of package sandbox.
package main

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

var pit = scene.Scene{
	Name: "pit", Doc: "A box on a floor.", View: geom.Box(geom.V(-12, -4), geom.V(12, 10)),
	Config: quarry.Config{Gravity: geom.V(0, -10)},
	Build: func(w *quarry.World) *scene.Instance {
		id, err := w.AddGround(0, quarry.GroundDef{})
		if err != nil {
			panic(err)
		}
		g, _ := w.Ground(id)
		if err := g.Fill(gridseg.Rect{MinX: -10, MinY: -2, MaxX: 9, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full}); err != nil {
			panic(err)
		}
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5)})
		w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

func main() {
	radial, _ := scene.Get("radial_match")
	sandbox.ServeWorker(sandbox.Config{Scenes: []scene.Scene{pit, radial}, Start: "pit", Paused: true})
	select {}
}
