package quarry_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func TestSensor(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	gate := w.AddBody(quarry.BodyDef{Position: geom.V(3, 0)})
	sensor := w.AddShape(gate, geom.NewBox(0.5, 2), quarry.ShapeDef{Sensor: true})
	b := worldtest.Add(w, geom.V(0, 0), geom.NewBox(0.5, 0.5))
	b.SetVelocity(geom.V(6, 0))
	var in, out []quarry.ContactEvent
	for range 90 {
		w.Step(worldtest.DT)
		in, out = append(in, w.SensorBegins()...), append(out, w.SensorEnds()...)
	}
	if len(in) != 1 || len(out) != 1 || in[0].ShapeA != sensor && in[0].ShapeB != sensor {
		t.Errorf("begins %+v, ends %+v", in, out)
	}
	worldtest.Near(t, "speed through the sensor", b.Velocity().X, 6, 0)
}

// TestSensorsAgainstGaps: after each step, the pairs that have begun and not ended, of
// bodies of all types, are the pairs that overlap by the distance of their shapes at the end
// of the step, unless that distance is near 0. Only sensors of dynamic bodies once sensed
// kinematic bodies; and the events of a step described its start.
func TestSensorsAgainstGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		type thing struct {
			body   quarry.Body
			shape  quarry.ShapeID
			core   geom.Core
			sensor bool
		}
		var all []thing
		fast := rapid.SampledFrom([]float64{1, 1, 10, 60}).Draw(t, "fast")
		for range 8 {
			id := w.AddBody(quarry.BodyDef{
				Type:     quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")),
				Position: geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(-4, 4).Draw(t, "y")),
				Velocity: geom.V(rapid.Float64Range(-5, 5).Draw(t, "vx"), rapid.Float64Range(-5, 5).Draw(t,
					"vy")).Mul(fast),
				AngularVelocity: rapid.SampledFrom([]float64{0, 0, 3, 60}).Draw(t, "spin"),
			})
			g := rapid.SampledFrom([]geom.Shape{
				geom.Circle{Radius: 0.7}, geom.NewBox(1, 0.5), geom.Capsule{
					A: geom.V(-1, 0), B: geom.V(1, 0),
					Radius: 0.2,
				},
			}).Draw(t, "shape")
			x := thing{core: geom.NewCore(g), sensor: rapid.Bool().Draw(t, "sensor")}
			x.body, _ = w.Body(id)
			x.shape = w.AddShape(id, g, quarry.ShapeDef{Sensor: x.sensor})
			all = append(all, x)
		}
		on := map[[2]quarry.ShapeID]bool{}
		for k := range 60 {
			if k%20 == 19 {
				x := rapid.SampledFrom(all).Draw(t, "put")
				x.body.SetTransform(geom.V(rapid.Float64Range(-4, 4).Draw(t, "to x"), 0), 1)
			}
			w.Step(worldtest.DT)
			gaps := map[[2]quarry.ShapeID]float64{}
			for i, x := range all {
				for _, y := range all[i+1:] {
					if x.sensor == y.sensor || x.body.Type() == quarry.Static && y.body.Type() == quarry.Static {
						continue
					}
					gap, _, _ := geom.Gap(&x.core, &y.core, x.body.Transform().InvMul(y.body.Transform()))
					gaps[[2]quarry.ShapeID{x.shape, y.shape}] = gap
				}
			}
			for _, e := range w.SensorBegins() {
				pair := [2]quarry.ShapeID{min(e.ShapeA, e.ShapeB), max(e.ShapeA, e.ShapeB)}
				if on[pair] {
					t.Fatalf("step %d: %v began twice", k, pair)
				}
				on[pair] = true
			}
			for _, e := range w.SensorEnds() {
				pair := [2]quarry.ShapeID{min(e.ShapeA, e.ShapeB), max(e.ShapeA, e.ShapeB)}
				if !on[pair] {
					t.Fatalf("step %d: %v ended without a beginning", k, pair)
				}
				delete(on, pair)
			}
			for pair := range on {
				if _, known := gaps[pair]; !known {
					t.Fatalf("step %d: %v overlap", k, pair)
				}
			}
			for pair, gap := range gaps {
				if (gap < -geom.LinearSlop && !on[pair]) || (gap > geom.LinearSlop && on[pair]) {
					t.Fatalf("step %d: %v are %g apart, told to overlap: %v", k, pair, gap, on[pair])
				}
			}
		}
	})
}

