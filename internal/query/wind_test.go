package query

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// block returns 4 x 2 tiles whose lower left corner is the origin, and the box of that outline.
func block() (*Target, *Target) {
	g := gridseg.New(nil)
	_ = g.Fill(gridseg.Rect{MaxX: 3, MaxY: 1}, gridseg.Tile{Shape: gridseg.Full})
	g.Resolve()
	h := collide.NewHull(geom.NewOffsetBox(2, 1, geom.V(2, 1), geom.Identity))
	bounds := geom.Box(geom.Vec{}, geom.V(4, 2))
	return &Target{Tiles: &surface.Tiles{Grid: g}, Box: bounds}, &Target{Hull: &h, Box: bounds}
}

// TestFacing: the shadow of a box is the sum of its sides' parts across the light, of a capsule the part of its axis
// and twice its radius.
func TestFacing(t *testing.T) {
	box, capsule := collide.NewHull(geom.NewBox(2, 0.5)), collide.NewHull(geom.Capsule{B: geom.V(3, 0), Radius: 0.25})
	for k := range 16 {
		u := geom.NewRot(float64(k) * 0.37).Apply(geom.V(1, 0))
		if got, want := Facing(&box, u), 4*math.Abs(u.Y)+math.Abs(u.X); math.Abs(got-want) > 1e-12 {
			t.Errorf("a box along %v: %v, want %v", u, got, want)
		}
		if got, want := Facing(&capsule, u), 3*math.Abs(u.Y)+0.5; math.Abs(got-want) > 1e-12 {
			t.Errorf("a capsule along %v: %v, want %v", u, got, want)
		}
	}
}

// TestPush: a blast pushes away from its centre, with the impulse for the length that faces it, whole within the
// radius, less in the falloff, and not at all beyond it; tiles take the impulse of the box of their outline. From
// inside, it acts on the centroid of a box and on the given centre of tiles.
func TestPush(t *testing.T) {
	tiles, box := block()
	b := &Blast{Radius: 2, Falloff: 4, ImpulsePerLength: 3}
	var s Scratch
	push := func(to *Target, from geom.Vec) (geom.Vec, geom.Vec, bool) {
		p := Probe{Hull: PointHull}
		p.Place(geom.At(geom.Vec{}), geom.At(from), geom.Vec{})
		return s.Push(b, &p, to, geom.V(1, 1))
	}
	for name, to := range map[string]*Target{"tiles": tiles, "box": box} {
		for _, c := range []struct {
			from geom.Vec
			want geom.Vec // impulse
			ok   bool
		}{
			{geom.V(2, 3), geom.V(0, -12), true},  // 1 above: whole, 4 units long
			{geom.V(2, 6), geom.V(0, -6), true},   // 4 above: half of the falloff
			{geom.V(-4, 1), geom.V(3, 0), true},   // 4 to the left: 2 units long, half
			{geom.V(2, 8.1), geom.Vec{}, false},   // beyond
			{geom.V(200, 300), geom.Vec{}, false}, // far beyond
		} {
			j, at, ok := push(to, c.from)
			if name == "tiles" && c.from == geom.V(2, 6) {
				// Of the top, only what is within reach counts: 6 from 4 above.
				c.want = geom.V(0, -6)
			}
			if ok != c.ok || j.Dist(c.want) > 1e-9 || ok && c.from.Add(at).Dist(geom.V(
				min(4, max(0, c.from.X)), min(2, max(0, c.from.Y)))) > 1e-9 {
				t.Errorf("%s, from %v: impulse %v at %v, %v; want %v, %v", name, c.from, j, at, ok, c.want, c.ok)
			}
		}
		from, to2 := geom.V(3, 1.5), map[string]geom.Vec{"tiles": geom.V(1, 1), "box": geom.V(2, 1)}[name]
		if _, at, ok := push(to, from); !ok || from.Add(at).Dist(to2) > 1e-9 {
			t.Errorf("%s: from inside it acts at %v, %v, want %v", name, from.Add(at), ok, to2)
		}
	}
}

// TestGust: a wind on a box that does not turn is Drag times the length that faces it times the square of its speed;
// tiles take the load of the box of their outline, also while they turn; air that moves along has none.
func TestGust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tiles, box := block()
		var s Scratch
		g := Gust{
			Wind: drawPoint(t, 9), Velocity: drawPoint(t, 3), Center: geom.V(2, 1),
			Drag: rapid.Float64Range(0, 2).Draw(t, "drag"), Lift: rapid.Float64Range(0, 2).Draw(t, "lift"),
		}
		if rapid.Bool().Draw(t, "turns") {
			g.Spin = rapid.Float64Range(-3, 3).Draw(t, "spin")
		}
		a, b := g, g
		a.Load(box.Hull)
		s.LoadGround(&b, tiles.Tiles, tiles.Box)
		if a.Force.Dist(b.Force) > 1e-9*(1+a.Force.Len()) || math.Abs(a.Torque-b.Torque) > 1e-9*(1+math.Abs(a.Torque)) {
			t.Fatalf("tiles take %v, %v, their box %v, %v", b.Force, b.Torque, a.Force, a.Torque)
		}
		u, speed := g.Wind.Sub(g.Velocity).Unit()
		drag := g.Drag * Facing(box.Hull, u) * speed * speed
		if g.Spin == 0 && math.Abs(a.Force.Dot(u)-drag) > 1e-9*(1+drag) {
			t.Fatalf("drag %v, want %v", a.Force.Dot(u), drag)
		}
		round := collide.NewHull(geom.Circle{Center: geom.V(2, 1), Radius: 0.5})
		c := g
		c.Spin = 0
		if c.Load(&round); c.Force.Dist(u.Mul(g.Drag*speed*speed)) > 1e-9*(1+drag) || c.Torque != 0 {
			t.Fatalf("a disc takes %v, %v", c.Force, c.Torque)
		}
		still := Gust{Wind: g.Wind, Velocity: g.Wind, Drag: 1, Lift: 1}
		if still.Load(box.Hull); still.Force != (geom.Vec{}) || still.Torque != 0 {
			t.Fatalf("air that moves along: %v", still.Force)
		}
	})
	lift := Gust{Wind: geom.V(1, -0.2), Lift: 1}
	h := collide.NewHull(geom.Segment{A: geom.V(-1, 0), B: geom.V(1, 0)})
	if lift.Load(&h); lift.Force.X <= 0 && lift.Force.Y >= 0 || lift.Force.Dot(lift.Wind) > 1e-12 {
		t.Errorf("the lift of a plate is %v", lift.Force)
	}
}
