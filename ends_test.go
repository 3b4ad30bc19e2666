package quarry_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// A room of 32x32 cells at a corner of the world, whose walls are its last columns and rows, must behave as any other
// room does. There a loop that counts to the last cell of an int32 never ended, and x+1 was a cell at the other end.

const roomSide = 32

// endsRoom returns a world with a room whose lower left cell is (x, y): walls of two preserved layers, a cell of a
// one-way material, a raft of tiles that breaks, and bodies that fall to each wall.
func endsRoom(t *testing.T, x, y int32, log *bytes.Buffer) (*quarry.World, quarry.Ground, quarry.Ground) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
	if log != nil {
		w.Record(log, 1)
	}
	way := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
	at := geom.V(float64(x), float64(y))
	g := gridseg.New(nil)
	must(g.Preserve(0, 1))
	const last = roomSide - 1
	for k := range int32(roomSide) {
		for _, c := range [][2]int32{
			{k, 0},
			{k, 1},
			{k, last - 1},
			{k, last},
			{0, k},
			{1, k},
			{last - 1, k},
			{last, k},
		} {
			must(g.Set(x+c[0], y+c[1], gridseg.Tile{Shape: gridseg.Full, Layer: uint8(k & 1)}))
		}
	}
	must(g.Set(x+9, y+5, gridseg.Tile{Shape: gridseg.Full, Material: uint16(way)}))
	id, err := w.AddGround(0, quarry.GroundDef{
		Grid: g, Breaks: true,
		Anchors: []gridseg.Rect{{MinX: x, MinY: y, MaxX: x + 1, MaxY: y + last}},
	})
	must(err)
	room, _ := w.Ground(id)
	for k := range int32(4) {
		c := gridseg.Cell{X: x + k&1*last, Y: y + k>>1*last}
		data, err := room.UnloadPlace(gridseg.Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y}, gridseg.Unloaded(k&1))
		must(err)
		w.Step(1.0 / 60)
		_, err = room.LoadPlace(data)
		must(err)
	}
	raft := gridseg.New(nil)
	for _, k := range []int32{0, 1, 2, 4} { // with a gap: it comes apart in the first step
		must(raft.Set(x+12+k, y+12, gridseg.Tile{Shape: gridseg.Full}))
	}
	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
	id, err = w.AddGround(body, quarry.GroundDef{Grid: raft})
	must(err)
	moving, _ := w.Ground(id)
	for k, v := range []geom.Vec{{X: -20}, {X: 20}, {Y: 20}, {}, {X: 300, Y: 200}, {X: -300, Y: -200}} {
		d := quarry.BodyDef{Type: quarry.Dynamic, Position: at.Add(geom.V(20+float64(k), 20)), Velocity: v}
		if k < 3 {
			d.Weightless = true
		}
		b := w.AddBody(d)
		w.AddShape(b, []geom.Shape{geom.Circle{Radius: 0.4}, geom.Capsule{B: geom.V(0.5, 0), Radius: 0.2}}[k&1],
			quarry.ShapeDef{})
	}
	return w, room, moving
}

