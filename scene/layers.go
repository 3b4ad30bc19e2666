package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	layersWide  = 24
	layersApart = 9  // height between the two copies
	layersEvery = 60 // steps between the removals of a pair of tiles
)

// layers has two copies of one terrain. Above, the ground preserves the layers 1 and 2
// against each other (gridseg.Grid.Preserve), so rock and sand keep their faces where they
// meet; below, the faces of the same tiles cancel. Bodies move alike on both.
var layers = Scene{
	Name: "layers",
	Doc: "Rock and sand of two layers: preserved above, each with its whole outline, and not below; bodies slide " +
		"and rest on both alike (show the normals).",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-2, -2), Max: geom.V(layersWide+2, 2*layersApart+1)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		rock := w.AddMaterial(quarry.Material{Friction: 0.3, Color: 0x7d7f86})
		sand := w.AddMaterial(quarry.Material{Friction: 0.3, Color: 0xc9ad77})
		var grounds [2]quarry.Ground
		for k := range grounds {
			y0 := float64((1 - k) * layersApart)
			grid := gridseg.New(nil)
			if k == 0 { // the sandbox paints on the first ground
				must(grid.Preserve(1, 2))
			}
			body := w.AddBody(quarry.BodyDef{Position: geom.V(0, y0)})
			id, err := w.AddGround(body, quarry.GroundDef{Grid: grid})
			must(err)
			grounds[k], _ = w.Ground(id)
			set := func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn) {
				t := gridseg.Tile{Shape: s, Turn: turn, Layer: 1, Material: uint16(rock)}
				if layersSand(x, y) {
					t.Layer, t.Material = 2, uint16(sand)
				}
				must(grounds[k].Set(x, y, t))
			}
			for x := range int32(layersWide) {
				for y := range int32(3) {
					set(x, y, gridseg.Full, 0)
				}
			}
			for _, x := range []int32{0, layersWide - 1} {
				for y := range int32(3) {
					set(x, 3+y, gridseg.Full, 0)
				}
			}
			must(grounds[k].Set(1, 3, gridseg.Tile{Shape: gridseg.Ramp, Turn: 3, Layer: 2, Material: uint16(sand)}))
			for i, kind := range Kinds() {
				b := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(3.5+float64(4*float64(i)), y0+3.5+float64(0.3*float64(i))),
					Velocity: geom.V(3-float64(i), 0),
				})
				w.AddShape(b, Body(kind, 0.4), quarry.ShapeDef{})
			}
		}
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			// Remove the same sand under the bodies of both copies. With preserved layers, the
			// faces of the rock below exist already.
			if step%layersEvery != layersEvery-1 {
				return
			}
			n := int32(step / layersEvery)
			x, y := 3+6*(n%3)+n/3%3, int32(2) // sand of the upper row
			for _, g := range grounds {
				if has(w, g) {
					_ = g.Clear(x, y)
				}
			}
		}}
	},
}

// layersSand reports whether a cell is sand: pockets in the rock.
func layersSand(x, y int32) bool { return (x/3+y)%2 == 1 }
