package quarry_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestViewsOfNothing: every method of a zero view, or of a view of a removed object,
// panics with a text of this module and changes nothing. Edits of a zero Ground
// dereferenced nil.
func TestViewsOfNothing(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.Vec{}, geom.NewBox(1, 1))
	views := map[string]any{
		"zero body": quarry.Body{}, "zero shape": quarry.Shape{}, "zero ground": quarry.Ground{},
		"zero chain": quarry.Chain{},
		"body":       b,
	}
	for s := range b.Shapes() {
		views["shape"] = s
	}
	gid, _ := w.AddGround(0, quarry.GroundDef{})
	g, _ := w.Ground(gid)
	cid, _ := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 1}, {}}})
	views["ground"] = g
	views["chain"], _ = w.Chain(cid)
	if !w.RemoveBody(b.ID()) || !w.RemoveGround(gid) || !w.RemoveChain(cid) {
		t.Fatal("not removed")
	}
	before := w.Hash()
	for name, view := range views {
		v := reflect.ValueOf(view)
		for i := range v.NumMethod() {
			m := v.Type().Method(i)
			if m.Name == "ID" {
				continue
			}
			worldtest.MustPanic(t, name+": "+m.Name, func() {
				var in []reflect.Value
				for k := 1; k < m.Type.NumIn(); k++ {
					in = append(in, reflect.Zero(m.Type.In(k)))
				}
				call := v.Method(i).Call
				if m.Type.IsVariadic() {
					call = v.Method(i).CallSlice
				}
				for _, out := range call(in) {
					if f := out.Type(); f.Kind() == reflect.Func { // an iterator looks when it runs
						stop := func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(false)} }
						out.Call([]reflect.Value{reflect.MakeFunc(f.In(0), stop)})
					}
				}
			})
		}
	}
	if w.Hash() != before {
		t.Error("the world was changed")
	}
}

// full returns a definition of which no field is zero but those named in without. A field that a test
// does not know gets the value of its kind: true, 1, or "x".
func full[T any](d T, without ...string) T {
	v := reflect.ValueOf(&d).Elem()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		skip := !f.IsZero()
		for _, w := range without {
			skip = skip || w == name
		}
		if skip {
			continue
		}
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int32:
			f.SetInt(1)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			f.SetUint(1)
		case reflect.Float64:
			f.SetFloat(0.75)
		case reflect.String:
			f.SetString("x")
		case reflect.Struct:
			f.Set(reflect.ValueOf(geom.V(1, 2)))
		}
	}
	return d
}

