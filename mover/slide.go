package mover

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Skin is the distance, in units of length, that Slide keeps between a shape and surfaces where there is room. It is
// larger than the errors of queries, and too small to be seen.
const Skin = 0.01

const (
	slides      = 5    // parts of a motion: each ends at a surface
	planePasses = 32   // over the planes, for a motion that satisfies all of them
	leastSlide  = 1e-6 // units of length; a shorter rest of a motion is dropped
	rising      = 1e-6 // units of length a second: less along up is the rounding of Turn
	parallel    = 1e-9 // 1 less the cosine of the angle between normals of surfaces that face each other
	backward    = 0.5  // sine of the angle to a motion above which a push undoes the motion
)

// Mover is a shape that moves, with a filter of its obstacles. Only Shape must be set.
type Mover struct {
	// Shape is the outline in the mover's frame, which turns only by Turn; in most games it is an upright
	// geom.Capsule. It must be one of geom's shapes, by value, and be Valid: any other shape finds no obstacles.
	Shape geom.Shape
	// Turn is the angle of the shape's frame, in radians, finite. Its y axis is up: with 0, the world's. On a round
	// world set it before each Move, from the direction to the centre. Velocity, Position and normals stay in the
	// world's axes.
	Turn float64
	// Filter chooses the obstacles. Its Solid and OneWay are not used: one-way tiles stop a mover from
	// their front.
	Filter quarry.QueryFilter
	// MaxSlope is the steepest slope that the mover stands on and walks up, in radians, below pi/2; 0 means 0.9 (about
	// 52 degrees). Slopes that are steeper by more than 0.001 are walls.
	MaxSlope float64
	// DropThrough lets the mover pass all one-way tiles.
	DropThrough bool

	outlines
	planes []quarry.Plane // of the last Slide
	near   geom.Vec       // the place at which they were collected
	fresh  bool           // they are of this Slide
	spare  []quarry.Plane // memory of other planes
	skins  []float64      // see solve
	pushes []float64
	rider  *rider
	// dropping is set from a drop through one-way tiles of a body that moves until the mover touches none.
	dropping bool
	// rode is the body that carried the mover in the last Move, of lastDT seconds. Tiles of other bodies may have come
	// to the mover since.
	rode   quarry.BodyID
	lastDT float64
}

// Planes returns the contact planes within 2*Skin of the place at which the last Slide ended, valid until the next one.
func (m *Mover) Planes() []quarry.Plane { return m.planes }

// filter returns the filter of the mover's queries.
func (m *Mover) filter() quarry.QueryFilter {
	f := m.Filter
	f.Solid, f.OneWay = false, quarry.OneWayAsBodies
	if m.DropThrough || m.dropping {
		f.OneWay = quarry.OneWayIgnored
	}
	if m.rider != nil && m.rider.on != 0 {
		m.rider.test, f.Test = f.Test, m.rider.both
	}
	return f
}

// axes returns the rotation of the shape's frame.
func (m *Mover) axes() geom.Rot { return geom.NewRot(m.Turn) }

// slopeSlop, in radians, is the angle above MaxSlope up to which a surface is walkable. Where a long slope crosses a
// border of cells beside a lattice point, the lattice bends it by about so much.
const slopeSlop = 1e-3

// steep reports whether a surface with the normal n, in the shape's frame, is too steep to stand on.
func (m *Mover) steep(n geom.Vec) bool {
	sin, cos := m.maxSlope()
	return n.Y <= 0 || float64(math.Abs(n.X)*cos) > float64(n.Y*sin)
}

// maxSlope returns the sine and cosine of the steepest slope that is walkable.
func (m *Mover) maxSlope() (sin, cos float64) {
	angle := m.MaxSlope
	if angle == 0 {
		angle = 0.9
	}
	return geom.SinCos(angle + slopeSlop)
}

// at returns the frame of the shape at p.
func (m *Mover) at(p geom.Vec) geom.Transform { return geom.Transform{P: p, Q: m.axes()} }

