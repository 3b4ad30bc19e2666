package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// peak is a slope up to a point and down again, in every lane of the scene.
type peak struct {
	foot  int32 // x of the start of the slope, on the lane's floor
	wide  int32 // width of the slope in cells
	high  int32 // height of the point above the floor in cells
	angle float64
}

const (
	peakLane  = 10 // height between lanes
	peakSpeed = 12
	peakStart = 1.5 // distance of a slider's start from the foot, in cells
)

// summits are a peak of 1:2 up and 1:1 down, and a peak of 1:1 up and vertically down.
var summits = []peak{
	{foot: 0, wide: 8, high: 4, angle: geom.Atan2(1, 2)},
	{foot: 34, wide: 4, high: 4, angle: geom.Atan2(1, 1)},
}

// peaks slides bodies over peaks. The far side of a peak of segments without ghosts pushes them
// back; a peak of tiles does not.
var peaks = Scene{
	Name: "peaks",
	Doc: "A box, a circle, a capsule and a rounded box come up slopes and over sharp peaks; the far side never " +
		"pushes them back.",
	Steps:  240,
	View:   geom.AABB{Min: geom.V(-2, -2), Max: geom.V(61, 39)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		ice := w.AddMaterial(quarry.Material{Color: 0x9fd3e6})
		slick := w.AddMaterial(quarry.Material{}) // of bodies; the renderer chooses the colour
		g := ground(w)
		fill := func(x0, y0, x1, y1 int32, s gridseg.ShapeID, turn gridseg.Turn) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: s, Turn: turn, Material: uint16(ice)}))
		}
		for i, s := range Sliders() {
			y := int32(i * peakLane)
			fill(-1, y-1, 60, y-1, gridseg.Full, 0)
			fill(60, y, 60, y+2, gridseg.Full, 0)
			fill(-1, y, -1, y+2, gridseg.Full, 0)
			for x := range int32(8) {
				fill(x, y+x/2, x, y+x/2, gridseg.SlopeLow+gridseg.ShapeID(x%2), 0)
				if x > 1 {
					fill(x, y, x, y+x/2-1, gridseg.Full, 0)
				}
			}
			for x := range int32(4) {
				fill(8+x, y+3-x, 8+x, y+3-x, gridseg.Ramp, 4)
				fill(34+x, y+x, 34+x, y+x, gridseg.Ramp, 0)
				if x > 0 {
					fill(11-x, y, 11-x, y+x-1, gridseg.Full, 0)
					fill(34+x, y, 34+x, y+x-1, gridseg.Full, 0)
				}
			}
			for _, p := range summits {
				along := geom.NewRot(p.angle)
				start := geom.V(float64(p.foot), float64(y)).MulAdd(peakStart, along.Apply(geom.V(1, 0))).
					MulAdd(s.Rest-geom.LinearSlop/2, along.Apply(geom.V(0, 1)))
				b := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: start, Angle: p.angle, Velocity: along.Apply(geom.V(peakSpeed, 0)),
				})
				w.AddShape(b, s.Shape, quarry.ShapeDef{Material: slick})
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
