package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestSensorsSeeMovingGround: after each step, the pairs of a sensor and a ground that have begun and not ended are
// those that overlap at the end of the step, by the distance of the sensor and a box of the ground's outline, unless
// that is near 0; of static grounds of sensors with SenseGround that are on bodies that may move. Shape.AppendGrounds
// and Ground.AppendSensors have the same pairs; a tile that is dug away or put in the way counts at the end of the next
// step.
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
				Type:     quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")),
				Position: geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(-4, 4).Draw(t, "y")),
				Velocity: geom.V(rapid.Float64Range(-5, 5).Draw(t, "vx"), rapid.Float64Range(-5, 5).Draw(t,
					"vy")).Mul(fast),
				AngularVelocity: rapid.SampledFrom([]float64{0, 0, 3, 60}).Draw(t, "spin"),
			})
			x := thing{}
			x.body, _ = w.Body(id)
			if k < 3 {
				g := rapid.SampledFrom([]geom.Shape{
					geom.Circle{Radius: 0.7}, geom.NewBox(1, 0.5), geom.Segment{A: geom.V(-1, 0), B: geom.V(1, 0)},
				}).Draw(t, "shape")
				x.core = geom.NewCore(g)
				d := quarry.ShapeDef{Sensor: true}
				if rapid.Bool().Draw(t, "senses static ground") {
					d.Flags = quarry.SenseGround
				}
				x.shape, _ = w.Shape(w.AddShape(id, g, d))
				sensors = append(sensors, x)
				continue
			}
			x.room = gridseg.Rect{
				MinX: -1, MinY: -1, MaxX: rapid.Int32Range(-1, 2).Draw(t, "wide"),
				MaxY: rapid.Int32Range(-1, 2).Draw(t, "high"),
			}
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
			case k%20 == 14:
				s := sensors[rapid.IntRange(0, 2).Draw(t, "sensor")].shape
				s.SetFlags(s.Flags() ^ quarry.SenseGround)
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
					lo, hi := geom.V(float64(g.room.MinX), float64(g.room.MinY)), geom.V(float64(g.room.MaxX+1),
						float64(g.room.MaxY+1))
					half := hi.Sub(lo).Mul(0.5)
					box := geom.NewCore(geom.NewOffsetBox(half.X, half.Y, lo.Add(half), geom.Identity))
					gap, _, _ := geom.Gap(&box, &s.core, g.body.Transform().InvMul(s.body.Transform()))
					if g.body.Type() == quarry.Static && (s.shape.Flags() != quarry.SenseGround ||
						s.body.Type() == quarry.Static) {
						gap = 1
					}
					if (gap < -geom.LinearSlop && !on[p]) || (gap > geom.LinearSlop && on[p]) {
						t.Fatalf("step %d: %v are %g apart, told to overlap: %v", k, p, gap, on[p])
					}
					a, b := slices.Contains(s.shape.AppendGrounds(nil), p.ground),
						slices.Contains(g.tiles.AppendSensors(nil), p.sensor)
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

