package main

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// tiles is a small grid with its drawn segments.
type tiles struct {
	grid  *gridseg.Grid
	polys [][]geom.Vec
	all   []collide.Face
	of    []gridseg.Segment // of each of all
}

// own are the shapes of the gallery's own tiles.
var own = map[string][][2]float64{
	"diamond": {{.5, 0}, {1, .5}, {.5, 1}, {0, .5}},
	"needle":  {{.375, 0}, {.625, 0}, {.5, 1}},
}

// laid is a tile of a name, turned, in a cell.
type laid struct {
	name string
	turn gridseg.Turn
	x, y int32
}

// row returns full tiles from x0 to x1 at y.
func row(x0, x1, y int32) []laid {
	var list []laid
	for x := x0; x <= x1; x++ {
		list = append(list, laid{"full", 0, x, y})
	}
	return list
}

func (s *sheet) tiles(list ...laid) *tiles {
	shapes := gridseg.NewShapes()
	for _, n := range []string{"diamond", "needle"} {
		if _, err := shapes.Register(n, own[n]); err != nil {
			s.t.Fatal(err)
		}
	}
	w := &tiles{grid: gridseg.New(shapes)}
	for _, l := range list {
		id, _ := shapes.Lookup(l.name)
		if err := w.grid.Set(l.x, l.y, gridseg.Tile{Shape: id, Turn: l.turn}); err != nil {
			s.t.Fatal(err)
		}
		for _, poly := range shapes.Polygons(id, l.turn) {
			var at []geom.Vec
			for _, v := range poly {
				at = append(at, lattice(v).Add(geom.V(float64(l.x), float64(l.y))))
			}
			w.polys = append(w.polys, at)
		}
	}
	w.grid.Resolve()
	box, _ := w.grid.Bounds()
	w.of = w.grid.AppendSegments(nil, box)
	for _, g := range w.of {
		w.all = append(w.all, collide.Face{
			A: lattice(g.A), B: lattice(g.B), Ghost1: lattice(g.Ghost1), Ghost2: lattice(g.Ghost2),
			HasGhost1: g.HasGhost1, HasGhost2: g.HasGhost2,
		})
	}
	return w
}

func lattice(p gridseg.Point) geom.Vec {
	return geom.V(float64(p.X)/gridseg.Unit, float64(p.Y)/gridseg.Unit)
}

// face returns the number of the face from a to b.
func (w *tiles) face(ax, ay, bx, by float64) int {
	for i, f := range w.all {
		if f.A == geom.V(ax, ay) && f.B == geom.V(bx, by) {
			return i
		}
	}
	return -1
}

// touching returns the faces that a body touches, with the manifolds.
func (w *tiles) touching(b solidBody) (at []int, ms []collide.Manifold) {
	for i, f := range w.all {
		if m := onFace(f, b); m.N > 0 {
			at, ms = append(at, i), append(ms, m)
		}
	}
	return at, ms
}

// ground draws tiles and a body on them.
func (p *panel) ground(w *tiles, b solidBody) {
	p.solid(w.polys...)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(w.all)
}

// meets draws, lists and returns the faces that a body touches, and their manifolds.
func (p *panel) meets(w *tiles, b solidBody) (at []int, ms []collide.Manifold) {
	p.ground(w, b)
	at, ms = w.touching(b)
	for k, i := range at {
		if spot := p.at(p.cam.View().Max); k < 2 {
			place := geom.V(spot.X-34-64*float64(len(at)-1-k), spot.Y+36)
			p.gaussAt(w.all[i], place, 20)
		}
		p.found("face "+vec(w.all[i].A)+" to "+vec(w.all[i].B), ms[k], true, inkGiven)
	}
	return at, ms
}

