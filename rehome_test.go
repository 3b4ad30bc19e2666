package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// heap is a static floor of a box, a chain beside it, a kinematic lift and some dynamic boxes, each of two shapes.
type heap struct {
	*quarry.World
	bodies []quarry.BodyID
	shapes []quarry.ShapeID
	chain  quarry.ChainID
}

// newHeap makes the heap, with materials for the segments of the chain.
func newHeap(materials []quarry.MaterialID) *heap {
	h := &heap{World: worldtest.New()}
	for range 3 {
		h.AddMaterial(quarry.Material{Friction: 0.6})
	}
	add := func(d quarry.BodyDef, shapes ...geom.Shape) {
		id := h.AddBody(d)
		h.bodies = append(h.bodies, id)
		for _, s := range shapes {
			h.shapes = append(h.shapes, h.AddShape(id, s, quarry.ShapeDef{}))
		}
	}
	add(quarry.BodyDef{Position: geom.V(0, -0.5)}, geom.NewBox(10, 0.5))
	add(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(-3, 0.5)}, geom.NewBox(0.5, 0.5))
	for i := range 4 {
		add(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(float64(i)-1.5, 0.6+float64(i)*0.7),
			Velocity: geom.V(float64(i)*2, 0),
		},
			geom.NewBox(0.4, 0.4), geom.Circle{Center: geom.V(0.4, 0.2), Radius: 0.3})
	}
	var err error
	h.chain, err = h.AddChain(0, quarry.ChainDef{
		Points: []geom.Vec{geom.V(40, 1), geom.V(30, 0), geom.V(20, 0), geom.V(10, 0)}, Materials: materials,
	})
	if err != nil {
		panic(err)
	}
	add(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(13, 0.4), Velocity: geom.V(12, 0)}, geom.NewBox(0.4, 0.4))
	return h
}

// state has the motion and the mass of each body.
func (h *heap) state() (s []float64) {
	for b := range h.Bodies() {
		p, v := b.Position(), b.Velocity()
		s = append(s, p.X, p.Y, b.Rotation().C, b.Rotation().S, v.X, v.Y, b.AngularVelocity(), b.Mass(), b.Inertia())
	}
	return s
}

// mustMatch steps both worlds, and compares them after each step.
func mustMatch(t *rapid.T, a, b *heap, steps int, within float64) {
	for i := range steps {
		a.Step(1.0 / 60)
		b.Step(1.0 / 60)
		if !slices.EqualFunc(a.state(), b.state(), func(x, y float64) bool { return math.Abs(x-y) <= within }) {
			t.Fatalf("the worlds differ after %d steps:\n%v\n%v", i+1, a.state(), b.state())
		}
	}
}

// TestRehomedShapes: a shape with another body, or made a sensor or solid, acts as one removed and added again, but for
// the rounding of the centre of mass, which moves twice there, and keeps its id.
func TestRehomedShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := newHeap(nil), newHeap(nil)
		mustMatch(t, a, b, rapid.IntRange(0, 90).Draw(t, "before"), 0)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(a.shapes)-1).Draw(t, "shape")
			sa, _ := a.Shape(a.shapes[i])
			sb, _ := b.Shape(b.shapes[i])
			d, g, to := sb.Def(), sb.Geometry(), sb.Body().ID()
			if rapid.Bool().Draw(t, "sensor") {
				d.Sensor = !d.Sensor
				sa.SetSensor(d.Sensor)
			} else {
				to = rapid.SampledFrom(b.bodies).Draw(t, "body")
				if to == sb.Body().ID() {
					continue
				}
				if !sa.SetBody(to) {
					t.Fatal("SetBody found no body")
				}
			}
			if sa.Body().ID() != to || sa.Sensor() != d.Sensor || sa.Def() != d {
				t.Fatal("the shape is not as it was set")
			}
			b.RemoveShape(b.shapes[i])
			b.shapes[i] = b.AddShape(to, g, d)
			mustMatch(t, a, b, rapid.IntRange(0, 10).Draw(t, "after"), 1e-6)
		}
	})
}

