package quarry

import (
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestCallsAreLinear: calls for all parts, contacts, joints or objects at one place take time in proportion to their
// number, also with other calls in between, and so does the first step after them, if no two of them are a pair. Each
// of the cases took quadratic time: 16 times as many took 256 times as long. In the least of a few runs they may take
// up to 96 times as long here, since large lists leave the caches. Other work on the machine can slow every run of
// some seconds, so runs go on for half a minute before the test fails.
func TestCallsAreLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures times; -short")
	}
	const few, many = 800, 16 * 800
	for _, c := range linearCalls {
		t.Run(c.name, func(t *testing.T) {
			least := [2]time.Duration{1 << 62, 1 << 62}
			for until := time.Now().Add(30 * time.Second); time.Now().Before(until); {
				for k, n := range [2]int{few, many} {
					do := c.world(newCrowdedWorld(t), n)
					from := time.Now()
					do()
					least[k] = min(least[k], time.Since(from))
				}
				if least[1] < 96*least[0] {
					return
				}
			}
			t.Errorf("%d take %v, %d take %v", few, least[0], many, least[1])
		})
	}
}

// crowdedWorld is a world with many parts of one kind.
type crowdedWorld struct {
	*World
	tb     testing.TB
	shapes *gridseg.Shapes // of all grids
	body   Body            // which has the parts
	ids    []ShapeID
	bodies []Body // which touch the parts
}

func newCrowdedWorld(tb testing.TB) *crowdedWorld {
	return &crowdedWorld{
		World: NewWorld(Config{Gravity: geom.V(0, -10), Workers: 1}), tb: tb, shapes: gridseg.NewShapes(),
	}
}

// spot returns the place of part k, in rows of 200.
func spot(k int) geom.Vec { return geom.V(float64(k%200)*2, float64(k/200)*3) }

// addBody makes w.body a body of a type.
func (w *crowdedWorld) addBody(kind BodyType) {
	w.body, _ = w.Body(w.AddBody(BodyDef{Type: kind}))
}

// addShapes adds n boxes to w.body.
func (w *crowdedWorld) addShapes(n int, d ShapeDef) {
	for k := range n {
		w.ids = append(w.ids, w.AddShape(w.body.id, geom.NewOffsetBox(0.9, 0.4, spot(k), geom.Identity), d))
	}
}

// grid returns the tile of a ground at spot k, or with one at the origin.
func (w *crowdedWorld) grid(k int, one bool) *gridseg.Grid {
	at := spot(k)
	if one {
		at = geom.Vec{}
	}
	g := gridseg.New(w.shapes)
	if err := g.Set(int32(at.X), int32(at.Y), gridseg.Tile{Shape: gridseg.Full}); err != nil {
		w.tb.Fatal(err)
	}
	return g
}