// TestSensorsCrossedByGround: a raft that crosses a thin sensor within a step, or that a sensor crosses, has one begin
// and one end; a raft that a wall stops before the sensor has none.
func TestSensorsCrossedByGround(t *testing.T) {
	for _, speed := range []float64{3, 30, 100, 300} {
		for kind := range 4 {
			for k := range 20 {
				w := quarry.NewWorld(quarry.Config{})
				of := quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(0.1*float64(k), -0.5),
					Velocity: geom.V(speed, 0),
				}
				on := quarry.BodyDef{Position: geom.V(10, 0)}
				switch kind {
				case 1:
					of.Type = quarry.Kinematic
				case 2:
					of.Velocity, on.Type, on.Velocity = geom.Vec{}, quarry.Kinematic, geom.V(-speed, 0)
				case 3:
					w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(6, 0)}), geom.NewBox(0.1, 4),
						quarry.ShapeDef{})
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
	ship := worldtest.Raft(t, w, geom.V(0, 0), 0, 3, 1)
	hold := w.AddShape(ship.Body().ID(), geom.NewOffsetBox(0.5, 0.5, geom.V(1.5, 1.5), geom.Identity),
		quarry.ShapeDef{Sensor: true, Massless: true})
	cargo := worldtest.Add(w, geom.V(1.5, 5), geom.Circle{Radius: 0.3})
	cargo.SetVelocity(geom.V(0, -3))
	other := worldtest.Raft(t, w, geom.V(5.5, 1.2), 0, 1, 1)
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

// TestSensorsSeeChains: with SenseGround, the chains that a sensor on a body that moves overlaps at the end of each
// step are those whose segments overlap it, unless nearly; without it there is none.
func TestSensorsSeeChains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		body := func(types ...quarry.BodyType) quarry.Body {
			b, _ := w.Body(w.AddBody(quarry.BodyDef{
				Type:     rapid.SampledFrom(types).Draw(t, "type"),
				Position: geom.V(rapid.Float64Range(-3, 3).Draw(t, "x"), rapid.Float64Range(-3, 3).Draw(t, "y")),
				Velocity: geom.V(rapid.Float64Range(-5, 5).Draw(t, "vx"), rapid.Float64Range(-5, 5).Draw(t,
					"vy")),
				AngularVelocity: rapid.Float64Range(-2, 2).Draw(t, "spin"),
			}))
			return b
		}
		points := []geom.Vec{{X: 2}, {X: 1, Y: 0.5}, {X: -1}, {X: -2, Y: -1}}
		line := body(quarry.Static, quarry.Kinematic)
		chain, err := w.AddChain(line.ID(), quarry.ChainDef{Points: points})
		worldtest.Must(t, err)
		seer := body(quarry.Static, quarry.Kinematic, quarry.Dynamic)
		d := quarry.ShapeDef{Sensor: true}
		if rapid.Bool().Draw(t, "senses") {
			d.Flags = quarry.SenseGround
		}
		g := rapid.SampledFrom([]geom.Shape{geom.Circle{Radius: 0.7}, geom.NewBox(1, 0.5)}).Draw(t, "shape")
		sensor, _ := w.Shape(w.AddShape(seer.ID(), g, d))
		on := false
		for k := range 60 {
			w.Step(worldtest.DT)
			for _, e := range w.SensorBegins() {
				if on || e.Chain != chain || e.ShapeB != sensor.ID() {
					t.Fatalf("step %d: %+v, before: %v", k, e, on)
				}
				on = true
			}
			for _, e := range w.SensorEnds() {
				if !on || e.Chain != chain {
					t.Fatalf("step %d: %+v, before: %v", k, e, on)
				}
				on = false
			}
			gap := 1.0
			if d.Flags != 0 && (seer.Type() != quarry.Static || line.Type() != quarry.Static) {
				at, of := line.Transform().InvMul(seer.Transform()), geom.NewCore(g)
				for i := range len(points) - 1 {
					segment := geom.NewCore(geom.Segment{A: points[i], B: points[i+1]})
					near, _, _ := geom.Gap(&segment, &of, at)
					gap = min(gap, near)
				}
			}
			if has := len(sensor.AppendChains(nil)) > 0; has != on || gap < -geom.LinearSlop && !on ||
				gap > geom.LinearSlop && on {
				t.Fatalf("step %d: %g apart, told to overlap: %v, asked: %v", k, gap, on, has)
			}
			if k == 30 {
				worldtest.Must(t, w.Restore(w.AppendSnapshot(nil)))
			}
		}
	})
}

// TestSensorPassesStaticGround: a sensor with SenseGround that passes a thin wall of tiles, or a chain, within a step
// has one begin and one end, and one without it has none; a tile that is dug away under a sensor at rest ends the
// overlap.
func TestSensorPassesStaticGround(t *testing.T) {
	for _, of := range []string{"tiles", "chain"} {
		for _, flags := range []quarry.EventFlags{0, quarry.SenseGround} {
			w := quarry.NewWorld(quarry.Config{})
			if of == "tiles" {
				id, err := w.AddGround(0, quarry.GroundDef{})
				worldtest.Must(t, err)
				g, _ := w.Ground(id)
				worldtest.Must(t, g.Set(10, 0, gridseg.Tile{Shape: gridseg.Full}))
			} else {
				_, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 10, Y: 3}, {X: 10, Y: -3}}})
				worldtest.Must(t, err)
			}
			dart := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(7.35, 0.5), Velocity: geom.V(300,
				0)})
			sensor := w.AddShape(dart, geom.Circle{Radius: 0.2}, quarry.ShapeDef{Sensor: true, Flags: flags})
			begins, ends := 0, 0
			for range 4 {
				w.Step(worldtest.DT)
				for _, e := range w.SensorBegins() {
					begins++
					if e.ShapeB != sensor || (e.Ground != 0) != (of == "tiles") || (e.Chain != 0) != (of == "chain") {
						t.Errorf("%s: %+v", of, e)
					}
				}
				ends += len(w.SensorEnds())
			}
			want := 0
			if flags != 0 {
				want = 1
			}
			if begins != want || ends != want {
				t.Errorf("%s, flags %d: %d begins and %d ends", of, flags, begins, ends)
			}
		}
	}
	w := quarry.NewWorld(quarry.Config{})
	id, err := w.AddGround(0, quarry.GroundDef{})
	worldtest.Must(t, err)
	g, _ := w.Ground(id)
	worldtest.Must(t, g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full}))
	b := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0.5, 1)})
	w.AddShape(b, geom.Circle{Radius: 0.2}, quarry.ShapeDef{Sensor: true, Flags: quarry.SenseGround})
	w.Step(worldtest.DT)
	if e := w.SensorBegins(); len(e) != 1 || e[0].Cell != (gridseg.Cell{}) || e[0].Ground != id {
		t.Errorf("begins: %+v", e)
	}
	worldtest.Must(t, g.Set(0, 0, gridseg.Tile{}))
	w.Step(worldtest.DT)
	if len(w.SensorEnds()) != 1 {
		t.Errorf("%d ends after the tile is gone", len(w.SensorEnds()))
	}
}

