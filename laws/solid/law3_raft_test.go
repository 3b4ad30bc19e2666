package solid_test

import (
	"testing"

	"pgregory.net/rapid"

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

// strip returns tiles in a row of n cells from cell 0, with the lower part of each cell full, up to high (cells).
func strip(t worldtest.Failer, n int32, high float64) *gridseg.Grid {
	g, h := gridseg.New(nil), int64(high*gridseg.Unit)
	for x := range n {
		worldtest.Must(t, g.Add(x, 0, [][]gridseg.Point{{
			{X: 0, Y: 0}, {X: gridseg.Unit, Y: 0}, {X: gridseg.Unit, Y: h}, {X: 0, Y: h},
		}}, gridseg.Attr{}))
	}
	return g
}

// TestPlankInTray: planks of all lengths and heights lie still on the floor of a tray with thin walls, on a dynamic
// body. (The whole tray is less than a quarter of the plank's length below the plank's top, since its walls rise beyond
// the bottom. So the plank was compared as if it were under the tray, and fell through floors of up to an eighth.)
func TestPlankInTray(t *testing.T) {
	for _, wall := range []float64{1.0 / 32, 1.0 / 16, 1.0 / 8} {
		for _, long := range []float64{0.3, 0.5, 0.8, 1.2, 2} {
			for _, half := range []float64{0.01, 0.02, 0.03, 0.05, 0.1} {
				w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
				worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(20, 1, geom.V(0, -6), geom.Identity),
					quarry.ShapeDef{})
				g, side := strip(t, 6, wall), int64(wall*gridseg.Unit)
				for y := range int32(3) {
					for x, at := range map[int32]int64{-1: gridseg.Unit - side, 6: 0} {
						worldtest.Must(t, g.Add(x, y, [][]gridseg.Point{{
							{X: at, Y: 0},
							{X: at + side, Y: 0},
							{X: at + side, Y: gridseg.Unit},
							{X: at, Y: gridseg.Unit},
						}}, gridseg.Attr{}))
					}
				}
				id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-3, -5)})
				_, err := w.AddGround(id, quarry.GroundDef{Grid: g})
				worldtest.Must(t, err)
				tray, _ := w.Body(id)
				plank := worldtest.Add(w, geom.V(0.3, -4.5), geom.NewBox(long, half))
				for range 300 {
					w.Step(worldtest.DT)
				}
				if y := tray.LocalPoint(plank.Position()).Y - half - wall; y < -0.02 || y > 0.02 || plank.Awake() {
					t.Errorf("walls %v, plank %v x %v: %v above the floor, awake %v", wall, 2*long, 2*half, y,
						plank.Awake())
				}
			}
		}
	}
}

// TestThinFloorUnderRaft: rafts of tiles at least 1/8 high that land on a thin plate or a segment at up to 8 units/s,
// by a motion that no sweep looks at, do not pass it. Its thickness is less than the way of a step, and its centroid
// may be far from the raft. (Thinner rafts may pass it: a ground has the gate of a full block, and a raft of 1/32
// moves by more than its height in a step.)
func TestThinFloorUnderRaft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		half := rapid.SampledFrom([]float64{0, 0.005, 0.01, 0.02, 0.05, 0.1}).Draw(t, "half")
		long := rapid.SampledFrom([]float64{0.5, 2, 8, 50}).Draw(t, "long")
		var s geom.Shape = geom.Segment{A: geom.V(-long, 0), B: geom.V(long, 0)}
		if half > 0 {
			s = geom.NewBox(long, half)
		}
		floor := worldtest.AddBody(w, quarry.BodyDef{
			Type:  rapid.SampledFrom([]quarry.BodyType{quarry.Static, quarry.Kinematic}).Draw(t, "type"),
			Angle: rapid.SampledFrom([]float64{0, 0.2, -0.5}).Draw(t, "slope"),
		}, s, quarry.ShapeDef{})
		wide := rapid.Int32Range(1, 5).Draw(t, "wide")
		g := strip(t, wide, rapid.SampledFrom([]float64{0.125, 0.5, 1}).Draw(t, "high"))
		up := floor.WorldVector(geom.V(0, 1))
		at := floor.WorldPoint(geom.V(f(-0.5, 0.5, "x")*long, f(0.2, 0.5, "y")+0.5*float64(wide)))
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: at.Sub(geom.V(0.5*float64(wide), 0)), Angle: f(-0.5, 0.5, "angle"),
			Velocity: up.Mul(-f(0, 8, "speed")), AngularVelocity: f(-1, 1, "spin"),
		})
		_, err := w.AddGround(id, quarry.GroundDef{Grid: g})
		worldtest.Must(t, err)
		raft, _ := w.Body(id)
		for step := range 120 {
			was := floor.LocalPoint(raft.CenterOfMass())
			w.Step(worldtest.DT)
			if now := floor.LocalPoint(raft.CenterOfMass()); was.Y > 0 && now.Y < -0.02 && max(now.X, -now.X) < long {
				t.Fatalf("step %d: the raft passes the floor, from %v to %v", step, was, now)
			}
		}
	})
}
