package quarry

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/narrow"
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

// TestBoxesHoldShapes: after each step the box of each shape in the broad phase holds the shape, also if
// the step did not look at it, because no point of the body had moved as far as the box has room.
func TestBoxesHoldShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		w := NewWorld(Config{Gravity: geom.V(0, -10)})
		far := rapid.SampledFrom([]float64{0, 0, 1e6, 1e12}).Draw(t, "far")
		floor := w.AddBody(BodyDef{Position: geom.V(far, 0)})
		w.AddShape(floor, geom.NewBox(20, 1), ShapeDef{})
		var all []Body
		add := func(b Body) {
			p := geom.V(f(-2, 2, "off x"), f(-2, 2, "off y"))
			w.AddShape(b.ID(), geom.NewOffsetBox(f(0.05, 2, "w"), f(0.05, 2, "h"), p, geom.NewRot(f(0, 3, "turned"))),
				ShapeDef{Sensor: rapid.IntRange(0, 3).Draw(t, "sensor") == 0})
		}
		for range rapid.IntRange(1, 5).Draw(t, "bodies") {
			b, _ := w.Body(w.AddBody(BodyDef{
				Type: Dynamic, Position: geom.V(far+f(-5, 5, "x"), f(1, 8, "y")), AngularVelocity: f(-3, 3, "spin"),
				Velocity: geom.V(f(-1, 1, "vx"), f(-1, 1, "vy")).Mul(rapid.SampledFrom([]float64{0, 0.1, 1, 30}).Draw(t,
					"fast")),
			}))
			add(b)
			all = append(all, b)
		}
		for range 60 {
			b := rapid.SampledFrom(all).Draw(t, "which")
			switch rapid.IntRange(0, 15).Draw(t, "change") {
			case 0:
				add(b)
			case 1:
				b.SetTransform(b.Position().Add(geom.V(f(-0.2, 0.2, "by"), 0)), f(0, 6, "angle"))
			case 2:
				b.SetVelocity(geom.V(f(-0.5, 0.5, "to vx"), f(-0.5, 0.5, "to vy")))
			}
			w.Step(1.0 / 60)
			for i := range w.state.Shapes.All() {
				s := w.state.Shapes.At(i)
				tight := s.Hull.Bounds(w.state.Bodies.At(s.Body).Transform())
				if room := w.state.Broad.At(s.Proxy).Box.Room(tight); room < 0 || math.IsNaN(room) {
					t.Fatalf("shape %d is %g outside of its box", i, -room)
				}
			}
		}
	})
}

// TestGroundsApart: grounds that are apart, and are not compared until they have moved far enough, behave as grounds
// that are compared in each step, whichever tiles are built and dug near them.
func TestGroundsApart(t *testing.T) {
	skipped := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 8))
		var worlds [2]*World
		for k := range worlds {
			w := NewWorld(Config{Gravity: geom.V(0, -3), Workers: 1})
			floor := gridseg.New(nil)
			_ = floor.Fill(gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
			if _, err := w.AddGround(0, GroundDef{Grid: floor}); err != nil {
				t.Fatal(err)
			}
			worlds[k] = w
		}
		for range 10 {
			d := BodyDef{
				Type: Dynamic, Position: geom.V(24*r.Float64()-12, 12*r.Float64()+2), Angle: 7 * r.Float64(),
				Velocity: geom.V(4*r.Float64()-2, 0), AngularVelocity: 2*r.Float64() - 1,
			}
			size := gridseg.Rect{MaxX: r.Int32N(4), MaxY: r.Int32N(3)}
			for _, w := range worlds {
				g := gridseg.New(nil)
				_ = g.Fill(size, gridseg.Tile{Shape: gridseg.Full})
				if _, err := w.AddGround(w.AddBody(d), GroundDef{Grid: g}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for step := range 240 {
			which, x, y, tile := r.IntN(3), r.Int32N(24)-12, r.Int32N(6), gridseg.Tile{}
			if r.IntN(3) > 0 {
				tile.Shape = gridseg.Full
			}
			for k, w := range worlds {
				if step%8 == 0 && which > 0 {
					for g := range w.Grounds() { // the floor is the first one
						if err := g.Set(x, y, tile); err != nil {
							t.Fatal(err)
						}
						break
					}
				}
				for _, c := range w.state.Contacts.All() {
					if c.OfGrounds() && !c.Touching {
						if k == 1 {
							c.Last = narrow.Last{}
						} else if c.Last.Known() {
							skipped++
						}
					}
				}
				w.Step(1.0 / 60)
			}
			if worlds[0].Hash() != worlds[1].Hash() {
				t.Fatalf("seed %d, step %d: another world", seed, step)
			}
		}
	}
	if skipped < 5000 {
		t.Errorf("only %d contacts were apart", skipped)
	}
}

// TestKeptPointsOfGrounds: the two points of two grounds that hardly move are kept, as of two boxes, with separations
// that follow the motion; an edit of either ground, and a move by SetTransform, compute them again.
func TestKeptPointsOfGrounds(t *testing.T) {
	for name, change := range map[string]func(g [2]Ground, b Body){
		"upper":     func(g [2]Ground, _ Body) { _ = g[1].Clear(0, 0) },
		"lower":     func(g [2]Ground, _ Body) { _ = g[0].Clear(3, 1) },
		"transform": func(_ [2]Ground, b Body) { b.SetTransform(b.Position().Add(geom.V(1, 0)), 0) },
	} {
		w := NewWorld(Config{})
		var g [2]Ground
		var b Body
		for k := range g {
			b, _ = w.Body(w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(float64(k), 2*float64(k))}))
			if _, err := w.AddGround(b.ID(), GroundDef{Grid: tileBlock(4, 2)}); err != nil {
				t.Fatal(err)
			}
			b.SetVelocity(geom.V(0, -1e-3*float64(k)))
			g[k] = slices.Collect(b.Grounds())[0]
		}
		kept := 0
		for range 10 {
			w.Step(1.0 / 60)
			for _, c := range w.state.Contacts.All() {
				a, b := w.state.Bodies.At(c.BodyA), w.state.Bodies.At(c.BodyB)
				var pose narrow.Pose
				if pose.Set(a.Rot, b.Rot, b.Center.Sub(a.Center)); c.Last.Holds(&pose) {
					kept++
				}
			}
		}
		if kept < 9 {
			t.Fatalf("%s: kept in %d of 10 steps", name, kept)
		}
		was := b.Position()
		change(g, b)
		w.Step(1.0 / 60)
		for _, c := range w.state.Contacts.All() {
			m := w.state.Contacts.SurfaceOf(c).Manifolds
			if len(m) != 1 || m[0].N != 2 {
				t.Fatalf("%s: %d manifolds", name, len(m))
			}
			// The tops of the lower ground and the bottom of the upper one have in common:
			lo, hi := 1.0, 4.0
			switch {
			case name == "upper":
				lo = 2
			case name == "lower":
				hi = 3
			case b.Position() != was:
				lo = 2
			}
			xs := []float64{m[0].Points[0].AnchorA.X + w.state.Bodies.At(c.BodyA).Center.X, m[0].Points[1].AnchorA.X +
				w.state.Bodies.At(c.BodyA).Center.X}
			if slices.Sort(xs); math.Abs(xs[0]-lo) > 1e-3 || math.Abs(xs[1]-hi) > 1e-3 {
				t.Errorf("%s: points at %v, want %v and %v", name, xs, lo, hi)
			}
		}
	}
}
