package mover_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

// level is a world with one body that carries the ground, at any place and angle, at rest or at a constant velocity.
// Points of a level are in the frame of that body, whose y axis is up.
type level struct {
	w       *quarry.World
	body    quarry.BodyID
	kind    string
	gravity geom.Vec // in the world
	dt      float64
}

// drawLevel draws a level without ground.
func drawLevel(t *rapid.T) *level {
	l := &level{w: quarry.NewWorld(quarry.Config{Workers: 1})}
	l.kind = rapid.SampledFrom([]string{"tiles", "chain", "boxes"}).Draw(t, "kind")
	l.dt = 1 / rapid.Float64Range(30, 240).Draw(t, "hertz")
	def := quarry.BodyDef{Type: rapid.SampledFrom([]quarry.BodyType{quarry.Static, quarry.Kinematic}).Draw(t, "type")}
	def.Angle = rapid.SampledFrom([]float64{0, 0, math.Pi / 2, math.Pi, -1.1, 0.7}).Draw(t, "angle")
	def.Position = rapid.SampledFrom([]geom.Vec{{}, {X: 1e6, Y: -1e6}, {X: 0.1, Y: 0.7}}).Draw(t, "place")
	if def.Type == quarry.Kinematic {
		def.Velocity = geom.V(rapid.Float64Range(-9, 9).Draw(t, "vx"), rapid.Float64Range(-9, 9).Draw(t, "vy"))
	}
	l.gravity = geom.NewRot(def.Angle).Apply(gravity)
	l.body = l.w.AddBody(def)
	return l
}

// outline adds ground whose top is the polyline of points, from left to right, at least 0.1 apart in x or y. It is
// solid
// down to y = -3.
func (l *level) outline(t *rapid.T, points ...geom.Vec) {
	switch l.kind {
	case "chain":
		back := []geom.Vec{}
		for i := range points {
			back = append(back, points[len(points)-1-i])
		}
		if _, err := l.w.AddChain(l.body, quarry.ChainDef{Points: back}); err != nil {
			t.Fatal(err)
		}
	case "tiles":
		list := []geom.Vec{{X: points[0].X, Y: -3}, {X: points[len(points)-1].X, Y: -3}}
		for i := range points {
			list = append(list, points[len(points)-1-i])
		}
		l.unite(t, list...)
	default:
		for i, a := range points[1:] { // one for each
			if b := points[i]; a.X > b.X+0.01 {
				p, err := geom.NewPolygon([]geom.Vec{{X: b.X, Y: -3}, {X: a.X, Y: -3}, a, b}, 0)
				if err != nil {
					t.Fatal(err)
				}
				l.w.AddShape(l.body, p, quarry.ShapeDef{})
			}
		}
	}
}

// frame returns the frame of the body, and its velocity.
func (l *level) frame() (geom.Transform, geom.Vec) {
	b, _ := l.w.Body(l.body)
	return b.Transform(), b.Velocity()
}

// local returns the position of c in the level.
func (l *level) local(c *mover.Character) geom.Vec {
	f, _ := l.frame()
	return f.Inv(c.Position)
}

// place puts c at p, on the ground after some steps.
func (l *level) place(t *rapid.T, c *mover.Character, p geom.Vec) {
	f, v := l.frame()
	c.Position, c.Turn, c.Velocity = f.Apply(p), f.Q.Angle(), v
	for range 200 {
		c.Move(l.w, l.gravity, l.dt)
		l.w.Step(l.dt)
		if c.OnGround {
			return
		}
	}
	t.Fatalf("at %v it does not come to the ground", l.local(c))
}

// walk makes a step at the speed v relative to the level, as the Velocity of a character on the ground is. In the air
// that is relative to the world.
func (l *level) walk(c *mover.Character, v float64) {
	f, base := l.frame()
	own := f.Q.Inv(c.Velocity)
	if own.X = v; !c.OnGround {
		own.X += f.Q.Inv(base).X
	}
	c.Velocity = f.Q.Apply(own)
	c.Move(l.w, l.gravity, l.dt)
	l.w.Step(l.dt)
}

// drawShape draws a shape whose lowest point is at the origin, with its half width.
func drawShape(t *rapid.T) (geom.Shape, float64) {
	r := rapid.Float64Range(0.15, 0.6).Draw(t, "radius")
	switch rapid.IntRange(0, 2).Draw(t, "shape") {
	case 0:
		return geom.Circle{Center: geom.V(0, r), Radius: r}, r
	case 1:
		return geom.NewOffsetBox(r, 2*r, geom.V(0, 2*r), geom.Identity), r
	}
	return geom.Capsule{A: geom.V(0, r), B: geom.V(0, 3*r), Radius: r}, r
}

