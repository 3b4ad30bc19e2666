package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Slider is a sliding body of the scene seam_run.
type Slider struct {
	Name  string
	Shape geom.Shape
	Rest  float64 // height of its origin above the ground at rest, in cells
}

// Sliders returns the bodies of seam_run, about a cell in size: a box, a
// circle, a capsule lying down and a rounded box.
func Sliders() []Slider {
	return []Slider{
		{"box", geom.NewBox(0.5, 0.5), 0.5},
		{"circle", geom.Circle{Radius: 0.5}, 0.5},
		{"capsule", geom.Capsule{A: geom.V(-0.3, 0), B: geom.V(0.3, 0), Radius: 0.3}, 0.3},
		{"rounded box", geom.NewRoundedBox(0.35, 0.35, 0.15), 0.5},
	}
}

const (
	seamCells = 200 // length of a lane
	seamLane  = 4   // height between lanes
	seamSpeed = 10
)

// seamRun shows law 1 of contact: bodies do not trip over seams.
var seamRun = Scene{
	Name:   "seam_run",
	Doc:    "A box, a circle, a capsule and a rounded box slide without friction over 200 single tiles each.",
	Steps:  1140,
	View:   geom.AABB{Min: geom.V(-2, -6), Max: geom.V(seamCells+2, 18)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		ice := w.AddMaterial(quarry.Material{Color: 0x9fd3e6})
		g := ground(w)
		for i, s := range Sliders() {
			y := int32(i * seamLane)
			for x := range int32(seamCells) { // one Set for each tile
				must(g.Set(x, y-1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}))
			}
			b := put(w, geom.V(1.5, float64(y)+s.Rest), s.Shape, ice)
			v, _ := w.Body(b)
			v.SetVelocity(geom.V(seamSpeed, 0))
		}
		return &Instance{World: w, DT: dt}
	},
}