// sensed counts the begin and end events of n steps, and fails if an end comes before its
// begin.
func sensed(t *testing.T, w *quarry.World, n int) (begins, ends int) {
	t.Helper()
	for range n {
		w.Step(worldtest.DT)
		begins, ends = begins+len(w.SensorBegins()), ends+len(w.SensorEnds())
		if ends > begins {
			t.Fatalf("step %d: %d ends, %d beginnings", w.StepCount(), ends, begins)
		}
	}
	return begins, ends
}

// TestSensorsCrossed: a body that crosses a thin sensor within one step has one begin and one
// end event. A circle of 0.1 shot through a sensor 0.1 thick at 30, 100 and 300 units/s had
// them in 30, 14 and 5 of 50 shots.
func TestSensorsCrossed(t *testing.T) {
	bar := geom.NewBox(0.05, 2)
	for _, c := range []struct {
		name   string
		sensor quarry.BodyDef // at (10, 0)
		of     quarry.BodyDef
	}{
		{"bullet", quarry.BodyDef{}, quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(1, 0), Bullet: true}},
		{"dynamic", quarry.BodyDef{}, quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(1, 0)}},
		{"kinematic", quarry.BodyDef{}, quarry.BodyDef{Type: quarry.Kinematic, Velocity: geom.V(1, 0)}},
		{"kinematic sensor", quarry.BodyDef{Type: quarry.Kinematic, Velocity: geom.V(-1, 0)}, quarry.BodyDef{}},
		{
			"dynamic sensor",
			quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(-1, 0)},
			quarry.BodyDef{Type: quarry.Dynamic},
		},
		{"asleep", quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(-1, 0)}, quarry.BodyDef{
			Type:   quarry.Dynamic,
			Asleep: true,
		}},
		{
			"both move",
			quarry.BodyDef{Type: quarry.Kinematic, Velocity: geom.V(-1, 0)},
			quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(1, 0)},
		},
	} {
		for _, speed := range []float64{3, 30, 100, 300} {
			for k := range 50 {
				w := quarry.NewWorld(quarry.Config{})
				on, of := c.sensor, c.of
				on.Position, on.Velocity = geom.V(10, 0), on.Velocity.Mul(speed)
				of.Position, of.Velocity = geom.V(0.1*float64(k), 0.5), of.Velocity.Mul(speed)
				w.AddShape(w.AddBody(on), bar, quarry.ShapeDef{Sensor: true})
				w.AddShape(w.AddBody(of), geom.Circle{Radius: 0.1}, quarry.ShapeDef{})
				if b, e := sensed(t, w, int(12/speed/worldtest.DT)+3); b != 1 || e != 1 {
					t.Errorf("%s at %v, number %d: %d beginnings, %d ends", c.name, speed, k, b, e)
				}
			}
		}
	}
}

// TestSensorTurns: a sensor rod that turns by a quarter turn or more in a step senses the
// body that it sweeps over, and no body that is between its two poses but beyond its reach.
func TestSensorTurns(t *testing.T) {
	for _, spin := range []float64{95, 130, 180} {
		w := quarry.NewWorld(quarry.Config{})
		rod := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Angle: -0.7, AngularVelocity: spin})
		w.AddShape(rod, geom.NewOffsetBox(1, 0.01, geom.V(1, 0), geom.Identity), quarry.ShapeDef{Sensor: true})
		id := w.AddBody(quarry.BodyDef{Position: geom.V(1.5, 0)})
		near := w.AddShape(id, geom.Circle{Radius: 0.05}, quarry.ShapeDef{})
		id = w.AddBody(quarry.BodyDef{Position: geom.V(2.1, 0)})
		w.AddShape(id, geom.Circle{Radius: 0.05}, quarry.ShapeDef{})
		w.Step(worldtest.DT)
		b, e := w.SensorBegins(), w.SensorEnds()
		if len(b) != 1 || len(e) != 1 || b[0] != e[0] || b[0].ShapeB != near {
			t.Errorf("at %v: begins %v, ends %v", spin, b, e)
		}
	}
}

