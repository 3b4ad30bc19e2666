package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// slide is one body on 200 cells of frictionless ground, of single tiles or of
// one unbroken segment.
type slide struct {
	shape geom.Shape
	start geom.Vec // of the origin, lying on the ground
	angle float64
	v     geom.Vec
	tiles []gridseg.Tile // one a column, repeated
	step  int            // rows up for each repetition
	tiled bool
}

func (s slide) world() (*quarry.World, quarry.Body) {
	w := quarry.NewWorld(awake)
	ice := w.AddMaterial(quarry.Material{})
	if s.tiled {
		g := ground(w)
		for x := range int32(seamCells) {
			y := x * int32(s.step) / int32(len(s.tiles))
			t := s.tiles[int(x)%len(s.tiles)]
			t.Material = uint16(ice)
			must(g.Set(x, y-1, t))
			must(g.Set(x, y-2, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}))
		}
	} else {
		rock := w.AddBody(quarry.BodyDef{})
		rise, y := float64(s.step)/float64(len(s.tiles)), 0.0
		if s.step > 0 {
			y = -1 // a slope begins at the foot of its first tile
		}
		w.AddShape(rock, geom.Segment{A: geom.V(0, y), B: geom.V(seamCells, y+seamCells*rise)},
			quarry.ShapeDef{Material: ice})
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: s.start, Angle: s.angle, Velocity: s.v})
	w.AddShape(id, s.shape, quarry.ShapeDef{Material: ice})
	b, _ := w.Body(id)
	return w, b
}

// TestSeamRun is law 1 of contact, as far as the first issue asks: every slider
// at every offset takes, over single tiles, the path it takes over one unbroken
// segment, and keeps its speed.
func TestSeamRun(t *testing.T) {
	for _, s := range Sliders() {
		for _, speed := range []float64{10, 9.7, 40} {
			worst, spin, lift := 0.0, 0.0, 0.0
			for k := range 10 {
				start := geom.V(1+float64(k)/10, s.Rest)
				run := slide{
					shape: s.Shape, start: start, v: geom.V(speed, 0),
					tiles: []gridseg.Tile{{Shape: gridseg.Full}},
				}
				wa, a := run.world()
				run.tiled = true
				wb, b := run.world()
				for step := 0; a.Position().X < seamCells-2; step++ {
					wa.Step(dt)
					wb.Step(dt)
					worst = max(worst, a.Position().Dist(b.Position()))
					spin = max(spin, math.Abs(b.AngularVelocity()))
					if step > 30 { // once it has settled
						lift = max(lift, math.Abs(b.Velocity().Y))
					}
				}
				if v := b.Velocity().X; math.Abs(v-speed) > 1e-6 {
					t.Errorf("%s at %v from %v: speed at the end %v", s.Name, speed, start.X, v)
				}
			}
			t.Logf("%-12s at %4v: path off by %.2g, normal velocity %.2g, spin %.2g", s.Name, speed, worst, lift, spin)
			if worst > 1e-6 {
				t.Errorf("%s at %v: leaves the unbroken path by %v", s.Name, speed, worst)
			}
		}
	}
}

// TestSeamRunSlopes is the same down slopes of one pitch.
func TestSeamRunSlopes(t *testing.T) {
	slopes := map[string]slide{
		"1:1": {tiles: []gridseg.Tile{{Shape: gridseg.Ramp}}, step: 1},
		"1:2": {tiles: []gridseg.Tile{{Shape: gridseg.SlopeLow}, {Shape: gridseg.SlopeHigh}}, step: 1},
	}
	for _, name := range []string{"1:1", "1:2"} {
		for _, s := range Sliders() {
			t.Run(fmt.Sprint(name, " ", s.Name), func(t *testing.T) {
				run := slopes[name]
				run.shape = s.Shape
				rise := float64(run.step) / float64(len(run.tiles))
				run.angle = geom.Atan2(rise, 1)
				// Up along the normal from a point of the surface near the top.
				n := geom.NewRot(run.angle).Apply(geom.V(0, 1))
				foot := geom.V(190.37, -1+float64(190.37*rise))
				run.start = foot.MulAdd(s.Rest, n)
				wa, a := run.world()
				run.tiled = true
				wb, b := run.world()
				worst, spin := 0.0, 0.0
				for a.Position().X > 3 {
					wa.Step(dt)
					wb.Step(dt)
					worst = max(worst, a.Position().Dist(b.Position()))
					spin = max(spin, math.Abs(b.AngularVelocity()))
				}
				t.Logf("path off by %.2g, spin %.2g, speed %.2f and %.2f", worst, spin, a.Velocity().Len(),
					b.Velocity().Len())
				if worst > 1e-6 {
					t.Errorf("leaves the unbroken path by %v", worst)
				}
			})
		}
	}
}

// TestCliff: over tiles the box goes off the edge as it came; over plain segments it
// trips, as the scene shows.
func TestCliff(t *testing.T) {
	in := cliff.New()
	var above, below quarry.Body
	for b := range in.World.Bodies() {
		if b.Type() == quarry.Dynamic {
			above, below = below, b
		}
	}
	for below.Position().X < 10.4 {
		in.Step()
		if v := below.Velocity(); v.X < seamSpeed-1e-6 {
			t.Fatalf("with ghosts: slowed to %v at %v", v, below.Position())
		}
		if s := below.AngularVelocity(); math.Abs(s) > 0.01 && below.Position().X < 9.9 {
			t.Fatalf("with ghosts: tripped, spin %v", s)
		}
		if in.World.StepCount() > 200 {
			t.Fatal("did not reach the edge")
		}
	}
	t.Logf("without ghosts: v %v spin %v; with: v %v spin %v", above.Velocity(), above.AngularVelocity(),
		below.Velocity(), below.AngularVelocity())
}
