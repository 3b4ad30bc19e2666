package quarry_test

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// sidesOf is what a game keeps of an event: the pair, and the material of a MaterialEvent.
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

// changeTouching makes a drawn call that ends contacts, or changes their events.
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
	switch rapid.IntRange(0, 19).Draw(t, "call") {
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