// A round foot that rests against the corner of a step comes onto it at any speed. (Farther than the motion, it only
// tried the place at which its side touched the next corner: at 1 unit/s it stopped for good.)
func TestSlowRoundFootOnStairs(t *testing.T) {
	for _, hertz := range []float64{30, 60, 79, 120, 240} {
		for _, speed := range []float64{0.25, 0.5, 1, 2} {
			l := &level{w: quarry.NewWorld(quarry.Config{Workers: 1}), kind: "tiles", gravity: gravity, dt: 1 / hertz}
			l.body = l.w.AddBody(quarry.BodyDef{})
			id, err := l.w.AddGround(l.body, quarry.GroundDef{})
			if err != nil {
				t.Fatal(err)
			}
			const high, depth = 0.873, 0.16015625
			stairs, err := gridseg.Polygon([][2]float64{
				{-3, -3}, {4, -3}, {4, 2 * high}, {depth, 2 * high}, {depth, high}, {0, high}, {0, 0}, {-3, 0},
			})
			if err != nil {
				t.Fatal(err)
			}
			if g, _ := l.w.Ground(id); g.Unite(stairs, gridseg.Attr{}) != nil {
				t.Fatal("the stairs are refused")
			}
			c := &mover.Character{Mover: mover.Mover{Shape: geom.Circle{Center: geom.V(0, 0.6), Radius: 0.6}}}
			c.StepHeight, c.Position = 0.9, geom.V(-1, 0.02)
			for range int(3 * hertz / speed) {
				l.walk(c, speed)
			}
			if p := c.Position; p.X < 1 || p.Y < 2*high {
				t.Errorf("at %v Hz and %v units/s it comes to %v", hertz, speed, p)
			}
		}
	}
}

// A round foot on stairs whose treads are narrower than it comes up them. (A riser ahead lifted its slide, the ground
// brought it back down, and that counted as headway, so that it tried no step: it stopped for good. Between two risers,
// where its side touches the corner above, it had no ground, fell, and came back.)
func TestRoundFootOnNarrowTreads(t *testing.T) {
	for _, s := range []struct {
		hertz, speed, r, stepHeight, depth float64
		at, moves                          geom.Vec
	}{
		{33, 8, 0.515625, 0.7734375, 0.484375, geom.V(1e6, -1e6), geom.Vec{}},
		{59, 13.118472743023966, 0.6, 0.4375, 0.16866413573624164, geom.Vec{}, geom.V(1, 1)},
	} {
		l := &level{w: quarry.NewWorld(quarry.Config{Workers: 1}), kind: "tiles", gravity: gravity, dt: 1 / s.hertz}
		l.body = l.w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: s.at, Velocity: s.moves})
		id, err := l.w.AddGround(l.body, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		high := 0.97 * s.stepHeight
		outline := [][2]float64{{-3, -3}, {4, -3}, {4, 3 * high}}
		for k := 3.0; k > 0; k-- {
			x := (k - 1) * s.depth
			outline = append(outline, [2]float64{x, k * high}, [2]float64{x, (k - 1) * high})
		}
		stairs, err := gridseg.Polygon(append(outline, [2]float64{-3, 0}))
		if err != nil {
			t.Fatal(err)
		}
		if g, _ := l.w.Ground(id); g.Unite(stairs, gridseg.Attr{}) != nil {
			t.Fatal("the stairs are refused")
		}
		c := &mover.Character{Mover: mover.Mover{Shape: geom.Circle{Center: geom.V(0, s.r), Radius: s.r}}}
		c.StepHeight, c.Position, c.Velocity = s.stepHeight, s.at.Add(geom.V(-1-s.r, 0.02)), s.moves
		for !c.OnGround {
			c.Move(l.w, gravity, l.dt)
			l.w.Step(l.dt)
		}
		for range int(4 * s.hertz / s.speed) {
			l.walk(c, s.speed)
		}
		if p := l.local(c); p.X < 1 || p.Y < 3*high {
			t.Errorf("%+v: it comes to %v", s, p)
		}
	}
}

