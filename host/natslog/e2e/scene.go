package main

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/scene"
)

// sceneName is the name of the scene of all worlds.
const sceneName = "e2e"

// finder returns a finder of the scene: bodies over 700 tiles.
func finder(bodies int) host.Finder {
	sc := scene.Scene{
		Name: sceneName, Doc: "Bodies over ground.", View: geom.Box(geom.V(-40, -10), geom.V(40, 30)),
		Config: quarry.Config{Gravity: geom.V(0, -10), Workers: 1},
		Build:  func(w *quarry.World) *scene.Instance { return build(w, bodies) },
	}
	return func(name string) (scene.Scene, bool) { return sc, name == sceneName }
}

func build(w *quarry.World, bodies int) *scene.Instance {
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		panic(err)
	}
	g, _ := w.Ground(id)
	for _, r := range []gridseg.Rect{
		{MinX: -35, MinY: -8, MaxX: 34, MaxY: 0}, {MinX: -36, MinY: -8, MaxX: -36, MaxY: 12}, {
			MinX: 35, MinY: -8,
			MaxX: 35, MaxY: 12,
		},
	} {
		if err := g.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			panic(err)
		}
	}
	for i := range bodies {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(i%20)*3-30, 3+float64(i/20)*2)})
		if i%2 == 0 {
			w.AddShape(b, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
		} else {
			w.AddShape(b, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
		}
	}
	return &scene.Instance{World: w, DT: 1.0 / 60}
}