// inWorld puts the tiles and the body in a world that is stepped once by a tiny time, and
// returns the world and its contacts.
func (s *sheet) inWorld(w *tiles, b solidBody) ([]quarry.Contact, *quarry.World) {
	world := quarry.NewWorld(quarry.Config{})
	grid, err := gridseg.ReadGrid(w.grid.AppendBinary(nil), w.grid.Shapes()) // a copy: the world takes its grid
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := world.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		s.t.Fatal(err)
	}
	id := world.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: b.at.P, Angle: b.at.Q.Angle()})
	world.AddShape(id, b.shape, quarry.ShapeDef{})
	world.Step(1e-9)
	return world.AppendContacts(nil), world
}

// manifoldOf is a contact as the plates draw it.
func manifoldOf(c quarry.Contact) collide.Manifold {
	m := collide.Manifold{Normal: c.Normal, N: c.N}
	for k := range c.N {
		m.Points[k] = collide.Point{Anchor: c.Points[k].Point, Separation: c.Points[k].Separation}
	}
	return m
}

var groundPart = chapter{
	title: "Ground of tiles",
	text: "Real tiles: gridseg's faces and ghosts or, in a world, the engine's contacts. Unless a plate says " +
		"otherwise, each face is tested alone; a world first joins collinear faces.",
	plates: []plate{
		{
			id: "cliff", title: "The cliff: the back of a vertical face",
			text: "A box of 1 slides right over the edge of a cliff at x = 2, 0.03 deep, its right side 0.01 " +
				"past the edge. The two-sided vertical face pushes it back. The tiles' face has the box's centre " +
				"behind it.",
			columns: 2, draw: drawCliff,
		},
		{
			id: "cliff-run", title: "The cliff, step by step",
			text: "The same box at 10 units/s, half a slop deep, without friction, every sixth step of 1/60 s. " +
				"Above, the cliff is three two-sided segments: the box trips on the back of the cliff's face and " +
				"tumbles. Below, it is tiles: the box leaves as fast as it came.",
			columns: 1, wide: 620, high: 360, draw: drawCliffRun,
		},
		{
			id: "wedge", title: "A wedge corner",
			text: "Two ramps make a notch of 90 degrees at (1, 0). A circle of radius 0.3 touches both along their " +
				"normals; a box turned by 45 degrees fits, with two points on each; the corner pushes nothing. " +
				"Right, a needle a quarter of a cell wide: its right side alone pushes a box, although the box's " +
				"left edge is through the other side.",
			draw: drawWedge,
		},
		{
			id: "checkerboard", title: "A checkerboard corner",
			text: "Tiles in (0, 0) and (1, 1) meet in the point (1, 1). A circle or box in the upper left gap " +
				"touches one tile's top and the other's left side, and neither face of the lower right gap: links " +
				"run through air, so the corner is concave from either gap.",
			columns: 2, draw: drawChecker,
		},
		{
			id: "tee", title: "A T-junction",
			text: "A diamond's lowest vertex stands on the middle of a tile's top. The top is cut there, at " +
				"(0.5, 1), and each half has the diamond's flank as its ghost. So a circle in the gap has the gap's " +
				"two normals, and a circle along the top is stopped by the flank, not before. (Compare " +
				"[tee-border](gridseg.md#tee-border).)",
			columns: 2, draw: drawTee,
		},
		{
			id: "small", title: "Small and large bodies",
			text: "Left, a box of 0.1 on the seam at (1, 0). Middle, a circle of radius 6 over a gap of one cell: " +
				"each corner of the gap pushes towards its centre. Right, a box of 9 by 1 over five tiles with " +
				"gaps: ten points, all with (0, 1), none at the gaps' sides. (The right two are in a world, where a " +
				"corner of two faces counts once.)",
			draw: drawSizes,
		},
		{
			id: "deep", title: "Deep overlap",
			text: "A box of 1, 0.45 deep in level tiles, is only pushed up: at each seam its own sides, with " +
				"greater separation, are snapped. At the level's edge, 0.1 over it, the side face has the box's " +
				"centre behind it; the top pushes up. In a corner each face pushes along its normal by its depth.",
			draw: drawDeep,
		},
		{
			id: "inside", title: "Inside, by one look at the cell",
			text: "A body with its centre in solid is behind every face near it; its cell decides that it is " +
				"inside. It is pushed out the shortest way: up by 0.7 plus its half, or left by 0.4 plus its half. " +
				"With no surface within 16 cells it is held and reported as crushed.",
			draw: drawInside,
		},
		{
			id: "ten", title: "Ten collinear tiles, two points",
			text: "A crate of 9.6 by 2 on ten tiles, 0.005 deep. Face by face it has twenty points, and rounding " +
				"would divide its weight. In a world it has two, at its corners.",
			columns: 1, wide: 620, high: 250, draw: drawTen,
		},
	},
}

