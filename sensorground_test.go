package quarry_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSensorsSeeMovingGround: after each step, the pairs of a sensor and a ground that have begun and not ended are those that
// overlap at the end of the step, by the distance of the sensor and a box of the ground's outline, unless that is near 0; of
// static grounds there is none. Shape.AppendGrounds and Ground.AppendSensors have the same pairs; a tile that is dug away
// or put in the way counts at the end of the next step.
func TestSensorsSeeMovingGround(t *testing.T) {
	type pair struct {
		sensor quarry.ShapeID
		ground quarry.GroundID
	}
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		type thing struct {
			body  quarry.Body
			core  geom.Core
			shape quarry.Shape
			tiles quarry.Ground
			room  gridseg.Rect
		}
		var sensors, grounds []thing
		fast := rapid.SampledFrom([]float64{1, 1, 10, 60}).Draw(t, "fast")
		for k := range 6 {
			id := w.AddBody(quarry.BodyDef{
				Type:            quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")),
				Position:        geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(-4, 4).Draw(t, "y")),
				Velocity:        geom.V(rapid.Float64Range(-5, 5).Draw(t, "vx"), rapid.Float64Range(-5, 5).Draw(t, "vy")).Mul(fast),
				AngularVelocity: rapid.SampledFrom([]float64{0, 0, 3, 60}).Draw(t, "spin"),
			})
			x := thing{}
			x.body, _ = w.Body(id)
			if k < 3 {
				g := rapid.SampledFrom([]geom.Shape{
					geom.Circle{Radius: 0.7}, geom.NewBox(1, 0.5), geom.Segment{A: geom.V(-1, 0), B: geom.V(1, 0)},
				}).Draw(t, "shape")
				x.core = geom.NewCore(g)
				x.shape, _ = w.Shape(w.AddShape(id, g, quarry.ShapeDef{Sensor: true}))
				sensors = append(sensors, x)
				continue
			}
			x.room = gridseg.Rect{MinX: -1, MinY: -1, MaxX: rapid.Int32Range(-1, 2).Draw(t, "wide"), MaxY: rapid.Int32Range(-1, 2).Draw(t, "high")}
			grid := gridseg.New(nil)
			worldtest.Must(t, grid.Fill(x.room, gridseg.Tile{Shape: gridseg.Full}))
			gid, err := w.AddGround(id, quarry.GroundDef{Grid: grid})
			worldtest.Must(t, err)
			x.tiles, _ = w.Ground(gid)
			grounds = append(grounds, x)
		}
		on := map[pair]bool{}
		for k := range 60 {
			switch x := &grounds[rapid.IntRange(0, 2).Draw(t, "ground")]; {
			case k%20 == 19:
				x.body.SetTransform(geom.V(rapid.Float64Range(-4, 4).Draw(t, "to x"), 0), 1)
			case k%20 == 9: // one column more or less
				edge := x.room
				if edge.MinX = edge.MaxX; x.room.MaxX > -1 && rapid.Bool().Draw(t, "dig") {
					worldtest.Must(t, x.tiles.Fill(edge, gridseg.Tile{}))
					x.room.MaxX--
				} else {
					edge.MinX, edge.MaxX = edge.MinX+1, edge.MaxX+1
					worldtest.Must(t, x.tiles.Fill(edge, gridseg.Tile{Shape: gridseg.Full}))
					x.room.MaxX++
				}
			}
			w.Step(worldtest.DT)
			for _, e := range w.SensorBegins() {
				p := pair{e.ShapeB, e.Ground}
				if on[p] || e.ShapeA != 0 {
					t.Fatalf("step %d: a second begin: %+v", k, e)
				}
				on[p] = true
			}
			for _, e := range w.SensorEnds() {
				p := pair{e.ShapeB, e.Ground}
				if !on[p] {
					t.Fatalf("step %d: %+v ended without a begin", k, e)
				}
				delete(on, p)
			}
			for _, s := range sensors {
				for _, g := range grounds {
					p := pair{s.shape.ID(), g.tiles.ID()}
					lo, hi := geom.V(float64(g.room.MinX), float64(g.room.MinY)), geom.V(float64(g.room.MaxX+1), float64(g.room.MaxY+1))
					half := hi.Sub(lo).Mul(0.5)
					box := geom.NewCore(geom.NewOffsetBox(half.X, half.Y, lo.Add(half), geom.Identity))
					gap, _, _ := geom.Gap(&box, &s.core, g.body.Transform().InvMul(s.body.Transform()))
					if g.body.Type() == quarry.Static {
						gap = 1
					}
					if (gap < -geom.LinearSlop && !on[p]) || (gap > geom.LinearSlop && on[p]) {
						t.Fatalf("step %d: %v are %g apart, told to overlap: %v", k, p, gap, on[p])
					}
					a, b := slices.Contains(s.shape.AppendGrounds(nil), p.ground), slices.Contains(g.tiles.AppendSensors(nil), p.sensor)
					if a != on[p] || b != on[p] {
						t.Fatalf("step %d: %v overlap: %v, asked: %v and %v", k, p, on[p], a, b)
					}
				}
			}
			if data := w.AppendSnapshot(nil); k == 30 {
				worldtest.Must(t, w.Restore(data))
			}
		}
	})
}

