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

func TestContactEvents(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	a := worldtest.Add(w, geom.V(-2, 0), geom.Circle{Radius: 0.5})
	b := worldtest.Add(w, geom.V(0, 0), geom.Circle{Radius: 0.5})
	a.SetVelocity(geom.V(4, 0))
	var begins, ends, hits int
	for range 120 {
		w.Step(worldtest.DT)
		begins, ends, hits = begins+len(w.ContactBegins()), ends+len(w.ContactEnds()), hits+len(w.Hits())
	}
	if begins != 1 || hits != 1 {
		t.Errorf("%d begins, %d hits; want one each", begins, hits)
	}
	// Without restitution they move on together, and so stay in touch.
	if v := a.Velocity().X - b.Velocity().X; v > 0.01 {
		t.Errorf("not stopped: %v", v)
	}
	a.SetTransform(geom.V(-9, 0), 0)
	for range 2 {
		w.Step(worldtest.DT)
		ends += len(w.ContactEnds())
	}
	if ends != 1 {
		t.Errorf("%d ends; want one", ends)
	}
}

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

func TestFilter(t *testing.T) {
	const red, blue = 1, 2
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1}) // category 1
	drop := func(category, mask uint64, x, y float64) quarry.Body {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Category: category, Mask: mask})
		b, _ := w.Body(id)
		return b
	}
	onFloor := drop(red, red, 0, 1)
	through := drop(blue, blue, 3, 1)
	drop(blue, red|blue, 0, 3) // red's mask does not have blue
	worldtest.Steps(w, 90)
	worldtest.Near(t, "the red", onFloor.Position().Y, 0.5, 0.02)
	if through.Position().Y > -2 {
		t.Errorf("the blue stopped at %v", through.Position().Y)
	}
}

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
	// Taking away the foot wakes what stands on it.
	worldtest.Steps(w, 300)
	w.RemoveBody(stack[0].ID())
	if !stack[1].Awake() {
		t.Error("did not wake when what it stood on was removed")
	}
}

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

// TestWarmStepAllocatesNothing: with ground, pairs, events and sleep.
func TestWarmStepAllocatesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1})
	for i := range 60 {
		worldtest.Add(w, geom.V(float64(i%12)-6, 1+float64(i/12)), geom.NewBox(0.4, 0.4))
	}
	worldtest.Steps(w, 300)
	if n := testing.AllocsPerRun(50, func() { w.Step(worldtest.DT) }); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
	tile := gridseg.Tile{Shape: gridseg.Full}
	edit := func() {
		if g.Clear(15, -1) != nil || g.Set(15, -1, tile) != nil {
			t.Error("edit failed")
		}
		w.Step(worldtest.DT)
	}
	edit()
	if n := testing.AllocsPerRun(50, edit); n != 0 {
		t.Errorf("an edit and a step allocate %v times", n)
	}
	if n := testing.AllocsPerRun(50, func() { w.RayCast(geom.V(-9, 9), geom.V(20, -20), 0) }); n != 0 {
		t.Errorf("a ray allocates %v times", n)
	}
}

// TestSameCallsSameBits makes two worlds by the same calls, in which bodies
// come and go and the ground is dug.
func TestSameCallsSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type act struct{ kind, a, b int }
		acts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
			return act{rapid.IntRange(0, 5).Draw(t, "kind"), rapid.IntRange(-8, 8).Draw(t, "a"), rapid.IntRange(0, 8).Draw(t, "b")}
		}), 1, 40).Draw(t, "acts")
		run := func() (hashes []uint64) {
			w := worldtest.New()
			g := worldtest.AddGround(t, w, 0)
			if err := g.Fill(gridseg.Rect{MinX: -10, MinY: -3, MaxX: 10, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
			var ids []quarry.BodyID
			for _, a := range acts {
				switch a.kind {
				case 0, 1:
					ids = append(ids, worldtest.Add(w, geom.V(float64(a.a), float64(a.b)), geom.NewBox(0.5, 0.3)).ID())
				case 2:
					if len(ids) > 0 {
						w.RemoveBody(ids[a.b%len(ids)])
					}
				case 3:
					_ = g.Clear(int32(a.a), -1-int32(a.b%3))
				case 4:
					_ = g.Set(int32(a.a), int32(a.b), gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(a.b % 8)})
				case 5:
					worldtest.Steps(w, a.b)
				}
				w.Step(worldtest.DT)
				hashes = append(hashes, w.Hash())
			}
			return hashes
		}
		if a, b := run(), run(); !slices.Equal(a, b) {
			t.Fatalf("%x\n%x", a, b)
		}
	})
}

func TestQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		for range rapid.IntRange(0, 30).Draw(t, "bodies") {
			p := geom.V(rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y"))
			id := w.AddBody(quarry.BodyDef{Position: p, Angle: rapid.Float64Range(-4, 4).Draw(t, "angle")})
			w.AddShape(id, geom.NewBox(rapid.Float64Range(0.1, 3).Draw(t, "hx"), 0.4), quarry.ShapeDef{})
		}
		q := geom.V(rapid.Float64Range(-10, 10).Draw(t, "qx"), rapid.Float64Range(-10, 10).Draw(t, "qy"))
		d := geom.V(rapid.Float64Range(-10, 10).Draw(t, "dx"), rapid.Float64Range(-10, 10).Draw(t, "dy"))
		box := geom.Box(q, q.Add(d))
		var in, at []quarry.ShapeID
		best := 2.0
		for b := range w.Bodies() {
			for s := range b.Shapes() {
				if s.Bounds().Overlaps(box) {
					in = append(in, s.ID())
				}
				tf := b.Transform()
				if s.Geometry().Contains(tf.Inv(q)) {
					at = append(at, s.ID())
				}
				if h, ok := s.Geometry().RayCast(tf.Inv(q), tf.Q.Inv(d)); ok {
					best = min(best, h.Fraction)
				}
			}
		}
		if got := w.AppendOverlaps(nil, box); !slices.Equal(sorted(got), sorted(in)) {
			t.Fatalf("overlaps %v, by hand %v", got, in)
		}
		if got := w.AppendShapesAt(nil, q); !slices.Equal(sorted(got), sorted(at)) {
			t.Fatalf("at a point %v, by hand %v", got, at)
		}
		hit, ok := w.RayCast(q, d, 0)
		if ok != (best <= 1) || ok && hit.Fraction != best {
			t.Fatalf("ray %v %v, by hand %v", hit.Fraction, ok, best)
		}
	})
}

func sorted(ids []quarry.ShapeID) []quarry.ShapeID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

// TestLost: what left the bounds of the broad phase became static in silence.
func TestLost(t *testing.T) {
	w := worldtest.New()
	const edge = 1 << 50
	far := worldtest.Add(w, geom.V(edge-400, 0), geom.Circle{Radius: 0.5})
	far.SetVelocity(geom.V(quarry.MaxSpeed, 0))
	put := worldtest.Add(w, geom.V(0, 0), geom.Circle{Radius: 0.5})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(-edge+400, 0), Velocity: geom.V(-1000, 0)})
	w.AddShape(id, geom.NewBox(1, 1), quarry.ShapeDef{})
	count := map[quarry.BodyID]int{}
	for i := range 120 {
		if i == 50 {
			put.SetTransform(geom.V(3*edge, 0), 0)
			if len(w.Lost()) > 0 {
				t.Error("told before the step")
			}
		}
		w.Step(worldtest.DT)
		for _, id := range w.Lost() {
			count[id]++
			b, ok := w.Body(id)
			if !ok || b.Type() != quarry.Static || !b.Awake() {
				t.Errorf("%v is lost, and %v, awake: %v", id, b.Type(), b.Awake())
			}
			if id == put.ID() && i != 50 {
				t.Errorf("told in step %d", i)
			}
		}
	}
	if len(count) != 3 || count[far.ID()] != 1 || count[put.ID()] != 1 || count[id] != 1 {
		t.Errorf("lost: %v", count)
	}
}

