package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/joint"
)

// JointDef defines a joint: a RevoluteJoint, PrismaticJoint, DistanceJoint, WeldJoint, WheelJoint, MotorJoint,
// MouseJoint, FilterJoint, GearJoint or RatchetJoint, by value. docs/joints.md describes each.
type JointDef interface {
	base() JointBase
	joint() joint.Joint // without the common part
}

// JointBase is the part that all definitions of joints have in common. World.JointAt and World.JointAlong
// make one from a point in the world.
type JointBase struct {
	// A and B are two different bodies. A 0 stands for the world: the static body, at the origin, of grounds
	// that name no body. B may not be 0.
	A, B BodyID
	// FrameA and FrameB are frames on the bodies. Their positions are the anchors, at which the joint holds the bodies.
	// The joint's angle is that from FrameA to FrameB, and its line, if it has one, is the x axis of FrameA.
	FrameA, FrameB JointFrame
	// CollideConnected lets the two bodies collide. If it is not set, they have no contacts with each other
	// while the joint exists, except of sensors. If A is 0 it counts as set.
	CollideConnected bool
	// ForceThreshold and TorqueThreshold are the force and the torque beyond which a step reports the
	// joint in World.JointEvents; at least 0, 0 means never.
	ForceThreshold, TorqueThreshold float64
	// Constraint is the stiffness of the parts of the joint that allow no motion, 0 to 1e6 each: 0 hertz
	// mean 60 (more than a quarter of the rate of sub-steps has no effect), and a damping ratio of 0 means 2.
	Constraint JointSpring
	User       uint64 // for the game
}

// JointFrame is a frame on a body, in the body's frame.
type JointFrame struct {
	Position geom.Vec // up to 1e9 in each coordinate
	Angle    float64  // radians, -1e6 to 1e6
}

// JointSpring is a damped spring. Both numbers are 0 to 1e6; a joint with Hertz 0 has no spring.
type JointSpring struct {
	Hertz float64 // the frequency at which the joint's two bodies alone would swing
	// DampingRatio is the damping relative to the smallest without overshoot: at 0.1 the spring loses half of its
	// amplitude in a swing, at 1 it does not swing. At 0 the joint takes no energy; the solver still takes some of it,
	// the more the higher Hertz is beside the rate of sub-steps.
	DampingRatio float64
}

// JointMotor drives a joint at a speed, with a force or torque of at most Max: units of length a second and of
// force along a line, radians a second and units of torque about an angle. With a Max of 0 there is no motor; with
// a Speed of 0 it is a brake.
type JointMotor struct {
	Speed float64 // -1e6 to 1e6; positive if the value of the axis grows
	Max   float64 // at least 0; may be infinite
}

// JointLimit is a range, closed, of the joint's position on its line (units of length) or of its angle (radians). Lower
// is at most Upper; angles are -1e6 to 1e6 and less than a turn apart, lengths up to 1e9.
type JointLimit struct {
	On           bool
	Lower, Upper float64
}

// RevoluteJoint lets B turn about a common point of A and B: a hinge, the axle of a wheel, an elbow.
// Whole turns do not count: with a limit, its angle is the one within half a turn of the middle of the limit.
type RevoluteJoint struct {
	JointBase
	Spring      JointSpring // about TargetAngle
	TargetAngle float64     // radians, -1e6 to 1e6
	Limit       JointLimit  // of the angle
	Motor       JointMotor
}

// PrismaticJoint lets B slide along a line that is fixed to A, without turning: a piston, a lift, a drawer.
type PrismaticJoint struct {
	JointBase
	Spring JointSpring // about Target
	Target float64     // units of length along the line, -1e9 to 1e9
	Limit  JointLimit  // of the position of FrameB on the line
	Motor  JointMotor
}

// DistanceJoint holds two anchors at a distance: a rod. With a spring, a limit or a motor, the length is not
// rigid: with a limit it is a rope or a telescope, with a spring a shock absorber, with a motor a winch.
type DistanceJoint struct {
	JointBase
	Length float64 // of the rod, or of the spring at rest, up to 1e9; 0 means the present distance of the anchors
	Spring JointSpring
	// MinForce and MaxForce are the range of the spring's force; negative forces pull the anchors together.
	// MinForce is at most MaxForce. Both 0 mean any force.
	MinForce, MaxForce float64
	Limit              JointLimit // of the length, at least 0: a rope has Upper only
	Motor              JointMotor // a positive speed lengthens
}

