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

// TestOneWayHidesNoWall: walls, floors and ceilings stop a body beside one-way tiles as
// elsewhere, to the last bit, at any speed: whole tiles and parts of a cell, covered
// wholly or in part, in preserved layers or not.
func TestOneWayHidesNoWall(t *testing.T) {
	i := 0
	unit := func(p ...[2]int64) [][]gridseg.Point {
		var loop []gridseg.Point
		for _, v := range p {
			loop = append(loop, gridseg.Point{X: v[0] * gridseg.Unit / 8, Y: v[1] * gridseg.Unit / 8})
		}
		return [][]gridseg.Point{loop}
	}
	for _, j := range jumpers() {
		if j.name == "wide box" {
			continue
		}
		for _, v := range []geom.Vec{
			{X: -3},
			{X: -12},
			{X: -55},
			{X: -400},
			{X: 3},
			{X: 20},
			{X: 300},
			{X: 7, Y: 7},
			{X: -8, Y: 9},
			{X: 1, Y: 13},
			{X: 90, Y: 101},
			{Y: 390},
			{X: -200, Y: -30},
			{X: -100, Y: -390},
		} {
			for _, preserve := range []bool{false, true} {
				for _, on := range worldtest.InTurnFixed(i) {
					run := func(tiles bool) (*worldtest.Site, quarry.Body) {
						w := on.NewSite()
						way := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
						grid := gridseg.New(nil)
						layer := uint8(0)
						if preserve {
							layer = 1
							worldtest.Must(t, grid.Preserve(0, 1))
						}
						id, err := w.World.AddGround(w.Carrier.ID(), quarry.GroundDef{Grid: grid})
						worldtest.Must(t, err)
						g, _ := w.Ground(id)
						lay(t, g, 0, 0,
							"################",
							"#      ##      #",
							"#<            >#",
							"#              #",
							"#              #",
							"#<  #          #",
							"################")
						slope := unit([2]int64{0, 0}, [2]int64{8, 0}, [2]int64{0, 5})
						worldtest.Must(t, g.AddPolygon(1, 2, slope, gridseg.Attr{}))
						if tiles {
							// The rest is one-way, up to the ceiling: a body cannot stand
							// inside.
							for y := range int32(7) {
								for x := range int32(16) {
									if (g.Tile(x, y) == gridseg.Tile{}) {
										worldtest.Must(t, g.Set(x, y, gridseg.Tile{
											Shape: gridseg.Full, Layer: layer,
											Material: uint16(way),
										}))
									}
								}
							}
							a := gridseg.Attr{Layer: layer, Material: uint16(way)}
							worldtest.Must(t, g.AddPolygon(1, 2, unit([2]int64{8, 0}, [2]int64{8, 8}, [2]int64{0, 8},
								[2]int64{0, 5}), a))
							worldtest.Must(
								t,
								g.AddPolygon(1, 1, unit([2]int64{0, 0}, [2]int64{8, 8}, [2]int64{0, 8}), a),
							)
							worldtest.Must(
								t,
								g.AddPolygon(1, 5-1, unit([2]int64{0, 0}, [2]int64{8, 8}, [2]int64{0, 8}), a),
							)
						}
						b := w.Add(geom.V(8.03, 3.03), j.shape)
						w.SetVelocity(b, v)
						return w, b
					}
					wa, a := run(false)
					wb, b := run(true)
					for range 150 {
						wa.Step(worldtest.DT)
						wb.Step(worldtest.DT)
						if a.Position() != b.Position() {
							t.Fatalf("%s: %s at %v, preserved %v, step %d: at %v, without one-way tiles %v", on.Name,
								j.name, v, preserve, wa.StepCount(), b.Position(), a.Position())
						}
					}
				}
				i++
			}
		}
	}
}

// TestOneWayDoor: a one-way door lets bodies pass in one direction only.
func TestOneWayDoor(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, c := range []struct {
			way    quarry.OneWay
			turn   geom.Rot
			passes bool
		}{
			{quarry.OneWayRight, geom.NewRot(0), true},
			{quarry.OneWayLeft, geom.NewRot(0), false},
			{quarry.OneWayUp, geom.NewRot(math.Pi / 2), true},
			{quarry.OneWayDown, geom.NewRot(math.Pi / 2), false},
		} {
			for _, speed := range []float64{2, 17, 110, 390} { // with a carrier at 9, below MaxSpeed
				for _, on := range worldtest.InTurn(i) {
					w := on.NewSiteOf(quarry.Config{})
					m := w.AddMaterial(quarry.Material{OneWay: c.way})
					g := w.AddGround(t)
					if err := g.Fill(gridseg.Rect{MinX: -9, MinY: -9, MaxX: 9, MaxY: 9},
						gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}); err != nil {
						t.Fatal(err)
					}
					b := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: c.turn.Apply(geom.V(-15, 0.03)),
						Velocity: c.turn.Apply(geom.V(speed, 0)), FixedRotation: true,
					}, j.shape, quarry.ShapeDef{})
					for range int(30/(speed*worldtest.DT)) + 1 {
						w.Step(worldtest.DT)
					}
					x, v := c.turn.Inv(w.Position(b)).X, c.turn.Inv(w.Velocity(b)).X
					if c.passes && (x < 14 || math.Abs(v-speed) > 1e-4) || !c.passes && x > -8 {
						t.Errorf("%s: %s at %v, %v: at %v, velocity %v", on.Name, j.name, speed, c.way, w.Position(b),
							w.Velocity(b))
					}
				}
				i++
			}
		}
	}
}