// TestSensorsCrossedByChain: a chain that moves and turns at any speed on a kinematic body has an overlap with a sensor
// of SenseGround in each step in which a segment reaches it, also if it does so at neither end: by the shortest
// distance of 400 poses within the step, unless that is within 0.05 of 0: a sensor that moves by less than half its
// radius in the step counts as still at its end, as a shape does.
func TestSensorsCrossedByChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		fast := rapid.SampledFrom([]float64{1, 10, 60}).Draw(t, "fast")
		body := func(types ...quarry.BodyType) quarry.Body {
			b, _ := w.Body(w.AddBody(quarry.BodyDef{
				Type:     rapid.SampledFrom(types).Draw(t, "type"),
				Position: geom.V(rapid.Float64Range(-3, 3).Draw(t, "x"), rapid.Float64Range(-3, 3).Draw(t, "y")),
				Velocity: geom.V(rapid.Float64Range(-5, 5).Draw(t, "vx"), rapid.Float64Range(-5, 5).Draw(t,
					"vy")).Mul(fast),
				AngularVelocity: rapid.SampledFrom([]float64{0, -3, 20}).Draw(t, "spin"),
				Weightless:      true,
			}))
			return b
		}
		points := []geom.Vec{{X: 2}, {X: 1, Y: 0.5}, {X: -1}, {X: -2, Y: -1}}
		line := body(quarry.Kinematic)
		chain, err := w.AddChain(line.ID(), quarry.ChainDef{Points: points})
		worldtest.Must(t, err)
		seer := body(quarry.Kinematic, quarry.Dynamic)
		g := rapid.SampledFrom([]geom.Shape{geom.Circle{Radius: 0.1}, geom.NewBox(1, 0.05)}).Draw(t, "shape")
		d := quarry.ShapeDef{Sensor: true, Flags: quarry.SenseGround}
		if rapid.IntRange(0, 4).Draw(t, "blind") == 0 {
			d.Flags = 0
		}
		w.AddShape(seer.ID(), g, d)
		on, of := false, geom.NewCore(g)
		for k := range 20 {
			type motion struct {
				at          geom.Transform
				step        geom.Vec
				angle, turn float64
			}
			var motions [2]motion
			for i, b := range []quarry.Body{line, seer} {
				motions[i] = motion{
					b.Transform(), b.Velocity().Mul(worldtest.DT), b.Angle(),
					b.AngularVelocity() * worldtest.DT,
				}
			}
			const poses = 400
			near := math.Inf(1)
			for i := range poses + 1 {
				var at [2]geom.Transform
				for j, m := range motions {
					f := float64(i) / poses
					at[j] = geom.Transform{P: m.at.P.Add(m.step.Mul(f)), Q: geom.NewRot(m.angle + m.turn*f)}
				}
				for j := range len(points) - 1 {
					segment := geom.NewCore(geom.Segment{A: points[j], B: points[j+1]})
					gap, _, _ := geom.Gap(&segment, &of, at[0].InvMul(at[1]))
					near = min(near, gap)
				}
			}
			// farthest that a point moves from pose to pose
			reach := (motions[0].step.Sub(motions[1].step).Len() + 10*0.4) / poses
			w.Step(worldtest.DT)
			met := on
			for _, e := range w.SensorBegins() {
				if on || e.Chain != chain {
					t.Fatalf("step %d: %+v, before: %v", k, e, on)
				}
				on, met = true, true
			}
			for _, e := range w.SensorEnds() {
				if !on || e.Chain != chain {
					t.Fatalf("step %d: %+v, before: %v", k, e, on)
				}
				on = false
			}
			if d.Flags == 0 {
				near = 1
			}
			if near < -0.05 && !met || near > 0.05+reach && met {
				t.Fatalf("step %d: %g apart within the step, told to overlap: %v", k, near, met)
			}
		}
	})
}
