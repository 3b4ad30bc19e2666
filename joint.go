package quarry

import (
	"cmp"
	"fmt"
	"iter"
	"math"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/store"
)

// JointID names a joint as BodyID names a body.
type JointID uint64

// jointState is the state of a joint. It is in the lists of joints of both its bodies.
type jointState struct {
	joint.Joint
	bodyA, bodyB int32
	collide      bool // JointBase.CollideConnected
	excludes     bool // its bodies have no contacts because of it
	off          bool // a body of it is disabled
	user         uint64
	reaction     joint.Reaction // of the last step in which a body of it was awake
}

// joints holds the joints of a world.
type joints struct {
	store.Pool[jointState]
	ends   store.Edges // by slot, in the lists of the bodies
	active store.Bits  // joints with rows, of bodies that may move in the next step; touchJoined removes the others
	listed []int32     // slots of the solver's joints in this step
	h      float64     // seconds of a sub-step of this step
}

// AddJoint adds a joint between two bodies, and wakes them with their islands, other than bodies added asleep since the last
// Step. It returns 0, and changes nothing, if a body does not exist. It panics if the bodies are the same, if d is nil, or if a
// field of d is out of range.
func (w *World) AddJoint(d JointDef) JointID {
	record.Call1(w.recorder(w), "World.AddJoint", record.OfWorld, d)
	j := jointOf("AddJoint", d)
	c := d.base()
	bi, ok := w.bodies.Find(uint64(c.B))
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
	i, id, st := w.joints.Add()
	store.Clear(&w.joints.ends, &w.joints.Pool, i)
	*st = jointState{Joint: j, bodyA: ai, bodyB: bi, user: c.User}
	w.fitLength(st)
	w.joints.ends.Link(i, &w.rare(ai).firstJoint, &w.rare(bi).firstJoint)
	w.collideConnected(st, c.CollideConnected)
	w.switchJoint(i)
	if st.acts() {
		w.wakeUnlessNew(ai)
		w.wakeUnlessNew(bi)
	}
	return JointID(id)
}

// acts reports whether j holds its bodies.
func (j *jointState) acts() bool { return j.Kind != joint.Filter && !j.off }

// switchJoint makes joint i act if both its bodies are enabled.
func (w *World) switchJoint(i int32) {
	j := w.joints.At(i)
	j.off = (w.bodies.At(j.bodyA).flags|w.bodies.At(j.bodyB).flags)&disabled != 0
	if w.joints.active.Remove(i); j.acts() {
		w.joints.active.Add(i)
	}
}

// fitLength sets the length of a distance joint without one to the present distance.
func (w *World) fitLength(j *jointState) {
	if j.Kind == joint.Distance && j.Length == 0 {
		j.Length = w.stateOf(j).Apart.Len()
	}
}

// collideConnected sets JointBase.CollideConnected.
func (w *World) collideConnected(j *jointState, on bool) {
	j.collide = on
	w.exclude(j, j.Kind == joint.Filter || !on && BodyID(w.bodies.ID(j.bodyA)) != w.worldBody)
}

// exclude removes the contacts of j's bodies, and finds no new ones, until it is called with false.
func (w *World) exclude(j *jointState, on bool) {
	if j.excludes == on {
		return
	}
	if j.excludes = on; on {
		w.broad.Exclude(j.bodyA, j.bodyB)
		for l, c := range w.contactsOf(j.bodyB) {
			if !c.sensor && (c.bodyA == j.bodyA || c.bodyB == j.bodyA) {
				w.removeContact(l>>1, true)
			}
		}
	} else if w.broad.Admit(j.bodyA, j.bodyB) {
		of := j.bodyB
		if w.bodies.At(of).kind != Dynamic {
			of = j.bodyA
		}
		for e := range w.proxiesOf(of) {
			w.broad.Renew(e)
		}
	}
}

// RemoveJoint removes a joint and wakes its bodies with their islands. It returns false if there is no
// such joint.
func (w *World) RemoveJoint(id JointID) bool {
	record.Call1(w.recorder(w), "World.RemoveJoint", record.OfWorld, id)
	return store.Remove(&w.joints.Pool, uint64(id), w.removeJoint)
}

