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

// floorPart lays a floor with its top at y = 0 from x = from to to, whole numbers, of one kind of surface,
// shifted by d.
type floorPart struct {
	name      string
	thickness float64
	lay       func(t worldtest.Failer, w *worldtest.Site, from, to int32, d geom.Vec)
}

func floorParts() []floorPart {
	ground := func(t worldtest.Failer, w *worldtest.Site, from, to int32, d geom.Vec) {
		g := worldtest.AddGround(t, w.World, w.Beside(w.Carrier.Type(), d).ID())
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: from, MinY: -3, MaxX: to - 1, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: 1}))
	}
	// The shapes and chains of a dynamic body have no seams, so they are on a kinematic one.
	fixed := func(w *worldtest.Site) quarry.BodyType { return min(w.Carrier.Type(), quarry.Kinematic) }
	box := func(kind quarry.BodyType, height float64) func(t worldtest.Failer, w *worldtest.Site, from, to int32,
		d geom.Vec) {
		return func(_ worldtest.Failer, w *worldtest.Site, from, to int32, d geom.Vec) {
			half := float64(to-from) / 2
			on := w.Beside(max(kind, fixed(w)), geom.V(float64(from)+half, -height).Add(d))
			w.AddShape(on.ID(), geom.NewBox(half, height), quarry.ShapeDef{Material: 1})
		}
	}
	chain := func(t worldtest.Failer, w *worldtest.Site, from, to int32, d geom.Vec) {
		_, err := w.AddChain(w.Beside(fixed(w), d).ID(), quarry.ChainDef{
			Points: []geom.Vec{geom.V(float64(to), 0), geom.V(float64(from), 0)}, Materials: []quarry.MaterialID{1},
		})
		worldtest.Must(t, err)
	}
	return []floorPart{
		{"ground", 3, ground},
		{"box", 2, box(quarry.Static, 1)},
		{"plank", 0.2, box(quarry.Static, 0.1)},
		{"lift", 0.5, box(quarry.Kinematic, 0.25)},
		{"chain", 0, chain},
	}
}

// slider is a shape that slides over seams.
type slider struct {
	name  string
	shape geom.Shape
	fixed bool
	low   float64 // of the body above the floor
}

func sliders() []slider {
	return []slider{
		{"fixed box", geom.NewBox(0.4, 0.4), true, 0.4},
		{"box", geom.NewBox(0.4, 0.4), false, 0.4},
		{"plank", geom.NewBox(1.5, 0.1), false, 0.1},
		{"rounded box", geom.NewRoundedBox(0.3, 0.3, 0.1), false, 0.4},
		{"circle", geom.Circle{Radius: 0.4}, false, 0.4},
		{"capsule", geom.Capsule{A: geom.V(0, -0.4), B: geom.V(0, 0.4), Radius: 0.3}, true, 0.7},
		{"lying capsule", geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.3}, false, 0.3},
	}
}

// TestSeamOfTwoSurfaces: a shape without friction that slides from one surface onto another, flush within a
// lattice step, keeps its height, angle and speed.
func TestSeamOfTwoSurfaces(t *testing.T) {
	for _, first := range floorParts() {
		for _, second := range floorParts() {
			slideOver(t, first, second, []float64{0.7, 6, 9.7, 40})
		}
	}
}

// slideOver slides each shape from one surface onto another, flush within a lattice step: at each speed over one that
// is at rest, at the second one alone over others.
func slideOver(t *testing.T, first, second floorPart, speeds []float64) {
	t.Helper()
	for _, s := range sliders() {
		t.Run(fmt.Sprintf("%s/%s/%s", first.name, second.name, s.name), func(t *testing.T) {
			worldtest.OnCarriers(t, func(t *testing.T, c worldtest.Carrier) {
				speeds, offsets := speeds, []geom.Vec{{}, geom.V(1.0/4096, 0), geom.V(0, -1.0/4096), geom.V(0,
					1.0/4096)}
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

func slideAcross(t *testing.T, c worldtest.Carrier, first, second floorPart, shape geom.Shape, fixed bool,
	low, speed float64, offset geom.Vec,
) {
	t.Helper()
	w := c.NewSite()
	w.AddMaterial(quarry.Material{})
	ahead := math.Ceil(max(3, speed*1.2))
	first.lay(t, w, int32(-ahead), 0, geom.Vec{})
	second.lay(t, w, 0, int32(ahead), offset)
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-speed*0.5-1.6, low), FixedRotation: fixed},
		shape, quarry.ShapeDef{Material: 1})
	worldtest.Steps(w.World, 30)
	w.SetVelocity(b, geom.V(speed, 0))
	from := w.Position(b)
	for w.Position(b).X < min(speed*0.5, 1.5) {
		w.Step(1.0 / 60)
		rise, v, spin := w.Position(b).Y-from.Y, w.Velocity(b), b.AngularVelocity()
		lift := 2e-3
		if math.Abs(rise) > lift || math.Abs(v.Y) > 0.05+2*math.Abs(offset.Y)*60 || math.Abs(v.X-speed) > 1e-3*speed+
			0.01*math.Abs(offset.Y)*4096 || math.Abs(spin) > 0.05+200*math.Abs(offset.Y) {
			t.Errorf("speed %v, second surface shifted by %v: at %v, rise %.2g, velocity %v, spin %.2g", speed, offset,
				w.Position(b), rise, v, spin)
			return
		}
	}
}
