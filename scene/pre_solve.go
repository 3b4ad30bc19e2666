package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// preSolve has a custom filter and a pre-solve function, both called on all workers.
var preSolve = Scene{
	Name: "pre_solve",
	Doc: "Two teams pass their own kind, drop through wooden floors by turns, and are carried to opposite sides " +
		"by the same floor.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-2, -3), Max: geom.V(42, 26)},
	Config: falling, Functions: preSolveFunctions,
	Build: func(w *quarry.World) *Instance {
		const wide = 40
		rock := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x7d7f86})
		wood := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0xb08655}) // preSolveWood
		g := ground(w)
		fill := func(x0, y0, x1, y1 int32, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
		}
		fill(-1, -2, wide, -1, rock)
		fill(-1, 0, -1, 24, rock)
		fill(wide, 0, wide, 24, rock)
		for y := int32(4); y <= 12; y += 4 {
			fill(3, y, wide-4, y, wood)
			fill(18, y, 20, y, rock)
		}
		r := random(11)
		for i := range 120 {
			team := uint64(i % 2)
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(r.between(1, wide-1), r.between(14, 24)), User: team,
			})
			s := geom.Shape(geom.NewBox(0.3, 0.4))
			if i%3 == 0 {
				s = geom.Circle{Radius: 0.35}
			}
			w.AddShape(b, s, quarry.ShapeDef{
				Material: rock, User: team, Flags: quarry.AskFilter | quarry.AskPreSolve | quarry.MaterialEvents,
			})
		}
		preSolveFunctions(w)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if step > 0 && step%turnSteps == 0 {
				preSolveFunctions(w) // wakes those asleep on wood
			}
		}}
	},
}

// preSolveWood is the second material that preSolve adds.
const preSolveWood = quarry.MaterialID(2)

// turnSteps is the number of steps for which one team drops through wood.
const turnSteps = 120

// preSolveFunctions sets the functions of preSolve. They depend on nothing but the world, so that a recording can be
// replayed.
func preSolveFunctions(w *quarry.World) {
	w.SetCustomFilter(func(a, b quarry.Side) bool { return a.Shape == 0 || a.BodyUser != b.BodyUser })
	w.SetPreSolve(func(p *quarry.PreSolve) {
		if p.A.Ground == 0 {
			return
		}
		turn := w.StepCount() / turnSteps % 3 // the team that drops through wood; 2: nobody
		for k := range p.N {
			q := &p.Points[k]
			p.Disabled = p.Disabled || q.Material == preSolveWood && p.B.User == turn
			q.TangentSpeed = [2]float64{2, -2}[p.B.User]
		}
	})
}
