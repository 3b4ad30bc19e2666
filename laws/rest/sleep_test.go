package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestAddedAsleep: a body that is added asleep stays asleep while its first shapes are
// added. Each shape woke it.
func TestAddedAsleep(t *testing.T) {
	w := worldtest.New()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.5, 0.5), Asleep: true})
	w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	rock := w.AddBody(quarry.BodyDef{Position: geom.V(2.5, 0.5)})
	w.AddShape(rock, geom.NewBox(1.5, 0.5), quarry.ShapeDef{})
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	b, _ := w.Body(id)
	worldtest.Steps(w, 3)
	if b.Awake() {
		t.Fatal("awake")
	}
	w.AddShape(id, geom.NewOffsetBox(0.5, 0.5, geom.V(0, 1), geom.Identity), quarry.ShapeDef{})
	if !b.Awake() {
		t.Error("a shape more, steps later: still asleep")
	}
}

// TestImmovablePutOnSleeper: a static or kinematic body that is put into a sleeper wakes
// it and pushes it out. Such pairs were never tested.
func TestImmovablePutOnSleeper(t *testing.T) {
	for name, put := range map[string]func(w *quarry.World, rock quarry.Body){
		"teleported": func(_ *quarry.World, rock quarry.Body) { rock.SetTransform(geom.V(0, 0.5), 0) },
		"added": func(w *quarry.World, _ quarry.Body) {
			id := w.AddBody(quarry.BodyDef{Position: geom.V(0, 0.5)})
			w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		},
		"ground teleported": func(w *quarry.World, rock quarry.Body) {
			id, _ := w.AddGround(rock.ID(), quarry.GroundDef{})
			g, _ := w.Ground(id)
			_ = g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full})
			worldtest.Steps(w, 120)
			rock.SetTransform(geom.V(-0.5, 0), 0)
		},
	} {
		for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic} {
			w := worldtest.New()
			worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
			b := worldtest.Add(w, geom.V(0.6, 0.5), geom.NewBox(0.5, 0.5))
			id := w.AddBody(quarry.BodyDef{Type: kind, Position: geom.V(-5, 0.5)})
			if name == "teleported" {
				w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
			}
			rock, _ := w.Body(id)
			worldtest.Steps(w, 120)
			if b.Awake() {
				t.Fatal("did not fall asleep")
			}
			put(w, rock)
			worldtest.Steps(w, 120)
			// Pushed out, it may slide on by a little.
			worldtest.Near(t, name+" "+kind.String()+": x", b.Position().X, 1.1, 0.12)
		}
	}
}

