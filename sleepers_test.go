package quarry

import (
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// sleepers returns a world of stacks of five boxes that have fallen asleep.
func sleepers(tb testing.TB, n int) *World {
	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	w.AddShape(w.AddBody(BodyDef{}), geom.Segment{A: geom.V(-10, 0), B: geom.V(float64(n), 0)}, ShapeDef{})
	for i := range n {
		b := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(float64(2*(i/5)), 0.5+float64(i%5))})
		w.AddShape(b, geom.NewBox(0.5, 0.5), ShapeDef{})
	}
	for range 300 {
		w.Step(1. / 60)
	}
	if awake := w.Stats().Awake; awake > 0 {
		tb.Fatalf("%d bodies are awake", awake)
	}
	w.Step(1. / 60)
	return w
}

// A step visits no sleeping body and none of its contacts; a body that wakes is visited with its
// contacts, and those of its island.
func TestStepVisitsNoSleepers(t *testing.T) {
	w := sleepers(t, 100)
	bodies, contacts := slices.Collect(w.moving.All()), slices.Collect(w.active.All())
	if len(bodies) > 0 || len(contacts) > 0 {
		t.Errorf("asleep: bodies %v and contacts %v are visited", bodies, contacts)
	}
	for b := range w.Bodies() {
		if b.Type() == Dynamic {
			b.Wake()
			break
		}
	}
	w.Step(1. / 60)
	if bodies, contacts = slices.Collect(w.moving.All()), slices.Collect(w.active.All()); len(bodies) != 5 || len(contacts) != 5 {
		t.Errorf("a stack of 5 awake: bodies %v and contacts %v are visited", bodies, contacts)
	}
}

func BenchmarkSleepers(b *testing.B) {
	w := sleepers(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		w.Step(1. / 60)
	}
}
