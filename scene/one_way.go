package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	wayWide  = 40
	wayEvery = 90 // steps between jumps
)

// oneWay has one-way platforms (flush with solid ground and walls, stacked, sloping), a one-way
// door, and a lift.
var oneWay = Scene{
	Name: "one_way",
	Doc: "Bodies jump up through one-way platforms and slopes, stand on them, and drop through; a door opens to " +
		"one side, a lift carries.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-2, -3), Max: geom.V(wayWide+2, 21)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		rock := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x7d7f86})
		wood := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0xb08655, OneWay: quarry.OneWayUp})
		door := w.AddMaterial(quarry.Material{Friction: 0.2, Color: 0x5a8fc4, OneWay: quarry.OneWayRight})
		g := ground(w)
		fill := func(x0, y0, x1, y1 int32, s gridseg.ShapeID, turn gridseg.Turn, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: s, Turn: turn, Material: uint16(m)}))
		}
		fill(-1, -2, wayWide, -1, gridseg.Full, 0, rock)
		fill(-1, 0, -1, 18, gridseg.Full, 0, rock)
		fill(wayWide, 0, wayWide, 18, gridseg.Full, 0, rock)
		// Platforms one above another, flush with ledges of rock and with the wall.
		for i := range int32(4) {
			y := 3 + 3*i
			fill(0, y, 10, y, gridseg.Slab, 2, wood)
			fill(4, y, 5, y, gridseg.Full, 0, rock)
		}
		// Full blocks, two deep, between rock, and slopes up to them.
		fill(16, 3, 22, 4, gridseg.Full, 0, wood)
		fill(18, 3, 19, 4, gridseg.Full, 0, rock)
		for i := range int32(4) {
			fill(12+i, 1+i, 12+i, 1+i, gridseg.Ramp, 0, wood)
			fill(23+2*i, 4-i, 23+2*i, 4-i, gridseg.SlopeHigh, 4, wood)
			fill(24+2*i, 4-i, 24+2*i, 4-i, gridseg.SlopeLow, 4, wood)
		}
		fill(14, 9, 30, 9, gridseg.Slab, 2, wood)
		fill(33, 0, 33, 5, gridseg.Full, 0, door)
		lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(34, 2), Velocity: geom.V(0, 2)})
		id, err := w.AddGround(lift, quarry.GroundDef{})
		must(err)
		cage, _ := w.Ground(id)
		must(cage.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 4, MaxY: 0}, gridseg.Tile{
			Shape: gridseg.Slab, Turn: 2,
			Material: uint16(wood),
		}))
		up, _ := w.Body(lift)

		r := random(7)
		var all []quarry.Body
		for i := range 40 {
			p := geom.V(r.between(0.6, wayWide-0.6), r.between(0.5, 2.5))
			var s geom.Shape
			switch i % 4 {
			case 0:
				s = geom.NewBox(0.35, 0.45)
			case 1:
				s = geom.Circle{Radius: 0.4}
			case 2:
				s = geom.Capsule{A: geom.V(0, -0.35), B: geom.V(0, 0.35), Radius: 0.3}
			default:
				s = geom.NewRoundedBox(0.3, 0.3, 0.1)
			}
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, FixedRotation: i%4 == 2})
			w.AddShape(id, s, quarry.ShapeDef{})
			b, _ := w.Body(id)
			all = append(all, b)
		}
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if step%240 == 0 && hasBody(w, up) {
				up.SetVelocity(geom.V(0, 2*float64(1-2*(step/240%2))))
			}
			if step%wayEvery != wayEvery-1 {
				return
			}
			for i, b := range all {
				if !hasBody(w, b) {
					continue
				}
				switch (i + step/wayEvery) % 3 {
				case 0:
					b.DropThrough(0)
				case 1:
					b.SetVelocity(geom.V(r.between(-3, 3), math.Floor(r.between(7, 15))))
				}
			}
		}}
	},
}
