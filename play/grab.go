package play

import (
	"errors"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// A player drags a body with a MouseJoint of its own: weak enough that the body does not go through
// others, strong enough to lift a hundred bodies of its mass.
const (
	grabHertz   = 4
	grabDamping = 0.8
	grabPull    = 1000 // force, in units of the body's mass
)

// grab moves the target of the player's drag; without one it begins a drag of the body at the point.
func (w *World) grab(p *player, m Command) error {
	q, at := w.in.World, geom.V(m.X, m.Y)
	if j, ok := q.Joint(p.grabbed); ok {
		j.SetTarget(at)
		return nil
	}
	p.grabbed = 0
	if m.All { // the drag goes on, but the body is gone
		return nil
	}
	b, ok := w.bodyAt(at)
	if !ok || b.Type() != quarry.Dynamic {
		return errors.New("grab: there is no dynamic body at this point")
	}
	base := q.JointAt(0, b.ID(), at)
	base.CollideConnected = true
	p.grabbed = q.AddJoint(quarry.MouseJoint{
		JointBase: base, Target: at, MaxForce: grabPull * b.Mass(),
		Spring: quarry.JointSpring{Hertz: grabHertz, DampingRatio: grabDamping},
	})
	w.bodies = q.Stats().Bodies // with the static body of the world, which the first such joint makes
	return nil
}

// release ends the player's drag and stroke.
func (w *World) release(p *player, _ Command) error {
	w.letGo(p)
	w.in.World.RemoveJoint(p.grabbed)
	p.grabbed = 0
	return nil
}
