package mover_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

const dt = 1.0 / 60

var gravity = geom.V(0, -20)

// world returns a world with a floor of full tiles whose top is y = 0, from x = -20 to 60.
func world(t *testing.T) (*quarry.World, quarry.Ground) {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{Gravity: gravity})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	fill(t, g, -20, -3, 59, -1, gridseg.Tile{Shape: gridseg.Full})
	return w, g
}

func fill(t *testing.T, g quarry.Ground, x0, y0, x1, y1 int32, tile gridseg.Tile) {
	t.Helper()
	if err := g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1}, tile); err != nil {
		t.Fatal(err)
	}
}

// person returns a character of 1.6 x 0.8 whose lowest point is at p.
func person(p geom.Vec) *mover.Character {
	return &mover.Character{
		Mover:      mover.Mover{Shape: geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1.2), Radius: 0.4}},
		Position:   p,
		StepHeight: 0.4,
	}
}

// walk moves c at the speed vx for n steps; each, unless nil, is called after each.
func walk(w *quarry.World, c *mover.Character, vx float64, n int, each func(k int)) {
	for k := range n {
		c.Velocity.X = vx
		c.Move(w, gravity, dt)
		w.Step(dt)
		if each != nil {
			each(k)
		}
	}
}

// A character that walks on tiles feels no seam: each step covers the same distance at the same height.
func TestWalkFlat(t *testing.T) {
	w, _ := world(t)
	for _, v := range []float64{0.5, 4, 9.7, 10, 40} {
		c := person(geom.V(-15.3, 0.005))
		walk(w, c, 0, 5, nil)
		x, y := c.Position.X, c.Position.Y
		walk(w, c, v, 60, func(k int) {
			if !c.OnGround || math.Abs(c.Position.Y-y) > 1e-9 || math.Abs(c.Position.X-x-v*dt) > 1e-9 {
				t.Fatalf("at %v units/s, step %d: on ground %v, at %v, not %v", v, k, c.OnGround, c.Position,
					geom.V(x+v*dt, y))
			}
			if x = c.Position.X; c.Footing.Tile.Shape != gridseg.Full || c.Footing.Cell.Y != -1 ||
				math.Abs(float64(c.Footing.Cell.X)+0.5-x) > 1 {
				t.Fatalf("at x = %v it stands on %v of cell %v", x, c.Footing.Tile, c.Footing.Cell)
			}
		})
	}
}

// On slopes of 1:1 and 1:2 a character keeps its speed along the ground, both ways, and never leaves it.
func TestWalkSlopes(t *testing.T) {
	for _, steep := range []int64{1, 2} {
		w, g := world(t)
		n := gridseg.Unit
		hill := []gridseg.Point{{X: 0, Y: 0}, {X: int64(20 * n), Y: 0}, {X: int64(10 * n), Y: int64(10*n) / steep}}
		if err := g.Unite([][]gridseg.Point{hill}, gridseg.Attr{}); err != nil {
			t.Fatal(err)
		}
		c := person(geom.V(-2, 0.005))
		last, high := c.Position, 0.0
		walk(w, c, 5, 400, func(k int) {
			moved := c.Position.Sub(last).Len()
			if k > 5 && (!c.OnGround || math.Abs(moved-5*dt) > 0.035) {
				t.Fatalf("1:%d, step %d at %v: on ground %v, moved by %v", steep, k, c.Position, c.OnGround, moved)
			}
			last, high = c.Position, max(high, c.Position.Y)
		})
		if c.Position.X < 21 || high < 9.9/float64(steep) {
			t.Errorf("1:%d: it comes to %v, and as high as %v", steep, c.Position, high)
		}
	}
}

