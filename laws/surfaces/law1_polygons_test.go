package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSeamsOfPolygons is law 1 of contact for ground of free-form polygons: a body slides
// over a bar that was built across 60 cells, cut at every grid line, as over one segment.
func TestSeamsOfPolygons(t *testing.T) {
	worldtest.OnCarriers(t, seamsOfPolygons)
}

func seamsOfPolygons(t *testing.T, c worldtest.Carrier) {
	ice := func(w *worldtest.Site) quarry.MaterialID { return w.AddMaterial(quarry.Material{}) }
	for name, s := range map[string]geom.Shape{
		"box": geom.NewBox(0.5, 0.5), "circle": geom.Circle{Radius: 0.5},
		"rounded": geom.NewRoundedBox(0.35, 0.35, 0.15),
	} {
		run := func(tiled bool) (*worldtest.Site, quarry.Body) {
			w := c.NewSite()
			m := ice(w)
			if tiled {
				g := w.AddGround(t)
				// A level top at a height that is no grid line.
				bar, err := gridseg.Polygon([][2]float64{{-3, -2.7}, {60, -2.7}, {60, 0.3125}, {-3, 0.3125}})
				if err != nil {
					t.Fatal(err)
				}
				if err := g.Unite(bar, gridseg.Attr{Material: uint16(m)}); err != nil {
					t.Fatal(err)
				}
			} else {
				w.AddShape(w.Carrier.ID(), geom.Segment{A: geom.V(-3, 0.3125), B: geom.V(60, 0.3125)},
					quarry.ShapeDef{Material: m})
			}
			return w, w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.8125), Velocity: geom.V(10,
				0)}, s, quarry.ShapeDef{Material: m})
		}
		wa, a := run(false)
		wb, b := run(true)
		for wa.Position(a).X < 58 {
			wa.Step(worldtest.DT)
			wb.Step(worldtest.DT)
			if d := wa.Position(a).Dist(wb.Position(b)); d > 1e-6 {
				t.Fatalf("%s: off by %v at %v", name, d, wa.Position(a))
			}
		}
	}
}

// TestUnitedSlopes is law 1 of contact for slopes that Unite cuts along the grid lines.
// Where the cuts are points of the lattice, the slope is straight and not felt. A slope
// of any other pitch bends by at most half a lattice step at each cut, and bodies feel
// that much: docs/gridseg.md has the figures, and the limits here are twice the largest.
func TestUnitedSlopes(t *testing.T) {
	shapes := map[string]geom.Shape{
		"circle":  geom.Circle{Radius: 0.25},
		"box":     geom.NewBox(0.5, 0.25),
		"wide":    geom.NewBox(4.75, 0.25),
		"capsule": geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.25},
	}
	carriers, n := worldtest.Carriers(), 0 // 7 of them, for runs of 3 speeds and 4 shapes: each gets each pitch
	for _, pitch := range [][2]int64{{0, 1}, {1, 1}, {1, 2}, {-1, 8}, {4, 1}, {1, 3}, {-1, 3}, {2, 7}, {3, 5}, {3, 8}} {
		rise, run := pitch[0], pitch[1]
		straight := run&(run-1) == 0 && max(rise, -rise)&(max(rise, -rise)-1) == 0
		for name, shape := range shapes {
			for _, speed := range []float64{1, 10, 40} {
				c := carriers[n%len(carriers)]
				n++
				t.Run(fmt.Sprintf("%d in %d/%s/%v/%s", rise, run, name, speed, c.Name), func(t *testing.T) {
					w := c.NewSite()
					ice := w.AddMaterial(quarry.Material{})
					g := w.AddGround(t)
					x := 120 / run * gridseg.Unit // times run and rise both exact
					if err := g.Unite([][]gridseg.Point{{
						{X: -x * run, Y: -x*rise - 4*gridseg.Unit},
						{X: x * run, Y: x*rise - 4*gridseg.Unit},
						{X: x * run, Y: x * rise},
						{X: -x * run, Y: -x * rise},
					}}, gridseg.Attr{Material: uint16(ice)}); err != nil {
						t.Fatal(err)
					}
					rot := geom.NewRot(geom.Atan2(float64(rise), float64(run)))
					w.SetGravity(w.Carrier.WorldVector(rot.Apply(geom.V(0, -10))))
					b := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: rot.Apply(geom.V(-60.013, 0.25)),
						Angle: rot.Angle(),
					}, shape, quarry.ShapeDef{Material: ice})
					for range 60 {
						w.Step(worldtest.DT)
					}
					w.SetVelocity(b, rot.Apply(geom.V(speed, 0)))
					rest := rot.Inv(w.Position(b)).Y
					lift, off, lost := 1.0/2048, 4e-4*speed+2e-3, 4e-3
					if straight {
						lift, off, lost = 1e-6, 1e-6, 1e-6
					}
					for range 120 {
						w.Step(worldtest.DT)
						p, v := rot.Inv(w.Position(b)), rot.Inv(w.Velocity(b))
						if math.Abs(p.Y-rest) > lift || math.Abs(v.Y) > off || math.Abs(v.X-speed) > lost {
							t.Fatalf("at %v, rested at %v: velocity %v", p, rest, v)
						}
					}
				})
			}
		}
	}
}
