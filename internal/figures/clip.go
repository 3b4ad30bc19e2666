package main

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// solidBody is a shape somewhere in the world.
type solidBody struct {
	shape geom.Shape
	at    geom.Transform
}

func boxAt(hx, hy, x, y, angle float64) solidBody {
	return solidBody{geom.NewBox(hx, hy), geom.Transform{P: geom.V(x, y), Q: geom.NewRot(angle)}}
}

// touch returns the manifold of two bodies in the world's axes, from a to b.
func touch(a, b solidBody, margin float64) collide.Manifold {
	var m collide.Manifold
	ha, hb := collide.NewHull(a.shape), collide.NewHull(b.shape)
	collide.Hulls(&m, &ha, &hb, a.at.InvMul(b.at), margin)
	m.Normal = a.at.Q.Apply(m.Normal)
	for k := range m.N {
		m.Points[k].Anchor = a.at.Apply(m.Points[k].Anchor)
	}
	return m
}

// edgeOf returns the ends of an edge of a body's core.
func (b solidBody) edgeOf(i int) (from, to geom.Vec) {
	h := collide.NewHull(b.shape)
	return b.at.Apply(h.V[i]), b.at.Apply(h.V[(i+1)%h.N])
}

// pair draws two bodies.
func (p *panel) pair(a, b solidBody) {
	p.solid()
	p.shape(a.shape, a.at, inkBodyA)
	p.shape(b.shape, b.at, inkBodyB)
	in := p.cam.View().Expand(-.2)
	p.label(a.at.P.Max(in.Min).Min(in.Max), -4, 5, "A")
	p.label(b.at.P.Max(in.Min).Min(in.Max), -4, 5, "B")
}

// numbers writes the number of each vertex and edge of a body.
func (p *panel) numbers(b solidBody) {
	h := collide.NewHull(b.shape)
	for i := range h.N {
		v, w := b.edgeOf(i)
		in, _ := b.at.P.Sub(v).Unit()
		p.label(v.MulAdd(18/p.cam.Scale, in), -6, 4, fmt.Sprint("v", i))
		in, _ = b.at.P.Sub(v.Lerp(w, .5)).Unit()
		p.label(v.Lerp(w, .5).MulAdd(12/p.cam.Scale, in), -6, 4, fmt.Sprint("e", i))
	}
}

// The pair that the first plates take to pieces: B leans over the right end of A.
var (
	lower   = boxAt(1.5, .5, 0, 0, 0)
	leaning = boxAt(.6, .5, 1.2, .95, .15)
	steeper = boxAt(.6, .5, 1.2, 1.08, .35)
)