// A box that has come to Skin from a step of hardly more than Skin comes onto it. (Its slide ended where it began,
// since its last part pushed it back by as much as the others had moved it, and did not count as stopped, far from the
// origin.)
func TestBoxOntoLowStep(t *testing.T) {
	l := &level{w: quarry.NewWorld(quarry.Config{Workers: 1}), kind: "tiles", dt: 1.0 / 240}
	def := quarry.BodyDef{Type: quarry.Kinematic, Angle: -1.1, Position: geom.V(1e6, -1e6), Velocity: geom.V(0, -0.492)}
	l.gravity, l.body = geom.NewRot(def.Angle).Apply(gravity), l.w.AddBody(def)
	id, err := l.w.AddGround(l.body, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	const high = 0.0147386
	step, err := gridseg.Polygon([][2]float64{{-3, -3}, {4, -3}, {4, high}, {0, high}, {0, 0}, {-3, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := l.w.Ground(id); g.Unite(step, gridseg.Attr{}) != nil {
		t.Fatal("the step is refused")
	}
	f, v := l.frame()
	box := geom.NewOffsetBox(0.6, 1.2, geom.V(0, 1.2), geom.Identity)
	c := &mover.Character{Mover: mover.Mover{Shape: box, Turn: def.Angle}, StepHeight: 0.135}
	c.Position, c.Velocity = f.Apply(geom.V(-1.6, 0.02)), v
	for range 600 {
		l.walk(c, 1)
	}
	if p := l.local(c); p.X < 0.5 || p.Y < high {
		t.Errorf("it comes to %v", p)
	}
}

// Stairs whose steps are lower than StepHeight are walked up and down without leaving the ground, whatever the
// shape, its
// size and speed, the time of a step and the depth of the treads, at nearly the speed asked for.
func TestLawStairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		shape, r := drawShape(t)
		c := &mover.Character{Mover: mover.Mover{Shape: shape}, StepHeight: rapid.Float64Range(0.1, 1.5*r).Draw(t,
			"StepHeight")}
		high := float64(c.StepHeight * rapid.Float64Range(0.1, 0.97).Draw(t, "high"))
		depth := rapid.Float64Range(0.15, 1.2).Draw(t, "depth")
		points := []geom.Vec{{X: -3, Y: 0}, {X: 0, Y: 0}}
		const n = 3
		for i := range n {
			x, y := float64(i)*depth, float64(i+1)*high
			points = append(points, geom.V(x, y), geom.V(x+depth, y))
		}
		top := points[len(points)-1]
		points[len(points)-1].X += 2
		for i := range n {
			x, y := top.X+2+float64(i)*depth, top.Y-float64(i+1)*high
			points = append(points, geom.V(x, y), geom.V(x+depth, y))
		}
		points[len(points)-1].X += 3
		l.outline(t, points...)
		v := rapid.Float64Range(1, 25).Draw(t, "speed")
		l.place(t, c, geom.V(-1-r, 0.02))
		end := points[len(points)-1].X - 2
		from := l.local(c).X
		steps := int((end-from)/(v*l.dt)*1.5) + 20
		for k := range steps {
			last := l.local(c)
			l.walk(c, v)
			p := l.local(c)
			if !c.OnGround && depth >= r {
				t.Fatalf("step %d: leaves the ground at %v", k, p)
			}
			if p.X < last.X-0.02 {
				t.Fatalf("step %d: goes back from %v to %v", k, last, p)
			}
			if p.X > end {
				return
			}
		}
		t.Fatalf("in %d steps at %v units/s it comes from %v to %v of %v, on wall %d (steps of %v x %v)", steps, v,
			from, l.local(c), end, c.OnWall, depth, high)
	})
}

// A long Move on stairs comes as far as many short ones. (After 32 parts the rest of the motion was dropped.)
func TestLongMoveOnStairs(t *testing.T) {
	for _, depth := range []float64{0.15, 0.3} {
		l := &level{w: quarry.NewWorld(quarry.Config{Workers: 1}), kind: "tiles", gravity: gravity}
		l.body = l.w.AddBody(quarry.BodyDef{})
		id, err := l.w.AddGround(l.body, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		g, _ := l.w.Ground(id)
		const n, high = 150, 0.1
		outline := [][2]float64{{-3, -3}, {30, -3}, {30, n * high}}
		for k := float64(n); k > 0; k-- {
			x := (k - 1) * depth
			outline = append(outline, [2]float64{x, k * high}, [2]float64{x, (k - 1) * high})
		}
		stairs, err := gridseg.Polygon(append(outline, [2]float64{-3, 0}))
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Unite(stairs, gridseg.Attr{}); err != nil {
			t.Fatal(err)
		}
		for _, hertz := range []float64{60, 10, 1} {
			c := &mover.Character{StepHeight: 0.2, Position: geom.V(-1, 0.02)}
			c.Shape = geom.NewOffsetBox(0.3, 0.6, geom.V(0, 0.6), geom.Identity)
			for l.dt = 1.0 / 60; !c.OnGround; {
				l.walk(c, 0)
			}
			l.dt = 1 / hertz
			for range int(hertz) {
				l.walk(c, 20)
			}
			if p := c.Position; math.Abs(p.X-19) > 1.2 { // onto a step it may move a little farther than asked for
				t.Errorf("treads of %v, %v Hz: it comes to %v, not 19", depth, hertz, p)
			}
		}
	}
}

// gap returns the smallest separation of c from what is around it, at most 1.
func (l *level) gap(c *mover.Character) float64 {
	gap := 1.0
	at := geom.Transform{P: c.Position, Q: geom.NewRot(c.Turn)}
	for _, pl := range l.w.AppendPlanes(nil, c.Shape, at, 1, quarry.QueryFilter{}) {
		gap = min(gap, pl.Separation)
	}
	return gap
}

// A character on a lift is Skin above it after each step, at any velocity, spin and time of a step, also when the
// lift turns
// back.
func TestLawLift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		b, _ := l.w.Body(l.body)
		b.SetType(quarry.Kinematic)
		q := b.Rotation()
		l.outline(t, geom.V(-6, 0), geom.V(0.1, 0), geom.V(6, 0))
		shape, _ := drawShape(t)
		c := &mover.Character{Mover: mover.Mover{Shape: shape}, StepHeight: rapid.SampledFrom([]float64{0, 0.4}).Draw(t,
			"StepHeight")}
		l.place(t, c, geom.V(rapid.Float64Range(-1, 1).Draw(t, "x"), 0.02))
		for range rapid.IntRange(1, 3).Draw(t, "ways") {
			b.SetVelocity(q.Apply(geom.V(rapid.Float64Range(-20, 20).Draw(t, "vx"), rapid.Float64Range(-20, 20).Draw(t,
				"vy"))))
			spin := rapid.SampledFrom([]float64{0, 0, 1.5, -1.5}).Draw(t, "spin")
			if turned := q.InvMul(b.Rotation()).Angle(); math.Abs(turned+0.3*spin) > 0.5 {
				spin = -spin
			}
			v := rapid.SampledFrom([]float64{0, 0, 3, -3}).Draw(t, "walk")
			b.SetAngularVelocity(spin)
			before := l.local(c)
			for k := range int(0.3 / l.dt) {
				own := q.Inv(c.Velocity)
				own.X = v
				c.Velocity = q.Apply(own)
				c.Move(l.w, l.gravity, l.dt)
				l.w.Step(l.dt)
				if gap := l.gap(c); !c.OnGround || gap < 0 || gap > 2.5*mover.Skin {
					t.Fatalf("step %d: on ground %v, %v above the lift, at %v of it, not 0.01", k, c.OnGround, gap,
						l.local(c))
				}
			}
			if d := l.local(c).Sub(before); spin == 0 && b.AngularVelocity() == 0 && v == 0 && b.Angle() == q.Angle() &&
				math.Abs(d.X) > 1e-3 {
				t.Fatalf("it moves on the lift by %v", d)
			}
		}
	})
}

