package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// A point of two faces is a vertex of one of them, at a distance from the other one. If it is deep, the faces may
// overlap only with their lines: one of them may be on the far side of a solid, or of a gap. They overlap in fact if
// the vertex is in the other solid, and the way from it to the other face leads through that solid alone. So outlines
// that do not cross have no deep point.

// aside (cells) is the distance of the way from the surfaces at its ends. A vertex may be on another face of the
// other solid, to rounding, so the way begins a little way along the vertex's face. aside is more than the widths by
// which collide.Edges widens faces, and than a lattice step, to which solidAround rounds.
const aside = 4 / surface.Lattice

// sides are the tiles of both sides and their places.
type sides struct {
	a, b       *gridseg.Grid // a is nil for a chain
	origin, at geom.Vec      // see narrow.exitShape.Origin and Outline.At
	q          geom.Rot      // of side B in side A
}

// set sets s to the sides of a contact.
func (s *sides) set(in *Input, b *Outline) {
	*s = sides{b: b.Tiles.Grid, origin: in.Origin, at: b.At, q: in.At.Q}
	if in.Chain == nil {
		s.a = in.Tiles.Grid
	}
}

// inA and inB report whether the place p, relative to the centre of mass of side B in the axes of side A, is in the
// solid of that side; a chain has none.
func (s *sides) inA(p geom.Vec) bool {
	p = p.Add(s.origin)
	return s.a != nil && s.a.Solid(p.X, p.Y)
}

func (s *sides) inB(p geom.Vec) bool {
	p = s.q.Inv(p).Add(s.at)
	return s.b.Solid(p.X, p.Y)
}

// solidB reports whether side B is solid all the way from p to p+d.
func (s *sides) solidB(p, d geom.Vec) bool { return solidAlong(s.b, s.q.Inv(p).Add(s.at), s.q.Inv(d)) }

// overlap reports whether the solids overlap at the deep point p of the faces a and b; n is the normal, from a to b.
func (s *sides) overlap(p *collide.Point, n geom.Vec, a, b *collide.Edge) bool {
	depth := -p.Separation
	if depth > stepDepth {
		return false
	}
	id, of, to := p.ID.Flip(), b, n
	ofA, _ := p.ID.Vertices()
	if ofA {
		id, of, to = p.ID, a, n.Neg()
	}
	end := 0
	if id.CornerB() {
		end = 1
	}
	from, way := of.Beside(end, aside).MulAdd(2*aside, to), to.Mul(depth-4*aside)
	switch {
	case ofA:
		return s.solidB(from, way)
	case s.a != nil:
		return solidAlong(s.a, from.Add(s.origin), way)
	}
	return s.crosses(a, b, end) || s.solidB(from, way)
}

// crosses reports whether side B reaches from the given end of its face b, behind the face a of a chain, to that
// face. A chain has no inside, and an acute corner of B no solid straight behind it; but then one of its faces
// crosses the chain.
func (s *sides) crosses(a, b *collide.Edge, end int) bool {
	if collide.Crossing(a, b, 0) > 0 {
		return true
	}
	d, n := b.Next(end)
	p := b.End(end).MulAdd(2*aside, d).MulAdd(-aside, n)
	far, ok := a.Hit(p, d)
	return ok && s.solidB(p, d.Mul(far))
}

// solidAlong reports whether the ground is solid from p, in cells, all the way to p+d, also of one-way tiles: of
// these only the faces that stop the other side collide.
func solidAlong(g *gridseg.Grid, p, d geom.Vec) bool {
	if !solidAround(g, p) || !solidAround(g, p.Add(d)) {
		return false
	}
	const step = 1 / surface.Lattice
	for way, left := d.Unit(); left > 0; {
		// A way that leaves the solid comes back to it through the front of a face.
		hit, ok := g.RayCast(p.X, p.Y, float64(way.X*left), float64(way.Y*left))
		if !ok {
			return true
		}
		// A face that layers preserve has solid in front, and so has a corner that the way only touches.
		at := geom.V(hit.X, hit.Y)
		if before := at.MulAdd(-step, way); !g.Solid(before.X, before.Y) {
			return false
		}
		p, left = at.MulAdd(step, way), float64(left*(1-hit.Fraction))-step
	}
	return true
}

// solidAround reports whether the lattice points around p, in cells, are all solid.
func solidAround(g *gridseg.Grid, p geom.Vec) bool {
	x, y := p.X+1/surface.Lattice, p.Y+1/surface.Lattice // Solid rounds down
	return g.Solid(p.X, p.Y) && g.Solid(x, y) && g.Solid(p.X, y) && g.Solid(x, p.Y)
}