var clippingPart = chapter{
	title: "Clipping",
	text: "Two boxes; A is blue, B orange. A green arrow is the normal (from A to B) at a point. A feature id is " +
		"written as its pair: `e2·v0` is edge 2 of A and vertex 0 of B, counted counter-clockwise from the lower " +
		"left corner.",
	plates: []plate{
		{
			id: "edges", title: "The colliding edges",
			text: "A is 3 by 1 at (0, 0), B 1.2 by 1 at (1.2, 0.95), turned by 0.15. A's top has the greatest " +
				"separation, -0.134: it is the reference face (heavy, blue). B's edge 0 is the incident edge " +
				"(heavy, orange). The side planes (violet) stand on the reference face's ends.",
			wide: 420, columns: 2, draw: drawEdges,
		},
		{
			id: "clipping", title: "Clipped by one side plane, then by the other",
			text: "The left plane, x = -1.5, cuts nothing off B's edge 0, from (0.681, 0.366) to (1.868, 0.545). " +
				"The right plane, x = 1.5, moves its end to (1.5, 0.49). Both ends are below A's top, so both are " +
				"points, midway between the surfaces: A and B have equal levers.",
			draw: drawClipping,
		},
		{
			id: "dropped", title: "A point in front of the reference face",
			text: "B is turned by 0.35 and lifted to y = 1.08: its clipped edge ends 0.157 above A's top. Quarry " +
				"keeps both points while the nearer is within the margin: a long body's far end may close any gap " +
				"within the step, and its contact must stop it.",
			columns: 1, draw: drawDropped,
		},
		{
			id: "features", title: "The name of a point",
			text: "The source names a point by up to four edges, the incoming and outgoing ones of A, then of B " +
				"(`E1` to `E4`, `-` for none). Quarry names it by one feature of each box. For B's corner over A's " +
				"top the source's id is `- - E2 E3` (its text adds the reference edge; its code never stores it); " +
				"here it is `e2·v0`. For the point cut off above A's corner it is `- E4 E3 -`; here `v2·e0`.",
			wide: 420, columns: 2, draw: drawFeatures,
		},
		{
			id: "flip", title: "The reference face is B's",
			text: "Above, the pair as before, then with A and B exchanged: same points, opposite normal, and the " +
				"halves of each id exchanged, as by the source's flip. Below, a tilt moves the reference face from " +
				"A to B. In the source both points get new ids, with its flip or without (`E2 - - E3` and `- E4 E3 " +
				"-` become `E1 E2 - -` and `E4 E1 - -`), and lose their impulses. Here the id is the same with " +
				"either reference, `v3·e0` and `v2·e0` ([bias](#bias) has all turns between).",
			columns: 2, draw: drawFlip,
		},
		{
			id: "incident", title: "The incident edge",
			text: "The incident edge's normal is most opposed to the reference normal. B (0.8 by 0.8) meets A " +
				"with its edge 0 at 40 degrees, with its edge 3 at 50. Vertex 0 belongs to both, so the touching " +
				"point is `e2·v0` on either side of 45 degrees; the edge's other end is the second point.",
			columns: 2, draw: drawIncident,
		},
		{
			id: "axes", title: "The four axes",
			text: "The source has a case for each kind of reference face; here one code serves hulls of any " +
				"number of corners. The first is the source's example: A's edge 4 against B's edge 2, here edges 1 " +
				"and 3.",
			columns: 4, wide: 200, high: 200, draw: drawAxes,
		},
		{
			id: "bias", title: "The reference face does not flicker",
			text: "A is a box of 0.8, B one of 3 on top of it, 0.01 deep. Turned by 0.0003, B's face has more " +
				"separation than A's, but not by the bias of 0.0005, and the normal is A's: exactly (0, 1). At 0.1 " +
				"it is B's. Over all turns between, both points keep their names: `v3·e0` and `v2·e0`.",
			columns: 2, draw: drawBias,
		},
		{
			id: "slide", title: "Ids stay while a box slides",
			text: "B slides from x = -1 to 1.8 over A's top in 10,000 steps, rocking by 0.00001 and bobbing by " +
				"0.001. Its points are its lower corners until the right one passes A's at x = 1.1; then that point " +
				"is A's corner under B's edge. An end is cut off only a millionth beyond the plane (a tenth of a " +
				"slop, pressed together), so on boxes of one width rounding changes no name.",
			draw: drawSlide,
		},
	},
}

func drawEdges(s *sheet) {
	p := s.panel("A's top is the reference, B's edge 0 incident", -1.9, -.8, 2.3, 1.7)
	m := touch(lower, leaning, 0)
	p.pair(lower, leaning)
	a, b := lower.edgeOf(2)
	p.line(a, b, 4, inkBodyA.Mix(canvas.RGB(0), .35))
	c, d := leaning.edgeOf(0)
	p.line(c, d, 4, inkBodyB.Mix(canvas.RGB(0), .25))
	for _, v := range []geom.Vec{a, b} {
		p.dashed(v.Add(geom.V(0, -1.2)), v.Add(geom.V(0, 1.3)), inkPlane)
	}
	p.arrow(a.Lerp(b, .5), geom.V(0, 1), 34, 2.2, inkGiven)
	p.tell("A and B", m, false)
	s.want("edges", &m, 2, geom.V(0, 1))
	va, vb := m.Points[1].ID.Vertices()
	s.holds(!va && vb && name(m.Points[1].ID, false) == "e2·v0", "B's corner is %s", name(m.Points[1].ID, false))
	s.depth("B's corner", &m, 1, c.Y-.5)
}

// cut returns the part of a-b on this side of the vertical line at x.
func cut(a, b geom.Vec, x, side float64) (geom.Vec, geom.Vec) {
	t := (x - a.X) / (b.X - a.X)
	if side*(a.X-x) > 0 {
		a = a.Lerp(b, t)
	} else if side*(b.X-x) > 0 {
		b = a.Lerp(b, t)
	}
	return a, b
}

