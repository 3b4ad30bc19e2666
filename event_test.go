package quarry_test

import (
	"fmt"
	"maps"
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

// sidesOf identifies an event for a game: its pair, and the material of a MaterialEvent.
type sidesOf struct {
	shapeA, shapeB  quarry.ShapeID
	ground, groundB quarry.GroundID
	chain           quarry.ChainID
	material        quarry.MaterialID
}

func sidesOfEvent(e *quarry.ContactEvent) sidesOf {
	return sidesOf{e.ShapeA, e.ShapeB, e.Ground, e.GroundB, e.Chain, 0}
}

// begun is the sets that a game keeps by events, as the documents say: begins first, then ends.
type begun struct{ contacts, sensors, materials map[sidesOf]bool }

func newBegun() begun {
	return begun{map[sidesOf]bool{}, map[sidesOf]bool{}, map[sidesOf]bool{}}
}

func (s begun) clone() begun {
	return begun{maps.Clone(s.contacts), maps.Clone(s.sensors), maps.Clone(s.materials)}
}

// read reads the events of a step. A begin of a pair that has begun, or an end of one that has not, is an error.
func (s begun) read(w *quarry.World) error {
	begin := func(set map[sidesOf]bool, kind string, p sidesOf) error {
		if set[p] {
			return fmt.Errorf("%s: a second begin of %+v", kind, p)
		}
		set[p] = true
		return nil
	}
	end := func(set map[sidesOf]bool, kind string, p sidesOf) error {
		if !set[p] {
			return fmt.Errorf("%s: an end without a begin of %+v", kind, p)
		}
		delete(set, p)
		return nil
	}
	for k, f := range []func(map[sidesOf]bool, string, sidesOf) error{begin, end} {
		for _, e := range [][]quarry.ContactEvent{w.ContactBegins(), w.ContactEnds()}[k] {
			if err := f(s.contacts, "contact", sidesOfEvent(&e)); err != nil {
				return err
			}
		}
		for _, e := range [][]quarry.ContactEvent{w.SensorBegins(), w.SensorEnds()}[k] {
			if err := f(s.sensors, "sensor", sidesOfEvent(&e)); err != nil {
				return err
			}
		}
		for _, e := range [][]quarry.MaterialEvent{w.MaterialBegins(), w.MaterialEnds()}[k] {
			p := sidesOfEvent(&e.ContactEvent)
			p.material = e.Material
			if err := f(s.materials, "material", p); err != nil {
				return err
			}
		}
	}
	return nil
}

// asked returns the same sets by questions to the world.
func asked(w *quarry.World) begun {
	s := newBegun()
	ofShape := func(id quarry.ShapeID) quarry.EventFlags {
		v, _ := w.Shape(id)
		return v.Flags()
	}
	ofGround := func(id quarry.GroundID) quarry.EventFlags {
		v, _ := w.Ground(id)
		return v.Flags()
	}
	for _, c := range w.AppendContacts(nil) {
		p := sidesOf{c.ShapeA, c.ShapeB, c.Ground, c.GroundB, c.Chain, 0}
		var a, b quarry.EventFlags
		switch {
		case c.ShapeA != 0:
			a, b = ofShape(c.ShapeA), ofShape(c.ShapeB)
		case c.GroundB != 0:
			if b = ofGround(c.GroundB); c.Chain != 0 {
				a = quarry.NoContactEvents // the ground decides
			} else {
				a = ofGround(c.Ground)
			}
		default:
			a, b = quarry.NoContactEvents, ofShape(c.ShapeB)
			if c.Ground != 0 {
				a |= ofGround(c.Ground)
			}
		}
		if a&b&quarry.NoContactEvents == 0 {
			s.contacts[p] = true
		}
		if c.ShapeA != 0 || (a|b)&quarry.MaterialEvents == 0 {
			continue
		}
		for _, q := range c.Points[:c.N] {
			if q.Separation > 0.02 {
				continue
			}
			p.material = q.Material
			s.materials[p] = true
			if c.Ground != 0 && c.GroundB != 0 {
				s.materials[sidesOf{ground: c.GroundB, groundB: c.Ground, material: q.MaterialB}] = true
			}
		}
	}
	for x := range w.Shapes() {
		if !x.Sensor() {
			continue
		}
		for _, id := range x.AppendOverlaps(nil) {
			if (ofShape(id)|x.Flags())&quarry.NoSensorEvents == 0 {
				p := sidesOf{shapeA: id, shapeB: x.ID()}
				if x.ID()&(1<<26-1) < id&(1<<26-1) { // the lower slot is A
					p = sidesOf{shapeA: x.ID(), shapeB: id}
				}
				s.sensors[p] = true
			}
		}
		for _, id := range x.AppendGrounds(nil) {
			if (ofGround(id)|x.Flags())&quarry.NoSensorEvents == 0 {
				s.sensors[sidesOf{shapeB: x.ID(), ground: id}] = true
			}
		}
		for _, id := range x.AppendChains(nil) {
			if x.Flags()&quarry.NoSensorEvents == 0 {
				s.sensors[sidesOf{shapeB: x.ID(), chain: id}] = true
			}
		}
	}
	return s
}

// drawTouching returns a world with a floor, a chain, a raft and a block of tiles, zones and bodies, some of them fast.
func drawTouching(t *rapid.T) *quarry.World {
	w, _ := drawWorld(t, 0)
	for k, at := range []geom.Vec{geom.V(-3, 0.2), geom.V(-2.9, 2.3)} {
		g := worldtest.AddGround(t, w, w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at}))
		for x := range int32(2) {
			worldtest.Must(t, g.Set(x, 0, gridseg.Tile{Shape: gridseg.Full, Material: uint16((k + int(x)) % 2)}))
		}
	}
	for k, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic, quarry.Dynamic} {
		b := w.AddBody(quarry.BodyDef{Type: kind, Position: geom.V(float64(2*k-2), 1), Weightless: true})
		w.AddShape(b, geom.NewBox(1, 0.7), quarry.ShapeDef{Sensor: true, Flags: quarry.SenseGround})
	}
	w.AddShape(w.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(-8, 1.2), Velocity: geom.V(300, 0),
		Weightless: true, Bullet: true,
	}), geom.Circle{Radius: 0.1}, quarry.ShapeDef{})
	return w
}

