package main

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/canvas"
	"github.com/quarry2d/quarry/scene"
)

var runPart = chapter{
	title: "In a world, step by step",
	text:  "Green arrows are the normals of every loaded contact point on the ground along the way, each at its place.",
	plates: []plate{
		{
			id: "ground-ghost", title: "A ball at 127 units/s",
			text: "A ball of radius 0.25 with friction: the first 40 of the 200 tiles of the scene " +
				"`ground_ghost`, every step. Above, each tile is a static box; flush boxes have ghost vertices on " +
				"each other, so no normal leans. Below, over tiles, every step has one contact of one point and the " +
				"normal (0, 1), to the end.",
			columns: 1, wide: 820, high: 130, draw: drawGroundGhost,
		},
		{
			id: "stairs", title: "Down the stairs",
			text: "A box, a circle, a capsule and a pentagon thrown down steps, ramps of 1:1, slopes of 1:2 and " +
				"a step of two; a body is drawn every half cell. No arrow points into the solid or lies in it.",
			columns: 2, wide: 420, high: 330, draw: drawStairs,
		},
		{
			id: "ends", title: "Off the end of a platform",
			text: "A box, a circle and a capsule slide off the end of a platform at 6 units/s without friction, " +
				"every fourth step. Above, solid tiles: the end is a convex corner. Below, one-way tiles, of which " +
				"only the tops exist: an open chain. Nothing slows or turns a body before its centre is over the " +
				"end; then its weight turns it.",
			wide: 280, high: 230, draw: drawEnds,
		},
		{
			id: "loop", title: "A large loop: inside or outside",
			text: "A rock with a cave. The source finds the inside test too costly for loops of hundreds of " +
				"edges. Counting all faces to the right, or one look at the cell, gives the same answer at all " +
				"dots: dark in solid, light in air.",
			columns: 1, wide: 620, high: 330, draw: drawLoop,
		},
	},
}

// pushed draws the normals of the loaded points of the ground after a step, as far as
// body moved in it, and hands each to check.
func (p *panel) pushed(w *quarry.World, was map[quarry.BodyID]geom.Vec, check func(c *quarry.Contact, foot geom.Vec)) {
	for _, c := range w.AppendContacts(nil) {
		s, _ := w.Shape(c.ShapeB)
		moved := s.Body().CenterOfMass().Sub(was[s.Body().ID()])
		for k := range c.N {
			q := &c.Points[k]
			if q.NormalImpulse == 0 {
				continue
			}
			foot := q.Point.Sub(moved).MulAdd(-.5*q.Separation, c.Normal)
			p.arrow(foot, c.Normal, 13, 1.2, inkGiven.Fade(.7))
			check(&c, foot)
		}
	}
}

// places returns where the bodies of a world are.
func places(w *quarry.World) map[quarry.BodyID]geom.Vec {
	at := map[quarry.BodyID]geom.Vec{}
	for b := range w.Bodies() {
		at[b.ID()] = b.CenterOfMass()
	}
	return at
}

func drawGroundGhost(s *sheet) {
	sc, ok := scene.Get("ground_ghost")
	s.holds(ok, "no scene")
	for i, head := range []string{"a box a tile", "tiles"} {
		in := sc.New()
		lane := 0.
		if i == 0 {
			lane = 8
		}
		var ball quarry.Body
		for b := range in.World.Bodies() {
			if b.Type() == quarry.Dynamic && (b.Position().Y > 4) == (i == 0) {
				ball = b
			}
		}
		p := s.panel(head, .5, lane-1.4, 40.5, lane+4)
		var polys [][]geom.Vec
		for x := range 41 {
			a, b := geom.V(float64(x), lane), geom.V(float64(x)+1, lane-1)
			polys = append(polys, []geom.Vec{a, {X: a.X, Y: b.Y}, b, {X: b.X, Y: a.Y}})
		}
		p.solid(polys...)
		for x := range 41 {
			at := geom.V(float64(x), lane)
			p.line(at, at.Add(geom.V(1, 0)), 1.6, inkFace)
			if i == 0 {
				p.line(at, at.Add(geom.V(0, -1)), 1, inkFace)
			}
		}
		off, highest, leaning, points, steps := 0, 0., 0, 0, 0
		for ; ball.Position().X < 199; steps++ {
			if ball.Position().X < 41 {
				p.shape(geom.Circle{Radius: .25}, ball.Transform(), inkBodyB)
			}
			was := places(in.World)
			in.Step()
			n := 0
			for _, c := range in.World.AppendContacts(nil) {
				if sh, _ := in.World.Shape(c.ShapeB); sh.Body().ID() != ball.ID() {
					continue
				}
				moved := ball.CenterOfMass().Sub(was[ball.ID()])
				for k := range c.N {
					if c.Points[k].NormalImpulse == 0 {
						continue
					}
					n++
					if c.Normal != geom.V(0, 1) {
						leaning++
					}
					if foot := c.Points[k].Point.Sub(moved); foot.X < 40 {
						p.arrow(foot, c.Normal, 22, 1.6, inkBefore.Mix(inkGiven, float64(i)))
					}
				}
			}
			points += n
			if n == 0 {
				off++
			}
			highest = max(highest, ball.Position().Y-lane-.25)
		}
		p.caption("over 200 tiles: %d of %d steps without a load on the ground; %d of %d points lean; highest %s "+
			"over it, %s units a second at the end",
			off, steps, leaning, points, num(highest), num(ball.Velocity().X))
		if i == 0 {
			s.holds(off == 0 && leaning == 0 && highest < 1e-3,
				"over boxes: %d of %d steps off, %d leaning, highest %v", off, steps, leaning, highest)
		} else {
			s.holds(off == 0 && leaning == 0 && points == steps && highest < 1e-3,
				"over tiles: %d of %d steps off, %d leaning of %d, highest %v", off, steps, leaning, points, highest)
		}
	}
}

