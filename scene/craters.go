package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	craterWide  = 64 // length of the hills
	craterEvery = 30 // steps between craters
	groundOnly  = 2  // the category of the ground, for rays that ignore bodies
)

// craters has smooth hills of polygons, in which round craters are dug while bodies roll over them.
var craters = Scene{
	Name:   "craters",
	Doc:    "Smooth hills of one free polygon, in which a crater is dug every half second, with bodies of every shape.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(0, -6), Max: geom.V(craterWide, 30)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		earth := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x8a6a4a})
		id, err := w.AddGround(0, quarry.GroundDef{Category: groundOnly})
		must(err)
		g, _ := w.Ground(id)
		outline := [][2]float64{{0, -6}, {craterWide, -6}}
		for x := float64(craterWide); x >= 0; x -= 0.5 {
			s1, _ := geom.SinCos(float64(0.15 * x))
			s2, _ := geom.SinCos(float64(0.5*x) + 2)
			outline = append(outline, [2]float64{x, 7 + float64(3*s1) + s2})
		}
		loops, err := gridseg.Polygon(outline)
		must(err)
		must(g.Unite(loops, gridseg.Attr{Material: uint16(earth)}))
		dropBodies(w, 4, craterWide-4, 14, 90, 21)
		r := random(5)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if step%craterEvery != craterEvery-1 || !has(w, g) {
				return
			}
			x := r.between(4, craterWide-4)
			// Find the surface from above.
			if hit, ok := w.RayCast(geom.V(x, 40), geom.V(0, -44), quarry.QueryFilter{Mask: groundOnly}); ok {
				_ = g.Dig(hit.Point, hit.Point, r.between(0.7, 2.2))
			}
		}}
	},
}
