package query

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Ways is how a query treats one-way tiles.
type Ways uint8

// The rules for one-way tiles, with the numbers of quarry.OneWayQuery.
const (
	AsSolid  Ways = iota // solid from all sides, like other tiles
	AsBodies             // their faces stop a probe that comes from the front
	AsNone               // they are air
)

const (
	// touchSlop (units of length) is the distance up to which two surfaces touch. It is above the
	// rounding of positions computed from a hit, and below any visible distance.
	touchSlop = 1e-9
	// slideSine is the sine of the angle to a surface up to which a motion is along it: above the
	// rounding of a velocity from which the part along the normal was taken.
	slideSine = 1e-12
	// coneSine is the sine of the angle by which a normal may lie beyond the normals of the two faces
	// at a corner. A probe that rests on a surface, a rounding error deep, meets the ends of the
	// segments ahead at angles far above it.
	coneSine = 1e-9
	// endSlop (units of length) widens a face along itself, so that no probe passes between the face
	// and its corner because of rounding.
	endSlop = 1e-7
	// sameSlop (units of length) is the distance up to which two hits of a ray are one, at a common
	// end of two segments.
	sameSlop = 1e-9
	// endSine limits the normals of an open end, as in package collide.
	endSine = 0.7071067811865476
)

// Probe is the convex shape of a query, in the frame of the target.
type Probe struct {
	Hull   collide.Hull   // in its own frame
	Origin geom.Vec       // the hull's centroid, in the frame of the target
	At     geom.Transform // of the hull's frame, relative to Origin
	Core   geom.Core      // the hull, relative to Origin
	Box    geom.AABB      // of the hull, relative to Origin
	D      geom.Vec       // the motion of a cast
	Extent float64        // distance of the hull's farthest point from Origin
	Ray    bool           // the probe is a point: a target that it starts in does not stop it
	Solid  bool           // an overlap at the start is a hit, whichever way the probe moves
	Ways   Ways
}

// PointHull is the hull of the origin alone.
var PointHull = collide.Hull{N: 1}

// Place places the probe, with the pose at and the motion d in the world, in a frame.
func (p *Probe) Place(frame, at geom.Transform, d geom.Vec) {
	rel := frame.InvMul(at)
	p.At = geom.Transform{P: rel.Q.Apply(p.Hull.Centroid).Neg(), Q: rel.Q}
	p.Origin = rel.P.Sub(p.At.P)
	p.D = frame.Q.Inv(d)
	p.Core.N, p.Core.Radius = p.Hull.N, p.Hull.Radius
	for i := range p.Hull.N {
		p.Core.V[i] = p.At.Apply(p.Hull.V[i])
	}
	p.Box = p.Hull.Bounds(p.At)
	p.Extent = p.Hull.Extent(p.Hull.Centroid)
}

// HullOf returns the hull of s, and false if s is nil or not valid. It panics if s is not one of geom's shapes, by
// value: a pointer to one has the methods of the interface, too. It calls no method of the interface, so that s need
// not escape to the heap.
func HullOf(s geom.Shape) (collide.Hull, bool) {
	var err error
	switch s := s.(type) {
	case geom.Circle:
		err = s.Valid()
	case geom.Capsule:
		err = s.Valid()
	case geom.Segment:
		err = s.Valid()
	case geom.Polygon:
		err = s.Valid()
	case nil:
		return collide.Hull{}, false
	default:
		panic("quarry: the shape of a query is not one of geom's shapes, by value: pass a geom.Capsule, not a " +
			"pointer to it")
	}
	if err != nil {
		return collide.Hull{}, false
	}
	h := collide.NewHull(s)
	return h, h.N > 0
}

// coreOf returns the core of a hull.
func coreOf(h *collide.Hull) geom.Core { return geom.Core{V: h.V, N: h.N, Radius: h.Radius} }