func drawClipping(s *sheet) {
	m := touch(lower, leaning, 0)
	a, b := leaning.edgeOf(0)
	step := func(head string) *panel {
		p := s.panel(head, .2, 0, 2.3, 1.66)
		p.pair(lower, leaning)
		return p
	}
	p := step("1. the left plane, x = -1.5")
	a1, b1 := cut(a, b, -1.5, -1)
	p.line(a1, b1, 4, inkBodyB.Mix(canvas.RGB(0), .25))
	p.dot(a1, 5, inkPlane)
	p.dot(b1, 5, inkPlane)
	p.caption("from %s to %s: nothing is cut", vec(a1), vec(b1))
	s.holds(a1 == a && b1 == b, "the left plane cuts")

	p = step("2. the right plane, x = 1.5")
	a2, b2 := cut(a1, b1, 1.5, 1)
	p.line(a2, b2, 4, inkBodyB.Mix(canvas.RGB(0), .25))
	p.dashed(geom.V(1.5, -.5), geom.V(1.5, 1.6), inkPlane)
	p.dot(a2, 5, inkPlane)
	p.dot(b2, 5, inkPlane)
	p.label(a2, -20, -6, "c1")
	p.label(b2, 8, -8, "c2")
	p.caption("from %s to %s", vec(a2), vec(b2))

	p = step("3. below the face: both are points")
	p.dashed(geom.V(-.5, .5), geom.V(2.3, .5), inkPlane)
	p.found("A and B", m, false, inkGiven)
	p.names(&m, false)
	s.want("clipping", &m, 2, geom.V(0, 1))
	s.depth("clipping", &m, 0, b2.Y-.5)
	s.depth("clipping", &m, 1, a2.Y-.5)
	for k, v := range []geom.Vec{b2, a2} {
		s.holds(m.Points[k].Anchor.Dist(geom.V(v.X, (v.Y+.5)/2)) < 1e-12, "point %d is at %v", k, m.Points[k].Anchor)
	}
}

func drawDropped(s *sheet) {
	p := s.panel("margin 0", .2, 0, 2.4, 1.75)
	p.pair(lower, steeper)
	p.dashed(geom.V(1.5, -.5), geom.V(1.5, 1.7), inkPlane)
	p.dashed(geom.V(-.5, .5), geom.V(2.4, .5), inkPlane)
	a, b := steeper.edgeOf(0)
	_, c2 := cut(a, b, 1.5, 1)
	m := touch(lower, steeper, 0)
	s.want("kept", &m, 2, geom.V(0, 1))
	s.depth("kept", &m, 0, c2.Y-.5)
	p.found("A and B", m, false, inkGiven)
	p.names(&m, false)
}

func drawIncident(s *sheet) {
	for i, degrees := range []float64{40, 50} {
		b := boxAt(.4, .4, .3, 1.03, degrees*math.Pi/180)
		p := s.panel(fmt.Sprintf("turned by %s degrees", num(degrees)), -1, -.2, 1.6, 1.86)
		m := touch(lower, b, 0)
		p.pair(lower, b)
		p.numbers(b)
		from, to := b.edgeOf([]int{0, 3}[i])
		p.line(from, to, 4, inkBodyB.Mix(canvas.RGB(0), .25))
		p.found("A and B", m, false, inkGiven)
		p.names(&m, false)
		s.want("incident", &m, 2, geom.V(0, 1))
		near := &m.Points[1-i]
		s.holds(name(near.ID, false) == "e2·v0" && near.Separation < m.Points[i].Separation, "the corner is %s",
			name(near.ID, false))
	}
}

func drawAxes(s *sheet) {
	for _, c := range []struct {
		head      string
		a, b      solidBody
		edgeA     int
		edgeB     int
		reference int // 0 is A's, 1 is B's
		normal    geom.Vec
	}{
		{"A's x", boxAt(.5, .6, 0, 0, 0), boxAt(.5, .6, .95, .3, -.12), 1, 3, 0, geom.V(1, 0)},
		{"A's y", boxAt(.6, .5, 0, 0, 0), boxAt(.6, .5, .3, .95, .12), 2, 0, 0, geom.V(0, 1)},
		{"B's x", boxAt(.5, .6, 0, 0, -.12), boxAt(.5, .6, .95, .3, 0), 1, 3, 1, geom.V(1, 0)},
		{"B's y", boxAt(.6, .5, 0, 0, .12), boxAt(.6, .5, .3, .95, 0), 2, 0, 1, geom.V(0, 1)},
	} {
		p := s.panel(c.head, -.9, -.9, 1.7, 1.7)
		m := touch(c.a, c.b, 0)
		p.pair(c.a, c.b)
		for i, one := range []struct {
			body solidBody
			edge int
			ink  canvas.Ink
		}{{c.a, c.edgeA, inkBodyA}, {c.b, c.edgeB, inkBodyB}} {
			v, w := one.body.edgeOf(one.edge)
			p.line(v, w, 4, one.ink.Mix(canvas.RGB(0), .35))
			if i == c.reference { // the planes on its ends
				n, _ := w.Sub(v).Right().Unit()
				for _, end := range []geom.Vec{v, w} {
					p.dashed(end.MulAdd(-.7, n), end.MulAdd(.7, n), inkPlane)
				}
			}
		}
		p.found("A and B", m, false, inkGiven)
		s.want(c.head, &m, m.N, c.normal)
		for k := range m.N {
			va, vb := m.Points[k].ID.Vertices()
			a, b := name(m.Points[k].ID, false), [2]string{fmt.Sprint("e", c.edgeA), fmt.Sprint("e", c.edgeB)}
			s.holds(!va && a[:2] == b[0] || !vb && a[len(a)-2:] == b[1], "%s: a point named %s is on neither edge",
				c.head, a)
		}
		s.holds(m.N > 0, "%s: nothing", c.head)
	}
}

