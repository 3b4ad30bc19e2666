package seams

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// platform is a floor of one-way tiles, of material 2.
func platform() floorPart {
	return floorPart{"platform", 2, func(t worldtest.Failer, w *worldtest.Site, from, to int32, d geom.Vec) {
		w.AddMaterial(quarry.Material{OneWay: quarry.OneWayUp})
		g := worldtest.AddGround(t, w.World, w.Beside(w.Carrier.Type(), d).ID())
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: from, MinY: -2, MaxX: to - 1, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full, Material: 2}))
	}}
}

// TestSeamOfPlatform: a shape without friction that slides from a surface onto the one-way tops of another ground, flush
// within a lattice step, or back, keeps its height, angle and speed.
func TestSeamOfPlatform(t *testing.T) {
	shapes := []struct {
		name  string
		shape geom.Shape
		fixed bool
		low   float64 // of the body above the floor
	}{
		{"fixed box", geom.NewBox(0.4, 0.4), true, 0.4},
		{"box", geom.NewBox(0.4, 0.4), false, 0.4},
		{"plank", geom.NewBox(1.5, 0.1), false, 0.1},
		{"rounded box", geom.NewRoundedBox(0.3, 0.3, 0.1), false, 0.4},
		{"circle", geom.Circle{Radius: 0.4}, false, 0.4},
		{"capsule", geom.Capsule{A: geom.V(0, -0.4), B: geom.V(0, 0.4), Radius: 0.3}, true, 0.7},
		{"lying capsule", geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.3}, false, 0.3},
	}
	parts := append(floorParts(), platform())
	for i, first := range parts {
		for j, second := range parts {
			if i < len(floorParts()) && j < len(floorParts()) {
				continue
			}
			for _, s := range shapes {
				t.Run(fmt.Sprintf("%s/%s/%s", first.name, second.name, s.name), func(t *testing.T) {
					worldtest.OnCarriers(t, func(t *testing.T, c worldtest.Carrier) {
						speeds, offsets := []float64{1.7, 9.7, 40}, []geom.Vec{{}, geom.V(1.0/4096, 0), geom.V(0, -1.0/4096), geom.V(0, 1.0/4096)}
						if !c.AtRest() {
							speeds, offsets = speeds[1:2], offsets[:2]
						}
						for _, speed := range speeds {
							for _, offset := range offsets {
								slideAcross(t, c, first, second, s.shape, s.fixed, s.low, speed, offset)
							}
						}
					})
				})
			}
		}
	}
}
