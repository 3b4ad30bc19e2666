package quarry_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

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

// filterDef is a filter in a test.
type filterDef struct {
	category, mask uint64
	group          int32
}

func drawFilter(t *rapid.T) filterDef {
	return filterDef{
		rapid.Uint64Range(0, 3).Draw(t, "category"), rapid.Uint64Range(0, 3).Draw(t, "mask"), rapid.Int32Range(-1,
			1).Draw(t, "group"),
	}
}

// allows is the rule of the documents.
func (f filterDef) allows(g filterDef) bool {
	if f.group != 0 && f.group == g.group {
		return f.group > 0
	}
	in := func(category, mask uint64) bool {
		if category == 0 {
			category = 1
		}
		return mask == 0 || category&mask != 0
	}
	return in(f.category, g.mask) && in(g.category, f.mask)
}

// TestSetFilter: whatever filters the things of a heap have had, after a Step exactly those pairs touch
// that overlap and that the filters of now allow, asleep or awake, and the begins and ends of each pair add
// up to that.
func TestSetFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Nothing moves: the heap overlaps, has no gravity, and is put to sleep or not.
		w := quarry.NewWorld(quarry.Config{})
		n := rapid.IntRange(2, 7).Draw(t, "shapes")
		filters := make([]filterDef, n+2)
		var shapes []quarry.Shape
		for i := range n {
			d := quarry.BodyDef{
				Type:     quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")),
				Position: geom.V(0.3*float64(i), 1),
			}
			filters[i] = drawFilter(t)
			f := filters[i]
			b := worldtest.AddBody(w, d, geom.Circle{Radius: 0.5}, quarry.ShapeDef{
				Category: f.category, Mask: f.mask, Group: f.group, Sensor: rapid.IntRange(0, 4).Draw(t, "sensor") == 0,
			})
			for s := range b.Shapes() {
				shapes = append(shapes, s)
			}
		}
		grid := gridseg.New(nil)
		worldtest.Must(t, grid.Fill(gridseg.Rect{MinX: -3, MinY: 0, MaxX: 6, MaxY: 0},
			gridseg.Tile{Shape: gridseg.Full}))
		g, c := drawFilter(t), drawFilter(t)
		filters[n], filters[n+1] = g, c
		gid, err := w.AddGround(0, quarry.GroundDef{Grid: grid, Category: g.category, Mask: g.mask, Group: g.group})
		worldtest.Must(t, err)
		cid, err := w.AddChain(0, quarry.ChainDef{
			Points:   []geom.Vec{geom.V(5, 0.9), geom.V(-3, 0.9)},
			Category: c.category, Mask: c.mask, Group: c.group,
		})
		worldtest.Must(t, err)
		ground, _ := w.Ground(gid)
		chain, _ := w.Chain(cid)

		touching := map[string]int{}
		step := func() {
			at := make([]geom.Vec, 0, n)
			for _, s := range shapes {
				at = append(at, s.Body().Position())
			}
			w.Step(1e-9)
			for i, s := range shapes { // a body is not pushed out of reach of another
				s.Body().SetVelocity(geom.Vec{})
				s.Body().SetTransform(at[i], 0)
				s.Body().Sleep()
			}
			for _, ev := range slices.Concat(w.ContactBegins(), w.SensorBegins()) {
				touching[fmt.Sprint(ev.ShapeA, ev.Ground, ev.Chain, ev.ShapeB)]++
			}
			for _, ev := range slices.Concat(w.ContactEnds(), w.SensorEnds()) {
				touching[fmt.Sprint(ev.ShapeA, ev.Ground, ev.Chain, ev.ShapeB)]--
			}
		}
		check := func() {
			count := 0
			want := func(a string, allowed bool) {
				if touching[a] == 1 != allowed {
					t.Fatalf("%s: %d more begins than ends; filters %v", a, touching[a], filters)
				}
				count += touching[a]
			}
			for i, a := range shapes {
				kind := a.Body().Type()
				for j, b := range shapes[i+1:] {
					most := max(kind, b.Body().Type())
					apart := a.Body().Position().Dist(b.Body().Position()) > 1
					able := most == quarry.Dynamic || most == quarry.Kinematic && (a.Sensor() || b.Sensor())
					want(fmt.Sprint(a.ID(), 0, 0, b.ID()), !apart && able && !(a.Sensor() && b.Sensor()) &&
						filters[i].allows(filters[i+1+j]))
				}
				solid := kind == quarry.Dynamic && !a.Sensor()
				want(fmt.Sprint(0, gid, 0, a.ID()), solid && filters[i].allows(filters[n]))
				want(fmt.Sprint(0, 0, cid, a.ID()), solid && filters[i].allows(filters[n+1]))
			}
			all := 0
			for _, n := range touching {
				all += max(n, -n)
			}
			if count != all {
				t.Fatalf("%d pairs touch, want %d", all, count)
			}
		}
		step()
		check()
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			k, f := rapid.IntRange(0, n+1).Draw(t, "of"), drawFilter(t)
			filters[k] = f
			switch k {
			case n:
				ground.SetFilter(f.category, f.mask, f.group)
			case n + 1:
				chain.SetFilter(f.category, f.mask, f.group)
			default:
				shapes[k].SetFilter(f.category, f.mask, f.group)
				if d := shapes[k].Def(); d.Group != f.group {
					t.Fatalf("group %d, not %d", d.Group, f.group)
				}
			}
			if rapid.Bool().Draw(t, "step") {
				step()
				check()
			}
		}
		step()
		check()
	})
}