// A character on a dynamic lift is Skin above it after each step but those in which the motor turns round: Move knows
// the velocity of the lift before the step.
func TestDynamicLift(t *testing.T) {
	for _, c := range []struct{ hertz, speed, mass float64 }{{30, 2, 0}, {30, 2, 1}, {60, 5, 1}, {144, 10, 1}} {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -40), Workers: 1})
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
		w.AddShape(b, geom.NewOffsetBox(3, 0.25, geom.V(0, -0.25), geom.Identity), quarry.ShapeDef{Density: 4})
		j, _ := w.Joint(w.AddJoint(quarry.PrismaticJoint{
			JointBase: w.JointAlong(0, b, geom.Vec{}, geom.V(0, 1)), Motor: quarry.JointMotor{Speed: c.speed, Max: 1e6},
		}))
		l := &level{w: w, body: b, gravity: geom.V(0, -40), dt: 1 / c.hertz}
		hero := person(geom.V(0, 0.02))
		hero.Mass = c.mass
		for k := range int(4 * c.hertz) {
			turns := k%int(c.hertz) == 0
			if turns {
				c.speed = -c.speed
				j.SetMotorSpeed(c.speed)
			}
			hero.Move(w, l.gravity, l.dt)
			w.Step(l.dt)
			if gap := l.gap(hero); !turns && k > 2 && (!hero.OnGround || gap < 0 || gap > 2.5*mover.Skin) {
				t.Fatalf("%+v: step %d: on ground %v, %v above the lift, not 0.01", c, k, hero.OnGround, gap)
			}
		}
	}
}