// TestContactEndsKnowTheirTile is law 7 of the ground: the end of a contact carries the
// cell and tile, or the segment, of its last point, also if they have been removed. Ends
// had neither.
func TestContactEndsKnowTheirTile(t *testing.T) {
	tile := gridseg.Tile{Shape: gridseg.Full, Material: 3, User: 42}
	cell := gridseg.Cell{X: 2, Y: -1}
	type world struct {
		*quarry.World
		g     quarry.Ground
		chain quarry.ChainID
		b     quarry.Body
	}
	onGround := func() world {
		w := worldtest.New()
		g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
		if err := g.Set(cell.X, cell.Y, tile); err != nil {
			t.Fatal(err)
		}
		return world{w, g, 0, worldtest.Add(w, geom.V(2.5, 0.4), geom.Circle{Radius: 0.4})}
	}
	onChain := func() world {
		w := worldtest.New()
		id, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 5}, {X: 3}, {X: 2}, {X: -5}}})
		if err != nil {
			t.Fatal(err)
		}
		return world{w, quarry.Ground{}, id, worldtest.Add(w, geom.V(2.4, 0.4), geom.Circle{Radius: 0.4})}
	}
	for _, c := range []struct {
		name string
		make func() world
		end  func(w world)
	}{
		{"jumps", onGround, func(w world) { w.b.SetVelocity(geom.V(0, 9)) }},
		{"teleported", onGround, func(w world) { w.b.SetTransform(geom.V(1e6, 9), 0) }},
		{"off the lattice", onGround, func(w world) { w.b.SetTransform(geom.V(1e11, 9), 0) }},
		{"dug away", onGround, func(w world) { _ = w.g.Clear(cell.X, cell.Y) }},
		{"the ground removed", onGround, func(w world) { w.RemoveGround(w.g.ID()) }},
		{"the body removed", onGround, func(w world) { w.RemoveBody(w.b.ID()) }},
		{"asleep, then dug away", onGround, func(w world) { worldtest.Steps(w.World, 120); _ = w.g.Clear(cell.X, cell.Y) }},
		{"jumps off a chain", onChain, func(w world) { w.b.SetVelocity(geom.V(0, 9)) }},
		{"the chain removed", onChain, func(w world) { w.RemoveChain(w.chain) }},
	} {
		w := c.make()
		worldtest.Steps(w.World, 3)
		if all := w.AppendContacts(nil); len(all) != 1 {
			t.Fatalf("%s: contacts %+v", c.name, all)
		}
		c.end(w)
		var ends []quarry.ContactEvent
		for range 4 {
			w.Step(worldtest.DT)
			ends = append(ends, w.ContactEnds()...)
		}
		want := quarry.ContactEvent{Ground: 0, Chain: w.chain}
		if w.chain == 0 {
			want.Ground, want.Cell, want.Tile = w.g.ID(), cell, tile
		} else {
			want.Segment = 1
		}
		want.ShapeB = ends[0].ShapeB
		if len(ends) != 1 || ends[0] != want {
			t.Errorf("%s: ends %+v, want %+v", c.name, ends, want)
		}
	}
	// Between two shapes there is no tile.
	w := worldtest.New()
	id := w.AddBody(quarry.BodyDef{})
	w.AddShape(id, geom.NewBox(5, 1), quarry.ShapeDef{})
	b := worldtest.Add(w, geom.V(0, 1.4), geom.Circle{Radius: 0.4})
	worldtest.Steps(w, 3)
	b.SetVelocity(geom.V(0, 9))
	worldtest.Steps(w, 1)
	w.Step(worldtest.DT)
	for _, e := range w.ContactEnds() {
		if e.Cell != (gridseg.Cell{}) || e.Tile != (gridseg.Tile{}) || e.Segment != 0 {
			t.Errorf("of two shapes: %+v", e)
		}
	}
}
