package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Scenes of ground that breaks.

// block is a whole tile of a material.
func block(m quarry.MaterialID) gridseg.Tile {
	return gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}
}

// anchored adds a static ground that breaks and is held by the cells of r, and a floor of a shape below y = 0.
func anchored(w *quarry.World, r gridseg.Rect, m quarry.MaterialID) quarry.Ground {
	id, err := w.AddGround(0, quarry.GroundDef{Breaks: true, Anchors: []gridseg.Rect{r}})
	must(err)
	g, _ := w.Ground(id)
	must(g.Fill(r, block(m)))
	w.AddShape(w.AddBody(quarry.BodyDef{}), geom.NewOffsetBox(60, 1, geom.V(0, -1), geom.NewRot(0)), quarry.ShapeDef{})
	return g
}

// underminedTower digs the foot of a tower from one side, until the tower breaks off and tips over.
var underminedTower = Scene{
	Name: "undermined_tower",
	Doc: "A tower of tiles with floors and windows, whose foot is dug from the left until it breaks off and tips " +
		"over.",
	Steps:  400,
	View:   geom.AABB{Min: geom.V(-30, -2), Max: geom.V(14, 28)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		stone := w.AddMaterial(quarry.Material{Friction: 0.6, Density: 2, Strength: 60, Color: 0x9a9aa5})
		wood := w.AddMaterial(quarry.Material{Friction: 0.5, Density: 0.7, Color: 0xa87848})
		g := anchored(w, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 6, MaxY: 1}, stone)
		for y := int32(2); y < 24; y++ {
			must(g.Fill(gridseg.Rect{MinX: 0, MinY: y, MaxX: 6, MaxY: y}, block(stone)))
			if y%5 > 1 && y > 5 {
				must(g.Fill(gridseg.Rect{MinX: 1, MinY: y, MaxX: 5, MaxY: y}, gridseg.Tile{}))
			} else if y > 5 {
				must(g.Fill(gridseg.Rect{MinX: 1, MinY: y, MaxX: 5, MaxY: y}, block(wood)))
			}
			if y%5 == 3 && y > 5 {
				must(g.Clear(0, y)) // a window
			}
		}
		for x := int32(0); x <= 6; x += 2 {
			must(g.Set(x, 24, block(stone)))
		}
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			for _, h := range w.Hits() { // stone breaks where it falls
				if on, ok := w.Ground(h.Ground); ok && h.Impulse > 60 && h.Speed > 2 {
					_ = on.Crater(h, min(1.5, h.Impulse/120))
				}
			}
			if step%6 == 0 && step <= 96 && has(w, g) { // a wedge, high on the left: the tower tips over into it
				x := float64(step) / 12
				_ = g.Dig(geom.V(-1, 4), geom.V(x, 4), max(0.2, 1.6-float64(0.2*x)))
			}
		}}
	},
}

// felledTree cuts a notch into a trunk, and then saws through from the other side.
var felledTree = Scene{
	Name: "felled_tree",
	Doc: "A tree of tiles and round brushes, notched on the right and sawn from the left: it breaks, falls and " +
		"rolls.",
	Steps:  400,
	View:   geom.AABB{Min: geom.V(-12, -2), Max: geom.V(30, 26)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		wood := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x8a6242})
		leaf := w.AddMaterial(quarry.Material{Friction: 0.9, Density: 0.2, Color: 0x5f9a4b})
		g := anchored(w, gridseg.Rect{MinX: -2, MinY: 0, MaxX: 2, MaxY: 0}, wood)
		must(g.Fill(gridseg.Rect{MinX: -1, MinY: 1, MaxX: 1, MaxY: 13}, block(wood)))
		for _, c := range [][3]float64{{0.5, 17, 4}, {-2.8, 14.5, 2.6}, {4, 14.5, 2.7}, {0.5, 20.5, 2.5}} {
			must(g.Build(geom.V(c[0], c[1]), geom.V(c[0], c[1]), c[2], gridseg.Attr{Material: uint16(leaf)}))
		}
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			switch {
			case !has(w, g):
			case step < 20 && step%4 == 0: // the notch
				x := 2 - float64(step)/14
				_ = g.Dig(geom.V(x, 2.5), geom.V(2.2, 2.9), 0.5)
			case step >= 30 && step < 70 && step%2 == 0: // the saw
				x := float64(step-30)/18 - 1.1
				_ = g.Dig(geom.V(-1.2, 2.7), geom.V(x, 2.7), 0.12)
			}
		}}
	},
}

// asteroid shoots at a turning rock, far from any floor, and then blows its veins up: it splits.
var asteroid = Scene{
	Name: "asteroid",
	Doc: "A turning asteroid of rock and ice, hit by heavy slugs: each impulse above a strength digs a crater; " +
		"charges along the ice split it.",
	Steps:  300,
	View:   geom.AABB{Min: geom.V(-26, -20), Max: geom.V(26, 20)},
	Config: quarry.Config{},
	Build: func(w *quarry.World) *Instance {
		rock := w.AddMaterial(quarry.Material{Friction: 0.6, Density: 3, Strength: 4, Color: 0x857a70})
		ice := w.AddMaterial(quarry.Material{Friction: 0.1, Strength: 2, Color: 0xa9cfe0})
		body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, AngularVelocity: 0.25})
		grid := gridseg.New(nil)
		r := random(20261122)
		for k := range 9 {
			s, c := geom.SinCos(0.7 * float64(k))
			d := float64(4 * float64(min(k, 1)))
			loops, err := gridseg.Circle(d*c, d*s, r.between(3, 5))
			must(err)
			must(grid.Unite(loops, gridseg.Attr{Material: uint16(rock)}))
		}
		veins := []float64{0.4, 2.6, 4.4}
		for _, a := range veins {
			s, c := geom.SinCos(a)
			vein, err := gridseg.Capsule(0, 0, 7*c, 7*s, 0.5)
			must(err)
			must(grid.Subtract(vein))
			must(grid.Unite(vein, gridseg.Attr{Material: uint16(ice)}))
		}
		id, err := w.AddGround(body, quarry.GroundDef{Grid: grid, MinFragment: 0.2})
		must(err)
		main, _ := w.Ground(id)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			for _, h := range w.Hits() {
				if g, ok := w.Ground(h.Ground); ok && h.Impulse > 4 {
					_ = g.Crater(h, min(5, h.Impulse/5))
				}
			}
			if step == 150 && has(w, main) { // charges along the veins
				t := main.Transform()
				for _, a := range veins {
					s, c := geom.SinCos(a)
					_ = main.Dig(t.P, t.Apply(geom.V(8*c, 8*s)), 0.5)
				}
			}
			if step%10 == 0 && step < 180 {
				s, c := geom.SinCos(float64(step) * 0.37)
				at := geom.V(24*c, 24*s)
				slug := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: at,
					Velocity: at.Mul(-1.2).Add(geom.V(r.between(-3, 3), r.between(-3, 3))),
				})
				w.AddShape(slug, geom.Circle{Radius: 0.4}, quarry.ShapeDef{Density: 6})
			}
		}}
	},
}