// endsWalk edits, steps and asks the room. It returns what a game sees of it, relative to the room, rounded to 0.01:
// in float64 the ends are exact to 4.7e-7.
func endsWalk(t *testing.T, w *quarry.World, room, raft quarry.Ground, x, y int32) []float64 {
	t.Helper()
	at := geom.V(float64(x), float64(y))
	var out []float64
	see := func(list ...float64) {
		for _, v := range list {
			out = append(out, math.Round(v*100)/100)
		}
	}
	edit := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		w.Step(1.0 / 60)
	}
	const last = roomSide - 1
	far := at.Add(geom.V(last+0.5, last+0.5))
	edit(room.Dig(far, far, 0.3))
	edit(room.Build(far, far, 0.2, gridseg.Attr{}))
	edit(room.Dig(at.Add(geom.V(0.5, 0.5)), at.Add(geom.V(0.5, 0.5)), 0.3))
	edit(room.Clear(x+last, y))
	edit(room.Set(x+last, y, gridseg.Tile{Shape: gridseg.Ramp, Turn: 2}))
	edit(room.Fill(gridseg.Rect{MinX: x + last, MinY: y + last, MaxX: x + last, MaxY: y + last},
		gridseg.Tile{Shape: gridseg.Full, Layer: 1}))
	s, err := room.Grid().Copy(gridseg.Rect{MinX: x + last - 3, MinY: y + last - 3, MaxX: x + last, MaxY: y + last})
	if err != nil {
		t.Fatal(err)
	}
	edit(room.Place(x, y, s))
	edit(room.Place(x+last-3, y, s))
	edit(room.Move(gridseg.Rect{MinX: x, MinY: y + last - 2, MaxX: x + 2, MaxY: y + last}, 3, 0))
	edit(room.Move(gridseg.Rect{MinX: x + 3, MinY: y + last - 2, MaxX: x + 5, MaxY: y + last}, -3, 0))
	loop := [][]gridseg.Point{{{X: 0, Y: 0}, {X: gridseg.Unit, Y: 0}, {X: gridseg.Unit, Y: gridseg.Unit / 2}}}
	edit(room.Clear(x+last, y+last))
	if err := room.AddPolygon(x+last, y+last, loop, gridseg.Attr{}); err != nil {
		t.Fatal(err)
	}
	edit(room.RemovePolygon(x+last, y+last, loop))
	wide := func(cx, cy, w, h int64) [][]gridseg.Point {
		p := func(x0, y0 int64) gridseg.Point {
			return gridseg.Point{X: (int64(x) + x0) * gridseg.Unit, Y: (int64(y) + y0) * gridseg.Unit}
		}
		return [][]gridseg.Point{{p(cx, cy), p(cx+w, cy), p(cx+w, cy+h)}}
	}
	edit(room.Unite(wide(last-4, last-2, 5, 3), gridseg.Attr{Layer: 1}))
	edit(room.Subtract(wide(0, 0, 3, 2)))
	edit(room.Crater(quarry.HitEvent{Point: at.Add(geom.V(last, 5))}, 0.5))
	piece := gridseg.New(nil)
	for _, c := range [][2]int32{{0, 9}, {last, 9}} {
		if err := piece.Set(x+c[0], y+c[1], gridseg.Tile{Shape: gridseg.Ramp}); err != nil {
			t.Fatal(err)
		}
	}
	edit(room.Clear(x, y+9))
	id, err := w.AddGround(0, quarry.GroundDef{Grid: piece})
	if err != nil {
		t.Fatal(err)
	}
	edit(room.Join(id))
	room.SetBreaks(true, []gridseg.Rect{{MinX: x + last, MinY: y, MaxX: x + last, MaxY: y + last}}, 0)
	var list quarry.DrawList
	w.Draw(&list, quarry.DrawOptions{Origin: at})
	edit(raft.Clear(x+13, y+12)) // it breaks again
	w.Explode(quarry.ExplosionDef{Center: far, Radius: 6, ImpulsePerLength: 1})
	raft.ApplyWind(geom.V(3, 0), 1, 0)
	for range 40 {
		w.Step(1.0 / 60)
	}
	for b := range w.Bodies() {
		if b.Type() == quarry.Dynamic {
			p := b.CenterOfMass().Sub(at)
			// To a unit of length: rounding, 5e-7 at the ends, decides how parts that fly into each other meet.
			see(p.X/50, p.Y/50, b.Mass(), b.Inertia())
		}
	}
	for _, d := range []geom.Vec{{X: 100}, {X: -100}, {Y: 100}, {Y: -100}, {X: 90, Y: 100}, {X: -100, Y: -90}} {
		from := at.Add(geom.V(15.25, 24.25))
		if h, ok := w.RayCast(from, d, quarry.QueryFilter{Types: quarry.StaticBodies}); ok {
			see(h.Fraction*d.Len(), h.Normal.X, h.Normal.Y, float64(h.Cell.X-x), float64(h.Cell.Y-y))
		}
		if h, ok := w.ShapeCast(geom.Circle{Radius: 0.3}, geom.Transform{P: from, Q: geom.Identity}, d,
			quarry.QueryFilter{Types: quarry.StaticBodies}); ok {
			see(h.Fraction*d.Len(), h.Normal.X, h.Normal.Y)
		}
	}
	for _, p := range []geom.Vec{
		{},
		{X: 32, Y: 32},
		{X: 32},
		{Y: 32},
		{X: 16, Y: 32},
		{X: 32, Y: 16},
		{X: 5.5, Y: 5.5},
		{X: 31, Y: 31},
	} {
		probe := geom.Transform{P: at.Add(p), Q: geom.Identity}
		for _, h := range w.AppendOverlaps(nil, geom.Circle{Radius: 0.1}, probe,
			quarry.QueryFilter{Types: quarry.StaticBodies}) {
			see(float64(h.Cell.X-x), float64(h.Cell.Y-y))
		}
		if h, ok := w.RayCast(probe.P, geom.V(0.25, 0.25), quarry.QueryFilter{
			Types: quarry.StaticBodies,
			Solid: true,
		}); ok {
			see(h.Fraction, float64(h.Cell.X-x), float64(h.Cell.Y-y))
		}
		if n, ok := w.Nearest(probe.P, 8, quarry.QueryFilter{Types: quarry.StaticBodies}); ok {
			see(n.Distance, n.Point.X-at.X, n.Point.Y-at.Y)
		}
		see(float64(len(w.AppendPlanes(nil, geom.Circle{Radius: 0.6}, probe, 0.1,
			quarry.QueryFilter{Types: quarry.StaticBodies}))))
	}
	return out
}