// TestSensorOfPut: a body that SetTransform moves to the far side of a sensor does not cross
// it; a body that SetTransform puts in the sensor, and that leaves it in the next step, has a
// begin and an end event in that step.
func TestSensorOfPut(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	on := w.AddBody(quarry.BodyDef{})
	w.AddShape(on, geom.NewBox(0.05, 2), quarry.ShapeDef{Sensor: true})
	b := worldtest.Add(w, geom.V(-3, 0), geom.Circle{Radius: 0.1})
	put := func(x, speed float64, begins, ends int) {
		t.Helper()
		b.SetTransform(geom.V(x, 0), 0)
		b.SetVelocity(geom.V(speed, 0))
		if gotB, gotE := sensed(t, w, 1); gotB != begins || gotE != ends {
			t.Errorf("put at %v: %d beginnings and %d ends, want %d and %d", x, gotB, gotE, begins, ends)
		}
	}
	sensed(t, w, 1)
	put(3, 0, 0, 0)
	put(-3, 100, 0, 0)
	put(0, 100, 1, 1)
	put(0, 1, 1, 0)
	put(0, 1, 0, 0)
	// Out, and through again in the same step: the overlap that was reported ends.
	b.SetTransform(geom.V(-0.5, 0), 0)
	b.SetVelocity(geom.V(100, 0))
	w.Step(worldtest.DT)
	if len(w.SensorBegins()) != 0 || len(w.SensorEnds()) != 1 {
		t.Errorf("begins %v, ends %v", w.SensorBegins(), w.SensorEnds())
	}
}

// TestSensorStepAllocatesNothing: steps with sensors allocate nothing once warm.
func TestSensorStepAllocatesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{NoSleep: true})
	for i := range 10 {
		on := w.AddBody(quarry.BodyDef{Position: geom.V(float64(i), 0)})
		w.AddShape(on, geom.NewBox(0.05, 2), quarry.ShapeDef{Sensor: true})
	}
	b := worldtest.Add(w, geom.V(-3, 0), geom.Circle{Radius: 0.1})
	shoot := func() {
		b.SetTransform(geom.V(-0.3, 0), 0)
		b.SetVelocity(geom.V(300, 0))
		for range 4 {
			w.Step(worldtest.DT)
		}
	}
	for range 20 {
		shoot()
	}
	if n := testing.AllocsPerRun(50, shoot); n > 0 {
		t.Errorf("%v allocations in four steps", n)
	}
}

// TestSensorOverlapAllocatesNothing: a step computes the overlaps of sensors with bodies of one and several shapes
// without an allocation. It had one for each pair.
func TestSensorOverlapAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true, Workers: workers})
		floor := w.AddBody(quarry.BodyDef{})
		w.AddShape(floor, geom.NewBox(50, 0.5), quarry.ShapeDef{})
		lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 2), Velocity: geom.V(0.1, 0)})
		w.AddShape(lift, geom.NewBox(30, 3), quarry.ShapeDef{Sensor: true})
		for i := range 10 {
			b := worldtest.Add(w, geom.V(1.5*float64(i), 1), geom.NewBox(0.5, 0.5))
			w.AddShape(b.ID(), geom.NewOffsetBox(0.2, 0.2, geom.V(0, 0.6), geom.NewRot(0)), quarry.ShapeDef{})
		}
		for range 300 {
			w.Step(worldtest.DT)
		}
		if n := testing.AllocsPerRun(100, func() { w.Step(worldtest.DT) }); n > 0 {
			t.Errorf("%d workers: %v allocations a step", workers, n)
		}
	}
}