// TestSensorOnSleeper: a sensor that is put on a sleeping body reports it, without waking
// it. It reported none.
func TestSensorOnSleeper(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
	b := worldtest.Add(w, geom.V(0.5, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	id := w.AddBody(quarry.BodyDef{Position: geom.V(0.5, 0.5)})
	w.AddShape(id, geom.NewBox(0.2, 0.2), quarry.ShapeDef{Sensor: true})
	gate, _ := w.Body(id)
	for k := range 3 {
		w.Step(worldtest.DT)
		if len(w.SensorBegins()) != 1 || len(w.SensorEnds()) != 0 {
			t.Fatalf("put there %d times: begins %v, ends %v", k, w.SensorBegins(), w.SensorEnds())
		}
		gate.SetTransform(geom.V(-5, 0.5), 0)
		w.Step(worldtest.DT)
		if len(w.SensorBegins()) != 0 || len(w.SensorEnds()) != 1 {
			t.Fatalf("taken away %d times: begins %v, ends %v", k, w.SensorBegins(), w.SensorEnds())
		}
		gate.SetTransform(geom.V(0.5, 0.5), 0)
	}
	if b.Awake() {
		t.Error("a sensor woke what it sensed")
	}
}

// TestHeldBodyIsLetGo: a body that solid ground holds is let go when its own cell is
// cleared, when it is put elsewhere, when a way out is dug far off, and when the ground
// is removed. The first three left it held.
func TestHeldBodyIsLetGo(t *testing.T) {
	held := func() (*quarry.World, quarry.Ground, quarry.Body) {
		w := worldtest.New()
		g := worldtest.Floor(t, w, gridseg.Rect{MinX: -40, MinY: -40, MaxX: 40, MaxY: 40})
		b := worldtest.Add(w, geom.V(0.5, 0.9), geom.Circle{Radius: 0.4})
		worldtest.Steps(w, 90)
		if b.Position() != geom.V(0.5, 0.9) {
			t.Fatalf("not held: %v", b.Position())
		}
		return w, g, b
	}
	clear := func(g quarry.Ground, r gridseg.Rect) {
		if err := g.Fill(r, gridseg.Tile{}); err != nil {
			t.Fatal(err)
		}
	}
	w, g, b := held()
	clear(g, gridseg.Rect{})
	worldtest.Steps(w, 120)
	worldtest.Near(t, "own cell cleared: y", b.Position().Y, 0.4, 0.01)

	w, _, b = held()
	b.SetTransform(geom.V(0.5, 60), 0)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "put elsewhere: y", b.Position().Y, 55, 0.1)

	w, g, b = held()
	clear(g, gridseg.Rect{MinX: -1, MinY: 8, MaxX: 1, MaxY: 40})
	worldtest.Steps(w, 240)
	// It fell asleep on the way, too: a push-out has no velocity.
	worldtest.Near(t, "dug far off: y", b.Position().Y, 8.4, 0.01)

	w, g, b = held()
	if !w.RemoveGround(g.ID()) {
		t.Fatal("no ground")
	}
	worldtest.Steps(w, 60)
	worldtest.Near(t, "ground removed: y", b.Position().Y, -4.1, 0.1)
}

// TestSleepingWakesWhenTouched: a stack at rest falls asleep. It changes no more until a
// body touches it, and then it wakes as a whole; so it does when its lowest body is
// removed.
func TestSleepingWakesWhenTouched(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	var stack []quarry.Body
	for i := range 4 {
		stack = append(stack, worldtest.Add(w, geom.V(0.5, 0.5+float64(i)), geom.NewBox(0.5, 0.5)))
	}
	asleep := false
	for range 120 {
		w.Step(worldtest.DT)
		for _, m := range w.Moved() {
			asleep = asleep || m.FellAsleep && m.Body == stack[0].ID()
		}
	}
	if !asleep || stack[0].Awake() || len(w.Moved()) != 0 {
		t.Fatalf("told asleep %v, awake %v, %d moved", asleep, stack[0].Awake(), len(w.Moved()))
	}
	hash := w.Hash()
	worldtest.Steps(w, 10)
	if w.Stats().Awake != 0 || w.Hash() == hash {
		t.Error("asleep: nothing but the step count may change, and that must")
	}
	ball := worldtest.Add(w, geom.V(0.5, 7), geom.Circle{Radius: 0.3})
	if stack[3].Awake() {
		t.Error("woke before it was touched")
	}
	for range 120 {
		w.Step(worldtest.DT)
		if stack[0].Awake() {
			break
		}
	}
	if !stack[0].Awake() || ball.Position().Y > 5 {
		t.Errorf("the stack's foot did not wake: ball at %v", ball.Position())
	}
	// Removing the lowest body wakes the bodies on it.
	worldtest.Steps(w, 300)
	w.RemoveBody(stack[0].ID())
	if !stack[1].Awake() {
		t.Error("did not wake when what it stood on was removed")
	}
}

// TestSleepingDoesNotWakeByItself: a body falls asleep on a kinematic body at rest, and
// wakes when that moves.
func TestSleepingDoesNotWakeByItself(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(3, 0.5)})
	w.AddShape(lift, geom.NewBox(1, 0.5), quarry.ShapeDef{})
	b := worldtest.Add(w, geom.V(3, 1.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	if b.Awake() {
		t.Fatal("awake on a lift that stands still")
	}
	view, _ := w.Body(lift)
	view.SetVelocity(geom.V(0, 1))
	worldtest.Steps(w, 60)
	if !b.Awake() {
		t.Error("asleep on a lift that moves")
	}
	worldtest.Near(t, "height on the lift", b.Position().Y, 2.5, 0.03)
}