func TestEndsOfTheWorld(t *testing.T) {
	const high = math.MaxInt32 - roomSide + 1
	var want []float64
	for _, o := range [][2]int32{
		{0, 0},
		{math.MinInt32, math.MinInt32},
		{high, math.MinInt32},
		{math.MinInt32, high},
		{high, high},
	} {
		var log bytes.Buffer
		w, room, raft := endsRoom(t, o[0], o[1], &log)
		got := endsWalk(t, w, room, raft, o[0], o[1])
		w.StopRecording()
		if err := quarry.NewWorld(quarry.Config{Workers: 1}).Replay(&log); err != nil {
			t.Errorf("at %v: Replay: %v", o, err)
		}
		again := quarry.NewWorld(quarry.Config{Workers: 1})
		if err := again.Restore(w.AppendSnapshot(nil)); err != nil || again.Hash() != w.Hash() {
			t.Errorf("at %v: Restore: %v", o, err)
		}
		if want == nil {
			want = got
			continue
		}
		if len(got) != len(want) {
			t.Errorf("at %v: %d numbers, %d at the origin", o, len(got), len(want))
			continue
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 0.02 {
				t.Errorf("at %v: number %d is %v, at the origin %v", o, k, got[k], want[k])
			}
		}
	}
}

// TestHugeAndFastStaysFinite: position, velocity and spin of a body on the ground stay
// finite at any size, spin and velocity. A box of half-size 1e8 with a spin of 1e15
// became NaN for good: the square of its corners' speed is beyond float32.
func TestHugeAndFastStaysFinite(t *testing.T) {
	for _, half := range []float64{1, 1e4, 1e8} {
		for _, spin := range []float64{1e15, -1e300} {
			for _, v := range []geom.Vec{{}, {X: 1e15, Y: -1e15}} {
				for _, step := range []float64{worldtest.DT, 1, 1e-12} {
					w := worldtest.New()
					worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -2, MaxX: 20, MaxY: -1})
					id := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: geom.V(0, half),
						AngularVelocity: spin, Velocity: v,
					})
					w.AddShape(id, geom.NewBox(half, half), quarry.ShapeDef{})
					ball := worldtest.Add(w, geom.V(0.3, 2*half+0.5), geom.Circle{Radius: 0.5})
					b, _ := w.Body(id)
					for i := range 30 {
						w.Step(step)
						for _, b := range []quarry.Body{b, ball} {
							if !b.Position().IsFinite() || !b.Velocity().IsFinite() ||
								math.IsNaN(b.AngularVelocity()) || math.IsNaN(b.Rotation().C) {
								t.Fatalf("half-size %v, spin %v, velocity %v, steps of %v: in step %d at %v, "+
									"velocity %v, spin %v, %v",
									half, spin, v, step, i, b.Position(), b.Velocity(), b.AngularVelocity(),
									b.Rotation())
							}
						}
					}
				}
			}
		}
	}
}

