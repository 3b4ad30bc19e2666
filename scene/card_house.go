package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// cardHouse has five storeys of cards that only friction and their own weight hold.
var cardHouse = Scene{
	Name:   "card_house",
	Doc:    "A house of 40 cards, five storeys high: pairs lean on each other, and carry the cards of the next floor.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-6, -1), Max: geom.V(6, 10)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		const (
			storeys = 5
			long    = 1.0  // half of a leaning card
			thick   = 0.02 // half
			lean    = 0.44 // radians from upright
			gap     = 0.01 // between two frames
			// by which a floor reaches over its last frames, or these would spread under one loaded card
			over     = 0.2
			friction = 0.7
		)
		paper := w.AddMaterial(quarry.Material{Friction: friction, Color: 0xe8e2d0})
		floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, -0.5)})
		w.AddShape(floor, geom.NewBox(20, 0.5), quarry.ShapeDef{Material: paper})
		sin, cos := geom.SinCos(lean)
		across := float64(long*sin) + float64(thick*cos) // half of a leaning card's box
		up := float64(long*cos) + float64(thick*sin)
		every := float64(4*across) + gap
		card := func(p geom.Vec, angle, half float64) {
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: angle})
			w.AddShape(id, geom.NewBox(thick, half), quarry.ShapeDef{Material: paper})
		}
		y := 0.0
		for row := range storeys {
			frames := storeys - row
			first := float64(-0.5 * every * float64(frames-1))
			for i := range frames {
				x := first + float64(every*float64(i))
				card(geom.V(x-across, y+up), -lean, long)
				card(geom.V(x+across, y+up), lean, long)
			}
			y += float64(2 * up)
			for i := range frames - 1 {
				x := first + float64(every*(float64(i)+0.5))
				half := float64(0.5 * (every - gap))
				from, to := x-float64(half), x+float64(half)
				if i == 0 {
					from -= over
				}
				if i == frames-2 {
					to += over
				}
				card(geom.V(0.5*(from+to), y+thick), quarterTurn, 0.5*(to-from))
			}
			y += 2 * thick
		}
		return &Instance{World: w, DT: dt}
	},
}

// quarterTurn is a right angle, in radians.
const quarterTurn = 1.5707963267948966