// onTop is a box of 3 by 1 turned about A's upper right corner, 0.01 into it.
func onTop(angle float64) (a, b solidBody) {
	a = boxAt(.4, .4, 0, 0, 0)
	q := geom.NewRot(angle)
	return a, solidBody{geom.NewBox(1.5, .5), geom.Transform{P: geom.V(.4, .4).Add(q.Apply(geom.V(-.4, .49))), Q: q}}
}

func drawBias(s *sheet) {
	for _, angle := range []float64{.0003, .1} {
		a, b := onTop(angle)
		p := s.panel(fmt.Sprintf("turned by %v", angle), -1.8, -.7, 1.8, 1.6)
		m := touch(a, b, .1)
		p.pair(a, b)
		p.found("A and B", m, false, inkGiven)
		p.names(&m, false)
		if angle < .001 {
			s.want("bias", &m, 2, geom.V(0, 1))
			s.holds(m.Normal == geom.V(0, 1), "the normal is not exactly A's")
		} else {
			s.want("bias", &m, 2, geom.NewRot(angle).Apply(geom.V(0, 1)))
		}
	}
	a, b := onTop(0)
	first := touch(a, b, .1)
	for k := range 1001 {
		a, b = onTop(float64(k) * .0001)
		m := touch(a, b, .1)
		s.holds(m.N == 2 && m.Points[0].ID == first.Points[0].ID && m.Points[1].ID == first.Points[1].ID,
			"renamed at %v: %+v", float64(k)*.0001, m)
	}
	s.holds(name(first.Points[0].ID, false) == "v2·e0" && name(first.Points[1].ID, false) == "v3·e0", "named %s, %s",
		name(first.Points[0].ID, false), name(first.Points[1].ID, false))
}

// sliding is B on its way over A.
func sliding(k int) solidBody {
	x := -1 + 2.8*float64(k)/10000
	return boxAt(.4, .3, x, .79+.001*geom.NewRot(float64(k)).S, .00001*geom.NewRot(1.3*float64(k)).S)
}

func drawSlide(s *sheet) {
	changes := 0
	var last collide.Manifold
	for k := range 10001 {
		m := touch(lower, sliding(k), .02)
		if k > 0 && m.N > 0 && (m.N != last.N || m.Points[0].ID != last.Points[0].ID ||
			m.Points[1].ID != last.Points[1].ID) {
			changes++
			s.holds(math.Abs(sliding(k).at.P.X-1.1) < .001, "renamed at x = %v", sliding(k).at.P.X)
		}
		if m.N > 0 {
			last = m
		}
	}
	s.holds(changes == 1, "%d changes of name", changes)
	even := touch(lower, boxAt(1.5, .3, 0, .79, 0), .02)
	for k := range 201 {
		m := touch(lower, boxAt(1.5, .3, float64(k-100)*1e-9, .79, 0), .02)
		s.holds(m.N == 2 && m.Points[0].ID == even.Points[0].ID && m.Points[1].ID == even.Points[1].ID,
			"ends in line: %+v", m)
	}
	for _, k := range []int{500, 5000, 8500} {
		b := sliding(k)
		p := s.panel("x = "+num(b.at.P.X), -1.7, -.7, 2.1, 1.4)
		m := touch(lower, b, .02)
		p.pair(lower, b)
		p.points(&m, inkGiven)
		p.names(&m, false)
		p.caption("%s and %s", name(m.Points[0].ID, false), name(m.Points[1].ID, false))
	}
}