// cast moves the shape from p by d, a vector of the world, and returns where it meets an obstacle.
func (m *Mover) cast(w *quarry.World, p, d geom.Vec) (quarry.CastHit, bool) {
	l := d.Len()
	if l == 0 {
		return quarry.CastHit{}, false
	}
	// The inner outline decides whether there is an obstacle: surfaces in touch, and corners that the shape grazes, are
	// none.
	m.update()
	beyond := m.room / m.tilt()
	hit, ok := w.ShapeCast(m.inner, m.at(p), d.Mul(1+beyond/l), m.filter())
	if !ok {
		return hit, false
	}
	far := float64(hit.Fraction*(l+beyond)) - m.room/max(-hit.Normal.Dot(d)/l, m.tilt())
	if outer, ok := w.ShapeCast(m.outer, m.at(p), d, m.filter()); ok &&
		float64(outer.Fraction*l) > far-float64(8*m.room) {
		return outer, true
	}
	hit.Fraction = max(0, far/l)
	return hit, far < l
}

// free reports whether no obstacle stops the shape on its way from p by d, nor within 2*Skin beyond.
func (m *Mover) free(w *quarry.World, p, d geom.Vec) bool {
	l := d.Len()
	if l == 0 {
		return true
	}
	m.update()
	_, hit := w.ShapeCast(m.inner, m.at(p), d.Mul(1+(m.room+2*Skin)/l), m.filter())
	return !hit
}

// isSlope reports whether n, in the shape's frame, is the normal of a slope that is too steep to stand on.
func (m *Mover) isSlope(n geom.Vec) bool { return n.Y > 0 && n.X != 0 && m.steep(n) }

// collect sets m.planes to the contact planes at p of a motion by d, without the fronts of one-way tiles
// that the mover is passing: those that it is behind.
func (m *Mover) collect(w *quarry.World, p, d geom.Vec) {
	m.update()
	m.near, m.fresh = p, true
	all := w.AppendPlanes(m.planes[:0], m.outer, m.at(p), 2*Skin, m.filter())
	m.planes = all[:0]
	for _, pl := range all {
		if oneWay(w, pl.Target) {
			brought := 0.0 // by the last step, out of the tile
			if b, ok := w.Body(pl.Body); ok && pl.Body != m.rode {
				brought = float64(b.VelocityAt(pl.Point).Dot(pl.Normal) * m.lastDT)
			}
			if -pl.Separation-max(0, brought) > Skin || d.Dot(pl.Normal) > brought && pl.Separation < 0 {
				continue
			}
		}
		m.planes = append(m.planes, pl)
	}
}

// oneWay reports whether t is a one-way tile.
func oneWay(w *quarry.World, t quarry.Target) bool {
	return t.Ground != 0 && w.Material(t.Material).OneWay != quarry.NotOneWay
}

// solve returns the motion nearest to d that keeps the distance skin from all planes. Between two surfaces that face
// each other with less room, it keeps to the middle. With walls, surfaces too steep to stand on push sideways only, so
// that walking does not climb them. It projects on one plane after the other and keeps the sum of each plane's pushes
// positive: Dykstra's algorithm for half-spaces (R. L. Dykstra, J. American Statistical Association 78, 1983).
func (m *Mover) solve(d geom.Vec, skin float64, walls bool) geom.Vec {
	m.pushes, m.skins = m.pushes[:0], m.skins[:0]
	for i := range m.planes {
		own := skin
		for j := range m.planes {
			if m.planes[i].Normal.Dot(m.planes[j].Normal) < parallel-1 {
				own = min(own, 0.5*(m.planes[i].Separation+m.planes[j].Separation))
			}
		}
		m.pushes, m.skins = append(m.pushes, 0), append(m.skins, own)
	}
	q := m.axes()
	for range planePasses {
		most := 0.0
		for i := range m.planes {
			n, missing := m.planes[i].Normal, m.skins[i]-m.planes[i].Separation
			if own := q.Inv(n); walls && m.isSlope(own) {
				missing /= math.Abs(own.X)
				n = q.Apply(geom.V(math.Copysign(1, own.X), 0))
			}
			push := max(0, m.pushes[i]+missing-d.Dot(n))
			change := push - m.pushes[i]
			d, m.pushes[i] = d.MulAdd(change, n), push
			most = max(most, math.Abs(change))
		}
		if most < leastSlide {
			break
		}
	}
	return d
}