// blocks reports whether a surface with the normal n, which the probe touches or overlaps at the start,
// stops it.
func (p *Probe) blocks(n geom.Vec) bool {
	return p.Solid || n.Dot(p.D) < -slideSine*p.D.Len()
}

// castFace returns where the probe first touches the front of f, relative to Origin, at a fraction below
// most; touches at the start are left to the planes.
//
// The first touch is of the face and the probe's nearest vertex or edge, or of the face's end and the
// probe. An end stops the probe only along normals in the corner's normal cone. Corners at B are left to
// the next face.
func (p *Probe) castFace(f *collide.Face, most float64) (fraction float64, normal, point geom.Vec, ok bool) {
	t, length := f.B.Sub(f.A).Unit()
	if length == 0 {
		return 0, geom.Vec{}, geom.Vec{}, false
	}
	n := t.Right()
	pace := p.D.Len()
	if speed := n.Dot(p.D); speed < -slideSine*pace {
		low := math.MaxFloat64
		for _, v := range p.Core.V[:p.Core.N] {
			low = min(low, n.Dot(v.Sub(f.A)))
		}
		if gap := low - p.Core.Radius; gap >= -touchSlop {
			if time := max(0, gap) / -speed; time < most {
				move := p.D.Mul(time)
				lo, hi := math.MaxFloat64, -math.MaxFloat64
				for _, v := range p.Core.V[:p.Core.N] {
					if a := v.Sub(f.A); n.Dot(a) <= low+float64(touchSlop*(1+p.Extent)) {
						x := t.Dot(a.Add(move))
						lo, hi = min(lo, x), max(hi, x)
					}
				}
				if end := float64(endSlop * (1 + p.Extent)); hi >= -end && lo <= length+end {
					x := 0.5 * (max(0, min(length, lo)) + max(0, min(length, hi)))
					most, normal, point, ok = time, n, f.A.MulAdd(x, t), true
				}
			}
		}
	}
	if p.Extent == 0 {
		return most, normal, point, ok
	}
	if g := f.Ghost1.Sub(f.A); !f.HasGhost1 || isConvex(n, t, g) {
		if time, m, hit := p.castCorner(f.A, n, t, g, f.HasGhost1, most); hit {
			most, normal, point, ok = time, m, f.A, true
		}
	}
	if !f.HasGhost2 {
		if time, m, hit := p.castCorner(f.B, n, t.Neg(), geom.Vec{}, false, most); hit {
			most, normal, point, ok = time, m, f.B, true
		}
	}
	return most, normal, point, ok
}

// isConvex reports whether the corner of a face with normal n, from which the face runs along t and the
// neighbour along g, is convex.
func isConvex(n, t, g geom.Vec) bool {
	const flatSine = 1e-6 // as in package collide
	h, flat := n.Dot(g), flatSine*g.Len()
	return h < -flat || h <= flat && t.Dot(g) > 0
}

// castCorner is castFace for the corner c.
func (p *Probe) castCorner(c, n, t, g geom.Vec, joined bool, most float64) (time float64, normal geom.Vec, ok bool) {
	u, l := p.D.Unit()
	reach := p.Extent + touchSlop
	if l == 0 || math.Abs(u.Cross(c)) > reach {
		return 0, geom.Vec{}, false
	}
	if at := u.Dot(c); at < -reach || at > float64(most*l)+reach {
		return 0, geom.Vec{}, false
	}
	corner := geom.PointCore(c)
	hit, ok := geom.ShapeCast(&p.Core, &corner, geom.Transform{Q: geom.Identity}, p.D.Neg())
	if !ok || hit.Fraction >= most {
		return 0, geom.Vec{}, false
	}
	m := hit.Normal.Neg()
	if m.Dot(t) > coneSine || joined && m.Dot(g) > float64(coneSine*g.Len()) || !joined && m.Dot(n) < -endSine {
		return 0, geom.Vec{}, false
	}
	return hit.Fraction, m, true
}