func (s *sheet) cliffTiles() *tiles {
	return s.tiles(append(append(row(0, 1, -1), row(0, 1, -2)...), row(2, 3, -2)...)...)
}

func drawCliff(s *sheet) {
	w := s.cliffTiles()
	b := boxAt(.5, .5, 1.51, .47, 0)
	wall, top := w.face(2, -1, 2, 0), w.face(2, 0, 1, 0)
	for i, head := range []string{"two-sided", "tiles"} {
		p := s.panel(head, 0, -1.4, 3.4, 1.3)
		p.ground(w, b)
		if i == 0 {
			m := twoSided(w.all[wall], b)
			p.found("the cliff's face", m, false, inkBefore)
			s.holds(m.N > 0 && m.Normal.Dist(geom.V(-1, 0)) < 1e-9, "two-sided: %+v", m)
		} else {
			p.faces(w.all, wall)
			p.gauss(w.all[wall], geom.V(2.8, .6), 28)
			m := onFace(w.all[wall], b)
			p.found("the cliff's face", m, true, inkGiven)
			s.want("the back of the cliff", &m, 0, geom.Vec{})
		}
		m := onFace(w.all[top], b)
		p.found("the top", m, true, inkGiven)
		s.want("the top", &m, 2, geom.V(0, 1))
	}
}

func drawCliffRun(s *sheet) {
	p := s.panel("two-sided segments above, tiles below", 0, -1.7, 15, 7.1)
	run := func(above bool) quarry.Body {
		world := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		ice := world.AddMaterial(quarry.Material{})
		y := 0.0
		var list []laid
		for x := range int32(15) {
			if x < 5 {
				list = append(list, laid{"full", 0, x, -1})
			}
			list = append(list, laid{"full", 0, x, -2})
		}
		w := s.tiles(list...)
		if above {
			y = 5
			rock := world.AddBody(quarry.BodyDef{})
			for _, f := range []geom.Segment{
				{A: geom.V(0, y), B: geom.V(5, y)}, {A: geom.V(5, y), B: geom.V(5, y-1)}, {
					A: geom.V(5, y-1),
					B: geom.V(15, y-1),
				},
			} {
				world.AddShape(rock, f, quarry.ShapeDef{Material: ice})
				p.line(f.A, f.B, 2.2, inkFace)
			}
		} else {
			if _, err := world.AddGround(0,
				quarry.GroundDef{Grid: w.grid, Materials: []quarry.MaterialID{ice}}); err != nil {
				s.t.Fatal(err)
			}
			p.solid(w.polys...)
			p.faces(w.all)
		}
		id := world.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(1.5, y+.5-geom.LinearSlop/2),
			Velocity: geom.V(10, 0),
		})
		box := geom.NewBox(.5, .5)
		world.AddShape(id, box, quarry.ShapeDef{Material: ice})
		b, _ := world.Body(id)
		for k := range 61 {
			if k%6 == 0 {
				p.shape(box, b.Transform(), inkBodyB)
				p.arrow(b.Position(), b.Rotation().Apply(geom.V(0, 1)), 12, 1.4, inkBefore.Mix(inkGiven,
					map[bool]float64{false: 1}[above]))
			}
			world.Step(1. / 60)
			if !above && b.Position().X < 4.9 {
				s.holds(math.Abs(b.Velocity().X-10) < 1e-9 && math.Abs(b.AngularVelocity()) < .01,
					"over tiles: %v, spin %v at %v", b.Velocity(), b.AngularVelocity(), b.Position())
			}
		}
		return b
	}
	a, b := run(true), run(false)
	s.holds(a.Velocity().X < 9 && math.Abs(a.Angle()) > .5, "segments do not trip it: %v, turned by %v", a.Velocity(),
		a.Angle())
	s.holds(b.Velocity().X > 9.99, "over tiles it ends with %v", b.Velocity())
	p.caption("segments: after 61 steps at %s, %s units a second to the right, turned by %s", vec(a.Position()),
		num(a.Velocity().X), num(a.Angle()))
	p.caption("tiles: after 61 steps at %s, %s units a second to the right, turned by %s", vec(b.Position()),
		num(b.Velocity().X), num(b.Angle()))
}

