package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// drawWorld returns a world of a bumpy ground on a body, a chain, a kinematic lift, and some dynamic
// bodies and sensors of any shape above them; all shapes have the flags.
func drawWorld(t *rapid.T, flags quarry.EventFlags) (*quarry.World, []quarry.Body) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
	g := worldtest.AddGround(t, w, 0)
	spikes := w.AddMaterial(quarry.Material{Friction: 0.2})
	for x := int32(-6); x <= 6; x++ {
		worldtest.Must(t, g.Set(x, -1, gridseg.Tile{
			Shape:    rapid.SampledFrom([]gridseg.ShapeID{gridseg.Full, gridseg.Full, gridseg.Ramp}).Draw(t, "tile"),
			Material: uint16(rapid.SampledFrom([]quarry.MaterialID{0, spikes}).Draw(t, "material")),
		}))
	}
	_, err := w.AddChain(0, quarry.ChainDef{
		Points: []geom.Vec{geom.V(9, 2), geom.V(5, 0), geom.V(-5, -0.2), geom.V(-9, 3)}, Materials: []quarry.MaterialID{
			0, spikes, 0,
		},
	})
	worldtest.Must(t, err)
	var all []quarry.Body
	add := func(d quarry.BodyDef, sensor bool) {
		b := w.AddBody(d)
		for range rapid.IntRange(1, 2).Draw(t, "shapes") {
			at := geom.V(rapid.Float64Range(-0.5, 0.5).Draw(t, "dx"), 0)
			w.AddShape(b, rapid.SampledFrom([]geom.Shape{
				geom.Circle{Center: at, Radius: 0.4}, geom.NewBox(0.5, 0.3), geom.Capsule{
					A: at,
					B: at.Add(geom.V(0.3, 0.5)), Radius: 0.2,
				},
			}).Draw(t, "shape"), quarry.ShapeDef{Sensor: sensor, Flags: flags})
		}
		v, _ := w.Body(b)
		all = append(all, v)
	}
	place := func() geom.Vec {
		return geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(0.5, 5).Draw(t, "y"))
	}
	add(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 0.5), Velocity: geom.V(1, 0.5)}, false)
	add(quarry.BodyDef{Position: place()}, true)
	for range rapid.IntRange(1, 8).Draw(t, "bodies") {
		add(quarry.BodyDef{
			Type: quarry.Dynamic, Position: place(), Velocity: geom.V(0, -5),
			Bullet: rapid.Bool().Draw(t, "bullet"),
		},
			rapid.IntRange(0, 9).Draw(t, "sensor") == 0)
	}
	return w, all
}

// TestContactsOfBodiesAndShapes: the contacts of a body and of a shape are the world's in
// which it, or a ground or chain of it, takes part; the shapes in a sensor are the begins
// that have not ended.
func TestContactsOfBodiesAndShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, all := drawWorld(t, 0)
		inside := map[[2]quarry.ShapeID]bool{}
		for range 60 {
			w.Step(worldtest.DT)
			for _, ev := range w.SensorBegins() {
				inside[[2]quarry.ShapeID{ev.ShapeA, ev.ShapeB}] = true
			}
			for _, ev := range w.SensorEnds() {
				delete(inside, [2]quarry.ShapeID{ev.ShapeA, ev.ShapeB})
			}
			contacts := w.AppendContacts(nil)
			sorted := func(list []quarry.Contact) []quarry.Contact {
				slices.SortFunc(list, func(a, b quarry.Contact) int {
					return slices.Index(contacts, a) - slices.Index(contacts, b)
				})
				return list
			}
			for b := range w.Bodies() {
				var want []quarry.Contact
				for _, c := range contacts {
					if a, z := sides(w, &c); a == b || z == b {
						want = append(want, c)
					}
				}
				if got := sorted(b.AppendContacts(nil)); !slices.Equal(got, want) {
					t.Fatalf("body %d: %+v, want %+v", b.ID(), got, want)
				}
			}
			for _, b := range all {
				for s := range b.Shapes() {
					var want []quarry.Contact
					for _, c := range contacts {
						if c.ShapeA == s.ID() || c.ShapeB == s.ID() {
							want = append(want, c)
						}
					}
					if got := sorted(s.AppendContacts(nil)); !slices.Equal(got, want) {
						t.Fatalf("shape %d: %+v, want %+v", s.ID(), got, want)
					}
					var in []quarry.ShapeID
					for p := range inside {
						switch s.ID() {
						case p[0]:
							in = append(in, p[1])
						case p[1]:
							in = append(in, p[0])
						}
					}
					got := s.AppendOverlaps(nil)
					slices.Sort(in)
					if slices.Sort(got); !slices.Equal(got, in) {
						t.Fatalf("shape %d overlaps %v, want %v", s.ID(), got, in)
					}
				}
			}
		}
	})
}