// A character that asks for no speed stays where it is, on slopes and on the edge of a ledge, and one that walks down a
// slope keeps its speed. (It crept down a slope of 45 degrees at 0.12 units/s, and off an edge that was 0.1 units
// beside its middle: it was put to Skin above the ground along up, and the next Slide moved it away to Skin along the
// normal.)
func TestStandsStill(t *testing.T) {
	stands := func(name string, w *quarry.World, c *mover.Character) {
		t.Helper()
		walk(w, c, 0, 30, nil)
		at := c.Position
		if walk(w, c, 0, 600, nil); c.Position.Dist(at) > 1e-9 || !c.OnGround {
			t.Errorf("%s: it creeps by %v, on the ground: %v", name, c.Position.Sub(at), c.OnGround)
		}
	}
	for _, degrees := range []float64{5, 20, 45, 50} {
		up := geom.NewRot(degrees * math.Pi / 180).Apply(geom.V(1, 0))
		w := quarry.NewWorld(quarry.Config{})
		if _, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{up.Mul(40), {}}}); err != nil {
			t.Fatal(err)
		}
		c := person(up.Mul(30).Add(geom.V(0, 0.3)))
		stands(fmt.Sprintf("%v degrees", degrees), w, c)
		at := c.Position
		if walk(w, c, -4, 60, nil); math.Abs(c.Position.Dist(at)-4) > 1e-6 {
			t.Errorf("%v degrees: it walks down %v in a second, at 4 units/s", degrees, c.Position.Dist(at))
		}
		// On a round world, where up is another way.
		w = quarry.NewWorld(quarry.Config{})
		body := w.AddBody(quarry.BodyDef{Angle: 2})
		if _, err := w.AddChain(body, quarry.ChainDef{Points: []geom.Vec{up.Mul(40), {}}}); err != nil {
			t.Fatal(err)
		}
		q := geom.NewRot(2)
		c = person(q.Apply(up.Mul(30).Add(geom.V(0, 0.3))))
		c.Turn = 2
		at = c.Position
		for k := range 300 {
			if k == 30 {
				at = c.Position
			}
			c.Velocity = c.Velocity.Sub(q.Apply(geom.V(q.Inv(c.Velocity).X, 0)))
			c.Move(w, q.Apply(gravity), dt)
		}
		if c.Position.Dist(at) > 1e-9 || !c.OnGround {
			t.Errorf("%v degrees, turned: it creeps by %v, on the ground: %v", degrees, c.Position.Sub(at), c.OnGround)
		}
	}
	for _, beside := range []float64{0.05, 0.1, 0.2} {
		w, _ := world(t)
		stands(fmt.Sprintf("%v beside an edge", beside), w, person(geom.V(60+beside, 0.1)))
	}
}

// A slope steeper than MaxSlope is a wall to one that walks, and one that falls on it slides down.
func TestSteepSlope(t *testing.T) {
	w, g := world(t)
	n := int64(gridseg.Unit)
	if err := g.Unite([][]gridseg.Point{{{X: 0, Y: 0}, {X: 3 * n, Y: 0}, {X: 3 * n, Y: 6 * n}}},
		gridseg.Attr{}); err != nil {
		t.Fatal(err)
	}
	c := person(geom.V(-3, 0.005))
	walk(w, c, 5, 120, nil)
	if c.Position.Y > 0.1 || c.OnWall != 1 || !c.OnGround {
		t.Errorf("it walks up to %v, on wall %d, on ground %v", c.Position, c.OnWall, c.OnGround)
	}
	c = person(geom.V(1.5, 5))
	for range 120 {
		c.Move(w, gravity, dt)
	}
	if c.Position.X > 0 || c.Position.Y > 0.05 || !c.OnGround {
		t.Errorf("falls to %v, on ground %v", c.Position, c.OnGround)
	}
}

// Steps up to StepHeight are walked up and down without leaving the ground; a higher one stops.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		high float64
		over bool
	}{{0.125, true}, {0.25, true}, {0.375, true}, {0.5, false}, {2, false}} {
		w, g := world(t)
		n := float64(gridseg.Unit)
		box := func(x0, x1, y float64) []gridseg.Point {
			return []gridseg.Point{
				{X: int64(x0 * n), Y: 0},
				{X: int64(x1 * n), Y: 0},
				{X: int64(x1 * n), Y: int64(y * n)},
				{X: int64(x0 * n), Y: int64(y * n)},
			}
		}
		for k := range 4 {
			if err := g.Unite([][]gridseg.Point{box(float64(2*k), float64(14-2*k), c.high*float64(k+1))},
				gridseg.Attr{}); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range []float64{2, 4, 10} {
			p, off := person(geom.V(-3, 0.005)), 0
			walk(w, p, v, int(20/(v*dt)), func(k int) {
				if !p.OnGround {
					off++
				}
			})
			if over := p.Position.X > 14; over != c.over || c.over && (off > 1 || p.Position.X < 16.5) ||
				!c.over && math.Abs(p.Position.X+0.4) > 0.05 {
				t.Errorf("steps of %v at %v units/s: it comes to %v, %d steps off the ground", c.high, v, p.Position,
					off)
			}
		}
	}
}

// A jump rises v^2/2g, as far as a ceiling lets it, and ends on the ground.
func TestJumpAndCeiling(t *testing.T) {
	w, g := world(t)
	for _, ceiling := range []bool{false, true} {
		if ceiling {
			fill(t, g, -1, 2, 1, 2, gridseg.Tile{Shape: gridseg.Full})
		}
		c := person(geom.V(0, 0.005))
		walk(w, c, 0, 2, nil)
		c.Velocity.Y = 8
		high, hit := 0.0, false
		walk(w, c, 0, 90, func(int) { high, hit = max(high, c.Position.Y), hit || c.OnCeiling })
		if want := 8.0 * 8 / 40; !ceiling && math.Abs(high-want) > 0.1 || ceiling && math.Abs(high-0.4) > 0.02 ||
			hit != ceiling || !c.OnGround {
			t.Errorf("ceiling %v: it rises to %v, hits one: %v, on ground %v", ceiling, high, hit, c.OnGround)
		}
	}
}

