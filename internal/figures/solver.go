package main

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// solverPictures draws the pictures of docs/solver.md.
func solverPictures(t *report) {
	contacts := colored(t)
	for _, p := range []struct {
		name       string
		wide, high float64
		draw       func(s *sheet)
	}{
		{"colors", 640, 480, func(s *sheet) { drawColors(s, contacts) }},
		{"blocks", 430, 300, func(s *sheet) { drawBlocks(s, contacts) }},
		{"passes", 430, 360, drawPasses},
	} {
		t.within = p.name
		s := &sheet{t: t, wide: p.wide, high: p.high, columns: 2}
		p.draw(s)
		t.show("docs/solver.md", "docs/solver/"+p.name+".svg", []byte(s.picture()))
	}
	t.within = ""
}

// coloredContact is a contact of the pyramid with the group in which the solver solves it.
type coloredContact struct {
	quarry.Contact
	static bool
	color  int // from 1
}

const pyramidRows, boxWidth, boxGap = 7, 1.0, 0.1

// pyramidBox returns the centre of box i of a row of the pyramid.
func pyramidBox(row, i int) geom.Vec {
	return geom.V((boxWidth+boxGap)*(float64(i)-float64(pyramidRows-row-1)/2), 0.5+float64(row))
}

// colored returns the contacts of a small pyramid at rest on a static floor, row by row from the left,
// with the colours that this order gives by the rule of docs/solver.md. Points are rounded to a
// twentieth, so that the picture does not depend on the last digits of a step.
func colored(t *report) (list []coloredContact) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	w.AddShape(w.AddBody(quarry.BodyDef{}), geom.Segment{A: geom.V(-9, 0), B: geom.V(9, 0)}, quarry.ShapeDef{})
	for row := range pyramidRows {
		for i := range pyramidRows - row {
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: pyramidBox(row, i)})
			w.AddShape(b, geom.NewBox(boxWidth/2, 0.5), quarry.ShapeDef{})
		}
	}
	for range 20 {
		w.Step(1. / 60)
	}
	bodyOf := func(id quarry.ShapeID) quarry.Body {
		s, ok := w.Shape(id)
		if !ok {
			t.Fatalf("no shape %d", id)
		}
		return s.Body()
	}
	all := w.AppendContacts(nil)
	for i := range all {
		for k := range all[i].N {
			p := &all[i].Points[k].Point
			*p = geom.V(math.Round(20*p.X)/20, math.Round(20*p.Y)/20)
		}
		if p := &all[i].Points; all[i].N == 2 && p[0].Point.X > p[1].Point.X {
			p[0], p[1] = p[1], p[0]
		}
	}
	slices.SortFunc(all, func(a, b quarry.Contact) int {
		p, q := a.Points[0].Point, b.Points[0].Point
		return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X))
	})
	var used [2]map[quarry.BodyID]uint32 // of contacts of moving bodies, and of contacts with the floor
	used[0], used[1] = map[quarry.BodyID]uint32{}, map[quarry.BodyID]uint32{}
	for _, static := range []bool{false, true} {
		for _, c := range all {
			a, b := bodyOf(c.ShapeA), bodyOf(c.ShapeB)
			if (a.Type() == quarry.Static || b.Type() == quarry.Static) != static {
				continue
			}
			of := used[0]
			if static {
				of = used[1]
			}
			var taken uint32
			for _, x := range []quarry.Body{a, b} {
				if x.Type() == quarry.Dynamic {
					taken |= of[x.ID()]
				}
			}
			color := bits.TrailingZeros32(^taken)
			for _, x := range []quarry.Body{a, b} {
				if x.Type() == quarry.Dynamic {
					of[x.ID()] |= 1 << color
				}
			}
			list = append(list, coloredContact{c, static, color + 1})
		}
	}
	// Each box above the lowest row has two below it.
	if want := pyramidRows * pyramidRows; len(list) != want {
		t.Fatalf("%d contacts, want %d", len(list), want)
	}
	return list
}

