package solve

// A joint is constraint rows between two bodies. There are four shapes of joints, by the line that
// an impulse takes, and each may have an axis for the relative angle of its bodies (axis.go):
//
//   - Point: two rows hold an anchor of A and an anchor of B together. (Revolute, weld, motor.)
//   - Slide: B's anchor is on a line through A's anchor, which turns with A: one row across the line, and
//     an axis along it. (Prismatic, wheel.)
//   - Span: an axis along the line from one anchor to the other. (Distance.)
//   - Turns: an axis of both bodies' angles, each with its own lever: the ratio times B's less A's. (Gear, ratchet.)
//
// internal/joint tells which of these rows each joint has. Rows are derived in docs/joints.md.

// JointSource gives the joints of Solver.JointLinks, and takes their impulses back. The workers of the
// team, numbered from 0, call its methods at once, for different joints.
type JointSource interface {
	// FillJoint sets out, which is zero, to joint i.
	FillJoint(worker int, i int32, out *Joint)
	// TakeJoint takes the impulses of joint i at the end of the step, and its force and torque on its bodies.
	TakeJoint(worker int, i int32, x *JointImpulses, did *Reaction)
}

// JointShape tells the rows of a joint's anchors.
type JointShape uint8

const (
	Point2 JointShape = iota
	Slide
	Span
	Turns
)

// JointFlags tell which rows a joint has.
type JointFlags uint16

const (
	Rigid      JointFlags = 1 << iota // Point2: the anchors stay together; Slide: B's stays on the line
	Pulled                            // Point2: a spring pulls the anchors together
	Dragged                           // Point2: a motor gives B's anchor a velocity relative to A's
	RigidAngle                        // Slide: the relative angle stays, solved as one block with the row across
)

// Joint is a joint at the start of a step. The caller computes it in float64 and rounds once; the
// passes add the changes since. So a joint works far from the origin as near it, and in a frame that moves as in
// one at rest.
type Joint struct {
	Shape JointShape
	Flags JointFlags

	JointStart

	Hertz, Damping float32 // of all rigid rows and limits, as Solver.Hertz

	Pull                  Spring // Pulled
	MaxPull               float32
	DragX, DragY, MaxDrag float32 // Dragged: velocity and maximum force
	Linear, Angular       Axis    // Linear: of Slide, Span and Turns
	JointImpulses
}

// JointStart is where the bodies of a joint are and how they move.
type JointStart struct {
	ArmAX, ArmAY, ArmBX, ArmBY float32 // of the anchors, from the centres of mass
	// B's anchor less A's: of Slide along and across the line, otherwise along x and y
	ApartX, ApartY float32
	LineX, LineY   float32 // Slide: direction of the line, a unit vector
	DriftX, DriftY float32 // velocity of B's centre of mass relative to A's
	Spin           float32 // of B relative to A; Turns: Ratio times B's spin, less A's
	Ratio          float32 // Turns
	Angle          float32 // RigidAngle: relative angle less the one that is held, radians
}

// Motorized reports whether j has a motor.
func (j *Joint) Motorized() bool {
	return (j.Linear.Flags|j.Angular.Flags)&Driven != 0 || j.Flags&Dragged != 0
}

// Spring is a damped spring: its frequency with the joint's bodies alone on it, in hertz, and its damping ratio.
type Spring struct{ Hertz, Damping float32 }

// JointImpulses holds the impulses of a joint in a sub-step, units of mass times speed, or those times length
// about an axis of angle. A step begins with those that the step before ended with.
type JointImpulses struct {
	RigidImpulses
	PullX, PullY, DragImpulseX, DragImpulseY float32
	LinearDrive, AngularDrive                DriveImpulses
}

// RigidImpulses holds the impulses of the rows that allow no motion.
type RigidImpulses struct {
	U, V            float32 // Point2: along x and y; Slide: across the line, and of RigidAngle
	Linear, Angular AxisImpulses
}

// Reaction holds the force and torque of a joint on its bodies in a step.
type Reaction struct {
	// Force is the mean force on B in the step, and minus that on A. Torque is the mean torque on B
	// besides that of the force at B's anchor: of springs, motors, limits and rigid rows of the angle. Impacts count.
	ForceX, ForceY, Torque float64
}