// sides returns the bodies of a contact.
func sides(w *quarry.World, c *quarry.Contact) (a, b quarry.Body) {
	if s, ok := w.Shape(c.ShapeB); ok {
		b = s.Body()
	}
	if s, ok := w.Shape(c.ShapeA); ok {
		a = s.Body()
	} else if g, ok := w.Ground(c.Ground); ok {
		a = g.Body()
	} else if k, ok := w.Chain(c.Chain); ok {
		a = k.Body()
	}
	return a, b
}

// TestGrounded: the footing of each body is the least steep of the world's contacts of it, by the angle
// of the normal, if that is within the slope.
func TestGrounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := drawWorld(t, 0)
		up := geom.V(rapid.Float64Range(-1, 1).Draw(t, "up x"), 1)
		slope := rapid.Float64Range(0, 1.5).Draw(t, "slope")
		for range 60 {
			w.Step(worldtest.DT)
			contacts := w.AppendContacts(nil)
			for b := range w.Bodies() {
				least := math.Inf(1)
				for _, c := range contacts {
					a, z := sides(w, &c)
					for _, end := range []struct {
						of     quarry.Body
						normal geom.Vec
					}{{z, c.Normal}, {a, c.Normal.Neg()}} {
						if end.of == b {
							least = min(least, math.Abs(math.Atan2(up.Cross(end.normal), up.Dot(end.normal))))
						}
					}
				}
				f, ok := b.Grounded(up, slope)
				if math.Abs(least-slope) > 1e-5 && ok != (least <= slope) {
					t.Fatalf("body %d: least slope %v, within %v: %v", b.ID(), least, slope, ok)
				}
				if !ok {
					continue
				}
				if got := math.Abs(math.Atan2(up.Cross(f.Normal), up.Dot(f.Normal))); math.Abs(got-least) > 1e-5 {
					t.Fatalf("body %d: slope %v, least %v", b.ID(), got, least)
				}
				on, _ := w.Body(f.Body)
				if on == b || f.Ground == 0 && f.Chain == 0 && f.On == 0 {
					t.Fatalf("body %d stands on %+v", b.ID(), f)
				}
				if g, ok := w.Ground(f.Ground); ok && (g.Tile(f.Cell.X, f.Cell.Y) != f.Tile ||
					g.Material(f.Tile) != f.Material) {
					t.Fatalf("body %d stands on %+v, where the tile is %+v", b.ID(), f, g.Tile(f.Cell.X, f.Cell.Y))
				}
				if s, ok := w.Shape(f.On); ok && (s.Body() != on || s.Material() != f.Material) {
					t.Fatalf("body %d stands on %+v", b.ID(), f)
				}
			}
		}
	})
}

