package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

// walker walks the parcours: to the right, jumping at walls and where a jump is listed.
type walker struct {
	mover.Character
	body  quarry.BodyID // kinematic, follows the character, so that others collide with it
	jumps []float64     // positions
}

// addWalker adds a walker whose foot is at p.
func addWalker(w *quarry.World, p geom.Vec, jumps []float64) *walker {
	shape := geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1.2), Radius: 0.4}
	k := &walker{jumps: jumps, body: w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: p})}
	// Category 2 collides with no shape of this scene: the walker pushes crates by queries, not by this body.
	w.AddShape(k.body, shape, quarry.ShapeDef{Category: 2, Mask: 2})
	k.Character = mover.Character{
		Mover:    mover.Mover{Shape: shape, Filter: quarry.QueryFilter{Except: k.body}},
		Position: p, StepHeight: 0.45, Mass: 2, MaxForce: 60,
	}
	return k
}

// step moves the walker by one step.
func (k *walker) step(w *quarry.World) {
	k.Velocity.X = 4
	jump := k.OnWall == 1
	for _, p := range k.Planes() {
		if b, ok := w.Body(p.Body); ok && b.Type() == quarry.Dynamic {
			jump = false // it is pushed
		}
	}
	if len(k.jumps) > 0 && k.Position.X >= k.jumps[0] {
		k.jumps, jump = k.jumps[1:], true
	}
	if jump && k.OnGround {
		k.Velocity.Y = 9.5
	}
	k.Move(w, geom.V(0, -20), dt)
	k.carry(w)
}

// carry moves the walker's body to the walker in the next step.
func (k *walker) carry(w *quarry.World) {
	if b, ok := w.Body(k.body); ok {
		b.SetTarget(k.Position, 0, dt)
	}
}

// parcours has a character moved by queries (package mover).
var parcours = Scene{
	Name: "parcours",
	Doc: "A character walks steps and slopes, jumps onto a one-way plank and a wall, rides a belt and a lift, " +
		"and pushes a crate.",
	Steps:  1200,
	View:   geom.AABB{Min: geom.V(-3, -4), Max: geom.V(61, 16)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		plank := w.AddMaterial(quarry.Material{OneWay: quarry.OneWayUp, Friction: 0.6, Color: 0xb98a56})
		belt := w.AddMaterial(quarry.Material{Friction: 0.8, TangentSpeed: -2, Color: 0xd9a441})
		g := ground(w)
		tile := func(x0, y0, x1, y1 int32, t gridseg.Tile) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1}, t))
		}
		fill(g, -2, -3, 33, -1)
		fill(g, 38, -3, 60, 3)
		fill(g, -3, -3, -3, 6)
		fill(g, 61, -3, 61, 8)
		// Steps of 3/8 of a cell, up and down.
		const u = gridseg.Unit
		for k := range int64(4) {
			x0, x1, y := (4+k)*u, (13-k)*u, (k+1)*3*u/8
			must(g.Unite([][]gridseg.Point{{{X: x0, Y: 0}, {X: x1, Y: 0}, {X: x1, Y: y}, {X: x0, Y: y}}},
				gridseg.Attr{}))
		}
		// A hill of 1:2 and one of 1:1.
		must(g.Unite([][]gridseg.Point{{
			{X: 14 * u, Y: 0},
			{X: 22 * u, Y: 0},
			{X: 20 * u, Y: 2 * u},
			{X: 18 * u, Y: 2 * u},
		}}, gridseg.Attr{}))
		tile(24, 1, 26, 1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(plank)}) // jumped through, and onto
		fill(g, 29, 0, 29, 1)                                                          // a wall to jump over
		tile(44, 3, 49, 3, gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)})  // against the walk
		lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(36, -0.2)})
		w.AddShape(lift, geom.NewBox(2, 0.2), quarry.ShapeDef{})
		put(w, geom.V(53, 4.5), geom.NewBox(0.5, 0.5), 0)
		k := addWalker(w, geom.V(-1, 0.01), []float64{24.5})
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if b, ok := w.Body(lift); ok {
				b.SetVelocity(geom.Vec{})
				if on := k.Footing.Body == lift && k.OnGround; on && b.Position().Y < 3.8 {
					b.SetVelocity(geom.V(0, 3))
				} else if !on && b.Position().Y > -0.2 && k.Position.X < 34 {
					b.SetVelocity(geom.V(0, -3))
				}
			}
			k.step(w)
		}}
	},
}