// One-way platforms are passed from below and stood upon, and let one through that asks.
func TestOneWay(t *testing.T) {
	w, g := world(t)
	plank := w.AddMaterial(quarry.Material{OneWay: quarry.OneWayUp, Friction: 0.6})
	fill(t, g, -3, 1, 3, 1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(plank)})
	c := person(geom.V(0, 0.005))
	walk(w, c, 0, 2, nil)
	c.Velocity.Y = 11
	walk(w, c, 0, 90, nil)
	if !c.OnGround || math.Abs(c.Position.Y-2) > 0.05 || c.Footing.Material != plank {
		t.Fatalf("after the jump at %v, on ground %v of %v", c.Position, c.OnGround, c.Footing.Material)
	}
	c.DropThrough = true
	walk(w, c, 0, 30, nil)
	c.DropThrough = false
	walk(w, c, 0, 30, nil)
	if !c.OnGround || math.Abs(c.Position.Y) > 0.05 {
		t.Errorf("after dropping at %v", c.Position)
	}
}

// A character rides on platforms in all directions, at their speed, and on belts.
func TestRides(t *testing.T) {
	for _, v := range []geom.Vec{{X: 2}, {X: -3}, {Y: 1.5}, {Y: -1}, {X: 1, Y: 1}, {X: 2, Y: -1}} {
		w, _ := world(t)
		lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(5, 5)})
		w.AddShape(lift, geom.NewBox(2, 0.25), quarry.ShapeDef{})
		c := person(geom.V(5, 5.26))
		walk(w, c, 0, 5, nil)
		b, _ := w.Body(lift)
		b.SetVelocity(v)
		walk(w, c, 0, 1, nil)
		apart := c.Position.Sub(b.Position())
		walk(w, c, 0, 90, func(k int) {
			if now := c.Position.Sub(b.Position()); !c.OnGround || now.Sub(apart).Len() > 0.04 {
				t.Fatalf("lift at %v, step %d: on ground %v, at %v of it, not %v", v, k, c.OnGround, now, apart)
			}
		})
		b.SetVelocity(geom.Vec{})
	}
	w, g := world(t)
	belt := w.AddMaterial(quarry.Material{TangentSpeed: 2, Friction: 0.6})
	fill(t, g, 0, -1, 20, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)})
	c := person(geom.V(2, 0.005))
	walk(w, c, 0, 2, nil)
	x := c.Position.X
	walk(w, c, 0, 60, nil)
	if math.Abs(c.Position.X-x-2) > 0.05 {
		t.Errorf("the belt carries it by %v in a second", c.Position.X-x)
	}
	walk(w, c, -2, 60, nil)
	if math.Abs(c.Position.X-x-2) > 0.05 {
		t.Errorf("against the belt it moves by %v in a second", c.Position.X-x-2)
	}
}

// It pushes a crate in proportion to its force, and not one that is too heavy.
func TestPushes(t *testing.T) {
	for _, c := range []struct {
		density float64
		moves   bool
	}{{1, true}, {100, false}} {
		w, _ := world(t)
		crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(3, 0.5)})
		w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: c.density})
		p := person(geom.V(0, 0.005))
		p.Mass, p.MaxForce, p.StepHeight = 2, 40, 0.2
		walk(w, p, 3, 180, nil)
		b, _ := w.Body(crate)
		if moved := b.Position().X - 3; moved > 0.5 != c.moves || !c.moves && math.Abs(moved) > 0.01 ||
			b.Position().Sub(p.Position).X < 0.85 {
			t.Errorf("density %v: the crate moves by %v; the character is at %v", c.density, moved, p.Position)
		}
	}
}

// Crouching fits under a ceiling where standing does not; both are asked of the world.
func TestCrouch(t *testing.T) {
	w, g := world(t)
	fill(t, g, 4, 1, 10, 1, gridseg.Tile{Shape: gridseg.Full})
	c := person(geom.V(0, 0.005))
	tall, low := c.Shape, geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 0.5), Radius: 0.4}
	walk(w, c, 4, 120, nil)
	if math.Abs(c.Position.X-3.6) > 0.05 {
		t.Fatalf("standing it comes to %v", c.Position)
	}
	c.Shape = low
	walk(w, c, 4, 60, nil)
	if c.Position.X < 6 || c.Fits(w, tall, c.Position) {
		t.Errorf("crouching it comes to %v; standing fits: %v", c.Position, c.Fits(w, tall, c.Position))
	}
	walk(w, c, 4, 120, nil)
	if c.Position.X < 11 || !c.Fits(w, tall, c.Position) {
		t.Errorf("behind the ceiling at %v standing fits: %v", c.Position, c.Fits(w, tall, c.Position))
	}
}

