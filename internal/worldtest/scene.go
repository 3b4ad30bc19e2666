package worldtest

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// Pit is a floor of tiles, 20 wide, on which a box rests.
var Pit = scene.Scene{
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

// Bare is a world with nothing in it.
var Bare = scene.Scene{
	Name: "bare", Doc: "Nothing.", View: geom.Box(geom.V(-10, -10), geom.V(10, 10)),
	Config: quarry.Config{Gravity: geom.V(0, -10)},
	Build:  func(w *quarry.World) *scene.Instance { return &scene.Instance{World: w, DT: 1.0 / 60} },
}