// WeldJoint holds two frames together. A spring makes the distance of the anchors, or the angle, elastic.
type WeldJoint struct {
	JointBase
	Spring        JointSpring // between the anchors
	AngularSpring JointSpring // between the angles
}

// WheelJoint holds B's anchor on a line that is fixed to A, on which it has a spring, and lets B turn: a
// wheel and its suspension.
type WheelJoint struct {
	JointBase
	Spring JointSpring // along the line, about the origin of FrameA
	Limit  JointLimit  // of the position of B's anchor on the line
	Motor  JointMotor  // turns B
}

// MotorJoint drives B relative to A, and allows all motion: friction from above, a flying platform, a
// character that is moved by forces.
type MotorJoint struct {
	JointBase
	Velocity        geom.Vec    // of B's anchor relative to A, in world axes, up to 1e6 in each coordinate
	MaxForce        float64     // toward that velocity, at least 0; may be infinite
	AngularVelocity float64     // of B relative to A, -1e6 to 1e6 radians a second
	MaxTorque       float64     // toward that, at least 0; may be infinite
	Spring          JointSpring // between the anchors
	MaxSpringForce  float64     // at least 0; 0 means any force
	AngularSpring   JointSpring // between the angles
	MaxSpringTorque float64     // at least 0; 0 means any torque
}

// MouseJoint draws B's anchor toward a target: the mouse drags a body. Joint.SetTarget moves the target.
type MouseJoint struct {
	JointBase             // FrameA is not used
	Target    geom.Vec    // in A's frame: in the world, if A is 0; up to 1e9 in each coordinate
	Spring    JointSpring // a zero Spring means 5 hertz and a damping ratio of 0.7
	MaxForce  float64     // at least 0; 0 means any force
}

// FilterJoint only stops contacts between the two bodies. If A is 0, it stops contacts of B with the grounds and
// chains that name no body. CollideConnected is not used.
type FilterJoint struct{ JointBase }

// GearJoint couples the angles of A and B, and not their positions: gears, belts, the wheels of a tank. Hold each
// body by another joint. The angle of a GearJoint is Ratio times the angle of FrameB minus the angle of FrameA,
// both in the world and counted over whole turns. It stays at TargetAngle, unless there is a spring, a limit or a
// motor. SetTransform counts as the shorter of the two turns.
//
// The torque on A is that on B divided by Ratio, with the other sign, so angular momentum passes to the
// bearings as in a gearbox.
type GearJoint struct {
	JointBase
	// Ratio is the number of turns of A for each turn of B, -1000 to 1000. It is negative if they turn opposite
	// ways: for gears that mesh it is minus the radius of B divided by the radius of A. 0 means 1.
	Ratio       float64
	TargetAngle float64     // radians, -1e6 to 1e6
	Spring      JointSpring // about TargetAngle
	Limit       JointLimit  // of the angle; it may be many turns wide
	Motor       JointMotor
}

// RatchetJoint lets B turn relative to A one way, and does not couple their positions: a winch with a pawl, a
// freewheel. Its angle is the angle of FrameB minus the angle of FrameA, counted over whole turns. B cannot turn
// back beyond the last multiple of Tooth that the angle has passed.
type RatchetJoint struct {
	JointBase
	Tooth     float64 // radians, 0 to 1e6; 0: it holds at any angle
	Clockwise bool    // B turns clockwise, not counter-clockwise
}

func (d JointBase) base() JointBase { return d }

func (d RevoluteJoint) joint() joint.Joint {
	return joint.Joint{Kind: joint.Revolute, Angular: axisOf(d.Spring, d.TargetAngle, d.Limit, d.Motor)}
}

func (d PrismaticJoint) joint() joint.Joint {
	return joint.Joint{Kind: joint.Prismatic, Linear: axisOf(d.Spring, d.Target, d.Limit, d.Motor)}
}

func (d DistanceJoint) joint() joint.Joint {
	j := joint.Joint{Kind: joint.Distance, Length: d.Length, Linear: axisOf(d.Spring, 0, d.Limit, d.Motor)}
	j.Linear.MinForce, j.Linear.MaxForce = d.MinForce, d.MaxForce
	return j
}

func (d WeldJoint) joint() joint.Joint {
	return joint.Joint{Kind: joint.Weld, Linear: springOf(d.Spring, 0), Angular: springOf(d.AngularSpring, 0)}
}

func (d WheelJoint) joint() joint.Joint {
	j := joint.Joint{Kind: joint.Wheel, Linear: axisOf(d.Spring, 0, d.Limit, JointMotor{})}
	j.Angular.Motor = joint.Drive(d.Motor)
	return j
}

