package sandbox

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// spoke is a segment at a vertex.
type spoke struct {
	far    geom.Vec // its other end, in the world
	middle geom.Vec
	dir    float64 // radians, from the vertex
	index  int     // of the segment
}

// lensRadial shows how the ends of segments at the vertex nearest to the pointer find each other: for an outgoing
// segment the first incoming one clockwise, which gives ghost1; for an incoming one the first outgoing one
// counter-clockwise, which gives ghost2.
func (s *sim) lensRadial(l lensPlace, p *lensPicture) {
	g, ok := s.groundUnder(l.at)
	if !ok {
		p.say("vertex", "no tiles here")
		return
	}
	cell, _ := g.CellAt(l.at)
	on := onGround{g.Transform()}
	segments := g.AppendSegments(nil, cellsAround(cell))
	vertex, ok := nearestVertex(on, segments, l.at)
	if !ok {
		p.say("vertex", "no surface here")
		return
	}
	at := on.at(vertex)
	var in, out []spoke
	for i := range segments {
		if segments[i].A == vertex {
			out = append(out, spokeOf(at, on.at(segments[i].B), i))
		}
		if segments[i].B == vertex {
			in = append(in, spokeOf(at, on.at(segments[i].A), i))
		}
	}
	p.draw("ring", "vertex", at)
	p.say("vertex", "%.4g, %.4g", float64(vertex.X)/gridseg.Unit, float64(vertex.Y)/gridseg.Unit)
	p.say("segments", "%d in, %d out", len(in), len(out))
	for k, o := range nearestFirst(l.at, out) {
		p.draw("arrow", "outgoing", at, o.far)
		if g := &segments[o.index]; k == 0 {
			p.match(at, o, in, true)
			if g.HasGhost1 {
				p.drawGhost("ghost1", on.at(g.Ghost1))
				p.say("ghost1", "%.4g, %.4g", float64(g.Ghost1.X)/gridseg.Unit, float64(g.Ghost1.Y)/gridseg.Unit)
			}
		}
	}
	for k, i := range nearestFirst(l.at, in) {
		p.draw("arrow", "incoming", i.far, at)
		if g := &segments[i.index]; k == 0 {
			p.match(at, i, out, false)
			if g.HasGhost2 {
				p.drawGhost("ghost2", on.at(g.Ghost2))
				p.say("ghost2", "%.4g, %.4g", float64(g.Ghost2.X)/gridseg.Unit, float64(g.Ghost2.Y)/gridseg.Unit)
			}
		}
	}
}

// nearestFirst puts the spoke first whose middle is nearest to the pointer: the match is drawn of the first.
func nearestFirst(at geom.Vec, list []spoke) []spoke {
	for i := range list {
		if list[i].middle.Dist(at) < list[0].middle.Dist(at) {
			list[0], list[i] = list[i], list[0]
		}
	}
	return list
}

func (p *lensPicture) drawGhost(name string, at geom.Vec) {
	p.draw("ring", name, at)
	p.write(name, at, "%s", name)
}

func spokeOf(at, far geom.Vec, index int) spoke {
	d := far.Sub(at)
	return spoke{far, at.Lerp(far, 0.5), math.Atan2(d.Y, d.X), index}
}

// match draws the search from one segment: an arc to the first candidate in the direction of the search, with its
// angle, and the angles of the others. A turn of zero counts as a whole turn.
func (p *lensPicture) match(at geom.Vec, from spoke, candidates []spoke, clockwise bool) {
	best, least := -1, math.Inf(1)
	turns := make([]float64, len(candidates))
	for i, c := range candidates {
		turn := c.dir - from.dir
		if clockwise {
			turn = -turn
		}
		if turn = math.Mod(turn+4*math.Pi, 2*math.Pi); turn < 1e-9 || turn > 2*math.Pi-1e-9 {
			turn = 2 * math.Pi
		}
		turns[i] = turn
		if turn < least {
			best, least = i, turn
		}
	}
	role, sign := "search out", -1.0
	if !clockwise {
		role, sign = "search in", 1
	}
	for i := range candidates {
		if i != best {
			p.say("not matched", "at %.0f\u00b0", turns[i]*180/math.Pi)
			continue
		}
		radius := 0.32
		if !clockwise {
			radius = 0.22
		}
		p.arc(role, at, from.dir, sign*least, radius)
		middle := from.dir + sign*least/2
		p.write(role, at.Add(geom.V(math.Cos(middle), math.Sin(middle)).Mul(radius+0.14)), "%.0f\u00b0",
			least*180/math.Pi)
	}
}

// arc draws an arc around a centre, by short lines, with a head.
func (p *lensPicture) arc(role string, at geom.Vec, from, turn, radius float64) {
	const lines = 16
	point := func(k int) geom.Vec {
		a := from + turn*float64(k)/lines
		return at.Add(geom.V(math.Cos(a), math.Sin(a)).Mul(radius))
	}
	for k := range lines - 1 {
		p.draw("line", role, point(k), point(k+1))
	}
	p.draw("arrow", role, point(lines-1), point(lines))
}

// nearestVertex returns the end of a segment that is nearest to a point.
func nearestVertex(on onGround, segments []gridseg.Segment, at geom.Vec) (best gridseg.Point, ok bool) {
	least := 1.5
	for i := range segments {
		for _, v := range [...]gridseg.Point{segments[i].A, segments[i].B} {
			if d := on.at(v).Dist(at); d < least {
				best, least, ok = v, d, true
			}
		}
	}
	return best, ok
}
