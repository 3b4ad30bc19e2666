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

func polygon(t worldtest.Failer, points ...geom.Vec) geom.Polygon {
	p, err := geom.NewPolygon(points, 0)
	worldtest.Must(t, err)
	return p
}

// addLanding adds a surface of the kind that is drawn, with its top at y = 0, for bodies to land on. m is its material.
func addLanding(t *rapid.T, w *quarry.World, m quarry.MaterialID) (moves []quarry.Body) {
	switch rapid.SampledFrom([]string{"ground", "chain", "box", "circle", "moving box", "tiles on a body"}).Draw(t,
		"surface") {
	case "ground":
		g := worldtest.AddGround(t, w, 0)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: -2, MaxX: 9, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
	case "chain":
		_, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(9, 1), geom.V(4, 0), geom.V(-4, 0), geom.V(-9,
			1)}, Material: m})
		worldtest.Must(t, err)
	case "box":
		w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(0, -1)}), geom.NewBox(9, 1), quarry.ShapeDef{Material: m})
	case "circle":
		w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(0, -20)}), geom.Circle{Radius: 20},
			quarry.ShapeDef{Material: m})
	case "moving box":
		w.AddShape(w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, -1), Velocity: geom.V(0.5, 0)}),
			geom.NewBox(9, 1), quarry.ShapeDef{Material: m})
	default:
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, -1), Weightless: true})
		g := worldtest.AddGround(t, w, b)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: 0, MaxX: 8, MaxY: 0},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
		body, _ := w.Body(b)
		moves = append(moves, body)
	}
	return moves
}

// TestImpulsesAreTheMomentum: in each step, the impulses of a body's contact points sum up to the change of its
// momentum less that by gravity, and the impulse of a hit is the sum over the points of its contact: for bodies that
// land flat or on a corner, slide, bounce and rest, with any number of sub-steps. They were of the last sub-step, and
// the largest one of a point in a sub-step.
func TestImpulsesAreTheMomentum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gravity := geom.V(rapid.Float64Range(-2, 2).Draw(t, "gx"), -10)
		w := quarry.NewWorld(quarry.Config{
			Gravity: gravity, Workers: 1, NoSleep: true,
			SubSteps: rapid.SampledFrom([]int{1, 2, 4, 7}).Draw(t, "sub-steps"),
		})
		m := w.AddMaterial(quarry.Material{
			Friction: rapid.Float64Range(0, 1).Draw(t, "friction"), Restitution: rapid.SampledFrom([]float64{
				0, 0.5,
				0.8, 1,
			}).Draw(t, "restitution"),
			RestitutionMix: quarry.MixMax, Strength: rapid.SampledFrom([]float64{0, 5}).Draw(t, "strength"),
		})
		grounds := addLanding(t, w, m)
		shapes := []geom.Shape{
			geom.Circle{Radius: 0.5},
			geom.NewBox(0.5, 0.5), geom.NewBox(1, 0.2),
			geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.3},
			geom.NewRoundedBox(0.4, 0.4, 0.1), polygon(t, geom.V(-0.6, -0.4), geom.V(0.7, -0.3), geom.V(0, 0.8)),
		}
		var bodies []quarry.Body
		for k := range rapid.IntRange(1, 3).Draw(t, "bodies") {
			bodies = append(bodies, worldtest.AddBody(w, quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(rapid.Float64Range(-2, 2).Draw(t, "x"), 1+2*float64(k)),
				Angle: rapid.SampledFrom([]float64{0, 0, 0.3, math.Pi / 4, 1.1}).Draw(t, "angle"),
				Velocity: geom.V(rapid.Float64Range(-3, 3).Draw(t, "vx"), rapid.Float64Range(-30, 0).Draw(t,
					"vy")),
				AngularVelocity: rapid.Float64Range(-3, 3).Draw(t, "spin"),
			}, rapid.SampledFrom(shapes).Draw(t, "shape"), quarry.ShapeDef{
				Material: m, Density: rapid.SampledFrom([]float64{1, 5}).Draw(t, "density"),
			}))
		}
		// A body that carries one of many times its mass moves as if it were heavier, and its island gets the momentum
		// (docs/solver.md): then the sum holds.
		lightest, heaviest := math.MaxFloat64, 0.0
		for _, b := range slices.Concat(bodies, grounds) {
			lightest, heaviest = min(lightest, b.Mass()), max(heaviest, b.Mass())
		}
		alike := heaviest < 4*lightest
		hung := make([]bool, len(bodies)) // continuous collision held the body in place in the last step
		for step := range 40 {
			var before, from []geom.Vec
			for _, b := range bodies {
				before, from = append(before, b.Velocity()), append(from, b.CenterOfMass())
			}
			dt := rapid.SampledFrom([]float64{1.0 / 60, 1.0 / 144}).Draw(t, "dt")
			ground := geom.Vec{} // momentum of the grounds
			for _, b := range grounds {
				ground = b.Velocity().Mul(-b.Mass())
			}
			w.Step(dt)
			for _, b := range grounds {
				ground = ground.MulAdd(b.Mass(), b.Velocity())
			}
			on, off, all, falls, stopped := geom.Vec{}, geom.Vec{}, 0.0, geom.Vec{}, false
			for k, b := range bodies {
				sum, most := geom.Vec{}, 0.0
				for _, c := range b.AppendContacts(nil) {
					sign := 1.0
					if s, ok := w.Shape(c.ShapeA); ok && s.Body() == b {
						sign = -1
					}
					for _, p := range c.Points[:c.N] {
						sum = sum.Add(c.Normal.Mul(sign * p.NormalImpulse)).Add(
							c.Normal.Right().Mul(sign * p.TangentImpulse))
						most = max(most, p.NormalImpulse)
					}
				}
				fall := gravity.Mul(dt * b.Mass())
				want := b.Velocity().Sub(before[k]).Mul(b.Mass()).Sub(fall)
				// Continuous collision stops a body within a step, which then does not fall for the rest of the step.
				late := sum == geom.Vec{} || b.CenterOfMass().Dist(from[k]) < 0.999*b.Velocity().Len()*dt
				on, all, falls, stopped = on.Add(sum), all+most, falls.Add(fall), stopped || late
				off = off.Sub(want)
				// If the body hung, it takes the impact itself, by an impulse of no contact (step/impacts.go).
				hangs := hung[k]
				speed := b.Velocity().Len()
				hung[k] = speed > 1 && b.CenterOfMass().Dist(from[k]) < 0.5*speed*dt
				if hangs {
					all = math.Inf(1)
				}
				if hangs || !alike {
					continue
				}
				if cut := sum.Sub(want).Dot(fall) / fall.Len2(); late && cut > 0 && cut <= 1 {
					want = want.Add(fall.Mul(cut))
				}
				if d := sum.Sub(want).Len(); d > 1e-5*(1+most) {
					t.Fatalf("step %d, body %d: impulses %v, the change of momentum %v", step, k, sum, want)
				}
			}
			if len(grounds) > 0 {
				on = ground.Mul(-1) // of which it gets a part of its island's momentum
			}
			off = off.Add(on)
			if cut := off.Dot(falls) / falls.Len2(); stopped && cut > 0 && cut <= 1 {
				off = off.Sub(falls.Mul(cut))
			}
			if off.Len() > 1e-5*(1+all) {
				t.Fatalf("step %d: the impulses differ by %v from the change of momentum of all bodies", step, off)
			}
			contacts := w.AppendContacts(nil)
			for _, h := range w.Hits() {
				found := false
				for _, c := range contacts {
					sum := 0.0
					for _, p := range c.Points[:c.N] {
						sum += p.NormalImpulse
					}
					found = found || c.ShapeA == h.ShapeA && c.ShapeB == h.ShapeB && c.Ground == h.Ground &&
						c.Chain == h.Chain && c.Normal == h.Normal && math.Abs(sum-h.Impulse) <= 1e-6*sum
				}
				if !found {
					t.Fatalf("step %d: the hit %+v, of the contacts %+v", step, h, contacts)
				}
			}
		}
	})
}