// TestDefsTellAll: the definition of a body, shape, ground, chain or world is the one that it was made
// with, field by field, so a new field without a getter fails. Definitions in which no field is zero are
// made by reflection.
func TestDefsTellAll(t *testing.T) {
	same := func(name string, got, want any) {
		t.Helper()
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	c := full(quarry.Config{CellSize: 2, Workers: 2})
	w := quarry.NewWorld(c)
	same("Config", w.Config(), c)
	w.AddMaterial(quarry.Material{})

	d := full(quarry.BodyDef{Type: quarry.Dynamic}, "Weightless", "Disabled", "LockX", "LockY")
	b, _ := w.Body(w.AddBody(d))
	same("Body", b.Def(), d)
	d.Weightless, d.Asleep, d.GravityScale, d.Disabled = true, false, 1, true
	d.LockX, d.LockY, d.Velocity = true, true, geom.Vec{} // a locked body has no velocity
	b, _ = w.Body(w.AddBody(d))
	same("a weightless and disabled Body", b.Def(), d)

	s := full(quarry.ShapeDef{}, "Massless")
	sh, _ := w.Shape(w.AddShape(b.ID(), geom.NewBox(1, 1), s))
	same("Shape", sh.Def(), s)
	s.Massless, s.Density = true, 0
	sh, _ = w.Shape(w.AddShape(b.ID(), geom.NewBox(1, 1), s))
	same("a massless Shape", sh.Def(), s)

	g := full(quarry.GroundDef{Materials: []quarry.MaterialID{1, 0}})
	gid, err := w.AddGround(0, g)
	if err != nil {
		t.Fatal(err)
	}
	ground, _ := w.Ground(gid)
	same("Ground", ground.Def(), g)

	k := full(quarry.ChainDef{Points: []geom.Vec{{X: 2}, {X: 1}, {X: 0, Y: 1}}, Materials: []quarry.MaterialID{0, 1}},
		"Loop")
	cid, err := w.AddChain(0, k)
	if err != nil {
		t.Fatal(err)
	}
	chain, _ := w.Chain(cid)
	same("Chain", chain.Def(), k)
	k.Loop, k.HasGhost1, k.HasGhost2, k.Ghost1, k.Ghost2, k.Materials = true, false, false, geom.Vec{}, geom.Vec{}, nil
	if cid, err = w.AddChain(0, k); err != nil {
		t.Fatal(err)
	}
	chain, _ = w.Chain(cid)
	same("a loop", chain.Def(), k)

	// The zero definitions are told with the values that zeros stand for.
	z, _ := w.Body(w.AddBody(quarry.BodyDef{}))
	same("the zero Body", z.Def(), quarry.BodyDef{GravityScale: 1})
	all := ^uint64(0)
	zs, _ := w.Shape(w.AddShape(z.ID(), geom.NewBox(1, 1), quarry.ShapeDef{}))
	same("the zero Shape", zs.Def(), quarry.ShapeDef{Density: 1, Category: 1, Mask: all})
	same("the zero Config", quarry.NewWorld(quarry.Config{}).Config(), quarry.Config{
		SubSteps: 4, CellSize: 1, MaxSpeed: 400, HitSpeed: 1, BounceSpeed: 1, PushRate: 6.2, PushSpeed: 3,
		SleepSpeed: 0.05, SleepTime: 0.5,
	})
	// The lists of a body.
	base := ground.Body()
	var grounds, chains []any
	for x := range base.Grounds() {
		grounds = append(grounds, x.ID())
	}
	for x := range base.Chains() {
		chains = append(chains, x.ID())
	}
	if len(grounds) != 1 || grounds[0] != gid || len(chains) != 2 || chains[0] != cid {
		t.Errorf("grounds %v, chains %v", grounds, chains)
	}
	n := 0
	for range w.Shapes() {
		n++
	}
	if n != w.Stats().Shapes {
		t.Errorf("%d shapes of %d", n, w.Stats().Shapes)
	}
}

// TestClock: the steps and the remainder make up the time of the frames, as long as no frame has more than MaxSteps;
// the time beyond these is dropped.
func TestClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := quarry.Clock{DT: rapid.SampledFrom([]float64{0, 1.0 / 120, 0.1}).Draw(t, "dt"), MaxSteps: rapid.IntRange(0,
			8).Draw(t, "most")}
		dt, most := c.DT, c.MaxSteps
		if dt == 0 {
			dt = 1.0 / 60
		}
		if most == 0 {
			most = 5
		}
		time, steps := 0.0, 0 // without the time that is dropped
		for range 200 {
			frame := rapid.SampledFrom([]float64{0, -1, dt, 1.0 / 144, 1.0 / 30, 1.0 / 59.94, 3, math.Inf(1)}).Draw(t,
				"frame")
			n := c.Advance(frame)
			if n < 0 || n > most {
				t.Fatalf("%d steps, of at most %d", n, most)
			}
			alpha := c.Alpha()
			if !(alpha > 0 && alpha <= 1) {
				t.Fatalf("alpha %v", alpha)
			}
			if steps += n; n < most {
				time += max(0, frame)
			} else {
				time = (float64(steps) + alpha) * dt
			}
			if d := time - (float64(steps)+alpha)*dt; math.Abs(d) > 1e-6*dt*float64(1+steps) {
				t.Fatalf("%v seconds: %d steps of %v and the fraction %v", time, steps, dt, alpha)
			}
		}
	})
	var c quarry.Clock
	if n := c.Advance(1.0 / 60); n != 1 || c.Alpha() > 1e-6 {
		t.Errorf("a frame as long as a step: %d steps, alpha %v", n, c.Alpha())
	}
	if n := c.Advance(1e300); n != 5 {
		t.Errorf("a long frame: %d steps", n)
	}
	worldtest.MustPanic(t, "NaN", func() { c.Advance(math.NaN()) })
	worldtest.MustPanic(t, "DT", func() { (&quarry.Clock{DT: 2}).Advance(1) })
	worldtest.MustPanic(t, "MaxSteps", func() { (&quarry.Clock{MaxSteps: -1}).Alpha() })
}