// However fast, it passes through no wall of one tile.
func TestFastStops(t *testing.T) {
	for _, v := range []float64{20, 100, 399} {
		w, g := world(t)
		fill(t, g, 10, 0, 10, 8, gridseg.Tile{Shape: gridseg.Full})
		c := person(geom.V(-10, 0.005))
		walk(w, c, v, 120, nil)
		if math.Abs(c.Position.X-9.6) > 0.05 || c.OnWall != 1 {
			t.Errorf("at %v units/s it comes to %v, on wall %d", v, c.Position, c.OnWall)
		}
	}
}

// A jump leaves the ground, also one that is slower than the lift sinks.
func TestJumpOnSinkingLift(t *testing.T) {
	w, _ := world(t)
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(5, 8)})
	w.AddShape(lift, geom.NewBox(2, 0.25), quarry.ShapeDef{})
	c := person(geom.V(5, 8.26))
	walk(w, c, 0, 5, nil)
	b, _ := w.Body(lift)
	b.SetVelocity(geom.V(0, -3))
	walk(w, c, 0, 10, nil)
	c.Velocity.Y = 2
	if c.Move(w, gravity, dt); c.OnGround || c.Velocity.Y > 0 {
		t.Errorf("on ground %v, velocity %v", c.OnGround, c.Velocity)
	}
}

// A filter with Solid stops no mover that stands: casts of a shape in touch would all end at once.
func TestSolidFilter(t *testing.T) {
	w, _ := world(t)
	c := person(geom.V(0, 0))
	c.Filter.Solid = true
	walk(w, c, 4, 60, nil)
	if math.Abs(c.Position.X-4) > 0.05 {
		t.Errorf("it walks to %v", c.Position)
	}
}

// A warm Move allocates nothing.
func TestMoveAllocatesNothing(t *testing.T) {
	w, g := world(t)
	fill(t, g, 3, 0, 3, 3, gridseg.Tile{Shape: gridseg.Full})
	c := person(geom.V(0, 0.005))
	walk(w, c, 4, 120, nil)
	if n := testing.AllocsPerRun(100, func() { c.Velocity.X = 4; c.Move(w, gravity, dt) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Mistakes panic before anything has changed.
func TestMoveMistakes(t *testing.T) {
	w, _ := world(t)
	for name, move := range map[string]func(c *mover.Character){
		"Shape":   func(c *mover.Character) { c.Shape = nil; c.Move(w, gravity, dt) },
		"pointer": func(c *mover.Character) { c.Shape = &geom.Capsule{}; c.Move(w, gravity, dt) },
		// invalid ones once found no obstacles: a capsule of which the ends were forgotten fell through the floor
		"ends are 0 apart": func(c *mover.Character) { c.Shape = geom.Capsule{Radius: 0.4}; c.Move(w, gravity, dt) },
		"radius NaN": func(c *mover.Character) {
			c.Shape = geom.Circle{Radius: math.NaN()}
			c.Move(w, gravity, dt)
		},
		"convex":   func(c *mover.Character) { c.Shape = geom.NewBox(0.5, 0); c.Move(w, gravity, dt) },
		"dt":       func(c *mover.Character) { c.Move(w, gravity, 0) },
		"gravity":  func(c *mover.Character) { c.Move(w, geom.V(0, math.NaN()), dt) },
		"Velocity": func(c *mover.Character) { c.Velocity.X = math.Inf(1); c.Move(w, gravity, dt) },
	} {
		c := person(geom.V(0, 1))
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "quarry: mover: ") ||
					!strings.Contains(text, name) && name != "pointer" {
					t.Errorf("%s: %q", name, text)
				}
			}()
			move(c)
		}()
		if c.Position != geom.V(0, 1) {
			t.Errorf("%s: it moved to %v", name, c.Position)
		}
	}
}

// BenchmarkMove measures a character that walks against a wall, with ground and body around it.
func BenchmarkMove(b *testing.B) {
	w := quarry.NewWorld(quarry.Config{Gravity: gravity})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		b.Fatal(err)
	}
	g, _ := w.Ground(id)
	if err := g.Fill(gridseg.Rect{MinX: -9, MinY: -2, MaxX: 3, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		b.Fatal(err)
	}
	if err := g.Set(3, 0, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		b.Fatal(err)
	}
	c := person(geom.V(0, 0.005))
	b.ReportAllocs()
	for b.Loop() {
		c.Velocity.X = 4
		c.Move(w, gravity, dt)
	}
}