// A slow character with a round head comes into a tunnel of its height, too. (It stopped at the mouth for good: the
// edge pushed it back by more than a step's way.)
func TestSlowRoundHeadInTunnel(t *testing.T) {
	for _, hertz := range []float64{30, 60, 120, 179.5, 240} {
		for _, speed := range []float64{0.25, 0.5, 1, 2} {
			w := quarry.NewWorld(quarry.Config{Workers: 1})
			l := &level{w: w, kind: "tiles", gravity: gravity, dt: 1 / hertz, body: w.AddBody(quarry.BodyDef{})}
			id, err := w.AddGround(l.body, quarry.GroundDef{})
			if err != nil {
				t.Fatal(err)
			}
			g, _ := w.Ground(id)
			full := gridseg.Tile{Shape: gridseg.Full}
			floor := gridseg.Rect{MinX: -3, MinY: -2, MaxX: 8, MaxY: -1}
			for _, r := range []gridseg.Rect{floor, {MinX: 1, MinY: 1, MaxX: 2, MaxY: 2}} {
				if err := g.Fill(r, full); err != nil {
					t.Fatal(err)
				}
			}
			capsule := geom.Capsule{A: geom.V(0, 0.5), B: geom.V(0, 0.51), Radius: 0.495}
			c := &mover.Character{Mover: mover.Mover{Shape: capsule}, Position: geom.V(0, 0.02)}
			for range int(5 * hertz / speed) {
				l.walk(c, speed)
			}
			if p := c.Position; p.X < 4 {
				t.Errorf("at %v Hz and %v units/s it comes to %v", hertz, speed, p)
			}
		}
	}
}

// A character of the height of a tunnel walks through it and into it from the open, and one of the width of a shaft
// falls
// down it, wherever they are. One that is too big by 0.03 does neither.
func TestLawExactFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		size := rapid.SampledFrom([]float64{1, 1, 1, 0.995, 0.99, 0.98, 0.97, 1.03}).Draw(t, "size")
		var shape geom.Shape
		switch r := size / 2; rapid.IntRange(0, 2).Draw(t, "shape") {
		case 0:
			shape = geom.Circle{Center: geom.V(0, r), Radius: r}
		case 1:
			shape = geom.NewOffsetBox(r, r, geom.V(0, r), geom.Identity)
		default:
			shape = geom.Capsule{A: geom.V(0, r), B: geom.V(0, r+0.01), Radius: r - 0.005}
		}
		c := &mover.Character{Mover: mover.Mover{Shape: shape}, StepHeight: rapid.SampledFrom([]float64{0, 0.3}).Draw(t,
			"StepHeight")}
		tunnel := rapid.Bool().Draw(t, "tunnel")
		if b, _ := l.w.Body(l.body); !tunnel {
			b.SetType(quarry.Static) // a shaft that moves sideways comes to one who falls by its walls
		}
		block := func(x0, y0, x1, y1 int) { // of any kind; at rest, on any body
			level := *l
			if b, _ := l.w.Body(l.body); b.Type() == quarry.Static && rapid.Bool().Draw(t, "on its own body") {
				level.body = l.w.AddBody(b.Def())
			}
			switch rapid.SampledFrom([]string{"tiles", "chain", "boxes"}).Draw(t, "block") {
			case "tiles":
				level.fill(t, x0, y0, x1, y1)
			case "chain":
				a, b := geom.V(float64(x0), float64(y0)), geom.V(float64(x1), float64(y1))
				level.ring(t, a, geom.V(b.X, a.Y), b, geom.V(a.X, b.Y))
			default:
				for x := x0; x < x1; x++ {
					l.w.AddShape(level.body, geom.NewOffsetBox(0.5, float64(y1-y0)/2, geom.V(float64(x)+0.5,
						float64(y0+y1)/2), geom.Identity), quarry.ShapeDef{})
				}
			}
		}
		if tunnel {
			block(-3, -2, 9, 0)
			block(1, 1, 6, 3)
			l.place(t, c, geom.V(-1, 0.02))
			v := rapid.Float64Range(1, 20).Draw(t, "speed")
			for range int(9/(v*l.dt)) + 1 {
				l.walk(c, v)
			}
			if p := l.local(c); p.X > 7 != (size <= 1) {
				t.Fatalf("size %v: it comes to %v", size, p)
			}
			return
		}
		block(-3, -6, 1, 0)
		block(2, -6, 5, 0)
		block(1, -6, 2, -5)
		f, v := l.frame()
		c.Position, c.Turn, c.Velocity = f.Apply(geom.V(1.5, rapid.Float64Range(0.02, 2).Draw(t, "from"))), f.Q.Angle(),
			v
		for range int(2 / l.dt) {
			f, v := l.frame()
			own := f.Q.Inv(c.Velocity.Sub(v))
			own.X = 0
			if c.Velocity = f.Q.Apply(own); !c.OnGround {
				c.Velocity = c.Velocity.Add(v)
			}
			c.Move(l.w, l.gravity, l.dt)
			l.w.Step(l.dt)
		}
		if p := l.local(c); p.Y < -4.9 != (size <= 1) {
			t.Fatalf("size %v: it falls to %v, on ground %v", size, p, c.OnGround)
		}
	})
}