// TestWildNumbers: a world refuses a finite number with a panic, and is unchanged, or
// accepts it, and its state stays finite. An impulse divided by the square of a tiny
// number once turned a body, and the bodies that it touched, into NaN for good.
func TestWildNumbers(t *testing.T) {
	for name, give := range map[string]func(w *quarry.World, b, lift quarry.Body, x float64){
		"step":        func(w *quarry.World, _, _ quarry.Body, x float64) { w.Step(x) },
		"gravity":     func(w *quarry.World, _, _ quarry.Body, x float64) { w.SetGravity(geom.V(0, -x)) },
		"velocity":    func(_ *quarry.World, b, _ quarry.Body, x float64) { b.SetVelocity(geom.V(x, -x)) },
		"spin":        func(_ *quarry.World, b, _ quarry.Body, x float64) { b.SetAngularVelocity(x) },
		"lift":        func(_ *quarry.World, _, lift quarry.Body, x float64) { lift.SetVelocity(geom.V(-x, 0)) },
		"lift's spin": func(_ *quarry.World, _, lift quarry.Body, x float64) { lift.SetAngularVelocity(x) },
		"impulse": func(_ *quarry.World, b, _ quarry.Body, x float64) {
			b.ApplyImpulse(geom.V(x, -x), geom.V(0, 1))
		},
		"impulse's arm": func(_ *quarry.World, b, _ quarry.Body, x float64) {
			b.ApplyImpulse(geom.V(x, -x), geom.V(x, x))
		},
		"force": func(_ *quarry.World, b, _ quarry.Body, x float64) {
			b.ApplyForce(geom.V(x, -x), geom.V(0, 1))
			b.ApplyForce(geom.V(x, -x), geom.V(-x, x))
		},
		"torque": func(_ *quarry.World, b, _ quarry.Body, x float64) { b.ApplyTorque(x); b.ApplyTorque(x) },
		"body": func(w *quarry.World, _, _ quarry.Body, x float64) {
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(0, 2), Velocity: geom.V(x, -x), AngularVelocity: x,
				LinearDamping: math.Abs(x), AngularDamping: math.Abs(x),
			})
			w.AddShape(id, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
		},
		"density": func(w *quarry.World, b, _ quarry.Body, x float64) {
			w.AddShape(b.ID(), geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: x})
		},
		"radius": func(w *quarry.World, b, _ quarry.Body, x float64) {
			w.AddShape(b.ID(), geom.Circle{Center: geom.V(0.2, 0), Radius: x}, quarry.ShapeDef{})
		},
		"alone": func(w *quarry.World, b, _ quarry.Body, x float64) {
			for s := range b.Shapes() {
				w.RemoveShape(s.ID())
			}
			w.AddShape(b.ID(), geom.Circle{Radius: x}, quarry.ShapeDef{})
		},
	} {
		for e := -1074; e < 1024; e += 7 {
			w := worldtest.New()
			worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
			b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
			worldtest.Add(w, geom.V(0.1, 1.5), geom.NewBox(0.5, 0.5))
			id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(2, 0.5)})
			w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
			lift, _ := w.Body(id)
			w.Step(worldtest.DT)
			x, before := math.Ldexp(1, e), w.Hash()
			func() {
				defer func() {
					r := recover()
					if text, _ := r.(string); r != nil && !strings.HasPrefix(text, "quarry: ") {
						t.Fatalf("%s %g: panicked with %v", name, x, r)
					}
					if r != nil && name != "body" && name != "alone" && w.Hash() != before {
						t.Fatalf("%s %g: refused, but the world was changed", name, x)
					}
				}()
				give(w, b, lift, x)
			}()
			for range 8 {
				w.Step(worldtest.DT)
			}
			for b := range w.Bodies() {
				if !b.Position().IsFinite() || !b.Velocity().IsFinite() ||
					!(math.Abs(b.AngularVelocity()) < math.MaxFloat64) || math.IsNaN(b.Angle()) {
					t.Fatalf("%s %g: at %v, velocity %v, spin %v, angle %v", name, x, b.Position(), b.Velocity(),
						b.AngularVelocity(), b.Angle())
				}
			}
		}
	}
}

// TestJointOfHugeBodyStaysFinite: a joint of a body with a mass of 1e15 or so stays finite. The determinant of
// its rows has no inverse in float32: body and joint once became NaN.
func TestJointOfHugeBodyStaysFinite(t *testing.T) {
	for _, radius := range []float64{1e6, 1e7, 1e8} {
		for _, rigid := range []quarry.JointSpring{{}, {Hertz: 0.75, DampingRatio: 1.6}} {
			w := worldtest.New()
			b := worldtest.Add(w, geom.Vec{}, geom.Circle{Center: geom.V(1.7, 5.4), Radius: radius})
			base := quarry.JointBase{B: b.ID(), Constraint: rigid}
			w.AddJoint(quarry.PrismaticJoint{JointBase: base})
			w.AddJoint(quarry.RevoluteJoint{JointBase: base})
			for step := range 30 {
				w.Step(worldtest.DT)
				if !b.Position().IsFinite() || !b.Velocity().IsFinite() || math.IsNaN(b.Rotation().C) {
					t.Fatalf("radius %v, %+v, step %d: at %v, velocity %v, %v", radius, rigid, step, b.Position(),
						b.Velocity(), b.Rotation())
				}
			}
		}
	}
}
