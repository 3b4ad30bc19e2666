package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	outpostWide = 72
	// Bodies of the outpost, by BodyDef.User.
	outpostShell = 1
	outpostBall  = 2

	shellEvery = 150 // steps
	ballEvery  = 40
	mostBalls  = 12
)

// outpost is the sandbox's first scene: it moves, and goes on moving. Its edits depend on the world and the step alone.
var outpost = Scene{
	Name:   "outpost",
	Doc:    "A cart runs through a mine, a mill turns under balls, a tower falls, and a fort is shot to pieces.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-2, -4), Max: geom.V(outpostWide+2, 27)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		g := buildOutpost(w)
		chassis, wheels := addCar(w, geom.V(6, 1.6))
		buildTower(w)
		mill := buildMill(w)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if b, ok := w.Body(chassis); ok {
				shuttle(w, b, wheels, step)
			}
			if step%shellEvery == shellEvery/2 {
				shoot(w, step)
			}
			explodeShells(w, g)
			if step%ballEvery == 0 && hasBody(w, mill) {
				dropBall(w)
			}
		}}
	},
}

// buildOutpost makes the ground: a plain, a ledge on a post, and a plateau with a mine, on which a fort stands.
func buildOutpost(w *quarry.World) quarry.Ground {
	earth := uint16(w.AddMaterial(quarry.Material{Friction: 0.8, Color: 0x6f5a45}))
	grass := uint16(w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x6f9a53}))
	stone := uint16(w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x8a8f99}))
	id, err := w.AddGround(0, quarry.GroundDef{
		Breaks: true, Anchors: []gridseg.Rect{{MinX: 0, MinY: -4, MaxX: outpostWide - 1, MaxY: -4}},
	})
	must(err)
	g, _ := w.Ground(id)
	put := func(x0, y0, x1, y1 int32, material uint16) {
		must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
			gridseg.Tile{Shape: gridseg.Full, Material: material}))
	}
	clear := func(x0, y0, x1, y1 int32) {
		must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1}, gridseg.Tile{}))
	}
	put(0, -4, outpostWide-1, -1, earth)
	put(0, 0, 1, 9, earth)                          // the cannon's hill
	put(outpostWide-2, 0, outpostWide-1, 12, earth) // the end of the mine
	put(44, 0, outpostWide-3, 8, earth)             // the plateau
	put(44, 8, outpostWide-1, 8, grass)
	clear(44, 0, outpostWide-3, 3) // the mine
	for x := int32(50); x < outpostWide-4; x += 7 {
		clear(x, 4, x+1, 4)
	}
	put(2, 6, 16, 6, grass)   // the ledge
	put(54, 9, 64, 10, stone) // the fort
	put(54, 11, 55, 19, stone)
	put(63, 11, 64, 19, stone)
	put(56, 15, 62, 15, stone)
	put(54, 20, 64, 20, stone)
	for x := int32(54); x <= 64; x += 2 {
		put(x, 21, x, 21, stone)
	}
	return g
}

// buildTower puts a tower of bricks on the ledge.
func buildTower(w *quarry.World) {
	brick := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0xc4704f})
	for row := range 10 {
		for i := range 2 {
			put(w, geom.V(12+float64(i), 7.4+float64(0.8*float64(row))), geom.NewBox(0.5, 0.4), brick)
		}
	}
}

// buildMill hangs a wheel of four blades, which a motor turns, and returns it.
func buildMill(w *quarry.World) quarry.Body {
	wood := w.AddMaterial(quarry.Material{Friction: 0.5, Color: 0xb08655})
	at := geom.V(31, 13)
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at})
	for _, half := range [...]geom.Vec{geom.V(4.5, 0.25), geom.V(0.25, 4.5)} {
		w.AddShape(id, geom.NewBox(half.X, half.Y), quarry.ShapeDef{Material: wood})
	}
	motor := quarry.JointMotor{Speed: 1.5, Max: 400}
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, id, at), Motor: motor})
	b, _ := w.Body(id)
	return b
}

// shuttle drives the cart to and fro between the ends of the mine, and turns it back where it is stuck.
func shuttle(w *quarry.World, cart quarry.Body, wheels [2]quarry.JointID, step int) {
	for _, id := range wheels {
		j, ok := w.Joint(id)
		if !ok {
			continue
		}
		d, _ := j.Def().(quarry.WheelJoint)
		m, x := d.Motor, cart.Position().X
		stuck := step%300 == 299 && cart.Velocity().Len() < 0.2
		switch {
		case x > outpostWide-6 || stuck && m.Speed < 0:
			m.Speed = 12
		case x < 5 || stuck:
			m.Speed = -12
		}
		if m.Max = 25; m != d.Motor {
			j.SetMotor(m)
		}
	}
}

// shoot fires a shell: the first at the tower, the others at the fort.
func shoot(w *quarry.World, step int) {
	v := geom.V(30, 12.5+float64(0.5*float64(step/shellEvery%4))) // over the mill
	if step < shellEvery {
		v = geom.V(16, 1)
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1, 11), Velocity: v, User: outpostShell})
	w.AddShape(id, geom.Circle{Radius: 0.4}, quarry.ShapeDef{Density: 6})
}

// explodeShells digs a crater where a shell touches the ground, and removes shells that have stopped.
func explodeShells(w *quarry.World, g quarry.Ground) {
	var done [8]quarry.BodyID
	n := 0
	for b := range w.Bodies() {
		if b.User() != outpostShell || b.Type() != quarry.Dynamic || n == len(done) {
			continue
		}
		at, touches := geom.Vec{}, false
		for _, c := range b.AppendContacts(nil) {
			if c.Ground != 0 && c.N > 0 {
				at, touches = c.Points[0].Point, true
			}
		}
		if touches && has(w, g) && at.X > 40 {
			_ = g.Dig(at, at, 1.3)
		}
		if touches || !b.Awake() {
			done[n] = b.ID()
			n++
		}
	}
	for _, id := range done[:n] {
		w.RemoveBody(id)
	}
}

// dropBall drops a ball on the mill, and removes one from the plain if there are many.
func dropBall(w *quarry.World) {
	at := geom.V(32.5, 24)
	n, rests := 0, quarry.BodyID(0)
	for b := range w.Bodies() {
		if b.User() != outpostBall || b.Type() != quarry.Dynamic {
			continue
		}
		if n++; rests == 0 && b.Position().Y < 2 {
			rests = b.ID()
		}
	}
	if n >= mostBalls && !w.RemoveBody(rests) {
		return
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, User: outpostBall})
	w.AddShape(id, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
}