func (w *World) removeJoint(i int32) {
	j := w.joints.At(i)
	w.wakeJoint(j)
	w.exclude(j, false)
	w.joints.ends.Unlink(i, &w.rare(j.bodyA).firstJoint, &w.rare(j.bodyB).firstJoint)
	w.joints.active.Remove(i)
	w.joints.Remove(i)
}

// JointAt returns the common part of a joint of a and b with both anchors at a point of the world, and
// both frames along the axes of the world, so that the joint's angle is 0. a 0 stands for the world. If another body does not
// exist, its frame is as on the world, and AddJoint returns 0. It panics if the point is not finite.
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
		on, id := geom.At(geom.Vec{}), [...]BodyID{cmp.Or(a, w.worldBody), b}[k]
		if i, ok := w.bodies.Find(uint64(id)); ok {
			on = w.bodies.At(i).transform()
		}
		at := joint.FrameOn(on, anchor, direction)
		*f = JointFrame{at.Origin, at.Angle}
	}
	return base
}

// Joint is a view of a joint: a small value, valid until the joint is removed, as it is with one of its
// bodies. After that all its methods but ID panic. The zero Joint is not a joint.
//
// Its setters panic during Step and on a value out of range, which changes nothing. They wake the joint's bodies, with their
// islands, and keep the joint's impulses.
type Joint struct {
	w    *World
	id   JointID
	slot int32
}

// Joint returns a view of the joint id; ok is false if it does not exist.
func (w *World) Joint(id JointID) (Joint, bool) {
	i, ok := w.joints.Find(uint64(id))
	return Joint{w, id, i}, ok
}

// Joints yields every joint, in slot order.
func (w *World) Joints() iter.Seq[Joint] { return store.Views(&w.joints.Pool, w.jointAt) }

func (w *World) jointAt(i int32) Joint { return Joint{w, JointID(w.joints.ID(i)), i} }

// Joints yields the body's joints, the one added last first. The loop may remove the joint that it visits.
func (b Body) Joints() iter.Seq[Joint] {
	return func(yield func(Joint) bool) {
		b.get()
		for l := range b.w.jointsOf(b.slot) {
			if !yield(b.w.jointAt(l >> 1)) {
				return
			}
		}
	}
}

func (j Joint) get() *jointState {
	if j.w == nil || !j.w.joints.Is(j.slot, uint64(j.id)) {
		panic(fmt.Sprintf("quarry: there is no joint %d: it was removed, or never added", j.id))
	}
	return j.w.joints.At(j.slot)
}

// ID returns the joint's id.
func (j Joint) ID() JointID { return j.id }

// User returns JointBase.User.
func (j Joint) User() uint64 { return j.get().user }

// Bodies returns the joint's bodies.
func (j Joint) Bodies() (a, b Body) {
	st := j.get()
	return j.w.bodyAt(st.bodyA), j.w.bodyAt(st.bodyB)
}

// Anchors returns the origins of both frames, in the world.
func (j Joint) Anchors() (a, b geom.Vec) {
	st := j.get()
	return j.w.bodies.At(st.bodyA).transform().Apply(st.A.Origin), j.w.bodies.At(st.bodyB).transform().Apply(st.B.Origin)
}

// Angle returns the angle from FrameA to FrameB, in (-pi, pi].
func (j Joint) Angle() float64 { return j.w.stateOf(j.get()).Angle }

// Translation returns the position of B's anchor along the x axis of FrameA, in units of length.
func (j Joint) Translation() float64 { return j.w.stateOf(j.get()).Along }

// Length returns the distance of the anchors, in units of length.
func (j Joint) Length() float64 { return j.w.stateOf(j.get()).Apart.Len() }

// Speed returns the speed that the joint's motor would drive: units of length a second along the line of
// a prismatic or distance joint, radians a second of B relative to A of others.
func (j Joint) Speed() float64 {
	a, b := j.w.sidesOf(j.get())
	return j.get().Joint.Speed(&a, &b)
}