// pair builds a world with one body and one obstacle, of the kind: a static shape, a kinematic one, a
// ground, a chain, a dynamic shape in the way of a bullet, or a sensor. Both shapes, or the shape, have
// the definition.
func pair(t testing.TB, kind int, v geom.Vec, d quarry.ShapeDef) (*quarry.World, quarry.Body) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	b := worldtest.AddBody(w, quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(0, 2), Velocity: v,
		Bullet: kind == 4,
	}, geom.NewBox(0.5, 0.4), d)
	switch kind {
	case 0, 1, 4, 5:
		d.Sensor = kind == 5
		worldtest.AddBody(w, quarry.BodyDef{
			Type: [...]quarry.BodyType{0, 1, 0, 0, 2, 0}[kind], Weightless: true,
			Velocity: geom.V(0.5, 0.5),
		}, geom.NewBox(3, 0.5), d)
	case 2:
		g := worldtest.AddGround(t, w, 0)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -5, MinY: -3, MaxX: 5, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(d.Material)}))
	case 3:
		_, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(5, 0), geom.V(-5, 0)}, Material: d.Material})
		worldtest.Must(t, err)
	}
	return w, b
}

// run returns the path of b, and the events of the world, of so many steps.
func run(w *quarry.World, b quarry.Body, steps int) string {
	var out []any
	for range steps {
		w.Step(worldtest.DT)
		out = append(out, b.Transform(), b.Velocity(), b.AngularVelocity(), len(w.ContactBegins()),
			len(w.ContactEnds()), len(w.SensorBegins()), len(w.Hits()))
	}
	return fmt.Sprint(out...)
}

var pairSpeeds = []geom.Vec{geom.V(0.3, -1), geom.V(2, -30), geom.V(0, -350)}

// TestCustomFilterIsAMask: a pair that the custom filter refuses moves as one that the masks keep apart,
// to the last bit, at any speed; a pair that it admits as one that nobody asks about. The function is not
// asked about shapes without the flag.
func TestCustomFilterIsAMask(t *testing.T) {
	for kind := range 6 {
		for _, v := range pairSpeeds {
			apart, b := pair(t, kind, v, quarry.ShapeDef{Mask: 2})
			far := run(apart, b, 60)
			plain, b := pair(t, kind, v, quarry.ShapeDef{})
			near := run(plain, b, 60)
			if near == far {
				t.Fatalf("kind %d, %v: the two never meet", kind, v)
			}
			for _, x := range []struct {
				flags quarry.EventFlags
				admit bool
				want  string
			}{{quarry.AskFilter, false, far}, {quarry.AskFilter, true, near}, {0, false, near}} {
				w, b := pair(t, kind, v, quarry.ShapeDef{Flags: x.flags})
				asked := 0
				w.SetCustomFilter(func(p, q quarry.Side) bool {
					if asked++; q.Shape == 0 || p.Shape == q.Shape || (p.Shape != 0) != (kind != 2 && kind != 3) ||
						p.Body == q.Body {
						t.Errorf("asked about %+v and %+v", p, q)
					}
					return x.admit
				})
				if got := run(w, b, 60); got != x.want {
					t.Errorf("kind %d, %v, flags %b, admit %v: differs", kind, v, x.flags, x.admit)
				}
				if (asked > 0) != (x.flags != 0) {
					t.Errorf("kind %d, %v, flags %b: asked %d times", kind, v, x.flags, asked)
				}
			}
		}
	}
}