// A character that fits a sloped tunnel exactly walks through it, between surfaces of any kind; one that is too big by
// 0.03 does not.
func TestLawExactSlope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		size := rapid.SampledFrom([]float64{1, 1, 1, 0.995, 0.99, 0.98, 0.97, 1.03}).Draw(t, "size")
		pitch := rapid.SampledFrom([]float64{0.75, -0.75, 0.25, -0.25}).Draw(t, "pitch")
		r, long := size/2, math.Hypot(1, pitch)
		var shape geom.Shape
		var high float64 // of the tunnel
		switch rapid.IntRange(0, 2).Draw(t, "shape") {
		case 0:
			shape, high = geom.Circle{Center: geom.V(0, r), Radius: r}, long
		case 1:
			shape, high = geom.NewOffsetBox(r, r, geom.V(0, r), geom.Identity), 1+math.Abs(pitch)
		default:
			shape, high = geom.Capsule{A: geom.V(0, r), B: geom.V(0, r+0.01), Radius: r}, 0.01+long
		}
		c := &mover.Character{Mover: mover.Mover{Shape: shape}, StepHeight: rapid.SampledFrom([]float64{0, 0.3}).Draw(t,
			"StepHeight")}
		kinds := []string{"chain", "boxes"}
		if high*4096 == math.Round(high*4096) { // on the lattice
			kinds = append(kinds, "tiles")
		}
		block := func(x0, y0, x1 float64) { // 2 high
			var corners []geom.Vec
			for _, p := range [...]geom.Vec{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y0 + 2}, {X: x0, Y: y0 + 2}} {
				corners = append(corners, p.Add(geom.V(0, float64(pitch*p.X))))
			}
			switch rapid.SampledFrom(kinds).Draw(t, "block") {
			case "tiles":
				l.unite(t, corners...)
			case "chain":
				l.ring(t, corners...)
			default:
				p, err := geom.NewPolygon(corners, 0)
				if err != nil {
					t.Fatal(err)
				}
				l.w.AddShape(l.body, p, quarry.ShapeDef{})
			}
		}
		block(-4, -2, 10)
		block(1, high, 6)
		l.place(t, c, geom.V(-1, float64(r*math.Abs(pitch))-pitch+0.02))
		v := rapid.Float64Range(1, 20).Draw(t, "speed")
		for range int(12/(v*l.dt)) + 1 {
			l.walk(c, v)
		}
		if p := l.local(c); p.X > 7 != (size <= 1) {
			t.Fatalf("size %v: it comes to %v", size, p)
		}
	})
}

// ring adds a chain around solid with the given corners, counter-clockwise.
func (l *level) ring(t *rapid.T, corners ...geom.Vec) {
	if _, err := l.w.AddChain(l.body, quarry.ChainDef{Loop: true, Points: corners}); err != nil {
		t.Fatal(err)
	}
}