// Force returns the mean force of the joint on B in the last step in which a body of it was awake, and minus
// that on A. Impacts count: a force is an impulse divided by the step's time.
func (j Joint) Force() geom.Vec { return geom.V(j.get().reaction.ForceX, j.get().reaction.ForceY) }

// Torque returns the mean torque on B in that step, besides that of the force at B's anchor: of springs, motors,
// limits and rigid angles.
func (j Joint) Torque() float64 { return j.get().reaction.Torque }

// Def returns the joint's definition with its present values. A is the id of the world's body where the definition had 0.
func (j Joint) Def() JointDef {
	st := j.get()
	return defOf(&st.Joint, JointBase{
		A: BodyID(j.w.bodies.ID(st.bodyA)), B: BodyID(j.w.bodies.ID(st.bodyB)), CollideConnected: st.collide, User: st.user,
	})
}

// SetDef changes the joint to d, which is of the same type as Def's result. The bodies stay: A and B of d are those of the
// joint, or 0. It panics as AddJoint does, and if d has another type or other bodies.
func (j Joint) SetDef(d JointDef) {
	record.Call1(j.w.recorder(j.get()), "Joint.SetDef", j.id, d)
	st := j.get()
	to := jointOf("SetDef", d)
	if to.Kind != st.Kind {
		panic(fmt.Sprintf("quarry: SetDef: a %sJoint cannot become a %sJoint", st.Kind, to.Kind))
	}
	c := d.base()
	if a, b := BodyID(j.w.bodies.ID(st.bodyA)), BodyID(j.w.bodies.ID(st.bodyB)); c.A != 0 && c.A != a || c.B != 0 && c.B != b {
		panic(fmt.Sprintf("quarry: SetDef: the bodies %d and %d are not the joint's, %d and %d", c.A, c.B, a, b))
	}
	st.Change(&to)
	st.user = c.User
	j.w.fitLength(st)
	j.w.collideConnected(st, c.CollideConnected)
	j.w.wakeJoint(st)
}

// SetSpring sets the field Spring. It panics on a FilterJoint.
func (j Joint) SetSpring(s JointSpring) {
	record.Call1(j.w.recorder(j.get()), "Joint.SetSpring", j.id, s)
	to := j.get().Joint
	j.set("SetSpring", "spring", to.SetSpring(joint.Spring(s)), &to)
}

// SetLimit sets the field Limit. It panics if the joint's definition has none.
func (j Joint) SetLimit(l JointLimit) {
	record.Call1(j.w.recorder(j.get()), "Joint.SetLimit", j.id, l)
	to := j.get().Joint
	j.set("SetLimit", "limit", to.SetLimit(joint.Limit(l)), &to)
}

// SetMotor sets the field Motor. It panics if the joint's definition has none.
func (j Joint) SetMotor(m JointMotor) {
	record.Call1(j.w.recorder(j.get()), "Joint.SetMotor", j.id, m)
	to := j.get().Joint
	j.set("SetMotor", "motor", to.SetMotor(joint.Drive(m)), &to)
}

// SetMotorSpeed sets the field Motor.Speed. It panics if the joint's definition has no Motor.
func (j Joint) SetMotorSpeed(speed float64) {
	record.Call1(j.w.recorder(j.get()), "Joint.SetMotorSpeed", j.id, speed)
	to := j.get().Joint
	j.set("SetMotorSpeed", "motor", to.SetMotorSpeed(speed), &to)
}

// set makes j the joint to, if the joint has that part.
func (j Joint) set(call, part string, has bool, to *joint.Joint) {
	st := j.get()
	j.w.mustNotStep()
	if !has {
		panic(fmt.Sprintf("quarry: %s: a %sJoint has no %s", call, st.Kind, part))
	}
	to.Check(call)
	st.Joint = *to
	j.w.wakeJoint(st)
}

// SetTarget moves the target of a MouseJoint, in A's frame: in the world, if A is the world's body. It panics on other joints.
func (j Joint) SetTarget(p geom.Vec) {
	record.Call1(j.w.recorder(j.get()), "Joint.SetTarget", j.id, p)
	to := j.get().Joint
	to.A.Origin = p
	j.set("SetTarget", "target", to.Kind == joint.Mouse, &to)
}
