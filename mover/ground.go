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

	contact geom.Vec // the normal of the contact, also at an edge
	rest    float64  // the Distance at which the surfaces are Skin apart, along contact
}

// edge is the distance from a corner, in units of length, at which GroundUnder looks for a surface to stand on.
const edge = 0.02

// leastRest limits the distance at which a mover rests above an edge that it touches with its side to 2.5*Skin.
const leastRest = 0.4

// landing is the distance, in units of length, at which a mover that does not rise stands on the ground: half more than
// the distance to a surface of MaxSlope that is Skin away.
func (m *Mover) landing() float64 { return 1.5 * Skin / m.tilt() }

// tilt returns the smallest y of the normal of a contact on which m rests.
func (m *Mover) tilt() float64 {
	_, cos := m.maxSlope()
	return max(0.05, min(leastRest, cos))
}

// GroundUnder returns the surface within reach below m at p, if it is no steeper than MaxSlope. At a corner it
// returns the flatter of the two surfaces, if the corner is no more than reach or Skin above the lowest point of m.
// If ok is false, the Footing has no meaning.
func (m *Mover) GroundUnder(w *quarry.World, p geom.Vec, reach float64) (Footing, bool) {
	return m.ground(w, p, reach, 1)
}

// ground is GroundUnder. A corner at which the y of the contact's normal, in the shape's frame, is at least high may be
// farther above the lowest point of m.
func (m *Mover) ground(w *quarry.World, p geom.Vec, reach, high float64) (Footing, bool) {
	q := m.axes()
	hit, ok := m.cast(w, p, q.Apply(geom.V(0, -reach)))
	if !ok {
		return Footing{}, false
	}
	g := Footing{Target: hit.Target, Point: hit.Point, Normal: hit.Normal, contact: hit.Normal}
	g.Distance = float64(hit.Fraction * reach)
	own := q.Inv(hit.Normal)
	g.rest = Skin / max(own.Y, m.tilt())
	if !m.steep(own) {
		return g, true
	}
	if m.above(g.Point, p)+g.Distance > max(reach, Skin) && own.Y < high {
		return g, false
	}
	flattest := own.Y
	for _, side := range [...]float64{-edge, edge} {
		from := g.Point.Add(q.Apply(geom.V(side, edge)))
		on, ok := w.RayCast(from, q.Apply(geom.V(0, -2*edge)), m.filter())
		if !ok {
			continue
		}
		if n := q.Inv(on.Normal); !m.steep(n) && n.Y >= flattest {
			g.Target, g.Normal, flattest = on.Target, on.Normal, n.Y
		}
	}
	return g, g.Normal != hit.Normal
}

// above returns the height of the point a above the lowest point of m at p.
func (m *Mover) above(a, p geom.Vec) float64 {
	up := m.axes().Apply(geom.V(0, 1))
	return a.Sub(p).Dot(up) - m.lowest(up)
}

// Velocity returns the velocity of the surface at g.Point, in units of length a second: its body's velocity there plus
// the belt speed of its material. A body that has been removed counts as at rest.
func (g *Footing) Velocity(w *quarry.World) geom.Vec {
	return g.bodyVelocity(w).MulAdd(w.Material(g.Material).TangentSpeed, g.along())
}

// bodyVelocity returns the velocity of the body at g.Point.
func (g *Footing) bodyVelocity(w *quarry.World) geom.Vec {
	if b, ok := w.Body(g.Body); ok {
		return b.VelocityAt(g.Point)
	}
	return geom.Vec{}
}

// along returns the unit vector along the surface, to the right of its normal.
func (g *Footing) along() geom.Vec { return geom.V(g.Normal.Y, -g.Normal.X) }

// StepUp returns the position of m after a motion from p by dx along the x axis of its frame, over a step that is at
// most height above the ground under m. The motion is shorter where another step or a wall is in the way, and longer
// where m would not come onto the step: by at most a twentieth of its width and 3*Skin. StepUp returns p and false if
// there is no such step: with room above it and a surface on it that is not too steep. Call it if Slide ended short of
// the motion.
func (m *Mover) StepUp(w *quarry.World, p geom.Vec, dx, height float64) (geom.Vec, bool) {
	q, base := m.axes(), 0.0 // the height of the ground above the foot: of a corner, to the side of a round foot
	if g, ok := m.ground(w, p, height+m.landing(), leastRest); ok {
		base = max(0, m.above(g.Point, p))
	}
	up := m.way(w, p, geom.V(0, base+height))
	raised, side := p.Add(q.Apply(geom.V(0, up))), math.Copysign(1, dx)
	onto := func(x float64) (geom.Vec, bool) {
		at := raised.Add(q.Apply(geom.V(x*side, 0)))
		g, ok := m.ground(w, at, up, leastRest)
		down := max(0, g.Distance-g.rest)
		// A contact of less than leastRest is at the side of the shape, which would slip off.
		ok = ok && up-down > leastStride && m.above(g.Point, p) <= base+height+Skin && q.Inv(g.contact).Y >= leastRest
		return at.Sub(q.Apply(geom.V(0, down))), ok
	}
	far := math.Abs(dx)
	most := m.way(w, raised, geom.V(side*max(far, float64(0.05*m.width())+3*Skin), 0))
	for x := min(far, most); x >= leastStride; x /= 2 {
		if at, ok := onto(x); ok {
			return at, true
		}
	}
	for x := most; x > max(far, leastStride); x /= 2 { // farther, it may touch the step beyond with its side
		if at, ok := onto(x); ok {
			return at, true
		}
	}
	return p, false
}

// way returns how far the shape moves from p along d, a vector of its frame: up to Skin from the first obstacle.
func (m *Mover) way(w *quarry.World, p, d geom.Vec) float64 {
	l := d.Len()
	if hit, ok := m.cast(w, p, m.axes().Apply(d.Mul(1+Skin/l))); ok {
		return max(0, float64(hit.Fraction*(l+Skin))-Skin)
	}
	return l
}
