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
func TestAddedAsleep(t *testing.T) { worldtest.OnStaticCarriers(t, addedAsleep) }

func addedAsleep(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.5, 0.5), Asleep: true},
		geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	w.AddBody(quarry.BodyDef{Position: geom.V(2.5, 0.5)}, geom.NewBox(1.5, 0.5), quarry.ShapeDef{})
	w.Floor(t, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	w.Steps(3)
	if b.Awake() {
		t.Fatal("awake")
	}
	w.AddShape(b.ID(), geom.NewOffsetBox(0.5, 0.5, geom.V(0, 1), geom.Identity), quarry.ShapeDef{})
	if !b.Awake() {
		t.Error("a shape more, steps later: still asleep")
	}
}

// TestImmovablePutOnSleeper: a static or kinematic body that is put into a sleeper wakes
// it and pushes it out. Such pairs were never tested.
func TestImmovablePutOnSleeper(t *testing.T) { worldtest.OnStillCarriers(t, immovablePutOnSleeper) }

func immovablePutOnSleeper(t *testing.T, on worldtest.Carrier) {
	for name, put := range map[string]func(w *worldtest.Site, rock quarry.Body){
		"teleported": func(w *worldtest.Site, rock quarry.Body) { w.SetTransform(rock, geom.V(0, 0.5), 0) },
		"added": func(w *worldtest.Site, _ quarry.Body) {
			w.AddBody(quarry.BodyDef{Position: geom.V(0, 0.5)}, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		},
		"ground teleported": func(w *worldtest.Site, rock quarry.Body) {
			worldtest.Must(t, worldtest.AddGround(t, w.World, rock.ID()).Set(0, 0, gridseg.Tile{Shape: gridseg.Full}))
			w.Steps(120)
			w.SetTransform(rock, geom.V(-0.5, 0), 0)
		},
	} {
		for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic} {
			w := on.NewSite()
			w.Floor(t, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
			b := w.Add(geom.V(0.6, 0.5), geom.NewBox(0.5, 0.5))
			rock := w.Beside(kind, geom.V(-5, 0.5))
			if name == "teleported" {
				w.AddShape(rock.ID(), geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
			}
			w.Steps(120)
			if b.Awake() {
				t.Fatal("did not fall asleep")
			}
			put(w, rock)
			w.Steps(120)
			// Pushed out, it may slide on by a little.
			worldtest.Near(t, name+" "+kind.String()+": x", w.Position(b).X, 1.1, 0.12)
		}
	}
}

// TestSensorOnSleeper: a sensor that is put on a sleeping body reports it, without waking
// it. It reported none.
func TestSensorOnSleeper(t *testing.T) { worldtest.OnStillCarriers(t, sensorOnSleeper) }

func sensorOnSleeper(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
	b := w.Add(geom.V(0.5, 0.5), geom.NewBox(0.5, 0.5))
	w.Steps(120)
	gate := w.AddBody(quarry.BodyDef{Position: geom.V(0.5, 0.5)}, geom.NewBox(0.2, 0.2), quarry.ShapeDef{Sensor: true})
	for k := range 3 {
		w.Step(worldtest.DT)
		if len(w.SensorBegins()) != 1 || len(w.SensorEnds()) != 0 {
			t.Fatalf("put there %d times: begins %v, ends %v", k, w.SensorBegins(), w.SensorEnds())
		}
		w.SetTransform(gate, geom.V(-5, 0.5), 0)
		w.Step(worldtest.DT)
		if len(w.SensorBegins()) != 0 || len(w.SensorEnds()) != 1 {
			t.Fatalf("taken away %d times: begins %v, ends %v", k, w.SensorBegins(), w.SensorEnds())
		}
		w.SetTransform(gate, geom.V(0.5, 0.5), 0)
	}
	if b.Awake() {
		t.Error("a sensor woke what it sensed")
	}
}

// TestHeldBodyIsLetGo: a body that solid ground holds is let go when its own cell is
// cleared, when it is put elsewhere, when a way out is dug far off, and when the ground
// is removed. The first three left it held.
func TestHeldBodyIsLetGo(t *testing.T) { worldtest.OnStillCarriers(t, heldBodyIsLetGo) }

func heldBodyIsLetGo(t *testing.T, on worldtest.Carrier) {
	held := func() (*worldtest.Site, quarry.Ground, quarry.Body) {
		w := on.NewSite()
		g := w.Floor(t, gridseg.Rect{MinX: -40, MinY: -40, MaxX: 40, MaxY: 40})
		b := w.Add(geom.V(0.5, 0.9), geom.Circle{Radius: 0.4})
		w.Steps(90)
		if w.Position(b).Dist(geom.V(0.5, 0.9)) > on.Slop() {
			t.Fatalf("not held: %v", w.Position(b))
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
	w.Steps(120)
	worldtest.Near(t, "own cell cleared: y", w.Position(b).Y, 0.4, 0.01)

	w, _, b = held()
	w.SetTransform(b, geom.V(0.5, 60), 0)
	w.Steps(60)
	worldtest.Near(t, "put elsewhere: y", w.Position(b).Y, 55, 0.1)

	w, g, b = held()
	clear(g, gridseg.Rect{MinX: -1, MinY: 8, MaxX: 1, MaxY: 40})
	w.Steps(240)
	// It fell asleep on the way, too: a push-out has no velocity.
	worldtest.Near(t, "dug far off: y", w.Position(b).Y, 8.4, 0.01)

	w, g, b = held()
	if !w.RemoveGround(g.ID()) {
		t.Fatal("no ground")
	}
	w.Steps(60)
	worldtest.Near(t, "ground removed: y", w.Position(b).Y, -4.1, 0.1)
}

// TestBuriedGoesAlong: a body without a way out of the solid ground of a dynamic body falls asleep together with that
// body, wakes with it, and moves along. It slept alone, and stayed behind.
func TestBuriedGoesAlong(t *testing.T) {
	for _, on := range worldtest.Carriers() {
		if on.Body.Type != quarry.Dynamic || !on.Still() {
			continue
		}
		w := on.NewSite()
		w.Floor(t, gridseg.Rect{MinX: -40, MinY: -40, MaxX: 40, MaxY: 40})
		b := w.Add(geom.V(0.5, 0.9), geom.Circle{Radius: 0.4})
		w.Steps(90)
		if b.Awake() || w.Carrier.Awake() {
			t.Fatalf("%s: awake %v, its ground %v", on.Name, b.Awake(), w.Carrier.Awake())
		}
		w.Carrier.SetVelocity(geom.V(3, 1))
		w.Steps(60)
		if far := w.Position(b).Dist(geom.V(0.5, 0.9)); far > 1e-9 || w.Carrier.Position().X < 2.9 {
			t.Errorf("%s: the ground at %v has left the body behind by %v", on.Name, w.Carrier.Position(), far)
		}
	}
}

// TestSleepingWakesWhenTouched: a stack at rest falls asleep. It changes no more until a
// body touches it, and then it wakes as a whole; so it does when its lowest body is
// removed.
func TestSleepingWakesWhenTouched(t *testing.T) {
	worldtest.OnStillCarriers(t, sleepingWakesWhenTouched)
}

func sleepingWakesWhenTouched(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	var stack []quarry.Body
	for i := range 4 {
		stack = append(stack, w.Add(geom.V(0.5, 0.5+float64(i)), geom.NewBox(0.5, 0.5)))
	}
	asleep := false
	for range 120 {
		w.Step(worldtest.DT)
		for _, m := range w.Moves() {
			asleep = asleep || m.FellAsleep && m.Body == stack[0].ID()
		}
	}
	if !asleep || stack[0].Awake() || len(w.Moves()) != 0 {
		t.Fatalf("told asleep %v, awake %v, %d moved", asleep, stack[0].Awake(), len(w.Moves()))
	}
	hash := w.Hash()
	w.Steps(10)
	if w.Stats().Awake != 0 || w.Hash() == hash {
		t.Error("asleep: nothing but the step count may change, and that must")
	}
	ball := w.Add(geom.V(0.5, 7), geom.Circle{Radius: 0.3})
	if stack[3].Awake() {
		t.Error("woke before it was touched")
	}
	for range 120 {
		w.Step(worldtest.DT)
		if stack[0].Awake() {
			break
		}
	}
	if !stack[0].Awake() || w.Position(ball).Y > 5 {
		t.Errorf("the stack's foot did not wake: ball at %v", w.Position(ball))
	}
	// Removing the lowest body wakes the bodies on it.
	w.Steps(300)
	w.RemoveBody(stack[0].ID())
	if !stack[1].Awake() {
		t.Error("did not wake when what it stood on was removed")
	}
}

// TestSleepingDoesNotWakeByItself: a body falls asleep on a kinematic body at rest, and
// wakes when that moves.
func TestSleepingDoesNotWakeByItself(t *testing.T) {
	worldtest.OnStillCarriers(t, sleepingDoesNotWakeByItself)
}

func sleepingDoesNotWakeByItself(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(3, 0.5)}, geom.NewBox(1, 0.5),
		quarry.ShapeDef{})
	b := w.Add(geom.V(3, 1.5), geom.NewBox(0.5, 0.5))
	w.Steps(120)
	if b.Awake() {
		t.Fatal("awake on a lift that stands still")
	}
	w.SetVelocity(lift, geom.V(0, 1))
	w.Steps(60)
	if !b.Awake() {
		t.Error("asleep on a lift that moves")
	}
	worldtest.Near(t, "height on the lift", w.Position(b).Y, 2.5, 0.03)
}