func drawWedge(s *sheet) {
	notch := s.tiles(append(row(0, 1, -1), laid{"ramp", 4, 0, 0}, laid{"ramp", 0, 1, 0})...)
	h := math.Sqrt2 / 2
	p := s.panel("a circle", -.4, -.4, 2.4, 1.8)
	at, ms := p.meets(notch, circleAt(.3, 1, .42))
	s.holds(len(at) == 2, "circle: %d faces", len(at))
	for k := range ms {
		s.want("notch", &ms[k], 1, normalOf(notch.all[at[k]]))
	}
	p = s.panel("a box", -.4, -.4, 2.4, 1.8)
	at, ms = p.meets(notch, boxAt(.3, .3, 1, .6*h-.005, math.Pi/4))
	s.holds(len(at) == 2, "box: %d faces", len(at))
	for k := range ms {
		s.want("notch", &ms[k], 2, normalOf(notch.all[at[k]]))
	}
	needle := s.tiles(append(row(0, 1, -1), laid{"needle", 0, 0, 0})...)
	p = s.panel("a needle", -.3, -.4, 1.7, 1.2)
	at, ms = p.meets(needle, boxAt(.3, .2, .74, .45, 0))
	s.holds(len(at) == 1, "needle: %d faces", len(at))
	for k := range ms {
		s.holds(ms[k].Normal.X > 0, "needle: %+v", ms[k])
	}
}

func drawChecker(s *sheet) {
	w := s.tiles(laid{"full", 0, 0, 0}, laid{"full", 0, 1, 1})
	top, side := w.face(1, 1, 0, 1), w.face(1, 2, 1, 1)
	for i, b := range []solidBody{circleAt(.3, .71, 1.29), boxAt(.3, .25, .71, 1.24, 0)} {
		p := s.panel([]string{"a circle", "a box"}[i], -.2, -.3, 3.4, 2.5)
		at, ms := p.meets(w, b)
		s.holds(len(at) == 2, "%d faces", len(at))
		for k, f := range at {
			s.holds(f == top || f == side, "touched from another gap: %v", w.all[f])
			s.holds(ms[k].Normal == normalOf(w.all[f]), "%+v", ms[k])
		}
	}
}

