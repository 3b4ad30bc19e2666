package mover

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Footing is the surface under a mover.
type Footing struct {
	quarry.Target          // with cell, tile and material under the foot
	Point         geom.Vec // of the surface, in the world
	// Normal is the normal of the surface: at the edge of a step the normal of its top, not of the corner.
	Normal geom.Vec
	// Distance is the distance from the mover down to the surface, in units of length, at least 0.
	Distance float64

	rest float64 // the Distance at which the surfaces are Skin apart, along the normal of the contact
}

// edge is the distance from a corner, in units of length, at which GroundUnder looks for a surface to stand on.
const edge = 0.02

// leastRest limits the distance at which a mover rests above an edge that it touches with its side to 2.5*Skin, the
// reach of a mover that lands.
const leastRest = 0.4

// GroundUnder returns the surface within reach below m at p, if it is no steeper than MaxSlope. At a corner it
// returns the flatter of the two surfaces, if the corner is no more than reach or Skin above the lowest point of m.
// If ok is false, the Footing has no meaning.
func (m *Mover) GroundUnder(w *quarry.World, p geom.Vec, reach float64) (Footing, bool) {
	q, f := m.axes(), m.filter()
	hit, ok := m.cast(w, p, geom.V(0, -reach))
	if !ok {
		return Footing{}, false
	}
	g := Footing{Target: hit.Target, Point: hit.Point, Normal: hit.Normal, Distance: float64(hit.Fraction * reach)}
	y := q.Inv(g.Normal).Y
	g.rest = Skin / max(y, leastRest)
	if y >= m.walkable() {
		return g, true
	}
	foot := m.box(p).Min.Y - g.Distance
	if q.Inv(g.Point).Y-foot > max(reach, Skin) {
		return g, false
	}
	for _, side := range [...]float64{-edge, edge} {
		from := g.Point.Add(q.Apply(geom.V(side, edge)))
		if on, ok := w.RayCast(from, q.Apply(geom.V(0, -2*edge)), f); ok && q.Inv(on.Normal).Y >= max(m.walkable(), q.Inv(g.Normal).Y) {
			g.Target, g.Normal = on.Target, on.Normal
		}
	}
	return g, q.Inv(g.Normal).Y >= m.walkable()
}

// box returns the box of the shape at p, in the axes of the shape's frame.
func (m *Mover) box(p geom.Vec) geom.AABB { return m.Shape.Bounds(geom.At(m.axes().Inv(p))) }

// Velocity returns the velocity of the surface at g.Point, in units of length a second: its body's velocity there plus
// the belt speed of its material. A body that has been removed counts as at rest.
func (g *Footing) Velocity(w *quarry.World) geom.Vec {
	v := geom.Vec{}
	if b, ok := w.Body(g.Body); ok {
		v = b.VelocityAt(g.Point)
	}
	belt := w.Material(g.Material).TangentSpeed
	return v.MulAdd(belt, geom.V(g.Normal.Y, -g.Normal.X))
}

// StepUp returns the position of m after a motion from p by dx along the x axis of its frame, over a step of at
// most the given height. It returns p and false if there is no such step: with room above it and beyond its edge,
// and a surface on it that is not too steep. Call it if Slide ended short of the motion.
func (m *Mover) StepUp(w *quarry.World, p geom.Vec, dx, height float64) (geom.Vec, bool) {
	q, up := m.axes(), geom.V(0, height)
	if hit, ok := m.cast(w, p, up); ok {
		up.Y = max(0, float64(hit.Fraction*height)-Skin)
	}
	raised := p.Add(q.Apply(up))
	// Look for the surface of the step beyond its edge: on the edge a round foot finds a corner.
	half := m.box(p)
	ahead := geom.V(dx, 0)
	probe := geom.V(dx+math.Copysign(float64((half.Max.X-half.Min.X)/2), dx), 0)
	if _, ok := m.cast(w, raised, ahead); ok {
		return p, false
	}
	if hit, ok := m.cast(w, raised, probe); ok {
		probe = probe.Mul(hit.Fraction)
	}
	beyond, ok := m.GroundUnder(w, raised.Add(q.Apply(probe)), up.Y)
	foot, top := half.Min.Y, q.Inv(beyond.Point).Y
	if !ok || top > foot+height+Skin || top < foot+Skin {
		return p, false // too high, or no step: the ground continues at the same height
	}
	p = raised.Add(q.Apply(ahead))
	down := geom.V(0, -up.Y)
	if hit, ok := m.cast(w, p, down); ok {
		down.Y = min(0, Skin-float64(hit.Fraction*up.Y))
	}
	return p.Add(q.Apply(down)), true
}