// Slide moves m from p by d, and along the surfaces in the way, and returns the position at the end. It first moves
// m out of the obstacles that it overlaps. With walls set, as for a character that walks, surfaces steeper than
// MaxSlope do not lift m. Slide stops at obstacles on the whole path, at any speed.
func (m *Mover) Slide(w *quarry.World, p, d geom.Vec, walls bool) geom.Vec {
	end, _ := m.slide(w, p, d, walls)
	return end
}

// slide is Slide. It also reports whether a part of the motion along d is missing at the end.
func (m *Mover) slide(w *quarry.World, p, d geom.Vec, walls bool) (end geom.Vec, stopped bool) {
	m.fresh = false
	p = m.part(w, p, d, d, geom.Vec{}, 0, walls)
	target, free := p.Add(d), true
	for range slides {
		rest := target.Sub(p)
		if rest.Len() < leastSlide {
			break
		}
		if m.free(w, p, rest) {
			p = target
			break
		}
		next := m.part(w, p, d, d, rest, Skin, walls)
		short := next.Dist(p) < leastSlide
		if p, free = next, false; short {
			break
		}
	}
	stopped = target.Sub(p).Dot(d) > float64(leastSlide*d.Len())
	kept := d
	if !free {
		kept = geom.Vec{} // an obstacle is ahead: a move back to Skin undoes nothing
	}
	return m.part(w, p, d, kept, geom.Vec{}, Skin, walls), stopped
}

// part moves m from p by rest, a part of the motion d, as far as planes and obstacles let it. If rest is 0, it moves m
// to the distance skin from surfaces. It only moves m out of overlap if that would undo the motion kept or needs a long
// way, as at the mouth of a tunnel of the height of m.
func (m *Mover) part(w *quarry.World, p, d, kept, rest geom.Vec, skin float64, walls bool) geom.Vec {
	if !m.fresh || m.near != p {
		m.collect(w, p, d)
	}
	x := m.solve(rest, skin, walls)
	if l := x.Len(); rest == (geom.Vec{}) && (l > 2*Skin || x.Dot(kept) < float64(-backward*l)*kept.Len()) {
		x = m.solve(rest, 0, walls)
	}
	if x.Len() < leastSlide {
		return p
	}
	if hit, ok := m.cast(w, p, x); ok {
		x = x.Mul(hit.Fraction)
	}
	for i := range m.planes {
		m.planes[i].Separation += x.Dot(m.planes[i].Normal)
	}
	return p.Add(x)
}

// Clip returns the velocity v without its parts into the planes of the last Slide, as if these were at rest.
func (m *Mover) Clip(v geom.Vec) geom.Vec { return m.clip(nil, v) }

// clip is Clip. Unless w is nil, the planes move with their bodies.
func (m *Mover) clip(w *quarry.World, v geom.Vec) geom.Vec {
	for range 2 { // a corner has two planes
		for _, pl := range m.planes {
			into := v.Dot(pl.Normal)
			if w != nil {
				if b, ok := w.Body(pl.Body); ok {
					into -= b.VelocityAt(pl.Point).Dot(pl.Normal)
				}
			}
			if into < 0 {
				v = v.MulAdd(-into, pl.Normal)
			}
		}
	}
	return v
}

// Fits reports whether m, with another shape, would overlap no obstacle at p. Call it before a character stands up.
func (m *Mover) Fits(w *quarry.World, s geom.Shape, p geom.Vec) bool {
	return !w.Overlaps(s, m.at(p), m.filter())
}

// Push applies impulses to the dynamic bodies that the planes of the last Slide belong to, as if a body of
// the given mass moved into them at velocity v: at most force*dt for each plane, so
// a body of several shapes may get more. Call it with the velocity before Clip.
func (m *Mover) Push(w *quarry.World, v geom.Vec, mass, force, dt float64) {
	for i := range m.planes {
		pl := &m.planes[i]
		b, ok := w.Body(pl.Body)
		if !ok || b.Type() != quarry.Dynamic || !m.steep(m.axes().Inv(pl.Normal)) {
			continue
		}
		coming := b.VelocityAt(pl.Point).Sub(v).Dot(pl.Normal)
		if coming <= 0 {
			continue
		}
		impulse := min(coming*mass*b.Mass()/(mass+b.Mass()), force*dt)
		b.ApplyImpulse(pl.Normal.Mul(-impulse), pl.Point)
	}
}