// TestSensorsCrossedByGround: a raft that crosses a thin sensor within a step, or that a sensor crosses, has one begin and one
// end; a raft that a wall stops before the sensor has none.
func TestSensorsCrossedByGround(t *testing.T) {
	for _, speed := range []float64{3, 30, 100, 300} {
		for kind := range 4 {
			for k := range 20 {
				w := quarry.NewWorld(quarry.Config{})
				of := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.1*float64(k), -0.5), Velocity: geom.V(speed, 0)}
				on := quarry.BodyDef{Position: geom.V(10, 0)}
				switch kind {
				case 1:
					of.Type = quarry.Kinematic
				case 2:
					of.Velocity, on.Type, on.Velocity = geom.Vec{}, quarry.Kinematic, geom.V(-speed, 0)
				case 3:
					w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(6, 0)}), geom.NewBox(0.1, 4), quarry.ShapeDef{})
				}
				w.AddShape(w.AddBody(on), geom.NewBox(0.05, 2), quarry.ShapeDef{Sensor: true})
				grid := gridseg.New(nil)
				worldtest.Must(t, grid.Set(0, 0, gridseg.Tile{Shape: gridseg.Full}))
				_, err := w.AddGround(w.AddBody(of), quarry.GroundDef{Grid: grid})
				worldtest.Must(t, err)
				want := 1
				if kind == 3 {
					want = 0
				}
				if b, e := sensed(t, w, int(14/speed/worldtest.DT)+3); b != want || e != want {
					t.Errorf("kind %d at %v, number %d: %d beginnings, %d ends, not %d", kind, speed, k, b, e, want)
				}
			}
		}
	}
}

// TestSensorOnTiles: a sensor on a body of tiles sees the shapes and grounds that it meets, and not its own tiles.
func TestSensorOnTiles(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	ship := addRaft(t, w, geom.V(0, 0), 0, 3, 1)
	hold := w.AddShape(ship.Body().ID(), geom.NewOffsetBox(0.5, 0.5, geom.V(1.5, 1.5), geom.Identity), quarry.ShapeDef{Sensor: true, Massless: true})
	cargo := worldtest.Add(w, geom.V(1.5, 5), geom.Circle{Radius: 0.3})
	cargo.SetVelocity(geom.V(0, -3))
	other := addRaft(t, w, geom.V(5.5, 1.2), 0, 1, 1)
	other.Body().SetVelocity(geom.V(-3, 0))
	worldtest.Steps(w, 80)
	s, _ := w.Shape(hold)
	if n := len(s.AppendOverlaps(nil)); n != 1 {
		t.Errorf("%d shapes in the hold", n)
	}
	if g := s.AppendGrounds(nil); len(g) != 1 || g[0] != other.ID() {
		t.Errorf("grounds in the hold: %v", g)
	}
}