// groupInks are the colours of the colours: the last for contacts with the floor.
var groupInks = inks(0x1e6ec8, 0xd8902c, 0x2f9e58, 0xc23b3b, 0x7c52a8, 0x4a4438)

func (c *coloredContact) ink() canvas.Ink {
	if c.static {
		return groupInks[len(groupInks)-1]
	}
	return groupInks[c.color-1]
}

// groupsOf returns the contacts of each group as indices, in the order in which groups are solved.
func groupsOf(contacts []coloredContact) (names []string, groups [][]int) {
	for _, static := range []bool{false, true} {
		for color := 1; ; color++ {
			var g []int
			for i := range contacts {
				if contacts[i].static == static && contacts[i].color == color {
					g = append(g, i)
				}
			}
			if len(g) == 0 {
				break
			}
			name := fmt.Sprintf("colour %d", color)
			if static {
				name = fmt.Sprintf("static colour %d", color)
			}
			names, groups = append(names, name), append(groups, g)
		}
	}
	return names, groups
}

func drawColors(s *sheet, contacts []coloredContact) {
	s.columns = 1
	p := s.panel("Contacts of a pyramid by colour, numbered in their order", -4.6, -0.4, 4.6, 7.2)
	p.bare = true
	p.area(geom.AABB{Min: geom.V(-9, -1), Max: geom.V(9, 0)}, inkSolid)
	for row := range pyramidRows {
		for i := range pyramidRows - row {
			at := pyramidBox(row, i)
			half := geom.V(boxWidth/2, 0.5)
			p.area(geom.AABB{Min: at.Sub(half), Max: at.Add(half)}, inkNothing.Fade(.28))
			p.v.Stroke(&p.path, 1, inkNothing)
		}
	}
	for i := range contacts {
		c := &contacts[i]
		a, b := c.Points[0].Point, c.Points[1].Point
		if c.N != 2 {
			s.t.Fatalf("contact %d has %d points", i, c.N)
		}
		p.line(a, b, 6, c.ink())
		p.dot(a, 4.5, c.ink())
		p.dot(b, 4.5, c.ink())
		p.text("id mid", p.at(a.Lerp(b, .5)).Add(geom.V(0, -7)), fmt.Sprint(i+1))
	}
	names, groups := groupsOf(contacts)
	for k, g := range groups {
		y := 20 + 20*float64(k)
		p.swatch(geom.V(12, y-9), contacts[g[0]].ink())
		p.text("", geom.V(34, y), fmt.Sprintf("%s: %d", names[k], len(g)))
		// No box has two contacts of one colour.
		seen := map[quarry.ShapeID]bool{}
		for _, i := range g {
			for _, id := range []quarry.ShapeID{contacts[i].ShapeA, contacts[i].ShapeB} {
				s.holds(!seen[id] || contacts[i].static, "%s has shape %d twice", names[k], id)
				seen[id] = true
			}
		}
	}
}

// swatch fills a small square, at a place in pixels.
func (p *panel) swatch(at geom.Vec, c canvas.Ink) { p.plate(at, geom.V(14, 10), c) }

// plate fills a rectangle, in pixels.
func (p *panel) plate(at, size geom.Vec, c canvas.Ink) {
	p.path.Reset()
	p.path.Polygon(at, geom.V(at.X+size.X, at.Y), at.Add(size), geom.V(at.X, at.Y+size.Y))
	p.v.Fill(&p.path, c)
}

// framed is plate with an outline.
func (p *panel) framed(at, size geom.Vec, c canvas.Ink) {
	p.plate(at, size, c)
	p.v.Stroke(&p.path, 1, inkFace.Fade(.6))
}

