package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// islands has grounds on dynamic bodies that float towards each other and collide, with boulders on them.
var islands = Scene{
	Name: "islands",
	Doc: "Floating islands of tiles, round and with flat tops, collide without gravity, turn and push each other " +
		"away.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-26, -20), Max: geom.V(26, 20)},
	Config: quarry.Config{},
	Build: func(w *quarry.World) *Instance {
		grass := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x6f9a53, Density: 0.6})
		rock := w.AddMaterial(quarry.Material{Friction: 0.5, Restitution: 0.2, Color: 0x7d7468, Density: 2})
		r := random(17)
		for i := range 9 {
			a := float64(i) * 0.7
			s, c := geom.SinCos(a)
			d := 9 + float64(1.5*float64(i))
			at := geom.V(float64(d*c), float64(d*s))
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: at, Angle: r.between(-3, 3), AngularVelocity: r.between(-0.4, 0.4),
				Velocity: at.Mul(-0.15),
			})
			island := gridseg.New(nil)
			radius := r.between(2.2, 4)
			loops, err := gridseg.Circle(0, 0, radius)
			must(err)
			must(island.Unite(loops, gridseg.Attr{Material: uint16(rock)}))
			if i%2 == 0 { // a flat top of grass, and steps of slopes
				x := int32(radius) - 1
				must(island.Fill(gridseg.Rect{MinX: -x, MinY: 0, MaxX: x - 1, MaxY: 3}, gridseg.Tile{}))
				must(island.Fill(gridseg.Rect{MinX: -x, MinY: 0, MaxX: x - 1, MaxY: 0},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(grass)}))
				must(island.Fill(gridseg.Rect{MinX: 0, MinY: 1, MaxX: 0, MaxY: 1},
					gridseg.Tile{Shape: gridseg.Ramp, Material: uint16(grass)}))
			}
			_, err = w.AddGround(id, quarry.GroundDef{Grid: island})
			must(err)
		}
		for i := range 24 { // boulders between them
			s, c := geom.SinCos(float64(i) * 0.26)
			b := put(w, geom.V(float64(24*c), float64(18*s)), geom.Circle{Radius: r.between(0.2, 0.6)}, rock)
			if v, ok := w.Body(b); ok {
				v.SetVelocity(geom.V(float64(-3*c), float64(-2*s)))
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
