package solid_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSmallShapeOnThinRaft is law 3 of contact for a dynamic ground at rest: a plate of tiles is passed by no shape
// that moves by more than half of its own inner radius in a step. (Shapes that moved by less than 0.1 units were not
// swept against a ground that hardly moved: posts of 0.05 units passed a plate of 1/32 cell. Then boxes hung above the
// plate at full speed for ever: the narrow phase took the side of the small box away from the plate for the one that
// faces it, since the whole plate is within half a unit of both.)
func TestSmallShapeOnThinRaft(t *testing.T) {
	thin := []gridseg.Point{
		{X: 0, Y: 0},
		{X: gridseg.Unit, Y: 0},
		{X: gridseg.Unit, Y: gridseg.Unit / 32},
		{X: 0, Y: gridseg.Unit / 32},
	}
	for _, s := range []geom.Shape{geom.Circle{Radius: 0.04}, geom.NewBox(0.04, 0.04), geom.Capsule{
		A: geom.V(-0.1, 0),
		B: geom.V(0.1, 0), Radius: 0.02,
	}} {
		for _, speed := range []float64{2, 4, 5.5} {
			for k := range 20 {
				w := quarry.NewWorld(quarry.Config{})
				g := gridseg.New(nil)
				for x := int32(-4); x < 4; x++ {
					worldtest.Must(t, g.Add(x, 0, [][]gridseg.Point{thin}, gridseg.Attr{}))
				}
				id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
				_, err := w.AddGround(id, quarry.GroundDef{Grid: g})
				worldtest.Must(t, err)
				raft, _ := w.Body(id)
				b := worldtest.Add(w, geom.V(0.3, 0.5+0.005*float64(k)), s)
				b.SetVelocity(geom.V(0, -speed))
				for range 60 {
					w.Step(worldtest.DT)
				}
				if y := raft.LocalPoint(b.Position()).Y; y < 0 {
					t.Errorf("%T at %v from %v: through, at %v", s, speed, 0.5+0.005*float64(k), y)
				} else if v := b.Velocity(); v.Dist(raft.VelocityAt(b.Position())) > 0.1 {
					t.Errorf("%T at %v from %v: the plate does not stop it: velocity %v", s, speed,
						0.5+0.005*float64(k), v)
				}
			}
		}
	}
}