// unite adds a ground of one polygon.
func (l *level) unite(t *rapid.T, corners ...geom.Vec) {
	id, err := l.w.AddGround(l.body, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	var list [][2]float64
	for _, p := range corners {
		list = append(list, [2]float64{p.X, p.Y})
	}
	polygon, err := gridseg.Polygon(list)
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := l.w.Ground(id); g.Unite(polygon, gridseg.Attr{}) != nil {
		t.Fatal("the polygon is refused")
	}
}

// fill fills cells of a ground of the body with tiles.
func (l *level) fill(t *rapid.T, x0, y0, x1, y1 int) {
	b, _ := l.w.Body(l.body)
	var g quarry.Ground
	found := false
	for o := range b.Grounds() {
		g, found = o, true
	}
	if !found {
		id, err := l.w.AddGround(l.body, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		g, _ = l.w.Ground(id)
	}
	if err := g.Fill(gridseg.Rect{MinX: int32(x0), MinY: int32(y0), MaxX: int32(x1) - 1, MaxY: int32(y1) - 1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
}

// bend returns the angle by which the lattice may bend a part of the slope from the origin to end: a part ends where
// the slope crosses a border of cells, by rounding up to 1/8192 beside it. A mover allows for 0.001 itself.
func bend(end geom.Vec) float64 {
	cuts := []float64{0, 1}
	for k := 1.0; k < end.X || k < end.Y; k++ {
		cuts = append(cuts, min(1, k/end.X), min(1, k/end.Y))
	}
	slices.Sort(cuts)
	least := 1.0
	for i, t := range cuts[1:] {
		if part := t - cuts[i]; part > 0 {
			least = min(least, part)
		}
	}
	return max(0, 1/(4096*least*end.Len())-0.001)
}

// A slope of exactly MaxSlope is walked up at the speed asked for, whatever slope the lattice can make; one
// that is steeper by a degree is a wall.
func TestLawMaxSlope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		shape, r := drawShape(t)
		x, y := rapid.IntRange(1, 4096).Draw(t, "x"), rapid.IntRange(1, 4096).Draw(t, "y")
		k := float64(rapid.IntRange(1, 3).Draw(t, "cells")) / 4096
		for float64(max(x, y))*k < 0.5 {
			x, y = 2*x, 2*y
		}
		end := geom.V(float64(float64(x)*k), float64(float64(y)*k))
		angle := math.Atan2(end.Y, end.X)
		if angle > 1.3 {
			t.Skip("too steep")
		}
		more := rapid.SampledFrom([]float64{0, 0.02}).Draw(t, "steeper")
		c := &mover.Character{Mover: mover.Mover{Shape: shape, MaxSlope: angle - more}}
		if angle < 0.01 || more > 0 && angle < 0.3 {
			t.Skip("MaxSlope 0 is the default, and Skin hides the beginning of a gentle slope")
		}
		if l.kind == "tiles" && more == 0 {
			c.MaxSlope += bend(end)
		}
		l.outline(t, geom.V(-4, 0), geom.V(0, 0), end, end.Add(geom.V(20, 0)))
		l.place(t, c, geom.V(-1-r, 0.02))
		v := rapid.Float64Range(1, 20).Draw(t, "speed")
		for range int(1.2*(1+r+end.Len()+2*r)/(v*l.dt)) + 5 {
			l.walk(c, v)
		}
		p := l.local(c)
		if up := p.Y > end.Y-0.02; up != (more == 0) {
			t.Fatalf("slope of %v to %v, MaxSlope %v: it comes to %v, on wall %d", angle, end, c.MaxSlope, p, c.OnWall)
		}
	})
}

// A character that climbs no steps stays on the ground where it bends down, at any speed and time of a step, and
// keeps its
// speed along it.
func TestLawCrest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		shape, r := drawShape(t)
		c := &mover.Character{Mover: mover.Mover{Shape: shape}}
		up, down := rapid.Float64Range(0, 0.8).Draw(t, "up"), rapid.Float64Range(0, 0.8).Draw(t, "down")
		points := []geom.Vec{{X: -6, Y: 0}, {X: 0, Y: 0}, {X: 4, Y: float64(4 * math.Tan(up))}}
		points = append(points, points[2].Add(geom.V(rapid.Float64Range(0.2, 1).Draw(t, "flat"), 0)))
		points = append(points, points[3].Add(geom.V(4, -float64(4*math.Tan(down)))))
		end := points[4].Add(geom.V(3, 0))
		l.outline(t, append(points, end)...)
		l.place(t, c, geom.V(-1-r, 0.02))
		v := rapid.Float64Range(1, 25).Draw(t, "speed")
		way := 0.0
		for k := range int((points[2].Len() + 6) / (v * l.dt)) {
			before := l.local(c)
			l.walk(c, v)
			p := l.local(c)
			if p.X > end.X-1-r {
				return
			}
			if way += p.Dist(before); !c.OnGround {
				t.Fatalf("step %d: leaves the ground at %v", k, p)
			}
		}
		if steps := float64(int((points[2].Len()+6)/(v*l.dt))) * v * l.dt; math.Abs(way-steps) > 0.1*steps+2*r {
			t.Fatalf("its way is %v units long, not %v", way, steps)
		}
	})
}

