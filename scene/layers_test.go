package scene

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/lattice"
)

// TestLayers: the preserved copy has the faces between rock and sand, the other has not,
// and bodies move alike on both.
func TestLayers(t *testing.T) {
	in := layers.New()
	var segments [2]int
	k := 0
	for g := range in.World.Grounds() {
		_, segments[k] = g.Grid().Count()
		if g.Grid().Engine(lattice.Key{}).Preserves() != (k == 0) {
			t.Errorf("ground %d preserves: %v", k, g.Grid().Engine(lattice.Key{}).Preserves())
		}
		k++
	}
	if segments[0] < 2*segments[1] {
		t.Errorf("%d segments where layers are preserved, %d where not", segments[0], segments[1])
	}
	var copies [2][]quarry.Body
	for b := range in.World.Bodies() {
		if b.Type() == quarry.Dynamic {
			k := 0
			if b.Position().Y > layersApart {
				k = 1
			}
			copies[k] = append(copies[k], b)
		}
	}
	if len(copies[0]) != len(Kinds()) || len(copies[1]) != len(Kinds()) {
		t.Fatalf("%d and %d bodies", len(copies[0]), len(copies[1]))
	}
	for range layers.Steps {
		in.Step()
		for i, low := range copies[0] {
			if d := copies[1][i].Position().Sub(low.Position()).Dist(geom.V(0, layersApart)); d > 1e-6 {
				t.Fatalf("step %d: the %s above is %g from where it is below", in.World.StepCount(), Kinds()[i], d)
			}
		}
	}
}