// TestGroundedOnALift: a rider has the lift's velocity under its feet. Arguments out of range find
// nothing.
func TestGroundedOnALift(t *testing.T) {
	w := worldtest.New()
	lift := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Kinematic, Velocity: geom.V(1, 2)}, geom.NewBox(2, 0.5),
		quarry.ShapeDef{})
	rider := worldtest.Add(w, geom.V(0, 1), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 30)
	f, ok := rider.Grounded(geom.Vec{}, 0.1)
	if !ok || f.Body != lift.ID() || f.Velocity != geom.V(1, 2) || f.Normal.Y < 0.999 {
		t.Errorf("on %+v, %v", f, ok)
	}
	if f, ok := lift.Grounded(geom.V(0, -1), 0.1); !ok || f.Body != rider.ID() {
		t.Errorf("the lift under its rider: %+v, %v", f, ok)
	}
	for _, x := range []struct {
		up    geom.Vec
		slope float64
	}{
		{geom.V(math.NaN(), 1), 1},
		{geom.V(math.Inf(1), 0), 3},
		{geom.V(0, 1), math.NaN()},
		{geom.V(0, 1), -1},
		{geom.V(0, 1), 4},
		{geom.V(0, -1), 0.5},
	} {
		if f, ok := rider.Grounded(x.up, x.slope); ok {
			t.Errorf("up %v, slope %v: %+v", x.up, x.slope, f)
		}
	}
	if n := testing.AllocsPerRun(20, func() { rider.Grounded(geom.Vec{}, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestEventFlags: each flag leaves out its events, and no other; between two shapes those that both
// leave out, and of a sensor those that one does.
func TestEventFlags(t *testing.T) {
	const all = quarry.NoContactEvents | quarry.NoHitEvents | quarry.NoSensorEvents
	run := func(a, b quarry.EventFlags, sensor, late bool) (contacts, hits, sensed int, y float64) {
		w := worldtest.New()
		floor := quarry.ShapeDef{Flags: a, Sensor: sensor}
		ball := quarry.ShapeDef{Flags: b}
		if late {
			floor.Flags, ball.Flags = 0, 0
		}
		id := w.AddBody(quarry.BodyDef{})
		s1 := w.AddShape(id, geom.NewBox(5, 0.5), floor)
		body := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 2)},
			geom.Circle{Radius: 0.5}, ball)
		if late {
			s, _ := w.Shape(s1)
			s.SetFlags(a)
			for s := range body.Shapes() {
				s.SetFlags(b)
				if s.Flags() != b {
					t.Errorf("flags %b, not %b", s.Flags(), b)
				}
			}
		}
		for range 90 {
			w.Step(worldtest.DT)
			contacts += len(w.ContactBegins())
			hits += len(w.Hits())
			sensed += len(w.SensorBegins())
		}
		w.RemoveBody(id)
		w.Step(worldtest.DT)
		contacts += len(w.ContactEnds())
		sensed += len(w.SensorEnds())
		return contacts, hits, sensed, body.Position().Y
	}
	for a := quarry.EventFlags(0); a <= all; a++ {
		for b := quarry.EventFlags(0); b <= all; b++ {
			for _, late := range []bool{false, true} {
				c0, h0, _, y0 := run(0, 0, false, false)
				c, h, s, y := run(a, b, false, late)
				if a&b&quarry.NoContactEvents != 0 {
					c0 = 0
				}
				if a&b&quarry.NoHitEvents != 0 {
					h0 = 0
				}
				if c != c0 || h != h0 || s != 0 || y != y0 || y0 == 0 {
					t.Errorf("flags %b and %b: %d contact events of %d, %d hits of %d, %d of sensors", a, b, c, c0, h,
						h0, s)
				}
				_, _, s0, _ := run(0, 0, true, false)
				if (a|b)&quarry.NoSensorEvents != 0 {
					s0 = 0
				}
				if _, _, s, _ := run(a, b, true, late); s != s0 {
					t.Errorf("flags %b and %b: %d sensor events of %d", a, b, s, s0)
				}
			}
		}
	}
	worldtest.MustPanic(t, "an unknown flag", func() { run(128, 0, false, false) })
	worldtest.MustPanic(t, "an unknown flag, set", func() { run(128, 0, false, true) })
}