// DropThrough for any number of steps leaves a one-way tile, on ground at rest or a lift, and lands on the next.
func TestLawDrop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		l.kind = "tiles"
		shape, _ := drawShape(t)
		plank := l.w.AddMaterial(quarry.Material{OneWay: quarry.OneWayUp})
		l.fill(t, -3, -7, 3, -6)
		b, _ := l.w.Body(l.body)
		for g := range b.Grounds() {
			if err := g.Fill(gridseg.Rect{MinX: -3, MinY: -1, MaxX: 2, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(plank)}); err != nil {
				t.Fatal(err)
			}
		}
		c := &mover.Character{Mover: mover.Mover{Shape: shape}, StepHeight: rapid.SampledFrom([]float64{0, 0.4}).Draw(t,
			"StepHeight")}
		l.place(t, c, geom.V(0, 0.02))
		v := rapid.SampledFrom([]float64{0, 0, 0.5, -0.5}).Draw(t, "speed")
		frames := rapid.IntRange(1, 5).Draw(t, "frames")
		for k := range int(1.5 / l.dt) {
			c.DropThrough = k < frames
			if c.OnGround {
				l.walk(c, v)
				continue
			}
			c.Move(l.w, l.gravity, l.dt)
			l.w.Step(l.dt)
		}
		if p := l.local(c); math.Abs(p.Y+5.99) > 0.02 || !c.OnGround {
			t.Fatalf("DropThrough in %d steps: it comes to %v, on ground %v", frames, p, c.OnGround)
		}
	})
}

// A jump from a lift is the same, seen from the lift, as from the ground: as high, as long, and it ends where it
// began.
func TestLawJumpOnLift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		b, _ := l.w.Body(l.body)
		b.SetType(quarry.Kinematic)
		q := b.Rotation()
		l.outline(t, geom.V(-6, 0), geom.V(0.1, 0), geom.V(6, 0))
		shape, _ := drawShape(t)
		c := &mover.Character{Mover: mover.Mover{Shape: shape}}
		l.place(t, c, geom.V(0, 0.02))
		b.SetVelocity(q.Apply(geom.V(rapid.Float64Range(-20, 20).Draw(t, "vx"), rapid.Float64Range(-20, 20).Draw(t,
			"vy"))))
		l.walk(c, 0)
		from := l.local(c)
		v := rapid.Float64Range(2, 9).Draw(t, "jump")
		c.Velocity = q.Apply(geom.V(0, v))
		high, steps := 0.0, 0
		for steps == 0 || !c.OnGround {
			c.Move(l.w, l.gravity, l.dt)
			l.w.Step(l.dt)
			high = max(high, l.local(c).Sub(from).Y)
			if steps++; float64(steps)*l.dt > 2 {
				t.Fatalf("after two seconds it is at %v of the lift", l.local(c))
			}
		}
		if want := v * v / 40; math.Abs(high-want) > v*l.dt {
			t.Errorf("it jumps %v high, not %v", high, want)
		}
		if want := v / 10; math.Abs(float64(steps)*l.dt-want) > 2.5*l.dt+0.04/v { // it lands from 0.04 above
			t.Errorf("it jumps for %v s, not %v", float64(steps)*l.dt, want)
		}
		l.walk(c, 0)
		if d := l.local(c).Sub(from); math.Abs(d.X) > 0.02 || math.Abs(d.Y) > 0.015 {
			t.Errorf("it lands %v from where it jumped", d)
		}
	})
}