// flight are tiles that go down to the right: steps, ramps, slopes of 1:2, a level and
// a step of two.
func (s *sheet) flight() *tiles {
	list := row(0, 11, 0)
	fill := func(x, high int32) {
		for y := int32(1); y <= high; y++ {
			list = append(list, laid{"full", 0, x, y})
		}
	}
	for x, high := range []int32{7, 7, 6, 5, 4, 4, 3, 3, 2, 0, 0, 0} {
		fill(int32(x), high)
	}
	return s.tiles(append(list, laid{"ramp", 4, 4, 5}, laid{"slope-high", 4, 6, 4}, laid{"slope-low", 4, 7, 4},
		laid{"ramp", 0, 11, 1})...)
}

func drawStairs(s *sheet) {
	pentagon := scene.Body("polygon", .4)
	for i, shape := range []geom.Shape{geom.NewBox(.35, .25), geom.Circle{Radius: .3}, geom.Capsule{
		A: geom.V(-.25, 0),
		B: geom.V(.25, 0), Radius: .2,
	}, pentagon} {
		w := s.flight()
		p := s.panel([]string{"a box", "a circle", "a capsule", "a pentagon"}[i], -.2, .4, 12.2, 9.8)
		p.solid(w.polys...)
		p.faces(w.all)
		world := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		smooth := world.AddMaterial(quarry.Material{Friction: .03})
		gid, err := world.AddGround(0, quarry.GroundDef{Grid: w.grid, Materials: []quarry.MaterialID{smooth}})
		if err != nil {
			s.t.Fatal(err)
		}
		g, _ := world.Ground(gid)
		id := world.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(.6, 8.6), Velocity: geom.V(3, 0),
			Angle: .2,
		})
		world.AddShape(id, shape, quarry.ShapeDef{Material: smooth})
		b, _ := world.Body(id)
		points, drawn := 0, geom.V(-9, 0)
		for step := range 360 {
			if b.Position().Dist(drawn) > .45 {
				drawn = b.Position()
				p.shape(shape, b.Transform(), inkBodyB)
			}
			was := places(world)
			world.Step(1. / 60)
			if !b.Awake() {
				break
			}
			p.pushed(world, was, func(c *quarry.Contact, foot geom.Vec) {
				points++
				lean := false
				for _, f := range w.all {
					n := normalOf(f)
					at := f.A.MulAdd(max(0, min(1, foot.Sub(f.A).Dot(f.B.Sub(f.A))/f.B.Dist(f.A)/f.B.Dist(f.A))),
						f.B.Sub(f.A))
					lean = lean || at.Dist(foot) < 1e-5 && n.Dot(c.Normal) > -1e-9
				}
				s.holds(lean, "%s: step %d, pushed along %v from %v", p.head, step, c.Normal, foot)
				// Off it by a hair, and off the wall that the foot of a step stands at.
				if at := foot.MulAdd(.01, c.Normal); g.Solid(at) {
					near, ok := g.Grid().Nearest(at.X, at.Y, 1)
					s.holds(ok && near.Distance < 1./gridseg.Unit, "%s: step %d, pushed along %v from %v, into solid",
						p.head, step, c.Normal, foot)
				}
			})
		}
		p.caption("%d points bore load; it comes to %s", points, vec(b.Position()))
		s.holds(b.Position().X > 8 && points > 20, "%s stays at %v", p.head, b.Position())
	}
}

