package quarry

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
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
// contacts, and its island's.
func TestStepVisitsNoSleepers(t *testing.T) {
	w := sleepers(t, 100)
	bodies, contacts := slices.Collect(w.state.Moving.All()), slices.Collect(w.state.Contacts.Active.All())
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
	if bodies, contacts = slices.Collect(w.state.Moving.All()), slices.Collect(w.state.Contacts.Active.All()); len(
		bodies) != 5 || len(contacts) != 5 {
		t.Errorf("a stack of 5 awake: bodies %v and contacts %v are visited", bodies, contacts)
	}
}

// After any calls, the sets of a step hold all bodies that move and their contacts, and the broad phase
// knows the type of each body.
func TestStepVisitsAllThatMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := NewWorld(Config{Gravity: geom.V(0, -10)})
		w.AddShape(w.AddBody(BodyDef{}), geom.Segment{A: geom.V(-20, 0), B: geom.V(20, 0)}, ShapeDef{})
		var ids []BodyID
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			x, y := rapid.Float64Range(-3, 3).Draw(t, "x"), rapid.Float64Range(0.4, 3).Draw(t, "y")
			var b Body
			if len(ids) > 0 {
				b, _ = w.Body(rapid.SampledFrom(ids).Draw(t, "body"))
			}
			switch call := rapid.IntRange(0, 7).Draw(t, "call"); {
			case call == 0 || len(ids) == 0:
				id := w.AddBody(BodyDef{
					Type: BodyType(rapid.IntRange(0, 2).Draw(t, "type")), Position: geom.V(x,
						y), Asleep: rapid.Bool().Draw(t, "asleep"),
				})
				w.AddShape(id, geom.NewBox(0.4, 0.4), ShapeDef{Sensor: rapid.IntRange(0, 3).Draw(t, "sensor") == 0})
				ids = append(ids, id)
			case call == 1:
				b.SetVelocity(geom.V(x, y-1))
			case call == 2:
				b.SetVelocity(geom.Vec{})
			case call == 3:
				b.SetTransform(geom.V(x, y), 0)
			case call == 4:
				w.RemoveBody(b.ID())
				ids = slices.DeleteFunc(ids, func(id BodyID) bool { return id == b.ID() })
			default:
				for range rapid.SampledFrom([]int{1, 1, 60}).Draw(t, "steps") {
					w.Step(1. / 60)
				}
			}
			bodies, contacts := slices.Collect(w.state.Moving.All()), slices.Collect(w.state.Contacts.Active.All())
			for i, b := range w.state.Bodies.All() {
				if b.Moves() && !slices.Contains(bodies, i) {
					t.Fatalf("body %d moves, and is not visited", i)
				}
			}
			for i, c := range w.state.Contacts.All() {
				if (w.state.Bodies.At(c.BodyA).Moves() || w.state.Bodies.At(c.BodyB).Moves() || c.Stale) &&
					!slices.Contains(contacts, i) {
					t.Fatalf("contact %d of a moving body is not visited", i)
				}
			}
			for _, s := range w.state.Shapes.All() {
				if e := w.state.Broad.At(s.Proxy); e.BodyType != w.state.Bodies.At(s.Body).Type || e.Body != s.Body ||
					e.Sensor != s.Sensor {
					t.Fatalf("the broad phase has %+v for a shape of body %d", e, s.Body)
				}
			}
		}
	})
}

// BenchmarkMarbles measures steps of awake marbles in a wide box of tiles, by their number: the time per
// body should be the same, and grows where they no longer fit a cache.
func BenchmarkMarbles(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			if testing.Short() && n > 10_000 {
				b.Skip("takes seconds to settle; -short")
			}
			w := marbles(b, n)
			b.ReportAllocs()
			for b.Loop() {
				w.Step(1. / 60)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/body")
		})
	}
}

// marbles returns a world of n marbles that have come to rest, ten deep on a floor of tiles between walls,
// and do not sleep. One worker makes its steps.
func marbles(tb testing.TB, n int) *World {
	w := NewWorld(Config{Gravity: geom.V(0, -10), NoSleep: true, Workers: 1})
	id, err := w.AddGround(0, GroundDef{})
	if err != nil {
		tb.Fatal(err)
	}
	g, _ := w.Ground(id)
	wide := int32(n/20 + 1) // a marble takes half a cell, a column has ten
	full := gridseg.Tile{Shape: gridseg.Full}
	for _, r := range []gridseg.Rect{
		{MinX: -1, MinY: -2, MaxX: wide, MaxY: -1},
		{MinX: -1, MinY: 0, MaxX: -1, MaxY: 9},
		{MinX: wide, MinY: 0, MaxX: wide, MaxY: 9},
	} {
		if err := g.Fill(r, full); err != nil {
			tb.Fatal(err)
		}
	}
	for i := range n {
		// Rows are shifted by half a marble, so that marbles do not stack in columns.
		column, row := i/10, i%10
		b := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0.3+0.5*float64(column)+0.12*float64(row%2),
			0.3+0.5*float64(row))})
		w.AddShape(b, geom.Circle{Radius: 0.2}, ShapeDef{})
	}
	for range 120 {
		w.Step(1. / 60)
	}
	return w
}

func BenchmarkSleepers(b *testing.B) {
	w := sleepers(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		w.Step(1. / 60)
	}
}
