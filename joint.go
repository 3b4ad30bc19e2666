package quarry

import (
	"cmp"
	"fmt"
	"iter"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
)

// JointID names a joint as BodyID names a body.
type JointID uint64

// AddJoint adds a joint between two bodies, and wakes them with their islands, other than bodies added asleep since the
// last Step. It returns 0, and changes nothing, if a body does not exist. It panics if B is 0, if the bodies are the
// same, if d is nil, or if a field of d is out of range.
func (w *World) AddJoint(d JointDef) JointID {
	replay.Call1(w.recorder(w), "World.AddJoint", replay.OfWorld, d)
	j := jointOf("AddJoint", d)
	c := d.base()
	if c.B == 0 {
		panic("quarry: AddJoint: B is 0: it must be a body; only A can be the world")
	}
	bi, ok := w.state.Bodies.Find(uint64(c.B))
	if !ok {
		return 0
	}
	ai, ok := w.bodyOrWorld(c.A)
	if !ok {
		return 0
	}
	if ai == bi {
		panic(fmt.Sprintf("quarry: AddJoint: A and B are both body %d", c.B))
	}
	i, id, st := w.state.Joints.Add()
	pool.Clear(&w.state.Joints.Ends, &w.state.Joints.Pool, i)
	*st = state.Joint{Joint: j, BodyA: ai, BodyB: bi, User: c.User}
	w.state.FitJoint(st)
	w.state.Joints.Ends.Link(i, &w.state.Rare(ai).FirstJoint, &w.state.Rare(bi).FirstJoint)
	w.state.CollideConnected(st, c.CollideConnected)
	w.state.SwitchJoint(i)
	if st.Acts() {
		w.state.WakeUnlessNew(ai)
		w.state.WakeUnlessNew(bi)
	}
	return JointID(id)
}

// RemoveJoint removes a joint and wakes its bodies with their islands. It returns false if the joint does not
// exist.
func (w *World) RemoveJoint(id JointID) bool {
	replay.Call1(w.recorder(w), "World.RemoveJoint", replay.OfWorld, id)
	return pool.Remove(&w.state.Joints.Pool, uint64(id), w.state.RemoveJoint)
}

// JointAt returns the common part of a joint of a and b with both anchors at a point of the world, and both frames
// along the axes of the world, so that the joint's angle is 0. If a is 0, it stands for the world. The frame of a
// body that does not exist is as on the world, and AddJoint then returns 0. JointAt panics if the point is not
// finite.
func (w *World) JointAt(a, b BodyID, anchor geom.Vec) JointBase {
	return w.jointBase("JointAt", a, b, anchor, geom.V(1, 0))
}

// JointAlong is JointAt with the x axes of both frames in a direction, of any length but 0: the line of a
// prismatic or wheel joint. It panics if the direction is zero or not finite.
func (w *World) JointAlong(a, b BodyID, anchor, direction geom.Vec) JointBase {
	return w.jointBase("JointAlong", a, b, anchor, direction)
}

func (w *World) jointBase(call string, a, b BodyID, anchor, direction geom.Vec) JointBase {
	w.mustBeMade()
	check.FiniteVec(call, "anchor", anchor)
	if l := direction.Len(); !(l > 0 && l <= math.MaxFloat64) {
		check.Refuse(call, "direction", direction, "finite and not zero")
	}
	base := JointBase{A: a, B: b}
	for k, f := range [...]*JointFrame{&base.FrameA, &base.FrameB} {
		on, id := geom.At(geom.Vec{}), [...]BodyID{cmp.Or(a, BodyID(w.state.WorldBody)), b}[k]
		if i, ok := w.state.Bodies.Find(uint64(id)); ok {
			on = w.state.Bodies.At(i).Transform()
		}
		at := joint.FrameOn(on, anchor, direction)
		*f = JointFrame{at.Origin, at.Angle}
	}
	return base
}

// Joint is a view of a joint: a small value, valid until the joint is removed, as it is with one of its
// bodies. After that all its methods but ID panic. The zero Joint is not a joint.
//
// Its setters panic during Step and on a value out of range, which changes nothing. They wake the joint's bodies, with
// their islands, and keep the joint's impulses. All but SetDef wake no body if the joint has the value already, so that
// a game may set the speed of a motor, say, before each step.
type Joint struct {
	w    *World
	id   JointID
	slot int32
}

// Joint returns a view of the joint id; ok is false if it does not exist.
func (w *World) Joint(id JointID) (Joint, bool) {
	i, ok := w.state.Joints.Find(uint64(id))
	return Joint{w, id, i}, ok
}

