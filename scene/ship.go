package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// ship is a ground on a dynamic body, at which shots dig.
var ship = Scene{
	Name: "ship",
	Doc: "A ship of 700 tiles in free fall in a box, under fire: each shot digs a crater where it hits, and " +
		"pushes and turns the ship.",
	Steps:  400,
	View:   geom.AABB{Min: geom.V(-50, -32), Max: geom.V(50, 32)},
	Config: quarry.Config{},
	Build: func(w *quarry.World) *Instance {
		dock := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x667078})
		steel := w.AddMaterial(quarry.Material{Friction: 0.4, Density: 5, Color: 0x8a93a0})
		wood := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0xa5703c})
		g := ground(w)
		for _, r := range []gridseg.Rect{
			{MinX: -48, MinY: -30, MaxX: 47, MaxY: -28},
			{MinX: -48, MinY: 27, MaxX: 47, MaxY: 29},
			{MinX: -48, MinY: -27, MaxX: -46, MaxY: 26},
			{MinX: 45, MinY: -27, MaxX: 47, MaxY: 26},
		} {
			must(g.Fill(r, gridseg.Tile{Shape: gridseg.Full, Material: uint16(dock)}))
		}
		hull := adrift(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(-20, -7), Velocity: geom.V(0.5, 0),
			AngularVelocity: 0.02,
		}, func(g *gridseg.Grid) {
			must(g.Fill(gridseg.Rect{MaxX: 45, MaxY: 13}, gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)}))
			must(g.Fill(gridseg.Rect{MaxX: 45, MaxY: 1}, gridseg.Tile{Shape: gridseg.Full, Material: uint16(steel)}))
			must(g.Fill(gridseg.Rect{MinX: 10, MinY: 8, MaxX: 16, MaxY: 13}, gridseg.Tile{})) // a hold
			for i := int32(1); i < 4; i++ {
				must(g.Set(45+i, 14-i, gridseg.Tile{Shape: gridseg.Ramp, Turn: 3, Material: uint16(wood)}))
				must(g.Fill(gridseg.Rect{MinX: 45 + i, MinY: 10, MaxX: 45 + i, MaxY: 13 - i},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)}))
			}
		})
		for k := range 12 { // the cargo
			put(w, geom.V(-9+float64(1.2*float64(k%5)), 2+float64(1.2*float64(k/5))), geom.NewBox(0.5, 0.5), wood)
		}
		r := random(14)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if !has(w, hull) {
				return
			}
			for _, h := range w.Hits() {
				if h.Ground == hull.ID() && h.ShapeB != 0 && h.Speed > 20 {
					_ = hull.Dig(h.Point, h.Point, 1.5)
					w.RemoveBody(h.Bodies[1]) // false for a shot that a hit before has removed
				}
			}
			if step%10 != 0 {
				return
			}
			from := geom.V(-44, r.between(-20, 20))
			if step%20 == 0 {
				from.X = 44
			}
			aim, _ := hull.Body().CenterOfMass().Add(geom.V(r.between(-12, 12), r.between(-4, 4))).Sub(from).Unit()
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: from, Velocity: aim.Mul(60)})
			w.AddShape(b, geom.Circle{Radius: 0.4}, quarry.ShapeDef{Density: 8})
		}}
	},
}

// adrift adds a body with a ground that fill fills.
func adrift(w *quarry.World, d quarry.BodyDef, fill func(*gridseg.Grid)) quarry.Ground {
	grid := gridseg.New(nil)
	fill(grid)
	id, err := w.AddGround(w.AddBody(d), quarry.GroundDef{Grid: grid})
	must(err)
	g, _ := w.Ground(id)
	return g
}