// TestCustomFilterAnew: a new filter, and new flags, are asked about pairs that touch, and about
// pairs that were refused; sleeping bodies wake.
func TestCustomFilterAnew(t *testing.T) {
	for kind := range 4 {
		w, b := pair(t, kind, geom.Vec{}, quarry.ShapeDef{Flags: quarry.AskFilter})
		worldtest.Steps(w, 120)
		y := b.Position().Y
		w.SetCustomFilter(func(a, b quarry.Side) bool { return false })
		if w.Step(worldtest.DT); len(w.ContactEnds()) != 1 {
			t.Errorf("kind %d: ends %+v", kind, w.ContactEnds())
		}
		worldtest.Steps(w, 12)
		if fell := y - b.Position().Y; fell < 0.05 {
			t.Errorf("kind %d: fell by %v", kind, fell)
		}
		for s := range b.Shapes() {
			s.SetFlags(0)
		}
		for o := range w.Bodies() {
			for s := range o.Shapes() {
				s.SetFlags(0)
			}
		}
		if w.Step(worldtest.DT); len(w.ContactBegins()) != 1 {
			t.Errorf("kind %d: begins %+v", kind, w.ContactBegins())
		}
	}
}

// TestPreSolveThatDoesNothing: a function that changes nothing changes no bit.
func TestPreSolveThatDoesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, all := drawWorld(t, 0)
		asks, same := askingCopy(t, w, all)
		asked := 0
		asks.SetPreSolve(func(p *quarry.PreSolve) {
			asked++
			if p.Disabled || p.N < 1 || p.N > 2 || math.Abs(p.Normal.Len()-1) > 1e-12 {
				t.Fatalf("%+v", p)
			}
		})
		for step := range 90 {
			w.Step(worldtest.DT)
			asks.Step(worldtest.DT)
			for i, b := range all {
				if o := same[i]; b.Transform() != o.Transform() || b.Velocity() != o.Velocity() ||
					b.AngularVelocity() != o.AngularVelocity() {
					t.Fatalf("step %d, body %d: %v, not %v", step, i, o.Transform(), b.Transform())
				}
			}
		}
		if asked == 0 && len(w.AppendContacts(nil)) > 0 {
			t.Fatal("never asked")
		}
	})
}

// askingCopy returns a copy of a world, and of some of its bodies, with AskPreSolve on all shapes. (It once
// added the bodies again at their positions, which rounds where the centre of mass is not the origin.)
func askingCopy(t *rapid.T, w *quarry.World, all []quarry.Body) (*quarry.World, []quarry.Body) {
	z := quarry.NewWorld(quarry.Config{Workers: 1})
	worldtest.Must(t, z.Restore(w.AppendSnapshot(nil)))
	for s := range z.Shapes() {
		s.SetFlags(s.Flags() | quarry.AskPreSolve)
	}
	var same []quarry.Body
	for _, b := range all {
		o, _ := z.Body(b.ID())
		same = append(same, o)
	}
	return z, same
}

// TestPreSolveIsAMaterial: a function that sets the surface moves a pair as materials with those values do,
// to the last bit.
func TestPreSolveIsAMaterial(t *testing.T) {
	for kind := range 5 {
		for _, x := range []quarry.Material{
			{Friction: 0.1},
			{Friction: 1, TangentSpeed: 3},
			{Friction: 0.5, Restitution: 0.7},
		} {
			m := x
			m.TangentSpeed /= 2 // the speeds of both sides add
			d := quarry.ShapeDef{Flags: quarry.AskPreSolve}
			of, b := pair(t, kind, geom.V(1, -4), d)
			plain := run(of, b, 90)
			of, b = pair(t, kind, geom.V(1, -4), d)
			of.SetPreSolve(func(p *quarry.PreSolve) {
				for k := range p.N {
					q := &p.Points[k]
					q.Friction, q.Restitution, q.TangentSpeed = x.Friction, x.Restitution, x.TangentSpeed
				}
			})
			got := run(of, b, 90)
			w, b := pair(t, kind, geom.V(1, -4), quarry.ShapeDef{})
			w.SetMaterial(0, m)
			if want := run(w, b, 90); got != want || got == plain {
				t.Errorf("kind %d, %+v: differs from the material: %v, not from none: %v", kind, x, got != want,
					got == plain)
			}
		}
	}
}

