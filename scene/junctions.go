package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	junctionLane  = 5 // height between lanes
	junctionSpeed = 8
	// The start and the end of the three parts of a lane.
	teeFrom, teeWall   = 0, 15 // with a wall or a roof in the way
	endFrom, endAt     = 20, 29
	chainFrom, chainAt = 36, 45
	shaftTop, tipHigh  = 18, 22
)

// tips are the ends onto which bodies are dropped: of solid tiles, of one-way tiles (whose faces
// form an open chain) and of segments without ghosts.
var tips = []float64{4, 10, 18, 24, 32, 38}

// junctions has T-junctions of surfaces, and ends of surfaces.
var junctions = Scene{
	Name: "junctions",
	Doc: "Bodies slide over and against T-junctions, off the ends of platforms and of open chains, and fall on " +
		"the ends.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-2, -5), Max: geom.V(50, 30)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		ice := w.AddMaterial(quarry.Material{Color: 0x9fd3e6})
		slick := w.AddMaterial(quarry.Material{}) // of bodies; the renderer chooses the colour
		rock := w.AddMaterial(quarry.Material{Friction: 0.5, Color: 0x7d7f86})
		wood := w.AddMaterial(quarry.Material{Color: 0xb08655, OneWay: quarry.OneWayUp})
		g := ground(w)
		shapes := g.Grid().Shapes()
		register := func(name string, polys ...[][2]float64) gridseg.ShapeID {
			id, err := shapes.Register(name, polys...)
			must(err)
			return id
		}
		halves := register("halves", [][2]float64{{0, 0}, {.375, 0}, {.375, 1}, {0, 1}},
			[][2]float64{{.375, 0}, {1, 0}, {1, 1}, {.375, 1}})
		stones := register("stones", [][2]float64{{0, 0}, {1, 0}, {.5, .5}}, [][2]float64{
			{0, 0},
			{.5, .5},
			{.25, 1},
			{0, 1},
		},
			[][2]float64{{.5, .5}, {1, 0}, {1, 1}, {.25, 1}})
		diamond := register("diamond", [][2]float64{{.5, 0}, {1, .5}, {.5, 1}, {0, .5}})
		post := register("post", [][2]float64{{.375, 0}, {.625, 0}, {.625, 1}, {.375, 1}})
		fill := func(x0, y0, x1, y1 int32, s gridseg.ShapeID, turn gridseg.Turn, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: s, Turn: turn, Material: uint16(m)}))
		}
		slide := func(s Slider, x, y float64) {
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(x, y+s.Rest-geom.LinearSlop/2),
				Velocity: geom.V(junctionSpeed, 0),
			})
			w.AddShape(b, s.Shape, quarry.ShapeDef{Material: slick})
		}
		for i, s := range Sliders() {
			y := int32(i * junctionLane)
			// A floor whose top is cut inside of its cells, and four ways to meet a face in its
			// middle: a vertex on the floor, a wall on the floor, a floor that ends at a wall, and
			// a roof whose lower side ends at a wall.
			for x := int32(teeFrom); x < teeWall; x++ {
				fill(x, y-1, x, y-1, []gridseg.ShapeID{gridseg.Full, halves, stones}[x%3], 0, ice)
			}
			fill(teeWall, y-1, teeWall+1, y-1, gridseg.Full, 0, ice)
			top := float64(y)
			switch i {
			case 0:
				fill(teeWall, y, teeWall, y, diamond, 0, ice)
			case 1:
				fill(teeWall, y, teeWall, y+1, post, 0, ice)
			case 2:
				fill(teeFrom, y, teeWall-1, y, gridseg.Slab, 0, ice)
				fill(teeWall, y, teeWall, y+1, gridseg.Full, 0, ice)
				top += 0.5
			default:
				fill(teeWall, y, teeWall, y+1, gridseg.Full, 0, ice)
				fill(teeFrom+4, y+1, teeWall-1, y+1, gridseg.Slab, 2, ice)
			}
			slide(s, teeFrom+1.5, top)
			fill(endFrom, y-1, endAt-1, y-1, gridseg.Full, 0, ice)
			slide(s, endFrom+1.5, float64(y))
			fill(chainFrom, y-1, chainAt-1, y-1, gridseg.Slab, 2, wood)
			slide(s, chainFrom+1.5, float64(y))
		}
		// Shafts behind the ends for the bodies that fall off, and a floor below.
		for _, x := range []int32{-1, teeWall + 2, 34, 49} {
			fill(x, -4, x, shaftTop, gridseg.Full, 0, rock)
		}
		fill(-1, -5, 49, -5, gridseg.Full, 0, rock)

		fill(4, tipHigh-1, 9, tipHigh-1, gridseg.Full, 0, rock)
		fill(18, tipHigh-1, 23, tipHigh-1, gridseg.Slab, 2, wood)
		board := w.AddBody(quarry.BodyDef{})
		for _, s := range []geom.Segment{
			{A: geom.V(32, float64(tipHigh)), B: geom.V(34, float64(tipHigh))}, {
				A: geom.V(34, float64(tipHigh)),
				B: geom.V(38, float64(tipHigh)),
			},
		} {
			w.AddShape(board, s, quarry.ShapeDef{Material: rock})
		}
		for i, x := range tips {
			out := float64(float64(2*(i&1)-1) * 0.06) // slightly beyond the tip
			for k := range 3 {
				b := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(x+out, float64(tipHigh)+1.5+float64(2*float64(k))),
					Angle: 0.3 * float64(k),
				})
				w.AddShape(b, Body(Kinds()[(i+k)%len(Kinds())], 0.4), quarry.ShapeDef{})
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