// TestImpulseOfALanding: a box, a circle and a polygon of one mass that land at one speed have the same hit, which is
// the mass times the change of speed, with the bounce. A box had half of it, and a bounce no more than no bounce.
func TestImpulseOfALanding(t *testing.T) {
	const dt, gravity, speed = 1.0 / 60, 10, 20.0
	for _, c := range []struct {
		name        string
		shape       geom.Shape
		restitution float64
	}{
		{"box", geom.NewBox(0.5, 0.5), 0},
		{"circle", geom.Circle{Radius: 0.5}, 0},
		{"triangle", polygon(t, geom.V(-1, -0.5), geom.V(1, -0.5), geom.V(0, 0.8)), 0},
		{"box that bounces", geom.NewBox(0.5, 0.5), 0.8},
		{"circle that bounces", geom.Circle{Radius: 0.5}, 0.8},
	} {
		w := worldtest.New()
		worldtest.Floor(t, w, gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1})
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.5, 0.501), Velocity: geom.V(0,
			-speed)}, c.shape, quarry.ShapeDef{
			Material: w.AddMaterial(quarry.Material{Restitution: c.restitution, RestitutionMix: quarry.MixMax}),
			Massless: true,
		})
		b.SetMass(geom.Mass{Mass: 1, Inertia: 1})
		var hits []quarry.HitEvent
		for step := 0; len(hits) == 0 && step < 5; step++ {
			w.Step(dt)
			hits = w.Hits()
		}
		if len(hits) != 1 {
			t.Fatalf("%s: %d hits", c.name, len(hits))
		}
		worldtest.Near(t, c.name, hits[0].Impulse, speed*(1+c.restitution), 0.5)
		worldtest.Near(t, c.name+", the momentum", hits[0].Impulse, b.Velocity().Y+speed+gravity*dt, 1e-4)
	}
}
