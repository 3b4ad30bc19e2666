package mover

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Skin is the distance, in units of length, that Slide keeps between a shape and surfaces, so that casts do not
// start in contact. It is larger than the errors of queries, and too small to be seen.
const Skin = 0.01

const (
	slides       = 5    // parts of a motion: each ends at a surface
	planePasses  = 32   // over the planes, for a motion that satisfies all of them
	leastSlide   = 1e-6 // units of length; a shorter rest of a motion is dropped
	rising       = 1e-6 // units of length a second: less along up is the rounding of Turn
	passingDepth = 0.1  // units of length; a shape deeper in the front of a one-way tile is passing it
)

// Mover is a shape that moves, with a filter of its obstacles. Only Shape must be set.
type Mover struct {
	// Shape is the outline in the mover's frame, which turns only by Turn; in most games it is an upright
	// geom.Capsule. It must be one of geom's shapes, by value, and be Valid: any other shape finds no obstacles.
	Shape geom.Shape
	// Turn is the angle of the shape's frame, in radians, finite. Its y axis is up: with 0, that of the world. On a round
	// world set it before each Move, from the direction to the centre. Velocity, Position and normals stay in the world's axes.
	Turn float64
	// Filter chooses the obstacles. Its Solid and OneWay are not used: one-way tiles stop a mover from
	// their front.
	Filter quarry.QueryFilter
	// MaxSlope is the steepest slope that the mover stands on and walks up, in radians, below pi/2; 0
	// means 0.9 (about 52 degrees). Steeper surfaces are walls.
	MaxSlope float64
	// DropThrough lets the mover pass all one-way tiles.
	DropThrough bool

	planes []quarry.Plane // those of the last Slide
	pushes []float64
}

// Planes returns the contact planes within 2*Skin of the place at which the last part of the last Slide began, valid
// until the next one.
func (m *Mover) Planes() []quarry.Plane { return m.planes }

// filter returns the filter of the mover's queries.
func (m *Mover) filter() quarry.QueryFilter {
	f := m.Filter
	f.Solid, f.OneWay = false, quarry.OneWayAsBodies
	if m.DropThrough {
		f.OneWay = quarry.OneWayIgnored
	}
	return f
}

// axes returns the rotation of the shape's frame.
func (m *Mover) axes() geom.Rot { return geom.NewRot(m.Turn) }

// walkable returns the least y, in the shape's frame, of the normal of a surface to stand on.
func (m *Mover) walkable() float64 {
	angle := m.MaxSlope
	if angle == 0 {
		angle = 0.9
	}
	_, cos := geom.SinCos(angle)
	return cos
}

// at returns the frame of the shape at p.
func (m *Mover) at(p geom.Vec) geom.Transform { return geom.Transform{P: p, Q: m.axes()} }

// cast moves the shape from p by d, a vector of the shape's frame.
func (m *Mover) cast(w *quarry.World, p, d geom.Vec) (quarry.CastHit, bool) {
	return w.ShapeCast(m.Shape, m.at(p), m.axes().Apply(d), m.filter())
}

// collect sets m.planes to the contact planes at p of a motion by d, without the fronts of one-way tiles
// that the mover is passing.
func (m *Mover) collect(w *quarry.World, p, d geom.Vec) {
	all := w.AppendPlanes(m.planes[:0], m.Shape, m.at(p), 2*Skin, m.filter())
	m.planes = all[:0]
	for _, pl := range all {
		oneWay := pl.Ground != 0 && w.Material(pl.Material).OneWay != quarry.NotOneWay
		if oneWay && (pl.Separation < -passingDepth || d.Dot(pl.Normal) > 0 && pl.Separation < 0) {
			continue
		}
		m.planes = append(m.planes, pl)
	}
}

// solve returns the motion nearest to d that keeps the distance Skin from all planes. With walls, surfaces
// too steep to stand on push sideways only, so that walking does not climb them. It projects on
// one plane after the other and keeps the sum of each plane's pushes positive: Dykstra's algorithm for
// half-spaces (R. L. Dykstra, J. American Statistical Association 78, 1983).
func (m *Mover) solve(d geom.Vec, walls bool) geom.Vec {
	m.pushes = m.pushes[:0]
	for range m.planes {
		m.pushes = append(m.pushes, 0)
	}
	least, q := m.walkable(), m.axes()
	for range planePasses {
		most := 0.0
		for i := range m.planes {
			n, missing := m.planes[i].Normal, Skin-m.planes[i].Separation
			if own := q.Inv(n); walls && own.Y > 0 && own.Y < least && own.X != 0 {
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
	target := p.Add(d)
	for range slides {
		m.collect(w, p, target.Sub(p))
		part := m.solve(target.Sub(p), walls)
		if hit, ok := w.ShapeCast(m.Shape, m.at(p), part, m.filter()); ok {
			part = part.Mul(hit.Fraction)
		}
		p = p.Add(part)
		if part.Len() < leastSlide {
			break
		}
	}
	return p
}

// Clip returns the velocity v without its parts into the planes of the last Slide.
func (m *Mover) Clip(v geom.Vec) geom.Vec {
	for range 2 { // a corner has two planes
		for i := range m.planes {
			if into := v.Dot(m.planes[i].Normal); into < 0 {
				v = v.MulAdd(-into, m.planes[i].Normal)
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
		if !ok || b.Type() != quarry.Dynamic || m.axes().Inv(pl.Normal).Y > m.walkable() {
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