func drawEnds(s *sheet) {
	const speed, end = 6., 4.
	for _, oneWay := range []bool{false, true} {
		for i, shape := range []geom.Shape{geom.NewBox(.5, .5), geom.Circle{Radius: .5}, geom.Capsule{
			A: geom.V(-.4, 0),
			B: geom.V(.4, 0), Radius: .3,
		}} {
			p := s.panel([]string{"solid tiles", "one-way tiles"}[map[bool]int{true: 1}[oneWay]]+", "+[]string{
				"a box",
				"a circle", "a capsule",
			}[i], .6, -2.6, 8, 2.2)
			world := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
			def := quarry.Material{}
			if oneWay {
				def.OneWay = quarry.OneWayUp
			}
			ice := world.AddMaterial(def)
			w := s.tiles(row(0, end-1, -1)...)
			gid, err := world.AddGround(0, quarry.GroundDef{Grid: w.grid, Materials: []quarry.MaterialID{ice}})
			if err != nil {
				s.t.Fatal(err)
			}
			g, _ := world.Ground(gid)
			if oneWay { // the tops, and where the tiles lie
				for _, poly := range w.polys {
					for k := range poly {
						p.dashed(poly[k], poly[(k+1)%len(poly)], inkLine)
					}
				}
				p.solid()
				for _, f := range w.all {
					if normalOf(f).Y > .5 {
						p.line(f.A, f.B, 2.2, inkFace)
						p.arrow(f.A.Lerp(f.B, .5), geom.V(0, 1), 11, 1.3, inkFace)
					}
				}
			} else {
				p.solid(w.polys...)
				p.faces(w.all)
			}
			high := .5
			if i == 2 {
				high = .3
			}
			id := world.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(1.3, high-geom.LinearSlop/2),
				Velocity: geom.V(speed, 0),
			})
			world.AddShape(id, shape, quarry.ShapeDef{Material: ice})
			b, _ := world.Body(id)
			for step := range 61 {
				if step%4 == 0 {
					p.shape(shape, b.Transform(), inkBodyB)
				}
				was := places(world)
				world.Step(1. / 60)
				p.pushed(world, was, func(c *quarry.Contact, foot geom.Vec) {
					s.holds(c.Normal.Y > 0 && math.Abs(foot.Y) < 1e-5 && foot.X < end+1e-5,
						"%s: pushed along %v from %v", p.head, c.Normal, foot)
					s.holds(!g.Solid(foot.MulAdd(.01, c.Normal)), "%s: pushed along %v from %v, into solid", p.head,
						c.Normal, foot)
				})
				s.holds(b.Velocity().X > speed-1e-6, "%s: slowed to %v at %v", p.head, b.Velocity(), b.Position())
				s.holds(b.Position().X > end || math.Abs(b.AngularVelocity()) < .01, "%s: turned at %v", p.head,
					b.Position())
			}
			p.caption("after 61 steps %s units a second to the right,", num(b.Velocity().X))
			p.caption("turned by %s", num(b.Angle()))
		}
	}
}

func drawLoop(s *sheet) {
	p := s.panel("asked at every dot", -1.5, -1.5, 41.5, 21.5)
	var list []laid
	high := func(x, k float64) float64 { return math.Round(geom.NewRot(x/5+k).S + 1.5*geom.NewRot(x/9+2*k).C) }
	for x := int32(0); x < 40; x++ {
		fx := float64(x)
		top, roof, floor := int32(16+high(fx, 0)), int32(12+high(fx, 1.3)), int32(5+high(fx, 2.9))
		for y := int32(0); y <= top; y++ {
			if x < 4 || x > 35 || y <= floor || y >= roof {
				list = append(list, laid{"full", 0, x, y})
			} else if (x*7+y*3)%41 == 0 { // rocks that hang in the cave, and loops of their own
				list = append(list, laid{"diamond", 0, x, y})
			}
		}
	}
	w := s.tiles(list...)
	p.solid(w.polys...)
	for _, f := range w.all {
		p.line(f.A, f.B, 1.8, inkFace)
	}
	dots, solid := 0, 0
	for y := -.79; y < 21; y += 1.13 {
		for x := -.83; x < 41; x += 1.07 {
			at := geom.V(x, y)
			winding := 0
			for _, f := range w.all { // all faces that a ray to the right crosses
				if (f.A.Y > y) != (f.B.Y > y) && f.A.X+(y-f.A.Y)/(f.B.Y-f.A.Y)*(f.B.X-f.A.X) > x {
					winding++
				}
			}
			in := w.grid.Solid(x, y)
			s.holds(in == (winding%2 == 1), "at %v: one cell says %v, %d faces to the right", at, in, winding)
			dots++
			p.dot(at, 2.4, inkGiven.Mix(inkGhost, map[bool]float64{false: 1}[in]).Mix(canvas.RGB(0xffffff),
				map[bool]float64{false: .5}[in]))
			if in {
				solid++
			}
		}
	}
	p.caption("%d faces; %d places, %d of them in solid", len(w.all), dots, solid)
	s.holds(len(w.all) > 200 && solid > 100 && dots-solid > 100, "%d faces, %d of %d", len(w.all), solid, dots)
}