// Joints yields every joint, in slot order.
func (w *World) Joints() iter.Seq[Joint] { return pool.Views(&w.state.Joints.Pool, w.jointAt) }

func (w *World) jointAt(i int32) Joint { return Joint{w, JointID(w.state.Joints.ID(i)), i} }

// Joints yields the body's joints, the one added last first. The loop may remove the joint that it visits.
func (b Body) Joints() iter.Seq[Joint] {
	return func(yield func(Joint) bool) {
		b.get()
		for l := range b.w.state.JointsOf(b.slot) {
			if !yield(b.w.jointAt(l >> 1)) {
				return
			}
		}
	}
}

func (j Joint) get() *state.Joint {
	check.Exists(j.w != nil && j.w.state.Joints.Is(j.slot, uint64(j.id)), "joint", uint64(j.id))
	return j.w.state.Joints.At(j.slot)
}

// ID returns the joint's id.
func (j Joint) ID() JointID { return j.id }

// User returns JointBase.User.
func (j Joint) User() uint64 { return j.get().User }

// Bodies returns the joint's bodies.
func (j Joint) Bodies() (a, b Body) {
	st := j.get()
	return j.w.bodyAt(st.BodyA), j.w.bodyAt(st.BodyB)
}

// Anchors returns the origins of both frames, in the world.
func (j Joint) Anchors() (a, b geom.Vec) {
	st := j.get()
	return j.w.state.Bodies.At(st.BodyA).Transform().Apply(st.A.Origin),
		j.w.state.Bodies.At(st.BodyB).Transform().Apply(st.B.Origin)
}

// Angle returns the angle from FrameA to FrameB, in (-pi, pi]; for a GearJoint or RatchetJoint it returns the
// joint's angle counted over whole turns.
func (j Joint) Angle() float64 { return j.w.stateOf(j.get()).Angle }

// Translation returns the position of B's anchor along the x axis of FrameA, in units of length.
func (j Joint) Translation() float64 { return j.w.stateOf(j.get()).Along }

// Length returns the distance of the anchors, in units of length.
func (j Joint) Length() float64 { return j.w.stateOf(j.get()).Apart.Len() }

// Speed returns the speed on which the joint's motor acts. For a prismatic or distance joint it is the speed along
// the line, in units of length a second; for a GearJoint the rate of its angle; for others the spin of B relative to A,
// in radians a second.
func (j Joint) Speed() float64 {
	a, b := j.w.state.JointSides(j.get())
	return j.get().Joint.Speed(&a, &b)
}

// Force returns the mean force of the joint on B in the last step in which a body of the joint was awake; the force
// on A is its opposite. Impacts count: a force is an impulse divided by the step's time. A joint of sleeping bodies
// keeps the force of the last step before they fell asleep: the load that it holds, and the force of any swing that
// was left.
func (j Joint) Force() geom.Vec { return geom.V(j.get().Reaction.ForceX, j.get().Reaction.ForceY) }

// Torque returns the mean torque on B in that step by springs, motors, limits and rigid angles, excluding the moment
// of Force about B's centre.
func (j Joint) Torque() float64 { return j.get().Reaction.Torque }

// MotorForce returns the force, or torque, of the joint's Motor in the last sub-step in which a body of it was awake,
// positive if it raises the joint's angle, translation or length; 0 if the definition has no Motor.
func (j Joint) MotorForce() float64 { return j.get().MotorForce() }

// Def returns the joint's definition with its present values. A is the id of the world's body where the definition had
// 0.
func (j Joint) Def() JointDef {
	st := j.get()
	return defOf(&st.Joint, JointBase{
		A: BodyID(j.w.state.Bodies.ID(st.BodyA)), B: BodyID(j.w.state.Bodies.ID(st.BodyB)),
		CollideConnected: st.Collide, User: st.User,
	})
}

// SetDef changes the joint to d, which must have the same type as Def's result. The bodies stay: A and B of d are
// the joint's, or 0. SetDef panics as AddJoint does, and if d has another type or other bodies.
func (j Joint) SetDef(d JointDef) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetDef", j.id, d)
	st := j.get()
	to := jointOf("SetDef", d)
	if to.Kind != st.Kind {
		panic(fmt.Sprintf("quarry: SetDef: a %sJoint cannot become a %sJoint", st.Kind, to.Kind))
	}
	c := d.base()
	if a, b := BodyID(j.w.state.Bodies.ID(st.BodyA)), BodyID(j.w.state.Bodies.ID(st.BodyB)); c.A != 0 && c.A != a ||
		c.B != 0 && c.B != b {
		panic(fmt.Sprintf("quarry: SetDef: the bodies %d and %d are not the joint's, %d and %d", c.A, c.B, a, b))
	}
	st.Change(&to)
	st.User = c.User
	j.w.state.FitJoint(st)
	j.w.state.CollideConnected(st, c.CollideConnected)
	j.w.state.WakeJoint(st)
}

