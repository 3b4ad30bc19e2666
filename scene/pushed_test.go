package scene

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// pushes records the impulses of a world's grounds on bodies, step by step.
type pushes struct {
	points, bad int
	outs        int // pushes of law 3, out of solid or out of a wedge
	was         map[quarry.BodyID]geom.Vec
	contacts    []quarry.Contact
}

// step makes a step of in, and checks every loaded contact point of the ground by law 2 of
// contact: it lies on the surface, and pushes off a face along the face's own normal, or off a
// corner into air. A body that others have pressed into solid, or wedged, is pushed out from its
// middle, and counted apart.
func (p *pushes) step(t *testing.T, in *Instance) {
	t.Helper()
	w := in.World
	if p.was == nil {
		p.was = map[quarry.BodyID]geom.Vec{}
	}
	for b := range w.Bodies() {
		p.was[b.ID()] = b.CenterOfMass()
	}
	in.Step()
	p.contacts = w.AppendContacts(p.contacts[:0])
	for i := range p.contacts {
		c := &p.contacts[i]
		g, ok := w.Ground(c.Ground)
		if !ok {
			continue
		}
		s, _ := w.Shape(c.ShapeB)
		b := s.Body()
		// Contacts are reported at the body's new pose.
		moved := b.CenterOfMass().Sub(p.was[b.ID()])
		for k := range c.N {
			q := &c.Points[k]
			if q.Point == b.CenterOfMass() {
				p.outs++ // loaded or not: a push out relaxes to nothing
				continue
			}
			if q.NormalImpulse == 0 || !b.Awake() {
				continue
			}
			p.points++
			foot := q.Point.Sub(moved).MulAdd(-0.5*q.Separation, c.Normal)
			if !offSurface(g, foot, c.Normal) {
				if p.bad++; p.bad <= 5 {
					t.Errorf("step %d: %T at %v pushed along %v from %v (separation %v)", w.StepCount(), s.Geometry(),
						b.Position(), c.Normal, foot, q.Separation)
				}
			}
		}
	}
}

// offSurface reports whether a push along n from a point leads off the surface of g.
func offSurface(g quarry.Ground, foot, n geom.Vec) bool {
	const far = 1e-3 // some lattice steps
	x, y := int32(math.Floor(foot.X)), int32(math.Floor(foot.Y))
	on := false
	for _, s := range g.AppendSegments(nil, gridseg.Rect{MinX: x - 1, MinY: y - 1, MaxX: x + 1, MaxY: y + 1}) {
		a := geom.V(float64(s.A.X), float64(s.A.Y)).Mul(1.0 / gridseg.Unit)
		b := geom.V(float64(s.B.X), float64(s.B.Y)).Mul(1.0 / gridseg.Unit)
		if nearest(a, b, foot).Dist(foot) > 3e-6 {
			continue
		}
		on = true
		if m, _ := b.Sub(a).Right().Unit(); m.Dist(n) < 1e-6 {
			return true
		}
	}
	at := foot.MulAdd(far, n)
	if near, ok := g.Grid().Nearest(at.X, at.Y, 1); ok && near.Distance < 1.0/gridseg.Unit {
		return on // along the surface: Solid rounds to lattice steps
	}
	return on && !g.Solid(at)
}

// nearest returns the point of the segment from a to b that is nearest to p.
func nearest(a, b, p geom.Vec) geom.Vec {
	d := b.Sub(a)
	return a.MulAdd(max(0, min(1, p.Sub(a).Dot(d)/d.Len2())), d)
}

// energy returns the kinetic and potential energy of a world's bodies.
func energy(w *quarry.World) float64 {
	e := 0.0
	for b := range w.Bodies() {
		if b.Type() == quarry.Dynamic {
			e += 0.5*b.Mass()*b.Velocity().Len2() + 0.5*b.Inertia()*b.AngularVelocity()*b.AngularVelocity() +
				10*b.Mass()*b.CenterOfMass().Y
		}
	}
	return e
}