func drawBlocks(s *sheet, contacts []coloredContact) {
	p := s.panel("The blocks of these contacts", 0, 0, 1, 1)
	p.bare = true
	names, groups := groupsOf(contacts)
	y := 14.
	for k, g := range groups {
		p.text("", geom.V(10, y+17), names[k])
		for from := 0; from < len(g); from += 8 {
			for lane := range 8 {
				at := geom.V(120+float64(36*lane), y)
				if i := from + lane; i < len(g) {
					p.framed(at, geom.V(34, 24), contacts[g[i]].ink().Fade(.35))
					p.text("mid", at.Add(geom.V(17, 17)), fmt.Sprint(g[i]+1))
				} else {
					p.framed(at, geom.V(34, 24), canvas.RGB(0xffffff))
				}
			}
			y += 32
		}
	}
	p.caption("One row of squares is a block of eight lanes, one lane a contact.")
	p.caption("Empty lanes have body 0 on both sides, which no impulse moves.")

	p = s.panel("A block in memory", 0, 0, 1, 1)
	p.bare = true
	_, first := groupsOf(contacts)
	rows := []string{
		"body A", "body B", "normal x", "normal y", "inverse mass A", "inverse mass B", "…",
		"point 1: arm of A", "arm of B", "impulse", "friction", "separation", "…",
	}
	for k, name := range rows {
		y := 12 + 20*float64(k)
		p.text("", geom.V(10, y+14), name)
		for lane := range 8 {
			c := canvas.RGB(0xffffff)
			if lane < len(first[0]) {
				c = contacts[first[0][lane]].ink().Fade(.2)
			}
			if name != "…" {
				p.framed(geom.V(120+float64(36*lane), y), geom.V(34, 17), c)
			}
		}
	}
	p.caption("A row is the same number of eight contacts: 32 bytes,")
	p.caption("which one instruction loads.")
}

func drawPasses(s *sheet) {
	p := s.panel("A step of the solver", 0, 0, 1, 1)
	p.bare = true
	p.flow(24, 14, 250, []string{"effective masses, then impacts"}, canvas.RGB(0xf1ead9))
	p.framed(geom.V(12, 50), geom.V(406, 248), canvas.RGB(0xeef3fa))
	p.text("", geom.V(300, 70), "for each sub-step")
	p.flow(24, 58, 250, []string{
		"integrate velocities", "warm start", "solve with springs", "integrate positions",
		"rigid passes, under heavy loads", "relax, without springs", "direct joints again",
	}, canvas.RGB(0xffffff))
	p.flow(24, 312, 250, []string{"bounces"}, canvas.RGB(0xf1ead9))
	for _, y := range []float64{112, 146, 214, 248} {
		p.text("small", geom.V(284, y), "all groups")
	}

	p = s.panel("All groups: a warm start or a pass", 0, 0, 1, 1)
	p.bare = true
	for k, g := range []struct{ name, how string }{
		{"overflow of moving bodies", "contact by contact"},
		{"colour 1", "all blocks at once"},
		{"colour 2", "all blocks at once"},
		{"… to colour 32", ""},
		{"overflow with static bodies", "contact by contact"},
		{"static colour 1", "all blocks at once"},
		{"… to static colour 32", ""},
	} {
		c := groupInks[len(groupInks)-1].Fade(.2)
		if k == 1 || k == 2 {
			c = groupInks[k-1].Fade(.25)
		}
		p.flow(24, 14+44*float64(k), 250, []string{g.name}, c)
		if k > 0 {
			p.arrowAt(geom.V(149, 14+44*float64(k)-18), geom.V(0, -1), 16, 1.4, inkFace)
		}
		p.text("small", geom.V(284, 14+44*float64(k)+17), g.how)
	}
	p.caption("Contacts with static bodies come last: Gauss-Seidel")
	p.caption("satisfies the last row best.")
}

// flow draws boxes below one another, each with a text.
func (p *panel) flow(x, y, wide float64, texts []string, c canvas.Ink) {
	for k, text := range texts {
		at := geom.V(x, y+34*float64(k))
		p.framed(at, geom.V(wide, 26), c)
		p.text("mid", at.Add(geom.V(wide/2, 17)), strings.TrimSpace(text))
	}
}
