package quarry_test

import (
	"slices"
	"testing"

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

func sorted(ids []quarry.ShapeID) []quarry.ShapeID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

// TestLost: a body that leaves the bounds of the broad phase becomes static and is
// reported in World.Lost. It was not reported.
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
			if !ok || b.Type() != quarry.Static || b.Enabled() != (id != put.ID()) {
				t.Errorf("%v is lost, and %v, enabled: %v", id, b.Type(), b.Enabled())
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

// TestLostEndsContacts: the contacts of a body that SetTransform moves beyond the bounds end in the next step, its
// joint does not act any more, and a snapshot of the world can be restored. The contacts stayed for good, and the
// distance of the shapes was beyond a float32.
func TestLostEndsContacts(t *testing.T) {
	for _, far := range []float64{1e16, 1e39, -1e308} {
		w := worldtest.New()
		floor := w.AddBody(quarry.BodyDef{})
		w.AddShape(floor, geom.NewBox(10, 0.5), quarry.ShapeDef{})
		b := worldtest.Add(w, geom.V(0, 1), geom.NewBox(0.5, 0.5))
		other := worldtest.Add(w, geom.V(1.005, 1), geom.NewBox(0.5, 0.5))
		base := w.JointAt(b.ID(), other.ID(), geom.V(0.5, 1))
		base.CollideConnected = true
		w.AddJoint(quarry.RevoluteJoint{JointBase: base})
		for range 3 {
			w.Step(worldtest.DT)
		}
		before := w.Stats().Touching
		b.SetTransform(geom.V(0, far), 0)
		w.Step(worldtest.DT)
		if n := len(w.ContactEnds()); before != 3 || n != 2 || w.Stats().Touching != 1 {
			t.Errorf("%v: of %d contacts %d ended, and %d are left", far, before, n, w.Stats().Touching)
		}
		for range 60 {
			w.Step(worldtest.DT)
		}
		if d := other.Position().Dist(geom.V(1.005, 1)); d > 0.1 {
			t.Errorf("%v: the joint moved the other body by %v", far, d)
		}
		if err := quarry.NewWorld(quarry.Config{}).Restore(w.AppendSnapshot(nil)); err != nil {
			t.Errorf("%v: %v", far, err)
		}
	}
}

// TestContactEndsKnowTheirTile is law 7 of the ground: the end of a contact has the cell
// and tile, or the segment, of its last point, even if that has been removed. Ends had
// neither.
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
		{"asleep, then dug away", onGround, func(w world) {
			worldtest.Steps(w.World, 120)
			_ = w.g.Clear(cell.X, cell.Y)
		}},
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