// TestPosesBetweenSteps: Move.Before is the pose at the start of the step, of bodies of all types, also after
// SetTransform and Rewind, and of bodies that collide and fall asleep; TransformAt and Draw are between it and the pose
// at the end.
func TestPosesBetweenSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := drawWorld(t, 0)
		g := worldtest.AddGround(t, w, w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(2, 7),
			AngularVelocity: 2,
		}))
		worldtest.Must(t, g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full}))
		var saved quarry.Snapshot
		w.Capture(&saved)
		alpha := rapid.Float64Range(0.001, 1).Draw(t, "alpha")
		var list quarry.DrawList
		for range 30 {
			switch b, _ := pick(t, w.Bodies()); rapid.IntRange(0, 9).Draw(t, "call") {
			case 0:
				b.SetTransform(geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), 3), 1)
			case 1:
				w.Rewind(&saved)
			}
			was := map[quarry.BodyID]geom.Transform{}
			for b := range w.Bodies() {
				was[b.ID()] = b.Transform()
			}
			w.Step(worldtest.DT)
			moved := map[quarry.BodyID]bool{}
			for _, m := range w.Moves() {
				b, _ := w.Body(m.Body)
				if moved[m.Body] = true; m.Before != was[m.Body] || m.Transform != b.Transform() {
					t.Fatalf("moved from %v to %v, was at %v, is at %v", m.Before, m.Transform, was[m.Body],
						b.Transform())
				}
			}
			for b := range w.Bodies() {
				now := b.Transform()
				if now != was[b.ID()] && !moved[b.ID()] {
					t.Fatalf("body %d has moved, and is not in Moved", b.ID())
				}
				if b.TransformAt(0) != was[b.ID()] || b.TransformAt(1) != now ||
					b.TransformAt(alpha) != was[b.ID()].Lerp(now, alpha) {
					t.Fatalf("body %d: %v, between %v and %v", b.ID(), b.TransformAt(alpha), was[b.ID()], now)
				}
			}
			w.Draw(&list, quarry.DrawOptions{Layers: quarry.DrawShapes, Alpha: alpha})
			for _, it := range list.Items {
				b, _ := w.Body(it.Body)
				s, _ := w.Shape(it.Shape)
				at := b.TransformAt(alpha)
				if c, ok := s.Geometry().(geom.Circle); ok && (it.Points[0].Dist(at.Apply(c.Center)) > 1e-9 ||
					it.Axis != at.Q.Apply(geom.V(1, 0))) {
					t.Fatalf("a circle of body %d is drawn at %v, and is at %v", it.Body, it.Points[0],
						at.Apply(c.Center))
				}
			}
		}
	})
}

// TestDrawAlphaFindsFastBodies: a body that has left or entered the View within the step is drawn where it is between
// the steps.
func TestDrawAlphaFindsFastBodies(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(360, 0)}, geom.Circle{Radius: 0.1},
		quarry.ShapeDef{})
	w.Step(worldtest.DT) // from 0 to 6
	var list quarry.DrawList
	for _, c := range []struct {
		alpha float64
		want  int
	}{{0, 0}, {1, 0}, {0.5, 1}, {0.001, 0}} {
		w.Draw(&list, quarry.DrawOptions{Layers: quarry.DrawShapes, View: geom.AABB{
			Min: geom.V(2.5, -1),
			Max: geom.V(3.5, 1),
		}, Alpha: c.alpha})
		if len(list.Items) != c.want {
			t.Errorf("alpha %v: %d items, want %d; the body is at %v", c.alpha, len(list.Items), c.want,
				b.TransformAt(c.alpha).P)
		}
	}
	worldtest.MustPanic(t, "alpha", func() { w.Draw(&list, quarry.DrawOptions{Alpha: 1.5}) })
}

