package surfaces_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// BenchmarkOneWay steps three worlds of a hundred boxes in turn, so that a busy machine
// slows all three alike: on solid tiles; on solid tiles in a world with a one-way
// material; and on one-way tiles. It reports the median step of the first, and the ratios
// of the other medians to it.
func BenchmarkOneWay(b *testing.B) {
	for _, c := range []struct {
		name  string
		speed func(second int) geom.Vec // set again each second; nil leaves the boxes at rest
	}{
		{"resting", nil},
		{"sliding", func(second int) geom.Vec { return geom.V(1.5*float64(1-2*(second%2)), 0) }},
		{"hopping", func(int) geom.Vec { return geom.V(0, 4) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var worlds [3]*quarry.World
			var boxes [3][]quarry.Body
			for k := range worlds {
				worlds[k], boxes[k] = benchOneWayWorld(b, k > 0, k > 1)
			}
			var took [3][]time.Duration
			n := 0
			for b.Loop() {
				for i := range worlds {
					k := (i + n) % len(worlds)
					if c.speed != nil && n%60 == 0 {
						for _, box := range boxes[k] {
							box.SetVelocity(c.speed(n / 60))
						}
					}
					start := time.Now()
					worlds[k].Step(worldtest.DT)
					took[k] = append(took[k], time.Since(start))
				}
				n++
			}
			var median [3]float64
			for k := range took {
				slices.Sort(took[k])
				median[k] = float64(took[k][len(took[k])/2].Nanoseconds())
			}
			b.ReportMetric(median[0], "ns/solid")
			b.ReportMetric(median[1]/median[0], "elsewhere/solid")
			b.ReportMetric(median[2]/median[0], "one-way/solid")
		})
	}
}

// benchOneWayWorld makes a floor with a hundred boxes at rest on it. With is, the world
// has a one-way material; with on, the floor is made of it.
func benchOneWayWorld(tb testing.TB, is, on bool) (*quarry.World, []quarry.Body) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	var m quarry.MaterialID
	if is {
		m = w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
	}
	if !on {
		m = 0
	}
	g := worldtest.AddGround(tb, w, 0)
	worldtest.Must(tb, g.Fill(gridseg.Rect{MinX: 0, MinY: -3, MaxX: 200, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
	var boxes []quarry.Body
	for i := range 100 {
		boxes = append(boxes, worldtest.Add(w, geom.V(1.3+2*float64(i), 0.4), geom.NewBox(0.4, 0.4)))
	}
	worldtest.Steps(w, 60)
	return w, boxes
}

// BenchmarkManyShapes steps one body of many boxes at rest: a row of them on solid tiles, in worlds without a one-way
// material, with one that no tile has, and with one that a tile away from the body has; a row on one-way tiles, half on
// those and half on solid ones, and on a one-way slope; and a square of them across a one-way platform.
func BenchmarkManyShapes(b *testing.B) {
	for _, ground := range []string{
		"solid", "elsewhere-material", "elsewhere-tile", "one-way", "half", "slope",
		"across",
	} {
		for _, n := range []int{125, 1000} {
			b.Run(fmt.Sprintf("%s/%d", ground, n), func(b *testing.B) {
				w, _ := manyShapes(b, ground, n, 1)
				b.ReportAllocs()
				for b.Loop() {
					w.Step(worldtest.DT)
				}
			})
		}
	}
}

// manyShapes makes a body of n boxes at rest on one kind of ground; see BenchmarkManyShapes.
func manyShapes(tb testing.TB, ground string, n, workers int) (*quarry.World, quarry.Body) {
	gravity := geom.V(0, -10)
	if ground == "slope" {
		gravity = geom.V(7, -7)
	}
	w := quarry.NewWorld(quarry.Config{Gravity: gravity, NoSleep: true, Workers: workers})
	solid, way := gridseg.Tile{Shape: gridseg.Full}, gridseg.Tile{Shape: gridseg.Full}
	if ground != "solid" {
		way.Material = uint16(w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp}))
	}
	g := worldtest.AddGround(tb, w, 0)
	at, angle, side := geom.V(5, 0.1), 0.0, 1<<30
	switch ground {
	case "one-way":
		solid = way
	case "half":
		worldtest.Must(tb, g.Fill(gridseg.Rect{MinX: 5 + int32(n/20), MinY: -3, MaxX: 200, MaxY: -1}, way))
	case "elsewhere-tile":
		worldtest.Must(tb, g.Set(-5, 50, way))
	case "slope":
		for x := range int32(n/10 + 20) {
			worldtest.Must(tb, g.Set(x, x, gridseg.Tile{Shape: gridseg.Ramp, Material: way.Material}))
		}
		at, angle = geom.V(5, 5.2), math.Pi/4
	case "across":
		side = int(math.Sqrt(float64(n)))
		worldtest.Must(tb, g.Fill(gridseg.Rect{MinX: 0, MinY: 1, MaxX: 20, MaxY: 1}, way))
	}
	for x := int32(-10); ground != "slope" && x <= 200; x++ {
		for y := int32(-3); y <= -1; y++ {
			if g.Tile(x, y).Shape == 0 {
				worldtest.Must(tb, g.Set(x, y, solid))
			}
		}
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: angle})
	for k := range n {
		box := geom.NewOffsetBox(0.05, 0.05, geom.V(float64(k%side)*0.1, float64(k/side)*0.1), geom.Identity)
		w.AddShape(id, box, quarry.ShapeDef{})
	}
	worldtest.Steps(w, 60)
	body, _ := w.Body(id)
	return w, body
}
