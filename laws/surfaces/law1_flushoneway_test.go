package surfaces_test

import (
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
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: from, MinY: -2, MaxX: to - 1, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: 2}))
	}}
}

// TestSeamOfPlatform: a shape without friction that slides from a surface onto the one-way tops of another ground,
// flush within a lattice step, or back, keeps its height, angle and speed.
func TestSeamOfPlatform(t *testing.T) {
	parts := append(floorParts(), platform())
	for i, first := range parts {
		for j, second := range parts {
			if i < len(floorParts()) && j < len(floorParts()) {
				continue
			}
			slideOver(t, first, second, []float64{1.7, 9.7, 40})
		}
	}
}