// TestDrawAlphaFindsTurnedBodies: with a View of any place, a Draw between the steps has the bodies, grounds and boxes
// there that one without a View has; also of long bodies that turn. (The search had no part for the turn.)
func TestDrawAlphaFindsTurnedBodies(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Angle: -0.5, AngularVelocity: 30, Weightless: true},
		geom.NewBox(20, 0.1), quarry.ShapeDef{})
	g := worldtest.AddGround(t, w, w.AddBody(quarry.BodyDef{
		Type: quarry.Kinematic, Position: geom.V(0, 60), Angle: -0.5, AngularVelocity: 30,
	}))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -20, MaxX: 20}, gridseg.Tile{Shape: gridseg.Full}))
	gone := worldtest.AddBody(w, quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(90, 0), AngularVelocity: 30, Weightless: true,
	}, geom.NewBox(20, 0.1), quarry.ShapeDef{})
	w.Step(worldtest.DT)
	gone.SetEnabled(false)
	for _, alpha := range []float64{0.01, 0.5, 0.99, 1} {
		for _, of := range []quarry.Body{b, g.Body(), gone} {
			at := of.TransformAt(alpha)
			for _, p := range []geom.Vec{geom.V(-19.9, 0), geom.V(0, 0), geom.V(19.9, 0.05)} {
				var list, all quarry.DrawList
				p = at.Apply(p)
				layers := quarry.DrawShapes | quarry.DrawBoxes | quarry.DrawSurfaces
				o := quarry.DrawOptions{Layers: layers, Alpha: alpha}
				w.Draw(&all, o)
				o.View = geom.AABB{Min: p.Sub(geom.V(0.1, 0.1)), Max: p.Add(geom.V(0.1, 0.1))}
				w.Draw(&list, o)
				want, has := map[quarry.DrawLayers]bool{}, map[quarry.DrawLayers]bool{}
				for _, it := range all.Items {
					if it.Body == of.ID() { // never gone, which is disabled
						want[it.Layer] = true
					}
				}
				for _, it := range list.Items {
					has[it.Layer] = true
				}
				if d := cmp.Diff(want, has); d != "" {
					t.Errorf("alpha %v, body %d at %v (-want +got):\n%s", alpha, of.ID(), p, d)
				}
			}
		}
	}
}

// TestBoundsOfGroundsAndChains: the bounds of a body hold its shapes, tiles and chains, and a world's bounds its bodies
// that are not disabled. Grounds and chains were left out.
func TestBoundsOfGroundsAndChains(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	near := func(what string, got, want geom.AABB) {
		t.Helper()
		if got.Min.Dist(want.Min)+got.Max.Dist(want.Max) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	box := func(x0, y0, x1, y1 float64) geom.AABB { return geom.AABB{Min: geom.V(x0, y0), Max: geom.V(x1, y1)} }
	if b := w.Bounds(); !b.IsEmpty() {
		t.Errorf("of an empty world: %v", b)
	}
	at := func(x, y, angle float64) quarry.Body {
		b, _ := w.Body(w.AddBody(quarry.BodyDef{Position: geom.V(x, y), Angle: angle}))
		return b
	}
	none := at(50, 50, 0)
	near("a body without shapes", none.Bounds(), box(50, 50, 50, 50))
	b := at(10, 0, math.Pi/2)
	g := worldtest.AddGround(t, w, b.ID())
	near("without tiles", b.Bounds(), box(10, 0, 10, 0))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 1}, gridseg.Tile{Shape: gridseg.Full}))
	near("tiles", b.Bounds(), box(8, 0, 10, 10))
	worldtest.Must(t, g.Clear(9, 0))
	worldtest.Must(t, g.Clear(9, 1))
	near("fewer tiles", b.Bounds(), box(8, 0, 10, 9))
	w.AddShape(b.ID(), geom.Circle{Center: geom.V(0, -1), Radius: 1}, quarry.ShapeDef{})
	near("tiles and a shape", b.Bounds(), box(8, -1, 12, 9))
	c := at(0, 0, 0)
	_, err := w.AddChain(c.ID(), quarry.ChainDef{Points: []geom.Vec{geom.V(3, 0), geom.V(-3, 1)}})
	worldtest.Must(t, err)
	near("a chain", c.Bounds(), box(-3, 0, 3, 1))
	near("the world", w.Bounds(), box(-3, -1, 12, 9))
	b.SetEnabled(false)
	near("without a disabled body", w.Bounds(), box(-3, 0, 3, 1))
}