// TestOneWayCompound: a body of several shapes passes as a whole, and stands as a whole.
func TestOneWayCompound(t *testing.T) {
	for _, speed := range []float64{8, 9, 10, 11, 12, 13, 14, 16} {
		for _, on := range worldtest.Carriers() {
			run := func(tiles bool) (*worldtest.Site, quarry.Body) {
				w := on.NewSite()
				if tiles {
					platforms(t, w, "------------", "", "", "")
				}
				b := w.Add(geom.V(6.03, 1), geom.Circle{Center: geom.V(0, 0.8), Radius: 0.3})
				w.AddShape(b.ID(), geom.NewBox(0.3, 0.5), quarry.ShapeDef{})
				w.AddShape(b.ID(), geom.NewOffsetBox(0.2, 0.1, geom.V(0, 2), geom.Identity),
					quarry.ShapeDef{Massless: true})
				w.SetVelocity(b, geom.V(0, speed))
				return w, b
			}
			wa, a := run(false)
			wb, b := run(true)
			out := false
			for range 400 {
				wa.Step(worldtest.DT)
				wb.Step(worldtest.DT)
				out = out || wa.Position(a).Y-0.5 > 4
				if !out && a.Position() != b.Position() {
					t.Fatalf("at %v, step %d: at %v, in air %v", speed, wa.StepCount(), b.Position(), a.Position())
				}
			}
			if out {
				worldtest.Near(t, fmt.Sprint(on.Name, ": height, at ", speed), wb.Position(b).Y, 4.5, 2*geom.LinearSlop)
			}
		}
	}
}

// TestOneWayLift: a lift of one-way tiles rises through bodies in its way, carries bodies
// on it, and drops them on request, at any speed.
func TestOneWayLift(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, speed := range []float64{1, 5, 30, 150} {
			for _, on := range worldtest.InTurnFixed(i) {
				w := on.NewSite()
				way := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
				w.Floor(t, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
				up := w.Beside(quarry.Kinematic, geom.V(0, -4))
				g := worldtest.AddGround(t, w.World, up.ID())
				if err := g.Fill(gridseg.Rect{MinX: -9, MinY: 0, MaxX: 9, MaxY: 0},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(way)}); err != nil {
					t.Fatal(err)
				}
				b := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(0.03, j.down+0.2),
					FixedRotation: true,
				}, j.shape, quarry.ShapeDef{})
				w.Steps(30)
				w.SetVelocity(up, geom.V(0, speed))
				for range int(20 / speed / worldtest.DT) {
					w.Step(worldtest.DT)
				}
				w.SetVelocity(up, geom.Vec{})
				w.SetVelocity(b, geom.Vec{})
				for range 600 {
					w.Step(worldtest.DT)
				}
				what := fmt.Sprint(on.Name, ": ", j.name, " on a lift at ", speed)
				worldtest.Near(t, what, w.Position(b).Y, w.Position(up).Y+1+j.down, 2*geom.LinearSlop)
				b.DropThrough(0)
				w.Steps(300)
				worldtest.Near(t, what+", dropped", w.Position(b).Y, j.down, 2*geom.LinearSlop)
			}
			i++
		}
	}
}

// TestOneWayAllocatesNothing: a warm step among one-way and solid tiles, in whole cells
// and in parts of them, allocates nothing.
func TestOneWayAllocatesNothing(t *testing.T) {
	w := worldtest.Carriers()[0].NewSiteOf(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	g, way := platforms(t, w, "--------------", "#--##-/#\\-#--#", "#=          =#", "#            #", "##############")
	loops, err := gridseg.Circle(7, 2.2, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Unite(loops, gridseg.Attr{Material: uint16(way)}); err != nil {
		t.Fatal(err)
	}
	var all []quarry.Body
	for i, j := range jumpers() {
		all = append(all, w.Add(geom.V(2+1.3*float64(i), 6), j.shape))
	}
	i := 0
	run := func() {
		i++
		if b := all[i%len(all)]; i%20 == 0 {
			b.SetVelocity(geom.V(float64(i%7-3), 12))
		} else if i%7 == 0 {
			b.DropThrough(0.05)
		}
		w.Step(worldtest.DT)
	}
	for range 3000 {
		run()
	}
	if n := testing.AllocsPerRun(300, run); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}