// addGrounds adds n grounds of a tile to w.body, and returns their ids.
func (w *crowdedWorld) addGrounds(n int) (ids []GroundID) {
	for k := range n {
		id, err := w.AddGround(w.body.id, GroundDef{Grid: w.grid(k, false)})
		if err != nil {
			w.tb.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// addChains adds n chains to w.body, at spots or with one at the origin, and returns their ids.
func (w *crowdedWorld) addChains(n int, one bool) (ids []ChainID) {
	for k := range n {
		at := spot(k)
		if one {
			at = geom.Vec{}
		}
		id, err := w.AddChain(w.body.id, ChainDef{Points: []geom.Vec{at.Add(geom.V(1, 0)), at}})
		if err != nil {
			w.tb.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// addBoxes adds a box above each spot, each a body.
func (w *crowdedWorld) addBoxes(n int, above float64) {
	for k := range n {
		b := w.AddBody(BodyDef{Type: Dynamic, Position: spot(k).Add(geom.V(0, above))})
		w.AddShape(b, geom.NewBox(0.5, 0.5), ShapeDef{})
		v, _ := w.Body(b)
		w.bodies = append(w.bodies, v)
	}
}

// joints adds a joint of each box with w.body.
func (w *crowdedWorld) joints() (ids []JointID) {
	for _, b := range w.bodies {
		ids = append(ids, w.AddJoint(DistanceJoint{JointBase: JointBase{A: w.body.id, B: b.id}, Length: 10}))
	}
	return ids
}

// touching makes n boxes touch n shapes of a static body.
func (w *crowdedWorld) touching(n int) {
	w.addBody(Static)
	w.addShapes(n, ShapeDef{})
	w.addBoxes(n, 0.9)
	w.Step(1.0 / 60)
}

// eachShape returns a case in which n boxes touch n shapes of a static body, and do is called for each of these.
func eachShape(do func(w *crowdedWorld, s Shape)) func(w *crowdedWorld, n int) func() {
	return func(w *crowdedWorld, n int) func() {
		w.touching(n)
		return func() {
			for _, id := range w.ids {
				s, _ := w.Shape(id)
				do(w, s)
			}
		}
	}
}

// atOnePoint returns a case of n bodies at one point, each with a shape, and the first step.
func atOnePoint(kind BodyType, g geom.Shape, sensor bool) func(w *crowdedWorld, n int) func() {
	return func(w *crowdedWorld, n int) func() {
		return func() {
			for range n {
				w.AddShape(w.AddBody(BodyDef{Type: kind}), g, ShapeDef{Sensor: sensor})
			}
			w.Step(1.0 / 60)
		}
	}
}

// linearCalls are the cases: world makes a world for n calls, and returns the calls.
var linearCalls = []struct {
	name  string
	world func(w *crowdedWorld, n int) func()
}{
	{"AddGround to a dynamic body", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		return func() { w.addGrounds(n) }
	}},
	{"RemoveGround of a dynamic body", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		ids := w.addGrounds(n)
		return func() {
			for _, id := range ids {
				w.RemoveGround(id)
			}
		}
	}},
	{"edits of the grounds of a dynamic body", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		ids := w.addGrounds(n)
		return func() {
			for k, id := range ids {
				g, _ := w.Ground(id)
				if err := g.Set(int32(spot(k).X), int32(spot(k).Y)+1, gridseg.Tile{Shape: gridseg.Full}); err != nil {
					w.tb.Fatal(err)
				}
			}
		}
	}},
	{"SetMaterial with another density under the grounds of a dynamic body", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		w.addGrounds(n)
		return func() { w.SetMaterial(0, Material{Density: 3}) }
	}},
	{"RemoveChain", func(w *crowdedWorld, n int) func() {
		w.addBody(Static)
		ids := w.addChains(n, false)
		return func() {
			for _, id := range ids {
				w.RemoveChain(id)
			}
		}
	}},
	{"AddShape and AddBody in turn", func(w *crowdedWorld, n int) func() {
		w.addBody(Static)
		return func() {
			for k := range n {
				w.AddShape(w.body.id, geom.Circle{Center: spot(k), Radius: 0.5}, ShapeDef{})
				w.AddBody(BodyDef{Type: Dynamic, Position: spot(k)})
			}
		}
	}},
	{"AddShape and SetVelocity in turn", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		return func() {
			for k := range n {
				w.AddShape(w.body.id, geom.Circle{Center: spot(k), Radius: 0.5}, ShapeDef{})
				w.body.SetVelocity(geom.V(0, 1))
			}
		}
	}},
	{"RemoveBody of sensors", func(w *crowdedWorld, n int) func() {
		w.addBody(Static)
		w.addShapes(n, ShapeDef{Sensor: true})
		return func() { w.RemoveBody(w.body.id) }
	}},
	{"RemoveJoint", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		w.addShapes(n, ShapeDef{})
		w.addBoxes(n, 10)
		ids := w.joints()
		return func() {
			for _, id := range ids {
				w.RemoveJoint(id)
			}
		}
	}},
	{"RemoveJoint of the other side", func(w *crowdedWorld, n int) func() {
		w.addBody(Dynamic)
		w.addShapes(n, ShapeDef{})
		w.addBoxes(n, 10)
		var ids []JointID
		for _, b := range w.bodies {
			ids = append(ids, w.AddJoint(DistanceJoint{JointBase: JointBase{A: b.id, B: w.body.id}, Length: 10}))
		}
		return func() {
			for _, id := range ids {
				w.RemoveJoint(id)
			}
		}
	}},
	{"AddJoint of bodies that touch one", func(w *crowdedWorld, n int) func() {
		w.touching(n)
		return func() {
			for _, b := range w.bodies {
				w.AddJoint(DistanceJoint{JointBase: JointBase{A: b.id, B: w.body.id}})
			}
		}
	}},
	{"RemoveShape", eachShape(func(w *crowdedWorld, s Shape) { w.RemoveShape(s.id) })},
	{"SetFilter", eachShape(func(_ *crowdedWorld, s Shape) { s.SetFilter(2, 0, 0) })},
	{"SetMaterial", eachShape(func(w *crowdedWorld, s Shape) {
		if len(w.state.Materials) == 1 {
			w.AddMaterial(Material{Friction: 0.5})
		}
		s.SetMaterial(1)
	})},
	{"SetGeometry", eachShape(func(_ *crowdedWorld, s Shape) { s.SetGeometry(s.Geometry()) })},
	{"SetSensor", eachShape(func(_ *crowdedWorld, s Shape) { s.SetSensor(true) })},
	{"SetFlags", eachShape(func(_ *crowdedWorld, s Shape) { s.SetFlags(AskFilter | NoHitEvents) })},
	{"SetBody", eachShape(func(w *crowdedWorld, s Shape) {
		if len(w.bodies) > 0 {
			w.bodies = nil
			w.addBody(Static)
		}
		s.SetBody(w.body.id)
	})},
	{"Shape.AppendContacts", eachShape(func(_ *crowdedWorld, s Shape) { s.AppendContacts(nil) })},
	{"Shape.AppendOverlaps", eachShape(func(_ *crowdedWorld, s Shape) { s.AppendOverlaps(nil) })},
	{"RemoveBody of shapes that touch", func(w *crowdedWorld, n int) func() {
		w.touching(n)
		return func() { w.RemoveBody(w.body.id) }
	}},
	{"static boxes at a point", atOnePoint(Static, geom.NewBox(0.5, 0.5), false)},
	{"kinematic circles at a point", atOnePoint(Kinematic, geom.Circle{Radius: 0.5}, false)},
	{"static sensors at a point", atOnePoint(Static, geom.NewBox(0.5, 0.5), true)},
	{"dynamic sensors at a point", atOnePoint(Dynamic, geom.NewBox(0.5, 0.5), true)},
	{"chains at a point", func(w *crowdedWorld, n int) func() {
		return func() {
			w.addBody(Static)
			w.addChains(n, true)
			w.Step(1.0 / 60)
		}
	}},
	{"static grounds at a point", func(w *crowdedWorld, n int) func() {
		return func() {
			for k := range n {
				if _, err := w.AddGround(w.AddBody(BodyDef{}), GroundDef{Grid: w.grid(k, true)}); err != nil {
					w.tb.Fatal(err)
				}
			}
			w.Step(1.0 / 60)
		}
	}},
}
