package play

import (
	"errors"
	"fmt"

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

// maxJoints is the number of joints of the world at which the command "join" is refused.
const maxJoints = 2000

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

// join joins the bodies at the ends of a line, or a body to the world where there is no body.
func (w *World) join(_ *player, m Command) error {
	for _, v := range [...]float64{m.X0, m.Y0, m.X1, m.Y1} {
		if !within(v, MaxJointCoordinate) {
			return fmt.Errorf("join: the coordinate %v of the ends is out of range: it must be within %.0f of 0", v,
				float64(MaxJointCoordinate))
		}
	}
	world := w.in.World
	if err := w.jointRoom(); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	p, q := geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)
	a, okA := w.bodyAt(p)
	b, okB := w.bodyAt(q)
	switch {
	case !okA && !okB:
		return errors.New("join: there is no body at either end")
	case okA && okB && a.ID() == b.ID():
		return errors.New("join: both ends are on one body")
	case !okB: // B may not be the world
		a, b, p, q = b, a, q, p
		okA = false
	}
	from := quarry.BodyID(0)
	if okA {
		from = a.ID()
	}
	base := world.JointAt(from, b.ID(), q)
	var id quarry.JointID
	switch m.Kind {
	case "weld":
		id = world.AddJoint(quarry.WeldJoint{JointBase: base})
	case "distance":
		base.FrameA = world.JointAt(from, b.ID(), p).FrameA
		id = world.AddJoint(quarry.DistanceJoint{JointBase: base})
	default:
		id = world.AddJoint(quarry.RevoluteJoint{JointBase: base})
	}
	w.history.touched(thing{joint: id})
	w.bodies = world.Stats().Bodies
	return nil
}

// jointRoom returns an error if the world is full of joints.
func (w *World) jointRoom() error {
	n := 0
	for range w.in.World.Joints() {
		n++
	}
	if n >= maxJoints {
		return fmt.Errorf("the world has %d joints, the limit", n)
	}
	return nil
}
