package main

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
)

// fourEdges is the feature id of the article on clipping: the edges that run into and
// out of a point, of box A and of box B, by the article's numbers; 0 is none.
type fourEdges struct{ inA, outA, inB, outB int }

func (f fourEdges) String() string {
	one := func(n int) string {
		if n == 0 {
			return "-"
		}
		return fmt.Sprint("E", n)
	}
	return one(f.inA) + " " + one(f.outA) + " " + one(f.inB) + " " + one(f.outB)
}

// swap exchanges the halves, as the article's flip does.
func (f fourEdges) swap() fourEdges { return fourEdges{f.inB, f.outB, f.inA, f.outA} }

// sourceEdge is the article's number of edge i of a box: 1 is the top, then
// counter-clockwise. Edge 0 here is the bottom.
func sourceEdge(i int) int { return (i+2)%4 + 1 }

// sourceNames names the two ends of edge incident of box inc, clipped by the side
// planes of edge reference of box ref, as the article's code does before its flip: the
// first half is the reference box's. An end between the planes has the two edges of its
// vertex and none of the reference box. An end that is cut off has the reference edge of
// the side plane and the incident edge.
func sourceNames(ref, inc solidBody, reference, incident int) [2]fourEdges {
	a, b := ref.edgeOf(reference)
	along, _ := b.Sub(a).Unit()
	i, j := inc.edgeOf(incident)
	name := func(v geom.Vec, vertex int, cut func(side int) fourEdges) fourEdges {
		switch x := v.Sub(a).Dot(along); {
		case x < 0: // beyond the plane at the start of the reference edge
			return cut(sourceEdge(reference + 3))
		case x > b.Dist(a):
			return cut(sourceEdge(reference + 1))
		}
		return fourEdges{inB: sourceEdge(vertex + 3), outB: sourceEdge(vertex)}
	}
	return [2]fourEdges{
		name(i, incident, func(side int) fourEdges { return fourEdges{inA: side, outB: sourceEdge(incident)} }),
		name(j, incident+1, func(side int) fourEdges { return fourEdges{outA: side, inB: sourceEdge(incident)} }),
	}
}

func drawFeatures(s *sheet) {
	p := s.panel("vertices and edges by number", -1.9, -.8, 2.3, 1.7)
	p.pair(lower, leaning)
	p.numbers(lower)
	p.numbers(leaning)
	p.caption("the source's E1 to E4: top, left, bottom, right")
	m := touch(lower, leaning, 0)
	p = s.panel("the two points by name", -1.9, -.8, 2.3, 1.7)
	p.pair(lower, leaning)
	p.found("A and B", m, false, inkGiven)
	p.names(&m, false)
	source := sourceNames(lower, leaning, 2, 0)
	ours := [2]string{name(m.Points[1].ID, false), name(m.Points[0].ID, false)}
	for k, head := range [2]string{"left point", "right point"} {
		p.caption("%s: here %s; the source %v", head, ours[k], source[k])
	}
	s.holds(ours == [2]string{"e2·v0", "v2·e0"}, "named %v", ours)
	s.holds(source == [2]fourEdges{{inB: 2, outB: 3}, {outA: 4, inB: 3}}, "the source names them %v", source)
	// The corner has no edge of A: over A's top and over A's right side the source's
	// name is the same.
	beside := boxAt(.6, .5, 1.9, .2, .15)
	over := sourceNames(lower, beside, 1, 3)
	s.holds(over[1] == source[0], "the corner beside A is %v, above it %v", over[1], source[0])
}

func drawFlip(s *sheet) {
	for _, exchanged := range []bool{false, true} {
		a, b, head := lower, leaning, "reference A"
		if exchanged {
			a, b, head = leaning, lower, "names exchanged: reference B"
		}
		p := s.panel(head, -.2, -.3, 2.3, 1.68)
		m := touch(a, b, 0)
		p.pair(a, b)
		p.found("A and B", m, false, inkGiven)
		p.names(&m, false)
		names := sourceNames(lower, leaning, 2, 0)
		if exchanged {
			names[0], names[1] = names[0].swap(), names[1].swap()
		}
		p.caption("the source: %v and %v", names[0], names[1])
	}
	m, f := touch(lower, leaning, 0), touch(leaning, lower, 0)
	s.want("flip", &m, 2, geom.V(0, 1))
	s.want("flipped", &f, 2, geom.V(0, -1))
	for k := range f.N {
		s.holds(f.Points[k].ID == m.Points[1-k].ID.Flip() && f.Points[k].Anchor.Dist(m.Points[1-k].Anchor) < 1e-12,
			"point %d is another: %v and %v", k, m.Points[k], f.Points[k])
	}

	// The same two bodies, tilted until the other's face is the reference.
	var ours [2][2]string
	var source, flipped [2][2]fourEdges
	for i, angle := range []float64{.0003, .1} {
		a, b := onTop(angle)
		p := s.panel([]string{"turned by 0.0003: reference A", "turned by 0.1: reference B"}[i], -1.8, -.9, 1.8, 1.7)
		m := touch(a, b, .1)
		p.pair(a, b)
		p.found("A and B", m, false, inkGiven)
		p.names(&m, false)
		ours[i] = [2]string{name(m.Points[0].ID, false), name(m.Points[1].ID, false)}
		if i == 0 {
			s.want("reference A", &m, 2, geom.V(0, 1))
			// From B's lower left corner to its lower right one: the second point first.
			n := sourceNames(a, b, 2, 0)
			source[i] = [2]fourEdges{n[1], n[0]}
			flipped[i] = source[i]
			p.caption("the source: %v and %v", source[i][1], source[i][0])
			continue
		}
		s.want("reference B", &m, 2, geom.NewRot(angle).Apply(geom.V(0, 1)))
		source[i] = sourceNames(b, a, 0, 2) // A's upper right corner first
		flipped[i] = [2]fourEdges{source[i][0].swap(), source[i][1].swap()}
		p.caption("the source: %v and %v", flipped[i][1], flipped[i][0])
		p.caption("and without its flip: %v and %v", source[i][1], source[i][0])
	}
	s.holds(ours[0] == ours[1], "renamed here: %v and %v", ours[0], ours[1])
	for k := range 2 {
		s.holds(source[1][k] != source[0][k] && flipped[1][k] != flipped[0][k],
			"point %d keeps its name in the source: %v, %v, flipped %v", k, source[0][k], source[1][k], flipped[1][k])
	}
	// The purpose of flip: without it a corner of A and the same corner of B have one name.
	s.holds(source[1][0] == fourEdges{inB: 4, outB: 1} && flipped[1][0] == fourEdges{inA: 4, outA: 1},
		"A's upper right corner is %v, flipped %v", source[1][0], flipped[1][0])
}