// SetSpring sets the field Spring. It panics on a FilterJoint.
func (j Joint) SetSpring(s JointSpring) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetSpring", j.id, s)
	j.set("SetSpring", "spring", func(to *joint.Joint) bool { return to.SetSpring(joint.Spring(s)) })
}

// SetLimit sets the field Limit. It panics if the joint's definition has none.
func (j Joint) SetLimit(l JointLimit) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetLimit", j.id, l)
	j.set("SetLimit", "limit", func(to *joint.Joint) bool { return to.SetLimit(joint.Limit(l)) })
}

// SetMotor sets the field Motor. It panics if the joint's definition has none.
func (j Joint) SetMotor(m JointMotor) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetMotor", j.id, m)
	j.set("SetMotor", "motor", func(to *joint.Joint) bool { return to.SetMotor(joint.Drive(m)) })
}

// SetMotorSpeed sets the field Motor.Speed. It panics if the joint's definition has no Motor.
func (j Joint) SetMotorSpeed(speed float64) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetMotorSpeed", j.id, speed)
	j.set("SetMotorSpeed", "motor", func(to *joint.Joint) bool { return to.SetMotorSpeed(speed) })
}

// SetLength sets DistanceJoint.Length; 0 means the present distance of the anchors. It panics on other joints.
func (j Joint) SetLength(length float64) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetLength", j.id, length)
	j.set("SetLength", "length", func(to *joint.Joint) bool { return to.SetLength(length) })
}

// SetTargetAngle sets the field TargetAngle of a RevoluteJoint or GearJoint, radians. It panics on other joints.
func (j Joint) SetTargetAngle(angle float64) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetTargetAngle", j.id, angle)
	j.set("SetTargetAngle", "target angle", func(to *joint.Joint) bool { return to.SetTargetAngle(angle) })
}

// SetTargetTranslation sets PrismaticJoint.Target, units of length. It panics on other joints.
func (j Joint) SetTargetTranslation(at float64) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetTargetTranslation", j.id, at)
	j.set("SetTargetTranslation", "target on a line", func(to *joint.Joint) bool { return to.SetTargetTranslation(at) })
}

// set calls change on the joint's state; change returns false if the joint does not have the field.
func (j Joint) set(call, part string, change func(*joint.Joint) bool) {
	st := j.get()
	j.w.mustNotStep()
	to := &j.w.joint
	if *to = st.Joint; !change(to) {
		panic(fmt.Sprintf("quarry: %s: a %sJoint has no %s", call, st.Kind, part))
	}
	if to.Check(call); *to == st.Joint {
		return
	}
	st.Joint = *to
	j.w.state.FitJoint(st)
	j.w.state.WakeJoint(st)
}

// SetTarget moves the target of a MouseJoint, in A's frame: in the world, if A is the world's body. It panics on other
// joints.
func (j Joint) SetTarget(p geom.Vec) {
	replay.Call1(j.w.recorder(j.get()), "Joint.SetTarget", j.id, p)
	j.set("SetTarget", "target", func(to *joint.Joint) bool { return to.SetTarget(p) })
}

// JointEvent reports that the force or torque of a joint was beyond its threshold.
type JointEvent struct {
	Joint  JointID
	User   uint64
	Force  geom.Vec // see Joint.Force
	Torque float64  // see Joint.Torque
}

// JointEvents returns the joints whose force or torque in the last step was beyond JointBase.ForceThreshold or
// TorqueThreshold, in slot order.
func (w *World) JointEvents() []JointEvent { return w.events.joints }

// stateOf returns the present state of j.
func (w *World) stateOf(j *state.Joint) joint.State {
	a, b := w.state.JointSides(j)
	return j.State(&a, &b)
}

// reportJoints adds the events of the joints beyond their thresholds.
func (w *World) reportJoints() {
	for _, i := range w.stages.List.Joints.Reporting() {
		if j := w.state.Joints.At(i); j.Reaction.Over {
			w.events.joints = append(w.events.joints, JointEvent{
				JointID(w.state.Joints.ID(i)), j.User, geom.V(j.Reaction.ForceX, j.Reaction.ForceY), j.Reaction.Torque,
			})
		}
	}
}
