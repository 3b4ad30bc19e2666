package play

import (
	"errors"
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// JointKinds are the kinds of joint of the command "join".
var JointKinds = []string{
	"revolute", "distance", "weld", "prismatic", "wheel", "motor", "gear", "ratchet", "filter",
}

const (
	// maxJoints is the number of joints of the world at which the command "join" is refused.
	maxJoints = 2000
	// jointReach is the distance in cells within which "unjoin" finds a joint.
	jointReach = 0.6
	// tooth is the angle between two teeth of a ratchet, in radians.
	tooth = math.Pi / 8
	// strong is the force of a motor whose Force is 0, in units of the mass of body B.
	strong = 100
)

// join joins the bodies at the ends of a line, or a body to the world where there is no body.
func (w *World) join(_ *player, m Command) error {
	for _, v := range [...]float64{m.X0, m.Y0, m.X1, m.Y1} {
		if !within(v, MaxJointCoordinate) {
			return fmt.Errorf("join: the coordinate %v of the ends is out of range: it must be within %.0f of 0", v,
				float64(MaxJointCoordinate))
		}
	}
	if err := w.jointRoom(1); err != nil {
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
	d, err := w.jointDef(m.Kind, from, b, p, q)
	if err != nil {
		return err
	}
	w.history.touched(thing{joint: w.in.World.AddJoint(tuned(d, m, b.Mass()))})
	w.bodies = w.in.World.Stats().Bodies
	return nil
}

// jointRoom returns an error if n more joints would exceed the limit.
func (w *World) jointRoom(n int) error {
	have := 0
	for range w.in.World.Joints() {
		have++
	}
	if have+n > maxJoints {
		return fmt.Errorf("the world has %d joints, the limit is %d", have, maxJoints)
	}
	return nil
}

// jointDef returns a joint of a kind, whose drag went from p on the body from, or the world, to q on b.
func (w *World) jointDef(kind string, from quarry.BodyID, b quarry.Body, p, q geom.Vec) (quarry.JointDef, error) {
	world := w.in.World
	along := q.Sub(p)
	if along.Len() < 1e-3 {
		along = geom.V(0, 1)
	}
	base := world.JointAt(from, b.ID(), q)
	switch kind {
	case "weld":
		return quarry.WeldJoint{JointBase: base}, nil
	case "distance":
		base.FrameA = world.JointAt(from, b.ID(), p).FrameA
		return quarry.DistanceJoint{JointBase: base}, nil
	case "prismatic":
		return quarry.PrismaticJoint{JointBase: world.JointAlong(from, b.ID(), q, along)}, nil
	case "wheel":
		spring := quarry.JointSpring{Hertz: 4, DampingRatio: 0.7}
		return quarry.WheelJoint{JointBase: world.JointAlong(from, b.ID(), q, along), Spring: spring}, nil
	case "motor":
		base.CollideConnected = true
		return quarry.MotorJoint{
			JointBase: base, Spring: quarry.JointSpring{Hertz: 2, DampingRatio: 0.7},
			AngularSpring:  quarry.JointSpring{Hertz: 2, DampingRatio: 0.7},
			MaxSpringForce: strong * b.Mass(), MaxSpringTorque: strong * b.Mass(),
		}, nil
	case "gear":
		a, ok := world.Body(from)
		if !ok {
			return nil, errors.New("join: a gear needs two bodies; hold each by a hinge first")
		}
		return quarry.GearJoint{JointBase: base, Ratio: gearRatio(a, b)}, nil
	case "ratchet":
		return quarry.RatchetJoint{JointBase: base, Tooth: tooth}, nil
	case "filter":
		return quarry.FilterJoint{JointBase: base}, nil
	}
	return quarry.RevoluteJoint{JointBase: base}, nil
}

// gearRatio returns the ratio of two bodies that mesh, by their sizes.
func gearRatio(a, b quarry.Body) float64 {
	sa, sb := a.Bounds().Size(), b.Bounds().Size()
	ra, rb := max(sa.X, sa.Y), max(sb.X, sb.Y)
	if !(ra > 0 && rb > 0) {
		return -1
	}
	return -max(0.01, min(100, rb/ra))
}

// tuned returns d with the motor, spring and limit of a command; mass is the mass of body B. Where the command has
// none, the joint keeps none, but a wheel and a motor joint keep their springs.
func tuned(d quarry.JointDef, m Command, mass float64) quarry.JointDef {
	drive := quarry.JointMotor{Speed: m.Motor, Max: m.Force}
	if m.Motor != 0 && m.Force == 0 {
		drive.Max = strong * mass
	}
	spring := quarry.JointSpring{Hertz: m.Hertz, DampingRatio: 0.5}
	if m.Hertz == 0 {
		spring = quarry.JointSpring{}
	}
	limit := quarry.JointLimit{On: m.Lower != 0 || m.Upper != 0, Lower: m.Lower, Upper: m.Upper}
	switch d := d.(type) {
	case quarry.RevoluteJoint:
		d.Motor, d.Spring, d.Limit = drive, spring, turnLimit(limit)
		return d
	case quarry.PrismaticJoint:
		d.Motor, d.Spring, d.Limit = drive, spring, limit
		return d
	case quarry.DistanceJoint:
		limit.Lower, limit.Upper = max(0, limit.Lower), max(0, limit.Upper)
		d.Motor, d.Spring, d.Limit = drive, spring, limit
		return d
	case quarry.WeldJoint:
		d.Spring, d.AngularSpring = spring, spring
		return d
	case quarry.WheelJoint:
		d.Motor, d.Limit = drive, limit
		if m.Hertz != 0 {
			d.Spring = spring
		}
		return d
	case quarry.MotorJoint:
		d.AngularVelocity, d.MaxTorque = m.Motor, drive.Max
		if m.Motor != 0 { // the spring would hold the angle
			d.AngularSpring = quarry.JointSpring{}
		}
		return d
	case quarry.GearJoint:
		d.Motor, d.Spring, d.Limit = drive, spring, limit
		return d
	case quarry.RatchetJoint:
		d.Clockwise = m.Motor < 0
		return d
	}
	return d
}

// turnLimit returns the limit of an angle that l stands for: less than a turn wide.
func turnLimit(l quarry.JointLimit) quarry.JointLimit {
	l.Lower, l.Upper = max(-3.1, min(3.1, l.Lower)), max(-3.1, min(3.1, l.Upper))
	return l
}

// tune replaces the motor, spring and limit of a joint.
func (w *World) tune(_ *player, m Command) error {
	j, ok := w.in.World.Joint(m.Joint)
	if !ok {
		return fmt.Errorf("tune: there is no joint %d", m.Joint)
	}
	if isDrag(j) {
		return errors.New("tune: this is a player's drag")
	}
	_, b := j.Bodies()
	was := jointText(j)
	j.SetDef(tuned(j.Def(), m, b.Mass()))
	w.history.touched(thing{joint: j.ID(), settings: []setting{{"joint", was, jointText(j)}}})
	return nil
}

// unjoin removes a joint, or the one nearest to a point.
func (w *World) unjoin(_ *player, m Command) error {
	j, ok := w.in.World.Joint(m.Joint)
	if m.Joint == 0 {
		j, ok = w.JointNear(geom.V(m.X, m.Y))
	}
	switch {
	case !ok && m.Joint == 0:
		return errors.New("unjoin: there is no joint at this point")
	case !ok:
		return fmt.Errorf("unjoin: there is no joint %d", m.Joint)
	case isDrag(j):
		return errors.New("unjoin: this is a player's drag")
	}
	if k, err := w.keepJoint(j); err == nil { // else it cannot be undone
		w.history.touched(thing{kept: &kept{Joints: []keptJoint{k}}})
	}
	w.in.World.RemoveJoint(j.ID())
	return nil
}

// JointNear returns the joint whose line between its anchors, or to the centre of a body, is nearest to p, within reach
// of a finger. Drags of players do not count.
func (w *World) JointNear(p geom.Vec) (best quarry.Joint, ok bool) {
	least := jointReach
	for j := range w.in.World.Joints() {
		if isDrag(j) {
			continue
		}
		at, to := j.Anchors()
		bodyA, bodyB := j.Bodies()
		near := min(away(p, at, to), away(p, to, bodyB.CenterOfMass()))
		if bodyA.Type() != quarry.Static {
			near = min(near, away(p, at, bodyA.CenterOfMass()))
		}
		if near < least {
			best, least, ok = j, near, true
		}
	}
	return best, ok
}

// away returns the distance of p from the line from a to b.
func away(p, a, b geom.Vec) float64 {
	d := b.Sub(a)
	t := 0.0
	if n := d.Dot(d); n > 0 {
		t = max(0, min(1, p.Sub(a).Dot(d)/n))
	}
	return p.Sub(a.MulAdd(t, d)).Len()
}

// isDrag reports whether a joint is the drag of a player.
func isDrag(j quarry.Joint) bool {
	_, drag := j.Def().(quarry.MouseJoint)
	return drag
}