func drawTee(s *sheet) {
	w := s.tiles(laid{"full", 0, 0, 0}, laid{"full", 0, -1, 0}, laid{"diamond", 0, 0, 1})
	s.holds(w.face(.5, 1, 0, 1) >= 0 && w.face(1, 1, .5, 1) >= 0, "the top is not cut: %v", w.all)
	for i, b := range []solidBody{circleAt(.2, .022, 1.195), circleAt(.2, -.4, 1.195)} {
		p := s.panel([]string{"in the gap", "on the way there"}[i], -.8, .3, 2.1, 2.6)
		at, ms := p.meets(w, b)
		s.holds(len(at) == 2-i, "%d faces", len(at))
		for k, f := range at {
			s.holds(ms[k].Normal.Dist(normalOf(w.all[f])) < 1e-9, "%+v", ms[k])
		}
	}
	for k := range 500 {
		x := -.8 + .82*float64(k)/500
		_, ms := w.touching(circleAt(.2, x, 1.195))
		s.holds(len(ms) > 0, "nothing holds the circle at x = %v", x)
		for _, m := range ms {
			flank := (x+1.195-1.5)*math.Sqrt2/2 > -.22
			s.holds(m.Normal == geom.V(0, 1) || flank && m.Normal.Dist(geom.V(-1, -1).Mul(math.Sqrt2/2)) < 1e-9,
				"at x = %v: %+v", x, m)
		}
	}
}

func drawSizes(s *sheet) {
	w := s.tiles(row(0, 1, -1)...)
	p := s.panel("0.1 on a seam", .7, -.16, 1.3, .32)
	at, ms := p.meets(w, boxAt(.05, .05, 1.01, .045, 0))
	s.holds(len(at) == 2, "small: %d faces", len(at))
	for k := range ms {
		s.want("small", &ms[k], 2, geom.V(0, 1))
	}

	w = s.tiles(append(row(-4, -1, -1), row(1, 4, -1)...)...)
	r := 6.
	c := geom.V(.5, math.Sqrt(r*r-.25)-.01)
	p = s.panel("radius 6 over a gap", -1.2, -.9, 2.2, 1.8)
	b := circleAt(r, c.X, c.Y)
	p.ground(w, b)
	cs, _ := s.inWorld(w, b)
	s.holds(len(cs) == 2, "large: %d contacts", len(cs))
	for k := range cs {
		m := manifoldOf(cs[k])
		p.found("body and ground", m, true, inkGiven)
		n, _ := c.Sub(geom.V(math.Round(m.Points[0].Anchor.X), 0)).Unit()
		s.want("large", &m, 1, n)
		s.holds(math.Abs(m.Points[0].Separation-(c.Len()-r)) < 1e-6, "large: %+v", m)
	}

	var list []laid
	for x := range int32(5) {
		list = append(list, laid{"full", 0, 2*x - 4, -1})
	}
	w = s.tiles(list...)
	b = boxAt(4.5, .5, .5, .49, 0)
	p = s.panel("9 over five tiles", -4.6, -3.2, 5.6, 4.2)
	p.ground(w, b)
	cs, _ = s.inWorld(w, b)
	points := 0
	for k := range cs {
		m := manifoldOf(cs[k])
		points += m.N
		p.points(&m, inkGiven)
		s.want("wide", &m, m.N, geom.V(0, 1))
	}
	p.caption("%d points, all (0, 1)", points)
	s.holds(points == 10, "%d points", points)
}

func drawDeep(s *sheet) {
	level := s.tiles(row(-2, 3, -1)...)
	p := s.panel("in a level", -.7, -1.1, 2.3, 1.3)
	b := boxAt(.5, .5, .8, .05, 0)
	at, ms := p.meets(level, b)
	s.holds(len(at) == 2, "deep: %d faces", len(at))
	for k := range at {
		s.want("deep", &ms[k], 2, geom.V(0, 1))
		s.depth("deep", &ms[k], 0, -.45)
	}

	w := s.cliffTiles()
	b = boxAt(.5, .5, 1.6, .05, 0)
	p = s.panel("at an edge", .1, -1.1, 3.1, 1.3)
	at, ms = p.meets(w, b)
	s.holds(len(at) == 1, "edge: %d faces", len(at))
	for k := range at {
		s.want("edge", &ms[k], 2, geom.V(0, 1))
		s.depth("edge", &ms[k], 0, -.45)
	}

	w = s.tiles(append(append(row(-1, 3, -1), row(-1, -1, 0)...), row(-1, -1, 1)...)...)
	b = boxAt(.5, .5, .2, .1, 0)
	p = s.panel("in a corner", -1.1, -.9, 1.9, 1.5)
	at, ms = p.meets(w, b)
	s.holds(len(at) >= 2, "corner: %d faces", len(at))
	for k, f := range at {
		n := normalOf(w.all[f])
		s.want("corner", &ms[k], ms[k].N, n)
		s.depth("corner", &ms[k], 0, map[bool]float64{true: -.3, false: -.4}[n.X > 0])
	}
}

