package oneway_test

import (
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
		speed func(second int) geom.Vec // set anew each second; nil leaves the boxes at rest
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
	worldtest.Must(tb, g.Fill(gridseg.Rect{MinX: 0, MinY: -3, MaxX: 200, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
	var boxes []quarry.Body
	for i := range 100 {
		boxes = append(boxes, worldtest.Add(w, geom.V(1.3+2*float64(i), 0.4), geom.NewBox(0.4, 0.4)))
	}
	worldtest.Steps(w, 60)
	return w, boxes
}