// pick returns a drawn element of seq.
func pick[T any](t *rapid.T, seq func(func(T) bool)) (one T, ok bool) {
	var all []T
	for x := range seq {
		all = append(all, x)
	}
	if len(all) == 0 {
		return one, false
	}
	return all[rapid.IntRange(0, len(all)-1).Draw(t, "of")], true
}

// changeTouching makes a drawn call that ends contacts, or changes their events: any kind of call that can, of bodies,
// shapes, grounds, chains, joints and materials, and the functions of the world.
func changeTouching(t *rapid.T, w *quarry.World) {
	flags := func() quarry.EventFlags {
		f := quarry.EventFlags(0)
		for _, x := range []quarry.EventFlags{
			quarry.NoContactEvents, quarry.NoSensorEvents, quarry.MaterialEvents,
			quarry.SenseGround, quarry.AskFilter,
		} {
			if rapid.Bool().Draw(t, "flag") {
				f |= x
			}
		}
		return f
	}
	b, _ := pick(t, w.Bodies())
	s, ok := pick(t, w.Shapes())
	g, isGround := pick(t, w.Grounds())
	if !ok {
		return
	}
	switch rapid.IntRange(0, 35).Draw(t, "call") {
	case 20:
		if rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
			w.RemoveBody(b.ID())
		}
	case 21:
		if isGround && rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
			w.RemoveGround(g.ID())
		}
	case 22:
		if c, ok := pick(t, w.Chains()); ok && rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
			w.RemoveChain(c.ID())
		}
	case 23:
		if isGround {
			g.SetFilter(1, uint64(rapid.IntRange(1, 3).Draw(t, "mask")), int32(rapid.IntRange(-1, 0).Draw(t, "group")))
		}
	case 24:
		if c, ok := pick(t, w.Chains()); ok {
			c.SetFilter(1, uint64(rapid.IntRange(1, 3).Draw(t, "mask")), int32(rapid.IntRange(-1, 0).Draw(t, "group")))
		}
	case 25:
		if c, ok := pick(t, w.Chains()); ok {
			c.SetMaterial(rapid.IntRange(0, 2).Draw(t, "segment"),
				quarry.MaterialID(rapid.IntRange(0, 1).Draw(t, "material")))
		}
	case 26:
		w.SetMaterial(1, quarry.Material{Friction: 0.5, OneWay: quarry.OneWay(rapid.IntRange(0, 4).Draw(t, "way"))})
	case 27:
		if isGround {
			x := int32(rapid.IntRange(-4, 4).Draw(t, "cell"))
			data, err := g.UnloadPlace(gridseg.Rect{MinX: x, MinY: -16, MaxX: x, MaxY: -1},
				gridseg.Unloaded(rapid.IntRange(0, 1).Draw(t, "as")))
			if err == nil && rapid.Bool().Draw(t, "load at once") {
				_, err = g.LoadPlace(data)
				worldtest.Must(t, err)
			}
		}
	case 28:
		if other, ok := pick(t, w.Grounds()); ok && isGround && other.ID() != g.ID() {
			_ = g.Join(other.ID())
		}
	case 29:
		if isGround {
			g.SetBreaks(true, []gridseg.Rect{{MinX: -6, MinY: -1, MaxX: -6, MaxY: -1}}, 0)
		}
	case 30:
		if j, ok := pick(t, w.Joints()); ok {
			w.RemoveJoint(j.ID())
		}
	case 31:
		n := rapid.IntRange(1, 3).Draw(t, "pre")
		w.SetPreSolve(func(p *quarry.PreSolve) { p.Disabled = (int(p.A.Shape)+int(p.B.Shape))%n == 0 })
	case 32:
		b.DropThrough(0.1)
	case 33:
		s.SetFlags(flags() | quarry.AskPreSolve)
	case 34:
		b.Wake()
	case 35:
		if isGround {
			g.SetFlags(flags() | quarry.AskPreSolve)
		}
	case 0:
		s.SetGeometry(rapid.SampledFrom([]geom.Shape{geom.Circle{Radius: 0.4}, geom.NewBox(0.5, 0.3)}).Draw(t,
			"geometry"))
	case 1:
		s.SetFilter(1, uint64(rapid.IntRange(1, 3).Draw(t, "mask")), int32(rapid.IntRange(-1, 0).Draw(t, "group")))
	case 2:
		if k := quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")); k != quarry.Dynamic || !hasChain(b) {
			b.SetType(k)
		}
	case 3:
		b.SetEnabled(!b.Enabled())
	case 4:
		b.SetEnabled(false)
		b.SetEnabled(true)
	case 5:
		s.SetSensor(!s.Sensor())
	case 6:
		s.SetSensor(!s.Sensor())
		s.SetSensor(!s.Sensor())
	case 7:
		s.SetBody(b.ID())
	case 8, 9, 10, 11:
		s.SetFlags(flags())
	case 12:
		if isGround {
			g.SetFlags(flags())
		}
	case 13:
		b.SetTransform(geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(0, 3).Draw(t, "y")), 0)
	case 14:
		if isGround {
			_ = g.Set(int32(rapid.IntRange(-4, 4).Draw(t, "cell")), int32(rapid.IntRange(-1, 0).Draw(t, "row")),
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(rapid.IntRange(0, 1).Draw(t, "material"))})
		}
	case 15:
		if isGround {
			_ = g.Clear(int32(rapid.IntRange(-4, 4).Draw(t, "cell")), int32(rapid.IntRange(-1, 0).Draw(t, "row")))
		}
	case 16:
		if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
			w.RemoveShape(s.ID())
		} else {
			w.AddShape(b.ID(), geom.Circle{Radius: 0.3}, quarry.ShapeDef{Flags: flags(), Sensor: rapid.Bool().Draw(t,
				"sensor")})
		}
	case 17:
		b.Sleep()
	case 18:
		n := quarry.ShapeID(rapid.IntRange(1, 3).Draw(t, "filter"))
		w.SetCustomFilter(func(a, b quarry.Side) bool { return (a.Shape+b.Shape)%n == 0 })
	case 19:
		if other, _ := pick(t, w.Bodies()); other.ID() != b.ID() && (b.Type() == quarry.Dynamic ||
			other.Type() == quarry.Dynamic) {
			// whose bodies do not collide
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(b.ID(), other.ID(), b.Position())})
		}
	}
}