// TestRehomedEvents: the events of a shape that changes its body, or becomes a sensor, are in pairs.
func TestRehomedEvents(t *testing.T) {
	h := newHeap(nil)
	worldtest.Steps(h.World, 120)
	crate, _ := h.Shape(h.shapes[2])
	if len(crate.AppendContacts(nil)) == 0 {
		t.Fatal("the crate touches nothing")
	}
	crate.SetSensor(true)
	h.Step(1.0 / 60)
	if len(crate.AppendContacts(nil)) != 0 || !slices.ContainsFunc(h.ContactEnds(), func(e quarry.ContactEvent) bool {
		return e.ShapeA == crate.ID() || e.ShapeB == crate.ID()
	}) {
		t.Error("its contacts did not end")
	}
	inside := len(crate.AppendOverlaps(nil))
	if inside == 0 || len(h.SensorBegins()) != inside {
		t.Errorf("%d overlaps, %d begin", inside, len(h.SensorBegins()))
	}
	crate.SetSensor(false)
	h.Step(1.0 / 60)
	if len(h.SensorEnds()) != inside {
		t.Errorf("%d overlaps, %d end", inside, len(h.SensorEnds()))
	}
	if crate.SetBody(0) || crate.Body().ID() != h.bodies[2] {
		t.Error("SetBody found a body 0")
	}
}

// TestClearForces: forces taken back change nothing.
func TestClearForces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := newHeap(nil), newHeap(nil)
		for range 20 {
			for k, id := range a.bodies {
				x, _ := a.Body(id)
				y, _ := b.Body(b.bodies[k])
				if !x.Awake() {
					continue
				}
				f := geom.V(rapid.Float64Range(-50, 50).Draw(t, "x"), rapid.Float64Range(-50, 50).Draw(t, "y"))
				x.ApplyForce(f, geom.V(1, 2))
				x.ApplyTorque(f.X)
				x.ClearForces()
				x.ApplyForceToCenter(f)
				y.ApplyForceToCenter(f)
			}
			mustMatch(t, a, b, 1, 0)
		}
	})
}

// TestChainSetMaterial: a segment with another material acts as one whose material is changed in the table.
func TestChainSetMaterial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.IntRange(0, 2).Draw(t, "segment")
		own := []quarry.MaterialID{1, 1, 1}
		own[segment] = 2
		a, b := newHeap(rapid.SampledFrom([][]quarry.MaterialID{nil, {1, 1, 1}}).Draw(t, "materials")), newHeap(own)
		a.SetMaterial(0, a.Material(1))
		b.SetMaterial(0, b.Material(1))
		mustMatch(t, a, b, rapid.IntRange(0, 150).Draw(t, "before"), 0)
		m := quarry.Material{
			Friction:     rapid.SampledFrom([]float64{0, 0.1, 5}).Draw(t, "friction"),
			TangentSpeed: rapid.SampledFrom([]float64{0, 3}).Draw(t, "belt"),
		}
		a.SetMaterial(3, m)
		var saved quarry.Snapshot
		a.Capture(&saved)
		c, _ := a.Chain(a.chain)
		was := [3]quarry.MaterialID{c.Material(0), c.Material(1), c.Material(2)}
		c.SetMaterial(segment, 3)
		if want := c.Material(segment); want != 3 || c.Material((segment+1)%3) != was[(segment+1)%3] {
			t.Fatal("another segment has the material")
		}
		b.SetMaterial(2, m)
		for i := range a.bodies { // which of them wake is another question
			x, _ := a.Body(a.bodies[i])
			y, _ := b.Body(b.bodies[i])
			x.SetSleepSpeed(0) // restarts the time at rest, too
			y.SetSleepSpeed(0)
		}
		mustMatch(t, a, b, 60, 0)
		a.Rewind(&saved)
		if c, _ := a.Chain(a.chain); was != [3]quarry.MaterialID{c.Material(0), c.Material(1), c.Material(2)} {
			t.Fatal("the change reached a snapshot of before")
		}
	})
}