// TestPreSolveDisables: a body whose manifolds are left out moves as if nothing were there, and makes no
// events; at high speed too, if it touches when the step begins.
func TestPreSolveDisables(t *testing.T) {
	for kind := range 5 {
		apart, b := pair(t, kind, geom.V(0.3, -1), quarry.ShapeDef{Mask: 2})
		want := run(apart, b, 60)
		w, b := pair(t, kind, geom.V(0.3, -1), quarry.ShapeDef{Flags: quarry.AskPreSolve})
		w.SetPreSolve(func(p *quarry.PreSolve) { p.Disabled = true })
		if got := run(w, b, 60); got != want {
			t.Errorf("kind %d: not as if nothing were there", kind)
		}
		b.SetTransform(geom.V(0, 0.9), 0)
		b.SetVelocity(geom.V(0, -300))
		if kind == 2 || kind == 3 {
			b.SetTransform(geom.V(0, 0.4), 0)
		}
		if w.Step(worldtest.DT); b.Position().Y > -4 {
			t.Errorf("kind %d: stopped at %v", kind, b.Position())
		}
	}
}

// TestPreSolveByTile: a body that passes the tiles of one material falls on tiles of another below them,
// and stands on the tiles beside them.
func TestPreSolveByTile(t *testing.T) {
	w := worldtest.New()
	mist := w.AddMaterial(quarry.Material{Friction: 0.6})
	g := worldtest.AddGround(t, w, 0)
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -5, MinY: 0, MaxX: 5, MaxY: 0}, gridseg.Tile{Shape: gridseg.Full}))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 0, MinY: 3, MaxX: 5, MaxY: 4},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(mist)}))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -5, MinY: 3, MaxX: -1, MaxY: 4}, gridseg.Tile{Shape: gridseg.Full}))
	ghost := quarry.ShapeDef{Flags: quarry.AskPreSolve, User: 1}
	var all []quarry.Body
	for _, x := range []float64{2.5, -2.5} {
		for _, d := range []quarry.ShapeDef{ghost, {}, {Flags: quarry.AskPreSolve}} {
			all = append(all, worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 7)},
				geom.Circle{Radius: 0.4}, d))
			x++
		}
	}
	w.SetPreSolve(func(p *quarry.PreSolve) {
		p.Disabled = p.B.User == 1 && p.A.Ground != 0
		for k := range p.N {
			p.Disabled = p.Disabled && p.Points[k].Material == mist && p.Points[k].Tile.Material == uint16(mist)
		}
	})
	worldtest.Steps(w, 240)
	for i, want := range []float64{1.4, 5.4, 5.4, 5.4, 5.4, 5.4} {
		worldtest.Near(t, fmt.Sprint("height of body ", i), all[i].Position().Y, want, 0.01)
	}
}

// TestPreSolveOutOfRange: Step panics if the function sets a field out of its range, on any worker, and
// a change of the world in the function panics.
func TestPreSolveOutOfRange(t *testing.T) {
	for name, f := range map[string]func(w *quarry.World, p *quarry.PreSolve){
		"friction":    func(_ *quarry.World, p *quarry.PreSolve) { p.Points[0].Friction = math.NaN() },
		"restitution": func(_ *quarry.World, p *quarry.PreSolve) { p.Points[0].Restitution = 1.5 },
		"speed":       func(_ *quarry.World, p *quarry.PreSolve) { p.Points[0].TangentSpeed = -1e9 },
		"change":      func(w *quarry.World, p *quarry.PreSolve) { w.RemoveShape(p.B.Shape) },
		"user":        func(w *quarry.World, p *quarry.PreSolve) { s, _ := w.Shape(p.B.Shape); s.SetUser(1) },
	} {
		w, _ := pair(t, 2, geom.V(0, -1), quarry.ShapeDef{Flags: quarry.AskPreSolve})
		w.SetPreSolve(func(p *quarry.PreSolve) { f(w, p) })
		worldtest.MustPanic(t, name, func() { worldtest.Steps(w, 120) })
	}
}

