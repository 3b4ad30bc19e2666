package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

const (
	hillsWide  = 62
	basinLeft  = -8
	basinRight = 4
	basinLow   = -6
	ringRadius = 9
	ringPoints = 360
	// Ends of the belt; the hills are flat there.
	beltFrom, beltTo = 26, 34
)

var (
	ringAt   = geom.V(16, 22)
	islandAt = geom.V(46, 17)
)

// hillHeight returns the height of the hills at x.
func hillHeight(x float64) float64 {
	sin, _ := geom.SinCos(float64(0.5*x) - 1.2)
	off := max(beltFrom-x, x-beltTo) // from the belt
	return 3 + float64(2*float64(sin*max(0, min(1, 0.2*off))))
}

// islandEdge returns the radius of the island in the direction angle.
func islandEdge(angle float64) float64 {
	a, _ := geom.SinCos(3 * angle)
	b, _ := geom.SinCos(float64(5*angle) + 1)
	return 5 + float64(0.8*a) + float64(0.4*b)
}

// chains has terrain of chains: lines of points, solid on one side.
var chains = Scene{
	Name: "chains",
	Doc: "Drawn hills with a belt and an open end, an island, and a ring of 360 points that turns with bodies in " +
		"it, all of them chains.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(basinLeft-2, basinLow-2), Max: geom.V(hillsWide+2, 33)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		grass := w.AddMaterial(quarry.Material{Friction: 0.3, Color: 0x6f9a53})
		belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 3, Color: 0xd9a441})
		rock := w.AddMaterial(quarry.Material{Friction: 0.5, Color: 0x7d7f86})
		iron := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x6a7fa8})
		add := func(b quarry.BodyID, d quarry.ChainDef) {
			_, err := w.AddChain(b, d)
			must(err)
		}
		// The solid is on the left of the direction of the points, so the points of the hills run
		// from right to left. Beyond the end, bodies fall into the basin.
		hills := quarry.ChainDef{Points: []geom.Vec{{X: hillsWide, Y: 14}}, Materials: []quarry.MaterialID{rock}}
		for i := 4 * hillsWide; i >= 0; i-- {
			x := float64(i) / 4
			hills.Points = append(hills.Points, geom.V(x, hillHeight(x)))
			switch {
			case i == 0: // the last point begins no segment
			case x > beltFrom && x <= beltTo:
				hills.Materials = append(hills.Materials, belt)
			default:
				hills.Materials = append(hills.Materials, grass)
			}
		}
		add(0, hills)
		add(0, quarry.ChainDef{Material: rock, Points: []geom.Vec{
			{X: basinRight, Y: basinLow + 4}, {X: basinRight, Y: basinLow}, {X: basinLeft, Y: basinLow}, {
				X: basinLeft,
				Y: basinLow + 12,
			},
		}})
		// Counter-clockwise: solid inside.
		island := quarry.ChainDef{Loop: true, Material: rock}
		for i := range 90 {
			angle := float64(2*math.Pi*float64(i)) / 90
			sin, cos := geom.SinCos(angle)
			island.Points = append(island.Points, islandAt.MulAdd(islandEdge(angle), geom.V(cos, sin)))
		}
		add(0, island)
		// Clockwise: solid outside.
		ring := quarry.ChainDef{Loop: true, Material: iron}
		for i := range ringPoints {
			sin, cos := geom.SinCos(float64(-2*math.Pi*float64(i)) / ringPoints)
			ring.Points = append(ring.Points, geom.V(cos, sin).Mul(ringRadius))
		}
		add(w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: ringAt, AngularVelocity: 0.4}), ring)

		r := random(5)
		for i := range 60 {
			kind := Kinds()[i%len(Kinds())]
			put(w, ringAt.Add(geom.V(float64(0.9*float64(i%10))-4, float64(0.9*float64(i/10))-3)),
				Body(kind, r.between(0.25, 0.4)), 0)
		}
		for i := range 24 {
			put(w, geom.V(islandAt.X-3+float64(i%6), islandAt.Y+8+float64(1.2*float64(i/6))),
				Body(Kinds()[i%len(Kinds())], r.between(0.3, 0.5)), 0)
		}
		for i := range 40 {
			x := 1 + float64(1.5*float64(i))
			put(w, geom.V(x, hillHeight(x)+1.5+float64(i%3)), Body(Kinds()[i%len(Kinds())], r.between(0.25, 0.5)), 0)
		}
		for i := range 12 { // over the open end
			put(w, geom.V(0.5+float64(1.2*float64(i%4)), 7+float64(1.2*float64(i/4))), Body(Kinds()[i%len(Kinds())],
				r.between(0.25, 0.5)), 0)
		}
		return &Instance{World: w, DT: dt}
	},
}