func hasChain(b quarry.Body) bool {
	for range b.Chains() {
		return true
	}
	return false
}

// TestEventsTellWhatTouches: a game that reads the begins of a step and then the ends knows the pairs that touch and
// report it, whatever calls are made in between: calls that end contacts and let the step begin them again, changes of
// flags, bodies that pass a sensor in one step, rewinds and restored snapshots. No pair begins twice or ends twice. A
// pair that a call had reset was gone by events, flags that changed in touch left begins without ends.
func TestEventsTellWhatTouches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawTouching(t)
		on := newBegun()
		var saved quarry.Snapshot
		var savedOn begun
		for step := range rapid.IntRange(20, 80).Draw(t, "steps") {
			for range rapid.IntRange(-2, 3).Draw(t, "calls") {
				changeTouching(t, w)
			}
			switch rapid.IntRange(0, 19).Draw(t, "snapshot") {
			case 0:
				w.Capture(&saved)
				savedOn = on.clone()
			case 1:
				if savedOn.contacts != nil {
					w.Rewind(&saved)
					on = savedOn.clone()
				}
			case 2:
				data := w.AppendSnapshot(nil)
				w = quarry.NewWorld(quarry.Config{Workers: 1})
				worldtest.Must(t, w.Restore(data))
				savedOn.contacts = nil
			}
			w.Step(worldtest.DT)
			if err := on.read(w); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			want := asked(w)
			for _, c := range []struct {
				name      string
				got, want map[sidesOf]bool
			}{{"contacts", on.contacts, want.contacts}, {"sensors", on.sensors, want.sensors}, {
				"materials",
				on.materials, want.materials,
			}} {
				if !maps.Equal(c.got, c.want) {
					t.Fatalf("step %d: %s by events %+v, of the world %+v", step, c.name, c.got, c.want)
				}
			}
		}
	})
}