// TestPreSolveLetsFastBodiesPass: a surface that the function leaves out does not stop a body of any speed for a single
// step: the path is the path of a body which masks keep apart, to the last bit. (It once stopped for the rest of the
// step in which it arrived.)
func TestPreSolveLetsFastBodiesPass(t *testing.T) {
	all := t
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		v := geom.V(rapid.Float64Range(-50, 50).Draw(t, "x"), rapid.Float64Range(-390, -20).Draw(t, "y"))
		apart, b := pair(all, kind, v, quarry.ShapeDef{Mask: 2})
		want := run(apart, b, 20)
		w, b := pair(all, kind, v, quarry.ShapeDef{Flags: quarry.AskPreSolve})
		w.SetPreSolve(func(p *quarry.PreSolve) {
			q := &p.Points[0]
			if p.Disabled = true; p.N < 1 || math.Abs(p.Normal.Len()-1) > 1e-9 || p.A.Shape == p.B.Shape ||
				q.Friction != w.Material(q.Material).Friction {
				t.Fatalf("%+v", p)
			}
		})
		if got := run(w, b, 20); got != want {
			t.Fatalf("%s\n%s", got, want)
		}
	})
}

// TestPreSolveAsksAheadByTile: a fast ball passes tiles, segments and shapes that the function leaves out by their
// material or side, and stops at the wall behind them, in the same step; from below it passes a platform that the
// function leaves out by the normal.
func TestPreSolveAsksAheadByTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{Workers: 1})
		leaves := w.AddMaterial(quarry.Material{})
		g := worldtest.AddGround(t, w, 0)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: 0, MaxX: 9, MaxY: 0}, gridseg.Tile{Shape: gridseg.Full}))
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: 3, MaxX: 9, MaxY: 3},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(leaves)}))
		_, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(9, 2.5), geom.V(-9, 2.5)}, Material: leaves})
		worldtest.Must(t, err)
		worldtest.AddBody(w, quarry.BodyDef{Position: geom.V(0, 1.7)}, geom.NewBox(9, 0.1),
			quarry.ShapeDef{Material: leaves})
		ball := worldtest.AddBody(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(0, rapid.Float64Range(4.3, 9).Draw(t, "height")), Weightless: true,
			Velocity: geom.V(rapid.Float64Range(-40, 40).Draw(t, "x"), rapid.Float64Range(-390, -100).Draw(t, "y")),
		}, geom.Circle{Radius: rapid.Float64Range(0.05, 0.2).Draw(t, "radius")}, quarry.ShapeDef{
			Flags: quarry.AskPreSolve,
		})
		w.SetPreSolve(func(p *quarry.PreSolve) {
			p.Disabled = p.Points[0].Material == leaves || p.Points[0].MaterialB == leaves
		})
		want := ball.Position().Y
		for range 4 {
			want = max(0.99, want+ball.Velocity().Y/60)
			if w.Step(worldtest.DT); ball.Position().Y > max(want, 1.22)+1e-9 || ball.Position().Y < 0.99 {
				t.Fatalf("at %v, not at %v", ball.Position(), want)
			}
		}
	})
}

// TestPreSolveCannotSetN: a function that sets N, which is only to be read, has no effect; it once made the step panic
// with an index out of range.
func TestPreSolveCannotSetN(t *testing.T) {
	run := func(n int) uint64 {
		w := worldtest.New()
		floor := w.AddBody(quarry.BodyDef{})
		w.AddShape(floor, geom.NewBox(5, 0.5), quarry.ShapeDef{})
		box := worldtest.Add(w, geom.V(0, 1), geom.NewBox(0.5, 0.5))
		for s := range box.Shapes() {
			s.SetFlags(quarry.AskPreSolve)
		}
		w.SetPreSolve(func(p *quarry.PreSolve) {
			if n >= 0 {
				p.N = n
			}
		})
		for range 20 {
			w.Step(1.0 / 60)
		}
		return w.Hash()
	}
	for _, n := range []int{0, 77} {
		if run(n) != run(-1) {
			t.Errorf("N set to %d changes the world", n)
		}
	}
}