func drawInside(s *sheet) {
	var list []laid
	for y := range int32(4) {
		list = append(list, row(0, 5, y-4)...)
	}
	block := s.tiles(list...)
	for i, b := range []solidBody{boxAt(.3, .3, 2.2, -.7, 0), boxAt(.3, .3, .4, -1.6, 0)} {
		p := s.panel([]string{"the top is nearest", "the side is nearest"}[i], -1.2, -2.5, 3.4, .8)
		p.ground(block, b)
		for _, f := range block.all {
			m := onFace(f, b)
			s.holds(m.N == 0, "a face touches it: %+v", m)
		}
		s.holds(block.grid.Solid(b.at.P.X, b.at.P.Y), "not in solid")
		cs, _ := s.inWorld(block, b)
		s.holds(len(cs) == 1, "%d contacts", len(cs))
		for _, c := range cs {
			m := manifoldOf(c)
			p.found("body and ground", m, true, inkGiven)
			s.want("inside", &m, 1, []geom.Vec{{Y: 1}, {X: -1}}[i])
			s.holds(math.Abs(m.Points[0].Separation+[]float64{1, .7}[i]) < 1e-6, "inside: %+v", m)
		}
	}
	list = nil
	for y := range int32(40) {
		list = append(list, row(0, 39, y)...)
	}
	deep := s.tiles(list...)
	b := boxAt(.5, .5, 20.5, 20.5, 0)
	p := s.panel("20 cells from all surfaces", -6, -3, 46, 43)
	p.solid([]geom.Vec{{X: 0, Y: 0}, {X: 40, Y: 0}, {X: 40, Y: 40}, {X: 0, Y: 40}})
	p.shape(b.shape, b.at, inkBodyB)
	cs, world := s.inWorld(deep, b)
	p.caption("no contact, %d body reported as crushed", len(world.Crushed()))
	s.holds(len(cs) == 0 && len(world.Crushed()) == 1, "%d contacts, %d crushed", len(cs), len(world.Crushed()))
}

func drawTen(s *sheet) {
	w := s.tiles(row(0, 9, -1)...)
	b := boxAt(4.8, 1, 5, .995, 0)
	at, ms := w.touching(b)
	points := 0
	p := s.panel("face by face", -.5, -1.4, 10.5, 2.4)
	p.ground(w, b)
	for k := range at {
		points += ms[k].N
		p.points(&ms[k], inkBefore)
	}
	p.caption("%d faces, %d points", len(at), points)
	s.holds(points == 20, "%d points", points)

	p = s.panel("in a world", -.5, -1.4, 10.5, 2.4)
	p.ground(w, b)
	cs, _ := s.inWorld(w, b)
	s.holds(len(cs) == 1, "%d contacts", len(cs))
	for _, c := range cs {
		m := manifoldOf(c)
		p.points(&m, inkGiven)
		p.tell("crate and ground", m, true)
		s.want("ten", &m, 2, geom.V(0, 1))
		cells := map[gridseg.Cell]bool{c.Points[0].Cell: true, c.Points[1].Cell: true}
		s.holds(cells[gridseg.Cell{X: 0, Y: -1}] && cells[gridseg.Cell{X: 9, Y: -1}], "cells %v", cells)
		for k := range c.N {
			p.label(c.Points[k].Point, -24, 40, "cell ("+num(float64(c.Points[k].Cell.X))+", "+
				num(float64(c.Points[k].Cell.Y))+")")
		}
	}
}