func (d MotorJoint) joint() joint.Joint {
	j := joint.Joint{
		Kind: joint.Motor, Drag: d.Velocity, MaxDrag: d.MaxForce,
		Linear: springOf(d.Spring, d.MaxSpringForce), Angular: springOf(d.AngularSpring, d.MaxSpringTorque),
	}
	j.Angular.Motor = joint.Drive{Speed: d.AngularVelocity, Max: d.MaxTorque}
	return j
}

func (d MouseJoint) joint() joint.Joint {
	if d.Spring == (JointSpring{}) {
		d.Spring = JointSpring{Hertz: 5, DampingRatio: 0.7}
	}
	return joint.Joint{Kind: joint.Mouse, A: joint.FrameAt(d.Target, 0), Linear: springOf(d.Spring, d.MaxForce)}
}

func (d FilterJoint) joint() joint.Joint { return joint.Joint{Kind: joint.Filter} }

func (d GearJoint) joint() joint.Joint {
	return joint.GearOf(d.Ratio, axisOf(d.Spring, d.TargetAngle, d.Limit, d.Motor))
}

func (d RatchetJoint) joint() joint.Joint { return joint.RatchetOf(d.Tooth, d.Clockwise) }

func axisOf(s JointSpring, target float64, l JointLimit, m JointMotor) joint.Axis {
	return joint.Axis{Spring: joint.Spring(s), Target: target, Limit: joint.Limit(l), Motor: joint.Drive(m)}
}

func springOf(s JointSpring, most float64) joint.Axis {
	return joint.Axis{Spring: joint.Spring(s), MaxForce: most}
}

// jointOf returns the joint that d defines. Its frames are d's; call is the name of the caller.
func jointOf(call string, d JointDef) joint.Joint {
	check.NotNil(call, "d", d == nil)
	j, c := d.joint(), d.base()
	if j.B = joint.FrameAt(c.FrameB.Position, c.FrameB.Angle); j.Kind != joint.Mouse {
		j.A = joint.FrameAt(c.FrameA.Position, c.FrameA.Angle)
	}
	j.ForceThreshold, j.TorqueThreshold, j.Rigid = c.ForceThreshold, c.TorqueThreshold, joint.Spring(c.Constraint)
	j.Check(call)
	return j
}

// defOf returns the definition of j, whose common part is c.
func defOf(j *joint.Joint, c JointBase) JointDef {
	c.FrameA, c.FrameB = JointFrame{j.A.Origin, j.A.Angle}, JointFrame{j.B.Origin, j.B.Angle}
	c.ForceThreshold, c.TorqueThreshold, c.Constraint = j.ForceThreshold, j.TorqueThreshold, JointSpring(j.Rigid)
	l, a := &j.Linear, &j.Angular
	switch j.Kind {
	case joint.Revolute:
		return RevoluteJoint{c, JointSpring(a.Spring), a.Target, JointLimit(a.Limit), JointMotor(a.Motor)}
	case joint.Prismatic:
		return PrismaticJoint{c, JointSpring(l.Spring), l.Target, JointLimit(l.Limit), JointMotor(l.Motor)}
	case joint.Distance:
		return DistanceJoint{
			c, j.Length, JointSpring(l.Spring), l.MinForce, l.MaxForce, JointLimit(l.Limit), JointMotor(l.Motor),
		}
	case joint.Weld:
		return WeldJoint{c, JointSpring(l.Spring), JointSpring(a.Spring)}
	case joint.Wheel:
		return WheelJoint{c, JointSpring(l.Spring), JointLimit(l.Limit), JointMotor(a.Motor)}
	case joint.Motor:
		return MotorJoint{
			c, j.Drag, j.MaxDrag, a.Motor.Speed, a.Motor.Max,
			JointSpring(l.Spring), l.MaxForce, JointSpring(a.Spring), a.MaxForce,
		}
	case joint.Mouse:
		c.FrameA = JointFrame{}
		return MouseJoint{c, j.A.Origin, JointSpring(l.Spring), l.MaxForce}
	case joint.Gear:
		return GearJoint{c, j.Ratio(), a.Target, JointSpring(a.Spring), JointLimit(a.Limit), JointMotor(a.Motor)}
	case joint.Ratchet:
		tooth, clockwise, _ := j.Teeth()
		return RatchetJoint{c, tooth, clockwise}
	}
	return FilterJoint{c}
}
